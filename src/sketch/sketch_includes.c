/* The folders of a project's headers: where `#include <project/x.h>` is found beside the source or
 * in a folder above it, as it is once the project is built.
 */
#include "sketch/sketch.h"

#include "base/paths.h"

#include <stdlib.h>

enum { MOST_LEVELS = 4, MOST_HEADERS = 256 };

/* "project/x.h" after the mark, for the arena; NULL: no name follows. */
static const char *header_name(struct hone__sketch *sketch, const char *at)
{
  const char *end;

  if (*at != '<' && *at != '"') return NULL;
  end = strpbrk(at + 1, ">\"\n");
  return end && *end != '\n' && end > at + 1
             ? hone__arena_strndup(&sketch->arena, at + 1, (size_t)(end - at - 1))
             : NULL;
}

static bool is_in(const char *folder, const char *sub, const char *header)
{
  struct hone__text path = {0};
  bool is;

  hone__text_addf(&path, "%s/%s/%s", folder, sub, header);
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

/* "../../include", seen from the folder of the source. */
static void find_header(struct hone__sketch *sketch, const char *folder, const char *header)
{
  static const char *const subs[] = {".", "include", "inc", "src"};
  const char *up = ".";

  if (is_in("/usr", "include", header) || is_in("/usr/local", "include", header)) return;
  for (int level = 0; level <= MOST_LEVELS; level++) {
    const char *at = hone__arena_printf(&sketch->arena, "%s/%s", folder, up);
    for (size_t i = 0; i < sizeof subs / sizeof *subs; i++) {
      if (!is_in(at, subs[i], header)) continue;
      if (level || i)
        add_folder(sketch, i ? hone__arena_printf(&sketch->arena, "%s/%s", up, subs[i]) : up);
      return;
    }
    up = level ? hone__arena_printf(&sketch->arena, "%s/..", up) : "..";
  }
}

void hone__sketch_find_folders(struct hone__sketch *sketch)
{
  char *folder = sketch->path ? hone__path_folder(sketch->path) : NULL;
  const char *line = folder ? sketch->source : NULL;

  for (size_t headers = 0; line && headers < MOST_HEADERS; line = strchr(line, '\n')) {
    const char *at, *header;
    line += *line == '\n';
    at = hone__sketch_after_directive(line, "include");
    header = at ? header_name(sketch, at) : NULL;
    if (header) find_header(sketch, folder, header);
    headers += header != NULL;
  }
  free(folder);
}
