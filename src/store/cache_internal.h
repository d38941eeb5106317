/* cache_internal.h - what the cache's upkeep knows of its files. */
#ifndef HONE_STORE_CACHE_INTERNAL_H
#define HONE_STORE_CACHE_INTERNAL_H

#include "store/cache.h"

enum { HONE__CACHE_KINDS = 6, HONE__CACHE_HEADER = 16 };
/* Of this kind all files are as others wrote them, in a folder named by a key. */
enum { HONE__CACHE_PLAIN = 3 };
/* Of this kind an entry is a folder named by a key, with all that is in it. */
enum { HONE__CACHE_TREES = 5 };

extern const char *const hone__cache_kinds[HONE__CACHE_KINDS];

bool hone__cache_is_key(const char *name);
/* The file's content without its header, or NULL: not there, or not what was written under this
 * key. `touch`: notes the use. free(). */
char *hone__cache_read(int folder, const char *path, const char *key, bool touch, size_t *out_size);

/* Files that are being written; after a crash they stay. */
#define HONE__CACHE_ASIDE ".aside-"

#endif
