/* igemm.c - a convolution as a matrix product over its unfolded input, as IREE's IGEMM has it.
 *
 * The loops are those of the convolution, but the summed ones (filter and input channels) are put
 * into the order of the unfolded input and joined where they stand together in both the unfolded
 * input and the filter: nhwc_hwcf has one k of 3x3x128 = 1152. In the unfolded input a filter's dim
 * stands in front of the next channel after its image dim; without one, after the channel before
 * it. The filter is the left operand if the output has its channels in front of its image.
 */
#include "iree/operation/operation_steps.h"

#include <limits.h>

struct sequence { /* dims of an operand in its order */
  unsigned dims[2 * HONE__IREE_MAX_LOOPS];
  unsigned count;
};

static bool list_has(const struct hone__dim_list *list, unsigned dim)
{
  for (unsigned i = 0; i < list->count; i++) {
    if (list->dims[i] == dim) return true;
  }
  return false;
}

/* ---- Sequences ---- */

static void insert_dim(struct sequence *sequence, unsigned place, unsigned dim)
{
  memmove(&sequence->dims[place + 1], &sequence->dims[place],
          (sequence->count - place) * sizeof *sequence->dims);
  sequence->dims[place] = dim;
  sequence->count++;
}

static unsigned place_of(const struct sequence *sequence, unsigned dim)
{
  unsigned place = 0;

  while (place < sequence->count && sequence->dims[place] != dim)
    place++;
  return place;
}

static void map_sequence(const struct hone__affine_map *map, struct sequence *sequence)
{
  unsigned dim = 0;

  sequence->count = 0;
  for (unsigned i = 0; i < map->count; i++) {
    if (hone__iree_expr_is_dim(&map->results[i], map->dims, &dim)) {
      sequence->dims[sequence->count++] = dim;
    }
  }
}

static hone__dim_set sequence_set(const struct sequence *sequence)
{
  hone__dim_set set = 0;

  for (unsigned i = 0; i < sequence->count; i++)
    set |= (hone__dim_set)1 << sequence->dims[i];
  return set;
}

/* Every dim gets its new number; neighbours of the same number become one. */
static void renumber(struct sequence *sequence, const unsigned *numbers)
{
  unsigned count = 0;

  for (unsigned i = 0; i < sequence->count; i++) {
    unsigned number = numbers[sequence->dims[i]];
    if (count == 0 || sequence->dims[count - 1] != number) sequence->dims[count++] = number;
  }
  sequence->count = count;
}

/* ---- The unfolded input ---- */

static bool is_channel(const struct hone__iree_operation *conv, const struct sequence *input,
                       unsigned place)
{
  return list_has(&conv->input_channel, input->dims[place]);
}

static unsigned place_of_filter(const struct hone__iree_operation *conv,
                                const struct sequence *input, unsigned image_dim)
{
  unsigned image = place_of(input, image_dim), last = 0;

  for (unsigned i = image + 1; i < input->count; i++) {
    if (is_channel(conv, input, i)) return i;
  }
  for (unsigned i = image; i-- > 0;) {
    if (!is_channel(conv, input, i)) continue;
    do
      i++;
    while (i < input->count && list_has(&conv->filter, input->dims[i]));
    return i;
  }
  for (unsigned i = 0; i < input->count; i++) { /* no channel at all: after the image */
    if (list_has(&conv->image, input->dims[i]) || list_has(&conv->filter, input->dims[i])) last = i;
  }
  return last + 1;
}

/* The image dim of the output that stands in this result of the input's map; UINT_MAX: none. */
static unsigned image_dim_of(const struct hone__iree_operation *conv,
                             const struct hone__affine_expr *expr)
{
  for (unsigned i = 0; i < conv->image.count; i++) {
    if (expr->factors[conv->image.dims[i]] != 0) return conv->image.dims[i];
  }
  return UINT_MAX;
}

static void unfold_input(const struct hone__iree_operation *conv, struct sequence *input)
{
  const struct hone__affine_map *map = &conv->maps[0];

  input->count = 0;
  for (unsigned i = 0; i < map->count; i++) {
    unsigned dim = image_dim_of(conv, &map->results[i]);
    if (dim == UINT_MAX && !hone__iree_expr_is_dim(&map->results[i], map->dims, &dim)) continue;
    input->dims[input->count++] = dim;
  }
  for (unsigned i = 0; i < conv->filter.count; i++) {
    insert_dim(input, place_of_filter(conv, input, conv->image.dims[i]), conv->filter.dims[i]);
  }
}

/* ---- Summed dims: ordered as in the unfolded input, then joined ---- */

static bool is_summed(const struct hone__iree_operation *conv, unsigned dim)
{
  return list_has(&conv->filter, dim) || list_has(&conv->input_channel, dim);
}

