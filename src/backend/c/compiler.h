/* compiler.h - the command that builds a candidate, and its identity. */
#ifndef HONE_BACKEND_C_COMPILER_H
#define HONE_BACKEND_C_COMPILER_H

#include "backend/kernel/kernel_candidate.h"
#include "base/words.h"
#include "build/source_text.h"

/* Adds the words to execute. `deps`: where to write the list of files that were read, or NULL for a
 * command to show to the user. `level`: of optimisation, which flags replace; or NULL. */
void hone__compiler_words(const struct hone__kernel_candidate *candidate, const char *source,
                          const char *output, const char *deps, const char *level,
                          struct hone__words *out_words);

/* The same in two steps: `source` to `object`, and that to `output`. `is_alone`: it needs no
 * library (c_link.h). */
void hone__compiler_compile_words(const struct hone__kernel_candidate *candidate,
                                  const char *source, const char *object, const char *deps,
                                  const char *level, struct hone__words *out_words);
void hone__compiler_link_words(const struct hone__kernel_candidate *candidate, const char *object,
                               const char *output, bool is_alone, struct hone__words *out_words);

/* True if the object may depend on more files than the source and the system's headers. */
bool hone__compiler_is_open(const struct hone__kernel_candidate *candidate,
                            const struct hone__build_source_text *source);

/* Adds everything that changes the object except included files: normalised text, flags, the
 * defines that the source can see, and the compiler. `folder` is where it runs. `ask`: runs the
 * compiler once for its version, which only a worker should do. */
void hone__compiler_identify(const struct hone__kernel_candidate *candidate,
                             const struct hone__build_source_text *source, const char *folder,
                             bool ask, struct hone__digester *digester);

#endif
