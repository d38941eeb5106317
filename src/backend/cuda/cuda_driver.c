/* CUDA's driver interface: one device, its primary context, one stream. */
#include "backend/cuda/cuda_gpu.h"

#include <stdlib.h>

enum { NON_BLOCKING = 1, ALIGNMENT = 256 };

/* ---- The device ---- */

static void close_gpu(struct hone__gpu *base)
{
  struct hone__cuda_gpu *gpu = hone__cuda_gpu(base);
  const struct hone__cuda_library *cuda = gpu->cuda;

  hone__cuda_own_unload(gpu);
  if (gpu->flushed) cuda->MemFree_v2(gpu->flushed);
  if (gpu->begin) cuda->EventDestroy_v2(gpu->begin);
  if (gpu->end) cuda->EventDestroy_v2(gpu->end);
  if (gpu->stream) cuda->StreamDestroy_v2(gpu->stream);
  if (gpu->context) cuda->DevicePrimaryCtxRelease_v2(gpu->device);
  free(gpu);
}

static bool make_context(struct hone__cuda_gpu *gpu)
{
  const struct hone__cuda_library *cuda = gpu->cuda;

  return !hone__cuda_fails(gpu, cuda->DevicePrimaryCtxRetain(&gpu->context, gpu->device),
                           "cannot create a context") &&
         !hone__cuda_fails(gpu, cuda->CtxSetCurrent(gpu->context),
                           "cannot make the context current") &&
         !hone__cuda_fails(gpu, cuda->StreamCreate(&gpu->stream, NON_BLOCKING), "stream") &&
         !hone__cuda_fails(gpu, cuda->EventCreate(&gpu->begin, 0), "event") &&
         !hone__cuda_fails(gpu, cuda->EventCreate(&gpu->end, 0), "event");
}

static hone_status open_gpu(const char *device, struct hone__gpu **out_gpu)
{
  struct hone__cuda_gpu *gpu = hone__alloc(sizeof *gpu);
  hone_status status;

  *out_gpu = NULL;
  gpu->base.driver = &hone__gpu_cuda;
  status = hone__cuda_library(&gpu->cuda);
  if (!status) status = hone__cuda_find(gpu->cuda, device, &gpu->index, &gpu->device);
  if (status) {
    free(gpu);
    return status;
  }
  hone__cuda_state_open(gpu);
  if (!make_context(gpu)) {
    status = hone__error(HONE_UNAVAILABLE, "%s: %s", device, gpu->base.fault.message);
    close_gpu(&gpu->base);
    return status;
  }
  hone__cuda_state_settle(gpu);
  gpu->base.cache_bytes = (size_t)hone__cuda_attribute(gpu->cuda, gpu->device, CUDA_L2_BYTES);
  gpu->base.alignment = ALIGNMENT;
  gpu->clock_khz = hone__cuda_attribute(gpu->cuda, gpu->device, CUDA_CLOCK_KHZ);
  hone__cuda_own_load(gpu);
  *out_gpu = &gpu->base;
  return NULL;
}

static void get_facts(struct hone__gpu *base, struct hone__arena *arena,
                      struct hone__device_facts *out_facts)
{
  struct hone__cuda_gpu *gpu = hone__cuda_gpu(base);

  hone__cuda_facts(gpu->cuda, gpu->index, gpu->device, arena, out_facts);
}

/* ---- Memory ---- */

static bool allocate(struct hone__gpu *base, size_t bytes, struct hone__gpu_memory **out_memory)
{
  struct hone__cuda_gpu *gpu = hone__cuda_gpu(base);
  cuda_address address = 0;

  *out_memory = NULL;
  if (hone__cuda_fails(gpu, gpu->cuda->MemAlloc_v2(&address, bytes ? bytes : 1), "memory"))
    return false;
  *out_memory = hone__alloc(sizeof **out_memory);
  **out_memory = (struct hone__gpu_memory){address, bytes};
  return true;
}

static void release(struct hone__gpu *base, struct hone__gpu_memory *memory)
{
  if (!memory) return;
  hone__cuda_gpu(base)->cuda->MemFree_v2(memory->address);
  free(memory);
}

static bool is_done(struct hone__cuda_gpu *gpu, const char *what)
{
  return !hone__cuda_fails(gpu, gpu->cuda->StreamSynchronize(gpu->stream), what);
}

/* The call may return before the copy is complete, and our stream would not wait for it. */
static bool write_memory(struct hone__gpu *base, struct hone__gpu_memory *to, size_t offset,
                         const void *from, size_t bytes)
{
  struct hone__cuda_gpu *gpu = hone__cuda_gpu(base);

  return !bytes ||
         (!hone__cuda_fails(gpu, gpu->cuda->MemcpyHtoD_v2(to->address + offset, from, bytes),
                            "write") &&
          !hone__cuda_fails(gpu, gpu->cuda->CtxSynchronize(), "write"));
}

static bool read_memory(struct hone__gpu *base, void *to, struct hone__gpu_memory *from,
                        size_t offset, size_t bytes)
{
  struct hone__cuda_gpu *gpu = hone__cuda_gpu(base);

  return !bytes || !hone__cuda_fails(
                       gpu, gpu->cuda->MemcpyDtoH_v2(to, from->address + offset, bytes), "read");
}

static bool copy(struct hone__gpu *base, struct hone__gpu_memory *to, size_t to_offset,
                 struct hone__gpu_memory *from, size_t from_offset, size_t bytes)
{
  struct hone__cuda_gpu *gpu = hone__cuda_gpu(base);

  return !bytes || (!hone__cuda_fails(gpu,
                                      gpu->cuda->MemcpyDtoDAsync_v2(to->address + to_offset,
                                                                    from->address + from_offset,
                                                                    bytes, gpu->stream),
                                      "copy") &&
                    is_done(gpu, "copy"));
}

static bool fill(struct hone__gpu *base, struct hone__gpu_memory *to, size_t offset, uint8_t byte,
                 size_t bytes)
{
  struct hone__cuda_gpu *gpu = hone__cuda_gpu(base);

  return !bytes ||
         (!hone__cuda_fails(
              gpu, gpu->cuda->MemsetD8Async(to->address + offset, byte, bytes, gpu->stream),
              "fill") &&
          is_done(gpu, "fill"));
}

const struct hone__gpu_driver hone__gpu_cuda = {
    .name = "cuda",
    .most_sets = HONE__GPU_MOST_SETS, /* a graph may have any number of nodes */
    .list = hone__cuda_list,
    .open = open_gpu,
    .close = close_gpu,
    .facts = get_facts,
    .state = hone__cuda_state,
    .energy = hone__cuda_energy,
    .floor = hone__cuda_floor,
    .allocate = allocate,
    .release = release,
    .write = write_memory,
    .read = read_memory,
    .copy = copy,
    .spread = hone__cuda_spread,
    .fill = fill,
    .differ = hone__cuda_differ,
    .differ_any = hone__cuda_differ_any,
    .load = hone__cuda_load,
    .unload = hone__cuda_unload,
    .bind = hone__cuda_bind,
    .launch = hone__cuda_launch,
    .batch = hone__cuda_batch,
    .kernel_facts = hone__cuda_kernel_facts,
};
