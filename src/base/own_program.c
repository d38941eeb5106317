/* A link of /proc leads to the very file, but loses the folder when it is followed in another mount
 * namespace: a path is better wherever it means the same file. */
#include "base/own_program.h"

#include "base/memory.h"
#include "base/paths.h"
#include "base/text.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static const char link_to_it[] = "/proc/self/exe";

static char *running_file(void)
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

static char *named_program(void)
{
  const char *name = getenv("HONE_PROGRAM");

  return name && *name ? hone__strdup(name) : NULL;
}

char *hone__own_program(void)
{
  char *named = named_program();

  return named ? named : running_file();
}

hone_status hone__own_program_check(void)
{
  char *named = named_program();
  char *file = named ? NULL : running_file();
  const char *slash = file ? strrchr(file, '/') : NULL;
  hone_status status = NULL;

  if (named && !hone__path_is_program(named))
    status = hone__error(HONE_UNAVAILABLE, "HONE_PROGRAM is '%s', which is not a program", named);
  else if (!named && !(slash && hone__starts_with(slash + 1, "hone")))
    status = hone__error(HONE_UNAVAILABLE,
                         "no program 'hone' to start workers from: set HONE_PROGRAM to its path");
  free(named);
  free(file);
  return status;
}
