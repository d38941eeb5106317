#include "text_file.h"

#include "output.h"

#include <string.h>
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static bool complain(const char *what, const char *path)
{
  const char *reason = strerror(errno);

  message_error("cannot %s '%s': %c%s", what, path, tolower((unsigned char)*reason), reason + 1);
  return false;
}

/* Every folder up to the last '/'. */
static bool make_folders(const char *path)
{
  char *copy = check_memory(strdup(path));
  bool good = true;

  for (char *slash = copy + 1; good && *copy && (slash = strchr(slash, '/')); slash++) {
    *slash = '\0';
    if (mkdir(copy, 0777) != 0 && errno != EEXIST) good = complain("make the folder", copy);
    *slash = '/';
  }
  free(copy);
  return good;
}

bool text_file_make_folder(const char *path)
{
  struct stat info;

  if (!make_folders(path)) return false;
  if (mkdir(path, 0777) != 0 && errno != EEXIST) return complain("make the folder", path);
  if (stat(path, &info) == 0 && S_ISDIR(info.st_mode) && access(path, W_OK | X_OK) == 0)
    return true;
  if (errno == EEXIST) errno = ENOTDIR; /* a file has its name */
  return complain("write in the folder", path);
}

/* A folder that cannot be locked is used unlocked. */
int text_file_claim_folder(const char *path, bool shared)
{
  int folder;

  if (!text_file_make_folder(path)) return -1;
  folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) {
    complain("write in the folder", path);
    return -1;
  }
  if (flock(folder, (shared ? LOCK_SH : LOCK_EX) | LOCK_NB) == 0 || errno != EWOULDBLOCK)
    return folder;
  message_error(
      "another hone process uses the folder '%s': wait for it, or give another --output-dir", path);
  close(folder);
  return -1;
}

bool text_file_put(int file, const char *bytes, size_t size)
{
  while (size) {
    ssize_t written = write(file, bytes, size);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    bytes += written;
    size -= (size_t)written;
  }
  return true;
}

static bool write_to(const char *path, int flags, const char *text)
{
  int file = open(path, O_WRONLY | O_CLOEXEC | flags, 0666), error;
  bool good;

  if (file < 0) return false;
  good = text_file_put(file, text, strlen(text));
  error = errno;
  if (close(file) != 0 && good) return false;
  errno = error;
  return good;
}

/* `path` is the resolved path: a link stays a link. */
static bool replace(const char *path, const char *text)
{
  size_t size = strlen(path) + 32;
  char *aside = check_memory(malloc(size));
  bool good;
  int error;

  snprintf(aside, size, "%s.%ld.new", path, (long)getpid());
  good = write_to(aside, O_CREAT | O_TRUNC, text) && rename(aside, path) == 0;
  error = errno;
  if (!good) unlink(aside);
  free(aside);
  errno = error;
  return good;
}

bool text_file_prepare(const char *path)
{
  const char *slash = strrchr(path, '/');
  struct stat facts;
  char *folder;
  bool exists = stat(path, &facts) == 0, good;

  if (!exists && !make_folders(path)) return false;
  folder = slash ? strndup(path, (size_t)(slash + 1 - path)) : strdup(".");
  if (exists && S_ISDIR(facts.st_mode))
    good = (errno = EISDIR, false);
  else if (exists && !S_ISREG(facts.st_mode))
    good = access(path, W_OK) == 0;
  else
    good = access(check_memory(folder), W_OK | X_OK) == 0;
  if (!good) complain("write", path);
  free(folder);
  return good;
}

bool text_file_write(const char *path, const char *text)
{
  struct stat facts;
  bool exists = stat(path, &facts) == 0, good;
  char *real;

  if (!exists && !make_folders(path)) return false;
  real = exists ? realpath(path, NULL) : NULL;
  if (exists && !real && errno == ENOMEM) check_memory(NULL);
  if (exists && !S_ISREG(facts.st_mode))
    good = write_to(path, 0, text);
  else
    good = replace(real ? real : path, text);
  if (!good) complain("write", path);
  free(real);
  return good;
}

bool text_file_print(const char *path, const char *text)
{
  struct output output;

  if (path && strcmp(path, "-") != 0) return text_file_write(path, text);
  output_open(&output, STDOUT_FILENO, false);
  output_document(&output, text);
  return output_close(&output);
}

bool text_file_remove(const char *path)
{
  if (unlink(path) == 0 || errno == ENOENT || errno == ENOTDIR) return true;
  return complain("remove", path);
}
