/* opencl_gpu.h - an opened OpenCL device, as the parts of its driver see it.
 *
 * Everything goes through one queue, in order, with profiling.
 */
#ifndef HONE_BACKEND_OPENCL_OPENCL_GPU_H
#define HONE_BACKEND_OPENCL_OPENCL_GPU_H

#include "backend/gpu/gpu_driver.h"
#include "backend/opencl/opencl_device.h"
#include "base/text.h"

struct hone_opencl_gpu {
  struct hone_gpu gpu; /* first */
  struct hone_opencl_device at;
  const struct hone_opencl_library *cl;
  cl_context context;
  cl_queue queue;
  cl_memory flusher; /* NULL: not yet; or caches are not known */
  size_t flusher_bytes;
  cl_program own;         /* our kernels; NULL: not needed yet */
  cl_kernel differ;       /* of these */
  cl_memory differ_first; /* one uint */
  char fingerprint[64];
};

static inline struct hone_opencl_gpu *hone__opencl_gpu(struct hone_gpu *gpu)
{
  return (struct hone_opencl_gpu *)gpu;
}

/* When an error came tells what it means. */
enum hone_opencl_phase {
  HONE_OPENCL_ALLOCATING,
  HONE_OPENCL_MOVING, /* reading, writing, copying */
  HONE_OPENCL_LOADING,
  HONE_OPENCL_LAUNCHING,
  HONE_OPENCL_RUNNING /* waiting for what was launched */
};
/* True for CL_SUCCESS; else the fault says "`what` (CL_..., -5)". */
bool hone__opencl_is_ok(struct hone_opencl_gpu *gpu, int code, enum hone_opencl_phase phase,
                        const char *what);

/* opencl_memory.c */
struct hone_gpu_memory {
  cl_memory memory;
  size_t bytes;
};
bool hone__opencl_allocate(struct hone_gpu *gpu, size_t bytes, struct hone_gpu_memory **out_memory);
void hone__opencl_release(struct hone_gpu *gpu, struct hone_gpu_memory *memory);
bool hone__opencl_write(struct hone_gpu *gpu, struct hone_gpu_memory *to, size_t offset,
                        const void *from, size_t bytes);
bool hone__opencl_read(struct hone_gpu *gpu, void *to, struct hone_gpu_memory *from, size_t offset,
                       size_t bytes);
bool hone__opencl_copy(struct hone_gpu *gpu, struct hone_gpu_memory *to, size_t to_offset,
                       struct hone_gpu_memory *from, size_t from_offset, size_t bytes);
bool hone__opencl_spread(struct hone_gpu *gpu, struct hone_gpu_memory *const *to, size_t count,
                         size_t to_offset, struct hone_gpu_memory *from, size_t from_offset,
                         size_t bytes);
bool hone__opencl_fill(struct hone_gpu *gpu, struct hone_gpu_memory *to, size_t offset,
                       uint8_t byte, size_t bytes);
bool hone__opencl_differ(struct hone_gpu *gpu, struct hone_gpu_memory *one, size_t one_offset,
                         struct hone_gpu_memory *other, size_t other_offset, size_t bytes,
                         size_t *out_first);

/* opencl_own.c: our own kernels, "hone_differ" and "hone_empty", built once and kept in the cache.
 */
bool hone__opencl_own(struct hone_opencl_gpu *gpu, const char *name, cl_kernel *out_kernel);
void hone__opencl_own_release(struct hone_opencl_gpu *gpu);

/* opencl_kernel.c */
bool hone__opencl_load(struct hone_gpu *gpu, const void *object, size_t size,
                       const json_t *candidate, const struct hone_gpu_launch *launch,
                       struct hone_gpu_kernel **out_kernel);
void hone__opencl_unload(struct hone_gpu *gpu, struct hone_gpu_kernel *kernel);
bool hone__opencl_bind(struct hone_gpu *gpu, struct hone_gpu_kernel *kernel, size_t set,
                       const struct hone_gpu_arg *args, size_t count);
void hone__opencl_kernel_facts(struct hone_gpu *gpu, struct hone_gpu_kernel *kernel, json_t *facts);
/* The same, wherever a kernel is. */
void hone__opencl_add_kernel_facts(const struct hone_opencl_device *device, cl_kernel kernel,
                                   json_t *facts);
/* " 'a', 'b'": those that a program has. */
void hone__opencl_add_kernel_names(const struct hone_opencl_library *cl, cl_program program,
                                   struct hone_text *text);

/* opencl_launch.c */
struct hone_gpu_kernel {
  cl_program program;
  char *entry;
  struct hone_gpu_launch launch;
  struct hone_opencl_set { /* a kernel of its own, whose arguments stay */
    cl_kernel kernel;
    cl_memory *parts; /* sub-buffers */
    size_t part_count;
  } * sets;
  size_t set_count;
};
bool hone__opencl_launch(struct hone_gpu *gpu, struct hone_gpu_kernel *kernel, size_t set,
                         bool flush, double *out_ns);
bool hone__opencl_batch(struct hone_gpu *gpu, struct hone_gpu_kernel *kernel, size_t sets,
                        size_t launches, double *out_ns, double *out_wall_ns);
bool hone__opencl_floor(struct hone_gpu *gpu, enum hone_gpu_method method, double *out_ns);

#endif
