/* hone_kernel.h - a kernel that is tuned when it is first called.
 *
 *   struct hone_kernel_options options;
 *   struct hone_kernel *kernel;
 *   const struct hone_kernel_function *found;
 *
 *   hone_kernel_options_init(&options);
 *   status = hone_kernel_open("sgemm.yaml", &options, &kernel);
 *   ...
 *   int64_t sizes[] = {m, n, k};                          in the order of the spec's `problem`
 *   status = hone_kernel_get(kernel, sizes, &found);
 *   ((sgemm_function *)found->call)(a, b, c, m, n, k);    the kernel's own prototype
 *   ...
 *   hone_kernel_free(kernel);
 *
 * GET. The first get of a problem finds its configuration, builds it (most often the cache of
 * builds has it), loads it into this process, and remembers it; the next ones take some ten
 * nanoseconds. The configuration comes from, in this order:
 *   1. `lookup` of the options: results that the program has itself;
 *   2. the wisdom file of the options or of HONE_WISDOM, by the name of the spec;
 *   3. the store: the newest finished run of this kernel, problem and machine, whatever its search;
 *   4. tuning, as hone_tune does it: in worker processes, with its result in the store.
 * A result is taken if it is proved: the winner of an IMPROVED run. If a run ended with NO
 * IMPROVEMENT or INCONCLUSIVE, it is the default, the spec's `baseline`. A kernel whose source,
 * build or arguments changed is tuned again; in one process a problem keeps what was found.
 *
 * ONCE. If several threads, or several processes with one store, need the same problem, one of them
 * tunes it. The others wait for it; their `progress` of the tuning options gets HONE_EVENT_PROGRESS
 * with the phase "waiting". If the process that tunes is killed, one of those that wait continues
 * its run. `no_wait`: they take the default instead, until the result is there. `background`:
 * nobody waits: the default comes at once, and a later get has the tuned kernel.
 *
 * HONE_AUTOTUNE. The environment variable wins over `autotune` of the options:
 *   off      the default configuration; nothing is looked up
 *   lookup   results that are there; else the default. Nothing is tuned
 *   on       as described above
 *   require  results that are there and prove something (IMPROVED or NO IMPROVEMENT, or those of
 *            `lookup`); else an error that names what is missing and the command that makes it.
 *            With it, the processes of a parallel job cannot use different configurations
 *
 * PROBLEMS are sizes, and need not be in the spec's list. `bucket` and `ignored` reduce the number
 * of problems that are tuned: they choose the problem whose result is used. The kernel is built for
 * the sizes that were asked for. If that configuration is illegal there (a constraint names a
 * size), it is the default.
 *
 * DEVICES. For kernels in C, `call` is a function. For CUDA, the caller has a current context: the
 * kernel is tuned on its device, and `module` and `function` belong to it. For OpenCL, the options
 * have the caller's context and device, and `module` and `function` are a cl_program and a
 * cl_kernel; as every cl_kernel, it belongs to one thread at a time.
 *
 * WORKERS are started from the program `hone`, as hone.h says.
 *
 * THREADS. All functions but hone_kernel_free may be called by any number of threads. While
 * something is tuned or built, libuv handles SIGCHLD in this process.
 */
#ifndef HONE_KERNEL_H
#define HONE_KERNEL_H

#include "hone.h"

