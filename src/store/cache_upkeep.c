/* Looking after the cache: how much it holds, what is damaged, what has been unused for long. Other
 * processes may write and remove files meanwhile: what has gone is skipped. The cache's folder may
 * be a link; below it links are not followed, so that nothing elsewhere is ever removed. */
#include "store/cache_internal.h"

#include "base/folder.h"
#include "base/paths.h"
#include "base/text.h"
#include "hone_machine.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { ASIDE_AGE_S = 3600 }; /* writing a file never takes longer */
enum { DEEPEST = 64 };

struct entry {
  size_t kind;
  char *sub, *name; /* KIND/SUB/NAME is the file */
  struct timespec used;
  uint64_t bytes;
  bool is_aside, is_damaged;
};

struct listing {
  const char *path;
  int folder;
  bool verify;
  struct entry *entries;
  size_t count, capacity;
};

static void release(struct listing *listing)
{
  for (size_t i = 0; i < listing->count; i++) {
    free(listing->entries[i].sub);
    free(listing->entries[i].name);
  }
  free(listing->entries);
  if (listing->folder >= 0) close(listing->folder);
}

/* ---- Listing files ---- */

static bool is_damaged(int folder, const char *key)
{
  size_t size;
  char *bytes = hone__cache_read(folder, key, key, false, &size);

  free(bytes);
  return !bytes;
}

