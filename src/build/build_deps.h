/* build_deps.h - the files that a build read: pairs of a path and a digest.
 *
 * What the digest of a file is made of, the backend decides: it is asked by hone__file_digest. That
 * of a folder is made here.
 */
#ifndef HONE_BUILD_BUILD_DEPS_H
#define HONE_BUILD_BUILD_DEPS_H

#include "base/digest.h"
#include "base/pairs.h"

#include <stdbool.h>

/* False if the file is not there. */
typedef bool hone__file_digest(const char *path, char out_digest[HONE__DIGEST_SIZE]);

/* A path that is no UTF-8 cannot be written into messages and is left out. */
void hone__build_deps_add(struct hone__pairs *deps, const char *path, hone__file_digest *digest);
/* Files that words of a command name, from the `first` on: scripts, libraries, lists of options.
 * `source` is none. The list ends with NULL, or is NULL. */
void hone__build_deps_add_named(struct hone__pairs *deps, const char *const *words, size_t first,
                                const char *source, const char *folder, hone__file_digest *digest);
/* What lies beside the source, except results: a command of the spec may read any of it. The digest
 * of a folder is that of the names, sizes and times of its files; its path ends with '/'. Taken
 * before the build, so that a change during the build is noticed. */
void hone__build_deps_add_siblings(struct hone__pairs *deps, const char *source);
struct stat;
/* True if no build reads it: results, logs, specs, objects. */
bool hone__build_is_result(const char *name, const struct stat *info);
/* What a compiler's -MD wrote, but for the source; relative names begin in `folder`. False: it
 * wrote nothing. */
bool hone__build_deps_add_listed(struct hone__pairs *deps, const char *list, const char *source,
                                 const char *folder, hone__file_digest *digest);

/* True if all files are what they were. */
bool hone__build_deps_are_current(const struct hone__name_value *deps, size_t count,
                                  hone__file_digest *digest);
/* Adds them without those of the system, which change with its packages only: they are for the
 * cache, not for records. */
void hone__build_deps_add_own(struct hone__pairs *own, const struct hone__name_value *deps,
                              size_t count);

#endif
