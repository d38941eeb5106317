/* named_operation.c - linalg's named operations and the indexing maps that they stand for.
 *
 * A row spells the maps in letters, one a dim: `loops` is the order of the iteration dims, then one
 * word an operand. d, h, w are dims of the output's image and z, y, x those of the filter; D, H, W
 * are the input's image: d * stride + z * dilation and so on.
 */
#include "iree/operation/operation_steps.h"

struct named_operation {
  const char *name; /* without "linalg." */
  const char *loops, *lhs, *rhs, *out;
};

static const struct named_operation named_operations[] = {
    {"matmul", "mnk", "mk", "kn", "mn"},
    {"matmul_transpose_a", "mnk", "km", "kn", "mn"},
    {"matmul_transpose_b", "mnk", "mk", "nk", "mn"},
    {"batch_matmul", "bmnk", "bmk", "bkn", "bmn"},
    {"batch_matmul_transpose_a", "bmnk", "bkm", "bkn", "bmn"},
    {"batch_matmul_transpose_b", "bmnk", "bmk", "bnk", "bmn"},
    {"batch_reduce_matmul", "bmnk", "bmk", "bkn", "mn"},
    {"matvec", "mk", "mk", "k", "m"},
    {"vecmat", "nk", "k", "kn", "n"},
    {"batch_matvec", "bmk", "bmk", "bk", "bm"},
    {"batch_vecmat", "bnk", "bk", "bkn", "bn"},
    {"dot", "k", "k", "k", ""},
    {"conv_1d", "wx", "W", "x", "w"},
    {"conv_2d", "hwyx", "HW", "yx", "hw"},
    {"conv_3d", "dhwzyx", "DHW", "zyx", "dhw"},
    {"conv_1d_nwc_wcf", "nwfxc", "nWc", "xcf", "nwf"},
    {"conv_1d_ncw_fcw", "nfwcx", "ncW", "fcx", "nfw"},
    {"conv_2d_nhwc_hwcf", "nhwfyxc", "nHWc", "yxcf", "nhwf"},
    {"conv_2d_nhwc_fhwc", "nhwfyxc", "nHWc", "fyxc", "nhwf"},
    {"conv_2d_nchw_fchw", "nfhwcyx", "ncHW", "fcyx", "nfhw"},
    {"conv_2d_ngchw_fgchw", "ngfhwcyx", "ngcHW", "fgcyx", "ngfhw"},
    {"conv_2d_ngchw_gfchw", "ngfhwcyx", "ngcHW", "gfcyx", "ngfhw"},
    {"conv_2d_nhwgc_gfhwc", "nhwgfyxc", "nHWgc", "gfyxc", "nhwgf"},
    {"conv_3d_ndhwc_dhwcf", "ndhwfzyxc", "nDHWc", "zyxcf", "ndhwf"},
    {"conv_3d_ncdhw_fcdhw", "nfdhwczyx", "ncDHW", "fczyx", "nfdhw"},
    {"depthwise_conv_1d_nwc_wc", "nwgx", "nWg", "xg", "nwg"},
    {"depthwise_conv_1d_ncw_cw", "nwgx", "ngW", "gx", "ngw"},
    {"depthwise_conv_1d_nwc_wcm", "nwgfx", "nWg", "xgf", "nwgf"},
    {"depthwise_conv_2d_nhwc_hwc", "nhwgyx", "nHWg", "yxg", "nhwg"},
    {"depthwise_conv_2d_nchw_chw", "nhwgyx", "ngHW", "gyx", "nghw"},
    {"depthwise_conv_2d_nhwc_hwcm", "nhwgfyx", "nHWg", "yxgf", "nhwgf"},
    {"depthwise_conv_3d_ndhwc_dhwc", "ndhwzyxg", "nDHWg", "zyxg", "ndhwg"},
    {"depthwise_conv_3d_ncdhw_cdhw", "ndhwzyxg", "ngDHW", "gzyx", "ngdhw"},
    {"depthwise_conv_3d_ndhwc_dhwcm", "ndhwfzyxg", "nDHWg", "zyxgf", "ndhwgf"},
};

/* What else has a name, by how it begins: why it is not tuned. */
static const struct {
  const char *begins, *words;
} other_operations[] = {
    {"linalg.mmt4d", "works on tiled data: its tile sizes are fixed"},
    {"linalg.batch_mmt4d", "works on tiled data: its tile sizes are fixed"},
    {"linalg.quantized_", "subtracts zero points: its body is not a multiply-add"},
    {"linalg.pooling_", "is pooling"},
    {"linalg.reduce", "is a reduction"},
    {"linalg.softmax", "is a softmax"},
    {"linalg.winograd_", "is a step of a Winograd convolution"},
    {"linalg.pack", "moves data"},
    {"linalg.unpack", "moves data"},
    {"linalg.fill", "fills"},
    {"linalg.copy", "moves data"},
    {"linalg.transpose", "moves data"},
    {"linalg.broadcast", "moves data"},
    {"linalg.", "is not a product"},
    {"iree_codegen.inner_tiled", "is already tiled: its tile sizes are fixed"},
    {"", "is not a linalg operation"},
};

