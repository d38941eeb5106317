/* The source is read line by line. The lines of a block are collected without their markers, then
 * dedented together, each remembering how much of it was taken away. */
#include "spec/annotation.h"
#include "base/text.h"

#include <stdlib.h>

struct line {
  const char *text; /* not terminated; without its line break */
  size_t length;
  uint32_t number; /* in the source, 1-based */
  uint32_t shift;  /* bytes of the source's line before text */
};

struct extractor {
  const char *next, *end; /* what is not read yet */
  uint32_t number;        /* of the line read last */
  struct line *block;
  size_t block_count, block_capacity;
  struct hone__text yaml;
  struct hone__source_origin *map;
  size_t map_count, map_capacity;
  bool found;
};

/* ---- Lines --------------------------------------------------------------------------------- */

static bool is_blank(char c)
{
  return c == ' ' || c == '\t';
}

static size_t count_blanks(const struct line *line)
{
  size_t count = 0;

  while (count < line->length && is_blank(line->text[count]))
    count++;
  return count;
}

static bool is_empty(const struct line *line)
{
  return count_blanks(line) == line->length;
}

static void cut(struct line *line, size_t bytes)
{
  line->text += bytes;
  line->length -= bytes;
  line->shift += (uint32_t)bytes;
}

static bool starts_with(const struct line *line, const char *prefix)
{
  size_t length = strlen(prefix);

  return line->length >= length && memcmp(line->text, prefix, length) == 0;
}

static bool next_line(struct extractor *extractor, struct line *out_line)
{
  const char *start = extractor->next, *newline;
  size_t length = (size_t)(extractor->end - start);

  if (!length) return false;
  newline = memchr(start, '\n', length);
  extractor->next = newline ? newline + 1 : extractor->end;
  if (newline) length = (size_t)(newline - start);
  if (length && start[length - 1] == '\r') length--;
  *out_line = (struct line){start, length, ++extractor->number, 0};
  if (extractor->number == 1 && starts_with(out_line, "\xef\xbb\xbf")) cut(out_line, 3);
  return true;
}

/* Takes the white space and the marker off a line that begins with it; else leaves it alone. */
static bool cut_marker(struct line *line, const char *marker)
{
  struct line rest = *line;

  cut(&rest, count_blanks(&rest));
  if (!starts_with(&rest, marker)) return false;
  cut(&rest, strlen(marker));
  if (rest.length && !is_blank(*rest.text) && !starts_with(&rest, "*/")) return false;
  *line = rest;
  return true;
}

/* ---- Blocks -------------------------------------------------------------------------------- */

static void push_line(struct extractor *extractor, struct line line)
{
  HONE__GROW(extractor->block, extractor->block_count, extractor->block_capacity);
  extractor->block[extractor->block_count++] = line;
}

/* Blanks that all lines but the empty ones begin with. */
static size_t common_indent(const struct line *lines, size_t count)
{
  const struct line *model = NULL;
  size_t common = 0;

  for (size_t i = 0; i < count; i++) {
    if (is_empty(&lines[i])) continue;
    if (!model) {
      model = &lines[i];
      common = count_blanks(model);
    }
    for (size_t j = 0; j < common; j++)
      if (lines[i].text[j] != model->text[j]) common = j;
  }
  return common;
}

static void cut_indent(struct line *lines, size_t count, size_t indent)
{
  for (size_t i = 0; i < count; i++)
    cut(&lines[i], indent < lines[i].length ? indent : lines[i].length);
}

/* The length of a decoration: blanks, a star, and a blank or the end; 0: there is none. */
static size_t decoration(const struct line *line)
{
  size_t blanks = count_blanks(line);

  if (blanks == line->length || line->text[blanks] != '*') return 0;
  return blanks + 1 == line->length || is_blank(line->text[blanks + 1]) ? blanks + 1 : 0;
}

static void cut_decoration(struct line *lines, size_t count)
{
  for (size_t i = 0; i < count; i++)
    if (!is_empty(&lines[i]) && !decoration(&lines[i])) return;
  for (size_t i = 0; i < count; i++)
    cut(&lines[i], decoration(&lines[i]));
}

static void emit(struct extractor *extractor, const struct line *lines, size_t count)
{
  for (size_t i = 0; i < count; i++) {
    hone__text_addn(&extractor->yaml, lines[i].text, lines[i].length);
    hone__text_addn(&extractor->yaml, "\n", 1);
    HONE__GROW(extractor->map, extractor->map_count, extractor->map_capacity);
    extractor->map[extractor->map_count++] =
        (struct hone__source_origin){lines[i].number, lines[i].shift};
  }
}

/* Ends a block of //@hone lines, if there is one. */
static void flush_lines(struct extractor *extractor)
{
  struct line *lines = extractor->block;
  size_t count = extractor->block_count;

  cut_indent(lines, count, common_indent(lines, count));
  emit(extractor, lines, count);
  extractor->block_count = 0;
}

