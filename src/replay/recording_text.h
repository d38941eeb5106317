/* recording_text.h - the bytes of a recording, out of gzip if they are in it. */
#ifndef HONE_REPLAY_RECORDING_TEXT_H
#define HONE_REPLAY_RECORDING_TEXT_H

#include "base/status.h"

enum { HONE__LARGEST_RECORDING = 1 << 30 }; /* bytes, out of gzip */

/* Zeros and spaces at the end are dropped, as a crash may leave them. *out_cut: the gzip ends too
 * early, what there is of it is given. free(*out_text). EXHAUSTED: it is too large. */
hone_status hone__recording_text_read(const char *path, char **out_text, size_t *out_size,
                                      bool *out_cut);
/* The same of bytes that are given, which are freed or become the text. */
hone_status hone__recording_text_take(const char *path, char *bytes, size_t size, char **out_text,
                                      size_t *out_size, bool *out_cut);

#endif