static void list_file(struct listing *listing, size_t kind, int folder, const char *sub,
                      const char *name)
{
  struct entry entry = {.kind = kind};
  bool is_plain = kind == HONE__CACHE_PLAIN;
  struct stat state;

  entry.is_aside = hone__starts_with(name, HONE__CACHE_ASIDE);
  if (!entry.is_aside && !is_plain && !hone__cache_is_key(name)) return;
  if (fstatat(folder, name, &state, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(state.st_mode)) return;
  entry.sub = hone__strdup(sub);
  entry.name = hone__strdup(name);
  entry.used = state.st_mtim;
  entry.bytes = (uint64_t)state.st_size;
  entry.is_damaged = listing->verify && !entry.is_aside && !is_plain && is_damaged(folder, name);
  HONE__GROW(listing->entries, listing->count, listing->capacity);
  listing->entries[listing->count++] = entry;
}

static int enter(int folder, const char *name)
{
  return openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

static DIR *open_folder(int folder, const char *name)
{
  int fd = enter(folder, name);
  DIR *result = fd < 0 ? NULL : fdopendir(fd);

  if (!result && fd >= 0) close(fd);
  return result;
}

static void list_sub(struct listing *listing, size_t kind, DIR *parent, const char *sub)
{
  DIR *folder = open_folder(dirfd(parent), sub);
  struct dirent *found;

  if (!folder) return;
  while ((found = readdir(folder)))
    list_file(listing, kind, dirfd(folder), sub, found->d_name);
  closedir(folder);
}

/* ---- Folders with all that is in them ---- */

static uint64_t bytes_below(int folder, const char *name, int depth)
{
  DIR *dir = depth < DEEPEST ? open_folder(folder, name) : NULL;
  struct dirent *found;
  struct stat state;
  uint64_t bytes = 0;

  while (dir && (found = readdir(dir))) {
    if (strcmp(found->d_name, ".") == 0 || strcmp(found->d_name, "..") == 0 ||
        fstatat(dirfd(dir), found->d_name, &state, AT_SYMLINK_NOFOLLOW) != 0)
      continue;
    if (S_ISDIR(state.st_mode))
      bytes += bytes_below(dirfd(dir), found->d_name, depth + 1);
    else
      bytes += (uint64_t)state.st_size;
  }
  if (dir) closedir(dir);
  return bytes;
}

static void list_tree(struct listing *listing, DIR *parent, const char *name)
{
  struct entry entry = {.kind = HONE__CACHE_TREES};
  struct stat state;

  if (!hone__cache_is_key(name) || fstatat(dirfd(parent), name, &state, AT_SYMLINK_NOFOLLOW) != 0 ||
      !S_ISDIR(state.st_mode))
    return;
  entry.sub = hone__strdup(".");
  entry.name = hone__strdup(name);
  entry.used = state.st_mtim;
  entry.bytes = bytes_below(dirfd(parent), name, 0);
  HONE__GROW(listing->entries, listing->count, listing->capacity);
  listing->entries[listing->count++] = entry;
}

static bool remove_tree(const char *folder, const struct entry *entry)
{
  struct hone__text path = {0};
  struct stat state;
  bool is_gone;

  hone__text_addf(&path, "%s/%s/%s", folder, hone__cache_kinds[entry->kind], entry->name);
  hone__folder_remove(path.data);
  is_gone = lstat(path.data, &state) != 0;
  hone__text_release(&path);
  return is_gone;
}

/* ---- Kinds ---- */

static bool is_sub(size_t kind, const char *name)
{
  if (kind == HONE__CACHE_PLAIN) return hone__cache_is_key(name);
  return strlen(name) <= 2 && strspn(name, "0123456789abcdef") == strlen(name); /* once it was 2 */
}

static void list_kind(struct listing *listing, size_t kind)
{
  DIR *folder = open_folder(listing->folder, hone__cache_kinds[kind]);
  struct dirent *found;

  if (!folder) return;
  while ((found = readdir(folder))) {
    if (kind == HONE__CACHE_TREES)
      list_tree(listing, folder, found->d_name);
    else if (is_sub(kind, found->d_name))
      list_sub(listing, kind, folder, found->d_name);
  }
  closedir(folder);
}

/* A cache that is not there yet is empty. */
static hone_status list(struct listing *listing, const char *folder, bool verify)
{
  *listing = (struct listing){.path = folder, .folder = -1, .verify = verify};
  if (!*folder) return NULL;
  listing->folder = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (listing->folder < 0 && errno == ENOENT) return NULL;
  if (listing->folder < 0) return hone__path_error("open the cache", folder);
  for (size_t kind = 0; kind < HONE__CACHE_KINDS; kind++)
    list_kind(listing, kind);
  return NULL;
}

static const char *folder_of(const char *given)
{
  return given ? given : hone__cache_folder();
}

/* ---- What is there ---- */

struct hone_cache {
  char *folder;
  struct {
    uint64_t files, bytes, damaged;
  } kinds[HONE__CACHE_KINDS];
};

hone_status hone_cache_read(const char *folder, bool verify, struct hone_cache **out_cache)
{
  struct hone_cache *cache = hone__alloc(sizeof *cache);
  struct listing listing;
  hone_status status = list(&listing, folder_of(folder), verify);

  cache->folder = hone__strdup(folder_of(folder));
  for (size_t i = 0; i < listing.count; i++) {
    size_t kind = listing.entries[i].kind;
    cache->kinds[kind].bytes += listing.entries[i].bytes;
    cache->kinds[kind].files += !listing.entries[i].is_aside;
    cache->kinds[kind].damaged += listing.entries[i].is_damaged;
  }
  release(&listing);
  *out_cache = cache;
  if (!status) return NULL;
  hone_cache_free(cache);
  *out_cache = NULL;
  return status;
}

const char *hone_cache_folder(const struct hone_cache *cache)
{
  return cache->folder;
}

size_t hone_cache_kind_count(const struct hone_cache *cache)
{
  (void)cache;
  return HONE__CACHE_KINDS;
}

const char *hone_cache_kind(const struct hone_cache *cache, size_t kind)
{
  (void)cache;
  return kind < HONE__CACHE_KINDS ? hone__cache_kinds[kind] : NULL;
}

uint64_t hone_cache_files(const struct hone_cache *cache, size_t kind)
{
  return kind < HONE__CACHE_KINDS ? cache->kinds[kind].files : 0;
}

uint64_t hone_cache_bytes(const struct hone_cache *cache, size_t kind)
{
  return kind < HONE__CACHE_KINDS ? cache->kinds[kind].bytes : 0;
}

uint64_t hone_cache_damaged(const struct hone_cache *cache, size_t kind)
{
  return kind < HONE__CACHE_KINDS ? cache->kinds[kind].damaged : 0;
}

void hone_cache_free(struct hone_cache *cache)
{
  if (!cache) return;
  free(cache->folder);
  free(cache);
}

/* ---- Removing ---- */

struct removed {
  uint64_t files, bytes;
};

/* Step by step: a folder may have become a link since it was listed. */
static bool unlink_entry(const struct listing *listing, const struct entry *entry)
{
  int kind = enter(listing->folder, hone__cache_kinds[entry->kind]);
  int sub = kind < 0 ? -1 : enter(kind, entry->sub), why;
  bool good = sub >= 0 && unlinkat(sub, entry->name, 0) == 0;

  why = errno;
  if (sub >= 0) close(sub);
  if (kind >= 0) close(kind);
  errno = why;
  return good;
}

static hone_status remove_entry(const struct listing *listing, const struct entry *entry,
                                struct removed *removed)
{
  bool is_tree = entry->kind == HONE__CACHE_TREES;

  if (!(is_tree ? remove_tree(listing->path, entry) : unlink_entry(listing, entry))) {
    if (errno == ENOENT || errno == ELOOP || errno == ENOTDIR) return NULL;
    return hone__annotate(hone__path_error("remove", entry->name), "the cache '%s'",
                          hone__cache_folder());
  }
  removed->files++;
  removed->bytes += entry->bytes;
  return NULL;
}

static bool is_left_over(const struct entry *entry)
{
  return entry->is_aside && time(NULL) - entry->used.tv_sec > ASIDE_AGE_S;
}

/* The newest first, so that the sum of bytes so far tells whether a file may stay. */
static int newer_first(const void *a, const void *b)
{
  const struct entry *x = a, *y = b;

  if (x->used.tv_sec != y->used.tv_sec) return x->used.tv_sec < y->used.tv_sec ? 1 : -1;
  if (x->used.tv_nsec != y->used.tv_nsec) return x->used.tv_nsec < y->used.tv_nsec ? 1 : -1;
  return strcmp(x->name, y->name);
}

static hone_status prune(struct listing *listing, uint64_t bytes, struct removed *removed)
{
  hone_status status = NULL;
  uint64_t room = bytes;

  if (listing->count)
    qsort(listing->entries, listing->count, sizeof *listing->entries, newer_first);
  for (size_t i = 0; !status && i < listing->count; i++) {
    const struct entry *entry = &listing->entries[i];
    if (entry->is_aside && !is_left_over(entry)) continue;
    if (entry->is_aside || entry->is_damaged) {
      status = remove_entry(listing, entry, removed);
    } else if (entry->bytes <= room) {
      room -= entry->bytes;
    } else {
      room = 0;
      status = remove_entry(listing, entry, removed);
    }
  }
  return status;
}

hone_status hone_cache_prune(const char *folder, uint64_t bytes, uint64_t *out_files,
                             uint64_t *out_bytes)
{
  struct removed removed = {0};
  struct listing listing;
  hone_status status = list(&listing, folder_of(folder), true);

  if (!status) status = prune(&listing, bytes, &removed);
  release(&listing);
  if (out_files) *out_files = removed.files;
  if (out_bytes) *out_bytes = removed.bytes;
  return status;
}

hone_status hone_cache_clear(const char *folder, uint64_t *out_files, uint64_t *out_bytes)
{
  struct removed removed = {0};
  struct listing listing;
  hone_status status = list(&listing, folder_of(folder), false);

  for (size_t i = 0; !status && i < listing.count; i++) {
    const struct entry *entry = &listing.entries[i];
    if (!entry->is_aside || is_left_over(entry)) status = remove_entry(&listing, entry, &removed);
  }
  release(&listing);
  if (out_files) *out_files = removed.files;
  if (out_bytes) *out_bytes = removed.bytes;
  return status;
}
