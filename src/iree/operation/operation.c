/* operation.c - which operation of a file is tuned.
 *
 * In a dump it is marked with root_op (a unit, or #iree_codegen.root_op<set = 0>); a set may mark
 * several, such as the fill in front of a product, and then the product is meant. A plain function
 * has no marks: there the only operation that can be tuned is it.
 */
#include "iree/operation/operation_steps.h"

#include "iree/operation/fusion.h"
#include "iree/operation/target.h"

struct search {
  struct hone__mlir *mlir;
  bool wants_marked;
  const struct hone__mlir_op *first, *product, *second_product; /* marked or not, as wanted */
  const struct hone__mlir_op *other_set; /* one that is marked with another set than `first` */
  struct hone__iree_operation operation; /* of `product`, else of `refused` */
  enum hone__iree_refusal refusal;
  const struct hone__mlir_op *refused; /* the first that is something, but nothing to tune */
  struct hone__text why;
};

/* ---- What is worth a look ---- */

static bool has_reduction(const struct hone__mlir_op *op)
{
  const struct hone__mlir_attr *list = hone__mlir_attr(op, "iterator_types");

  for (size_t i = 0; list && i < list->count; i++) {
    const struct hone__mlir_attr *word = &list->entries[i].value;
    if (word->kind == HONE__MLIR_DIALECT && word->count == 1) word = &word->entries[0].value;
    if (word->text && !strcmp(word->text, "reduction")) return true;
  }
  return false;
}

/* Operations around a product, or too cheap to be tuned. */
static bool is_minor(const struct hone__mlir_op *op)
{
  static const char *const major[] = {
      "linalg.matmul",   "linalg.batch_",     "linalg.conv_",     "linalg.depthwise_",
      "linalg.contract", "linalg.matvec",     "linalg.vecmat",    "linalg.dot",
      "linalg.mmt4d",    "linalg.quantized_", "linalg.reduce",    "linalg.pooling_",
      "linalg.softmax",  "linalg.winograd_",  "iree_linalg_ext.", "iree_codegen.inner_tiled"};

  if (!strcmp(op->name, "linalg.generic")) return !has_reduction(op);
  if (!strcmp(op->name, "iree_linalg_ext.yield")) return true;
  for (size_t i = 0; i < sizeof major / sizeof *major; i++) {
    if (hone__starts_with(op->name, major[i])) return false;
  }
  return true;
}

static int64_t root_set(const struct hone__mlir_op *op)
{
  const struct hone__mlir_attr *set = hone__mlir_entry(hone__mlir_attr(op, "root_op"), "set");

  return set ? set->integer : 0;
}

/* ---- The search ---- */

static void consider(struct search *search, const struct hone__mlir_op *op)
{
  struct hone__iree_operation operation;
  struct hone__text why = {0};
  enum hone__iree_refusal refusal = hone__iree_operation_read(search->mlir, op, &operation, &why);
  bool is_product = refusal == HONE__IREE_TUNABLE || refusal == HONE__IREE_DYNAMIC;

  if (is_product && search->product) {
    if (!search->second_product) search->second_product = op;
  } else if (is_product || (!search->product && !search->refused && !is_minor(op))) {
    if (is_product) search->product = op;
    if (!is_product) search->refused = op;
    hone__text_release(&search->why);
    search->operation = operation;
    search->refusal = refusal;
    search->why = why;
    return;
  }
  hone__text_release(&why);
}

static bool visit(void *data, struct hone__mlir_op *op)
{
  struct search *search = data;

  if (search->wants_marked && !hone__mlir_attr(op, "root_op")) return true;
  if (!search->wants_marked && is_minor(op)) return true;
  if (hone__mlir_around(op, "transform.named_sequence")) return true;
  if (!search->first) search->first = op;
  if (root_set(op) != root_set(search->first) && !search->other_set) search->other_set = op;
  consider(search, op);
  return true;
}

static void search_ops(struct search *search, struct hone__mlir *mlir, bool wants_marked)
{
  *search = (struct search){.mlir = mlir, .wants_marked = wants_marked};
  hone__mlir_each(mlir->root, visit, search);
}

