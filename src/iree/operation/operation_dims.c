/* operation_dims.c - the roles of iteration dims, read off the indexing maps.
 *
 * The rules are those of MLIR's inferContractionDims and inferConvolutionDims and of IREE's
 * attention, so that Hone's lists are those that IREE's matchers see. A dim is a bit of a set; a
 * role is what follows from where the dim is used.
 */
#include "iree/operation/operation_steps.h"

static bool is_in(hone__dim_set set, unsigned dim)
{
  return set >> dim & 1;
}
static hone__dim_set only(unsigned dim)
{
  return (hone__dim_set)1 << dim;
}

/* ---- Maps ---- */

bool hone__iree_expr_is_dim(const struct hone__affine_expr *expr, unsigned dims, unsigned *out_dim)
{
  unsigned used = 0;

  if (!expr->is_linear || expr->constant != 0) return false;
  for (unsigned d = 0; d < dims; d++) {
    if (expr->factors[d] == 0) continue;
    if (expr->factors[d] != 1) return false;
    *out_dim = d;
    used++;
  }
  return used == 1;
}

int hone__iree_map_position(const struct hone__affine_map *map, unsigned dim)
{
  for (unsigned i = 0; i < map->count; i++) {
    if (map->results[i].factors[dim] != 0) return (int)i;
  }
  return -1;
}

static hone__dim_set expr_dims(const struct hone__affine_expr *expr, unsigned dims)
{
  hone__dim_set set = 0;

  for (unsigned d = 0; d < dims; d++) {
    if (expr->factors[d] != 0) set |= only(d);
  }
  return set;
}

hone__dim_set hone__iree_map_dims(const struct hone__affine_map *map)
{
  hone__dim_set set = 0;

  for (unsigned i = 0; i < map->count; i++)
    set |= expr_dims(&map->results[i], map->dims);
  return set;
}

/* The dims that more than one result uses: none of them has a role. */
static hone__dim_set repeated_dims(const struct hone__affine_map *map)
{
  hone__dim_set seen = 0, repeated = 0;

  for (unsigned i = 0; i < map->count; i++) {
    hone__dim_set set = expr_dims(&map->results[i], map->dims);
    repeated |= seen & set;
    seen |= set;
  }
  return repeated;
}

/* The dims that are results by themselves. */
static hone__dim_set plain_dims(const struct hone__affine_map *map)
{
  hone__dim_set set = 0;
  unsigned dim;

  for (unsigned i = 0; i < map->count; i++) {
    if (hone__iree_expr_is_dim(&map->results[i], map->dims, &dim)) set |= only(dim);
  }
  return set & ~repeated_dims(map);
}

static bool is_plain(const struct hone__affine_map *map)
{
  unsigned dim;

  for (unsigned i = 0; i < map->count; i++) {
    if (!hone__iree_expr_is_dim(&map->results[i], map->dims, &dim)) return false;
  }
  return repeated_dims(map) == 0;
}

bool hone__iree_list_dims(hone__dim_set set, struct hone__dim_list *list)
{
  list->count = 0;
  for (unsigned d = 0; d < HONE__IREE_MAX_LOOPS; d++) {
    if (!is_in(set, d)) continue;
    if (list->count == sizeof list->dims / sizeof *list->dims) return false;
    list->dims[list->count++] = d;
  }
  return true;
}

/* ---- Contraction ---- */

static hone__dim_set list_set(const struct hone__dim_list *list)
{
  hone__dim_set set = 0;

  for (unsigned i = 0; i < list->count; i++)
    set |= only(list->dims[i]);
  return set;
}

static void list_product_roles(struct hone__iree_operation *operation, hone__dim_set reductions)
{
  const struct hone__affine_map *maps = operation->maps;
  hone__dim_set lhs = plain_dims(&maps[0]), rhs = plain_dims(&maps[1]), out = plain_dims(&maps[2]);

  out &= ~reductions;
  hone__iree_list_dims(lhs & rhs & out, &operation->batch);
  hone__iree_list_dims(lhs & out & ~rhs, &operation->m);
  hone__iree_list_dims(rhs & out & ~lhs, &operation->n);
  hone__iree_list_dims(lhs & rhs & reductions, &operation->k);
}

static const char *missing_role(const struct hone__iree_operation *operation)
{
  if (operation->k.count == 0) return "has no dim that both inputs are summed over";
  if (operation->m.count == 0 && operation->n.count == 0) return "is a dot product (no m, no n)";
  if (operation->m.count == 0) return "is a vector-matrix product (no m dim)";
  if (operation->n.count == 0) return "is a matrix-vector product (no n dim)";
  return NULL;
}

bool hone__iree_contraction_dims(struct hone__iree_operation *operation, hone__dim_set reductions,
                                 struct hone__text *why)
{
  const char *words;
  hone__dim_set known;

  list_product_roles(operation, reductions);
  words = missing_role(operation);
  if (!words) {
    known = list_set(&operation->batch) | list_set(&operation->m) | list_set(&operation->n) |
            list_set(&operation->k);
    if (known != only(operation->loop_count) - 1) {
      words = "has a dim that is not a batch, m, n or k dim of a product";
    }
  }
  if (!words) return true;
  hone__text_addf(why, "%s %s: only products of two matrices can be tuned", operation->op->name,
                  words);
  return false;
}

/* ---- Convolution ---- */

