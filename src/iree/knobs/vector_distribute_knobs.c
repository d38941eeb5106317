/* vector_distribute_knobs.c - products by VectorDistribute.
 *
 * The innermost M, N and K are tiled, and sizes are multiples of tiles: nothing is padded. */
#include "iree/knobs/product_knobs.h"
#include "iree/knobs/promotion.h"

#include <inttypes.h>

/* ---- Knobs and constraints ---- */

static void vd_tiles(const struct hone__product_knobs *g, const struct hone__mma *mma,
                     struct hone__tiles *m, struct hone__tiles *n, struct hone__tiles *k)
{
  const struct hone__iree_gpu_product *product = g->product;
  int64_t deepest = HONE__IREE_GPU_COUNT * mma->k;

  hone__tiles_add(m, product->sizes[hone__iree_last_dim(&product->m)], mma->m, 1);
  hone__tiles_add(n, product->sizes[hone__iree_last_dim(&product->n)], mma->n, 1);
  for (int64_t i = mma->k; i <= deepest && i <= HONE__IREE_GPU_TILE; i += mma->k)
    if (i % mma->m == 0 && product->sizes[hone__iree_last_dim(&product->k)] % i == 0)
      k->is_tile[i] = true;
}

static bool has_tile(const struct hone__tiles *tiles)
{
  return memchr(tiles->is_tile, true, sizeof tiles->is_tile) != NULL;
}

/* Intrinsics that no tile fits are left out. */
static bool vd_params(struct hone__product_knobs *g)
{
  struct hone__tiles all[3] = {0};
  size_t kept = 0;

  for (size_t i = 0; i < g->mmas.count; i++) {
    struct hone__tiles own[3] = {0};
    vd_tiles(g, g->mmas.list[i], &own[0], &own[1], &own[2]);
    if (!has_tile(&own[0]) || !has_tile(&own[1]) || !has_tile(&own[2])) continue;
    vd_tiles(g, g->mmas.list[i], &all[0], &all[1], &all[2]);
    g->mmas.list[kept++] = g->mmas.list[i];
  }
  g->mmas.count = kept;
  if (!kept) return false;
  hone__product_mma_param(g);
  hone__tiles_write(g, &g->wg[hone__iree_last_dim(&g->product->m)], &all[0]);
  hone__tiles_write(g, &g->wg[hone__iree_last_dim(&g->product->n)], &all[1]);
  hone__tiles_write(g, &g->red[hone__iree_last_dim(&g->product->k)], &all[2]);
  hone__iree_gpu_count_param(g->knobs, "sg_m_cnt");
  hone__iree_gpu_count_param(g->knobs, "sg_n_cnt");
  return true;
}

/* What the compiler would reject is left out. */
static void vd_compilable(struct hone__product_knobs *g, const char *tile, const char *k,
                          bool is_along_tile, const char *element)
{
  const char *threads =
      hone__product_print(g, "%" PRId64 " * sg_m_cnt * sg_n_cnt", g->knobs->target->subgroup_size);

  hone__promotion_constraints(&g->knobs->writer, is_along_tile ? k : tile, is_along_tile ? tile : k,
                              element, threads);
}

static void vd_fits_mma(struct hone__product_knobs *g, const char *m, const char *n, const char *k)
{
  struct hone__knob_writer *writer = &g->knobs->writer;

  hone__knobs_constraint(writer, "%s %% (sg_m_cnt * %s) == 0", m, g->mma_m);
  hone__knobs_constraint(writer, "%s %% (sg_n_cnt * %s) == 0", n, g->mma_n);
  hone__knobs_constraint(writer, "%s <= %d * sg_m_cnt * %s", m, HONE__IREE_GPU_COUNT, g->mma_m);
  hone__knobs_constraint(writer, "%s <= %d * sg_n_cnt * %s", n, HONE__IREE_GPU_COUNT, g->mma_n);
  if (g->mmas.count == 1) return;
  hone__knobs_constraint(writer, "%s %% %s == 0", k, g->mma_k);
  hone__knobs_constraint(writer, "%s %% %s == 0", k, g->mma_m);
  hone__knobs_constraint(writer, "%s <= %d * %s", k, HONE__IREE_GPU_COUNT, g->mma_k);
}

/* SHARK Tuner lays subgroups along N in x and along M in y; IREE itself has all of them in x, and
 * so has Hone where there is no set of SHARK's. */
static bool is_flat(const struct hone__product_knobs *g)
{
  return g->knobs->target->family != HONE__IREE_AMD;
}

