/* Arguments are copied into one block of memory for each set. A launch reads as many bytes as the
 * kernel's parameters need, whatever was given, so the two are compared first.
 */
#include "backend/cuda/cuda_gpu.h"

#include <stdlib.h>

enum { SLOT_ALIGNMENT = 128 };

/* ---- Sizes ---- */

static size_t size_of(const struct hone__gpu_arg *arg)
{
  switch (arg->kind) {
  case HONE__GPU_BUFFER: return sizeof(cuda_address);
  case HONE__GPU_BYTES: return arg->size;
  case HONE__GPU_TENSOR_MAP: return sizeof(struct cuda_tensor_map);
  case HONE__GPU_LOCAL: break;
  }
  return 0;
}

static size_t slot_of(const struct hone__gpu_arg *arg)
{
  return (size_of(arg) + SLOT_ALIGNMENT - 1) / SLOT_ALIGNMENT * SLOT_ALIGNMENT;
}

static bool fits(struct hone__cuda_gpu *gpu, const struct hone__gpu_kernel *kernel,
                 const struct hone__gpu_arg *args, size_t count)
{
  struct hone__gpu_fault *fault = &gpu->base.fault;

  if (kernel->params_are_known && count != kernel->param_count)
    return hone__gpu_refuse(fault, "the kernel has %zu parameters, 'args' has %zu",
                            kernel->param_count, count);
  for (size_t i = 0; i < count; i++) {
    if (args[i].kind == HONE__GPU_LOCAL)
      return hone__gpu_refuse(fault,
                              "argument %zu is local memory, which only OpenCL supports: CUDA "
                              "kernels use 'launch: {shared: bytes}'",
                              i + 1);
    if (kernel->params_are_known && kernel->params[i].size != size_of(&args[i]))
      return hone__gpu_refuse(fault, "the kernel's parameter %zu has %u bytes, the argument %zu",
                              i + 1, kernel->params[i].size, size_of(&args[i]));
  }
  return true;
}

/* ---- Sets ---- */

static void set_release(struct hone__cuda_set *set)
{
  free(set->bytes);
  free(set->params);
  *set = (struct hone__cuda_set){0};
}

void hone__cuda_sets_release(struct hone__gpu_kernel *kernel)
{
  for (size_t i = 0; i < kernel->set_count; i++)
    set_release(&kernel->sets[i]);
  free(kernel->sets);
  kernel->sets = NULL;
  kernel->set_count = 0;
}

static bool write_argument(struct hone__cuda_gpu *gpu, const struct hone__gpu_arg *arg, void *slot)
{
  cuda_address address = arg->memory ? arg->memory->address + arg->offset : 0;

  if (arg->kind == HONE__GPU_TENSOR_MAP) return hone__cuda_tensor_map(gpu, arg, slot);
  if (arg->kind == HONE__GPU_BUFFER)
    memcpy(slot, &address, sizeof address);
  else
    memcpy(slot, arg->bytes, arg->size);
  return true;
}

static bool fill_set(struct hone__cuda_gpu *gpu, const struct hone__gpu_arg *args, size_t count,
                     struct hone__cuda_set *set)
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
  for (size_t i = 0; i < count && works; i++) {
    works = write_argument(gpu, &args[i], slot);
    set->params[i] = slot;
    slot += slot_of(&args[i]);
  }
  return works;
}

bool hone__cuda_bind(struct hone__gpu *base, struct hone__gpu_kernel *kernel, size_t set,
                     const struct hone__gpu_arg *args, size_t count)
{
  struct hone__cuda_gpu *gpu = hone__cuda_gpu(base);

  if (set >= HONE__GPU_MOST_SETS)
    return hone__gpu_refuse(&base->fault, "too many sets of arguments");
  if (!fits(gpu, kernel, args, count)) return false;
  hone__cuda_graph_release(gpu, kernel);
  if (set >= kernel->set_count) {
    kernel->sets = hone__realloc(kernel->sets, (set + 1) * sizeof *kernel->sets);
    while (kernel->set_count <= set)
      kernel->sets[kernel->set_count++] = (struct hone__cuda_set){0};
  }
  set_release(&kernel->sets[set]);
  if (fill_set(gpu, args, count, &kernel->sets[set])) return true;
  set_release(&kernel->sets[set]);
  return false;
}
