/* Reports are kept with their places and printed in the order of the file. */
#include "base/diagnostics.h"
#include "base/text.h"

#include <stdlib.h>

enum { MOST_ERRORS = 50, MOST_LINE = 160 };

static struct hone__place place_in_file(const struct hone__source *source, struct hone__place place)
{
  if (source->line_map && place.line >= 1 && place.line <= source->line_count) {
    const struct hone__source_origin *origin = &source->line_map[place.line - 1];
    place.line = origin->line;
    place.column += origin->column_shift;
  }
  return place;
}

void hone__report(struct hone__diagnostics *diagnostics, enum hone__severity severity,
                  const struct hone__source *source, struct hone__place place, const char *format,
                  ...)
{
  struct hone__text text = {0};
  struct hone__diagnostic *item;
  va_list args;

  va_start(args, format);
  hone__text_vaddf(&text, format, args);
  va_end(args);
  for (size_t i = 0; i < diagnostics->count; i++) {
    item = &diagnostics->items[i];
    if (item->source == source && item->place.line == place.line &&
        item->place.column == place.column && strcmp(item->message, text.data) == 0) {
      hone__text_release(&text);
      return;
    }
  }
  if (severity == HONE__ERROR)
    diagnostics->errors++;
  else
    diagnostics->warnings++;
  if ((severity == HONE__ERROR ? diagnostics->errors : diagnostics->warnings) <= MOST_ERRORS) {
    HONE__GROW(diagnostics->items, diagnostics->count, diagnostics->capacity);
    item = &diagnostics->items[diagnostics->count++];
    item->severity = severity;
    item->source = source;
    item->source_order = diagnostics->count - 1;
    for (size_t i = 0; i + 1 < diagnostics->count; i++)
      if (diagnostics->items[i].source == source)
        item->source_order = diagnostics->items[i].source_order;
    item->place = place;
    item->message = hone__arena_strdup(&diagnostics->arena, text.data);
  }
  hone__text_release(&text);
}

/* The length of a well-formed UTF-8 character that is fit to print, or 0. */
static size_t printable(const char *p, size_t left)
{
  unsigned char c = (unsigned char)*p;
  size_t length = c < 0x80 ? 1 : c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : 2;

  if (c < 32 || c == 127 || (c >= 0x80 && c < 0xc2) || c > 0xf4 || length > left) return 0;
  for (size_t i = 1; i < length; i++)
    if (((unsigned char)p[i] & 0xc0) != 0x80) return 0;
  if (c == 0xc2 && (unsigned char)p[1] < 0xa0) return 0; /* a control character */
  return length;
}

void hone__source_index(struct hone__source *source, struct hone__arena *arena)
{
  uint32_t *starts;
  size_t lines = 1;

  for (size_t i = 0; i < source->size; i++)
    lines += source->text[i] == '\n';
  starts = hone__arena_alloc(arena, lines * sizeof *starts);
  lines = 1;
  for (size_t i = 0; i < source->size; i++)
    if (source->text[i] == '\n') starts[lines++] = (uint32_t)i + 1;
  source->line_starts = starts;
  source->file_lines = lines;
}

static const char *find_line(const struct hone__source *source, uint32_t line, size_t *out_length)
{
  const char *start, *end;

  if (line == 0 || line > source->file_lines) return NULL;
  start = source->text + source->line_starts[line - 1];
  end = line < source->file_lines ? source->text + source->line_starts[line] - 1
                                  : source->text + source->size;
  if (end > start && end[-1] == '\r') end--;
  *out_length = (size_t)(end - start);
  return start;
}

/* The line with a caret below the column; what is not fit to print is shown as `?`. */
static void add_excerpt(struct hone__text *text, const struct hone__source *source,
                        struct hone__place place)
{
  size_t length = 0, column = place.column ? place.column - 1 : 0, start = 0, width = 0;
  const char *line = find_line(source, place.line, &length);

  if (!line || memchr(line, 0, length)) return;
  if (column > length) column = length;
  if (column > MOST_LINE / 2) start = column - MOST_LINE / 2;
  while (start && ((unsigned char)line[start] & 0xc0) == 0x80)
    start--;
  if (length - start > MOST_LINE) {
    length = start + MOST_LINE;
    while (length > start && ((unsigned char)line[length] & 0xc0) == 0x80)
      length--;
  }
  hone__text_addf(text, "%7u | ", place.line);
  for (size_t i = start; i < length;) {
    size_t size = printable(line + i, length - i);
    if (size)
      hone__text_addn(text, line + i, size);
    else
      hone__text_add(text, line[i] == '\t' ? " " : "?");
    if (i < column) width++;
    i += size ? size : 1;
  }
  hone__text_addf(text, "\n        | %*s^\n", (int)width, "");
}

static int by_place(const void *a, const void *b)
{
  const struct hone__diagnostic *const *x = a, *const *y = b;

  if ((*x)->source_order != (*y)->source_order)
    return (*x)->source_order < (*y)->source_order ? -1 : 1;
  if ((*x)->place.line != (*y)->place.line) return (*x)->place.line < (*y)->place.line ? -1 : 1;
  if ((*x)->place.column != (*y)->place.column)
    return (*x)->place.column < (*y)->place.column ? -1 : 1;
  return *x < *y ? -1 : 1;
}

char *hone__diagnostics_text(const struct hone__diagnostics *diagnostics,
                             enum hone__severity severity)
{
  const struct hone__diagnostic **order = hone__alloc((diagnostics->count + 1) * sizeof *order);
  struct hone__text text = {0};
  size_t count = 0;

  for (size_t i = 0; i < diagnostics->count; i++)
    if (diagnostics->items[i].severity == severity) order[count++] = &diagnostics->items[i];
  qsort(order, count, sizeof *order, by_place);
  if (count > MOST_ERRORS) count = MOST_ERRORS;
  for (size_t i = 0; i < count; i++) {
    const struct hone__diagnostic *item = order[i];
    struct hone__place place = place_in_file(item->source, item->place);
    hone__text_add(&text, item->source->path);
    if (place.line) hone__text_addf(&text, ":%u:%u", place.line, place.column);
    hone__text_addf(&text, ": %s: %s\n", severity == HONE__ERROR ? "error" : "warning",
                    item->message);
    if (place.line) add_excerpt(&text, item->source, place);
  }
  if (severity == HONE__ERROR && diagnostics->errors > count)
    hone__text_addf(&text, "and %zu more error%s\n", diagnostics->errors - count,
                    diagnostics->errors - count == 1 ? "" : "s");
  free(order);
  return hone__text_take(&text);
}

void hone__diagnostics_release(struct hone__diagnostics *diagnostics)
{
  free(diagnostics->items);
  hone__arena_release(&diagnostics->arena);
  *diagnostics = (struct hone__diagnostics){0};
}

bool hone__source_has(const struct hone__source *source, struct hone__place place, const char *text)
{
  struct hone__place at = place_in_file(source, place);
  size_t length = 0, size = strlen(text);
  const char *line = find_line(source, at.line, &length);

  if (!line || at.column == 0 || at.column - 1 > length) return false;
  return length - (at.column - 1) >= size && memcmp(line + at.column - 1, text, size) == 0;
}
