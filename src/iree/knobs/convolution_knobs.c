/* convolution_knobs.c - convolutions as products of matrices, in three ways.
 *
 * VectorDistribute takes nhwc_hwcf as it is. TileAndFuse takes any layout: directly, where M is
 * batch and image, N the output channels, K the input channels and the filter's loops are walked
 * one by one; or as IGEMM, whose K is the filter and the input channels in one. */
#include "iree/knobs/gpu_knobs.h"

/* ---- Dims ---- */

static void add_dims(struct hone__dim_list *list, const struct hone__dim_list *more)
{
  const unsigned room = sizeof list->dims / sizeof *list->dims;

  for (unsigned i = 0; i < more->count && list->count < room; i++)
    list->dims[list->count++] = more->dims[i];
}

static struct hone__iree_gpu_product start(const struct hone__iree_gpu_knobs *knobs,
                                           const char *name)
{
  const struct hone__iree_operation *operation = knobs->operation;
  struct hone__iree_gpu_product product = {.name = name,
                                           .loop_count = operation->loop_count,
                                           .lhs = operation->types[0],
                                           .rhs = operation->types[1],
                                           .out = operation->types[2]};

  for (unsigned i = 0; i < operation->loop_count; i++)
    product.sizes[i] = product.bounds[i] = operation->sizes[i];
  return product;
}

static bool is_exactly(const struct hone__dim_list *list, unsigned first, unsigned count)
{
  if (list->count != count) return false;
  for (unsigned i = 0; i < count; i++)
    if (list->dims[i] != first + i) return false;
  return true;
}

static bool is_nhwc_hwcf(const struct hone__iree_operation *operation)
{
  return is_exactly(&operation->batch, 0, 1) && is_exactly(&operation->image, 1, 2) &&
         is_exactly(&operation->output_channel, 3, 1) && is_exactly(&operation->filter, 4, 2) &&
         is_exactly(&operation->input_channel, 6, 1) && !operation->depth.count;
}

/* ---- The three ways ---- */

static void vector_distribute(struct hone__iree_gpu_knobs *knobs)
{
  const struct hone__iree_operation *operation = knobs->operation;
  struct hone__iree_gpu_product product = start(knobs, "VectorDistribute");

  if (!is_nhwc_hwcf(operation)) {
    hone__text_add(knobs->why, "VectorDistribute supports convolutions in nhwc_hwcf only");
    return;
  }
  add_dims(&product.m, &operation->batch);
  add_dims(&product.m, &operation->image);
  add_dims(&product.n, &operation->output_channel);
  add_dims(&product.k, &operation->filter);
  add_dims(&product.k, &operation->input_channel);
  product.is_rhs_along_n = true;
  hone__iree_gpu_product_knobs(knobs, &product);
}

static bool has_unit_strides(const struct hone__iree_operation *operation)
{
  for (unsigned i = 0; i < operation->image.count && i < 4; i++)
    if (operation->strides[i] != 1) return false;
  return true;
}

static void direct(struct hone__iree_gpu_knobs *knobs)
{
  const struct hone__iree_operation *operation = knobs->operation;
  struct hone__iree_gpu_product product = start(knobs, "TileAndFuseDirect");

  if (!has_unit_strides(operation) && !hone__iree_gpu_is_simt(knobs)) {
    hone__text_add(knobs->why, "a direct convolution has strides of 1");
    return;
  }
  add_dims(&product.batch, &operation->depth);
  add_dims(&product.m, &operation->batch);
  add_dims(&product.m, &operation->image);
  add_dims(&product.n, &operation->output_channel);
  add_dims(&product.k, &operation->input_channel);
  add_dims(&product.filter, &operation->filter);
  product.use_igemm = "false";
  hone__iree_gpu_product_knobs(knobs, &product);
}

static void igemm(struct hone__iree_gpu_knobs *knobs)
{
  struct hone__iree_gpu_product product = start(knobs, "TileAndFuseIgemm");
  struct hone__iree_igemm form;

  if (!hone__iree_igemm_of(knobs->operation, &form) || form.loop_count > HONE__IREE_GPU_LOOPS) {
    hone__text_add(knobs->why, "the convolution has no form as a product of matrices");
    return;
  }
  product.loop_count = form.loop_count;
  product.batch = form.batch;
  product.m = form.m;
  product.n = form.n;
  product.k = form.k;
  for (unsigned i = 0; i < form.loop_count; i++)
    product.sizes[i] = product.bounds[i] = form.sizes[i];
  product.use_igemm = "true";
  product.igemm = &form;
  if (form.lhs_ends_in_k) hone__iree_gpu_product_grow(&product);
  hone__iree_gpu_product_knobs(knobs, &product);
}

