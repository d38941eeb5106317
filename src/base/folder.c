#include "base/folder.h"

#include "base/text.h"
#include "base/utf8.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

enum { OPEN_FOLDERS = 16 };

const char *hone__folder_given(void)
{
  const char *given = getenv("TMPDIR"), *p = given;
  size_t length;

  if (!given || *given != '/') return NULL;
  while (*p && (length = hone__utf8_length(p)) > 0)
    p += length;
  return *p ? NULL : given;
}

static const char *default_parent(void)
{
  const char *given = hone__folder_given();

  return given ? given : "/tmp";
}

hone_status hone__folder_make(const char *parent, char **out_folder)
{
  struct hone_text path = {0};
  hone_status status = NULL;

  *out_folder = NULL;
  hone__text_addf(&path, "%s/hone-XXXXXX", parent ? parent : default_parent());
  if (mkdtemp(path.data))
    *out_folder = hone__text_take(&path);
  else
    status = hone__error(errno == ENOSPC ? HONE_EXHAUSTED : HONE_IO,
                         "cannot make the folder '%s': %s", path.data, strerror(errno));
  hone__text_release(&path);
  return status;
}

/* A folder that its owner may not write to cannot be emptied before it is made writable. */
static int open_up(const char *path, const struct stat *info, int kind, struct FTW *place)
{
  (void)place;
  if (kind == FTW_D || kind == FTW_DNR) chmod(path, info->st_mode | S_IRWXU);
  return 0;
}

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *place)
{
  (void)info;
  (void)kind;
  if (place->level > 0) remove(path);
  return 0;
}

void hone__folder_empty(const char *folder)
{
  if (!folder) return;
  nftw(folder, open_up, OPEN_FOLDERS, FTW_PHYS | FTW_MOUNT);
  nftw(folder, remove_one, OPEN_FOLDERS, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
}

void hone__folder_remove(const char *folder)
{
  hone__folder_empty(folder);
  if (folder) remove(folder);
}
