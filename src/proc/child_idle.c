#include "proc/child_idle.h"

#include "base/clock.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const double look_s = 0.2;

/* Negative: not known. */
static double cpu_seconds(pid_t pid)
{
  clockid_t id;
  struct timespec time;

  if (clock_getcpuclockid(pid, &id) != 0 || clock_gettime(id, &time) != 0) return -1;
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Of a thread; NULL: it cannot be known. */
static FILE *open_fact(pid_t pid, const char *thread, const char *name)
{
  char path[80];

  snprintf(path, sizeof path, "/proc/%d/task/%.20s/%s", (int)pid, thread, name);
  return fopen(path, "re");
}

/* It waits for an event. One that waits for a processor, for a page or a file (NFS), or that a
 * debugger holds would go on by itself. */
static bool thread_waits(pid_t pid, const char *thread)
{
  FILE *file = open_fact(pid, thread, "stat");
  char line[256] = "";
  const char *name_end;

  if (!file) return false;
  if (!fgets(line, sizeof line, file)) *line = 0;
  fclose(file);
  name_end = strrchr(line, ')'); /* names may have blanks */
  return name_end && name_end[1] == ' ' && strchr("SZ", name_end[2]) && name_end[2];
}

/* Each thread has its own. True where it cannot be known. */
static bool thread_has_children(pid_t pid, const char *thread)
{
  FILE *file = open_fact(pid, thread, "children");
  bool has;

  if (!file) return true;
  has = fgetc(file) != EOF;
  fclose(file);
  return has;
}

/* In a PID namespace /proc may be that of another one. */
static bool proc_is_ours(void)
{
  char self[16] = "";

  return readlink("/proc/self", self, sizeof self - 1) > 0 && atol(self) == (long)getpid();
}

/* True where it cannot be known. */
static bool may_go_on(pid_t pid)
{
  char path[40];
  DIR *folder;
  struct dirent *entry;
  bool may = false;

  if (!proc_is_ours()) return true;
  snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
  folder = opendir(path);
  if (!folder) return true;
  while (!may && (entry = readdir(folder)))
    may = *entry->d_name != '.' &&
          (!thread_waits(pid, entry->d_name) || thread_has_children(pid, entry->d_name));
  closedir(folder);
  return may;
}

bool hone__child_is_idle(struct hone__child_idle *idle, pid_t pid, bool has_output, double limit_s)
{
  double now = hone__clock(), cpu_s;

  if (has_output) idle->looks = 0;
  if (!(limit_s > 0) || now < idle->looked + look_s) return false;
  idle->looked = now;
  cpu_s = cpu_seconds(pid);
  if (cpu_s < 0 || cpu_s > idle->cpu_s) idle->looks = 0;
  idle->cpu_s = cpu_s;
  if (++idle->looks * look_s < limit_s) return false;
  if (!may_go_on(pid)) return true;
  idle->looks = 0;
  return false;
}
