/* Loops are the same if they run over the same dim of the same value. They are followed from the
 * root, value by value, until nothing new is found. */
#include "iree/operation/fusion.h"

enum { MAX_VALUES = 64 };

struct value { /* of the dispatch: which loop of the root runs over each dim; -1: not known */
  const char *name;
  int loops[HONE__IREE_MAX_LOOPS];
};

struct tracing {
  struct hone__iree_fusion *fusion;
  struct value values[MAX_VALUES];
  unsigned value_count;
  bool is_changed, is_contradicted, is_full;
};

/* ---- Which operations ---- */

bool hone__iree_is_fused(const struct hone__mlir_op *root)
{
  static const char *const levels[] = {"vector_inner_parallel", "vector_reduction"};

  for (size_t i = 0; root->parent && i < root->parent->child_count; i++) {
    const struct hone__mlir_op *op = root->parent->children[i];
    const struct hone__mlir_attr *config = hone__mlir_attr(op, "lowering_config");
    for (size_t j = 0; op != root && config && j < sizeof levels / sizeof *levels; j++)
      if (hone__mlir_entry(config, levels[j])) return true;
  }
  return false;
}

/* A fill has the tiles of what it is for. */
static bool is_one(const struct hone__mlir_op *op)
{
  return hone__starts_with(op->name, "linalg.") && strcmp(op->name, "linalg.fill") != 0;
}

static bool collect(struct hone__mlir *mlir, const struct hone__mlir_op *root,
                    struct hone__iree_fusion *fusion, struct hone__text *why)
{
  for (size_t i = 0; i < root->parent->child_count; i++) {
    const struct hone__mlir_op *op = root->parent->children[i];
    struct hone__iree_fused *fused = &fusion->operations[fusion->count];
    if (!is_one(op)) continue;
    if (fusion->count == HONE__IREE_MAX_FUSED) {
      hone__text_addf(why, "its dispatch has more than %d operations", HONE__IREE_MAX_FUSED);
      return false;
    }
    if (hone__iree_operation_read_generic(mlir, op, &fused->operation, why) != HONE__IREE_TUNABLE)
      return false;
    if (op == root) fusion->root = fusion->count;
    fusion->count++;
  }
  return true;
}

/* ---- Who uses whose result ---- */

/* The operand's value: inputs come first. */
static const char *operand_of(const struct hone__mlir_op *op, unsigned number)
{
  static const char *const words[] = {"ins", "outs"};

  for (size_t c = 0; c < 2; c++) {
    const struct hone__mlir_clause *clause = hone__mlir_clause(op, words[c]);
    if (clause && number < clause->operand_count) return clause->operands[number];
    number -= clause ? (unsigned)clause->operand_count : 0;
  }
  return "";
}

static bool find_user(struct hone__iree_fusion *fusion, unsigned number)
{
  struct hone__iree_fused *fused = &fusion->operations[number];
  const struct hone__mlir_op *op = fused->operation.op;

  for (unsigned i = fusion->count - 1; i > number; i--) {
    const struct hone__iree_operation *user = &fusion->operations[i].operation;
    for (unsigned k = 0; k < user->map_count; k++)
      if (op->result_count == 1 && !strcmp(operand_of(user->op, k), op->results[0])) {
        fused->user = i;
        fused->operand = k;
        return true;
      }
  }
  return false;
}

static bool find_users(struct hone__iree_fusion *fusion, struct hone__text *why)
{
  for (unsigned i = 0; i + 1 < fusion->count; i++)
    if (!find_user(fusion, i)) {
      hone__text_addf(why,
                      "its dispatch has an operation whose result the last one does not need: "
                      "%s in line %u",
                      fusion->operations[i].operation.op->name,
                      fusion->operations[i].operation.op->line);
      return false;
    }
  return true;
}

/* ---- Which loops are the same ---- */

/* NULL: there are too many. */
static int *value_loops(struct tracing *tracing, const char *name)
{
  struct value *value = tracing->values;

  for (unsigned i = 0; i < tracing->value_count; i++, value++)
    if (!strcmp(value->name, name)) return value->loops;
  if (tracing->value_count == MAX_VALUES) return NULL;
  tracing->value_count++;
  value->name = name;
  memset(value->loops, 0xff, sizeof value->loops);
  return value->loops;
}

static void tie(struct tracing *tracing, int *a, int *b)
{
  if (*a == *b) return;
  if (*a >= 0 && *b >= 0) {
    tracing->is_contradicted = true;
    return;
  }
  if (*a < 0) *a = *b;
  *b = *a;
  tracing->is_changed = true;
}

static void trace_value(struct tracing *tracing, struct hone__iree_fused *fused,
                        const struct hone__affine_map *map, const char *name)
{
  int *loops = value_loops(tracing, name);
  unsigned dim;

  tracing->is_full |= !loops;
  for (unsigned i = 0; loops && i < map->count && i < HONE__IREE_MAX_LOOPS; i++)
    if (hone__iree_expr_is_dim(&map->results[i], map->dims, &dim))
      tie(tracing, &fused->loops[dim], &loops[i]);
}

static void trace_operation(struct tracing *tracing, struct hone__iree_fused *fused)
{
  const struct hone__iree_operation *operation = &fused->operation;

  for (unsigned i = 0; i < operation->map_count; i++)
    trace_value(tracing, fused, &operation->maps[i], operand_of(operation->op, i));
  if (operation->op->result_count == 1)
    trace_value(tracing, fused, &operation->maps[operation->map_count - 1],
                operation->op->results[0]);
}

static void trace(struct hone__iree_fusion *fusion, struct tracing *tracing)
{
  for (unsigned i = 0; i < fusion->count; i++)
    for (unsigned d = 0; d < HONE__IREE_MAX_LOOPS; d++)
      fusion->operations[i].loops[d] = i == fusion->root ? (int)d : -1;
  tracing->fusion = fusion;
  do {
    tracing->is_changed = false;
    for (unsigned i = 0; i < fusion->count; i++)
      trace_operation(tracing, &fusion->operations[i]);
  } while (tracing->is_changed && !tracing->is_contradicted);
}

/* A loop that the root runs in parallel is tiled for all, so none of them may sum over it. */
static bool loops_fit(const struct hone__iree_fusion *fusion, const struct hone__iree_fused *fused)
{
  const uint32_t summed = fusion->operations[fusion->root].operation.reductions;

  for (unsigned d = 0; d < fused->operation.loop_count; d++) {
    if (fused->loops[d] < 0) return false;
    if (fused->operation.reductions >> d & 1 && !(summed >> fused->loops[d] & 1)) return false;
  }
  return true;
}

static bool find_loops(struct hone__iree_fusion *fusion, struct hone__text *why)
{
  struct tracing tracing = {.value_count = 0};

  trace(fusion, &tracing);
  for (unsigned i = 0; i < fusion->count; i++) {
    const struct hone__iree_fused *fused = &fusion->operations[i];
    if (!tracing.is_contradicted && !tracing.is_full && loops_fit(fusion, fused)) continue;
    hone__text_addf(why, "its dispatch has an operation with other loops: %s in line %u",
                    fused->operation.op->name, fused->operation.op->line);
    return false;
  }
  return true;
}

const struct hone__iree_fusion *hone__iree_fusion_read(struct hone__mlir *mlir,
                                                       const struct hone__mlir_op *root,
                                                       struct hone__text *why)
{
  struct hone__iree_fusion *fusion = hone__arena_alloc(&mlir->arena, sizeof *fusion);

  if (!collect(mlir, root, fusion, why) || !find_users(fusion, why) || !find_loops(fusion, why))
    return NULL;
  return fusion;
}
