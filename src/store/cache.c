/* A file of the cache is <folder>/<kind>/<first digit>/<key>: a header of 16 bytes, magic and
 * checksum, then the content. It is written aside in the same folder and renamed, without fsync: a
 * file torn by a power failure has the wrong checksum and is a miss. The checksum covers the key
 * too, so that a file under a wrong name is a miss as well. */
#include "store/cache_internal.h"

#include "base/digest.h"
#include "base/file.h"
#include "base/text.h"
#include "base/paths.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { KEY_MIN = 3, KEY_MAX = 64, NOTED_FOR_S = 3600, NAMES_TRIED = 64 };

const char *const hone__cache_kinds[HONE__CACHE_KINDS] = {"builds", "objects", "references",
                                                          "iree",   "partial", "files"};

struct header {
  char magic[8];
  unsigned char checksum[8]; /* the lowest byte first */
};
_Static_assert(sizeof(struct header) == HONE__CACHE_HEADER, "the header has no gaps");

static const char magic[8] = {'H', 'O', 'N', 'E', 'c', 'a', 'c', '1'};

static _Thread_local const char *chosen; /* lent for ever */

const char *hone__cache_choose(const char *folder)
{
  const char *before = chosen;

  chosen = folder && *folder ? hone__path_keep(folder) : NULL;
  return before;
}

const char *hone__cache_folder(void)
{
  char *path = chosen ? hone__strdup(chosen)
                      : hone__path_of_user("HONE_CACHE", "XDG_CACHE_HOME", ".cache", "hone");
  char *here = path && *path != '/' ? hone__getcwd() : NULL;
  struct hone__text text = {0};
  const char *kept;

  if (here) hone__text_addf(&text, "%s/", here);
  hone__text_add(&text, path ? path : "");
  kept = hone__path_keep(text.data);
  hone__text_release(&text);
  free(here);
  free(path);
  return kept;
}

/* ---- Names ---- */

bool hone__cache_is_key(const char *name)
{
  size_t length = strspn(name, "0123456789abcdef");

  return name[length] == '\0' && length >= KEY_MIN && length <= KEY_MAX;
}

static bool is_kind(const char *name)
{
  for (size_t i = 0; i < HONE__CACHE_KINDS; i++) {
    if (strcmp(hone__cache_kinds[i], name) == 0) return true;
  }
  return false;
}

/* The folder of a key with a '/' after it. */
static hone_status folder_of(const char *kind, const char *key, struct hone__text *out_path)
{
  const char *folder = hone__cache_folder();

  if (!is_kind(kind) || !hone__cache_is_key(key))
    return hone__error(HONE_INVALID_ARGUMENT, "'%s/%s' is not a valid cache name", kind, key);
  if (!*folder)
    return hone__error(HONE_UNAVAILABLE, "no folder for the cache: set HONE_CACHE or HOME");
  hone__text_addf(out_path, "%s/%s/%.1s/", folder, kind, key);
  return NULL;
}

/* ---- Content ---- */

static struct header make_header(const char *key, const void *bytes, size_t size)
{
  uint64_t sum = hone__checksum(hone__checksum(0, key, strlen(key)), bytes, size);
  struct header header;

  memcpy(header.magic, magic, sizeof magic);
  for (int i = 0; i < 8; i++)
    header.checksum[i] = (unsigned char)(sum >> (8 * i));
  return header;
}

static bool read_all(int fd, char *bytes, size_t size)
{
  while (size) {
    ssize_t got = read(fd, bytes, size);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    bytes += got;
    size -= (size_t)got;
  }
  return true;
}

/* As with relatime, a file that is used all the time is noted once an hour. Where that cannot be,
 * pruning takes it for older than it is. */
static void note_use(int fd, const struct stat *state)
{
  const struct timespec times[2] = {{.tv_nsec = UTIME_OMIT}, {.tv_nsec = UTIME_NOW}};

  if (time(NULL) - state->st_mtime > NOTED_FOR_S) (void)futimens(fd, times);
}

