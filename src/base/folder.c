/* A lock (flock) ends with its process, however that ends, and all processes of a machine see it,
 * in any container. Neither is true of a process number. Where a file system knows no such locks
 * nothing is ever swept. */
#include "base/folder.h"

#include "base/digest.h"
#include "base/text.h"
#include "base/utf8.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { OPEN_FOLDERS = 16, MOST_TRIES = 100, UNIQUE = 6 };

struct kept { /* a folder that this process made */
  struct kept *next;
  char *path;
  int lock;
};
static struct kept *all_kept;

const char *hone__folder_given(void)
{
  const char *given = getenv("TMPDIR"), *p = given;
  size_t length;

  if (!given || *given != '/') return NULL;
  while (*p && (length = hone__utf8_length(p)) > 0)
    p += length;
  return *p ? NULL : given;
}

static const char *default_parent(void)
{
  const char *given = hone__folder_given();

  return given ? given : "/tmp";
}

/* ---- Making ---- */

/* "hone-1a2b3c4d-": of this host, since a file system that hosts share need not share its locks. */
static void add_prefix(struct hone__text *name)
{
  char host[256] = "";

  gethostname(host, sizeof host - 1);
  hone__text_addf(name, "hone-%08x-", (unsigned)hone__checksum(0, host, strlen(host)));
}

static int open_folder(int parent, const char *name)
{
  return openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

/* False: another process removed it first. */
static bool lock_folder(const char *path, int *out_lock)
{
  struct stat info;
  int lock = open_folder(AT_FDCWD, path);

  *out_lock = -1;
  if (lock < 0) return errno != ENOENT;
  *out_lock = lock;
  if (flock(lock, LOCK_EX | LOCK_NB) != 0) return errno != EWOULDBLOCK;
  return fstat(lock, &info) == 0 && info.st_nlink > 0;
}

static void keep(const char *path, int lock)
{
  struct kept *kept = hone__alloc(sizeof *kept);

  *kept = (struct kept){.next = all_kept, .path = hone__strdup(path), .lock = lock};
  all_kept = kept;
}

static void let_go(const char *path)
{
  for (struct kept **at = &all_kept; *at; at = &(*at)->next) {
    struct kept *kept = *at;
    if (strcmp(kept->path, path) != 0) continue;
    *at = kept->next;
    if (kept->lock >= 0) close(kept->lock);
    free(kept->path);
    free(kept);
    return;
  }
}

/* 0 or errno; EAGAIN: once more. */
static int make_one(const char *parent, char **out_folder)
{
  struct hone__text path = {0};
  int lock = -1, error = 0;

  hone__text_addf(&path, "%s/", parent);
  add_prefix(&path);
  hone__text_add(&path, "XXXXXX");
  if (!mkdtemp(path.data)) {
    error = errno;
  } else if (!lock_folder(path.data, &lock)) {
    if (lock >= 0) close(lock);
    error = EAGAIN;
  } else {
    keep(path.data, lock);
    *out_folder = hone__text_take(&path);
  }
  hone__text_release(&path);
  return error;
}

hone_status hone__folder_make(const char *parent, char **out_folder)
{
  int error = EAGAIN;

  *out_folder = NULL;
  if (!parent) parent = default_parent();
  for (int i = 0; error == EAGAIN && i < MOST_TRIES; i++)
    error = make_one(parent, out_folder);
  if (!error) return NULL;
  return hone__error(error == ENOSPC ? HONE_EXHAUSTED : HONE_IO,
                     "cannot make a temporary folder in '%s': %s", parent, strerror(error));
}

/* ---- Removing ---- */

/* A folder that its owner may not write to cannot be emptied before it is made writable. */
static int open_up(const char *path, const struct stat *info, int kind, struct FTW *place)
{
  (void)place;
  if (kind == FTW_D || kind == FTW_DNR) chmod(path, info->st_mode | S_IRWXU);
  return 0;
}

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *place)
{
  (void)info;
  (void)kind;
  if (place->level > 0) remove(path);
  return 0;
}

void hone__folder_empty(const char *folder)
{
  if (!folder) return;
  nftw(folder, open_up, OPEN_FOLDERS, FTW_PHYS | FTW_MOUNT);
  nftw(folder, remove_one, OPEN_FOLDERS, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
}

void hone__folder_remove(const char *folder)
{
  if (!folder) return;
  hone__folder_empty(folder);
  remove(folder);
  let_go(folder);
}

/* ---- Sweeping ---- */

static bool is_left_behind(int parent, const char *name, int *out_lock)
{
  struct stat info;

  *out_lock = open_folder(parent, name);
  return *out_lock >= 0 && fstat(*out_lock, &info) == 0 && info.st_uid == geteuid() &&
         flock(*out_lock, LOCK_EX | LOCK_NB) == 0;
}

static void sweep_one(int parent, const char *parent_path, const char *name)
{
  struct hone__text path = {0};
  int lock;

  if (is_left_behind(parent, name, &lock)) {
    hone__text_addf(&path, "%s/%s", parent_path, name);
    hone__folder_empty(path.data);
    remove(path.data);
    hone__text_release(&path);
  }
  if (lock >= 0) close(lock);
}

void hone__folder_sweep(const char *parent)
{
  DIR *folder = opendir(parent);
  struct hone__text prefix = {0};
  struct dirent *entry;

  if (!folder) return;
  add_prefix(&prefix);
  while ((entry = readdir(folder)))
    if (strlen(entry->d_name) == prefix.length + UNIQUE &&
        strncmp(entry->d_name, prefix.data, prefix.length) == 0)
      sweep_one(dirfd(folder), parent, entry->d_name);
  hone__text_release(&prefix);
  closedir(folder);
}
