/* Locks of open file descriptions: two of one process exclude each other too, and closing another
 * descriptor of the file does not release them. The store's own file has locks of SQLite's, which a
 * descriptor of ours would release when it is closed: hence a separate file. */
#include "store/run_lock.h"

#include "base/digest.h"
#include "base/text.h"
#include "store/store_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Whoever may write to the store may lock it. */
static int open_lock_file(struct hone_store *store)
{
  const char *path = sqlite3_db_filename(store->database, "main"); /* links are resolved */
  struct hone__text name = {0};
  struct stat state;
  int file;

  if (!path || stat(path, &state) != 0) return -1;
  hone__text_addf(&name, "%s-lock", path);
  file = open(name.data, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (file >= 0)
    (void)fchmod(file, state.st_mode & 0666);
  else if (errno == EEXIST)
    file = open(name.data, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  hone__text_release(&name);
  return file;
}

static int lock_byte(int file, const char *key)
{
  uint64_t at = hone__checksum(0, key, strlen(key)) >> 2; /* off_t is signed */
  struct flock lock = {
      .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = (off_t)at, .l_len = 1, .l_pid = 0};
  int result;

  do
    result = fcntl(file, F_OFD_SETLK, &lock);
  while (result != 0 && errno == EINTR);
  return result;
}

bool hone__store_run_lock_take(struct hone__store_run_lock *lock, struct hone_store *store,
                               const char *key)
{
  int file = open_lock_file(store);
  bool is_taken;

  *lock = (struct hone__store_run_lock){.file = file};
  if (file < 0) return true;
  lock->is_held = lock_byte(file, key) == 0;
  if (lock->is_held) return true;
  is_taken = errno == EAGAIN || errno == EACCES;
  close(file);
  return !is_taken;
}

void hone__store_run_lock_release(struct hone__store_run_lock *lock)
{
  if (lock->is_held) close(lock->file);
  lock->is_held = false;
}
