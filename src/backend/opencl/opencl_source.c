/* Options go by one string that is split at blanks, and no standard says how to write a blank in
 * it. Included files are found by looking at the lines of the sources: drivers do not tell. */
#include "backend/opencl/opencl_source.h"

#include "backend/build_deps.h"
#include "backend/message_text.h"
#include "backend/source_text.h"
#include "base/file.h"

#include <stdlib.h>
#include <unistd.h>

enum { MOST_FILES = 1024, MOST_SOURCE_BYTES = 16 << 20, LARGE_GRID = 65535 };

/* ---- Options ---- */

static void add_word(struct hone_text *options, const char *prefix, const char *word)
{
  hone__text_addf(options, "%s%s%s", options->length ? " " : "", prefix, word);
}

static void add_list(struct hone_text *options, const char *prefix, const json_t *list)
{
  for (size_t i = 0; i < json_array_size(list); i++)
    add_word(options, prefix, hone__message_word(list, i));
}

static void add_define(struct hone_text *options, struct hone_text *prologue, const json_t *pair)
{
  const char *name = hone__message_word(pair, 0), *value = hone__message_word(pair, 1);

  if (strpbrk(value, " \t\"'\\\n")) {
    hone__text_addf(prologue, "#define %s %s\n", name, value);
    return;
  }
  add_word(options, "-D", name);
  hone__text_addf(options, "=%s", value);
}

/* "/a/b/kernel.cl": "/a/b" */
static char *folder_of(const char *path)
{
  const char *slash = strrchr(path, '/');

  return slash ? strndup(path, (size_t)(slash - path)) : hone__strdup(".");
}

static void add_name(struct hone_text *prologue, const char *path)
{
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;

  hone__text_add(prologue, "#line 1");
  if (!strpbrk(name, "\"\\\n")) hone__text_addf(prologue, " \"%s\"", name);
  hone__text_add(prologue, "\n");
}

void hone__opencl_options(const json_t *candidate, struct hone_text *options,
                          struct hone_text *prologue)
{
  const json_t *defines = json_object_get(candidate, "defines");
  const char *source = hone__message_text(candidate, "source");
  char *folder = folder_of(source);

  add_list(options, "", json_object_get(candidate, "flags"));
  for (size_t i = 0; i < json_array_size(defines); i++)
    add_define(options, prologue, json_array_get(defines, i));
  add_list(options, "-I", json_object_get(candidate, "includes"));
  add_word(options, "-I", folder);
  add_name(prologue, source);
  free(folder);
}

/* ---- Included files ---- */

struct search {
  const json_t *candidate;
  json_t *deps, *found; /* found: path: true */
  bool is_complete;
};

static void scan(struct search *search, const char *path);

static bool add_file(struct search *search, const char *folder, const char *name, size_t length)
{
  struct hone_text path = {0};
  bool is_there;

  if (name[0] != '/') hone__text_addf(&path, "%s/", folder);
  hone__text_addn(&path, name, length);
  is_there = access(path.data, R_OK) == 0;
  if (is_there && !json_object_get(search->found, path.data) &&
      json_object_size(search->found) < MOST_FILES &&
      json_object_set_new(search->found, path.data, json_true()) == 0) {
    hone__build_deps_add(search->deps, path.data, hone__dependency_digest);
    scan(search, path.data);
  }
  hone__text_release(&path);
  return is_there;
}

static bool add_from_list(struct search *search, const char *key, const char *prefix,
                          const char *name, size_t length)
{
  const json_t *list = json_object_get(search->candidate, key);

  for (size_t i = 0; i < json_array_size(list); i++) {
    const char *word = hone__message_word(list, i);
    if (hone__starts_with(word, prefix) && add_file(search, word + strlen(prefix), name, length))
      return true;
  }
  return false;
}

/* In the folder of who includes it, in those that are given, in that of the source. */
static void find_file(struct search *search, const char *includer, const char *name, size_t length)
{
  char *own = folder_of(includer);
  char *first = folder_of(hone__message_text(search->candidate, "source"));

  if (!add_file(search, own, name, length) && !add_from_list(search, "flags", "-I", name, length) &&
      !add_from_list(search, "includes", "", name, length))
    add_file(search, first, name, length);
  free(own);
  free(first);
}

static const char *skip_blanks(const char *p)
{
  return p + strspn(p, " \t");
}

static void read_line(struct search *search, const char *includer, const char *p)
{
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
  char *text = NULL;
  size_t size;

  hone_status_free(hone__file_read(path, MOST_SOURCE_BYTES, &text, &size));
  for (const char *line = text; line && *line; line += line[0] == '\n') {
    read_line(search, path, line);
    line += strcspn(line, "\n");
  }
  free(text);
}

bool hone__opencl_add_deps(const json_t *candidate, json_t *deps)
{
  const char *source = hone__message_text(candidate, "source");
  struct search search = {candidate, deps, json_object(), true};

  json_object_set_new(search.found, source, json_true());
  scan(&search, source);
  json_decref(search.found);
  return search.is_complete;
}

/* ---- Work-groups ---- */

void hone__opencl_specialise(const json_t *candidate, struct hone_text *text)
{
  const json_t *launch = json_object_get(candidate, "launch");
  const json_t *global = json_object_get(launch, "global"),
               *local = json_object_get(launch, "local");
  json_int_t widest = 0;

  if (json_array_size(local) != 3) return;
  for (size_t i = 0; i < 3; i++) {
    json_int_t width = json_integer_value(json_array_get(global, i));
    hone__text_addf(text, "%s%lld", i ? "-" : "",
                    (long long)json_integer_value(json_array_get(local, i)));
    widest = width > widest ? width : widest;
  }
  hone__text_add(text, widest < LARGE_GRID ? "-goffs0-smallgrid" : "-goffs0");
}