static void order_summed(const struct hone__iree_operation *conv, const struct sequence *input,
                         unsigned *out_numbers)
{
  unsigned next = 0;

  for (unsigned d = 0; d < conv->loop_count; d++)
    out_numbers[d] = d;
  for (unsigned i = 0; i < input->count; i++) {
    if (!is_summed(conv, input->dims[i])) continue;
    while (!is_summed(conv, next))
      next++;
    out_numbers[input->dims[i]] = next++;
  }
}

static bool stand_together(const struct sequence *sequence, unsigned dim)
{
  unsigned place = place_of(sequence, dim);

  return place + 1 < sequence->count && sequence->dims[place + 1] == dim + 1;
}

/* The number of every (ordered) dim's loop; returns how many loops there are. */
static unsigned join_summed(const struct hone__iree_operation *conv, const struct sequence *input,
                            const struct sequence *filter, unsigned *out_numbers)
{
  unsigned number = 0;

  for (unsigned d = 0; d < conv->loop_count; d++) {
    bool goes_on = d + 1 < conv->loop_count && is_summed(conv, d) && is_summed(conv, d + 1) &&
                   stand_together(input, d) && stand_together(filter, d);
    out_numbers[d] = number;
    if (!goes_on) number++;
  }
  return number;
}

/* ---- The product ---- */

static void list_roles(struct hone__iree_igemm *igemm, const struct sequence *left,
                       const struct sequence *right, const struct sequence *out)
{
  hone__dim_set a = sequence_set(left), b = sequence_set(right), c = sequence_set(out);

  hone__iree_list_dims(a & b & c, &igemm->batch);
  hone__iree_list_dims(a & c & ~b, &igemm->m);
  hone__iree_list_dims(b & c & ~a, &igemm->n);
  hone__iree_list_dims(a & b & ~c, &igemm->k);
  igemm->lhs_ends_in_k = left->count > 0 && igemm->k.count > 0 &&
                         left->dims[left->count - 1] == igemm->k.dims[igemm->k.count - 1];
}

static bool has_channels_first(const struct hone__iree_operation *conv)
{
  const struct hone__dim_list *channels = &conv->output_channel;

  return hone__iree_map_position(&conv->maps[2], channels->dims[channels->count - 1]) <
         hone__iree_map_position(&conv->maps[2], conv->image.dims[0]);
}

/* False: a product of sizes is more than a number holds. */
static bool fill_sizes(const struct hone__iree_operation *conv, struct hone__iree_igemm *igemm)
{
  for (unsigned i = 0; i < igemm->loop_count; i++)
    igemm->sizes[i] = 1;
  for (unsigned d = 0; d < conv->loop_count; d++) {
    int64_t *size = &igemm->sizes[igemm->igemm_dim[d]];
    if (__builtin_mul_overflow(*size, conv->sizes[d], size)) return false;
  }
  return true;
}

static bool stands_last(const struct hone__affine_map *map, const struct hone__dim_list *list)
{
  for (unsigned i = 0; i < list->count; i++) {
    if (map->count && map->results[map->count - 1].factors[list->dims[i]] != 0) return true;
  }
  return false;
}

static void fill_input_facts(const struct hone__iree_operation *conv,
                             struct hone__iree_igemm *igemm)
{
  igemm->batch_is_last = stands_last(&conv->maps[0], &conv->batch);
  igemm->image_is_last = stands_last(&conv->maps[0], &conv->image);
  for (unsigned i = 0; i < conv->input_channel.count; i++) {
    unsigned dim = conv->input_channel.dims[i];
    igemm->channel_size[dim] = conv->sizes[dim];
  }
}

bool hone__iree_igemm_of(const struct hone__iree_operation *convolution,
                         struct hone__iree_igemm *out_igemm)
{
  unsigned ordered[HONE__IREE_MAX_LOOPS] = {0}, joined[HONE__IREE_MAX_LOOPS] = {0};
  struct sequence input, filter, out;
  bool is_swapped;

  *out_igemm = (struct hone__iree_igemm){.loop_count = 0};
  if (convolution->kind != HONE__IREE_CONVOLUTION || convolution->is_dynamic) return false;
  unfold_input(convolution, &input);
  map_sequence(&convolution->maps[1], &filter);
  map_sequence(&convolution->maps[2], &out);
  order_summed(convolution, &input, ordered);
  renumber(&input, ordered);
  renumber(&filter, ordered);
  out_igemm->loop_count = join_summed(convolution, &input, &filter, joined);
  renumber(&input, joined);
  renumber(&filter, joined);
  renumber(&out, joined);
  for (unsigned d = 0; d < HONE__IREE_MAX_LOOPS; d++) {
    out_igemm->igemm_dim[d] = d < convolution->loop_count ? joined[ordered[d]] : UINT_MAX;
  }
  is_swapped = has_channels_first(convolution);
  list_roles(out_igemm, is_swapped ? &filter : &input, is_swapped ? &input : &filter, &out);
  fill_input_facts(convolution, out_igemm);
  return fill_sizes(convolution, out_igemm);
}
