/* Device memory. If the device is a CPU, host code compares best and needs no build. */
#include "backend/opencl/opencl_gpu.h"

#include <stdio.h>
#include <stdlib.h>

enum { PIECE_BYTES = 1 << 20, DIFFER_THREADS = 1 << 16 };
static const size_t most_differ_bytes = (size_t)1 << 30; /* a uint counts them */

/* ---- Taking and giving back ---- */

bool hone__opencl_allocate(struct hone__gpu *base, size_t bytes,
                           struct hone__gpu_memory **out_memory)
{
  struct hone__opencl_gpu *gpu = hone__opencl_gpu(base);
  int code;
  cl_memory memory =
      gpu->cl->CreateBuffer(gpu->context, CL_MEM_READ_WRITE, bytes ? bytes : 1, NULL, &code);
  char what[64];

  *out_memory = NULL;
  snprintf(what, sizeof what, "cannot allocate %zu bytes", bytes);
  if (!hone__opencl_is_ok(gpu, code, HONE__OPENCL_ALLOCATING, what)) return false;
  *out_memory = hone__alloc(sizeof **out_memory);
  **out_memory = (struct hone__gpu_memory){.memory = memory, .bytes = bytes};
  return true;
}

void hone__opencl_release(struct hone__gpu *base, struct hone__gpu_memory *memory)
{
  const struct hone__opencl_library *cl = hone__opencl_gpu(base)->cl;

  if (memory) cl->ReleaseMemObject(memory->memory);
  if (memory && memory->image) cl->ReleaseMemObject(memory->image);
  free(memory);
}

/* ---- Moving ---- */

bool hone__opencl_write(struct hone__gpu *base, struct hone__gpu_memory *to, size_t offset,
                        const void *from, size_t bytes)
{
  struct hone__opencl_gpu *gpu = hone__opencl_gpu(base);

  if (!bytes) return true;
  return hone__opencl_is_ok(
      gpu,
      gpu->cl->EnqueueWriteBuffer(gpu->queue, to->memory, true, offset, bytes, from, 0, NULL, NULL),
      HONE__OPENCL_MOVING, "cannot write to the device");
}

bool hone__opencl_read(struct hone__gpu *base, void *to, struct hone__gpu_memory *from,
                       size_t offset, size_t bytes)
{
  struct hone__opencl_gpu *gpu = hone__opencl_gpu(base);

  if (!bytes) return true;
  return hone__opencl_is_ok(
      gpu,
      gpu->cl->EnqueueReadBuffer(gpu->queue, from->memory, true, offset, bytes, to, 0, NULL, NULL),
      HONE__OPENCL_MOVING, "cannot read from the device");
}

/* The next measurement must not wait for this. */
static bool finish(struct hone__opencl_gpu *gpu, int code, const char *what)
{
  return hone__opencl_is_ok(gpu, code, HONE__OPENCL_MOVING, what) &&
         hone__opencl_is_ok(gpu, gpu->cl->Finish(gpu->queue), HONE__OPENCL_MOVING, what);
}

bool hone__opencl_copy(struct hone__gpu *base, struct hone__gpu_memory *to, size_t to_offset,
                       struct hone__gpu_memory *from, size_t from_offset, size_t bytes)
{
  struct hone__opencl_gpu *gpu = hone__opencl_gpu(base);

  if (!bytes) return true;
  return finish(gpu,
                gpu->cl->EnqueueCopyBuffer(gpu->queue, from->memory, to->memory, from_offset,
                                           to_offset, bytes, 0, NULL, NULL),
                "cannot copy on the device");
}

/* All are queued before the first is waited for. */
bool hone__opencl_spread(struct hone__gpu *base, struct hone__gpu_memory *const *to, size_t count,
                         size_t to_offset, struct hone__gpu_memory *from, size_t from_offset,
                         size_t bytes)
{
  struct hone__opencl_gpu *gpu = hone__opencl_gpu(base);
  int code = CL_SUCCESS;

  for (size_t i = 0; bytes && i < count && code == CL_SUCCESS; i++)
    code = gpu->cl->EnqueueCopyBuffer(gpu->queue, from->memory, to[i]->memory, from_offset,
                                      to_offset, bytes, 0, NULL, NULL);
  return finish(gpu, code, "cannot copy on the device");
}

bool hone__opencl_fill(struct hone__gpu *base, struct hone__gpu_memory *to, size_t offset,
                       uint8_t byte, size_t bytes)
{
  struct hone__opencl_gpu *gpu = hone__opencl_gpu(base);

  if (!bytes) return true;
  return finish(
      gpu,
      gpu->cl->EnqueueFillBuffer(gpu->queue, to->memory, &byte, 1, offset, bytes, 0, NULL, NULL),
      "cannot fill memory of the device");
}

