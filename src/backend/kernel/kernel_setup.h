/* kernel_setup.h - the SETUP message of the backends c, cuda and opencl: everything that workers
 * need for a problem. Offsets are into its payload.
 */
#ifndef HONE_BACKEND_KERNEL_KERNEL_SETUP_H
#define HONE_BACKEND_KERNEL_KERNEL_SETUP_H

#include "wire/device_facts.h"

struct hone__kernel_file { /* in the payload */
  size_t offset, size;
  const char *format; /* "npy" or "bin" */
  const char *digest;
};

struct hone__kernel_fill { /* the content of an input; only the fields of its kind */
  const char *kind;        /* see check/fill.h */
  struct hone_value low, high, value;
  const struct hone__kernel_file *file;
};

/* Of a tensor that is taken as an image, or of a sampler: see image.h. */
struct hone__kernel_image {
  const char *kind; /* "texture", "surface", "image" or "sampler" */
  int64_t channels;
  const char *filter, *address, *read, *memory;
  bool normalized;
};

/* A tensor has a role and a shape; other kinds have one of the four flags. */
struct hone__kernel_arg {
  const char *name;
  const char *type; /* of elements; not of structs and maps */
  const char *role; /* "in", "out", "inout" or "scratch" */
  int64_t *shape;
  const char *symbol; /* a tensor that is an array of the object, by its linker's name; or NULL */
  const struct hone__kernel_image *image; /* NULL: it is not one */
  const struct hone__kernel_fill *fill;   /* of inputs */
  double rtol, atol, ratio;               /* of outputs; NaN: those of the check */
  const char *reduce;                     /* of outputs: see check/reduce.h; NULL: elements count */
  bool is_variable; /* the shape is the largest: that of a candidate depends on its parameters */
  bool is_scalar, is_local, is_struct, is_map;
  bool is_return;       /* a tensor of one element that the function returns; in C */
  size_t size;          /* of a struct, in bytes */
  const char **members; /* of a struct: the types of its members */
  const char *of;       /* of a map: the tensor's name */
  size_t shape_count, members_count;
};

struct hone__kernel_check {
  bool enabled;
  double rtol, atol, ratio;               /* ratio: of elements that may differ */
  const char *answers;                    /* "first", "sampled" or "every"; see trial.h */
  const char **command;                   /* command that checks answers; NULL: none */
  const char *entry;                      /* of a function in C that checks them; NULL: none */
  const struct hone__kernel_file *object; /* that has it */
  double limit_s;                         /* of the command or the function; 0: there is none */
  size_t command_count;
};

#define HONE__REFERENCE_KINDS(X)                                                                   \
  X(NONE, "none")       /* nothing is compared */                                                  \
  X(OBJECT, "object")   /* a candidate that the driver builds */                                   \
  X(COMMAND, "command") /* a user's program: scratch.h */                                          \
  X(FILES, "files")     /* one .npy file per output, in order */

enum hone__reference_kind {
#define HONE__REFERENCE_ENUM(id, name) HONE__REFERENCE_##id,
  HONE__REFERENCE_KINDS(HONE__REFERENCE_ENUM)
#undef HONE__REFERENCE_ENUM
};

/* The source of right answers. */
struct hone__kernel_reference {
  int kind;                             /* enum hone__reference_kind */
  const struct hone__packed *candidate; /* of an object: struct hone__kernel_candidate */
  size_t offset, size;                  /* its bytes; the driver adds them once it is built, */
  const char *key;                      /* and the build's name */
  const char **argv;                    /* of a command */
  struct hone__kernel_file *files;
  size_t argv_count, files_count;
};

/* A function in C that pipelines of a device call between kernels. */
struct hone__kernel_step {
  const char *file, *entry; /* as stages name them */
  const struct hone__kernel_file *object;
  int64_t *constant; /* parameters that point to constants: these are not copied back */
  size_t constant_count;
};

struct hone__kernel_build_limits {
  double timeout_s;
};

struct hone__kernel_setup {
  const char *backend, *spec_name;
  int64_t seed;        /* of inputs */
  size_t memory_bytes; /* that a candidate may take; 0: no limit */
  const char *folder;  /* of the spec: commands run there */
  const char *entry;   /* the function's name in the spec */
  const char *cache;   /* "cold", "warm", or "": the backend's default */
  bool energy;         /* energy is to be measured */
  bool lock_clocks;    /* the device's clocks are to be locked */
  bool changes_device; /* clocks are locked, or candidates limit the power: reverted at the end */
  size_t ahead;        /* processes that open the device early, for confirmations */
  const struct hone__wire_device_facts *target; /* the device that is built for; NULL: none */
  const char *device;                           /* its name */
  const struct hone__kernel_build_limits *build;
  struct hone__kernel_arg *args;
  double arguments_s;     /* a candidate's process may need so long to fill and compare them */
  const char *inputs_key; /* digest of all that determines the inputs, and of the steps */
  const struct hone__kernel_check *check;
  const struct hone__kernel_reference *reference;
  struct hone__kernel_step *steps; /* of all configurations; none: calls are kernels alone */
  size_t args_count, steps_count;
};

extern const struct hone__record_type hone__kernel_setup_type;

bool hone__kernel_arg_is_output(const struct hone__kernel_arg *arg); /* out or inout */

#endif
