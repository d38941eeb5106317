/* paths.h - where the user's data and caches lie, and folders on the way there. */
#ifndef HONE_BASE_PATHS_H
#define HONE_BASE_PATHS_H

#include "base/status.h"

#include <stdbool.h>

/* $variable, else $xdg/`leaf`, else $HOME/`home`/`leaf`; NULL if none of them is set. Empty ones
 * and relative $xdg do not count. The caller frees it. */
char *hone__path_of_user(const char *variable, const char *xdg, const char *home, const char *leaf);

/* A copy that lives as long as the process; the same text gives the same copy. */
const char *hone__path_keep(const char *path);

/* Makes every folder up to the last '/' of the path. */
hone_status hone__path_make_folders(const char *path);

/* "cannot WHAT 'PATH': no such file or directory", of errno. */
hone_status hone__path_error(const char *what, const char *path);

/* "/a/b" of "/a/b/kernel.cu", "." of "kernel.cu"; free(). */
char *hone__path_folder(const char *path);
bool hone__path_is_file(const char *path);    /* a plain one, or a link to one */
bool hone__path_is_program(const char *path); /* and one that may be executed */

/* Makes the file or replaces what is in it. */
hone_status hone__path_write(const char *path, const void *bytes, size_t size);

#endif
