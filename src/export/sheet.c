/* Line ends and tabs within a cell are shown as \n and \t, so that a row stays a line. A cell that
 * is too long extends beyond its column; otherwise every row would be that long. */
#include "export/sheet.h"

#include <stdlib.h>

enum { WIDEST_COLUMN = 1000 };

void hone__sheet_add(struct hone__sheet *sheet, const char *name, bool is_number,
                     const char *const *cells)
{
  HONE__GROW(sheet->columns, sheet->count, sheet->capacity);
  sheet->columns[sheet->count++] =
      (struct hone__sheet_column){.name = name, .is_number = is_number, .cells = cells};
}

void hone__sheet_release(struct hone__sheet *sheet)
{
  free(sheet->columns);
}

/* How many characters of UTF-8. */
static size_t text_width(const char *text)
{
  size_t width = 0;

  for (; *text; text++)
    width += ((unsigned char)*text & 0xc0) != 0x80;
  return width;
}

static const char *escape_of(char c)
{
  return c == '\n' ? "\\n" : c == '\t' ? "\\t" : c == '\r' ? "\\r" : NULL;
}

static size_t shown_width(const char *text)
{
  size_t width = text_width(text);

  for (; *text; text++)
    width += escape_of(*text) != NULL;
  return width;
}

static void add_shown(struct hone__text *text, const char *cell, size_t width)
{
  size_t own = shown_width(cell);

  hone__text_addf(text, "%*s", own < width ? (int)(width - own) : 0, "");
  for (; *cell; cell++) {
    const char *escape = escape_of(*cell);
    hone__text_addn(text, escape ? escape : cell, escape ? 2 : 1);
  }
}

static size_t column_width(const struct hone__sheet *sheet, const struct hone__sheet_column *column)
{
  size_t width = shown_width(column->name) + column->is_number;

  for (size_t i = 0; i < sheet->row_count; i++) {
    size_t cell = shown_width(column->cells[i]);
    if (cell > width) width = cell;
  }
  return width < WIDEST_COLUMN ? width : WIDEST_COLUMN;
}

void hone__sheet_print(const struct hone__sheet *sheet, const size_t *order,
                       struct hone__text *text)
{
  size_t *widths = hone__alloc((sheet->count + 1) * sizeof *widths);

  for (size_t i = 0; i < sheet->count; i++) {
    widths[i] = column_width(sheet, &sheet->columns[i]);
    if (i) hone__text_add(text, " ");
    add_shown(text, sheet->columns[i].name, widths[i]);
  }
  hone__text_add(text, "\n");
  for (size_t row = 0; row < sheet->row_count; row++) {
    for (size_t i = 0; i < sheet->count; i++) {
      if (i) hone__text_add(text, " ");
      add_shown(text, sheet->columns[i].cells[order ? order[row] : row], widths[i]);
    }
    hone__text_add(text, "\n");
  }
  free(widths);
}
