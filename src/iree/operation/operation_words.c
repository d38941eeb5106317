/* operation_words.c - an operation in readable form: its layout and its sizes. */
#include "iree/operation/operation_steps.h"

#include <math.h>

/* ---- Layout ---- */

static bool has_dim(const struct hone__dim_list *list, unsigned dim, unsigned *out_place)
{
  for (unsigned i = 0; i < list->count; i++) {
    *out_place = i;
    if (list->dims[i] == dim) return true;
  }
  return false;
}

/* A letter for every result of a contraction's map: "mk", "bnk". */
static void spell_contraction(const struct hone__iree_operation *operation,
                              const struct hone__affine_map *map, struct hone__text *text)
{
  unsigned dim = 0, place;

  for (unsigned i = 0; i < map->count; i++) {
    hone__iree_expr_is_dim(&map->results[i], map->dims, &dim);
    hone__text_add(text, has_dim(&operation->batch, dim, &place) ? "b"
                         : has_dim(&operation->m, dim, &place)   ? "m"
                         : has_dim(&operation->n, dim, &place)   ? "n"
                                                                 : "k");
  }
}

/* The usual name of "mk,nk,mn". */
static const struct {
  const char *letters, *word;
} contraction_words[] = {
    {"mk,kn,mn", "matmul"},
    {"mk,nk,mn", "mmt"},
    {"km,kn,mn", "tn"},
    {"km,nk,mn", "tt"},
    {"bmk,bkn,bmn", "batch_matmul"},
    {"bmk,bnk,bmn", "batch_mmt"},
    {"bkm,bkn,bmn", "batch_tn"},
    {"bkm,bnk,bmn", "batch_tt"},
};

static void add_contraction(const struct hone__iree_operation *operation, struct hone__text *text)
{
  struct hone__text letters = {0};
  const char *word = "generic contraction";

  for (unsigned i = 0; i < 3; i++) {
    if (i > 0) hone__text_add(&letters, ",");
    spell_contraction(operation, &operation->maps[i], &letters);
  }
  for (size_t i = 0; i < sizeof contraction_words / sizeof *contraction_words; i++) {
    if (!strcmp(letters.data, contraction_words[i].letters)) word = contraction_words[i].word;
  }
  hone__text_add(text, word);
  hone__text_release(&letters);
}

/* The letter of a convolution's dim, and of the image that a filter's dim belongs to. */
static char convolution_letter(const struct hone__iree_operation *operation, unsigned dim)
{
  unsigned count = operation->image.count, place;

  if (has_dim(&operation->batch, dim, &place)) return 'n';
  if (has_dim(&operation->depth, dim, &place)) return 'g';
  if (has_dim(&operation->output_channel, dim, &place)) return 'f';
  if (has_dim(&operation->input_channel, dim, &place)) return 'c';
  if (has_dim(&operation->image, dim, &place) || has_dim(&operation->filter, dim, &place)) {
    return count > 3 ? 'i' : "dhw"[3 - count + place];
  }
  return '?';
}

static void spell_convolution(const struct hone__iree_operation *operation,
                              const struct hone__affine_map *map, struct hone__text *text)
{
  for (unsigned i = 0; i < map->count; i++) {
    unsigned dim = 0;
    while (dim + 1 < map->dims && map->results[i].factors[dim] == 0)
      dim++;
    hone__text_addf(text, "%c", convolution_letter(operation, dim));
  }
}

/* What a linalg.generic is mostly called. */
static const char *generic_word(const struct hone__iree_operation *operation)
{
  const bool is_product =
      operation->input_count == 2 && hone__iree_body_multiplies_and_adds(operation->op);
  unsigned dim;

  if (strcmp(operation->op->name, "linalg.generic") != 0)
    return operation->op->name + strlen("linalg.");
  for (unsigned i = 0; i < operation->maps[0].count; i++)
    if (!hone__iree_expr_is_dim(&operation->maps[0].results[i], operation->loop_count, &dim))
      return is_product ? "depthwise convolution" : operation->reductions ? "pooling" : "gather";
  if (is_product && operation->reductions) return "matvec";
  if (operation->reductions) return "reduction";
  return operation->input_count == 1 &&
                 !hone__mlir_same_map(&operation->maps[0], &operation->maps[1])
             ? "transpose"
             : "elementwise";
}

