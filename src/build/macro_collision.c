/* Compilers name the line of an error and the lines of its notes. If such a line uses the name of a
 * macro for something else, the macro is the cause: it is declared there, it is a member, the
 * compiler misses a name, or the file does not belong to the project and cannot mean the macro of a
 * spec.
 */
#include "build/macro_collision.h"

#include "build/diagnosis.h"
#include "build/source_text.h"
#include "base/file.h"
#include "base/text.h"

#include <ctype.h>
#include <stdlib.h>

enum { MOST_FILE_BYTES = 16 << 20 };

struct place {
  char *file; /* an existing file */
  unsigned long line;
};

/* ---- Places ---- */

static char *join(const char *folder, size_t folder_length, const char *name)
{
  struct hone__text path = {0};

  hone__text_addn(&path, folder, folder_length);
  hone__text_addf(&path, "/%s", name);
  return hone__text_take(&path);
}

/* The path as the compiler wrote it: relative to its folder, or the source's name alone. */
static char *find_file(const struct hone__macro_build *build, const char *name)
{
  const char *slash = strrchr(build->source, '/');
  char *path, *real;

  if (name[0] == '/') return realpath(name, NULL);
  path = join(build->folder, strlen(build->folder), name);
  real = realpath(path, NULL);
  free(path);
  if (real) return real;
  path = join(build->source, slash ? (size_t)(slash - build->source) : 0, name);
  real = realpath(path, NULL);
  free(path);
  return real;
}

/* PoCL prints "error: " before the place. */
static size_t severity_length(const char *line)
{
  static const char *const words[] = {"error: ", "fatal error: ", "note: "};

  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (hone__starts_with(line, words[i])) return strlen(words[i]);
  return 0;
}

/* "k.h:3:" or "k.cu(3):" at the beginning of a line. */
static bool read_place(const struct hone__macro_build *build, const char *line, size_t length,
                       struct place *out_place)
{
  size_t skip = severity_length(line);

  line += skip;
  length -= skip;
  for (size_t i = 1; i + 1 < length; i++) {
    size_t digits = strspn(line + i + 1, "0123456789");
    char end = line[i + 1 + digits], *name;
    if (!digits || !((line[i] == ':' && end == ':') || (line[i] == '(' && end == ')'))) continue;
    name = strndup(line, i);
    out_place->file = name ? find_file(build, name) : NULL;
    out_place->line = strtoul(line + i + 1, NULL, 10);
    free(name);
    return out_place->file != NULL;
  }
  return false;
}

/* The text of the line, without comments; empty if there is no such line. */
static void read_line(const struct place *place, struct hone__text *out_line)
{
  char *text = NULL;
  const char *p;
  size_t size;

  hone_status_free(hone__file_read(place->file, MOST_FILE_BYTES, &text, &size));
  p = text;
  for (unsigned long i = 1; p && i < place->line; i++) {
    p = strchr(p, '\n');
    if (p) p++;
  }
  if (p) hone__build_source_normalise(p, strcspn(p, "\n"), out_line);
  free(text);
}

/* ---- Names ---- */

/* "p.W" and "p->W" */
static bool is_member(const char *line, const char *name)
{
  size_t length = strlen(name);

  for (const char *p = line; (p = strstr(p, name)); p += length) {
    bool dot = p > line && p[-1] == '.' && (p - 1 == line || !isdigit((unsigned char)p[-2]));
    bool arrow = p > line + 1 && p[-1] == '>' && p[-2] == '-';
    if ((dot || arrow) && !hone__is_word(p[length])) return true;
  }
  return false;
}

/* Messages of compilers that find a number where they expect a name. */
static bool misses_name(const char *message)
{
  static const char *const words[] = {"numeric constant",       "expected identifier",
                                      "expected an identifier", "unqualified-id",
                                      "nested-name-specifier",  "expected member name"};

  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strstr(message, words[i])) return true;
  return false;
}

/* Files in the folder of the source or of the spec, or below, belong to the project. */
static bool is_foreign(const struct hone__macro_build *build, const char *file)
{
  const char *slash = strrchr(build->source, '/');
  size_t length = slash ? (size_t)(slash - build->source) + 1 : 0;

  return strncmp(file, build->source, length) != 0 && !hone__starts_with(file, build->folder);
}

static bool collides(const struct hone__macro_build *build, const struct place *place,
                     const struct hone__text *line, const char *message, const char *name)
{
  if (!hone__build_source_has_word(line, name, strlen(name))) return false;
  return is_foreign(build, place->file) || hone__build_source_declares(line, name) ||
         is_member(line->data, name) || misses_name(message);
}

static const struct hone__name_value *find_macro(const struct hone__macro_build *build,
                                                 const struct place *place, const char *message)
{
  struct hone__text line = {0};
  const struct hone__name_value *found = NULL;

  read_line(place, &line);
  for (size_t i = 0; line.length && i < build->define_count && !found; i++) {
    const char *name = build->defines[i].name;
    if (*name && collides(build, place, &line, message, name)) found = &build->defines[i];
  }
  hone__text_release(&line);
  return found;
}

/* ---- The explanation ---- */

static void explain(const struct hone__name_value *macro, const struct place *place,
                    struct hone__text *evidence)
{
  hone__text_addf(evidence,
                  "; the macro '%s' (a parameter, size or derived value of the spec, here %s) "
                  "collides with a name in '%s', line %lu: rename it in the spec, or give macros a "
                  "prefix with 'build.define_prefix'",
                  macro->name, macro->value, place->file, place->line);
}

bool hone__macro_collision_explain(const struct hone__macro_build *build, const char *output,
                                   struct hone__text *evidence)
{
  struct hone__text error = {0};
  const struct hone__name_value *found = NULL;
  bool is_cut;

  hone__diagnosis_whole(output, &error, &is_cut);
  for (const char *line = error.data; line && *line && !found;) {
    size_t length = strcspn(line, "\n");
    struct place place = {0};
    if (read_place(build, line, length, &place)) found = find_macro(build, &place, error.data);
    if (found) explain(found, &place, evidence);
    free(place.file);
    line += length + (line[length] == '\n');
  }
  hone__text_release(&error);
  return found != NULL;
}
