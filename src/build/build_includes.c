/* Included files are found by scanning the lines of the sources. Lines in comments, or skipped by
 * the preprocessor, count too: an extra file does no harm.
 */
#include "build/build_includes.h"

#include "build/build_deps.h"
#include "build/source_text.h"
#include "base/file.h"
#include "base/paths.h"
#include "base/utf8.h"

#include <stdlib.h>

enum { MOST_FILES = 1024, MOST_SOURCE_BYTES = 16 << 20 };

struct search {
  const struct hone__include_paths *paths;
  struct hone__pairs *deps, found; /* found: paths only */
  bool is_complete;
};

static void scan(struct search *search, const char *path);

/* A path that is not UTF-8 cannot be recorded (build_deps.h). */
static bool add_file(struct search *search, const char *folder, const char *name, size_t length)
{
  struct hone__text path = {0};
  bool is_there;

  if (name[0] != '/' && folder[0] != '/') hone__text_addf(&path, "%s/", search->paths->folder);
  if (name[0] != '/') hone__text_addf(&path, "%s/", folder);
  hone__text_addn(&path, name, length);
  is_there = hone__path_is_file(path.data);
  if (is_there && !hone__pairs_find(&search->found, path.data)) {
    if (search->found.count < MOST_FILES && hone__utf8_is_text(path.data)) {
      hone__pairs_add(&search->found, path.data, "");
      hone__build_deps_add(search->deps, path.data, hone__dependency_digest);
      scan(search, path.data);
    } else {
      search->is_complete = false;
    }
  }
  hone__text_release(&path);
  return is_there;
}

/* "-Ifolder", and "-I" with the folder as the next word. */
static bool add_from_flags(struct search *search, const char *name, size_t length)
{
  for (const char *const *flag = search->paths->flags; flag && *flag; flag++) {
    const char *folder = *flag + strlen("-I");
    if (!hone__starts_with(*flag, "-I")) continue;
    if (!*folder && flag[1]) folder = flag[1];
    if (add_file(search, folder, name, length)) return true;
  }
  return false;
}

static bool add_from_includes(struct search *search, const char *name, size_t length)
{
  for (const char *const *folder = search->paths->includes; folder && *folder; folder++)
    if (add_file(search, *folder, name, length)) return true;
  return false;
}

static void find_file(struct search *search, const char *includer, const char *name, size_t length)
{
  char *own = hone__path_folder(includer);
  char *first = hone__path_folder(search->paths->source);

  if (!add_file(search, own, name, length) && !add_from_flags(search, name, length) &&
      !add_from_includes(search, name, length))
    add_file(search, first, name, length);
  free(own);
  free(first);
}

static const char *skip_blanks(const char *p)
{
  return p + strspn(p, " \t");
}

static void read_line(void *data, const char *includer, const char *p)
{
  struct search *search = data;
  size_t length;

  p = skip_blanks(p);
  if (*p != '#') return;
  p = skip_blanks(p + 1);
  if (!hone__starts_with(p, "include")) return;
  p = skip_blanks(p + strlen("include"));
  if (*p != '"' && *p != '<') {
    search->is_complete = false;
    return;
  }
  length = strcspn(p + 1, "\">\n");
  if (length) find_file(search, includer, p + 1, length);
}

static void scan(struct search *search, const char *path)
{
  hone__file_each_line(path, MOST_SOURCE_BYTES, read_line, search);
}

bool hone__build_includes(const struct hone__include_paths *paths, struct hone__pairs *deps)
{
  struct search search = {.paths = paths, .deps = deps, .is_complete = true};

  hone__pairs_add(&search.found, paths->source, "");
  scan(&search, paths->source);
  hone__pairs_release(&search.found);
  return search.is_complete;
}
