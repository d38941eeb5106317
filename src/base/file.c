#include "base/file.h"
#include "base/memory.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* "cannot open 'gemm.yaml': no such file or directory" */
static hone_status cannot(const char *what, const char *path, const char *why)
{
  bool is_input = strcmp(path, "-") == 0;

  return hone__error(HONE_IO, "cannot %s %s%s%s: %c%s", what, is_input ? "" : "'",
                     is_input ? "standard input" : path, is_input ? "" : "'",
                     tolower((unsigned char)*why), why + 1);
}

static hone_status too_large(const char *path, size_t limit)
{
  char why[64];

  snprintf(why, sizeof why, "larger than %zu MiB", limit >> 20);
  return cannot("read", path, why);
}

static hone_status read_all(int fd, const char *path, size_t limit, char **out_text,
                            size_t *out_size)
{
  size_t size = 0, capacity = 16384;
  char *text = hone__alloc(capacity);

  for (;;) {
    ssize_t got = read(fd, text + size, capacity - size - 1);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) {
      free(text);
      return cannot("read", path, strerror(errno));
    }
    if (got == 0) break;
    size += (size_t)got;
    if (size > limit) {
      free(text);
      return too_large(path, limit);
    }
    if (capacity - size < 2) {
      capacity *= 2;
      text = hone__realloc(text, capacity);
    }
  }
  text[size] = 0;
  *out_text = text;
  *out_size = size;
  return NULL;
}

/* Closes the descriptor. */
static hone_status read_open(int fd, const char *path, size_t limit, char **out_text,
                             size_t *out_size)
{
  hone_status status = NULL;
  struct stat info = {0};

  if (fd < 0) return cannot("open", path, strerror(errno));
  if (fstat(fd, &info) == 0 && S_ISDIR(info.st_mode))
    status = cannot("read", path, "is a directory");
  else if (S_ISREG(info.st_mode) && (size_t)info.st_size > limit)
    status = too_large(path, limit);
  else
    status = read_all(fd, path, limit, out_text, out_size);
  close(fd);
  return status;
}

hone_status hone__file_read(const char *path, size_t limit, char **out_text, size_t *out_size)
{
  int fd = strcmp(path, "-") == 0 ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC);

  *out_text = NULL;
  *out_size = 0;
  return read_open(fd, path, limit, out_text, out_size);
}

static hone_status check_plain(const char *path)
{
  static const struct {
    mode_t kind;
    const char *name;
  } kinds[] = {{S_IFDIR, "folder"},
               {S_IFIFO, "FIFO"},
               {S_IFSOCK, "socket"},
               {S_IFCHR, "device"},
               {S_IFBLK, "device"}};
  const char *why = NULL, *name = "special file";
  struct stat info;

  if (stat(path, &info) != 0)
    why = strerror(errno);
  else if (S_ISREG(info.st_mode))
    return NULL;
  if (why)
    return hone__error(HONE_IO, "cannot write into '%s': %c%s", path, tolower((unsigned char)*why),
                       why + 1);
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if ((info.st_mode & S_IFMT) == kinds[i].kind) name = kinds[i].name;
  return hone__error(HONE_IO, "cannot write into '%s': it is a %s, not a plain file", path, name);
}

hone_status hone__file_read_plain(const char *path, size_t limit, char **out_text, size_t *out_size)
{
  hone_status status = check_plain(path);

  *out_text = NULL;
  *out_size = 0;
  if (status) return status;
  /* If it has become a FIFO by now, it does not block. */
  return read_open(open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY), path, limit, out_text,
                   out_size);
}

bool hone__file_write(int fd, const void *bytes, size_t size)
{
  const char *at = bytes;

  while (size) {
    ssize_t written = write(fd, at, size);
    if (written < 0 && errno == EINTR) continue;
    if (written == 0) errno = EIO; /* a device that takes nothing: do not retry for ever */
    if (written <= 0) return false;
    at += written;
    size -= (size_t)written;
  }
  return true;
}

void hone__file_each_line(const char *path, size_t limit,
                          void (*line)(void *data, const char *path, const char *text), void *data)
{
  char *text = NULL;
  size_t size;

  hone_status_free(hone__file_read(path, limit, &text, &size));
  for (const char *at = text; at && *at; at += *at == '\n') {
    line(data, path, at);
    at += strcspn(at, "\n");
  }
  free(text);
}

bool hone__file_make(const char *path, const void *bytes, size_t size)
{
  int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666), error;
  bool is_written;

  if (fd < 0) return false;
  is_written = hone__file_write(fd, bytes, size);
  error = errno;
  if (close(fd) != 0 && is_written) return false;
  errno = error;
  return is_written;
}
