/* Included files are found by looking at the lines of the sources. A line in a comment, or one that
 * the preprocessor skips, counts as well: a file too many does no harm. */
#include "build/build_includes.h"

#include "build/build_deps.h"
#include "wire/message_text.h"
#include "build/source_text.h"
#include "base/file.h"
#include "base/paths.h"

#include <stdlib.h>

enum { MOST_FILES = 1024, MOST_SOURCE_BYTES = 16 << 20 };

struct search {
  const json_t *candidate;
  const char *folder;   /* of the compiler */
  json_t *deps, *found; /* found: path: true */
  bool is_complete;
};

static void scan(struct search *search, const char *path);

/* A path that is no UTF-8 cannot be noted, and would be looked into again and again. */
static bool add_file(struct search *search, const char *folder, const char *name, size_t length)
{
  struct hone__text path = {0};
  bool is_there;

  if (name[0] != '/' && folder[0] != '/') hone__text_addf(&path, "%s/", search->folder);
  if (name[0] != '/') hone__text_addf(&path, "%s/", folder);
  hone__text_addn(&path, name, length);
  is_there = hone__path_is_file(path.data);
  if (is_there && !json_object_get(search->found, path.data)) {
    if (json_object_size(search->found) < MOST_FILES &&
        json_object_set_new(search->found, path.data, json_true()) == 0) {
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
  const json_t *flags = json_object_get(search->candidate, "flags");

  for (size_t i = 0; i < json_array_size(flags); i++) {
    const char *flag = hone__message_word(flags, i);
    if (!hone__starts_with(flag, "-I")) continue;
    if (add_file(search, flag[2] ? flag + 2 : hone__message_word(flags, i + 1), name, length))
      return true;
  }
  return false;
}

static bool add_from_includes(struct search *search, const char *name, size_t length)
{
  const json_t *includes = json_object_get(search->candidate, "includes");

  for (size_t i = 0; i < json_array_size(includes); i++)
    if (add_file(search, hone__message_word(includes, i), name, length)) return true;
  return false;
}

static void find_file(struct search *search, const char *includer, const char *name, size_t length)
{
  char *own = hone__path_folder(includer);
  char *first = hone__path_folder(hone__message_text(search->candidate, "source"));

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

bool hone__build_includes(const json_t *candidate, const char *folder, json_t *deps)
{
  const char *source = hone__message_text(candidate, "source");
  struct search search = {candidate, folder, deps, json_object(), true};

  json_object_set_new(search.found, source, json_true());
  scan(&search, source);
  json_decref(search.found);
  return search.is_complete;
}
