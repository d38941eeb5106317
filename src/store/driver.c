/* Process numbers are reused: a process is identified by its number, its time of start and the boot
 * in which that time was counted. */
#include "store/driver.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <sys/utsname.h>
#include <unistd.h>

enum { FIELD_STATE = 3, FIELD_START = 22 }; /* of /proc/PID/stat, see proc(5) */

void hone__driver_host(char out_host[HONE__DRIVER_TEXT])
{
  struct utsname name;

  snprintf(out_host, HONE__DRIVER_TEXT, "%s", uname(&name) == 0 ? name.nodename : "localhost");
}

static bool read_line(const char *path, char *line, size_t size)
{
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  ssize_t got = fd < 0 ? -1 : read(fd, line, size - 1);

  if (fd >= 0) close(fd);
  if (got < 0) return false;
  line[got] = '\0';
  line[strcspn(line, "\n")] = '\0';
  return true;
}

/* The program's name, field 2, is in brackets and may hold blanks and brackets. */
static const char *stat_field(const char *line, int number)
{
  const char *place = strrchr(line, ')');

  for (int field = 2; place && field < number; field++) {
    place = strchr(place, ' ');
    if (place) place++;
  }
  return place;
}

void hone__driver_start(int64_t pid, char out_start[HONE__DRIVER_TEXT])
{
  char path[64], line[1024], boot[64] = "";
  const char *state, *start;

  *out_start = '\0';
  snprintf(path, sizeof path, "/proc/%lld/stat", (long long)pid);
  if (!read_line(path, line, sizeof line)) return;
  state = stat_field(line, FIELD_STATE);
  start = stat_field(line, FIELD_START);
  if (!state || !start || *state == 'Z' || *state == 'X') return;
  read_line("/proc/sys/kernel/random/boot_id", boot, sizeof boot);
  snprintf(out_start, HONE__DRIVER_TEXT, "%s %.*s", boot, (int)strcspn(start, " "), start);
}

static bool is_here(const char *host)
{
  char here[HONE__DRIVER_TEXT];

  hone__driver_host(here);
  return host && strcmp(here, host) == 0;
}

static bool is_running(int64_t pid, const char *start)
{
  char now[HONE__DRIVER_TEXT];

  if (pid <= 0 || (kill((pid_t)pid, 0) != 0 && errno != EPERM)) return false;
  if (access("/proc/self/stat", R_OK) != 0) return true;
  hone__driver_start(pid, now);
  return *now && (!start || !*start || strcmp(start, now) == 0);
}

bool hone__driver_is_alive(int64_t pid, const char *start, const char *host)
{
  return is_here(host) && is_running(pid, start);
}

bool hone__driver_is_gone(int64_t pid, const char *start, const char *host)
{
  return is_here(host) && !is_running(pid, start);
}
