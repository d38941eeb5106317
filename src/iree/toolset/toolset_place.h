/* toolset_place.h - where IREE's executables may lie. */
#ifndef HONE_IREE_TOOLSET_TOOLSET_PLACE_H
#define HONE_IREE_TOOLSET_TOOLSET_PLACE_H

#include "iree/toolset/toolset.h"

extern const char *const hone__iree_tool_names[HONE__IREE_TOOLS];

/* In a list of folders, separated by ':': each a folder with executables, a virtual environment, or
 * a folder of Python packages. Fills in what is missing yet; false: the list has nothing. */
bool hone__iree_look_in(const char *folders, char *paths[HONE__IREE_TOOLS]);
/* As a shell finds them. */
void hone__iree_look_in_path(char *paths[HONE__IREE_TOOLS]);

#endif
