/* A tensor map describes the memory layout of a tensor to the copy engine of Hopper and later, and
 * the box that one instruction moves.
 */
#include "backend/cuda/cuda_gpu.h"

#include "base/element.h"

enum { MOST_DIMENSIONS = 5, LONGEST_BOX = 256, HOPPER = 90 };

static const struct {
  const char *type;
  int number;
} types[] = {{"u8", 0},  {"i8", 0},  {"bool", 0}, {"u16", 1}, {"i16", 1}, {"u32", 2}, {"i32", 3},
             {"u64", 4}, {"i64", 5}, {"f16", 6},  {"f32", 7}, {"f64", 8}, {"bf16", 9}};

struct choice {
  int value, number;
};
static const struct choice swizzles[] = {{0, 0}, {32, 1}, {64, 2}, {128, 3}, {-1, 0}};
static const struct choice promotions[] = {{0, 0}, {64, 1}, {128, 2}, {256, 3}, {-1, 0}};
static const struct choice interleaves[] = {{0, 0}, {16, 1}, {32, 2}, {-1, 0}};

struct layout {
  int type, swizzle, l2, interleave, fill;
  uint32_t rank, box[MOST_DIMENSIONS], steps[MOST_DIMENSIONS];
  uint64_t sizes[MOST_DIMENSIONS], strides[MOST_DIMENSIONS];
  size_t element_bytes;
};

static int choose(int64_t value, const struct choice *choices)
{
  for (; choices->value >= 0; choices++)
    if (choices->value == value) return choices->number;
  return -1;
}

static bool read_type(const struct hone__tensor_map *map, struct layout *layout)
{
  enum hone__element element;

  layout->type = -1;
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (strcmp(types[i].type, map->type) == 0) layout->type = types[i].number;
  if (hone__starts_with(map->type, "f8")) layout->type = 0; /* the engine moves bytes */
  if (layout->type < 0 || !hone__element_parse(map->type, &element)) return false;
  layout->element_bytes = hone__element_info(element)->size;
  return true;
}

/* Strides are those of all dimensions but the first, in bytes. */
static bool read_sizes(const struct hone__tensor_map *map, struct layout *layout)
{
  size_t rank = map->sizes_count;
  uint64_t bytes = layout->element_bytes;

  if (!rank || rank > MOST_DIMENSIONS || map->box_count != rank) return false;
  layout->rank = (uint32_t)rank;
  for (size_t i = 0; i < rank; i++) {
    int64_t size = map->sizes[i], length = map->box[i];
    if (size < 1 || size > (int64_t)UINT32_MAX || length < 1 || length > LONGEST_BOX) return false;
    layout->sizes[i] = (uint64_t)size;
    layout->box[i] = (uint32_t)length;
    layout->steps[i] = 1;
    if (bytes > UINT64_MAX / (uint64_t)size) return false;
    bytes *= (uint64_t)size;
    layout->strides[i] = bytes;
  }
  return true;
}

static bool read_layout(struct hone__gpu_fault *fault, const struct hone__tensor_map *map,
                        struct layout *layout)
{
  if (!read_type(map, layout))
    return hone__gpu_refuse(fault, "tensor map: type '%s' is not supported by the copy engine",
                            map->type);
  if (!read_sizes(map, layout))
    return hone__gpu_refuse(fault, "tensor map: 1 to 5 sizes, and as many lengths of the box, "
                                   "each of 1 to 256");
  layout->swizzle = choose(map->swizzle, swizzles);
  layout->l2 = choose(map->l2, promotions);
  layout->interleave = choose(map->interleave, interleaves);
  layout->fill = map->fill && strcmp(map->fill, "nan") == 0;
  if (layout->swizzle < 0 || layout->l2 < 0 || layout->interleave < 0)
    return hone__gpu_refuse(fault, "tensor map: swizzle is 0, 32, 64 or 128, l2 is 0, 64, 128 or "
                                   "256, interleave is 0, 16 or 32");
  return true;
}

/* The most likely meaning of the driver's "invalid argument". */
static bool check_rules(struct hone__gpu_fault *fault, const struct layout *layout,
                        const struct hone__gpu_arg *arg)
{
  size_t row = layout->box[0] * layout->element_bytes;
  static const size_t widths[] = {0, 32, 64, 128};
  size_t width = widths[layout->swizzle];

  if (row % 16)
    return hone__gpu_refuse(
        fault, "tensor map: a row of the box has %zu bytes, which is not a multiple of 16", row);
  if (width && !layout->interleave && row > width)
    return hone__gpu_refuse(fault,
                            "tensor map: a row of the box has %zu bytes, more than swizzle "
                            "%zu allows",
                            row, width);
  if (layout->rank > 1 && layout->strides[0] % 16)
    return hone__gpu_refuse(
        fault, "tensor map: a row of the tensor has %llu bytes, which is not a multiple of 16",
        (unsigned long long)layout->strides[0]);
  if (layout->strides[layout->rank - 1] > arg->size)
    return hone__gpu_refuse(fault, "tensor map: its sizes take %llu bytes, the tensor has %zu",
                            (unsigned long long)layout->strides[layout->rank - 1], arg->size);
  return true;
}

/* Without an engine, kernels get an empty map. */
static bool has_copy_engine(const struct hone__simt_gpu *gpu)
{
  return hone__cuda_capability(gpu->api, gpu->device) >= HOPPER;
}

bool hone__cuda_tensor_map(struct hone__simt_gpu *gpu, const struct hone__gpu_arg *arg,
                           struct simt_tensor_map *out_map)
{
  struct hone__gpu_fault *fault = &gpu->base.fault;
  struct layout layout = {0};
  void *address;

  *out_map = (struct simt_tensor_map){0};
  if (!has_copy_engine(gpu)) return true;
  if (!gpu->api->TensorMapEncodeTiled)
    return hone__gpu_refuse(fault, "tensor maps need a newer driver (CUDA 12)");
  if (!arg->memory) return hone__gpu_refuse(fault, "tensor map: it has no buffer");
  if (!read_layout(fault, arg->map, &layout) || !check_rules(fault, &layout, arg)) return false;
  address = (void *)(uintptr_t)(arg->memory->address + arg->offset);
  return !hone__simt_fails(
      gpu,
      gpu->api->TensorMapEncodeTiled(out_map, layout.type, layout.rank, address, layout.sizes,
                                     layout.strides, layout.box, layout.steps, layout.interleave,
                                     layout.swizzle, layout.l2, layout.fill),
      "cannot make a tensor map");
}