struct windows {
  hone__dim_set slid; /* dims of sums such as d1 * 2 + d4: image and filter */
  int64_t factors[HONE__IREE_MAX_LOOPS];
  hone__dim_set partners[HONE__IREE_MAX_LOOPS]; /* the dims of the sum that a dim stands in */
};

/* The image of the input: sums of an output's dim and a filter's. */
static bool read_windows(const struct hone__affine_map *input, struct windows *windows)
{
  unsigned dim;

  for (unsigned i = 0; i < input->count; i++) {
    const struct hone__affine_expr *expr = &input->results[i];
    hone__dim_set set = expr_dims(expr, input->dims);
    if (hone__iree_expr_is_dim(expr, input->dims, &dim)) continue;
    if (!expr->is_linear || expr->constant != 0 || __builtin_popcount(set) != 2) return false;
    windows->slid |= set;
    for (unsigned d = 0; d < input->dims; d++) {
      if (expr->factors[d] < 0) return false;
      if (expr->factors[d] == 0) continue;
      windows->factors[d] = expr->factors[d];
      windows->partners[d] = set;
    }
  }
  windows->slid &= ~repeated_dims(input);
  return true;
}

static bool list_roles(struct hone__iree_operation *operation, hone__dim_set reductions,
                       const struct windows *windows)
{
  hone__dim_set input = plain_dims(&operation->maps[0]), filter = plain_dims(&operation->maps[1]);
  hone__dim_set out = plain_dims(&operation->maps[2]) & ~reductions;
  hone__dim_set summed = filter & reductions;

  filter &= ~reductions;
  return hone__iree_list_dims(input & out & ~filter, &operation->batch) &&
         hone__iree_list_dims(windows->slid & out, &operation->image) &&
         hone__iree_list_dims(filter & out & ~input, &operation->output_channel) &&
         hone__iree_list_dims(filter & out & input, &operation->depth) &&
         hone__iree_list_dims(windows->slid & summed, &operation->filter) &&
         hone__iree_list_dims(input & summed, &operation->input_channel);
}

/* The filter's dims in the order of the image's dims that they slide over. */
static void order_filter(struct hone__iree_operation *operation, const struct windows *windows)
{
  hone__dim_set filter = list_set(&operation->filter);
  unsigned count = 0;

  for (unsigned i = 0; i < operation->image.count; i++) {
    hone__dim_set partner = windows->partners[operation->image.dims[i]] & filter;
    if (partner) operation->filter.dims[count++] = (unsigned)__builtin_ctz(partner);
  }
  operation->filter.count = count;
}

static bool has_every_dim(const struct hone__iree_operation *operation)
{
  return (list_set(&operation->batch) | list_set(&operation->image) |
          list_set(&operation->output_channel) | list_set(&operation->depth) |
          list_set(&operation->filter) | list_set(&operation->input_channel)) ==
         only(operation->loop_count) - 1;
}

static const char *convolution_defect(struct hone__iree_operation *operation,
                                      hone__dim_set reductions, struct windows *windows)
{
  size_t most = sizeof operation->strides / sizeof *operation->strides;

  if (!read_windows(&operation->maps[0], windows)) return "has an input map that is not understood";
  if (!is_plain(&operation->maps[1]) || !is_plain(&operation->maps[2])) {
    return "has a filter or output map that is not understood";
  }
  if (!list_roles(operation, reductions, windows)) return "has too many dims of one kind";
  order_filter(operation, windows);
  if (!has_every_dim(operation)) return "has a dim that does not belong to a convolution";
  if (operation->image.count == 0 || operation->image.count != operation->filter.count ||
      operation->image.count > most) {
    return "does not slide a filter over an image";
  }
  return NULL;
}

bool hone__iree_convolution_dims(struct hone__iree_operation *operation, hone__dim_set reductions,
                                 struct hone__text *why)
{
  struct windows windows = {0};
  const char *defect = convolution_defect(operation, reductions, &windows);

  if (defect) {
    hone__text_addf(why, "%s %s", operation->op->name, defect);
    return false;
  }
  for (unsigned i = 0; i < operation->image.count; i++) {
    operation->strides[i] = windows.factors[operation->image.dims[i]];
    operation->dilations[i] = windows.factors[operation->filter.dims[i]];
  }
  if (operation->output_channel.count == 0) {
    hone__text_addf(why, "%s has no output channels (depthwise): it is not a matrix product",
                    operation->op->name);
    return false;
  }
  return true;
}

/* ---- Attention ---- */

bool hone__iree_attention_dims(struct hone__iree_operation *operation, struct hone__text *why)
{
  const struct hone__affine_map *maps = operation->maps;
  hone__dim_set q = plain_dims(&maps[0]), k = plain_dims(&maps[1]), v = plain_dims(&maps[2]);
  hone__dim_set o = plain_dims(&maps[operation->has_mask ? 5 : 4]), batch = q & o & (k | v);

  hone__iree_list_dims(batch, &operation->batch);
  hone__iree_list_dims(q & o & ~batch, &operation->m);
  hone__iree_list_dims(v & o & ~batch, &operation->n);
  hone__iree_list_dims(q & k & ~o & ~batch, &operation->k1);
  hone__iree_list_dims(k & v & ~o & ~batch, &operation->k2);
  if (operation->m.count && operation->n.count && operation->k1.count && operation->k2.count) {
    return true;
  }
  hone__text_addf(why, "%s has maps that are not those of attention (m, n, k1, k2)",
                  operation->op->name);
  return false;
}
