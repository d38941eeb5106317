/* cuda_gpu.h - an open CUDA device: shared by the files of the driver. */
#ifndef HONE_BACKEND_CUDA_CUDA_GPU_H
#define HONE_BACKEND_CUDA_CUDA_GPU_H

#include "backend/cuda/cuda_device.h"
#include "backend/cuda/cuda_fault.h"
#include "backend/cuda/nvml_library.h"

struct hone__cuda_own { /* our own kernels, which the driver compiles */
  cuda_module module;   /* NULL: not supported */
  cuda_function empty, spin, differ, many;
  cuda_address first; /* 8 bytes for a result */
  cuda_address table; /* addresses of the sets for `many` */
};

struct hone__cuda_gpu {
  struct hone__gpu base;
  const struct hone__cuda_library *cuda;
  int index; /* "cuda:1" */
  cuda_device device;
  cuda_context context;
  cuda_stream stream;
  cuda_event begin, end;
  struct hone__cuda_own own;
  cuda_address flushed; /* memory that is written to evict the cache */
  int clock_khz;
  const struct hone__nvml_library *nvml; /* NULL: not available */
  nvml_device nvml_device;
  unsigned own_processes; /* how many of the processes that NVML lists are this one: 0 or 1 */
};

struct hone__gpu_memory {
  cuda_address address;
  size_t bytes;
};

struct hone__cuda_set { /* arguments in the form of a launch */
  void **params;
  char *bytes;
};

struct hone__cuda_param { /* from the object */
  uint32_t offset, size;
};

struct hone__gpu_kernel {
  cuda_module module;
  cuda_function function;
  unsigned grid[3], block[3], cluster[3], shared;
  bool has_cluster;
  int static_shared, most_threads;
  struct hone__cuda_param *params;
  size_t param_count;
  bool params_are_known;
  struct hone__cuda_set *sets;
  size_t set_count;
  /* kept by `batch` */
  cuda_graph_exec graph;
  size_t graph_sets, graph_launches;
  bool has_no_graph; /* it cannot be captured: launched one by one */
};

static inline struct hone__cuda_gpu *hone__cuda_gpu(struct hone__gpu *gpu)
{
  return (struct hone__cuda_gpu *)gpu;
}

/* True: it failed, and gpu->fault has the reason. */
static inline bool hone__cuda_fails(struct hone__cuda_gpu *gpu, cuda_result result,
                                    const char *what)
{
  if (result) hone__cuda_judge(gpu->cuda, result, what, &gpu->base.fault);
  return result != 0;
}

/* cuda_own.c */
void hone__cuda_own_load(struct hone__cuda_gpu *gpu);
void hone__cuda_own_unload(struct hone__cuda_gpu *gpu);
/* Keeps the stream busy while the host queues the work to be timed. */
bool hone__cuda_hold(struct hone__cuda_gpu *gpu, double us);
bool hone__cuda_differ(struct hone__gpu *gpu, struct hone__gpu_memory *one, size_t one_offset,
                       struct hone__gpu_memory *other, size_t other_offset, size_t bytes,
                       size_t *out_first);
bool hone__cuda_spread(struct hone__gpu *gpu, struct hone__gpu_memory *const *to, size_t count,
                       size_t to_offset, struct hone__gpu_memory *from, size_t from_offset,
                       size_t bytes);
bool hone__cuda_differ_any(struct hone__gpu *gpu, struct hone__gpu_memory *const *many,
                           size_t count, size_t offset, struct hone__gpu_memory *other,
                           size_t other_offset, size_t bytes, size_t *out_which);

/* cuda_kernel.c */
bool hone__cuda_load(struct hone__gpu *gpu, const void *object, size_t size, const char *entry,
                     const struct hone__gpu_launch *launch, struct hone__gpu_kernel **out_kernel);
void hone__cuda_unload(struct hone__gpu *gpu, struct hone__gpu_kernel *kernel);
void hone__cuda_kernel_facts(struct hone__gpu *gpu, struct hone__gpu_kernel *kernel,
                             struct hone__named_list *facts);
/* Queues one launch. */
bool hone__cuda_queue(struct hone__cuda_gpu *gpu, struct hone__gpu_kernel *kernel, size_t set);

/* cuda_arguments.c */
bool hone__cuda_bind(struct hone__gpu *gpu, struct hone__gpu_kernel *kernel, size_t set,
                     const struct hone__gpu_arg *args, size_t count);
void hone__cuda_sets_release(struct hone__gpu_kernel *kernel);

/* cuda_tensor_map.c: false: the fault describes what is wrong with the map. */
bool hone__cuda_tensor_map(struct hone__cuda_gpu *gpu, const struct hone__gpu_arg *arg,
                           struct cuda_tensor_map *out_map);

/* cuda_clock.c */
bool hone__cuda_launch(struct hone__gpu *gpu, struct hone__gpu_kernel *kernel, size_t set,
                       bool flush, double *out_ns);
bool hone__cuda_batch(struct hone__gpu *gpu, struct hone__gpu_kernel *kernel, size_t sets,
                      size_t launches, double *out_ns, double *out_wall_ns);
bool hone__cuda_floor(struct hone__gpu *gpu, enum hone__gpu_method method, double *out_ns);
void hone__cuda_graph_release(struct hone__cuda_gpu *gpu, struct hone__gpu_kernel *kernel);

/* cuda_state.c */
void hone__cuda_state_open(struct hone__cuda_gpu *gpu);   /* before the context exists */
void hone__cuda_state_settle(struct hone__cuda_gpu *gpu); /* after it exists */
void hone__cuda_state(struct hone__gpu *gpu, struct hone__arena *arena,
                      struct hone__device_state *out_state);
bool hone__cuda_energy(struct hone__gpu *gpu, double *out_joules);

#endif
