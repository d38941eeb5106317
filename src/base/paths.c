/* Paths are lent for ever though the environment may change: each text is kept once, in a list that
 * stays as short as the number of different settings that a process has seen. */
#include "base/paths.h"

#include "base/file.h"
#include "base/text.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *setting(const char *variable)
{
  const char *value = getenv(variable);

  return value && *value ? value : NULL;
}

char *hone__path_of_user(const char *variable, const char *xdg, const char *home, const char *leaf)
{
  struct hone__text path = {0};
  const char *value = setting(variable);

  if (value) return hone__strdup(value);
  value = setting(xdg);
  if (value && *value == '/') {
    hone__text_addf(&path, "%s/%s", value, leaf);
    return hone__text_take(&path);
  }
  value = setting("HOME");
  if (!value) return NULL;
  hone__text_addf(&path, "%s/%s/%s", value, home, leaf);
  return hone__text_take(&path);
}

struct kept {
  struct kept *next;
  char *text;
};
static struct kept *all_kept;
static pthread_mutex_t kept_lock = PTHREAD_MUTEX_INITIALIZER;

const char *hone__path_keep(const char *path)
{
  struct kept *kept;

  pthread_mutex_lock(&kept_lock);
  for (kept = all_kept; kept; kept = kept->next) {
    if (strcmp(kept->text, path) == 0) break;
  }
  if (!kept) {
    kept = hone__alloc(sizeof *kept);
    *kept = (struct kept){.next = all_kept, .text = hone__strdup(path)};
    all_kept = kept;
  }
  pthread_mutex_unlock(&kept_lock);
  return kept->text;
}

hone_status hone__path_make_folders(const char *path)
{
  char *folder = hone__strdup(path);
  hone_status status = NULL;

  for (char *slash = strchr(folder + 1, '/'); !status && *folder && slash;
       slash = strchr(slash + 1, '/')) {
    *slash = '\0';
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
      status = hone__path_error("make the folder", folder);
    *slash = '/';
  }
  free(folder);
  return status;
}

hone_status hone__path_error(const char *what, const char *path)
{
  bool is_full = errno == ENOSPC || errno == EDQUOT;
  const char *why = strerror(errno);

  return hone__error(is_full ? HONE_EXHAUSTED : HONE_IO, "cannot %s '%s': %c%s", what, path,
                     tolower((unsigned char)*why), why + 1);
}

char *hone__path_folder(const char *path)
{
  const char *slash = strrchr(path, '/');

  return slash ? hone__strndup(path, (size_t)(slash - path)) : hone__strdup(".");
}

bool hone__path_is_file(const char *path)
{
  struct stat info;

  return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

bool hone__path_is_program(const char *path)
{
  return hone__path_is_file(path) && access(path, X_OK) == 0;
}

hone_status hone__path_write(const char *path, const void *bytes, size_t size)
{
  int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  hone_status status = NULL;

  if (file < 0) return hone__path_error("write", path);
  if (!hone__file_write(file, bytes, size)) status = hone__path_error("write", path);
  if (close(file) != 0 && !status) status = hone__path_error("write", path);
  return status;
}