static char *read_checked(int fd, const char *key, bool touch, size_t *out_size)
{
  struct header stored, right;
  struct stat state;
  char *bytes;
  size_t size;

  if (fstat(fd, &state) != 0 || !S_ISREG(state.st_mode)) return NULL;
  if (state.st_size < (off_t)sizeof stored) return NULL;
  size = (size_t)state.st_size - sizeof stored;
  bytes = malloc(size + 1);
  if (!bytes) return NULL;
  if (!read_all(fd, (char *)&stored, sizeof stored) || !read_all(fd, bytes, size)) goto bad;
  right = make_header(key, bytes, size);
  if (memcmp(&stored, &right, sizeof right) != 0) goto bad;
  bytes[size] = '\0';
  if (touch) note_use(fd, &state);
  *out_size = size;
  return bytes;
bad:
  free(bytes);
  return NULL;
}

char *hone__cache_read(int folder, const char *path, const char *key, bool touch, size_t *out_size)
{
  int fd = openat(folder, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW);
  char *bytes;

  if (fd < 0) return NULL;
  bytes = read_checked(fd, key, touch, out_size);
  close(fd);
  return bytes;
}

hone_status hone__cache_get(const char *kind, const char *key, char **out_bytes, size_t *out_size)
{
  struct hone__text path = {0};
  hone_status status = folder_of(kind, key, &path);

  *out_bytes = NULL;
  *out_size = 0;
  if (status && hone_status_code(status) == HONE_INVALID_ARGUMENT) goto done;
  if (!status) {
    hone__text_add(&path, key);
    *out_bytes = hone__cache_read(AT_FDCWD, path.data, key, true, out_size);
  }
  hone_status_free(status);
  status = *out_bytes ? NULL : hone__error(HONE_NOT_FOUND, "'%s/%s' is not cached", kind, key);
done:
  hone__text_release(&path);
  return status;
}

/* ---- Writing ---- */

/* A name that no other thread, process or host is likely to try; O_EXCL decides. The path ends with
 * it afterwards. */
static int open_aside(struct hone__text *path)
{
  static atomic_uint counter;
  size_t length = path->length;
  struct timespec now;
  int fd = -1;

  for (int i = 0; i < NAMES_TRIED; i++) {
    path->length = length;
    clock_gettime(CLOCK_REALTIME, &now);
    hone__text_addf(path, HONE__CACHE_ASIDE "%ld-%u-%lx", (long)getpid(),
                    atomic_fetch_add(&counter, 1), (unsigned long)now.tv_nsec);
    fd = open(path->data, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd >= 0 || errno != EEXIST) break;
  }
  return fd;
}

static hone_status make_aside(struct hone__text *path, int *out_fd)
{
  size_t length = path->length;
  hone_status status;

  *out_fd = open_aside(path);
  if (*out_fd >= 0) return NULL;
  if (errno == ENOENT) {
    path->length = length;
    path->data[length] = '\0';
    status = hone__path_make_folders(path->data);
    if (status) return status;
    *out_fd = open_aside(path);
    if (*out_fd >= 0) return NULL;
  }
  return hone__path_error("create", path->data);
}

static bool write_file(int fd, const char *key, const void *bytes, size_t size)
{
  struct header header = make_header(key, bytes, size);
  bool written = hone__file_write(fd, &header, sizeof header) && hone__file_write(fd, bytes, size);
  int why = errno;

  if (close(fd) != 0 && written) return false;
  errno = why;
  return written;
}

hone_status hone__cache_put(const char *kind, const char *key, const void *bytes, size_t size)
{
  struct hone__text path = {0}, aside = {0};
  hone_status status = folder_of(kind, key, &path);
  int fd;

  if (status) goto done;
  hone__text_addn(&aside, path.data, path.length);
  hone__text_add(&path, key);
  status = make_aside(&aside, &fd);
  if (status) goto done;
  if (!write_file(fd, key, bytes, size) || rename(aside.data, path.data) != 0) {
    status = hone__path_error("write", path.data);
    unlink(aside.data);
  }
done:
  hone__text_release(&aside);
  hone__text_release(&path);
  return status;
}

void hone__cache_remove(const char *kind, const char *key)
{
  struct hone__text path = {0};
  hone_status status = folder_of(kind, key, &path);

  if (!status) {
    hone__text_add(&path, key);
    unlink(path.data);
  }
  hone_status_free(status);
  hone__text_release(&path);
}
