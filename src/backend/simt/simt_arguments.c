/* Arguments are copied into one block of memory for each set. A launch reads as many bytes as the
 * kernel's parameters need, whatever was given, so the two are compared first.
 */
#include "backend/simt/simt_gpu.h"

#include <stdlib.h>

enum { SLOT_ALIGNMENT = 128 };

/* ---- Sizes ---- */

static size_t size_of(const struct hone__gpu_arg *arg)
{
  switch (arg->kind) {
  case HONE__GPU_BUFFER:
  case HONE__GPU_IMAGE: return sizeof(simt_address);
  case HONE__GPU_BYTES: return arg->size;
  case HONE__GPU_TENSOR_MAP: return sizeof(struct simt_tensor_map);
  case HONE__GPU_SYMBOL: /* no parameter */
  case HONE__GPU_SAMPLER:
  case HONE__GPU_LOCAL: break;
  }
  return 0;
}

static size_t slot_of(const struct hone__gpu_arg *arg)
{
  return (size_of(arg) + SLOT_ALIGNMENT - 1) / SLOT_ALIGNMENT * SLOT_ALIGNMENT;
}

static bool fits(struct hone__simt_gpu *gpu, const struct hone__gpu_kernel *kernel,
                 const struct hone__gpu_arg *args, size_t count)
{
  struct hone__gpu_fault *fault = &gpu->base.fault;

  if (kernel->params_are_known && count != kernel->param_count)
    return hone__gpu_refuse(fault, "the kernel has %zu parameters, 'args' has %zu",
                            kernel->param_count, count);
  for (size_t i = 0; i < count; i++) {
    if (args[i].kind == HONE__GPU_LOCAL)
      return hone__gpu_refuse(fault,
                              "argument %zu is local memory, which only OpenCL supports: %s "
                              "kernels use 'launch: {shared: bytes}'",
                              i + 1, gpu->api->kind->title);
    if (kernel->params_are_known && kernel->params[i].size != size_of(&args[i]))
      return hone__gpu_refuse(fault, "the kernel's parameter %zu has %u bytes, the argument %zu",
                              i + 1, kernel->params[i].size, size_of(&args[i]));
  }
  return true;
}

/* ---- Sets ---- */

static void set_release(struct hone__simt_gpu *gpu, struct hone__simt_set *set)
{
  hone__simt_images_release(gpu, set);
  free(set->bytes);
  free(set->params);
  free(set->symbols);
  *set = (struct hone__simt_set){0};
}

void hone__simt_sets_release(struct hone__simt_gpu *gpu, struct hone__gpu_kernel *kernel)
{
  for (size_t i = 0; i < kernel->set_count; i++)
    set_release(gpu, &kernel->sets[i]);
  free(kernel->sets);
  kernel->sets = NULL;
  kernel->set_count = 0;
}

static bool write_tensor_map(struct hone__simt_gpu *gpu, const struct hone__gpu_arg *arg,
                             void *slot)
{
  const struct hone__simt_kind *kind = gpu->api->kind;

  if (kind->tensor_map) return kind->tensor_map(gpu, arg, slot);
  return hone__gpu_refuse(&gpu->base.fault, "%s has no tensor maps", kind->title);
}

static bool write_argument(struct hone__simt_gpu *gpu, const struct hone__gpu_arg *arg,
                           struct hone__simt_set *set, void *slot)
{
  simt_address address = arg->memory ? arg->memory->address + arg->offset : 0;

  if (arg->kind == HONE__GPU_TENSOR_MAP) return write_tensor_map(gpu, arg, slot);
  if (arg->kind == HONE__GPU_IMAGE) return hone__simt_image_bind(gpu, arg, set, slot);
  if (arg->kind == HONE__GPU_BUFFER)
    memcpy(slot, &address, sizeof address);
  else
    memcpy(slot, arg->bytes, arg->size);
  return true;
}

static bool fill_set(struct hone__simt_gpu *gpu, const struct hone__gpu_arg *args, size_t count,
                     size_t image_count, struct hone__simt_set *set)
{
  size_t total = SLOT_ALIGNMENT;
  bool works = true;
  char *slot;

  for (size_t i = 0; i < count; i++)
    total += slot_of(&args[i]);
  set->bytes = slot = aligned_alloc(SLOT_ALIGNMENT, total);
  if (!set->bytes) return hone__gpu_refuse(&gpu->base.fault, "out of memory for the arguments");
  memset(set->bytes, 0, total);
  set->params = hone__alloc((count + 1) * sizeof *set->params);
  set->images = hone__alloc((image_count + 1) * sizeof *set->images);
  for (size_t i = 0; i < count && works; i++) {
    works = write_argument(gpu, &args[i], set, slot);
    set->params[i] = slot;
    slot += slot_of(&args[i]);
  }
  return works;
}

static void make_room(struct hone__gpu_kernel *kernel, size_t set)
{
  if (set < kernel->set_count) return;
  kernel->sets = hone__realloc(kernel->sets, (set + 1) * sizeof *kernel->sets);
  while (kernel->set_count <= set)
    kernel->sets[kernel->set_count++] = (struct hone__simt_set){0};
}

/* Symbols are not parameters of the function. */
static size_t take_params(const struct hone__gpu_arg *args, size_t count,
                          struct hone__gpu_arg **out_params)
{
  size_t taken = 0;

  *out_params = hone__alloc((count + 1) * sizeof **out_params);
  for (size_t i = 0; i < count; i++)
    if (!args[i].symbol) (*out_params)[taken++] = args[i];
  return taken;
}

bool hone__simt_bind(struct hone__gpu *base, struct hone__gpu_kernel *kernel, size_t set,
                     const struct hone__gpu_arg *args, size_t count)
{
  struct hone__simt_gpu *gpu = hone__simt_gpu(base);
  struct hone__gpu_arg *params;
  size_t param_count;
  bool bound;

  if (set >= HONE__GPU_MOST_SETS)
    return hone__gpu_refuse(&base->fault, "too many sets of arguments");
  param_count = take_params(args, count, &params);
  bound = fits(gpu, kernel, params, param_count);
  if (!bound) goto done;
  hone__simt_graph_release(gpu, kernel);
  make_room(kernel, set);
  set_release(gpu, &kernel->sets[set]);
  bound = fill_set(gpu, params, param_count, count, &kernel->sets[set]) &&
          hone__simt_symbols_bind(gpu, kernel, args, count, &kernel->sets[set]) &&
          hone__simt_references_bind(gpu, kernel, args, count, &kernel->sets[set]);
  if (!bound) set_release(gpu, &kernel->sets[set]);
done:
  free(params);
  return bound;
}
