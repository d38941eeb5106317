/* Copies between memory and the array of a texture or surface. */
#include "backend/cuda/cuda_gpu.h"

enum { OF_DEVICE = 2, OF_ARRAY = 3 };

struct side { /* half of a CUDA_MEMCPY3D */
  size_t x, y, z, level;
  int type;
  void *host;
  simt_address address;
  simt_array array;
  void *reserved;
  size_t pitch, height;
};

struct copy3d {
  struct side from, to;
  size_t bytes, height, depth;
};

simt_result hone__cuda_copy_array(const struct hone__simt_gpu *gpu,
                                  const struct hone__simt_copy *copy)
{
  size_t pitch = copy->sizes[0] * copy->texel_bytes;
  const struct side array = {.type = OF_ARRAY, .array = copy->array};
  const struct side memory = {
      .type = OF_DEVICE, .address = copy->address, .pitch = pitch, .height = copy->sizes[1]};
  const struct copy3d own = {.from = copy->to_array ? memory : array,
                             .to = copy->to_array ? array : memory,
                             .bytes = pitch,
                             .height = copy->sizes[1],
                             .depth = copy->sizes[2]};

  return gpu->api->Memcpy3DAsync(&own, gpu->stream);
}