static void vd_constraints(struct hone__product_knobs *g, const char *m, const char *n,
                           const char *k)
{
  struct hone__knob_writer *writer = &g->knobs->writer;
  const struct hone__iree_target *target = g->knobs->target;
  int64_t size = target->subgroup_size;
  const char *row =
      hone__product_print(g, "%" PRId64 " * sg_n_cnt%s", size, is_flat(g) ? " * sg_m_cnt" : "");

  vd_fits_mma(g, m, n, k);
  hone__iree_gpu_subgroups_constraint(g->knobs, "sg_m_cnt", "sg_n_cnt");
  hone__knobs_constraint(writer, "%s <= %s or %s <= %s", row, n, row, m);
  hone__knobs_constraint(writer, "%s * %s %% (%" PRId64 " * sg_m_cnt * sg_n_cnt) == 0", k, m, size);
  hone__knobs_constraint(writer, "%s * %s %% (%" PRId64 " * sg_m_cnt * sg_n_cnt) == 0", k, n, size);
  hone__knobs_constraint(writer, "(%" PRId64 " * %s + %" PRId64 " * %s) * %s <= %" PRId64,
                         hone__iree_gpu_bits(g->product->lhs) / 8, m,
                         hone__iree_gpu_bits(g->product->rhs) / 8, n, k, target->shared_bytes);
  if (!g->knobs->only_compilable) return;
  vd_compilable(g, m, k, g->product->is_lhs_along_m, g->product->lhs);
  vd_compilable(g, n, k, g->product->is_rhs_along_n, g->product->rhs);
}

/* ---- Texts ---- */

static const char *basis_text(struct hone__product_knobs *g)
{
  const char *counts[HONE__IREE_GPU_LOOPS], *mapping[HONE__IREE_GPU_LOOPS];

  for (unsigned i = 0; i < g->product->loop_count; i++) {
    counts[i] = "1";
    mapping[i] = hone__product_print(g, "%u", i);
  }
  counts[hone__iree_last_dim(&g->product->m)] = "${sg_m_cnt}";
  counts[hone__iree_last_dim(&g->product->n)] = "${sg_n_cnt}";
  return hone__product_print(g, "[%s, %s]",
                             hone__iree_gpu_list(g->knobs, counts, g->product->loop_count),
                             hone__iree_gpu_list(g->knobs, mapping, g->product->loop_count));
}

/* What is not innermost is tiled by one. */
static void vd_names(struct hone__product_knobs *g)
{
  const struct hone__iree_gpu_product *product = g->product;
  const struct hone__dim_list *lists[] = {&product->m, &product->n, &product->k};

  for (int role = 0; role < 3; role++)
    for (unsigned i = 0; i < lists[role]->count; i++) {
      unsigned dim = lists[role]->dims[i];
      const char **names = role == 2 ? g->red : g->wg;
      names[dim] = i + 1 < lists[role]->count
                       ? "1"
                       : hone__product_print(g, role == 2 ? "red_%u" : "wg_%u", dim);
    }
}

static void vd_text(struct hone__product_knobs *g)
{
  int64_t size = g->knobs->target->subgroup_size;
  const char *config, *sizes;

  sizes = is_flat(g) ? hone__product_print(g, "${%" PRId64 " * sg_m_cnt * sg_n_cnt}, 1, 1", size)
                     : hone__product_print(g, "${%" PRId64 " * sg_n_cnt}, ${sg_m_cnt}, 1", size);
  config = hone__product_print(
      g,
      "mma_kind = %s, promote_operands = [0, 1], reduction = %s, subgroup_basis = %s, "
      "workgroup = %s",
      hone__product_mma_text(g), hone__product_list(g, g->red, false), basis_text(g),
      hone__product_list(g, g->wg, true));
  hone__knobs_text(&g->knobs->writer, "compilation_info",
                   hone__iree_gpu_compilation_info(
                       g->knobs, config, &(struct hone__iree_gpu_translation){.sizes = sizes}));
}

void hone__product_vector_distribute(struct hone__product_knobs *g)
{
  const char *m, *n, *k;

  vd_names(g);
  if (!vd_params(g)) {
    hone__text_add(g->knobs->why, "no tile of the innermost M, N and K divides them and is a "
                                  "multiple of an intrinsic");
    hone__knobs_drop(&g->knobs->writer);
    return;
  }
  m = g->wg[hone__iree_last_dim(&g->product->m)];
  n = g->wg[hone__iree_last_dim(&g->product->n)];
  k = g->red[hone__iree_last_dim(&g->product->k)];
  hone__product_shape(g);
  hone__iree_gpu_option_params(g->knobs, &(struct hone__iree_gpu_translation){0});
  vd_constraints(g, m, n, k);
  vd_text(g);
  hone__product_order(g, m, n, k, "sg_m_cnt * sg_n_cnt");
  hone__knobs_end(&g->knobs->writer, g->knobs->yaml);
}
