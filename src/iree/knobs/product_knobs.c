/* product_knobs.c - the parts of a product's knobs that both pipelines have. */
#include "iree/knobs/product_knobs.h"

#include <inttypes.h>

static const char *const index_name = "mma_idx";

const char *hone__product_print(struct hone__product_knobs *g, const char *format, ...)
{
  struct hone__text text = {0};
  const char *result;
  va_list args;

  va_start(args, format);
  hone__text_vaddf(&text, format, args);
  va_end(args);
  result = hone__arena_strdup(&g->knobs->arena, text.data ? text.data : "");
  hone__text_release(&text);
  return result;
}

/* ---- What depends on the intrinsic ---- */

int64_t hone__mma_m(const struct hone__product_knobs *g, const struct hone__mma *mma, unsigned dim)
{
  (void)g, (void)dim;
  return mma->m;
}
int64_t hone__mma_n(const struct hone__product_knobs *g, const struct hone__mma *mma, unsigned dim)
{
  (void)g, (void)dim;
  return mma->n;
}
int64_t hone__mma_k(const struct hone__product_knobs *g, const struct hone__mma *mma, unsigned dim)
{
  (void)g, (void)dim;
  return mma->k;
}

const char *hone__product_lookup(struct hone__product_knobs *g, hone__of_mma *value, unsigned dim)
{
  int64_t values[HONE__IREE_GPU_MMAS];

  for (size_t i = 0; i < g->mmas.count; i++)
    values[i] = value(g, g->mmas.list[i], dim);
  return hone__iree_gpu_lookup(g->knobs, index_name, values, g->mmas.count);
}

void hone__product_shape(struct hone__product_knobs *g)
{
  g->mma_m = hone__product_lookup(g, hone__mma_m, 0);
  g->mma_n = hone__product_lookup(g, hone__mma_n, 0);
  g->mma_k = hone__product_lookup(g, hone__mma_k, 0);
}

/* ---- Values of knobs ---- */

void hone__tiles_add(struct hone__tiles *tiles, int64_t size, int64_t step, int64_t unit)
{
  for (int64_t i = step; i <= size && i <= HONE__IREE_GPU_TILE; i += step)
    if (size % i == 0) tiles->is_tile[i / unit] = true;
}

void hone__tiles_write(struct hone__product_knobs *g, const char **name,
                       const struct hone__tiles *tiles)
{
  int64_t values[HONE__IREE_GPU_TILE];
  size_t count = 0;

  for (int64_t i = 1; i <= HONE__IREE_GPU_TILE; i++)
    if (tiles->is_tile[i]) values[count++] = i;
  if (count == 1)
    *name = hone__product_print(g, "%" PRId64, values[0]);
  else
    hone__knobs_values(&g->knobs->writer, *name, values, count);
}

void hone__product_mma_param(struct hone__product_knobs *g)
{
  int64_t values[HONE__IREE_GPU_MMAS];

  for (size_t i = 0; i < g->mmas.count; i++)
    values[i] = (int64_t)i;
  if (g->mmas.count > 1) hone__knobs_values(&g->knobs->writer, index_name, values, g->mmas.count);
}

const char *hone__product_mma_text(struct hone__product_knobs *g)
{
  const char *attrs[HONE__IREE_GPU_MMAS];

  for (size_t i = 0; i < g->mmas.count; i++)
    attrs[i] = hone__iree_gpu_mma_attr(g->knobs, g->mmas.list[i], false);
  return hone__iree_gpu_text_lookup(g->knobs, index_name, attrs, g->mmas.count);
}

/* "wg_0 * wg_1", of names that are there */
const char *hone__product_of(struct hone__product_knobs *g, const char *const *names,
                             const struct hone__dim_list *dims)
{
  struct hone__text text = {0};
  const char *result;

  for (unsigned i = 0; i < dims->count; i++)
    hone__text_addf(&text, "%s%s", i ? " * " : "", names[dims->dims[i]]);
  result = hone__arena_strdup(&g->knobs->arena, text.data);
  hone__text_release(&text);
  return result;
}

/* ---- Texts of both ---- */

static const char *in_text(struct hone__product_knobs *g, const char *expression)
{
  if (expression[strspn(expression, "0123456789")] == '\0') return expression;
  return hone__product_print(g, "${%s}", expression);
}

/* One part a loop: `names` of the dims, a number elsewhere. */
const char *hone__product_list(struct hone__product_knobs *g, const char *const *names,
                               bool has_batch)
{
  const struct hone__iree_gpu_product *product = g->product;
  const char *parts[HONE__IREE_GPU_LOOPS];

  for (unsigned i = 0; i < product->loop_count; i++)
    parts[i] = names[i] ? in_text(g, names[i]) : "0";
  for (unsigned i = 0; has_batch && i < product->batch.count; i++)
    parts[product->batch.dims[i]] = "1";
  return hone__iree_gpu_list(g->knobs, parts, product->loop_count);
}

/* ---- The order of --order heuristic ----
 *
 * SHARK Tuner's keys: K tiles that are powers of two, as many subgroups as a processor has SIMDs,
 * work per byte of the intrinsic, workgroups that fill the last wave of processors, square tiles.
 * It negates two of them as if they were booleans, so that they never count; here they do, the
 * larger value first. */

static const char *intensity(struct hone__product_knobs *g)
{
  struct hone__text text = {0};
  const char *result;

  for (size_t i = 0; i < g->mmas.count; i++) {
    const struct hone__mma *mma = g->mmas.list[i];
    int64_t work = mma->m * mma->n * mma->k;
    int64_t moved = mma->m * mma->n + mma->n * mma->k + mma->m * mma->k;
    hone__text_addf(&text, "%s%" PRId64 " / %" PRId64, i ? ", " : "", work, moved);
  }
  result = hone__product_print(g, "[%s][%s]", text.data, index_name);
  hone__text_release(&text);
  return result;
}

static int64_t whole_size(const struct hone__product_knobs *g, const struct hone__dim_list *dims)
{
  int64_t size = 1;

  for (unsigned i = 0; i < dims->count; i++)
    if (__builtin_mul_overflow(size, g->product->sizes[dims->dims[i]], &size)) return INT64_MAX;
  return size;
}

void hone__product_order(struct hone__product_knobs *g, const char *tile_m, const char *tile_n,
                         const char *tile_k, const char *subgroups)
{
  struct hone__knob_writer *writer = &g->knobs->writer;
  const struct hone__iree_target *target = g->knobs->target;

  hone__knobs_order(writer, "not pow2(%s)", tile_k);
  if (target->simds > 0)
    hone__knobs_order(writer, "(%s) %% %" PRId64 " != 0", subgroups, target->simds);
  if (g->mmas.count > 1) hone__knobs_order(writer, "-(%s)", intensity(g));
  if (target->processors > 0) {
    const char *waves = hone__product_print(
        g, "%" PRId64 " / (%s) * (%" PRId64 " / (%s)) / %" PRId64, whole_size(g, &g->product->m),
        tile_m, whole_size(g, &g->product->n), tile_n, target->processors);
    hone__knobs_order(writer, "1 - %s / ceil(%s)", waves, waves);
  }
  hone__knobs_order(writer, "-(min(%s, %s) / max(%s, %s))", tile_m, tile_n, tile_m, tile_n);
}
