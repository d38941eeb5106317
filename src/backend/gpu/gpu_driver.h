/* gpu_driver.h - what a library of devices (CUDA, HIP, OpenCL) must be able to do.
 *
 * A driver is one const struct. Nothing of it runs in the process that drives the run: `list` runs
 * in a probe (gpu_probe.h), all the rest in the helper (gpu_bench.h), a process of its own that
 * may hang or die. The helper does one thing after the other, on one thread.
 *
 * Methods that return bool leave why they failed in `gpu->fault`. A fault that is fatal has ruined
 * the context: the helper ends, and the next candidate has a new one.
 *
 * FACTS of a device (device_facts.h): those that are numbers, "name" and "arch" are also what
 * `device.*` means in expressions. Both libraries give these where they know them:
 *   "device" ("cuda:0", "opencl:pocl:0"), "name", "kind" ("gpu", "cpu", "accelerator"), "arch"
 *   ("sm_90a", "gfx90a"; of OpenCL: the platform's version), "driver" (version), "fingerprint"
 * (digest of what makes times comparable: name, driver, limits), "notes": [texts] memory_bytes,
 * shared_bytes (of a block, static), shared_optin_bytes, shared_per_sm_bytes, registers (of a
 * block), registers_per_sm, max_threads (of a block), max_threads_per_sm, max_blocks_per_sm,
 * warp_size, sm_count, l2_bytes, cache_bytes (= l2_bytes), line_bytes, clock_mhz, memory_clock_mhz,
 * bus_bits, compute_capability (90)
 */
#ifndef HONE_BACKEND_GPU_GPU_DRIVER_H
#define HONE_BACKEND_GPU_GPU_DRIVER_H

#include "base/status.h"
#include "base/outcome.h"
#include "backend/kernel/image.h"
#include "backend/kernel/kernel_candidate.h"
#include "wire/device_facts.h"
#include "wire/named.h"

#include <stddef.h>
#include <stdint.h>

struct hone__gpu_fault {
  /* OK: none. LAUNCH_FAILURE: cannot be loaded, bad sizes, too much shared memory or registers.
   * OOM_DEVICE. DEVICE_FAULT: illegal address, misaligned, trap ... */
  enum hone_outcome outcome;
  bool is_fatal;
  char message[240]; /* "illegal memory access (CUDA_ERROR_ILLEGAL_ADDRESS, 700)" */
};

/* LAUNCH_FAILURE, with an intact context. Always false. */
bool hone__gpu_refuse(struct hone__gpu_fault *fault, const char *format, ...) HONE__PRINTF(2, 3);

struct hone__gpu { /* first member of a driver's own struct */
  const struct hone__gpu_driver *driver;
  struct hone__gpu_fault fault; /* of the last failed method */
  size_t cache_bytes;           /* L2, or the last cache; 0: not known */
  size_t alignment;             /* of an argument's offset in its memory */
};

struct hone__gpu_memory; /* opaque */
struct hone__gpu_kernel; /* opaque: one candidate, loaded */

enum hone__gpu_arg_kind {
  HONE__GPU_BUFFER,     /* `size` bytes from `offset` on */
  HONE__GPU_BYTES,      /* a scalar or struct by value: `size` bytes at `bytes` */
  HONE__GPU_LOCAL,      /* `size` bytes of local memory (OpenCL only) */
  HONE__GPU_TENSOR_MAP, /* a CUtensorMap by value, of a buffer as above (CUDA only) */
  HONE__GPU_SYMBOL,     /* an array of the object, not a parameter: it gets the content of a buffer
                           before a launch, and an output is copied back after it; not timed */
  HONE__GPU_IMAGE,      /* a texture, a surface or an image, which gets the content alike */
  HONE__GPU_SAMPLER     /* (OpenCL only) */
};

struct hone__gpu_arg {
  enum hone__gpu_arg_kind kind;
  struct hone__gpu_memory *memory;
  size_t offset, size;
  const void *bytes;
  const struct hone__tensor_map *map; /* of a TENSOR_MAP */
  const char *symbol;                 /* of a SYMBOL, and of an IMAGE that is a reference:
                                         its name in the object */
  const struct hone__image *image;    /* of an IMAGE and a SAMPLER; kept as long as the memory */
  bool is_written; /* of a SYMBOL and an IMAGE: put back, also for the next stage if stages are
                      launched one by one */
};

struct hone__gpu_launch {
  unsigned dimensions;
  size_t global[3], local[3]; /* in threads; unused: 1. A grid is global / local. */
  bool has_local;             /* false: OpenCL chooses */
  size_t cluster[3];          /* in blocks; 1: none */
  size_t shared;              /* bytes of dynamic shared memory */
  bool is_cooperative;        /* all blocks run at once (CUDA only) */
};

/* What one call of a candidate launches, one after the other. */
struct hone__gpu_work {
  struct hone__gpu_kernel *const *kernels;
  size_t count; /* at least 1 */
};

enum { HONE__GPU_MOST_SETS = 1024 }; /* of one kernel's arguments */

/* How a sample came about. */
enum hone__gpu_method {
  HONE__GPU_EVENTS, /* one launch between two events, caches flushed before it */
  HONE__GPU_BATCH   /* many launches over rotating sets of arguments: a graph, or profiled events */
};

struct hone__gpu_driver {
  const char *name;
  size_t most_sets; /* the most that a batch benefits from, besides cold caches */
  bool sleeps;      /* the first process of many waits for its library: see gpu_keepalive.h */

  /* In a probe: adds the facts of every device. UNAVAILABLE: the library or a driver is missing;
   * has advice. */
  hone_status (*list)(struct hone__wire_device_list *devices);