/* Does a line's text promise that its value follows, deeper, on the next lines? */
static bool opens_value(const struct line *line)
{
  const char *comment = memmem(line->text, line->length, " #", 2);
  size_t length = comment ? (size_t)(comment - line->text) : line->length;

  while (length && is_blank(line->text[length - 1]))
    length--;
  if (length > 1 && strchr("+-", line->text[length - 1]) && strchr("|>", line->text[length - 2]))
    length--;
  return length && strchr(":|>", line->text[length - 1]) && line->text[length - 1];
}

/* The text after a comment's marker has no indentation to compare with. If it opens a value, then
 * the inner lines stay deeper by one column, unless they show by themselves what is deeper. */
static bool must_stay_deeper(const struct line *first, const struct line *inner, size_t count,
                             size_t indent)
{
  while (count && is_empty(inner))
    inner++, count--;
  return count && indent && count_blanks(inner) == indent && opens_value(first);
}

/* Ends a block comment: the first line counts as not indented, the inner lines are dedented among
 * themselves. */
static void flush_comment(struct extractor *extractor)
{
  struct line *first = extractor->block, *inner = first + 1;
  size_t count = extractor->block_count - 1, indent;

  cut(first, count_blanks(first));
  cut_decoration(inner, count);
  indent = common_indent(inner, count);
  if (must_stay_deeper(first, inner, count, indent)) indent--;
  cut_indent(inner, count, indent);
  if (first->length) emit(extractor, first, 1);
  emit(extractor, inner, count);
  extractor->block_count = 0;
}

/* Cuts a line at the end of the comment. */
static bool cut_end(struct line *line)
{
  const char *end = memmem(line->text, line->length, "*/", 2);

  if (!end) return false;
  line->length = (size_t)(end - line->text);
  while (line->length && is_blank(line->text[line->length - 1]))
    line->length--;
  return true;
}

/* `line` is the first line after the marker; false if the comment has no end. */
static bool read_comment(struct extractor *extractor, struct line line)
{
  bool ended = cut_end(&line);

  push_line(extractor, line);
  while (!ended && next_line(extractor, &line)) {
    ended = cut_end(&line);
    if (!ended || line.length) push_line(extractor, line);
  }
  if (ended) flush_comment(extractor);
  return ended;
}

/* ---- The whole source ---------------------------------------------------------------------- */

/* The place of a comment without an end; line 0: there is none. */
static struct hone__place read_source(struct extractor *extractor)
{
  struct line line;

  while (next_line(extractor, &line)) {
    struct line rest = line;
    bool is_line = cut_marker(&rest, "//@hone");
    bool is_comment = !is_line && cut_marker(&rest, "/*@hone");
    extractor->found |= is_line || is_comment;
    if (is_line) {
      push_line(extractor, rest);
      continue;
    }
    flush_lines(extractor);
    if (is_comment && !read_comment(extractor, rest))
      return (struct hone__place){rest.number, rest.shift - (uint32_t)strlen("/*@hone") + 1};
  }
  flush_lines(extractor);
  return (struct hone__place){0};
}

/* The YAML ends with a line break; what is missing at its end is missing after its last line. */
static void map_end(struct extractor *extractor)
{
  struct hone__source_origin end = {1, 0};

  if (extractor->map_count) {
    size_t length = extractor->yaml.length - 1; /* of all but the last line break */
    const char *newline = memrchr(extractor->yaml.data, '\n', length);
    end = extractor->map[extractor->map_count - 1];
    if (newline) length -= (size_t)(newline + 1 - extractor->yaml.data);
    end.column_shift += (uint32_t)length;
  }
  HONE__GROW(extractor->map, extractor->map_count, extractor->map_capacity);
  extractor->map[extractor->map_count++] = end;
}

static void publish(struct extractor *extractor, struct hone__arena *arena, char **out_yaml,
                    size_t *out_size, const struct hone__source_origin **out_map, size_t *out_lines)
{
  struct hone__source_origin *map;
  size_t bytes;

  map_end(extractor);
  bytes = extractor->map_count * sizeof *map;
  map = hone__arena_alloc(arena, bytes);
  memcpy(map, extractor->map, bytes);
  *out_map = map;
  *out_lines = extractor->map_count;
  *out_size = extractor->yaml.length;
  *out_yaml = hone__arena_strndup(arena, extractor->yaml.length ? extractor->yaml.data : "",
                                  extractor->yaml.length);
}

void hone__annotation_extract(const char *text, size_t size, const struct hone__source *source,
                              struct hone__arena *arena, struct hone__diagnostics *diagnostics,
                              char **out_yaml, size_t *out_size,
                              const struct hone__source_origin **out_map, size_t *out_lines)
{
  struct extractor extractor = {.next = text, .end = text + size};
  struct hone__place open;

  *out_yaml = NULL;
  *out_size = 0;
  *out_map = NULL;
  *out_lines = 0;
  open = read_source(&extractor);
  if (open.line)
    hone__report(diagnostics, HONE__ERROR, source, open,
                 "unterminated annotation; '*/' is missing");
  else if (extractor.found)
    publish(&extractor, arena, out_yaml, out_size, out_map, out_lines);
  free(extractor.block);
  free(extractor.map);
  hone__text_release(&extractor.yaml);
}
