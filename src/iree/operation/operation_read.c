/* operation_read.c - one operation of linalg or attention: its maps, element types, sizes, roles.
 *
 * Everything that the rest of the code relies on is checked here: as many maps as operands, as many
 * results in a map as its operand has dims, every loop with a size, no more loops than the lists
 * hold. What fails is a refusal in words, never an error: a file may hold anything.
 */
#include "iree/operation/operation_steps.h"

#include <stddef.h>

struct operands { /* inputs, then outputs */
  const struct hone__mlir_type *types[HONE__IREE_MAX_OPERANDS];
  unsigned count, inputs;
};

/* ---- Operands ---- */

static bool add_operands(const struct hone__mlir_type *types, size_t count,
                         struct operands *operands)
{
  if (count > HONE__IREE_MAX_OPERANDS - operands->count) return false;
  for (size_t i = 0; i < count; i++)
    operands->types[operands->count++] = &types[i];
  return true;
}

/* ins(...) outs(...), or the generic form "linalg.matmul"(%a, %b, %c) ... : (A, B, C) -> C. */
static bool collect_operands(const struct hone__mlir_op *op, struct operands *operands)
{
  const struct hone__mlir_clause *ins = hone__mlir_clause(op, "ins");
  const struct hone__mlir_clause *outs = hone__mlir_clause(op, "outs");

  *operands = (struct operands){.count = 0};
  if (ins && outs) {
    operands->inputs = (unsigned)ins->type_count;
    return add_operands(ins->types, ins->type_count, operands) &&
           add_operands(outs->types, outs->type_count, operands);
  }
  if (op->operand_count == 0 || op->type_count < op->operand_count) return false;
  operands->inputs = (unsigned)op->operand_count - 1;
  return add_operands(op->types, op->operand_count, operands);
}

/* ---- Maps ---- */

/* The maps that are written at the operation; NULL: there are none. */
static struct hone__affine_map *written_maps(struct hone__arena *arena,
                                             const struct hone__mlir_op *op, unsigned *out_count)
{
  const struct hone__mlir_attr *list = hone__mlir_attr(op, "indexing_maps");
  struct hone__affine_map *maps;

  if (!list || list->kind != HONE__MLIR_LIST || list->count == 0) return NULL;
  if (list->count > HONE__IREE_MAX_OPERANDS) return NULL;
  maps = hone__arena_alloc(arena, list->count * sizeof *maps);
  for (size_t i = 0; i < list->count; i++) {
    if (list->entries[i].value.kind != HONE__MLIR_MAP) return NULL;
    maps[i] = *list->entries[i].value.map;
  }
  *out_count = (unsigned)list->count;
  return maps;
}

static bool needs_written_maps(const struct hone__mlir_op *op)
{
  return !strcmp(op->name, "linalg.generic") || !strcmp(op->name, "linalg.contract") ||
         hone__starts_with(op->name, "iree_linalg_ext.");
}

static bool find_maps(struct hone__arena *arena, struct hone__iree_operation *operation,
                      struct hone__text *why)
{
  operation->maps = written_maps(arena, operation->op, &operation->map_count);
  if (operation->maps) return true;
  if (needs_written_maps(operation->op)) {
    hone__text_addf(why, "%s has no supported indexing_maps", operation->op->name);
    return false;
  }
  operation->maps = hone__iree_named_maps(arena, operation->op, why);
  operation->map_count = 3;
  return operation->maps != NULL;
}

static bool maps_fit(const struct hone__iree_operation *operation, const struct operands *operands)
{
  if (operation->map_count != operands->count) return false;
  for (unsigned i = 0; i < operation->map_count; i++) {
    const struct hone__mlir_type *type = operands->types[i];
    if (operation->maps[i].dims != operation->loop_count) return false;
    if (operation->maps[i].count != (type->is_shaped ? type->rank : 0)) return false;
  }
  return true;
}

/* ---- Sizes ---- */

/* False: two operands contradict each other about the dim. */
static bool note_size(int64_t *size, int64_t seen)
{
  if (seen < 0) return true;
  if (*size >= 0 && *size != seen) return false;
  *size = seen;
  return true;
}

static bool find_sizes(struct hone__arena *arena, const struct operands *operands,
                       struct hone__iree_operation *operation)
{
  unsigned loops = operation->loop_count, dim;

  operation->sizes = hone__arena_alloc(arena, loops * sizeof *operation->sizes);
  for (unsigned d = 0; d < loops; d++)
    operation->sizes[d] = -1;
  for (unsigned i = 0; i < operation->map_count; i++) {
    for (unsigned j = 0; j < operation->maps[i].count; j++) {
      if (!hone__iree_expr_is_dim(&operation->maps[i].results[j], loops, &dim)) continue;
      if (!note_size(&operation->sizes[dim], operands->types[i]->dims[j])) return false;
    }
  }
  for (unsigned d = 0; d < loops; d++)
    operation->is_dynamic |= operation->sizes[d] < 0;
  for (unsigned i = 0; i < operands->count; i++) {
    for (unsigned j = 0; operands->types[i]->is_shaped && j < operands->types[i]->rank; j++) {
      operation->is_dynamic |= operands->types[i]->dims[j] < 0;
    }
  }
  return true;
}

