/* The kernel's list is read: to ask by fcntl(2) takes a descriptor of the file, and closing one
 * releases all locks that SQLite has in this process. */
#include "store/lock_holder.h"

#include "base/text.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* Bytes that SQLite locks, see https://sqlite.org/fileformat2.html and walindex.html. */
static const struct {
  const char *suffix;
  unsigned long long from, to;
} places[] = {
    {"", 0x40000000, 0x40000001}, /* pending and reserved, without WAL */
    {"-shm", 120, 120},           /* the one writer of WAL */
};

static bool is_at(unsigned long long from, const char *to, size_t place)
{
  unsigned long long last;

  if (sscanf(to, "%llu", &last) != 1) last = ~0ull; /* "EOF" */
  return from <= places[place].to && last >= places[place].from;
}

/* "1: POSIX  ADVISORY  WRITE 4711 fd:01:1835 120 120" */
static long long holder_in(const char *line, unsigned long long inode, size_t place)
{
  unsigned long long its_inode, from;
  char to[32];
  long long pid;

  if (sscanf(line, "%*s POSIX %*s WRITE %lld %*x:%*x:%llu %llu %31s", &pid, &its_inode, &from,
             to) != 4)
    return 0;
  if (its_inode != inode || pid <= 0 || pid == getpid()) return 0;
  return is_at(from, to, place) ? pid : 0;
}

static long long holder_at(const char *path, size_t place)
{
  struct hone__text name = {0};
  struct stat state;
  FILE *list = NULL;
  long long pid = 0;
  char line[256];

  hone__text_addf(&name, "%s%s", path, places[place].suffix);
  if (stat(name.data, &state) == 0) list = fopen("/proc/locks", "re");
  while (list && !pid && fgets(line, sizeof line, list))
    pid = holder_in(line, (unsigned long long)state.st_ino, place);
  if (list) fclose(list);
  hone__text_release(&name);
  return pid;
}

long long hone__lock_holder(const char *path)
{
  long long pid = 0;

  for (size_t i = 0; path && !pid && i < sizeof places / sizeof *places; i++)
    pid = holder_at(path, i);
  return pid;
}
