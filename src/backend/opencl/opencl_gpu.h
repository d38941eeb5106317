/* opencl_gpu.h - an opened OpenCL device, shared by the files of its driver.
 *
 * Everything goes through one queue, in order, with profiling.
 */
#ifndef HONE_BACKEND_OPENCL_OPENCL_GPU_H
#define HONE_BACKEND_OPENCL_OPENCL_GPU_H

#include "backend/gpu/gpu_driver.h"
#include "backend/opencl/opencl_device.h"
#include "base/text.h"

struct hone__opencl_gpu {
  struct hone__gpu gpu; /* first */
  struct hone__opencl_device at;
  const struct hone__opencl_library *cl;
  cl_context context;
  cl_queue queue;
  cl_memory flusher; /* NULL: not yet; or caches are not known */
  size_t flusher_bytes;
  cl_program own;         /* our kernels; NULL: not needed yet */
  cl_kernel differ;       /* of these */
  cl_memory differ_first; /* one uint */
  char fingerprint[64];
};

static inline struct hone__opencl_gpu *hone__opencl_gpu(struct hone__gpu *gpu)
{
  return (struct hone__opencl_gpu *)gpu;
}

/* The meaning of an error depends on the phase. */
enum hone__opencl_phase {
  HONE__OPENCL_ALLOCATING,
  HONE__OPENCL_MOVING, /* reading, writing, copying */
  HONE__OPENCL_LOADING,
  HONE__OPENCL_LAUNCHING,
  HONE__OPENCL_RUNNING /* waiting for what was launched */
};
/* True for CL_SUCCESS; otherwise the fault is "`what` (CL_..., -5)". */
bool hone__opencl_is_ok(struct hone__opencl_gpu *gpu, int code, enum hone__opencl_phase phase,
                        const char *what);

/* opencl_memory.c */
struct hone__gpu_memory {
  cl_memory memory;
  size_t bytes;
  cl_memory image; /* with its content; NULL: none was needed */
};
bool hone__opencl_allocate(struct hone__gpu *gpu, size_t bytes,
                           struct hone__gpu_memory **out_memory);
void hone__opencl_release(struct hone__gpu *gpu, struct hone__gpu_memory *memory);
bool hone__opencl_write(struct hone__gpu *gpu, struct hone__gpu_memory *to, size_t offset,
                        const void *from, size_t bytes);
bool hone__opencl_read(struct hone__gpu *gpu, void *to, struct hone__gpu_memory *from,
                       size_t offset, size_t bytes);
bool hone__opencl_copy(struct hone__gpu *gpu, struct hone__gpu_memory *to, size_t to_offset,
                       struct hone__gpu_memory *from, size_t from_offset, size_t bytes);
bool hone__opencl_spread(struct hone__gpu *gpu, struct hone__gpu_memory *const *to, size_t count,
                         size_t to_offset, struct hone__gpu_memory *from, size_t from_offset,
                         size_t bytes);
bool hone__opencl_fill(struct hone__gpu *gpu, struct hone__gpu_memory *to, size_t offset,
                       uint8_t byte, size_t bytes);
bool hone__opencl_differ(struct hone__gpu *gpu, struct hone__gpu_memory *one, size_t one_offset,
                         struct hone__gpu_memory *other, size_t other_offset, size_t bytes,
                         size_t *out_first);

/* opencl_own.c: our own kernels, "hone_differ" and "hone_empty", built once and kept in the cache.
 */
bool hone__opencl_own(struct hone__opencl_gpu *gpu, const char *name, cl_kernel *out_kernel);
void hone__opencl_own_release(struct hone__opencl_gpu *gpu);

/* opencl_kernel.c */
bool hone__opencl_load(struct hone__gpu *gpu, const void *object, size_t size, const char *entry,
                       const struct hone__gpu_launch *launch, struct hone__gpu_kernel **out_kernel);
bool hone__opencl_load_beside(struct hone__gpu *gpu, struct hone__gpu_kernel *first,
                              const void *object, size_t size, const char *entry,
                              const struct hone__gpu_launch *launch,
                              struct hone__gpu_kernel **out_kernel);
void hone__opencl_unload(struct hone__gpu *gpu, struct hone__gpu_kernel *kernel);
bool hone__opencl_bind(struct hone__gpu *gpu, struct hone__gpu_kernel *kernel, size_t set,
                       const struct hone__gpu_arg *args, size_t count);
void hone__opencl_kernel_facts(struct hone__gpu *gpu, struct hone__gpu_kernel *kernel,
                               struct hone__named_list *facts);
/* The same, wherever a kernel is. */
void hone__opencl_add_kernel_facts(const struct hone__opencl_device *device, cl_kernel kernel,
                                   struct hone__named_list *facts);
/* " 'a', 'b'": those that a program has. */
void hone__opencl_add_kernel_names(const struct hone__opencl_library *cl, cl_program program,
                                   struct hone__text *text);

/* opencl_launch.c, opencl_image.c */
struct hone__gpu_kernel {
  cl_program program;
  bool is_beside; /* the program belongs to another kernel */
  char *entry;
  struct hone__gpu_launch launch;
  struct hone__opencl_set { /* a kernel of its own, whose arguments stay */
    cl_kernel kernel;
    cl_memory *parts; /* sub-buffers */
    size_t part_count;
    struct hone__gpu_arg *images; /* that are copied */
    cl_sampler *samplers;
    size_t image_count, sampler_count;
  } * sets;
  size_t set_count;
};
bool hone__opencl_flush(struct hone__gpu *gpu);
bool hone__opencl_perform(struct hone__gpu *gpu, const struct hone__gpu_work *work, size_t set);
bool hone__opencl_launch(struct hone__gpu *gpu, const struct hone__gpu_work *work, size_t set,
                         bool flush, double *out_ns);
bool hone__opencl_batch(struct hone__gpu *gpu, const struct hone__gpu_work *work, size_t sets,
                        size_t launches, double *out_ns, double *out_wall_ns);
/* The image of an argument; a sampler. */
bool hone__opencl_image(struct hone__opencl_gpu *gpu, struct hone__opencl_set *set,
                        const struct hone__gpu_arg *arg, cl_memory *out_image);
bool hone__opencl_sampler(struct hone__opencl_gpu *gpu, struct hone__opencl_set *set,
                          const struct hone__image *image, cl_sampler *out_sampler);
/* All images before a launch; those that are outputs after it. */
bool hone__opencl_images_copy(struct hone__opencl_gpu *gpu, const struct hone__gpu_work *work,
                              size_t set, bool to_image);
bool hone__opencl_floor(struct hone__gpu *gpu, enum hone__gpu_method method, double *out_ns);

#endif