#ifdef __cplusplus
extern "C" {
#endif

struct hone_kernel; /* opaque */

#define HONE_AUTOTUNES(X)                                                                          \
  X(ON, "on")                                                                                      \
  X(OFF, "off")                                                                                    \
  X(LOOKUP, "lookup")                                                                              \
  X(REQUIRE, "require")

enum hone_autotune {
#define HONE__AUTOTUNE_ENUM(id, name) HONE_AUTOTUNE_##id,
  HONE_AUTOTUNES(HONE__AUTOTUNE_ENUM)
#undef HONE__AUTOTUNE_ENUM
};
HONE_API const char *hone_autotune_name(enum hone_autotune autotune); /* "on" */

/* Changes sizes, in the order of the spec's `problem`, into those of the problem to be tuned
 * instead, such as the next powers of two. The same sizes must always become the same. */
typedef void hone_kernel_bucket(void *data, int64_t *sizes, size_t count);

/* What a program, or a library of results, knows about a problem ("M=512 N=512", after `bucket` and
 * `ignored`) of a kernel, by the name of its spec: writes the configuration ("BM=64,BN=32") to the
 * buffer. False: nothing. A configuration that is illegal for the problem is an error. */
typedef bool hone_kernel_lookup(void *data, const char *name, const char *problem, char *config,
                                size_t size);

struct hone_kernel_options {
  size_t size;                 /* set by hone_kernel_options_init */
  enum hone_autotune autotune; /* HONE_AUTOTUNE wins; default: on */
  bool background;             /* the default at once, tuning in a thread of the library */
  bool no_wait;                /* the default while another thread or process tunes the problem */
  const char *const *ignored;  /* names of sizes that do not matter for the choice: the problem is
                                  tuned with their first value in the spec */
  size_t ignored_count;
  hone_kernel_bucket *bucket; /* or NULL */
  void *bucket_data;
  hone_kernel_lookup *lookup; /* or NULL */
  void *lookup_data;
  /* A wisdom file (hone-wisdom(5)); NULL: that of HONE_WISDOM, if it is set. Where tuning is on,
   * results of other devices are not taken from it; where a proof is required, only what is proved
   * for this very device and problem. */
  const char *wisdom;
  /* How it is tuned, and where results are: lent until hone_kernel_free. NULL: the defaults. Its
   * problems and sizes are not used. `progress` may be called by several threads. Without
   * a `cancel` of its own, hone_kernel_free ends it at once. */
  const struct hone_tune_options *tune;
  void *opencl_context, *opencl_device; /* cl_context, cl_device_id; of kernels in OpenCL only */
};
HONE_API void hone_kernel_options_fill(struct hone_kernel_options *options, size_t size);
static inline void hone_kernel_options_init(struct hone_kernel_options *options)
{
  hone_kernel_options_fill(options, sizeof *options);
}

/* `file`: a spec, or a source with annotations. The options are copied, and the names in `ignored`
 * are not needed afterwards; other things that they point to are lent until hone_kernel_free.
 * `options` may be NULL. INVALID_SPEC: all errors of the file. */
HONE_API hone_status hone_kernel_open(const char *file, const struct hone_kernel_options *options,
                                      struct hone_kernel **out_kernel);
/* Of a loaded spec, which is lent until hone_kernel_free. */
HONE_API hone_status hone_kernel_open_spec(const struct hone_spec *spec,
                                           const struct hone_kernel_options *options,
                                           struct hone_kernel **out_kernel);
/* Ends tuning in the background (a later process continues it), and unloads all its functions: no
 * thread may be in one of them, or in a function of this header with this kernel. */
HONE_API void hone_kernel_free(struct hone_kernel *kernel);

/* The sizes of a problem, in order. */
HONE_API size_t hone_kernel_size_count(const struct hone_kernel *kernel);
HONE_API const char *hone_kernel_size_name(const struct hone_kernel *kernel, size_t index);
/* What is in force, with the environment. */
HONE_API enum hone_autotune hone_kernel_autotune(const struct hone_kernel *kernel);

enum hone_kernel_origin {                           /* where the configuration is from */
                          HONE_KERNEL_FROM_DEFAULT, /* nothing is known about the problem, or not
                                                       yet */
                          HONE_KERNEL_FROM_LOOKUP,
                          HONE_KERNEL_FROM_WISDOM,
                          HONE_KERNEL_FROM_STORE,
                          HONE_KERNEL_FROM_TUNING
};

/* Owned by the kernel until hone_kernel_free, and never changed. */
struct hone_kernel_function {
  void (*call)(void);      /* of C: to be cast to the kernel's type; else NULL */
  void *module, *function; /* of CUDA: CUmodule, CUfunction; of OpenCL: cl_program, cl_kernel */
  const char *config;      /* "BM=64,BN=32" */
  const char *problem;     /* "M=512 N=512": what it was built for */
  enum hone_kernel_origin origin;
  bool is_default;           /* the configuration is the spec's baseline */
  enum hone_verdict verdict; /* of the run that it is from; NONE: there is none */
  int64_t run;               /* its number in the store; 0: there is none */
  double speedup;            /* of an IMPROVED run; else NaN */
  /* The launch, of CUDA and OpenCL: threads in all, threads of a block (0: the driver chooses),
   * blocks, blocks of a cluster (1: none), and bytes of dynamic shared memory. */
  unsigned dimensions;
  size_t global[3], local[3], grid[3], cluster[3];
  size_t shared_bytes;
};

/* `sizes`: as many as hone_kernel_size_count. On failure nothing is remembered: the next get tries
 * again. */
HONE_API hone_status hone_kernel_get(struct hone_kernel *kernel, const int64_t *sizes,
                                     const struct hone_kernel_function **out_function);

struct hone_kernel_size {
  const char *name;
  int64_t value;
};
/* The same with names, in any order. Sizes that are `ignored` may be left out: then they have their
 * first value in the spec. INVALID_ARGUMENT names a size that is missing, unknown or given twice.
 */
HONE_API hone_status hone_kernel_get_named(struct hone_kernel *kernel,
                                           const struct hone_kernel_size *sizes, size_t count,
                                           const struct hone_kernel_function **out_function);

/* The value of a parameter or derived value of the function's configuration, where it is an
 * integer: for an argument that depends on it. */
HONE_API bool hone_kernel_value(const struct hone_kernel_function *function, const char *name,
                                int64_t *out_value);

/* Waits until nothing is tuned in the background. The first failure since the last call: the
 * functions of these problems stay the default, and are not tried again. */
HONE_API hone_status hone_kernel_wait(struct hone_kernel *kernel);

#ifdef __cplusplus
}
#endif

#endif
