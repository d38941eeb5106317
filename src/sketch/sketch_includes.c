/* The folders of a project's headers: where `#include <project/x.h>` is found beside the source or
 * in a folder above it, as it is once the project is built. Headers that are found are read, too,
 * for those that they include.
 */
#include "sketch/sketch.h"

#include "base/file.h"
#include "base/paths.h"

#include <stdlib.h>

enum { MOST_LEVELS = 4, MOST_HEADERS = 64, MOST_INCLUDES = 256, MOST_BYTES = 1 << 22 };

struct include {
  const char *name;
  bool is_angled; /* <x.h>: it is not looked for beside its source */
};

struct search {
  struct hone__sketch *sketch;
  const char *folder;                /* of the source */
  const char *headers[MOST_HEADERS]; /* paths */
  size_t count;
  size_t includes; /* lines that were looked at */
};

/* "project/x.h" after the mark, for the arena; no name: none follows. */
static struct include include_at(struct hone__arena *arena, const char *at)
{
  struct include found = {.is_angled = *at == '<'};
  const char *end;

  if (*at != '<' && *at != '"') return found;
  end = strpbrk(at + 1, ">\"\n");
  if (end && *end != '\n' && end > at + 1)
    found.name = hone__arena_strndup(arena, at + 1, (size_t)(end - at - 1));
  return found;
}

static bool is_in(const char *folder, const char *header)
{
  struct hone__text path = {0};
  bool is;

  hone__text_addf(&path, "%s/%s", folder, header);
  is = hone__path_is_file(path.data);
  hone__text_release(&path);
  return is;
}

static void add_folder(struct hone__sketch *sketch, const char *folder)
{
  for (size_t i = 0; i < sketch->folder_count; i++)
    if (strcmp(sketch->folders[i], folder) == 0) return;
  if (sketch->folder_count < HONE__SKETCH_FOLDERS) sketch->folders[sketch->folder_count++] = folder;
}

static void add_header(struct search *search, const char *folder, const char *header)
{
  const char *path = hone__arena_printf(&search->sketch->arena, "%s/%s", folder, header);

  for (size_t i = 0; i < search->count; i++)
    if (strcmp(search->headers[i], path) == 0) return;
  if (search->count < MOST_HEADERS) search->headers[search->count++] = path;
}

/* "../../include", seen from the folder of the source. */
static void find_above(struct search *search, struct include include)
{
  static const char *const subs[] = {"include", "inc",   "src",      "common",
                                     "util",    "utils", "utilities"};
  struct hone__arena *arena = &search->sketch->arena;
  const char *up = ".";

  for (int level = 0; level <= MOST_LEVELS; level++) {
    for (size_t i = 0; i <= sizeof subs / sizeof *subs; i++) {
      const char *sub = i ? hone__arena_printf(arena, "%s/%s", up, subs[i - 1]) : up;
      const char *at = hone__arena_printf(arena, "%s/%s", search->folder, sub);
      if (!is_in(at, include.name)) continue;
      add_folder(search->sketch, sub + 2 * (strncmp(sub, "./", 2) == 0));
      add_header(search, at, include.name);
      return;
    }
    up = level ? hone__arena_printf(arena, "%s/..", up) : "..";
  }
}

/* `folder` is that of the file with this line. */
static void find_header(struct search *search, const char *folder, struct include include)
{
  if (!include.is_angled && is_in(folder, include.name))
    add_header(search, folder, include.name);
  else if (!is_in("/usr/include", include.name) && !is_in("/usr/local/include", include.name))
    find_above(search, include);
}

static void read_includes(struct search *search, const char *folder, const char *text)
{
  for (const char *line = text; line && search->includes < MOST_INCLUDES;
       line = strchr(line, '\n')) {
    struct include include = {0};
    const char *at;
    line += *line == '\n';
    at = hone__sketch_after_directive(line, "include");
    if (at) include = include_at(&search->sketch->arena, at);
    if (include.name) find_header(search, folder, include);
    search->includes += include.name != NULL;
  }
}

static void read_header(struct search *search, const char *path)
{
  char *folder = hone__path_folder(path), *text = NULL;
  size_t size = 0;
  hone_status status = hone__file_read(path, MOST_BYTES, &text, &size);

  if (!status) read_includes(search, folder, text);
  hone_status_free(status);
  free(folder);
  free(text);
}

void hone__sketch_find_folders(struct hone__sketch *sketch)
{
  char *folder = sketch->path ? hone__path_folder(sketch->path) : NULL;
  struct search search = {.sketch = sketch, .folder = folder};

  if (folder) read_includes(&search, folder, sketch->source);
  for (size_t i = 0; i < search.count; i++)
    read_header(&search, search.headers[i]);
  sketch->has_headers = search.count > 0;
  free(folder);
}
