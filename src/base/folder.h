/* folder.h - temporary folders, and their end with all that is in them. */
#ifndef HONE_BASE_FOLDER_H
#define HONE_BASE_FOLDER_H

#include "base/status.h"

/* A new folder in `parent`; NULL: in $TMPDIR, else /tmp. The caller frees the path. */
hone_status hone__folder_make(const char *parent, char **out_folder);
/* Links are removed, never followed, and nothing is removed that lies on another file system. NULL
 * is fine. */
void hone__folder_empty(const char *folder);
void hone__folder_remove(const char *folder);

#endif
