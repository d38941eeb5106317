/* A C compiler lists the files it read; Mojo and Python do not. The imports of their sources are
 * found by scanning lines. A line in a string may look like an import: an extra file does no harm.
 */
#include "backend/program/program_plan.h"

#include "base/file.h"
#include "base/sorting.h"
#include "base/text.h"
#include "base/utf8.h"

#include <ctype.h>
#include <dirent.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>

enum {
  MOST_FILES = 4096,
  DEEPEST_FOLDER = 16,
  MOST_SOURCE_BYTES = 16 << 20,
  MOST_BYTES = 1 << 30,
  MEMORY_SIZE = 1024, /* digests that are remembered */
  SETTLED_S = 2       /* after this long without a change, size and time are reliable */
};

/* ---- Digests ---- */

static struct remembered {
  char *path;
  struct stat info;
  char digest[HONE__DIGEST_SIZE];
} memory[MEMORY_SIZE];
static pthread_mutex_t memory_lock = PTHREAD_MUTEX_INITIALIZER;

static struct remembered *slot_of(const struct stat *info)
{
  return &memory[((uint64_t)info->st_ino * UINT64_C(0x9e3779b97f4a7c15)) >> 54];
}

static bool is_same(const struct stat *a, const struct stat *b)
{
  return a->st_ino == b->st_ino && a->st_dev == b->st_dev && a->st_size == b->st_size &&
         a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

static bool recall(const char *path, const struct stat *info, char digest[HONE__DIGEST_SIZE])
{
  struct remembered *slot = slot_of(info);
  bool known;

  pthread_mutex_lock(&memory_lock);
  known = slot->path && strcmp(slot->path, path) == 0 && is_same(&slot->info, info);
  if (known) memcpy(digest, slot->digest, HONE__DIGEST_SIZE);
  pthread_mutex_unlock(&memory_lock);
  return known;
}

static void remember(const char *path, const struct stat *info, const char *digest)
{
  struct remembered *slot = slot_of(info);

  if (time(NULL) - info->st_mtim.tv_sec <= SETTLED_S) return;
  pthread_mutex_lock(&memory_lock);
  free(slot->path);
  slot->path = hone__strdup(path);
  slot->info = *info;
  memcpy(slot->digest, digest, HONE__DIGEST_SIZE);
  pthread_mutex_unlock(&memory_lock);
}

static void digest_of_time(const struct stat *info, char digest[HONE__DIGEST_SIZE])
{
  struct hone__digester *digester = hone__digest_begin();

  hone__digest_add(digester, &info->st_size, sizeof info->st_size);
  hone__digest_add(digester, &info->st_mtim, sizeof info->st_mtim);
  hone__digest_end(digester, digest);
}

bool hone__program_digest(const char *path, char out_digest[HONE__DIGEST_SIZE])
{
  struct stat info;
  char *bytes = NULL;
  size_t size;
  hone_status status;
  bool is_read;

  if (stat(path, &info) != 0 || !S_ISREG(info.st_mode)) return false;
  if (recall(path, &info, out_digest)) return true;
  if (hone__starts_with(path, "/usr/") || info.st_size > MOST_BYTES) {
    digest_of_time(&info, out_digest);
    return true;
  }
  status = hone__file_read(path, MOST_BYTES, &bytes, &size);
  is_read = !status;
  if (is_read) {
    hone__digest(bytes, size, out_digest);
    remember(path, &info, out_digest);
  }
  free(bytes);
  hone_status_free(status);
  return is_read;
}

/* ---- Imports ---- */

struct search {
  const char *suffix;
  const char *source;
  const char *const *includes;
  struct hone__pairs *found; /* path: digest */
};

static void scan(struct search *search, const char *path);

static char *join(const char *folder, size_t length, const char *name, size_t name_length,
                  const char *suffix)
{
  struct hone__text text = {0};

  hone__text_addf(&text, "%.*s/%.*s%s", (int)length, folder, (int)name_length, name, suffix);
  return hone__text_take(&text);
}

static void add_file(struct search *search, const char *path, bool is_source)
{
  char digest[HONE__DIGEST_SIZE];

  if (strcmp(path, search->source) == 0 || hone__pairs_find(search->found, path) ||
      search->found->count >= MOST_FILES || !hone__utf8_is_text(path) ||
      !hone__program_digest(path, digest))
    return;
  hone__pairs_add(search->found, path, digest);
  if (is_source) scan(search, path);
}

/* In the order of names, which no file system promises. */
static size_t list_folder(const char *folder, char ***out_names)
{
  DIR *dir = opendir(folder);
  size_t count = 0, capacity = 0;
  char **names = NULL;
  struct dirent *entry;

  while (dir && (entry = readdir(dir))) {
    if (entry->d_name[0] == '.') continue;
    HONE__GROW(names, count, capacity);
    names[count++] = hone__strdup(entry->d_name);
  }
  if (dir) closedir(dir);
  if (count) qsort(names, count, sizeof *names, hone__by_text);
  *out_names = names;
  return count;
}

/* A package: all of its sources. */
static void add_package(struct search *search, const char *folder, int depth)
{
  char **names;
  size_t count = depth < DEEPEST_FOLDER ? list_folder(folder, &names) : 0;
  struct stat info;

  if (!count) return;
  for (size_t i = 0; i < count; i++) {
    char *path = join(folder, strlen(folder), names[i], strlen(names[i]), "");
    if (lstat(path, &info) == 0 && S_ISDIR(info.st_mode))
      add_package(search, path, depth + 1);
    else if (hone__ends_with(path, search->suffix))
      add_file(search, path, true);
    free(path);
    free(names[i]);
  }
  free(names);
}

/* The module `name` in this folder: a source, a compiled package, a folder. */
static bool add_module(struct search *search, const char *folder, size_t folder_length,
                       const char *name, size_t length)
{
  const char *const suffixes[] = {search->suffix, ".mojopkg"};
  struct stat info;
  bool found = false;
  char *path;

  for (size_t i = 0; i < 2 && !found; i++) {
    path = join(folder, folder_length, name, length, suffixes[i]);
    found = stat(path, &info) == 0 && S_ISREG(info.st_mode);
    if (found) add_file(search, path, i == 0);
    free(path);
  }
  path = join(folder, folder_length, name, length, "");
  if (!found && stat(path, &info) == 0 && S_ISDIR(info.st_mode)) {
    add_package(search, path, 0);
    found = true;
  }
  free(path);
  return found;
}

static size_t folder_length(const char *path)
{
  return (size_t)(strrchr(path, '/') - path);
}

/* Searches the folder of the importing file, that of the source, the includes, and $PYTHONPATH. */
static void find_module(struct search *search, const char *importer, const char *name,
                        size_t length)
{
  const char *paths = getenv("PYTHONPATH");

  if (add_module(search, importer, folder_length(importer), name, length)) return;
  if (add_module(search, search->source, folder_length(search->source), name, length)) return;
  for (const char *const *folder = search->includes; folder && *folder; folder++)
    if (add_module(search, *folder, strlen(*folder), name, length)) return;
  while (paths && *paths && strcmp(search->suffix, ".py") == 0) {
    size_t part = strcspn(paths, ":");
    if (part && add_module(search, paths, part, name, length)) return;
    paths += part + (paths[part] == ':');
  }
}

static const char *skip_blanks(const char *p)
{
  while (*p == ' ' || *p == '\t')
    p++;
  return p;
}

/* `name.more as other`: finds the name, and returns what follows. */
static const char *read_module(struct search *search, const char *importer, const char *p)
{
  size_t length = 0;

  p = skip_blanks(p);
  while (*p == '.')
    p++;
  while (isalnum((unsigned char)p[length]) || p[length] == '_' || (p[length] & 0x80))
    length++;
  if (length) find_module(search, importer, p, length);
  return p + strcspn(p, ",;\n#");
}

static void read_line(void *data, const char *importer, const char *p)
{
  struct search *search = data;
  p = skip_blanks(p);
  if (strncmp(p, "from", 4) == 0 && strchr(" \t.", p[4]) && p[4])
    read_module(search, importer, p + 4);
  else if (strncmp(p, "import", 6) == 0 && (p[6] == ' ' || p[6] == '\t'))
    for (p = read_module(search, importer, p + 6); *p == ',';)
      p = read_module(search, importer, p + 1);
}

static void scan(struct search *search, const char *path)
{
  hone__file_each_line(path, MOST_SOURCE_BYTES, read_line, search);
}

void hone__program_imports(const struct hone__language *language, const char *source,
                           const char *const *includes, struct hone__pairs *out_files)
{
  struct search search = {.source = source, .includes = includes, .found = out_files};

  if (strcmp(language->name, "mojo") == 0) search.suffix = ".mojo";
  if (strcmp(language->name, "python") == 0) search.suffix = ".py";
  if (search.suffix) scan(&search, source);
}
