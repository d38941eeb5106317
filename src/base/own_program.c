/* A link of /proc leads to the very file, but loses the folder when it is followed in another mount
 * namespace: a path is better wherever it means the same file. */
#include "base/memory.h"
#include "hone_machine.h"

#include <sys/stat.h>
#include <unistd.h>

static const char link_to_it[] = "/proc/self/exe";

char *hone_own_program(void)
{
  char path[4096];
  ssize_t length = readlink(link_to_it, path, sizeof path - 1);
  struct stat named, running;

  path[length > 0 ? length : 0] = 0;
  if (stat(path, &named) != 0 || stat(link_to_it, &running) != 0 ||
      named.st_ino != running.st_ino || named.st_dev != running.st_dev)
    return hone__strdup(link_to_it);
  return hone__strdup(path);
}