/* Maps, types and sizes: what all kinds have. */
static bool read_parts(struct hone__arena *arena, struct hone__iree_operation *operation,
                       struct operands *operands, struct hone__text *why)
{
  const char *name = operation->op->name;

  if (!find_maps(arena, operation, why)) return false;
  operation->loop_count = operation->maps[0].dims;
  if (operation->loop_count == 0) {
    hone__text_addf(why, "%s has no loops: there is nothing to tile", name);
    return false;
  }
  if (operation->loop_count > HONE__IREE_MAX_LOOPS) {
    hone__text_addf(why, "%s has %u loops, more than the limit of %d", name, operation->loop_count,
                    HONE__IREE_MAX_LOOPS);
    return false;
  }
  if (!collect_operands(operation->op, operands) || !maps_fit(operation, operands)) {
    hone__text_addf(why, "%s has operands that do not fit its indexing maps", name);
    return false;
  }
  operation->input_count = operands->inputs;
  for (unsigned i = 0; i < operands->count; i++)
    operation->types[i] = operands->types[i]->element;
  if (find_sizes(arena, operands, operation)) return true;
  hone__text_addf(why, "%s has operands whose shapes contradict each other", name);
  return false;
}

/* ---- Products ---- */

static bool is_reduction_word(const struct hone__mlir_attr *iterator)
{
  if (iterator->kind == HONE__MLIR_DIALECT) { /* #linalg.iterator_type<reduction> */
    return iterator->count == 1 && is_reduction_word(&iterator->entries[0].value);
  }
  return iterator->text && !strcmp(iterator->text, "reduction");
}

/* As written; else what the output does not have is summed. */
static hone__dim_set find_reductions(const struct hone__iree_operation *operation)
{
  const struct hone__mlir_attr *list = hone__mlir_attr(operation->op, "iterator_types");
  hone__dim_set all = ((hone__dim_set)1 << operation->loop_count) - 1, set = 0;

  if (!list || list->kind != HONE__MLIR_LIST || list->count != operation->loop_count) {
    return all & ~hone__iree_map_dims(&operation->maps[operation->map_count - 1]);
  }
  for (unsigned d = 0; d < operation->loop_count; d++) {
    if (is_reduction_word(&list->entries[d].value)) set |= (hone__dim_set)1 << d;
  }
  return set;
}

static const char *product_defect(const struct hone__iree_operation *operation,
                                  const struct operands *operands, hone__dim_set reductions)
{
  bool is_generic = !strcmp(operation->op->name, "linalg.generic");

  if (reductions == 0) return "is elementwise: it sums over no dim";
  if (operands->inputs == 1) return "is a reduction of one input";
  if (operands->inputs != 2 || operands->count != 3) {
    return "has more than two inputs or more than one output";
  }
  if (is_generic && !hone__iree_body_multiplies_and_adds(operation->op)) {
    return "is not a product: its body is not a multiply-add";
  }
  return NULL;
}

static bool has_windows(const struct hone__affine_map *map)
{
  unsigned dim;

  for (unsigned i = 0; i < map->count; i++) {
    if (!hone__iree_expr_is_dim(&map->results[i], map->dims, &dim)) return true;
  }
  return false;
}

static bool read_product(struct hone__iree_operation *operation, const struct operands *operands,
                         struct hone__text *why)
{
  hone__dim_set reductions = operation->reductions = find_reductions(operation);
  const char *defect = product_defect(operation, operands, reductions);

  if (defect) {
    hone__text_addf(why, "%s %s", operation->op->name, defect);
    return false;
  }
  if (has_windows(&operation->maps[0])) {
    operation->kind = HONE__IREE_CONVOLUTION;
    return hone__iree_convolution_dims(operation, reductions, why);
  }
  operation->kind = HONE__IREE_CONTRACTION;
  return hone__iree_contraction_dims(operation, reductions, why);
}

/* ---- Attention: query, key, value, scale, [mask,] out [, max, sum] ---- */

static bool is_attention(const struct hone__mlir_op *op)
{
  return !strcmp(op->name, "iree_linalg_ext.attention") ||
         !strcmp(op->name, "iree_linalg_ext.online_attention");
}

static bool read_attention(struct hone__iree_operation *operation, const struct operands *operands,
                           struct hone__text *why)
{
  unsigned outputs = operands->count - operands->inputs;

