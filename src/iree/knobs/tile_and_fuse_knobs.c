/* tile_and_fuse_knobs.c - products by TileAndFuse.
 *
 * All M, N and K are tiled, the innermost K in intrinsics. Sizes that no intrinsic divides are
 * padded. How many subgroups there are follows from the tiles. */
#include "iree/knobs/product_knobs.h"

#include <inttypes.h>

/* ---- What depends on the intrinsic ---- */

static int64_t padded_m(const struct hone__product_knobs *g, const struct hone__mma *mma,
                        unsigned dim)
{
  return hone__up_to_multiple(g->product->sizes[dim], mma->m);
}
static int64_t padded_n(const struct hone__product_knobs *g, const struct hone__mma *mma,
                        unsigned dim)
{
  return hone__up_to_multiple(g->product->sizes[dim], mma->n);
}
static int64_t padded_k(const struct hone__product_knobs *g, const struct hone__mma *mma,
                        unsigned dim)
{
  return hone__up_to_multiple(g->product->sizes[dim], mma->k);
}
static int64_t most_k(const struct hone__product_knobs *g, const struct hone__mma *mma,
                      unsigned dim)
{
  (void)g, (void)dim;
  return HONE__IREE_GPU_TILE / mma->k;
}

static bool needs_padding(const struct hone__iree_gpu_product *product, const struct hone__mma *mma)
{
  return product->is_grown || product->sizes[hone__iree_last_dim(&product->m)] % mma->m ||
         product->sizes[hone__iree_last_dim(&product->n)] % mma->n ||
         product->sizes[hone__iree_last_dim(&product->k)] % mma->k;
}

/* NULL: never padded; "": always; else a condition. */
static const char *padding_condition(struct hone__product_knobs *g)
{
  int64_t values[HONE__IREE_GPU_MMAS];
  int64_t sum = 0;

  for (size_t i = 0; i < g->mmas.count; i++)
    sum += values[i] = needs_padding(g->product, g->mmas.list[i]);
  if (!sum) return NULL;
  if ((size_t)sum == g->mmas.count) return "";
  return hone__product_print(g, "%s == 1",
                             hone__iree_gpu_lookup(g->knobs, "mma_idx", values, g->mmas.count));
}

/* ---- Knobs ---- */

static void tf_names(struct hone__product_knobs *g)
{
  const struct hone__iree_gpu_product *product = g->product;

  for (unsigned i = 0; i < product->m.count + product->n.count; i++) {
    unsigned dim =
        i < product->m.count ? product->m.dims[i] : product->n.dims[i - product->m.count];
    g->wg[dim] = hone__product_print(g, "wg_%u", dim);
    g->sg[dim] = hone__product_print(g, "sg_%u", dim);
  }
  for (unsigned i = 0; i < product->k.count; i++)
    g->red[product->k.dims[i]] = hone__product_print(g, "red_%u", product->k.dims[i]);
  for (unsigned i = 0; i < product->filter.count; i++)
    g->red[product->filter.dims[i]] = "1";
}

/* Tiles of a dim: the innermost in steps of the intrinsic; of subgroups and K counted in those. */
static void tf_param(struct hone__product_knobs *g, const char **name, unsigned dim,
                     hone__of_mma *step, bool in_steps)
{
  struct hone__tiles tiles = {0};

  if (!step) hone__tiles_add(&tiles, g->product->sizes[dim], 1, 1);
  for (size_t i = 0; step && i < g->mmas.count; i++) {
    int64_t size = step(g, g->mmas.list[i], dim);
    hone__tiles_add(&tiles, hone__up_to_multiple(g->product->sizes[dim], size), size,
                    in_steps ? size : 1);
  }
  hone__tiles_write(g, name, &tiles);
}

static void tf_role_params(struct hone__product_knobs *g, const struct hone__dim_list *dims,
                           const char **names, hone__of_mma *step, bool in_steps)
{
  for (unsigned i = 0; i < dims->count; i++) {
    unsigned dim = dims->dims[i];
    tf_param(g, &names[dim], dim, i + 1 < dims->count ? NULL : step, in_steps);
  }
}

