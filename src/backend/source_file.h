/* source_file.h - where the file that a spec names lies. */
#ifndef HONE_BACKEND_SOURCE_FILE_H
#define HONE_BACKEND_SOURCE_FILE_H

#include "spec/spec.h"

#include <stdbool.h>

/* `file`, or without it the spec's own file: absolute. A relative name is looked for in the spec's
 * folder, then in the current one. INVALID_SPEC names both places, or a variable that the
 * environment does not have. free(). */
hone_status hone__source_file_find(const struct hone_spec *spec, char **out_path);

/* ".mojo"; "" if the name has none. */
const char *hone__source_file_suffix(const char *path);
/* By its suffix. */
bool hone__source_file_is_cplusplus(const char *path);
/* True if it is there and may be executed. */
bool hone__source_file_is_executable(const char *path);

#endif
