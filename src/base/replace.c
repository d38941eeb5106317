/* A new text is complete on disk before it gets the name: a full disk or a kill leaves the old one.
 */
#include "base/replace.h"
#include "base/file.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static hone_status cannot_write(const char *path)
{
  return hone__error(HONE_IO, "cannot write '%s': %s", path, strerror(errno));
}

/* Owner and group can be kept only by those who may give files away; permissions always. */
static bool copy_rights(int fd, const struct stat *old)
{
  if (fchown(fd, old->st_uid, old->st_gid) != 0) errno = 0;
  return fchmod(fd, old->st_mode & 07777) == 0;
}

static bool fill(int fd, const struct stat *old, const char *bytes, size_t size)
{
  bool good = hone__file_write(fd, bytes, size) && copy_rights(fd, old) && fsync(fd) == 0;
  int why = errno;

  if (close(fd) != 0 && good) return false;
  errno = why;
  return good;
}

static hone_status write_aside(const char *path, const char *real, const struct stat *old,
                               const char *bytes, size_t size)
{
  struct hone__text aside = {0};
  hone_status status = NULL;
  int fd;

  hone__text_addf(&aside, "%s.XXXXXX", real);
  fd = mkostemp(aside.data, O_CLOEXEC);
  if (fd < 0) {
    status = cannot_write(path);
  } else if (!fill(fd, old, bytes, size) || rename(aside.data, real) != 0) {
    status = cannot_write(path);
    unlink(aside.data);
  }
  hone__text_release(&aside);
  return status;
}

hone_status hone__file_replace(const char *path, const char *bytes, size_t size)
{
  char *real = hone__realpath(path);
  hone_status status;
  struct stat old;

  if (!real || stat(real, &old) != 0 || access(real, W_OK) != 0)
    status = cannot_write(path);
  else if (!S_ISREG(old.st_mode)) /* replacing a device by a file is never useful */
    status = hone__error(HONE_IO, "cannot write '%s': it is not a plain file", path);
  else
    status = write_aside(path, real, &old, bytes, size);
  free(real);
  return status;
}

hone_status hone__file_put(const char *path, const char *bytes, size_t size)
{
  struct stat facts;
  mode_t mask;

  if (lstat(path, &facts) == 0) return hone__file_replace(path, bytes, size);
  mask = umask(0);
  umask(mask);
  facts = (struct stat){.st_uid = geteuid(), .st_gid = getegid(), .st_mode = 0666 & ~mask};
  return write_aside(path, path, &facts, bytes, size);
}