void hone__iree_gpu_convolution_knobs(struct hone__iree_gpu_knobs *knobs)
{
  size_t before = knobs->yaml->length;

  if (knobs->pipeline == HONE__IREE_GPU_VECTOR_DISTRIBUTE) {
    vector_distribute(knobs);
    return;
  }
  if (knobs->with_igemm) igemm(knobs);
  if (knobs->yaml->length == before && knobs->why->length && knobs->with_direct)
    hone__text_add(knobs->why, "; ");
  if (knobs->with_direct) direct(knobs);
}

/* ---- padding_conv ----
 *
 * Padding of the igemm, given to the convolution's own dims where each dim of the igemm comes from
 * one that can be padded. */

struct pads {
  struct hone__iree_gpu_knobs *knobs;
  const struct hone__iree_gpu_product *product;
  const char *const *padding;
  const char *entries[HONE__IREE_GPU_LOOPS]; /* one a dim of the convolution */
  bool is_padded[HONE__IREE_GPU_LOOPS];      /* of the igemm */
  const char *condition;
};

static bool has_dim(const struct hone__dim_list *list, unsigned dim)
{
  for (unsigned i = 0; i < list->count; i++)
    if (list->dims[i] == dim) return true;
  return false;
}

static const char *divides(struct pads *pads, unsigned place)
{
  return hone__arena_printf(&pads->knobs->arena, "%lld %% (%s) == 0",
                            (long long)pads->product->bounds[place], pads->padding[place]);
}

/* An input channel that is much smaller than the padding is not padded itself. */
static void pad_channel(struct pads *pads, unsigned dim, unsigned place)
{
  int64_t channels = pads->product->igemm->channel_size[dim];
  const char *padding = pads->padding[place];

  if (pads->is_padded[place]) {
    pads->condition = divides(pads, place);
    pads->entries[dim] = "0";
    return;
  }
  pads->entries[dim] = hone__arena_printf(
      &pads->knobs->arena, "${0 if %s or (%s) // %lld > 2 else %s}", divides(pads, place), padding,
      (long long)(channels > 0 ? channels : 1), padding);
  pads->is_padded[place] = true;
}

static bool pad_dim(struct pads *pads, unsigned dim)
{
  const struct hone__iree_gpu_product *product = pads->product;
  unsigned place = product->igemm->igemm_dim[dim];

  if (place >= product->loop_count) return true;
  if (has_dim(&product->k, place)) {
    if (has_dim(&pads->knobs->operation->input_channel, dim)) pad_channel(pads, dim, place);
    return true;
  }
  if (pads->is_padded[place]) return false;
  pads->entries[dim] = hone__arena_printf(&pads->knobs->arena, "${%s}", pads->padding[place]);
  pads->is_padded[place] = true;
  return true;
}

/* Only the batch is padded where it is innermost. */
static bool pad_batch(struct pads *pads)
{
  const struct hone__dim_list *batch = &pads->knobs->operation->batch;
  unsigned dim = batch->dims[batch->count - 1], place = pads->product->igemm->igemm_dim[dim];

  if (place >= pads->product->loop_count) return false;
  pads->entries[dim] = hone__arena_printf(&pads->knobs->arena, "${%s}", pads->padding[place]);
  pads->condition = hone__arena_printf(&pads->knobs->arena, "not (%s)", divides(pads, place));
  return true;
}

static bool pad_all(struct pads *pads)
{
  for (unsigned i = 0; i < pads->knobs->operation->loop_count; i++)
    if (!pad_dim(pads, i)) return false;
  for (unsigned i = 0; i < pads->product->loop_count; i++)
    if (!pads->is_padded[i]) return false;
  return true;
}

bool hone__iree_gpu_padding_conv(struct hone__iree_gpu_knobs *knobs,
                                 const struct hone__iree_gpu_product *product,
                                 const char *const *padding, const char **out_list,
                                 const char **out_condition)
{
  struct pads pads = {.knobs = knobs, .product = product, .padding = padding};
  bool has_it;

  for (unsigned i = 0; i < HONE__IREE_GPU_LOOPS; i++)
    pads.entries[i] = "0";
  if (product->igemm->image_is_last) return false;
  has_it = product->igemm->batch_is_last && knobs->operation->batch.count ? pad_batch(&pads)
                                                                          : pad_all(&pads);
  *out_list = hone__iree_gpu_list(knobs, pads.entries, knobs->operation->loop_count);
  *out_condition = pads.condition;
  return has_it;
}
