/* iree_setup.h - the SETUP of dispatches and models of IREE: common to all configurations. */
#ifndef HONE_IREE_BACKEND_IREE_SETUP_H
#define HONE_IREE_BACKEND_IREE_SETUP_H

#include "wire/record.h"

struct hone__iree_setup_binding { /* a part of the dispatch's buffer */
  size_t offset, size;
  const char *type; /* of its elements */
  bool read, written;
};

struct hone__iree_subject { /* what the spec has under `iree` (iree/dispatch/iree_task.h) */
  const char *digest;       /* of the prepared text */
  const char *identity;     /* of the compiler; NULL: any */
  const char *target, *backend;
  const char *driver, *function;
  const char *answer;                 /* the function that returns the buffer; NULL: none */
  const char *why_unchecked;          /* or NULL */
  const char *matcher_name, *matcher; /* of the tuning spec */
  const char **flags;                 /* of the compiler */
  struct hone__iree_setup_binding *bindings;
  bool is_model;        /* then `dispatch` is the model */
  const char **inputs;  /* of a model: "--input=@x.npy" */
  const char **outputs; /* of a model: "tensor<256x384xf32>", "i32" */
  int64_t threads;      /* workers of local-task; 0: as the runtime has it */
  size_t flags_count, bindings_count, inputs_count, outputs_count;
};

struct hone__iree_check_terms {
  bool enabled;
  double rtol, atol; /* negative: by type */
  double ratio;      /* of elements that may differ */
};

struct hone__iree_reference {
  const char *kind;                     /* "object": the baseline's answer is right; or "none" */
  const struct hone__packed *candidate; /* of the baseline */
  size_t offset, size;                  /* of its module in the payload: the session adds them */
};

struct hone__iree_build_limits {
  double timeout_s;
};

struct hone__iree_setup {
  const struct hone__iree_subject *iree;
  const char *dispatch; /* path of the prepared text; NULL: the spec is for its space only */
  const char *iree_dir; /* folder of IREE's executables; NULL: the usual places */
  const struct hone__iree_check_terms *check;
  const struct hone__iree_reference *reference;
  const char *device;         /* "iree:local-sync": the default device */
  const char *clock, *timing; /* "cpu" or "wall"; "iree" or "rocprof" */
  double unit_ns;             /* 1 */
  const char *backend, *spec_name, *folder;
  int64_t seed;
  size_t memory_bytes;
  const char **args; /* none */
  size_t args_count;
  const struct hone__iree_build_limits *build;
  const char *inputs_key; /* of everything that a time or an answer depends on, except the object */
};

extern const struct hone__record_type hone__iree_setup_type;

#endif
