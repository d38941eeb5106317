/* compiler.h - the command that builds a candidate, and what tells one such command from another.
 *
 * A candidate's "flags", "includes", "defines", "compiler" and "command" are as c_backend.h says.
 */
#ifndef HONE_BACKEND_C_COMPILER_H
#define HONE_BACKEND_C_COMPILER_H

#include "build/source_text.h"

#include <jansson.h>

/* Adds the words of "compiler". */
void hone__compiler_add(json_t *words, const json_t *candidate);

/* The words to execute. `deps`: where to write the list of files that were read, or NULL, which
 * makes it a command for people. */
json_t *hone__compiler_words(const json_t *candidate, const char *source, const char *output,
                             const char *deps);

/* True if the object may depend on more files than the source and the system's headers. */
bool hone__compiler_is_open(const json_t *candidate, const struct hone__source_text *source);

/* Adds all that changes the object but for the files that the source includes: normalised text,
 * flags, those defines that it can see, which compiler. `folder` is where it runs. `ask`: the
 * compiler is run once to tell its version, which only a worker should do. */
void hone__compiler_identify(const json_t *candidate, const struct hone__source_text *source,
                             const char *folder, bool ask, struct hone__digester *digester);

#endif
