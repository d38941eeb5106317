/* build_includes.h - the files that a source of the C family includes, for compilers that do not
 * tell. */
#ifndef HONE_BUILD_BUILD_INCLUDES_H
#define HONE_BUILD_BUILD_INCLUDES_H

#include "base/pairs.h"

#include <stdbool.h>

struct hone__include_paths {
  const char *source;          /* absolute */
  const char *const *flags;    /* "-Ifolder", "-I", "folder", and others; ends with NULL, or NULL */
  const char *const *includes; /* folders; the same */
  const char *folder;          /* where the compiler runs: relative names begin there */
};

/* Adds them to `deps` (build_deps.h), all the way down. They are looked for in the folder of who
 * includes them, in -I of the flags, in the includes, and in the folder of the source; what is not
 * found there is the compiler's own. False: a macro names one of them, so that not all are known.
 */
bool hone__build_includes(const struct hone__include_paths *paths, struct hone__pairs *deps);

#endif
