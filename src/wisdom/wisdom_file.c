/* A wisdom that follows its file. The file is replaced by rename (hone does so), so that what
 * stat() says of it changes. A wisdom is swapped under a lock of a few instructions; whoever has
 * the old one keeps it until it is freed. */
#include "wisdom/wisdom_parts.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef enum hone_wisdom_code code_t;

struct hone_wisdom_file {
  char *path;
  atomic_flag lock; /* of the two below */
  struct hone_wisdom *wisdom;
  struct stat facts;     /* when it was read */
  atomic_flag reloading; /* by one thread at a time */
};

static void take(atomic_flag *lock)
{
  while (atomic_flag_test_and_set_explicit(lock, memory_order_acquire))
    sched_yield();
}

static void give(atomic_flag *lock)
{
  atomic_flag_clear_explicit(lock, memory_order_release);
}

static bool is_same(const struct stat *a, const struct stat *b)
{
  return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_size == b->st_size &&
         a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec &&
         a->st_ctim.tv_sec == b->st_ctim.tv_sec && a->st_ctim.tv_nsec == b->st_ctim.tv_nsec;
}

/* What stat() says before reading: a change in between is seen by the next reload. */
static code_t read_file(const char *path, struct stat *out_facts, struct hone_wisdom **out_wisdom,
                        struct hone_wisdom_error *error)
{
  if (stat(path, out_facts)) memset(out_facts, 0, sizeof *out_facts);
  return hone_wisdom_open(path, out_wisdom, error);
}

static struct hone_wisdom_file *make_file(const char *path)
{
  struct hone_wisdom_file *file = calloc(1, sizeof *file);

  if (!file) return NULL;
  file->path = strdup(path);
  atomic_flag_clear(&file->lock);
  atomic_flag_clear(&file->reloading);
  if (file->path) return file;
  free(file);
  return NULL;
}

code_t hone_wisdom_file_open(const char *path, struct hone_wisdom_file **out_file,
                             struct hone_wisdom_error *error)
{
  struct hone__wisdom_source source = {.name = path};
  struct hone_wisdom_file *file = make_file(path);
  code_t code;

  *out_file = NULL;
  if (!file) return hone__wisdom_no_memory(&source, error);
  code = read_file(path, &file->facts, &file->wisdom, error);
  if (code)
    hone_wisdom_file_free(file);
  else
    *out_file = file;
  return code;
}

struct hone_wisdom *hone_wisdom_file_get(struct hone_wisdom_file *file)
{
  struct hone_wisdom *wisdom;

  take(&file->lock);
  wisdom = hone__wisdom_share(file->wisdom);
  give(&file->lock);
  return wisdom;
}

static void swap(struct hone_wisdom_file *file, struct hone_wisdom *wisdom,
                 const struct stat *facts)
{
  struct hone_wisdom *old;

  take(&file->lock);
  old = file->wisdom;
  file->wisdom = wisdom;
  file->facts = *facts;
  give(&file->lock);
  hone_wisdom_free(old);
}

static bool has_changed(struct hone_wisdom_file *file)
{
  struct stat now;
  bool changed;

  if (stat(file->path, &now)) return true; /* opening it tells why */
  take(&file->lock);
  changed = !is_same(&now, &file->facts);
  give(&file->lock);
  return changed;
}

code_t hone_wisdom_file_reload(struct hone_wisdom_file *file, bool *out_changed,
                               struct hone_wisdom_error *error)
{
  struct hone_wisdom *wisdom = NULL;
  struct stat facts;
  code_t code;

  if (out_changed) *out_changed = false;
  if (error) *error = (struct hone_wisdom_error){.code = HONE_WISDOM_OK};
  if (!has_changed(file)) return HONE_WISDOM_OK;
  if (atomic_flag_test_and_set(&file->reloading)) return HONE_WISDOM_OK; /* another thread does */
  code = read_file(file->path, &facts, &wisdom, error);
  if (!code) {
    swap(file, wisdom, &facts);
    if (out_changed) *out_changed = true;
  }
  atomic_flag_clear(&file->reloading);
  return code;
}

void hone_wisdom_file_free(struct hone_wisdom_file *file)
{
  if (!file) return;
  hone_wisdom_free(file->wisdom);
  free(file->path);
  free(file);
}
