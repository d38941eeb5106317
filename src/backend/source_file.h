/* source_file.h - finds the file that a spec names. */
#ifndef HONE_BACKEND_SOURCE_FILE_H
#define HONE_BACKEND_SOURCE_FILE_H

#include "spec/spec.h"

#include <stdbool.h>

/* The path of `file`, or of the spec itself if it has none: absolute. A relative name is searched
 * in the spec's folder, then in the current one. INVALID_SPEC names both places, or an undefined
 * environment variable. free(). */
hone_status hone__backend_source_file_find(const struct hone_spec *spec, char **out_path);

/* ".mojo"; "" if the name has none. */
const char *hone__backend_source_file_suffix(const char *path);
/* By its suffix; a header of C++ is, too. */
bool hone__backend_source_file_is_cplusplus(const char *path);
/* A header of C or C++: a compiler makes an object only of a source that includes it. */
bool hone__backend_source_file_is_header(const char *path);
/* True if it exists and is executable. */
bool hone__backend_source_file_is_executable(const char *path);

#endif
