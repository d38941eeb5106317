/* Constraints for configurations that the compiler rejects though its own constraints allow them.
 */
#include "iree/constraints/smt_rejected.h"

#include "iree/knobs/attention_limits.h"
#include "iree/operation/mma.h"
#include "iree/knobs/promotion.h"

#include <inttypes.h>

enum { MOST_INTRINSICS = 32 };

/* ---- Tiles ---- */

const char *hone__smt_expression_of(struct hone__smt_model *model, const char *knob)
{
  const struct hone__smt_unknown *unknown = hone__smt_unknown(model, knob);
  struct hone__text text = {0};
  const char *kept;

  if (!unknown || !unknown->meaning) return unknown ? unknown->name : NULL;
  hone__smt_print(unknown->meaning, model->names, &text);
  kept = hone__arena_printf(&model->arena, unknown->meaning->variables ? "(%s)" : "%s", text.data);
  hone__text_release(&text);
  return kept;
}

static const char *tile_of(struct hone__smt_model *model, const struct hone__mlir_attr *attr)
{
  if (attr->kind != HONE__MLIR_DIALECT || strcmp(attr->text, "iree_codegen.smt.int_knob") ||
      !attr->count || attr->entries[0].value.kind != HONE__MLIR_STRING)
    return NULL;
  return hone__smt_expression_of(model, attr->entries[0].value.text);
}

/* The last knobs of a list with one entry a loop, the very last first; false: there are fewer. */
static bool last_tiles(struct hone__smt_model *model, const struct hone__mlir_attr *list,
                       struct hone__smt_tile *tiles, unsigned count)
{
  unsigned found = 0;

  for (size_t i = list ? list->count : 0; i-- > 0 && found < count;) {
    tiles[found] = (struct hone__smt_tile){tile_of(model, &list->entries[i].value), (unsigned)i};
    if (tiles[found].size) found++;
  }
  return found == count;
}

bool hone__smt_find_product(struct hone__smt_model *model, struct hone__smt_product *out)
{
  const struct hone__mlir_attr *knobs = hone__mlir_attr(model->op, "knobs");
  struct hone__smt_tile sides[2];

  if (!hone__mlir_entry(knobs, "mma_kind") ||
      !last_tiles(model, hone__mlir_entry(knobs, "workgroup"), sides, 2) ||
      !last_tiles(model, hone__mlir_entry(knobs, "reduction"), &out->k, 1))
    return false;
  out->m = sides[1];
  out->n = sides[0];
  return true;
}

/* ---- Intrinsics ---- */

/* The intrinsics that a one_of offers; 0: something else. */
static size_t read_intrinsics(struct hone__smt_model *model, const struct hone__mlir_attr *one_of,
                              struct hone__mma *mmas)
{
  const struct hone__mlir_attr *list =
      one_of && one_of->count == 2 ? &one_of->entries[1].value : NULL;

  if (!list || list->kind != HONE__MLIR_LIST || list->count > MOST_INTRINSICS) return 0;
  for (size_t i = 0; i < list->count; i++) {
    const struct hone__mlir_attr *mma = &list->entries[i].value;
    if (mma->kind != HONE__MLIR_DIALECT || !mma->count || !mma->entries[0].value.text ||
        !hone__mma_from_name(&model->arena, mma->entries[0].value.text, &mmas[i]))
      return 0;
  }
  return list->count;
}

/* "[16, 32][mma_idx]" */
static const char *lookup(struct hone__smt_model *model, const int64_t *values, size_t count,
                          const char *index)
{
  const char *list = "";

  for (size_t i = 0; i < count; i++)
    list = hone__arena_printf(&model->arena, "%s%s%" PRId64, list, i ? ", " : "", values[i]);
  return hone__arena_printf(&model->arena, "[%s][%s]", list, index);
}

/* ---- Copies into shared memory ---- */

/* The operand's last dim is cut along the reduction or along its own side. */
static void constrain_operand(const struct hone__iree_operation *operation, unsigned operand,
                              struct hone__smt_tile side, struct hone__smt_tile step,
                              const char *threads, struct hone__knob_writer *writer)
{
  const struct hone__affine_map *map = &operation->maps[operand];
  const struct hone__affine_expr *last = map->count ? &map->results[map->count - 1] : NULL;
  const bool ends_in_step = last && step.loop < map->dims && last->factors[step.loop];

  hone__promotion_constraints(writer, ends_in_step ? side.size : step.size,
                              ends_in_step ? step.size : side.size, operation->types[operand],
                              threads);
}

static void leave_out_copies(const struct hone__iree_operation *operation,
                             struct hone__smt_model *model, struct hone__knob_writer *writer)
{
  const char *threads = hone__smt_expression_of(model, "wg_size_x");
  struct hone__smt_product product;

