/* Files of installed libraries. */
#include "backend/simt/simt_files.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>

static int by_version(const void *a, const void *b)
{
  return -strverscmp(*(char *const *)a, *(char *const *)b);
}

void hone__simt_files(const char *pattern, struct hone__words *out_files)
{
  glob_t found = {0};

  if (glob(pattern, 0, NULL, &found) == 0) {
    qsort(found.gl_pathv, found.gl_pathc, sizeof *found.gl_pathv, by_version);
    for (size_t i = 0; i < found.gl_pathc; i++)
      hone__words_add(out_files, found.gl_pathv[i]);
  }
  globfree(&found);
}