  /* In the helper. `device`: "cuda", "cuda:1", "cuda:GPU-uuid", "opencl:pocl:0" ...; UNAVAILABLE,
   * NOT_FOUND (lists the available ones). */
  hone_status (*open)(const char *device, struct hone__gpu **out_gpu);
  void (*close)(struct hone__gpu *gpu);
  /* The facts of the open device, allocated in the arena. */
  void (*facts)(struct hone__gpu *gpu, struct hone__arena *arena,
                struct hone__wire_device_facts *out_facts);
  /* The present state, allocated in the arena. NULL: not available. */
  void (*state)(struct hone__gpu *gpu, struct hone__arena *arena,
                struct hone__wire_device_state *out_state);
  /* The energy counter, in joules; false, or NULL: there is none. */
  bool (*energy)(struct hone__gpu *gpu, double *out_joules);
  /* Keeps the clocks at one frequency, and limits the power (0: to what it was before); false: the
   * fault has the reason. NULL: it cannot. Whatever ends this process, `release_left` takes them
   * back: it is called in another one. */
  bool (*lock_clocks)(struct hone__gpu *gpu, unsigned *out_mhz);
  bool (*limit_power)(struct hone__gpu *gpu, double watts);
  void (*release_left)(void);
  /* Measured once: the time of an empty kernel by either method, in ns. */
  bool (*floor)(struct hone__gpu *gpu, enum hone__gpu_method method, double *out_ns);

  bool (*allocate)(struct hone__gpu *gpu, size_t bytes, struct hone__gpu_memory **out_memory);
  void (*release)(struct hone__gpu *gpu, struct hone__gpu_memory *memory);
  bool (*write)(struct hone__gpu *gpu, struct hone__gpu_memory *to, size_t offset, const void *from,
                size_t bytes);
  bool (*read)(struct hone__gpu *gpu, void *to, struct hone__gpu_memory *from, size_t offset,
               size_t bytes);
  bool (*copy)(struct hone__gpu *gpu, struct hone__gpu_memory *to, size_t to_offset,
               struct hone__gpu_memory *from, size_t from_offset, size_t bytes);
  bool (*fill)(struct hone__gpu *gpu, struct hone__gpu_memory *to, size_t offset, uint8_t byte,
               size_t bytes);
  /* The offset of the first byte that differs, `bytes` if none does; compared on the device. */
  bool (*differ)(struct hone__gpu *gpu, struct hone__gpu_memory *one, size_t one_offset,
                 struct hone__gpu_memory *other, size_t other_offset, size_t bytes,
                 size_t *out_first);
  /* Copies to every one of `to`. NULL: `copy` does it one by one. */
  bool (*spread)(struct hone__gpu *gpu, struct hone__gpu_memory *const *to, size_t count,
                 size_t to_offset, struct hone__gpu_memory *from, size_t from_offset, size_t bytes);
  /* The number of the first of `many` that differs, `count` if none does; compared on the device.
   * NULL: `differ` does it one by one. */
  bool (*differ_any)(struct hone__gpu *gpu, struct hone__gpu_memory *const *many, size_t count,
                     size_t offset, struct hone__gpu_memory *other, size_t other_offset,
                     size_t bytes, size_t *out_which);

  /* `object` is from the builder, `entry` from the candidate. */
  bool (*load)(struct hone__gpu *gpu, const void *object, size_t size, const char *entry,
               const struct hone__gpu_launch *launch, struct hone__gpu_kernel **out_kernel);
  /* Another kernel of the same object, which `first` has loaded: it is unloaded before `first` is.
   */
  bool (*load_beside)(struct hone__gpu *gpu, struct hone__gpu_kernel *first, const void *object,
                      size_t size, const char *entry, const struct hone__gpu_launch *launch,
                      struct hone__gpu_kernel **out_kernel);
  void (*unload)(struct hone__gpu *gpu, struct hone__gpu_kernel *kernel);
  /* Set number `set` (0 ... HONE__GPU_MOST_SETS - 1) of its arguments, in order. Bytes are copied.
   */
  bool (*bind)(struct hone__gpu *gpu, struct hone__gpu_kernel *kernel, size_t set,
               const struct hone__gpu_arg *args, size_t count);
  /* The work once with the arguments of `set`, waited for. `*out_ns`: between two events; wall time
   * if there are none. `flush`: flushes the caches first, which is not timed. */
  bool (*launch)(struct hone__gpu *gpu, const struct hone__gpu_work *work, size_t set, bool flush,
                 double *out_ns);
  /* Flushes the caches, and waits for that; and the work once, waited for, without events. What is
   * between two calls is for the host's clock. */
  bool (*flush)(struct hone__gpu *gpu);
  bool (*perform)(struct hone__gpu *gpu, const struct hone__gpu_work *work, size_t set);
  /* The work `launches` times at once, over sets 0, 1 ... sets - 1, 0, 1 ...; `*out_ns` is per
   * turn,
   * `*out_wall_ns` the host's time per turn. A prepared graph is kept with the first kernel until
   * the counts change. */
  bool (*batch)(struct hone__gpu *gpu, const struct hone__gpu_work *work, size_t sets,
                size_t launches, double *out_ns, double *out_wall_ns);
  /* Facts of the loaded kernel: "registers", "local_bytes", "shared_bytes", "max_threads",
   * "occupancy" (0 to 1), "private_bytes", "preferred_multiple" ... */
  void (*kernel_facts)(struct hone__gpu *gpu, struct hone__gpu_kernel *kernel,
                       struct hone__named_list *facts);
};

extern const struct hone__gpu_driver hone__gpu_cuda, hone__gpu_hip, hone__gpu_opencl;

#endif