  if (!threads || !hone__smt_find_product(model, &product)) return;
  constrain_operand(operation, 0, product.m, product.k, threads, writer);
  constrain_operand(operation, 1, product.n, product.k, threads, writer);
}

/* ---- Attention ---- */

static int64_t last_size(const struct hone__iree_operation *operation,
                         const struct hone__dim_list *list)
{
  return list->count ? operation->sizes[list->dims[list->count - 1]] : 0;
}

/* Scores never stay in registers: the compiler offers no intrinsics by columns. */
static void leave_out_attention(const struct hone__iree_operation *operation, int64_t shared_bytes,
                                struct hone__smt_model *model, struct hone__knob_writer *writer)
{
  const struct hone__mlir_attr *knobs = hone__mlir_attr(model->op, "knobs");
  const struct hone__mlir_attr *qk =
      hone__mlir_entry(hone__mlir_entry(knobs, "decomposition_config"), "qk_attrs");
  const char *index = hone__smt_expression_of(model, "qk_mma_idx");
  struct hone__mma mmas[MOST_INTRINSICS] = {{0}};
  size_t count = read_intrinsics(
      model, hone__mlir_entry(hone__mlir_entry(qk, "lowering_config"), "mma_kind"), mmas);
  struct hone__attention_tiles tiles = {.k1 = last_size(operation, &operation->k1),
                                        .query = operation->types[0],
                                        .key = operation->types[1],
                                        .value = operation->types[2],
                                        .shared_bytes = shared_bytes};
  struct hone__smt_tile sides[2], step;
  int64_t columns[MOST_INTRINSICS];

  if (!index || !count || !last_tiles(model, hone__mlir_entry(knobs, "workgroup"), sides, 2) ||
      !last_tiles(model, hone__mlir_entry(knobs, "reduction"), &step, 1))
    return;
  for (size_t i = 0; i < count; i++)
    columns[i] = mmas[i].n;
  tiles.m = sides[1].size;
  tiles.n = sides[0].size;
  tiles.k2 = step.size;
  tiles.qk_columns = lookup(model, columns, count, index);
  hone__attention_limits(writer, &tiles);
}

/* ---- Padding ---- */

static int64_t all_sizes(const struct hone__iree_operation *operation,
                         const struct hone__dim_list *list)
{
  int64_t size = 1;

  for (unsigned i = 0; i < list->count; i++)
    size *= operation->sizes[list->dims[i]];
  return size;
}

/* Innermost sizes: those that intrinsics must divide. */
struct shape {
  int64_t m, n, k;
};

static struct shape shape_of(const struct hone__iree_operation *operation, bool is_igemm)
{
  const struct hone__iree_operation *o = operation;

  if (o->kind != HONE__IREE_CONVOLUTION)
    return (struct shape){last_size(o, &o->m), last_size(o, &o->n), last_size(o, &o->k)};
  return (struct shape){last_size(o, &o->image), last_size(o, &o->output_channel),
                        is_igemm ? all_sizes(o, &o->filter) * all_sizes(o, &o->input_channel)
                                 : last_size(o, &o->input_channel)};
}

/* Sizes are rounded up to the intrinsic's, but the configuration has no `padding`: where that
 * matters the compiler ends with "op was not bufferized" and the like. */
static bool leave_out_padded(const struct hone__smt_rejected *rejected,
                             struct hone__smt_model *model, struct hone__knob_writer *writer)
{
  const struct hone__mlir_attr *knobs = hone__mlir_attr(model->op, "knobs");
  const struct shape shape = shape_of(rejected->operation, rejected->is_igemm);
  const char *index = hone__smt_expression_of(model, "mma_idx");
  struct hone__mma mmas[MOST_INTRINSICS] = {{0}};
  size_t count = read_intrinsics(model, hone__mlir_entry(knobs, "mma_kind"), mmas), whole = 0;
  int64_t fits[MOST_INTRINSICS];

  if (!index || !count) return true;
  for (size_t i = 0; i < count; i++) {
    fits[i] = shape.m % mmas[i].m == 0 && shape.n % mmas[i].n == 0 && shape.k % mmas[i].k == 0;
    whole += (size_t)fits[i];
  }
  if (whole && whole < count)
    hone__knobs_constraint(writer, "%s == 1", lookup(model, fits, count, index));
  return whole > 0;
}

/* ---- All ---- */

bool hone__smt_leave_out(const struct hone__smt_rejected *rejected, struct hone__smt_model *model,
                         struct hone__knob_writer *writer)
{
  const bool distributes = strcmp(rejected->pipeline, "VectorDistribute") == 0;

  if (rejected->operation->kind == HONE__IREE_ATTENTION)
    leave_out_attention(rejected->operation, rejected->shared_bytes, model, writer);
  else if (distributes)
    leave_out_copies(rejected->operation, model, writer);
  else
    return leave_out_padded(rejected, model, writer);
  return true;
}
