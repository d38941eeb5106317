/* paths.h - where the user's data and caches lie, and folders on the way there. */
#ifndef HONE_BASE_PATHS_H
#define HONE_BASE_PATHS_H

#include "base/status.h"

/* $variable, else $xdg/`leaf`, else $HOME/`home`/`leaf`; NULL if none of them is set. Empty ones
 * and relative $xdg do not count. The caller frees it. */
char *hone__path_of_user(const char *variable, const char *xdg, const char *home, const char *leaf);

/* A copy that lives as long as the process; the same text gives the same copy. */
const char *hone__path_keep(const char *path);

/* Makes every folder up to the last '/' of the path. */
hone_status hone__path_make_folders(const char *path);

/* "cannot WHAT 'PATH': no such file or directory", of errno. */
hone_status hone__path_error(const char *what, const char *path);

#endif
