#include "build/user_files.h"

#include "base/paths.h"
#include "base/text.h"
#include "build/build_deps.h"
#include "build/build_includes.h"
#include "build/source_text.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/stat.h>

enum { MOST_FILES = 4096, DEEPEST = 16 };

/* "/a/b/../c" as "/a/c". */
static void normalise(char *path)
{
  char *from = path, *to = path;

  while (*from) {
    size_t length = 1 + strcspn(from + 1, "/");
    if (length == 3 && strncmp(from, "/..", 3) == 0) {
      while (to > path && *--to != '/') {}
    } else if (length > 1 && !(length == 2 && from[1] == '.')) {
      memmove(to, from, length);
      to += length;
    }
    from += length;
  }
  *to = '\0';
}

void hone__user_files_add_one(struct hone__pairs *out, const char *path)
{
  char *plain;

  if (path[0] != '/' || !hone__path_is_file(path)) return;
  plain = hone__strdup(path);
  normalise(plain);
  if (!hone__starts_with(plain, "/usr/") && !hone__pairs_find(out, plain))
    hone__pairs_add(out, plain, "");
  free(plain);
}

static void add_all(struct hone__pairs *out, struct hone__pairs *found)
{
  for (size_t i = 0; i < found->count; i++)
    hone__user_files_add_one(out, found->data[i].name);
  hone__pairs_release(found);
}

/* Without results, and without hidden files and folders. */
static void add_below(struct hone__pairs *out, const char *folder, int depth)
{
  struct hone__text path = {0};
  struct dirent *entry;
  struct stat info;
  DIR *dir = depth < DEEPEST ? opendir(folder) : NULL;

  while (dir && out->count < MOST_FILES && (entry = readdir(dir))) {
    path.length = 0;
    hone__text_addf(&path, "%s/%s", folder, entry->d_name);
    if (entry->d_name[0] == '.' || stat(path.data, &info) != 0) continue;
    if (S_ISDIR(info.st_mode))
      add_below(out, path.data, depth + 1);
    else if (S_ISREG(info.st_mode) && !hone__build_is_result(entry->d_name, &info))
      hone__user_files_add_one(out, path.data);
  }
  if (dir) closedir(dir);
  hone__text_release(&path);
}

void hone__user_files_add(const struct hone__user_files *files, struct hone__pairs *out)
{
  const struct hone__include_paths paths = {.source = files->source,
                                            .flags = files->words,
                                            .includes = files->includes,
                                            .folder = files->folder};
  struct hone__pairs found = {0};
  bool is_complete;
  char *folder;

  hone__user_files_add_one(out, files->source);
  is_complete = hone__build_includes(&paths, &found);
  hone__build_deps_add_named(&found, files->words, 0, files->source, files->folder,
                             hone__dependency_digest);
  add_all(out, &found);
  if (!files->is_command && is_complete) return;
  folder = hone__path_folder(files->source);
  add_below(out, folder, files->is_command ? 0 : DEEPEST - 1);
  free(folder);
}