/* ---- Letters to maps ---- */

struct windows { /* of the image's dims, by their letters: factors of the input's image */
  int64_t strides[3], dilations[3];
};
static const char image_letters[] = "dhw", filter_letters[] = "zyx", input_letters[] = "DHW";

static bool add_letter(const char *loops, char letter, int64_t factor,
                       struct hone__affine_expr *expr)
{
  const char *place = strchr(loops, letter);

  if (!place) return false;
  expr->factors[place - loops] = factor;
  return true;
}

static bool spell_expr(const char *loops, char letter, const struct windows *windows,
                       struct hone__affine_expr *expr)
{
  const char *place = strchr(input_letters, letter);
  size_t i;

  expr->is_linear = true;
  if (!place) return add_letter(loops, letter, 1, expr);
  i = (size_t)(place - input_letters);
  return add_letter(loops, image_letters[i], windows->strides[i], expr) &&
         add_letter(loops, filter_letters[i], windows->dilations[i], expr);
}

static void spell_map(struct hone__arena *arena, const char *loops, const char *operand,
                      const struct windows *windows, struct hone__affine_map *out_map)
{
  out_map->dims = (unsigned)strlen(loops);
  out_map->count = (unsigned)strlen(operand);
  out_map->results = hone__arena_alloc(arena, (out_map->count + 1) * sizeof *out_map->results);
  for (unsigned i = 0; i < out_map->count; i++) {
    struct hone__affine_expr *expr = &out_map->results[i];
    expr->factors = hone__arena_alloc(arena, out_map->dims * sizeof *expr->factors);
    if (!spell_expr(loops, operand[i], windows, expr)) HONE__BUG("a letter without a loop");
  }
}

/* ---- Strides and dilations ---- */

/* `dense<1> : tensor<2xi64>` is one entry for all, dense<[1, 2]> one each; absent is 1. */
static bool read_window(const struct hone__mlir_op *op, const char *key, const char *operand,
                        int64_t *out_factors)
{
  const struct hone__mlir_attr *attr = hone__mlir_attr(op, key);
  size_t next = 0, rank = 0;

  for (size_t i = 0; i < 3; i++)
    out_factors[i] = 1, rank += strchr(operand, input_letters[i]) != 0;
  if (!attr) return true;
  if (attr->kind != HONE__MLIR_LIST || (attr->count != 1 && attr->count != rank)) return false;
  for (size_t i = 0; i < 3; i++) {
    const struct hone__mlir_attr *value = &attr->entries[attr->count == 1 ? 0 : next].value;
    if (!strchr(operand, input_letters[i])) continue;
    if (value->kind != HONE__MLIR_INTEGER || value->integer < 1 || value->integer > INT32_MAX) {
      return false;
    }
    out_factors[i] = value->integer;
    next++;
  }
  return true;
}

/* ---- By name ---- */

static const struct named_operation *find_named(const char *name)
{
  const char prefix[] = "linalg.";

  if (!hone__starts_with(name, prefix)) return NULL;
  for (size_t i = 0; i < sizeof named_operations / sizeof *named_operations; i++) {
    if (!strcmp(name + sizeof prefix - 1, named_operations[i].name)) return &named_operations[i];
  }
  return NULL;
}

static void explain_other(const char *name, struct hone__text *why)
{
  size_t length = strlen(name), i = 0;

  if (length > 2 && !strcmp(name + length - 2, "_q")) {
    hone__text_addf(why, "%s subtracts zero points: its body is not a multiply-add", name);
    return;
  }
  while (!hone__starts_with(name, other_operations[i].begins))
    i++;
  hone__text_addf(why, "%s %s", name, other_operations[i].words);
}

struct hone__affine_map *hone__iree_named_maps(struct hone__arena *arena,
                                               const struct hone__mlir_op *op,
                                               struct hone__text *why)
{
  const struct named_operation *named = find_named(op->name);
  struct hone__affine_map *maps;
  struct windows windows;

  if (!named) {
    explain_other(op->name, why);
    return NULL;
  }
  if (!read_window(op, "strides", named->lhs, windows.strides) ||
      !read_window(op, "dilations", named->lhs, windows.dilations)) {
    hone__text_addf(why, "%s has strides or dilations that are not understood", op->name);
    return NULL;
  }
  maps = hone__arena_alloc(arena, 3 * sizeof *maps);
  spell_map(arena, named->loops, named->lhs, &windows, &maps[0]);
  spell_map(arena, named->loops, named->rhs, &windows, &maps[1]);
  spell_map(arena, named->loops, named->out, &windows, &maps[2]);
  return maps;
}
