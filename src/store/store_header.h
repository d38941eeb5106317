/* store_header.h - what a file says of itself before SQLite touches it. */
#ifndef HONE_STORE_STORE_HEADER_H
#define HONE_STORE_STORE_HEADER_H

#include "base/status.h"

/* SQLite finishes another program's half-done work when it opens a file; what is not ours must stay
 * as it is. So it is looked at with plain reads first: NULL if it is a store, or is not there or
 * empty, which *out_is_new tells. */
hone_status hone__store_header_check(const char *path, bool *out_is_new);
/* There is a file next to it, "-wal" or "-journal", that holds something. */
bool hone__store_has_beside(const char *path, const char *suffix);
/* The header counts more pages than `file_size` has room for. */
enum { HONE__STORE_HEADER_SIZE = 100 };
bool hone__store_header_is_short(const unsigned char *header, int64_t file_size);
hone_status hone__store_newer(const char *path, long version);

#endif
