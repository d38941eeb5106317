/* iree_world.h - a machine on which nothing of IREE can be found. */
#ifndef HONE_TESTS_IREE_WORLD_H
#define HONE_TESTS_IREE_WORLD_H

#include "folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static inline int begin_without_iree(void **state)
{
  if (make_folder(state) != 0) return -1;
  setenv("HONE_CACHE", path_of("cache"), 1);
  setenv("PATH", "/usr/bin:/bin", 1);
  unsetenv("VIRTUAL_ENV");
  unsetenv("HONE_IREE");
  return 0;
}

#endif
