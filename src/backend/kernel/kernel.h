/* kernel.h - kernels that are functions with arguments: their setups and candidates.
 *
 * Shared by the backends c, opencl and cuda. The setup is a struct hone__kernel_setup, a candidate
 * a struct hone__kernel_candidate.
 */
#ifndef HONE_BACKEND_KERNEL_KERNEL_H
#define HONE_BACKEND_KERNEL_KERNEL_H

#include "backend/backend.h"
#include "backend/kernel/kernel_candidate.h"
#include "backend/kernel/kernel_setup.h"
#include "source/prototype.h"
#include "source/source_functions.h"
#include "base/words.h"
#include "build/source_text.h"
#include "wire/device_facts.h"

struct hone__kernel_kind;

struct hone__kernel_origin { /* what is built */
  const struct hone__task *task;
  const struct hone__kernel_kind *kind;
  const char *path, *entry;       /* path: absolute */
  const struct hone__node *place; /* the node that names the source */
  bool is_reference;              /* another file than the kernel's */
};

struct hone__kernel_kind {
  const char *backend;
  /* Adds the fields of this kind: its compiler, launch sizes. Allocated in the arena. */
  hone_status (*complete)(const struct hone__kernel_origin *origin, const uint32_t *row,
                          const struct hone__build_source_text *source, struct hone__arena *arena,
                          struct hone__kernel_candidate *candidate);
  /* Adds everything that changes the object, except included files, to a digest. */
  void (*identify)(const struct hone__kernel_candidate *candidate,
                   const struct hone__build_source_text *source, const char *folder,
                   struct hone__digester *digester);
  enum hone__code_language functions; /* which may be an entry; of C++: by the suffix */
  /* The launch of a stage, from its node. NULL: kernels of this kind are called, not launched. */
  hone_status (*launch)(const struct hone__task *task, const uint32_t *row,
                        const struct hone__node *launch, struct hone__arena *arena,
                        const struct hone__kernel_launch **out_launch);
  /* Compiles a candidate with debug information. A new folder, which the caller removes and frees;
   * NULL: it cannot. Optional, with the next one. */
  char *(*debug_compile)(const struct hone__kernel_setup *setup,
                         const struct hone__kernel_candidate *candidate);
  /* The parameters of an entry with this plain name, by that folder. */
  bool (*debug_find)(const char *folder, const struct hone__kernel_candidate *candidate,
                     const char *entry, const char *name, struct hone__arena *arena,
                     struct hone__prototype *out_prototype);
};

extern const struct hone__kernel_kind hone__kernel_kind_c;

/* The spec's `build.KEY`; for a reference `reference.build.KEY` comes first. `build` is for the
 * kernel's compiler: for a reference of another kind only `includes`, `defines` and `define_prefix`
 * apply. NULL: none. */
const struct hone__node *hone__kernel_setting(const struct hone__kernel_origin *origin,
                                              const char *key);

hone_status hone__kernel_describe(const struct hone__task *task,
                                  const struct hone__kernel_kind *kind,
                                  struct hone__message *out_setup);
/* For the backends' method. */
hone_status hone__kernel_candidate(const struct hone__task *task, const uint32_t *row,
                                   const struct hone__kernel_kind *kind,
                                   struct hone__packed **out_candidate);
/* Where the kernel's source is: absolute; free(). */
char *hone__kernel_source(const struct hone__task *task);
/* Everything it points to is in the arena or in the task, here and below. */
hone_status hone__kernel_configuration(const struct hone__task *task, const uint32_t *row,
                                       const struct hone__kernel_kind *kind,
                                       struct hone__arena *arena,
                                       struct hone__kernel_candidate *out_candidate);
/* Built from another file, without knobs and derived values, with the baseline's arguments. `entry`
 * NULL: the file's only function, or `kernel_entry`. */
hone_status hone__kernel_reference(const struct hone__task *task, const struct hone__node *file,
                                   const char *entry, const char *kernel_entry,
                                   const struct hone__kernel_kind *kind, struct hone__arena *arena,
                                   struct hone__kernel_candidate *out_candidate);

/* kernel_stages.c: the stages of a pipeline and their order, for this configuration. */
hone_status hone__kernel_stages(const struct hone__task *task, const uint32_t *row,
                                const struct hone__kernel_kind *kind, struct hone__arena *arena,
                                struct hone__kernel_candidate *candidate);
/* Whether the spec has `stages`. */
bool hone__kernel_is_pipeline(const struct hone__task *task);
/* The entry of the first stage that is a kernel; NULL: there is none. */
const struct hone__node *hone__kernel_first_entry(const struct hone__task *task);

/* kernel_describe.c: what only some backends have. */
hone_status hone__kernel_check_launch(const struct hone__task *task,
                                      const struct hone__kernel_kind *kind,
                                      const struct hone__node *launch);
hone_status hone__kernel_check_host(const struct hone__task *task,
                                    const struct hone__kernel_kind *kind,
                                    const struct hone__node *host, const struct hone__node *entry);
hone_status hone__kernel_check_entry(const struct hone__task *task,
                                     const struct hone__kernel_kind *kind,
                                     const struct hone__node *place, const char *entry);

/* A copy in the arena, ended by NULL. */
void hone__kernel_keep_words(const struct hone__words *words, struct hone__arena *arena,
                             const char ***out_words, size_t *out_count);

#endif
