#include "base/diagnostics.h"
#include "base/text.h"

#include <stdlib.h>

enum { MOST_ERRORS = 50, MOST_LINE = 160 };

static struct hone_place place_in_file(const struct hone_source *source, struct hone_place place)
{
  if (source->line_map && place.line >= 1 && place.line <= source->line_count) {
    const struct hone_line_origin *origin = &source->line_map[place.line - 1];
    place.line = origin->line;
    place.column += origin->column_shift;
  }
  return place;
}

void hone__report(struct hone_diagnostics *diagnostics, enum hone_severity severity,
                  const struct hone_source *source, struct hone_place place, const char *format,
                  ...)
{
  struct hone_text text = {0};
  struct hone_diagnostic *item;
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
  if (severity == HONE_ERROR) diagnostics->errors++;
  if (diagnostics->count < 2 * MOST_ERRORS) {
    HONE__GROW(diagnostics->items, diagnostics->count, diagnostics->capacity);
    item = &diagnostics->items[diagnostics->count++];
    item->severity = severity;
    item->source = source;
    item->place = place;
    item->message = hone__arena_strdup(&diagnostics->arena, text.data);
  }
  hone__text_release(&text);
}

static const char *find_line(const struct hone_source *source, uint32_t line, size_t *out_length)
{
  const char *p = source->text, *end = source->text + source->size, *newline;

  while (--line > 0) {
    p = memchr(p, '\n', (size_t)(end - p));
    if (!p) return NULL;
    p++;
  }
  newline = memchr(p, '\n', (size_t)(end - p));
  if (newline) end = newline;
  if (end > p && end[-1] == '\r') end--;
  *out_length = (size_t)(end - p);
  return p;
}

/* The line with a caret below the column; control characters are shown as spaces. */
static void add_excerpt(struct hone_text *text, const struct hone_source *source,
                        struct hone_place place)
{
  size_t length = 0, column = place.column ? place.column - 1 : 0, start = 0;
  const char *line = source->text ? find_line(source, place.line, &length) : NULL;

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
  for (size_t i = start; i < length; i++) {
    char c = (unsigned char)line[i] < 32 || line[i] == 127 ? ' ' : line[i];
    hone__text_addn(text, &c, 1);
  }
  hone__text_add(text, "\n        | ");
  for (size_t i = start; i < column; i++)
    if (((unsigned char)line[i] & 0xc0) != 0x80) hone__text_add(text, " ");
  hone__text_add(text, "^\n");
}

static int by_place(const void *a, const void *b)
{
  const struct hone_diagnostic *const *x = a, *const *y = b;

  if ((*x)->source != (*y)->source) return *x < *y ? -1 : 1;
  if ((*x)->place.line != (*y)->place.line) return (*x)->place.line < (*y)->place.line ? -1 : 1;
  if ((*x)->place.column != (*y)->place.column)
    return (*x)->place.column < (*y)->place.column ? -1 : 1;
  return *x < *y ? -1 : 1;
}

char *hone__diagnostics_text(const struct hone_diagnostics *diagnostics,
                             enum hone_severity severity)
{
  const struct hone_diagnostic **order = hone__alloc((diagnostics->count + 1) * sizeof *order);
  struct hone_text text = {0};
  size_t count = 0;

  for (size_t i = 0; i < diagnostics->count; i++)
    if (diagnostics->items[i].severity == severity) order[count++] = &diagnostics->items[i];
  qsort(order, count, sizeof *order, by_place);
  if (count > MOST_ERRORS) count = MOST_ERRORS;
  for (size_t i = 0; i < count; i++) {
    const struct hone_diagnostic *item = order[i];
    struct hone_place place = place_in_file(item->source, item->place);
    hone__text_add(&text, item->source->path);
    if (place.line) hone__text_addf(&text, ":%u:%u", place.line, place.column);
    hone__text_addf(&text, ": %s: %s\n", severity == HONE_ERROR ? "error" : "warning",
                    item->message);
    if (place.line) add_excerpt(&text, item->source, place);
  }
  if (severity == HONE_ERROR && diagnostics->errors > count)
    hone__text_addf(&text, "and %zu more errors\n", diagnostics->errors - count);
  free(order);
  return hone__text_take(&text);
}

void hone__diagnostics_release(struct hone_diagnostics *diagnostics)
{
  free(diagnostics->items);
  hone__arena_release(&diagnostics->arena);
  *diagnostics = (struct hone_diagnostics){0};
}
