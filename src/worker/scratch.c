#include "worker/scratch.h"

#include "base/folder.h"

#include <stdlib.h>
#include <sys/statvfs.h>
#include <unistd.h>

static const double ENOUGH_BYTES = 1 << 30;

/* Memory, if there is plenty of it: builds write many small files. */
static const char *parent_folder(void)
{
  static const char in_memory[] = "/dev/shm";
  const char *given = hone__folder_given();
  struct statvfs space;

  if (given) return given;
  if (access(in_memory, W_OK) == 0 && statvfs(in_memory, &space) == 0 &&
      (double)space.f_bavail * (double)space.f_frsize >= ENOUGH_BYTES)
    return in_memory;
  return NULL;
}

/* Removes the folders of killed supervisors, runners and drivers. */
static void sweep(void)
{
  const char *const parents[] = {hone__folder_given(), "/dev/shm", "/tmp", "/var/tmp"};

  for (size_t i = 0; i < sizeof parents / sizeof *parents; i++)
    if (parents[i]) hone__folder_sweep(parents[i]);
}

char *hone__scratch_open(void)
{
  char *scratch;

  sweep();
  hone_status_free(hone__folder_make(parent_folder(), &scratch));
  if (scratch) setenv("TMPDIR", scratch, 1);
  return scratch;
}

void hone__scratch_empty(const char *scratch)
{
  hone__folder_empty(scratch);
}

void hone__scratch_close(char *scratch)
{
  hone__folder_remove(scratch);
  free(scratch);
}
