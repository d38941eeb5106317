/* kernel_candidate.h - the candidate of the backends c, cuda and opencl, as sent in jobs and kept
 * in the store: what differs between configurations of a kernel.
 */
#ifndef HONE_BACKEND_KERNEL_KERNEL_CANDIDATE_H
#define HONE_BACKEND_KERNEL_KERNEL_CANDIDATE_H

#include "wire/record.h"

/* A map of a tensor (CUtensorMap), in numbers; the driver encodes it. Elements are contiguous. */
struct hone__tensor_map {
  const char *type;     /* of elements */
  const char *fill;     /* "zero" or "nan" */
  int64_t *sizes, *box; /* innermost first */
  int64_t swizzle;      /* 0, 32, 64 or 128 */
  int64_t l2;           /* 0, 64, 128 or 256 */
  int64_t interleave;   /* 0, 16 or 32 */
  size_t sizes_count, box_count;
};

/* The value of an argument that is not a tensor: one of these. */
struct hone__kernel_value {
  struct hone_value scalar; /* a number, or a text for a u64 of 2^63 and more */
  struct hone_value local;  /* bytes of local memory */
  const char *bytes;        /* a struct's, in hex */
  const struct hone__tensor_map *map;
  const char *of; /* the tensor that it is of */
};

/* The shape of an output that depends on parameters. */
struct hone__kernel_extent {
  size_t arg; /* its number */
  int64_t *shape;
  size_t shape_count;
};

/* How a kernel is launched on a device. */
struct hone__kernel_launch {
  int64_t dimensions;                /* 1 to 3 */
  int64_t *global, *local, *cluster; /* three each: in threads, in threads, in blocks; `local` may
                                        be NULL: OpenCL chooses */
  int64_t shared;                    /* bytes of dynamic shared memory */
  bool cooperative;                  /* all blocks run at once */
  size_t global_count, local_count, cluster_count;
};

/* One launch of a pipeline: a kernel with its own arguments; or a call of a function in C, which
 * the setup has (struct hone__kernel_step). */
struct hone__kernel_stage {
  const char *name; /* in reports; stages with one name share their time */
  const char *entry;
  int64_t *args;                            /* numbers of the setup's arguments; NULL: all */
  struct hone__kernel_value *values;        /* of those that are not tensors, in order */
  const struct hone__kernel_launch *launch; /* NULL in C */
  const char *host; /* the file of a function that the host calls; NULL: it is a kernel */
  size_t args_count, values_count;
};

struct hone__kernel_candidate {
  const char *source; /* absolute */
  const char *entry;  /* of a pipeline: that of its first stage */
  const char **includes, **flags;
  struct hone__name_value *defines;
  size_t given_defines;              /* how many of them, at the end, are from `build.defines` */
  struct hone__kernel_value *values; /* of arguments that are not tensors, in order; a reference in
                                        C of a GPU's kernel has those of scalars alone */
  struct hone__kernel_extent *extents; /* of arguments whose shape depends on parameters */
  const char *language;                /* in C: "c" or "c++" */
  const char *compiler;                /* in C and CUDA */
  struct hone_value math;              /* in C: false: it needs no libm */
  const char **command;                /* in C: build.command; NULL: none */
  const char *arch;                    /* in CUDA: "sm_90a" */
  const char *built_for;               /* in OpenCL: device, driver, platform */
  const struct hone__kernel_launch *launch;
  struct hone__name_value *env;      /* in C: variables of the environment that it is called in */
  int64_t power_limit_w;             /* of the device while it runs; 0: the usual one */
  int64_t *args;                     /* as in a stage; of a reference that gets no scratch memory */
  struct hone__kernel_stage *stages; /* of a pipeline: distinct ones; NULL: it is one kernel */
  int64_t *order;                    /* of a pipeline: the numbers of stages, as they are called */
  const char *source_digest;
  const char
      *key; /* digest of everything that changes the object and its call, except included files */
  const char *backend; /* for a reference of another kind than the setup's; otherwise NULL */
  bool takes_symbols;  /* a reference in C: symbols are pointers among its arguments */
  size_t includes_count, flags_count, defines_count, values_count, extents_count, command_count;
  size_t args_count, stages_count, order_count, env_count;
};

extern const struct hone__record_type hone__kernel_candidate_type, hone__kernel_stage_type;

/* NULL: all candidates have the same. */
const struct hone__kernel_extent *
hone__kernel_extent_of(const struct hone__kernel_candidate *candidate, size_t arg);
int64_t hone__kernel_extent_elements(const struct hone__kernel_extent *extent);

/* Whether a candidate is in C: a reference beside kernels of another kind. */
bool hone__kernel_is_c(const struct hone__kernel_candidate *candidate);

#endif
