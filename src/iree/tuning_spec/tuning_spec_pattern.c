/* tuning_spec_pattern.c - translates matchers of older forms to the present one.
 *
 * A pattern of an operation becomes a matcher of the present form. Attention becomes online
 * attention, because IREE converts it before it applies specs: since 3.12 a matcher for attention
 * itself silently matches nothing.
 */
#include "iree/tuning_spec/tuning_spec_parts.h"

#include "iree/operation/operation_steps.h"

/* ---- Patterns ---- */

/* Sizes from the types of operands. */
static void fill_sizes(const struct hone__iree_spec_matcher *matcher,
                       struct hone__iree_operation *operation)
{
  unsigned dim;

  for (unsigned i = 0; i < matcher->operand_count; i++) {
    const struct hone__iree_spec_operand *operand = &matcher->operands[i];
    const struct hone__affine_map *map;
    if (operand->index >= operation->map_count) continue;
    map = &operation->maps[operand->index];
    for (unsigned j = 0; j < operand->type.rank && j < map->count; j++)
      if (operand->type.dims[j] >= 0 && hone__iree_expr_is_dim(&map->results[j], map->dims, &dim) &&
          operation->sizes[dim] < 0)
        operation->sizes[dim] = operand->type.dims[j];
  }
}

static void take_operation(struct hone__iree_spec_matcher *matcher,
                           const struct hone__iree_operation *operation)
{
  const struct hone__iree_spec_kind *kind = hone__iree_spec_kind_of(operation);

  matcher->what = kind->what;
  matcher->maps = operation->maps;
  matcher->map_count = operation->map_count;
  matcher->loop_count = operation->loop_count;
  matcher->type_count = operation->map_count;
  for (unsigned i = 0; i < operation->map_count; i++)
    matcher->types[i] = operation->types[i];
  for (unsigned i = 0; kind->roles[i]; i++)
    hone__iree_spec_role_sizes(operation, kind->roles[i], &matcher->dims[matcher->dim_count++]);
}

/* Sizes that the types do not fix become conditions on operands, which IREE still supports. */
static void add_operand_lines(const struct hone__iree_spec_matcher *matcher,
                              struct hone__text *text)
{
  for (unsigned i = 0; i < matcher->operand_count; i++) {
    const struct hone__iree_spec_operand *operand = &matcher->operands[i];
    hone__iree_tuning_spec_operand_type(operand->index, operand->type.text, text);
    for (unsigned j = 0; j < HONE__SPEC_SIZES; j++) {
      if (operand->dims[j].multiple)
        hone__text_addf(text,
                        "    transform.iree.match.dim_is_multiple_of %%operand_%u[%u], %lld : "
                        "!transform.any_value\n",
                        operand->index, j, (long long)operand->dims[j].multiple);
      if (!operand->dims[j].low && !operand->dims[j].high) continue;
      hone__text_addf(text, "    transform.iree.match.dim_bounds %%operand_%u[%u], ",
                      operand->index, j);
      hone__text_addf(text, operand->dims[j].low ? "umin = %lld, " : "none, ",
                      (long long)operand->dims[j].low);
      hone__text_addf(text, operand->dims[j].high ? "umax = %lld" : "none",
                      (long long)operand->dims[j].high);
      hone__text_add(text, " : !transform.any_value\n");
    }
  }
}

static bool has_open_conditions(const struct hone__iree_spec_matcher *matcher)
{
  for (unsigned i = 0; i < matcher->dim_count; i++)
    for (unsigned j = 0; j < matcher->dims[i].count; j++)
      if (matcher->dims[i].sizes[j] < 0) return true;
  return false;
}

static void carry_lines(struct hone__iree_spec_reader *reader,
                        struct hone__iree_spec_matcher *matcher,
                        const struct hone__iree_operation *operation)
{
  struct hone__text text = {0};

  matcher->is_carried = matcher->has_new_lines = true;
  hone__iree_tuning_spec_matcher(operation, &text);
  if (has_open_conditions(matcher)) add_operand_lines(matcher, &text);
  matcher->lines = hone__arena_strdup(&reader->spec->mlir.arena, text.data);
  hone__text_release(&text);
}

void hone__iree_spec_carry_pattern(struct hone__iree_spec_reader *reader,
                                   struct hone__iree_spec_matcher *matcher,
                                   const struct hone__mlir_op *pattern,
                                   struct hone__iree_operation *out_operation)
{
  struct hone__text why = {0};
  enum hone__iree_refusal refusal =
      hone__iree_operation_read(&reader->spec->mlir, pattern, out_operation, &why);

  if (refusal != HONE__IREE_TUNABLE && refusal != HONE__IREE_DYNAMIC) {
    hone__iree_spec_give_up(reader, matcher, pattern, why.data ? why.data : "not understood");
  } else {
    fill_sizes(matcher, out_operation);
    take_operation(matcher, out_operation);
    if (matcher->is_understood) {
      if (out_operation->kind != HONE__IREE_ATTENTION || out_operation->is_online)
        hone__iree_spec_carried(reader, matcher, "cast_compatible_dag_from_root is match.%s now",
                                matcher->what);
      carry_lines(reader, matcher, out_operation);
    }
  }
  hone__text_release(&why);
}

/* ---- Attention ---- */

/* Attention is online attention when specs are applied, since IREE 3.12: two more outputs, and all
 * of them f32. */
static void make_online(struct hone__arena *arena, struct hone__iree_operation *operation)
{
  struct hone__affine_map *maps = hone__arena_alloc(arena, 7 * sizeof *maps);
  struct hone__affine_map *sum = &maps[5];
  unsigned dim = 0;

  memcpy(maps, operation->maps, 5 * sizeof *maps);
  *sum = maps[4];
  sum->count = 0;
  sum->results = hone__arena_alloc(arena, maps[4].count * sizeof *sum->results + 1);
  for (unsigned i = 0; i < maps[4].count; i++) {
    bool is_n = false;
    hone__iree_expr_is_dim(&maps[4].results[i], maps[4].dims, &dim);
    for (unsigned n = 0; n < operation->n.count; n++)
      is_n |= operation->n.dims[n] == dim;
    if (!is_n) sum->results[sum->count++] = maps[4].results[i];
  }
  maps[6] = maps[5];
  operation->maps = maps;
  operation->map_count = 7;
  operation->is_online = true;
  if (!operation->types[3]) operation->types[3] = operation->types[0];
  operation->types[4] = operation->types[5] = operation->types[6] = "f32";
}

/* Its outputs have other types now. */
static void forget_outputs(struct hone__iree_spec_matcher *matcher)
{
  unsigned kept = 0;

  for (unsigned i = 0; i < matcher->operand_count; i++)
    if (matcher->operands[i].index < 4) matcher->operands[kept++] = matcher->operands[i];
  matcher->operand_count = kept;
}

void hone__iree_spec_carry_attention(struct hone__iree_spec_reader *reader,
                                     struct hone__iree_spec_matcher *matcher,
                                     struct hone__iree_operation *operation)
{
  if (operation->map_count != 5) {
    hone__iree_spec_problem(reader, matcher,
                            "attention with a mask is online_attention since IREE 3.12: it never "
                            "matches, and is not carried over");
    return;
  }
  make_online(&reader->spec->mlir.arena, operation);
  matcher->dim_count = 0;
  take_operation(matcher, operation);
  forget_outputs(matcher);
  hone__iree_spec_carried(reader, matcher,
                          "attention is online_attention since IREE 3.12, with outputs of f32: "
                          "match.attention never matches");
  carry_lines(reader, matcher, operation);
}