  operation->kind = HONE__IREE_ATTENTION;
  operation->is_online = !strcmp(operation->op->name, "iree_linalg_ext.online_attention");
  operation->has_mask = operands->inputs == 5;
  if (operands->inputs < 4 || operands->inputs > 5 || outputs != (operation->is_online ? 3 : 1)) {
    hone__text_addf(why, "%s has %u inputs and %u outputs, which is not supported",
                    operation->op->name, operands->inputs, outputs);
    return false;
  }
  return hone__iree_attention_dims(operation, why);
}

/* ---- All of it ---- */

static const struct {
  size_t offset;
  const char *name;
} roles[] = {
    {offsetof(struct hone__iree_operation, batch), "batch"},
    {offsetof(struct hone__iree_operation, m), "m"},
    {offsetof(struct hone__iree_operation, n), "n"},
    {offsetof(struct hone__iree_operation, k), "k"},
    {offsetof(struct hone__iree_operation, k1), "k1"},
    {offsetof(struct hone__iree_operation, k2), "k2"},
    {offsetof(struct hone__iree_operation, image), "image"},
    {offsetof(struct hone__iree_operation, output_channel), "output channel"},
    {offsetof(struct hone__iree_operation, filter), "filter"},
    {offsetof(struct hone__iree_operation, input_channel), "input channel"},
    {offsetof(struct hone__iree_operation, depth), "group"},
};

static const char *role_name(const struct hone__iree_operation *operation, unsigned dim)
{
  for (size_t i = 0; i < sizeof roles / sizeof *roles; i++) {
    const struct hone__dim_list *list =
        (const void *)((const char *)operation + roles[i].offset); /* one of the lists above */
    for (unsigned j = 0; j < list->count; j++) {
      if (list->dims[j] == dim) return roles[i].name;
    }
  }
  return "no role";
}

static void explain_dynamic(const struct hone__iree_operation *operation, struct hone__text *why)
{
  unsigned dim = 0;

  while (dim < operation->loop_count && operation->sizes[dim] >= 0)
    dim++;
  if (dim == operation->loop_count) {
    hone__text_addf(why, "%s has an operand with a dim of no fixed size", operation->op->name);
  } else {
    hone__text_addf(why, "%s has a dim of no fixed size: d%u (%s)", operation->op->name, dim,
                    role_name(operation, dim));
  }
  hone__text_add(why, "; a configuration is tuned for fixed sizes");
}

static const char *function_around(const struct hone__mlir_op *op)
{
  const struct hone__mlir_op *function = hone__mlir_around(op, "func.func");

  if (!function) function = hone__mlir_around(op, "util.func");
  return function ? function->symbol : NULL;
}

static struct hone__iree_operation operation_of(const struct hone__mlir *mlir,
                                                const struct hone__mlir_op *op)
{
  return (struct hone__iree_operation){.mlir = mlir,
                                       .op = op,
                                       .function = function_around(op),
                                       .is_root = hone__mlir_attr(op, "root_op") != NULL};
}

enum hone__iree_refusal
hone__iree_operation_read_generic(struct hone__mlir *mlir, const struct hone__mlir_op *op,
                                  struct hone__iree_operation *out_operation,
                                  struct hone__text *why)
{
  struct operands operands;

  *out_operation = operation_of(mlir, op);
  out_operation->kind = HONE__IREE_GENERIC;
  if (!hone__starts_with(op->name, "linalg.") || !hone__mlir_clause(op, "outs")) {
    hone__text_addf(why, "%s is not an operation of linalg on tensors", op->name);
    return HONE__IREE_UNSUPPORTED;
  }
  if (!read_parts(&mlir->arena, out_operation, &operands, why)) return HONE__IREE_UNSUPPORTED;
  out_operation->reductions = find_reductions(out_operation);
  if (!out_operation->is_dynamic) return HONE__IREE_TUNABLE;
  explain_dynamic(out_operation, why);
  return HONE__IREE_DYNAMIC;
}

enum hone__iree_refusal hone__iree_operation_read(struct hone__mlir *mlir,
                                                  const struct hone__mlir_op *op,
                                                  struct hone__iree_operation *out_operation,
                                                  struct hone__text *why)
{
  struct operands operands;
  bool is_tunable;

  *out_operation = operation_of(mlir, op);
  if (!read_parts(&mlir->arena, out_operation, &operands, why)) return HONE__IREE_UNSUPPORTED;
  is_tunable = is_attention(op) ? read_attention(out_operation, &operands, why)
                                : read_product(out_operation, &operands, why);
  if (!is_tunable) return HONE__IREE_UNSUPPORTED;
  if (!out_operation->is_dynamic) return HONE__IREE_TUNABLE;
  explain_dynamic(out_operation, why);
  return HONE__IREE_DYNAMIC;
}
