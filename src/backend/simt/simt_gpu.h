/* simt_gpu.h - an open device of CUDA or HIP: shared by the files of the driver.
 *
 * Everything but the library's functions is common: a primary context, one stream, modules, events
 * and graphs. simt_kind.h has what is not.
 */
#ifndef HONE_BACKEND_SIMT_SIMT_GPU_H
#define HONE_BACKEND_SIMT_SIMT_GPU_H

#include "backend/simt/simt_device.h"
#include "backend/simt/simt_fault.h"

struct hone__simt_own { /* our own kernels */
  simt_module module;   /* NULL: not supported */
  simt_function empty, spin, differ, many;
  simt_address first; /* 8 bytes for a result */
  simt_address table; /* addresses of the sets for `many` */
};

struct hone__simt_gpu { /* first member of a kind's own struct */
  struct hone__gpu base;
  const struct hone__simt_library *api;
  int index; /* "cuda:1" */
  simt_device device;
  simt_context context;
  simt_stream stream;
  simt_event begin, end;
  struct hone__simt_own own;
  simt_address flushed; /* memory that is written to evict the cache */
  int clock_khz;
};

struct hone__gpu_memory {
  simt_address address;
  size_t bytes;
  simt_array array; /* of a texture or surface; NULL: none was needed */
};

struct hone__simt_symbol { /* an array of the module, and the memory of its argument */
  simt_address array, buffer;
  size_t bytes;
  bool is_output;
};

struct hone__simt_image { /* an object, and what it is of */
  uint64_t object;
  const struct hone__image *image;
  struct hone__gpu_memory *memory;
  size_t offset;
  bool is_output;
  simt_address variable; /* of a reference: where the object is kept; 0: it is not one */
};

struct hone__simt_set { /* arguments in the form of a launch */
  void **params;
  char *bytes;
  struct hone__simt_symbol *symbols;
  size_t symbol_count;
  struct hone__simt_image *images;
  size_t image_count;
};

struct hone__gpu_kernel {
  simt_module module;
  bool is_beside; /* the module belongs to another kernel */
  simt_function function;
  unsigned grid[3], block[3], cluster[3], shared;
  bool has_cluster, is_cooperative;
  int static_shared, most_threads;
  struct hone__simt_param *params;
  size_t param_count;
  bool params_are_known;
  struct hone__simt_set *sets;
  size_t set_count;
  /* kept by `batch` */
  simt_graph_exec graph;
  size_t graph_sets, graph_launches;
  bool has_no_graph; /* it cannot be captured: launched one by one */
};

static inline struct hone__simt_gpu *hone__simt_gpu(struct hone__gpu *gpu)
{
  return (struct hone__simt_gpu *)gpu;
}

/* True: it failed, and gpu->fault has the reason. */
static inline bool hone__simt_fails(struct hone__simt_gpu *gpu, simt_result result,
                                    const char *what)
{
  if (result) hone__simt_judge(gpu->api, result, what, &gpu->base.fault);
  return result != 0;
}

/* simt_own.c */
void hone__simt_own_load(struct hone__simt_gpu *gpu);
void hone__simt_own_unload(struct hone__simt_gpu *gpu);
/* Keeps the stream busy while the host queues the work to be timed. */
bool hone__simt_hold(struct hone__simt_gpu *gpu, double us);
bool hone__simt_differ(struct hone__gpu *gpu, struct hone__gpu_memory *one, size_t one_offset,
                       struct hone__gpu_memory *other, size_t other_offset, size_t bytes,
                       size_t *out_first);
bool hone__simt_spread(struct hone__gpu *gpu, struct hone__gpu_memory *const *to, size_t count,
                       size_t to_offset, struct hone__gpu_memory *from, size_t from_offset,
                       size_t bytes);
bool hone__simt_differ_any(struct hone__gpu *gpu, struct hone__gpu_memory *const *many,
                           size_t count, size_t offset, struct hone__gpu_memory *other,
                           size_t other_offset, size_t bytes, size_t *out_which);

/* simt_kernel.c */
bool hone__simt_load(struct hone__gpu *gpu, const void *object, size_t size, const char *entry,
                     const struct hone__gpu_launch *launch, struct hone__gpu_kernel **out_kernel);
bool hone__simt_load_beside(struct hone__gpu *gpu, struct hone__gpu_kernel *first,
                            const void *object, size_t size, const char *entry,
                            const struct hone__gpu_launch *launch,
                            struct hone__gpu_kernel **out_kernel);
void hone__simt_unload(struct hone__gpu *gpu, struct hone__gpu_kernel *kernel);
void hone__simt_kernel_facts(struct hone__gpu *gpu, struct hone__gpu_kernel *kernel,
                             struct hone__named_list *facts);
/* Queues one launch. */
bool hone__simt_queue(struct hone__simt_gpu *gpu, struct hone__gpu_kernel *kernel, size_t set);

