/* product_knobs.h - a product of matrices on a GPU: common to its two pipelines.
 *
 * Names of knobs are per loop: wg_0 is the tile of a workgroup along loop 0, sg_0 of a subgroup,
 * red_2 of the reduction.
 */
#ifndef HONE_IREE_KNOBS_PRODUCT_KNOBS_H
#define HONE_IREE_KNOBS_PRODUCT_KNOBS_H

#include "iree/knobs/gpu_knobs.h"

struct hone__product_knobs {
  struct hone__iree_gpu_knobs *knobs;
  const struct hone__iree_gpu_product *product;
  struct hone__iree_gpu_mmas mmas;
  const char *mma_m, *mma_n, *mma_k; /* expressions: the intrinsic's shape */
  const char *wg[HONE__IREE_GPU_LOOPS], *sg[HONE__IREE_GPU_LOOPS],
      *red[HONE__IREE_GPU_LOOPS]; /* NULL: no tile */
};

static inline unsigned hone__iree_last_dim(const struct hone__dim_list *list)
{
  return list->dims[list->count - 1];
}

static inline int64_t hone__up_to_multiple(int64_t size, int64_t step)
{
  return (size + step - 1) / step * step;
}

/* A string in the generation's arena. */
const char *hone__product_print(struct hone__product_knobs *g, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* A value of every intrinsic: a number or a lookup. */
typedef int64_t hone__of_mma(const struct hone__product_knobs *g, const struct hone__mma *mma,
                             unsigned dim);
const char *hone__product_lookup(struct hone__product_knobs *g, hone__of_mma *value, unsigned dim);
hone__of_mma hone__mma_m, hone__mma_n, hone__mma_k;
void hone__product_shape(struct hone__product_knobs *g); /* fills mma_m, mma_n, mma_k */
void hone__product_mma_param(struct hone__product_knobs *g);
const char *hone__product_mma_text(struct hone__product_knobs *g);

struct hone__tiles { /* which sizes a tile may have with one of the intrinsics */
  bool is_tile[HONE__IREE_GPU_TILE + 1];
};
/* The divisors of `size` that are multiples of `step`, counted in units. */
void hone__tiles_add(struct hone__tiles *tiles, int64_t size, int64_t step, int64_t unit);
/* A parameter, or a number in place of its name if it has a single value. */
void hone__tiles_write(struct hone__product_knobs *g, const char **name,
                       const struct hone__tiles *tiles);

/* "wg_0 * wg_1" of these dims. */
const char *hone__product_of(struct hone__product_knobs *g, const char *const *names,
                             const struct hone__dim_list *dims);
/* "[1, ${wg_1}, 0]": `names` where there are any; batch dims are 1 if they count. */
const char *hone__product_list(struct hone__product_knobs *g, const char *const *names,
                               bool has_batch);
/* The keys of --order heuristic, from expressions. */
void hone__product_order(struct hone__product_knobs *g, const char *tile_m, const char *tile_n,
                         const char *tile_k, const char *subgroups);

/* vector_distribute_knobs.c, tile_and_fuse_knobs.c: one alternative, or `why` there is none. */
void hone__product_vector_distribute(struct hone__product_knobs *g);
void hone__product_tile_and_fuse(struct hone__product_knobs *g);
/* simt_knobs.c: likewise, without intrinsics. */
void hone__product_simt(struct hone__product_knobs *g);

#endif