static void tf_params(struct hone__product_knobs *g)
{
  const struct hone__iree_gpu_product *product = g->product;

  hone__product_mma_param(g);
  tf_role_params(g, &product->m, g->wg, hone__mma_m, false);
  tf_role_params(g, &product->n, g->wg, hone__mma_n, false);
  tf_role_params(g, &product->m, g->sg, hone__mma_m, true);
  tf_role_params(g, &product->n, g->sg, hone__mma_n, true);
  tf_role_params(g, &product->k, g->red, hone__mma_k, true);
}

static void tf_role_constraints(struct hone__product_knobs *g, const struct hone__dim_list *dims,
                                hone__of_mma *padded, const char *step)
{
  struct hone__knob_writer *writer = &g->knobs->writer;
  unsigned last = hone__iree_last_dim(dims);

  if (g->mmas.count > 1) {
    hone__knobs_constraint(writer, "%s %% %s == 0", hone__product_lookup(g, padded, last),
                           g->wg[last]);
    hone__knobs_constraint(writer, "%s %% %s == 0", g->wg[last], step);
  }
  if (dims->count > 1)
    hone__knobs_constraint(writer, "%s <= %d", hone__product_of(g, g->wg, dims),
                           HONE__IREE_GPU_TILE);
  for (unsigned i = 0; i + 1 < dims->count; i++)
    hone__knobs_constraint(writer, "%s %% %s == 0", g->wg[dims->dims[i]], g->sg[dims->dims[i]]);
  hone__knobs_constraint(writer, "%s %% (%s * %s) == 0", g->wg[last], g->sg[last], step);
}

static void tf_k_constraints(struct hone__product_knobs *g)
{
  struct hone__knob_writer *writer = &g->knobs->writer;
  const struct hone__dim_list *dims = &g->product->k;
  unsigned last = hone__iree_last_dim(dims);

  if (g->mmas.count > 1)
    hone__knobs_constraint(writer, "%s %% (%s * %s) == 0", hone__product_lookup(g, padded_k, last),
                           g->red[last], g->mma_k);
  if (g->mmas.count > 1 || dims->count > 1)
    hone__knobs_constraint(writer, "%s <= %s", hone__product_of(g, g->red, dims),
                           hone__product_lookup(g, most_k, 0));
}

/* How many subgroups lie along M or N: what tiles of subgroups leave of a workgroup's. */
static const char *subgroup_count(struct hone__product_knobs *g, const struct hone__dim_list *dims,
                                  const char *step)
{
  return hone__product_print(g, "(%s // (%s * %s))", hone__product_of(g, g->wg, dims),
                             hone__product_of(g, g->sg, dims), step);
}

static void tf_constraints(struct hone__product_knobs *g, const char *m_count, const char *n_count)
{
  const struct hone__iree_gpu_product *product = g->product;

  tf_role_constraints(g, &product->m, padded_m, g->mma_m);
  tf_role_constraints(g, &product->n, padded_n, g->mma_n);
  tf_k_constraints(g);
  hone__iree_gpu_subgroups_constraint(g->knobs, m_count, n_count);
  hone__knobs_constraint(
      &g->knobs->writer, "(%" PRId64 " * %s + %" PRId64 " * %s) * %s * %s <= %" PRId64,
      hone__iree_gpu_bits(product->lhs) / 8, hone__product_of(g, g->wg, &product->m),
      hone__iree_gpu_bits(product->rhs) / 8, hone__product_of(g, g->wg, &product->n),
      hone__product_of(g, g->red, &product->k), g->mma_k, g->knobs->target->shared_bytes);
}

/* As the workgroup's tiles, K as the reduction's but in elements, filter loops not at all. */
static void padding_names(struct hone__product_knobs *g, const char **padding)
{
  const struct hone__iree_gpu_product *product = g->product;
  unsigned last = hone__iree_last_dim(&product->k);

  for (unsigned i = 0; i < product->loop_count; i++)
    padding[i] = g->wg[i] ? g->wg[i] : "0";
  for (unsigned i = 0; i < product->batch.count; i++)
    padding[product->batch.dims[i]] = "1";
  for (unsigned i = 0; i < product->k.count; i++)
    padding[product->k.dims[i]] = g->red[product->k.dims[i]];
  padding[last] = hone__product_print(g, "%s * %s", g->red[last], g->mma_k);
}

