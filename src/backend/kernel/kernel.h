/* kernel.h - kernels that are functions called with arguments: what the driver tells the workers.
 *
 * Shared by the backends c, opencl and cuda. Setup:
 *   "backend", "spec_name", "seed", "memory_bytes", "folder" (of the spec), "entry", "cache",
 *   "build": {"timeout_s"}
 *   "check": {"enabled", "rtol", "atol", "ratio", "command" (words; not always)}
 *   "args": [{"name", "type", "scalar": true} or {"name", "type", "role", "shape", "fill", "rtol",
 *     "atol"}]; "fill" is there for inputs: {"kind", "low", "high", "value", "file": {"offset",
 *     "size", "format": "npy" or "bin", "digest"}}, without what the kind does not need; tolerances
 *     are those of outputs. Of GPUs also {"name", "type", "local": true}, {"name", "struct": true,
 *     "size"} and {"name", "map": true, "of" (a tensor)}
 *   "energy": true, "target" (facts of the device that is built for, gpu_driver.h), "device" (its
 *     name): where there are such
 *   "reference": as backend.h says; "files" are [{"offset", "size", "digest"}], one an output
 *   "inputs_key": digest of all that determines the inputs
 *
 * Candidate:
 *   "source" (absolute), "flags", "includes", "defines": [["BM", "64"], ...], "given_defines": how
 *   many of them, at the end, are from `build.defines`, "entry", "source_digest", "key", and what
 *   its kind adds. A reference of another kind than the setup's has its "backend".
 *   "values" are of the arguments that are no tensors, in order: numbers, or a text for u64 beyond
 *   2^63; {"local": bytes}; {"bytes": "hex"} of a struct; {"map": {...}, "of": "A"}. A kernel in C
 *   has those of scalars alone.
 */
#ifndef HONE_BACKEND_KERNEL_KERNEL_H
#define HONE_BACKEND_KERNEL_KERNEL_H

#include "backend/backend.h"
#include "backend/source_functions.h"
#include "build/source_text.h"

struct hone__kernel_kind;

struct hone__kernel_origin { /* what is built */
  const struct hone__task *task;
  const struct hone__kernel_kind *kind;
  const char *path, *entry;       /* path: absolute */
  const struct hone__node *place; /* that names the source */
  bool is_reference;              /* another file than the kernel's */
};

struct hone__kernel_kind {
  const char *backend;
  /* Adds what this kind needs: its compiler, launch sizes. */
  hone_status (*complete)(const struct hone__kernel_origin *origin, const uint32_t *row,
                          const struct hone__source_text *source, json_t *candidate);
  /* Adds all that changes the object, but for files that the source includes, to a digest. */
  void (*identify)(const json_t *candidate, const struct hone__source_text *source,
                   const char *folder, struct hone__digester *digester);
  enum hone__function_language functions; /* which may be an entry; of C++: by the suffix */
};

extern const struct hone__kernel_kind hone__kernel_kind_c;

/* The spec's `build.KEY`; of a reference `reference.build.KEY` comes first. What `build` says is
 * for the kernel's compiler: for a reference of another kind it counts only where it is about the
 * source (`includes`, `defines`, `define_prefix`). NULL: none. */
const struct hone__node *hone__kernel_setting(const struct hone__kernel_origin *origin,
                                              const char *key);

hone_status hone__kernel_describe(const struct hone__task *task,
                                  const struct hone__kernel_kind *kind,
                                  struct hone__message *out_setup);
hone_status hone__kernel_candidate(const struct hone__task *task, const uint32_t *row,
                                   const struct hone__kernel_kind *kind, json_t **out_candidate);
/* Where the kernel's source is: absolute; free(). */
char *hone__kernel_source(const struct hone__task *task);
/* Built from another file, without knobs and derived values, with the baseline's arguments. `entry`
 * NULL: the file's only function, or `kernel_entry`. */
hone_status hone__kernel_reference(const struct hone__task *task, const struct hone__node *file,
                                   const char *entry, const char *kernel_entry,
                                   const struct hone__kernel_kind *kind, json_t **out_candidate);

#endif
