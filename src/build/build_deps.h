/* build_deps.h - the files that a build read: pairs of a path and a digest.
 *
 * The backend decides what the digest of a file covers, with a hone__build_file_digest. The digest
 * of a folder is computed here.
 */
#ifndef HONE_BUILD_BUILD_DEPS_H
#define HONE_BUILD_BUILD_DEPS_H

#include "base/digest.h"
#include "base/pairs.h"

#include <stdbool.h>

/* False if the file does not exist. */
typedef bool hone__build_file_digest(const char *path, char out_digest[HONE__DIGEST_SIZE]);

/* A path that is not UTF-8 cannot be sent in messages and is skipped. */
void hone__build_deps_add(struct hone__pairs *deps, const char *path,
                          hone__build_file_digest *digest);
/* Adds files named by words of a command, from the `first` on, except `source`: scripts, libraries,
 * lists of options. The list ends with NULL, or is NULL. */
void hone__build_deps_add_named(struct hone__pairs *deps, const char *const *words, size_t first,
                                const char *source, const char *folder,
                                hone__build_file_digest *digest);
/* Adds the files next to the source and in folders below, except results: a command of the spec may
 * read any of them. The digest of a folder covers the names, sizes and times of its own files; its
 * path ends with '/'. Call before the build, so that a change during the build is noticed. */
void hone__build_deps_add_siblings(struct hone__pairs *deps, const char *source);
struct stat;
/* True if no build reads it: results, logs, specs, objects. */
bool hone__build_is_result(const char *name, const struct stat *info);
/* Adds the files listed by a compiler's -MD, except the source; relative names are relative to
 * `folder`. False: the list is empty. */
bool hone__build_deps_add_listed(struct hone__pairs *deps, const char *list, const char *source,
                                 const char *folder, hone__build_file_digest *digest);

/* True if all files are unchanged. */
bool hone__build_deps_are_current(const struct hone__name_value *deps, size_t count,
                                  hone__build_file_digest *digest);
/* Adds them without system files, which change only with packages: those are for the cache, not for
 * records. */
void hone__build_deps_add_own(struct hone__pairs *own, const struct hone__name_value *deps,
                              size_t count);

#endif
