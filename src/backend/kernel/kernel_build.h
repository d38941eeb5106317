/* kernel_build.h - what builds of kernels share, whichever compiler works; in a builder. */
#ifndef HONE_BACKEND_KERNEL_KERNEL_BUILD_H
#define HONE_BACKEND_KERNEL_KERNEL_BUILD_H

#include "backend/kernel/kernel.h"
#include "build/build_cache.h"

/* Whether a candidate is in C: a reference beside kernels of another kind. */
bool hone__kernel_is_c(const json_t *candidate);

/* The candidate's source, to be released. False: the answer says that it cannot be read, or is not
 * the text that the driver saw. */
bool hone__kernel_source_read(const json_t *candidate, struct hone__answer *answer,
                              struct hone__source_text *out_source);
/* The source's name as messages shall show it: without the folder that the compiler runs in. */
const char *hone__kernel_short_name(const char *source, const char *folder);

/* Words as a person can paste them; `needs_folder`: they mean nothing elsewhere than in the spec's.
 */
void hone__kernel_print_command(const json_t *setup, const json_t *words, bool needs_folder,
                                struct hone__text *out_command);
/* Adds "command" to an answer; `print` is the backend's build_command. */
void hone__kernel_add_command(const json_t *setup, const json_t *candidate,
                              hone_status (*print)(const json_t *setup, const json_t *candidate,
                                                   struct hone__text *out_command),
                              struct hone__answer *answer);

/* ---- One build ---- */

struct hone__kernel_build {
  const json_t *setup, *candidate;
  const char *source, *entry; /* source: absolute */
  char *folder;               /* where the compiler runs */
  double timeout_s;
  struct hone__source_text text;
  json_t *deps; /* files that it reads, as far as they are known */
  bool deps_are_all, is_cached;
  char key[HONE__DIGEST_SIZE];
  struct hone__build_folder workdir;
  struct hone__answer *answer;
};

struct hone__kernel_compiler {
  const char *object; /* its name in the workdir */
  bool needs_entry;
  hone_status (*print)(const json_t *setup, const json_t *candidate,
                       struct hone__text *out_command); /* the backend's build_command */
  /* All that the object depends on, but for files that the source includes. */
  void (*identify)(const struct hone__kernel_build *build, struct hone__digester *digester);
  /* Before the cache is asked: sets deps, deps_are_all and is_cached. */
  void (*look)(struct hone__kernel_build *build);
  /* In the workdir; ends with hone__kernel_build_end, or with an answer that says why not. */
  void (*compile)(struct hone__kernel_build *build);
};

/* A build as backend.h describes it: the cache's answer, or the compiler's. */
void hone__kernel_build(const struct hone__kernel_compiler *compiler, const json_t *setup,
                        const json_t *job, struct hone__answer *answer);
/* The compiler `program` has ended: into the answer and the cache. `inspect` as in build_cache.h.
 */
void hone__kernel_build_end(const struct hone__kernel_build *build, const char *program,
                            const struct hone__child_result *result,
                            void (*inspect)(void *data, const struct hone__build_folder *folder,
                                            struct hone__answer *answer),
                            void *data);

#endif