void hone__iree_operation_layout(const struct hone__iree_operation *operation,
                                 struct hone__text *text)
{
  switch (operation->kind) {
  case HONE__IREE_CONTRACTION: add_contraction(operation, text); break;
  case HONE__IREE_CONVOLUTION:
    spell_convolution(operation, &operation->maps[0], text);
    hone__text_add(text, "_");
    spell_convolution(operation, &operation->maps[1], text);
    break;
  case HONE__IREE_ATTENTION:
    hone__text_add(text, operation->has_mask ? "masked attention" : "attention");
    break;
  case HONE__IREE_GENERIC: hone__text_add(text, generic_word(operation)); break;
  }
}

/* ---- Sizes ---- */

static void add_sizes(const struct hone__iree_operation *operation,
                      const struct hone__dim_list *list, struct hone__text *text)
{
  for (unsigned i = 0; i < list->count; i++) {
    int64_t size = operation->sizes[list->dims[i]];
    if (text->length > 0 && text->data[text->length - 1] != ' ') hone__text_add(text, "x");
    if (size < 0) hone__text_add(text, "?");
    if (size >= 0) hone__text_addf(text, "%lld", (long long)size);
  }
}

/* All loops in their order, and all types. */
static void add_generic_sizes(const struct hone__iree_operation *operation, struct hone__text *text)
{
  for (unsigned i = 0; i < operation->loop_count; i++)
    hone__text_addf(text, "%s%lld", i ? "x" : "", (long long)operation->sizes[i]);
  for (unsigned i = 0; i < operation->map_count; i++)
    hone__text_addf(text, "%s%s",
                    i == 0                        ? " "
                    : i == operation->input_count ? "->"
                                                  : "x",
                    operation->types[i] ? operation->types[i] : "?");
}

void hone__iree_operation_sizes(const struct hone__iree_operation *operation,
                                struct hone__text *text)
{
  const struct hone__dim_list *const lists[] = {&operation->batch,  &operation->depth,
                                                &operation->image,  &operation->m,
                                                &operation->n,      &operation->output_channel,
                                                &operation->filter, &operation->input_channel,
                                                &operation->k,      &operation->k1,
                                                &operation->k2};
  bool is_attention = operation->kind == HONE__IREE_ATTENTION;
  struct hone__text sizes = {0};

  if (operation->kind == HONE__IREE_GENERIC) {
    add_generic_sizes(operation, text);
    return;
  }
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
    add_sizes(operation, lists[i], &sizes);
  hone__text_addf(text, "%s %sx%s", sizes.data ? sizes.data : "", operation->types[0],
                  operation->types[1]);
  if (is_attention) hone__text_addf(text, "x%s", operation->types[2]);
  hone__text_addf(text, "->%s", operation->types[is_attention ? 4 + operation->has_mask : 2]);
  hone__text_release(&sizes);
}

/* ---- Work ---- */

static double product_of(const struct hone__iree_operation *operation,
                         const struct hone__dim_list *list)
{
  double product = 1;

  for (unsigned i = 0; i < list->count; i++)
    product *= (double)operation->sizes[list->dims[i]];
  return product;
}

/* Scores take the head dim, the result takes the value's: two products. */
static double attention_flops(const struct hone__iree_operation *operation)
{
  return 2 * product_of(operation, &operation->batch) * product_of(operation, &operation->m) *
         product_of(operation, &operation->k2) *
         (product_of(operation, &operation->k1) + product_of(operation, &operation->n));
}

double hone__iree_operation_flops(const struct hone__iree_operation *operation)
{
  double points = 1;

  if (operation->is_dynamic) return NAN;
  if (operation->kind == HONE__IREE_ATTENTION) return attention_flops(operation);
  for (unsigned i = 0; i < operation->loop_count; i++)
    points *= (double)operation->sizes[i];
  return operation->kind == HONE__IREE_GENERIC ? points : 2 * points;
}
