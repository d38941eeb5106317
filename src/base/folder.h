/* folder.h - temporary folders, and their end with all that is in them. */
#ifndef HONE_BASE_FOLDER_H
#define HONE_BASE_FOLDER_H

#include "base/status.h"

/* $TMPDIR; NULL if there is none, or none to be used: names of files in it must be absolute, and
 * UTF-8, for they go through JSON. */
const char *hone__folder_given(void);
/* A new folder in `parent`; NULL: in the given one, else /tmp. The caller frees the path. */
hone_status hone__folder_make(const char *parent, char **out_folder);
/* Links are removed, never followed, and nothing is removed that lies on another file system. NULL
 * is fine. */
void hone__folder_empty(const char *folder);
void hone__folder_remove(const char *folder);

#endif
