/* build_includes.h - the files that a source of the C family includes, for compilers that do not
 * tell. */
#ifndef HONE_BUILD_BUILD_INCLUDES_H
#define HONE_BUILD_BUILD_INCLUDES_H

#include <jansson.h>
#include <stdbool.h>

/* Adds them to `deps` (build_deps.h), all the way down. They are looked for in the folder of who
 * includes them, in -I of the candidate's "flags", in its "includes", and in the folder of its
 * "source"; what is not found there is the compiler's own. Relative names begin in `folder`, where
 * the compiler runs. False: a macro names one of them, so that not all are known. */
bool hone__build_includes(const json_t *candidate, const char *folder, json_t *deps);

#endif
