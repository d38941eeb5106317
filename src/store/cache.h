/* cache.h - files named by what they hold: builds, objects, reference answers.
 *
 * A file appears whole or not at all (written aside, then renamed); its checksum is looked at when
 * it is read, and a damaged file is a miss, never an error. Any number of processes may share a
 * folder.
 */
#ifndef HONE_STORE_CACHE_H
#define HONE_STORE_CACHE_H

#include "base/status.h"

/* Kinds are subfolders: "builds" (manifests), "objects", "references", "iree"
 * for what IREE was asked (iree/toolset/toolset_kept.h), "partial" for the beginnings of
 * objects whose transfer was broken off (worker/partial_parcels.h), and "files" for folders of
 * files that drivers of other hosts sent (worker/file_tree.h). Keys are digests. */

/* $HONE_CACHE, else $XDG_CACHE_HOME/hone, else ~/.cache/hone; "" if HOME is not set either: then
 * nothing is kept. Lent for ever. */
const char *hone__cache_folder(void);
/* Another folder for this thread; NULL: as above. Returns the one before, for the end. */
const char *hone__cache_choose(const char *folder);
/* NOT_FOUND: it is not there, or damaged. The caller frees the bytes, which end with a NUL that
 * does not count. A hit is noted for pruning (its mtime). */
hone_status hone__cache_get(const char *kind, const char *key, char **out_bytes, size_t *out_size);
/* Failing to keep something is not a failure of the work: callers may free the status. */
hone_status hone__cache_put(const char *kind, const char *key, const void *bytes, size_t size);
void hone__cache_remove(const char *kind, const char *key);

#endif