/* "key = list, " where the conditions hold; "" is true. */
static void add_padding(struct hone__text *text, const char *key, const char *list,
                        const char *condition, const char *more)
{
  bool is_conditional = *condition || (more && *more);

  if (is_conditional)
    hone__text_addf(text, "${if %s%s%s}", condition, *condition && more ? " and " : "",
                    more ? more : "");
  hone__text_addf(text, "%s = %s, ", key, list);
  if (is_conditional) hone__text_add(text, "${end}");
}

static const char *padding_text(struct hone__product_knobs *g)
{
  const char *padding[HONE__IREE_GPU_LOOPS];
  const char *condition = padding_condition(g), *list, *more, *result;
  struct hone__text text = {0};

  if (!condition) return "";
  padding_names(g, padding);
  add_padding(&text, "padding", hone__product_list(g, padding, false), condition, NULL);
  if (g->product->igemm && hone__iree_gpu_padding_conv(g->knobs, g->product, padding, &list, &more))
    add_padding(&text, "padding_conv", list, condition, more);
  result = hone__product_print(g, "%s", text.data);
  hone__text_release(&text);
  return result;
}

/* On CUDA accumulators of products are converted, or they cannot be bufferized. */
static const char *acc_entry(const struct hone__product_knobs *g)
{
  return g->knobs->target->family == HONE__IREE_NVIDIA ? "convert_acc_gemm, " : "";
}

static void tf_text(struct hone__product_knobs *g, const char *m_count, const char *n_count)
{
  struct hone__iree_gpu_translation translation = {.use_igemm = g->product->use_igemm};
  const char *config;

  translation.sizes = hone__product_print(g, "${%s * %s * %" PRId64 "}, 1, 1", m_count, n_count,
                                          g->knobs->target->subgroup_size);
  config = hone__product_print(
      g,
      "%smma_kind = %s, %spromote_operands = [0, 1], reduction = %s, subgroup = %s, "
      "workgroup = %s",
      acc_entry(g), hone__product_mma_text(g), padding_text(g),
      hone__product_list(g, g->red, false), hone__product_list(g, g->sg, true),
      hone__product_list(g, g->wg, true));
  hone__knobs_text(&g->knobs->writer, "compilation_info",
                   hone__iree_gpu_compilation_info(g->knobs, config, &translation));
}

/* IREE 3.13 divides by zero over a direct convolution that is padded. False: nothing is left. */
static bool leave_out_rejected(struct hone__product_knobs *g)
{
  const char *padded = padding_condition(g);

  if (!g->knobs->only_compilable || !g->product->filter.count || !padded) return true;
  if (!*padded) {
    hone__text_add(
        g->knobs->why,
        "a direct convolution would need padding, which crashes the compiler (--all tries it)");
    return false;
  }
  hone__knobs_constraint(&g->knobs->writer, "not %s", padded);
  return true;
}

void hone__product_tile_and_fuse(struct hone__product_knobs *g)
{
  const struct hone__iree_gpu_product *product = g->product;
  const char *m_count, *n_count;

  if (!leave_out_rejected(g)) return;
  tf_names(g);
  tf_params(g);
  hone__product_shape(g);
  m_count = subgroup_count(g, &product->m, g->mma_m);
  n_count = subgroup_count(g, &product->n, g->mma_n);
  hone__iree_gpu_option_params(g->knobs, &(struct hone__iree_gpu_translation){0});
  tf_constraints(g, m_count, n_count);
  tf_text(g, m_count, n_count);
  hone__product_order(g, hone__product_of(g, g->wg, &product->m),
                      hone__product_of(g, g->wg, &product->n),
                      hone__product_of(g, g->red, &product->k),
                      hone__product_print(g, "%s * %s", m_count, n_count));
  hone__knobs_end(&g->knobs->writer, g->knobs->yaml);
}
