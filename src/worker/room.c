/* Links are removed, never followed, and nothing is removed that lies on another file system. */
#include "worker/room.h"

#include "base/text.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

enum { OPEN_FOLDERS = 16 };
static const double ENOUGH_BYTES = 1 << 30;

/* Where a build's many small files cost least: in memory, where there is plenty of it. */
static const char *parent_folder(void)
{
  static const char in_memory[] = "/dev/shm";
  const char *given = getenv("TMPDIR");
  struct statvfs space;

  if (given && *given == '/') return given;
  if (access(in_memory, W_OK) == 0 && statvfs(in_memory, &space) == 0 &&
      (double)space.f_bavail * (double)space.f_frsize >= ENOUGH_BYTES)
    return in_memory;
  return "/tmp";
}

char *hone__room_open(void)
{
  struct hone_text path = {0};

  hone__text_addf(&path, "%s/hone-XXXXXX", parent_folder());
  if (mkdtemp(path.data) && setenv("TMPDIR", path.data, 1) == 0) return hone__text_take(&path);
  hone__text_release(&path);
  return NULL;
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

void hone__room_empty(const char *room)
{
  if (!room) return;
  nftw(room, open_up, OPEN_FOLDERS, FTW_PHYS | FTW_MOUNT);
  nftw(room, remove_one, OPEN_FOLDERS, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
}

void hone__room_close(char *room)
{
  hone__room_empty(room);
  if (room) remove(room);
  free(room);
}
