/* Copies between memory and the array of a texture or surface. The form of the driver's interface,
 * HIP_MEMCPY3D, changed with ROCm 6; that of the runtime's, hipMemcpy3DParms, is the same in all
 * versions. */
#include "backend/hip/hip_gpu.h"

enum { DEVICE_TO_DEVICE = 3 };

struct side { /* half of a hipMemcpy3DParms */
  simt_array array;
  size_t position[3];
  simt_address address;
  size_t pitch, width, height;
};

struct copy3d {
  struct side from, to;
  size_t extent[3]; /* in texels */
  int kind;
};

simt_result hone__hip_copy_array(const struct hone__simt_gpu *gpu,
                                 const struct hone__simt_copy *copy)
{
  const struct side array = {.array = copy->array};
  const struct side memory = {.address = copy->address,
                              .pitch = copy->sizes[0] * copy->texel_bytes,
                              .width = copy->sizes[0] * copy->texel_bytes,
                              .height = copy->sizes[1]};
  const struct copy3d own = {.from = copy->to_array ? memory : array,
                             .to = copy->to_array ? array : memory,
                             .extent = {copy->sizes[0], copy->sizes[1], copy->sizes[2]},
                             .kind = DEVICE_TO_DEVICE};

  return gpu->api->Memcpy3DAsync(&own, gpu->stream);
}
