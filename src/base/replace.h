/* replace.h - a file that changes at once or not at all. */
#ifndef HONE_BASE_REPLACE_H
#define HONE_BASE_REPLACE_H

#include "base/status.h"

/* Writes the bytes aside and renames them onto `path`, which must be a plain file: its permissions
 * stay, a link stays a link, and whoever reads it meanwhile sees the old or the new text. */
hone_status hone__file_replace(const char *path, const char *bytes, size_t size);
/* The same; a file that is not there is made. */
hone_status hone__file_put(const char *path, const char *bytes, size_t size);

#endif
