/* One device, its primary context, one stream. */
#include "backend/simt/simt_gpu.h"

#include <stdlib.h>

enum { NON_BLOCKING = 1, ALIGNMENT = 256 };

/* ---- The device ---- */

void hone__simt_close(struct hone__gpu *base)
{
  struct hone__simt_gpu *gpu = hone__simt_gpu(base);
  const struct hone__simt_library *api = gpu->api;

  hone__simt_own_unload(gpu);
  if (gpu->flushed) api->MemFree(gpu->flushed);
  if (gpu->begin) api->EventDestroy(gpu->begin);
  if (gpu->end) api->EventDestroy(gpu->end);
  if (gpu->stream) api->StreamDestroy(gpu->stream);
  if (gpu->context) api->DevicePrimaryCtxRelease(gpu->device);
  free(gpu);
}

static bool make_context(struct hone__simt_gpu *gpu)
{
  const struct hone__simt_library *api = gpu->api;

  return !hone__simt_fails(gpu, api->DevicePrimaryCtxRetain(&gpu->context, gpu->device),
                           "cannot create a context") &&
         !hone__simt_fails(gpu, api->CtxSetCurrent(gpu->context),
                           "cannot make the context current") &&
         !hone__simt_fails(gpu, api->StreamCreate(&gpu->stream, NON_BLOCKING),
                           "cannot create a stream") &&
         !hone__simt_fails(gpu, api->EventCreate(&gpu->begin, 0), "cannot time on the device") &&
         !hone__simt_fails(gpu, api->EventCreate(&gpu->end, 0), "cannot time on the device");
}

hone_status hone__simt_open(const struct hone__simt_kind *kind, const char *device,
                            struct hone__gpu **out_gpu)
{
  struct hone__simt_gpu *gpu = hone__alloc(kind->gpu_bytes);
  hone_status status;

  *out_gpu = NULL;
  gpu->base.driver = kind->driver;
  status = kind->library(&gpu->api);
  if (!status) status = hone__simt_find(gpu->api, device, &gpu->index, &gpu->device);
  if (status) {
    free(gpu);
    return status;
  }
  if (kind->before_context) kind->before_context(gpu);
  if (!make_context(gpu)) {
    status = hone__error(HONE_UNAVAILABLE, "%s: %s", device, gpu->base.fault.message);
    hone__simt_close(&gpu->base);
    return status;
  }
  if (kind->after_context) kind->after_context(gpu);
  gpu->base.cache_bytes = (size_t)hone__simt_attribute(gpu->api, gpu->device, SIMT_L2_BYTES);
  gpu->base.alignment = ALIGNMENT;
  gpu->clock_khz = hone__simt_attribute(gpu->api, gpu->device, SIMT_CLOCK_KHZ);
  hone__simt_own_load(gpu);
  *out_gpu = &gpu->base;
  return NULL;
}

void hone__simt_get_facts(struct hone__gpu *base, struct hone__arena *arena,
                          struct hone__wire_device_facts *out_facts)
{
  struct hone__simt_gpu *gpu = hone__simt_gpu(base);

  hone__simt_facts(gpu->api, gpu->index, gpu->device, arena, out_facts);
}

/* ---- Memory ---- */

bool hone__simt_allocate(struct hone__gpu *base, size_t bytes, struct hone__gpu_memory **out_memory)
{
  struct hone__simt_gpu *gpu = hone__simt_gpu(base);
  simt_address address = 0;

  *out_memory = NULL;
  if (hone__simt_fails(gpu, gpu->api->MemAlloc(&address, bytes ? bytes : 1),
                       "cannot allocate memory of the device"))
    return false;
  *out_memory = hone__alloc(sizeof **out_memory);
  **out_memory = (struct hone__gpu_memory){.address = address, .bytes = bytes};
  return true;
}

void hone__simt_release(struct hone__gpu *base, struct hone__gpu_memory *memory)
{
  if (!memory) return;
  hone__simt_array_release(hone__simt_gpu(base), memory);
  hone__simt_gpu(base)->api->MemFree(memory->address);
  free(memory);
}

static bool is_done(struct hone__simt_gpu *gpu, const char *what)
{
  return !hone__simt_fails(gpu, gpu->api->StreamSynchronize(gpu->stream), what);
}

/* The call may return before the copy is complete, and our stream would not wait for it. */
bool hone__simt_write(struct hone__gpu *base, struct hone__gpu_memory *to, size_t offset,
                      const void *from, size_t bytes)
{
  struct hone__simt_gpu *gpu = hone__simt_gpu(base);

  return !bytes ||
         (!hone__simt_fails(gpu, gpu->api->MemcpyHtoD(to->address + offset, from, bytes),
                            "cannot write to the device") &&
          !hone__simt_fails(gpu, gpu->api->CtxSynchronize(), "cannot write to the device"));
}

bool hone__simt_read(struct hone__gpu *base, void *to, struct hone__gpu_memory *from, size_t offset,
                     size_t bytes)
{
  struct hone__simt_gpu *gpu = hone__simt_gpu(base);

  return !bytes || !hone__simt_fails(gpu, gpu->api->MemcpyDtoH(to, from->address + offset, bytes),
                                     "cannot read from the device");
}

bool hone__simt_copy(struct hone__gpu *base, struct hone__gpu_memory *to, size_t to_offset,
                     struct hone__gpu_memory *from, size_t from_offset, size_t bytes)
{
  struct hone__simt_gpu *gpu = hone__simt_gpu(base);

  return !bytes || (!hone__simt_fails(gpu,
                                      gpu->api->MemcpyDtoDAsync(to->address + to_offset,
                                                                from->address + from_offset, bytes,
                                                                gpu->stream),
                                      "cannot copy on the device") &&
                    is_done(gpu, "cannot copy on the device"));
}

bool hone__simt_fill(struct hone__gpu *base, struct hone__gpu_memory *to, size_t offset,
                     uint8_t byte, size_t bytes)
{
  struct hone__simt_gpu *gpu = hone__simt_gpu(base);

  return !bytes ||
         (!hone__simt_fails(gpu,
                            gpu->api->MemsetD8Async(to->address + offset, byte, bytes, gpu->stream),
                            "cannot fill memory of the device") &&
          is_done(gpu, "cannot fill memory of the device"));
}
