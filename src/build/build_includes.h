/* build_includes.h - the files that a source of the C family includes, for compilers that do not
 * list them.
 */
#ifndef HONE_BUILD_BUILD_INCLUDES_H
#define HONE_BUILD_BUILD_INCLUDES_H

#include "base/pairs.h"

#include <stdbool.h>

struct hone__include_paths {
  const char *source;          /* absolute */
  const char *const *flags;    /* "-Ifolder", "-I", "folder", and others; ends with NULL, or NULL */
  const char *const *includes; /* folders; the same */
  const char *folder;          /* where the compiler runs: base of relative names */
};

/* Adds them to `deps` (build_deps.h), recursively. They are searched in the folder of the including
 * file, in -I of the flags, in the includes, and in the folder of the source; other files belong to
 * the compiler. False: a macro names one of them, so that the list is incomplete.
 */
bool hone__build_includes(const struct hone__include_paths *paths, struct hone__pairs *deps);

#endif