/* ---- The verdict ---- */

static enum hone__iree_refusal refuse_two(const struct search *search, struct hone__text *why)
{
  const struct hone__mlir_op *one = search->product ? search->product : search->first;
  const struct hone__mlir_op *two = search->second_product;

  if (search->other_set) one = search->first, two = search->other_set;
  if (search->wants_marked) {
    hone__text_addf(why,
                    "two root operations: %s in line %u and %s in line %u; only one is tuned at a "
                    "time",
                    one->name, one->line, two->name, two->line);
  } else {
    hone__text_addf(why,
                    "two operations can be tuned: %s in line %u and %s in line %u; mark one with "
                    "root_op, or tune the dispatches that iree-compile dumps",
                    one->name, one->line, two->name, two->line);
  }
  return HONE__IREE_TWO_ROOTS;
}

/* Of a mark at operations none of which is worth a look, such as a fill alone. */
static enum hone__iree_refusal refuse_minor(const struct search *search,
                                            struct hone__iree_operation *out_operation,
                                            struct hone__text *why)
{
  return hone__iree_operation_read(search->mlir, search->first, out_operation, why);
}

static enum hone__iree_refusal decide(const struct search *search,
                                      struct hone__iree_operation *out_operation,
                                      struct hone__text *why)
{
  *out_operation = search->operation;
  if (!search->first) {
    hone__text_add(why, "no root operation: was it compiled with "
                        "--iree-codegen-add-tuner-attributes?");
    return HONE__IREE_NO_ROOT;
  }
  if (search->other_set || search->second_product) return refuse_two(search, why);
  if (!search->product && !search->refused) return refuse_minor(search, out_operation, why);
  if (search->why.data) hone__text_add(why, search->why.data);
  return search->refusal;
}

/* ---- Anything else on CPUs ---- */

static bool is_for_cpu(struct hone__mlir *mlir)
{
  struct hone__iree_target target = {.family = HONE__IREE_OTHER};
  struct hone__text why = {0};
  bool is_cpu = hone__iree_target_read(mlir, &target, &why) && target.family == HONE__IREE_CPU;

  hone__text_release(&why);
  return is_cpu;
}

static void find_fusion(struct hone__mlir *mlir, struct hone__iree_operation *operation)
{
  struct hone__text why = {0};

  if (!hone__iree_is_fused(operation->op)) return;
  operation->fusion = hone__iree_fusion_read(mlir, operation->op, &why);
  if (!operation->fusion) operation->why_not_fused = hone__arena_strdup(&mlir->arena, why.data);
  hone__text_release(&why);
}

/* Of what is not a product: the refusal that `why` has, unless a CPU can have tiles for it. */
static enum hone__iree_refusal
try_generic(struct hone__mlir *mlir, struct hone__iree_operation *operation, struct hone__text *why)
{
  struct hone__iree_operation generic;
  struct hone__text words = {0};
  enum hone__iree_refusal refusal = HONE__IREE_UNSUPPORTED;

  if (operation->op && operation->is_root && is_for_cpu(mlir))
    refusal = hone__iree_operation_read_generic(mlir, operation->op, &generic, &words);
  if (refusal != HONE__IREE_UNSUPPORTED) {
    *operation = generic;
    find_fusion(mlir, operation);
    why->length = 0;
    if (words.length) hone__text_add(why, words.data);
  }
  hone__text_release(&words);
  return refusal;
}

enum hone__iree_refusal hone__iree_operation_find(struct hone__mlir *mlir,
                                                  struct hone__iree_operation *out_operation,
                                                  struct hone__text *why)
{
  struct search search;
  enum hone__iree_refusal refusal;

  search_ops(&search, mlir, true);
  if (!search.first) {
    hone__text_release(&search.why);
    search_ops(&search, mlir, false);
  }
  refusal = decide(&search, out_operation, why);
  if (refusal == HONE__IREE_UNSUPPORTED) refusal = try_generic(mlir, out_operation, why);
  hone__text_release(&search.why);
  return refusal;
}