/* ---- Comparing ---- */

static size_t first_difference(const unsigned char *one, const unsigned char *other, size_t bytes)
{
  size_t i = 0;

  if (memcmp(one, other, bytes) == 0) return bytes;
  while (one[i] == other[i])
    i++;
  return i;
}

static bool differ_here(struct hone__gpu *gpu, struct hone__gpu_memory *one, size_t one_offset,
                        struct hone__gpu_memory *other, size_t other_offset, size_t bytes,
                        size_t *out_first)
{
  unsigned char *pieces = hone__alloc(2 * PIECE_BYTES);
  bool ok = true;
  size_t at = 0;

  *out_first = bytes;
  while (ok && at < bytes && *out_first == bytes) {
    size_t size = bytes - at < PIECE_BYTES ? bytes - at : PIECE_BYTES, first;
    ok = hone__opencl_read(gpu, pieces, one, one_offset + at, size) &&
         hone__opencl_read(gpu, pieces + PIECE_BYTES, other, other_offset + at, size);
    first = ok ? first_difference(pieces, pieces + PIECE_BYTES, size) : size;
    if (first < size) *out_first = at + first;
    at += size;
  }
  free(pieces);
  return ok;
}

static int set_differ(struct hone__opencl_gpu *gpu, cl_memory one, uint64_t one_offset,
                      cl_memory other, uint64_t other_offset, uint32_t count)
{
  const struct {
    size_t size;
    const void *value;
  } args[] = {
      {sizeof one, &one},     {sizeof one_offset, &one_offset},
      {sizeof other, &other}, {sizeof other_offset, &other_offset},
      {sizeof count, &count}, {sizeof gpu->differ_first, &gpu->differ_first},
  };
  int code = CL_SUCCESS;

  for (uint32_t i = 0; i < sizeof args / sizeof *args && code == CL_SUCCESS; i++)
    code = gpu->cl->SetKernelArg(gpu->differ, i, args[i].size, args[i].value);
  return code;
}

/* Of at most 1 GiB. */
static bool differ_there(struct hone__opencl_gpu *gpu, cl_memory one, size_t one_offset,
                         cl_memory other, size_t other_offset, size_t bytes, size_t *out_first)
{
  uint32_t first = (uint32_t)bytes;
  size_t global = DIFFER_THREADS;
  int code = set_differ(gpu, one, one_offset, other, other_offset, first);

  if (code == CL_SUCCESS)
    code = gpu->cl->EnqueueWriteBuffer(gpu->queue, gpu->differ_first, true, 0, sizeof first, &first,
                                       0, NULL, NULL);
  if (code == CL_SUCCESS)
    code = gpu->cl->EnqueueNDRangeKernel(gpu->queue, gpu->differ, 1, NULL, &global, NULL, 0, NULL,
                                         NULL);
  if (code == CL_SUCCESS)
    code = gpu->cl->EnqueueReadBuffer(gpu->queue, gpu->differ_first, true, 0, sizeof first, &first,
                                      0, NULL, NULL);
  *out_first = first;
  return hone__opencl_is_ok(gpu, code, HONE__OPENCL_MOVING, "cannot compare on the device");
}

static bool prepare_differ(struct hone__opencl_gpu *gpu)
{
  int code = CL_SUCCESS;

  if (!gpu->differ && !hone__opencl_own(gpu, "hone_differ", &gpu->differ)) return false;
  if (!gpu->differ_first)
    gpu->differ_first = gpu->cl->CreateBuffer(gpu->context, CL_MEM_READ_WRITE, 4, NULL, &code);
  return hone__opencl_is_ok(gpu, code, HONE__OPENCL_ALLOCATING, "cannot allocate 4 bytes");
}

bool hone__opencl_differ(struct hone__gpu *base, struct hone__gpu_memory *one, size_t one_offset,
                         struct hone__gpu_memory *other, size_t other_offset, size_t bytes,
                         size_t *out_first)
{
  struct hone__opencl_gpu *gpu = hone__opencl_gpu(base);

  *out_first = bytes;
  if (gpu->at.is_cpu)
    return differ_here(base, one, one_offset, other, other_offset, bytes, out_first);
  if (!prepare_differ(gpu)) return false;
  for (size_t at = 0; at < bytes; at += most_differ_bytes) {
    size_t size = bytes - at < most_differ_bytes ? bytes - at : most_differ_bytes, first;
    if (!differ_there(gpu, one->memory, one_offset + at, other->memory, other_offset + at, size,
                      &first))
      return false;
    if (first < size) {
      *out_first = at + first;
      return true;
    }
  }
  return true;
}
