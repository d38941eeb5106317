/* file.h - whole files in and out. */
#ifndef HONE_BASE_FILE_H
#define HONE_BASE_FILE_H

#include "base/status.h"

#include <stdbool.h>

/* Reads at most `limit` bytes; a longer file is an error that says so. The text ends with a NUL
 * that does not count. "-" is standard input. */
hone_status hone__file_read(const char *path, size_t limit, char **out_text, size_t *out_size);
/* The same of a file that is to be written back: a plain one, or a link to one, or it is refused
 * without being opened. "-" is a name. */
hone_status hone__file_read_plain(const char *path, size_t limit, char **out_text,
                                  size_t *out_size);

/* Calls for each line of a file; `text` continues after its line. Nothing if it cannot be read. */
void hone__file_each_line(const char *path, size_t limit,
                          void (*line)(void *data, const char *path, const char *text), void *data);

/* Writes all bytes, even if the system takes them in parts; false: see errno. */
bool hone__file_write(int fd, const void *bytes, size_t size);
/* The same of a whole file, which is made or emptied. */
bool hone__file_make(const char *path, const void *bytes, size_t size);

#endif
