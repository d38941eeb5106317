/* folder.h - temporary folders, and their end with all that is in them.
 *
 * A process that is killed leaves its folders behind. So that others can remove them, each folder
 * is locked by the process that made it for as long as that lives, and named after its host:
 * "hone-1a2b3c4d-XXXXXX".
 */
#ifndef HONE_BASE_FOLDER_H
#define HONE_BASE_FOLDER_H

#include "base/status.h"

/* $TMPDIR; NULL if it is not set or cannot be used: its name must be absolute and UTF-8, because
 * messages have names of files in it. */
const char *hone__folder_given(void);
/* A new folder in `parent`; NULL: in the given one, else /tmp. The caller frees the path. */
hone_status hone__folder_make(const char *parent, char **out_folder);
/* Links are removed, never followed, and nothing is removed that lies on another file system. NULL
 * is fine. */
void hone__folder_empty(const char *folder);
/* Removes the folders in `parent` that this user's processes on this host made and left behind. */
void hone__folder_sweep(const char *parent);
void hone__folder_remove(const char *folder);

#endif
