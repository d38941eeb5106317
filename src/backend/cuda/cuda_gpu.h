/* cuda_gpu.h - an open CUDA device: what it has besides simt/simt_gpu.h. */
#ifndef HONE_BACKEND_CUDA_CUDA_GPU_H
#define HONE_BACKEND_CUDA_CUDA_GPU_H

#include "backend/cuda/cuda_clocks.h"
#include "backend/cuda/cuda_device.h"
#include "backend/cuda/cuda_library.h"
#include "backend/cuda/nvml_library.h"
#include "backend/simt/simt_gpu.h"

struct hone__cuda_gpu {
  struct hone__simt_gpu simt;
  const struct hone__nvml_library *nvml; /* NULL: not available */
  nvml_device nvml_device;
  struct hone__clocks clocks;
  unsigned own_processes; /* how many of the processes that NVML lists are this one: 0 or 1 */
};

extern const struct hone__simt_kind hone__simt_kind_cuda;

/* cuda_own.c */
char *hone__cuda_own_module(struct hone__simt_gpu *gpu);

/* cuda_tensor_map.c: false: the fault describes what is wrong with the map. */
bool hone__cuda_tensor_map(struct hone__simt_gpu *gpu, const struct hone__gpu_arg *arg,
                           struct simt_tensor_map *out_map);

/* cuda_image.c */
simt_result hone__cuda_copy_array(const struct hone__simt_gpu *gpu,
                                  const struct hone__simt_copy *copy);

/* cuda_state.c */
void hone__cuda_state_open(struct hone__simt_gpu *gpu);   /* before the context exists */
void hone__cuda_state_settle(struct hone__simt_gpu *gpu); /* after it exists */
void hone__cuda_state(struct hone__gpu *gpu, struct hone__arena *arena,
                      struct hone__wire_device_state *out_state);
bool hone__cuda_energy(struct hone__gpu *gpu, double *out_joules);
bool hone__cuda_lock_clocks(struct hone__gpu *gpu, unsigned *out_mhz);
bool hone__cuda_limit_power(struct hone__gpu *gpu, double watts);

#endif