/* simt_arguments.c */
bool hone__simt_bind(struct hone__gpu *gpu, struct hone__gpu_kernel *kernel, size_t set,
                     const struct hone__gpu_arg *args, size_t count);
void hone__simt_sets_release(struct hone__simt_gpu *gpu, struct hone__gpu_kernel *kernel);

/* simt_symbols.c: of all arguments, those that are symbols; their content before a launch, and what
 * it leaves. */
bool hone__simt_symbols_bind(struct hone__simt_gpu *gpu, const struct hone__gpu_kernel *kernel,
                             const struct hone__gpu_arg *args, size_t count,
                             struct hone__simt_set *set);
bool hone__simt_symbols_write(struct hone__simt_gpu *gpu, const struct hone__gpu_kernel *kernel,
                              size_t set);
bool hone__simt_symbols_read(struct hone__simt_gpu *gpu, const struct hone__gpu_kernel *kernel,
                             size_t set);

/* simt_image.c: makes a texture or surface object; the set has room for it. Content before a
 * launch, and what it leaves. */
bool hone__simt_image_bind(struct hone__simt_gpu *gpu, const struct hone__gpu_arg *arg,
                           struct hone__simt_set *set, uint64_t *out_object);
/* Texture references: variables of the module that hold the object. */
bool hone__simt_references_bind(struct hone__simt_gpu *gpu, const struct hone__gpu_kernel *kernel,
                                const struct hone__gpu_arg *args, size_t count,
                                struct hone__simt_set *set);
void hone__simt_images_release(struct hone__simt_gpu *gpu, struct hone__simt_set *set);
void hone__simt_array_release(struct hone__simt_gpu *gpu, struct hone__gpu_memory *memory);
bool hone__simt_images_write(struct hone__simt_gpu *gpu, const struct hone__gpu_kernel *kernel,
                             size_t set);
bool hone__simt_images_read(struct hone__simt_gpu *gpu, const struct hone__gpu_kernel *kernel,
                            size_t set);

/* simt_clock.c */
bool hone__simt_flush(struct hone__gpu *gpu);
bool hone__simt_perform(struct hone__gpu *gpu, const struct hone__gpu_work *work, size_t set);
bool hone__simt_launch(struct hone__gpu *gpu, const struct hone__gpu_work *work, size_t set,
                       bool flush, double *out_ns);
bool hone__simt_batch(struct hone__gpu *gpu, const struct hone__gpu_work *work, size_t sets,
                      size_t launches, double *out_ns, double *out_wall_ns);
bool hone__simt_floor(struct hone__gpu *gpu, enum hone__gpu_method method, double *out_ns);
void hone__simt_graph_release(struct hone__simt_gpu *gpu, struct hone__gpu_kernel *kernel);

/* simt_driver.c: methods of struct hone__gpu_driver. */
hone_status hone__simt_open(const struct hone__simt_kind *kind, const char *device,
                            struct hone__gpu **out_gpu);
void hone__simt_close(struct hone__gpu *gpu);
void hone__simt_get_facts(struct hone__gpu *gpu, struct hone__arena *arena,
                          struct hone__wire_device_facts *out_facts);
bool hone__simt_allocate(struct hone__gpu *gpu, size_t bytes, struct hone__gpu_memory **out_memory);
void hone__simt_release(struct hone__gpu *gpu, struct hone__gpu_memory *memory);
bool hone__simt_write(struct hone__gpu *gpu, struct hone__gpu_memory *to, size_t offset,
                      const void *from, size_t bytes);
bool hone__simt_read(struct hone__gpu *gpu, void *to, struct hone__gpu_memory *from, size_t offset,
                     size_t bytes);
bool hone__simt_copy(struct hone__gpu *gpu, struct hone__gpu_memory *to, size_t to_offset,
                     struct hone__gpu_memory *from, size_t from_offset, size_t bytes);
bool hone__simt_fill(struct hone__gpu *gpu, struct hone__gpu_memory *to, size_t offset,
                     uint8_t byte, size_t bytes);

/* What the drivers of both kinds have in common. */
#define HONE__SIMT_METHODS                                                                         \
  .most_sets = HONE__GPU_MOST_SETS, /* a graph may have any number of nodes */                     \
      .close = hone__simt_close, .facts = hone__simt_get_facts, .floor = hone__simt_floor,         \
  .allocate = hone__simt_allocate, .release = hone__simt_release, .write = hone__simt_write,       \
  .read = hone__simt_read, .copy = hone__simt_copy, .spread = hone__simt_spread,                   \
  .fill = hone__simt_fill, .differ = hone__simt_differ, .differ_any = hone__simt_differ_any,       \
  .load = hone__simt_load, .load_beside = hone__simt_load_beside, .unload = hone__simt_unload,     \
  .bind = hone__simt_bind, .launch = hone__simt_launch, .flush = hone__simt_flush,                 \
  .perform = hone__simt_perform, .batch = hone__simt_batch,                                        \
  .kernel_facts = hone__simt_kernel_facts

#endif
