/* user_files.h - the user's files that a build reads, as paths: to be sent to another host. Files
 * of the system (/usr) are not among them. An extra file does no harm.
 */
#ifndef HONE_BUILD_USER_FILES_H
#define HONE_BUILD_USER_FILES_H

#include "base/pairs.h"

#include <stdbool.h>

struct hone__user_files {
  const char *source;          /* absolute */
  const char *const *words;    /* of the compiler or the command: "-Ifolder", "@list"; or NULL */
  const char *const *includes; /* folders; or NULL */
  const char *folder;          /* where it runs */
  bool is_command;             /* a command of the user's: it may read all files next to it */
};

/* The source, what it includes, what the words name, and for a command all files below the folder
 * of the source but results. `*out`: paths, with any values; each is there once. */
void hone__user_files_add(const struct hone__user_files *files, struct hone__pairs *out);
/* One more file, if it is there. */
void hone__user_files_add_one(struct hone__pairs *out, const char *path);

#endif
