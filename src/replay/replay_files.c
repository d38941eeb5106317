/* A label is as short as it can be while all of them differ: the same number of names from the end
 * of every path. */
#include "replay/replay_files.h"

#include "base/memory.h"
#include "base/text.h"
#include "base/paths.h"
#include "base/sorting.h"

#include <dirent.h>
#include <stdlib.h>
#include <sys/stat.h>

enum { DEEPEST = 16, MOST_FILES = 100000 };

/* ---- Finding ---- */

static bool has_path(const struct hone__replay_paths *paths, const char *path)
{
  for (size_t i = 0; i < paths->count; i++)
    if (strcmp(paths->paths[i].path, path) == 0) return true;
  return false;
}

/* The folder's real path and the file's own name, so that "..", links to folders and two ways to
 * the same file make no difference. */
static char *real_path(const char *path)
{
  const char *slash = strrchr(path, '/');
  char *folder = slash ? hone__strdup(path) : hone__strdup(".");
  struct hone__text text = {0};
  char *real;

  if (slash) folder[slash == path ? 1 : slash - path] = '\0';
  real = hone__realpath(folder);
  hone__text_add(&text, real ? real : folder);
  if (text.length != 1 || *text.data != '/') hone__text_add(&text, "/");
  hone__text_add(&text, slash ? slash + 1 : path);
  free(real);
  free(folder);
  return hone__text_take(&text);
}

static hone_status add_file(struct hone__replay_paths *paths, const char *path, bool is_named)
{
  char *real = real_path(path);

  if (has_path(paths, real)) {
    free(real);
    return NULL;
  }
  if (paths->count == MOST_FILES) {
    free(real);
    return hone__error(HONE_EXHAUSTED, "more than %d files: give a folder with fewer files",
                       MOST_FILES);
  }
  HONE__GROW(paths->paths, paths->count, paths->capacity);
  paths->paths[paths->count++] = (struct hone__replay_path){real, NULL, is_named};
  return NULL;
}

static int is_visible(const struct dirent *entry)
{
  return entry->d_name[0] != '.';
}

/* A folder that is being read, and those around it. */
struct level {
  const struct level *parent;
  struct stat facts;
  int depth;
};

/* Whether the links lead back to where we are. */
static bool is_open(const struct level *level, const struct stat *facts)
{
  for (; level; level = level->parent)
    if (level->facts.st_dev == facts->st_dev && level->facts.st_ino == facts->st_ino) return true;
  return false;
}

static hone_status add_folder(struct hone__replay_paths *paths, const char *folder,
                              const struct level *level);

static hone_status add_entry(struct hone__replay_paths *paths, const char *path,
                             const struct level *parent)
{
  struct level level = {.parent = parent, .depth = parent->depth + 1};

  if (stat(path, &level.facts) != 0) return NULL; /* a link that leads nowhere */
  if (S_ISDIR(level.facts.st_mode))
    return is_open(parent, &level.facts) || level.depth > DEEPEST ? NULL
                                                                  : add_folder(paths, path, &level);
  if (!S_ISREG(level.facts.st_mode)) return NULL;
  if (!hone__ends_with(path, ".json") && !hone__ends_with(path, ".json.gz")) return NULL;
  return add_file(paths, path, false);
}

/* An inner one that cannot be read is added as if it were a file: who loads it says why not. */
static hone_status add_folder(struct hone__replay_paths *paths, const char *folder,
                              const struct level *level)
{
  struct dirent **entries = NULL;
  int count = scandir(folder, &entries, is_visible, versionsort);
  hone_status status = NULL;

  if (count < 0)
    return level->parent ? add_file(paths, folder, false)
                         : hone__path_error("read the folder", folder);
  for (int i = 0; i < count; i++) {
    struct hone__text path = {0};
    hone__text_addf(&path, "%s/%s", folder, entries[i]->d_name);
    if (!status) status = add_entry(paths, path.data, level);
    hone__text_release(&path);
    free(entries[i]);
  }
  free(entries);
  return status;
}

static hone_status add_word(struct hone__replay_paths *paths, const char *word)
{
  struct level level = {0};
  size_t before = paths->count;
  hone_status status;

  if (stat(word, &level.facts) != 0) return hone__path_error("open", word);
  if (!S_ISDIR(level.facts.st_mode)) return add_file(paths, word, true);
  status = add_folder(paths, word, &level);
  if (!status && paths->count == before)
    status =
        hone__error(HONE_NOT_FOUND, "the folder '%s' holds no *.json or *.json.gz files", word);
  return status;
}

hone_status hone__replay_paths_find(const char *const *words, size_t count,
                                    struct hone__replay_paths *out_paths)
{
  hone_status status = NULL;

  *out_paths = (struct hone__replay_paths){0};
  for (size_t i = 0; !status && i < count; i++)
    status = add_word(out_paths, words[i]);
  if (status) hone__replay_paths_release(out_paths);
  return status;
}

void hone__replay_paths_drop(struct hone__replay_paths *paths, size_t path)
{
  struct hone__replay_path *at = &paths->paths[path];

  free(at->path);
  free(at->label);
  paths->count--;
  memmove(at, at + 1, (paths->count - path) * sizeof *at);
}

void hone__replay_paths_release(struct hone__replay_paths *paths)
{
  while (paths->count)
    hone__replay_paths_drop(paths, paths->count - 1);
  free(paths->paths);
  *paths = (struct hone__replay_paths){0};
}

/* ---- Labels ---- */

static char *label_of(const char *path, int names, bool with_ending)
{
  const char *begin = path + strlen(path);
  char *label;

  for (; begin > path; begin--)
    if (begin[-1] == '/' && --names <= 0) break;
  while (*begin == '/')
    begin++;
  label = hone__strdup(begin);
  if (with_ending) return label;
  if (hone__ends_with(label, ".gz")) label[strlen(label) - 3] = '\0';
  if (hone__ends_with(label, ".json")) label[strlen(label) - 5] = '\0';
  return label;
}

static bool are_different(const struct hone__replay_paths *paths)
{
  char **labels = hone__alloc((paths->count + 1) * sizeof *labels);
  bool different = true;

  for (size_t i = 0; i < paths->count; i++)
    labels[i] = paths->paths[i].label;
  qsort(labels, paths->count, sizeof *labels, hone__by_text);
  for (size_t i = 1; different && i < paths->count; i++)
    different = strcmp(labels[i - 1], labels[i]) != 0;
  free(labels);
  return different;
}

static bool try_labels(struct hone__replay_paths *paths, int names, bool with_ending)
{
  for (size_t i = 0; i < paths->count; i++) {
    free(paths->paths[i].label);
    paths->paths[i].label = label_of(paths->paths[i].path, names, with_ending);
  }
  return are_different(paths);
}

void hone__replay_paths_label(struct hone__replay_paths *paths)
{
  for (int names = 1; names <= DEEPEST; names++)
    if (try_labels(paths, names, false)) return;
  for (int names = 1; names <= 1 << DEEPEST; names *= 2)
    if (try_labels(paths, names, true)) return;
}
