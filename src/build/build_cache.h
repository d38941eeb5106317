/* build_cache.h - what builds made, and what compilers said of those that failed, from run to run.
 *
 * A manifest is named by all that goes into the command ("builds"); it tells the object ("objects")
 * and the files that it was made from. If those are what they were, so is the object:
 *   {"object", "compile_s", "warnings", "command", "deps", "costs" (where the backend has any)}
 *   {"failed": true, "class" (absent: compile_error), "evidence", "output", "compile_s", "command",
 *   "deps"}
 */
#ifndef HONE_BUILD_BUILD_CACHE_H
#define HONE_BUILD_BUILD_CACHE_H

#include "build/build_deps.h"
#include "build/build_draft.h"
#include "build/build_folder.h"
#include "build/macro_collision.h"
#include "wire/build_job.h"
#include "wire/message.h"

/* True if the answer is complete: with an object, with a compiler's error, or because the job wants
 * nothing else ("cached_only"). `key` NULL: such a build is not cached. */
bool hone__build_cache_answer(const char *key, hone__file_digest *digest,
                              const struct hone__build_job *job, struct hone__build_draft *draft,
                              struct hone__answer *answer);

/* What became of a compiler, into the answer and into the cache. An error is kept if the compiler
 * will say the same again. */
struct hone__build_end {
  const char *key;                /* NULL: as above */
  const struct hone__pairs *deps; /* what it read */
  bool deps_are_all;              /* a compiler that fails may not come to telling */
  const char *program;
  const struct hone__child_result *result;
  struct hone__macro_build macros; /* that were defined, to explain errors by; or { 0 } */
  struct hone__build_draft *draft; /* with the command */
  /* Looks at what was built, which is the answer's payload: it may add costs to the draft, or say
   * in outcome and evidence why it is not what was wanted, which is kept like an error. NULL:
   * nobody. */
  void (*inspect)(void *data, const struct hone__build_folder *folder, struct hone__answer *answer);
  void *data;
};
void hone__build_cache_end(const struct hone__build_end *end,
                           const struct hone__build_folder *folder, struct hone__answer *answer);

#endif
