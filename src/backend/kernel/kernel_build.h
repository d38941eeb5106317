/* kernel_build.h - the common parts of kernel builds, for all compilers; in a builder. */
#ifndef HONE_BACKEND_KERNEL_KERNEL_BUILD_H
#define HONE_BACKEND_KERNEL_KERNEL_BUILD_H

#include "backend/kernel/kernel.h"
#include "backend/kernel/kernel_setup.h"
#include "base/pairs.h"
#include "build/build_cache.h"
#include "wire/build_job.h"

/* A build job, unpacked. Both messages must live as long. */
struct hone__kernel_order {
  struct hone__kernel_setup setup;
  struct hone__kernel_candidate candidate;
  struct hone__wire_build_job job;
  double timeout_s; /* from the job, else from the setup */
  struct hone__arena arena;
};
/* False: the answer names the wrong field, or the missing source. Release it in both cases. */
bool hone__kernel_order_read(const struct hone__packed *setup, const struct hone__packed *job,
                             struct hone__answer *answer, struct hone__kernel_order *out_order);
void hone__kernel_order_release(struct hone__kernel_order *order);
/* Whether the candidate, or that of the job, is a reference in C beside kernels of another kind. */
bool hone__kernel_packed_is_c(const struct hone__packed *candidate);
bool hone__kernel_job_is_c(const struct hone__packed *job);

/* The candidate's source, to be released. False: the answer reports that it cannot be read, or
 * differs from the text that the driver read. */
bool hone__kernel_source_read(const struct hone__kernel_candidate *candidate,
                              struct hone__answer *answer,
                              struct hone__build_source_text *out_source);
/* The source's name for messages: without the compiler's folder. */
const char *hone__kernel_short_name(const char *source, const char *folder);

/* Prints words for the user to paste; `needs_folder`: they only work in the spec's folder. */
void hone__kernel_print_command(const struct hone__kernel_setup *setup, const char *const *words,
                                bool needs_folder, struct hone__text *out_command);
typedef void hone__kernel_printer(const struct hone__kernel_order *order,
                                  struct hone__text *out_command);
/* A backend's build_files (kernel_files.c). */
hone_status hone__kernel_build_files(const struct hone__packed *setup,
                                     const struct hone__packed *candidate,
                                     struct hone__pairs *out_files);
/* A backend's build_command. */
hone_status hone__kernel_build_command(const struct hone__packed *setup,
                                       const struct hone__packed *candidate,
                                       hone__kernel_printer *print, struct hone__text *out_command);

/* ---- One build ---- */

struct hone__kernel_compiler;

struct hone__kernel_build {
  const struct hone__kernel_compiler *compiler;
  struct hone__kernel_order order;
  const struct hone__kernel_candidate *candidate; /* in the order */
  const char *source;                             /* of the candidate; absolute */
  const char *entry; /* of the candidate; of a pipeline all of them, a line each */
  char *folder;      /* where the compiler runs */
  struct hone__build_source_text text;
  struct hone__pairs deps; /* files that it reads, as far as they are known */
  bool deps_are_all, is_cached;
  bool is_given;      /* its code was not made by the compiler */
  bool has_generated; /* its source was written by a command of the spec */
  char key[HONE__DIGEST_SIZE];
  struct hone__build_folder workdir;
  struct hone__build_draft draft; /* of the reply */
  struct hone__answer *answer;
};

struct hone__kernel_compiler {
  const char *object; /* its name in the workdir */
  bool needs_entry;
  hone__kernel_printer *print;
  /* Everything the object depends on, except included files. */
  void (*identify)(const struct hone__kernel_build *build, struct hone__digester *digester);
  /* Before the cache lookup: sets deps, deps_are_all and is_cached. */
  void (*look)(struct hone__kernel_build *build);
  /* In the workdir; ends with hone__kernel_build_end, or with an answer that has the reason. */
  void (*compile)(struct hone__kernel_build *build);
  /* NULL, or after a successful build: adds what the cache does not cover. */
  void (*finish)(struct hone__kernel_build *build);

  /* What a command of the spec wrote, by its content: the suffix of a source, or NULL: it is the
   * object. */
  const char *(*recognise)(const struct hone__kernel_candidate *candidate, const char *bytes,
                           size_t size);
  bool takes_code; /* the kernel's file may be such an object, too */
  /* Ends the build of an object that is in the workdir already; NULL: hone__kernel_build_end. */
  void (*take)(struct hone__kernel_build *build, const char *program,
               struct hone__child_result *result);
};

/* A build as backend.h describes it: the cache's answer, or the compiler's. */
void hone__kernel_build(const struct hone__kernel_compiler *compiler,
                        const struct hone__packed *setup, const struct hone__packed *job,
                        struct hone__answer *answer);
/* Passes the end of the compiler `program` to the answer and the cache. `inspect` as in
 * build_cache.h.
 */
void hone__kernel_build_end(struct hone__kernel_build *build, const char *program,
                            const struct hone__child_result *result,
                            void (*inspect)(void *data, const struct hone__build_folder *folder,
                                            struct hone__answer *answer),
                            void *data);

#endif
