/* contraction_knobs.c - which product of matrices an operation is, and the intrinsics for it. */
#include "iree/knobs/product_knobs.h"

static int64_t grown_size(int64_t size)
{
  if (size > 128) return hone__up_to_multiple(size, 128);
  return size > 32 ? hone__up_to_multiple(size, 32) : size;
}

void hone__iree_gpu_product_grow(struct hone__iree_gpu_product *product)
{
  const struct hone__dim_list *lists[] = {&product->m, &product->n};

  for (int role = 0; role < 2; role++)
    for (unsigned i = 0; i < lists[role]->count; i++) {
      int64_t *size = &product->sizes[lists[role]->dims[i]];
      product->is_grown |= grown_size(*size) != *size;
      *size = grown_size(*size);
    }
}

static bool has_dims(const struct hone__iree_gpu_product *product)
{
  return product->m.count && product->n.count && product->k.count &&
         product->loop_count <= HONE__IREE_GPU_LOOPS;
}

void hone__iree_gpu_product_knobs(struct hone__iree_gpu_knobs *knobs,
                                  const struct hone__iree_gpu_product *product)
{
  struct hone__product_knobs g = {.knobs = knobs, .product = product};

  if (!has_dims(product)) {
    hone__text_add(knobs->why, "it has no dim of M, of N or of K");
    return;
  }
  hone__iree_gpu_mmas_find(knobs, product->lhs, product->rhs, product->out, false, &g.mmas);
  if (hone__iree_gpu_is_simt(knobs)) {
    hone__knobs_begin(&knobs->writer, product->name);
    hone__product_simt(&g);
    return;
  }
  if (!g.mmas.count) {
    hone__text_addf(knobs->why, "no compatible intrinsic on %s for %s x %s -> %s",
                    knobs->target->arch, product->lhs, product->rhs, product->out);
    return;
  }
  hone__knobs_begin(&knobs->writer, product->name);
  if (knobs->pipeline == HONE__IREE_GPU_TILE_AND_FUSE)
    hone__product_tile_and_fuse(&g);
  else
    hone__product_vector_distribute(&g);
}

static bool ends_in(const struct hone__affine_map *map, unsigned dim)
{
  const struct hone__affine_expr *expr;

  if (!map->count || dim >= map->dims) return false;
  expr = &map->results[map->count - 1];
  for (unsigned i = 0; i < map->dims; i++)
    if ((expr->factors[i] != 0) != (i == dim)) return false;
  return expr->is_linear;
}

void hone__iree_gpu_contraction_knobs(struct hone__iree_gpu_knobs *knobs)
{
  const struct hone__iree_operation *operation = knobs->operation;
  struct hone__iree_gpu_product product = {
      .name = knobs->pipeline == HONE__IREE_GPU_TILE_AND_FUSE ? "TileAndFuse" : "VectorDistribute",
      .loop_count = operation->loop_count,
      .batch = operation->batch,
      .m = operation->m,
      .n = operation->n,
      .k = operation->k,
      .lhs = operation->types[0],
      .rhs = operation->types[1],
      .out = operation->types[2]};

  for (unsigned i = 0; i < operation->loop_count; i++)
    product.sizes[i] = product.bounds[i] = operation->sizes[i];
  product.is_lhs_along_m =
      operation->m.count && ends_in(&operation->maps[0], hone__iree_last_dim(&operation->m));
  product.is_rhs_along_n =
      operation->n.count && ends_in(&operation->maps[1], hone__iree_last_dim(&operation->n));
  if (knobs->pipeline == HONE__IREE_GPU_TILE_AND_FUSE && operation->k.count &&
      ends_in(&operation->maps[0], hone__iree_last_dim(&operation->k)))
    hone__iree_gpu_product_grow(&product);
  hone__iree_gpu_product_knobs(knobs, &product);
}
