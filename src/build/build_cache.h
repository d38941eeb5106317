/* build_cache.h - objects and compile errors, kept from run to run.
 *
 * A manifest is named by everything that goes into the command ("builds"); it names the object
 * ("objects") and the files it was made from. If those are unchanged, so is the object:
 *   {"object", "compile_s", "warnings", "command", "deps", "costs" (if the backend has any)}
 *   {"failed": true, "class" (absent: compile_error), "evidence", "output", "compile_s", "command",
 *    "deps"}
 */
#ifndef HONE_BUILD_BUILD_CACHE_H
#define HONE_BUILD_BUILD_CACHE_H

#include "build/build_deps.h"
#include "build/build_draft.h"
#include "build/build_folder.h"
#include "build/macro_collision.h"
#include "wire/build_job.h"
#include "wire/message.h"

/* True if the answer is complete: with an object, with a compile error, or because the job allows
 * nothing else ("cached_only"). `key` NULL: this build is not cached. */
bool hone__build_cache_answer(const char *key, hone__build_file_digest *digest,
                              const struct hone__wire_build_job *job,
                              struct hone__build_draft *draft, struct hone__answer *answer);

/* The end of a compiler, for the answer and the cache. An error is kept if the compiler would
 * repeat it. */
struct hone__build_end {
  const char *key;                /* NULL: as above */
  const struct hone__pairs *deps; /* the files it read */
  bool deps_are_all;              /* a failed compiler may not have listed all */
  const char *program;
  const struct hone__child_result *result;
  struct hone__macro_build macros; /* the defined macros, to explain errors; or { 0 } */
  struct hone__build_draft *draft; /* contains the command */
  /* Inspects the object, which is the answer's payload: it may add costs to the draft, or reject
   * the object with outcome and evidence, which are kept like an error. May be NULL. */
  void (*inspect)(void *data, const struct hone__build_folder *folder, struct hone__answer *answer);
  void *data;
};
void hone__build_cache_end(const struct hone__build_end *end,
                           const struct hone__build_folder *folder, struct hone__answer *answer);

#endif
