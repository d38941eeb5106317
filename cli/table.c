#include "table.h"

#include "visible.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum { LEAST_LAST = 24 }; /* columns that the last should have */

void table_open(struct table *table, size_t indent)
{
  *table = (struct table){.indent = indent, .gap = 2};
}

void table_close(struct table *table)
{
  for (size_t i = 0; i < table->cell_count; i++)
    free(table->cells[i]);
  free(table->cells);
  *table = (struct table){0};
}

static void add_cell(struct table *table, const char *text)
{
  if (table->cell_count == table->cell_room) {
    table->cell_room = table->cell_room ? 2 * table->cell_room : 64;
    table->cells = check_memory(realloc(table->cells, table->cell_room * sizeof *table->cells));
  }
  table->cells[table->cell_count++] = check_memory(strdup(text ? text : ""));
}

void table_column(struct table *table, const char *title, int flags)
{
  assert(table->column_count < TABLE_COLUMNS);
  table->columns[table->column_count++].flags = flags;
  add_cell(table, title);
}

void table_cell(struct table *table, const char *text)
{
  add_cell(table, text);
}

void table_format(struct table *table, const char *format, ...)
{
  char text[256];
  va_list args;

  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  add_cell(table, text);
}

void table_end_row(struct table *table)
{
  while (table->cell_count % table->column_count)
    add_cell(table, "");
}

/* ---- Printing ---- */

static void measure(struct table *table)
{
  for (size_t i = 0; i < table->cell_count; i++) {
    struct table_column *column = &table->columns[i % table->column_count];
    size_t width = visible_width(table->cells[i]);
    if (width > column->width) column->width = width;
    if (width && i >= table->column_count) column->is_shown = true;
  }
}

static size_t last_shown(const struct table *table)
{
  size_t last = table->column_count;

  while (last > 0 && !table->columns[last - 1].is_shown)
    last--;
  return last ? last - 1 : 0;
}

/* The last column may be cut down to `least` columns if it is text. */
static size_t total_width(const struct table *table, size_t least)
{
  size_t total = table->indent, last = last_shown(table);

  for (size_t i = 0; i <= last; i++) {
    size_t width = table->columns[i].width;
    bool is_cut = i == last && i > 0 && !(table->columns[i].flags & TABLE_RIGHT) && width > least;
    if (table->columns[i].is_shown) total += (is_cut ? least : width) + (i ? table->gap : 0);
  }
  return total;
}

static void fit(struct table *table, size_t width, size_t least)
{
  for (size_t i = table->column_count; width && i-- > 0 && total_width(table, least) > width;)
    if (table->columns[i].flags & TABLE_OPTIONAL) table->columns[i].is_shown = false;
}

bool table_fits(struct table *table, size_t width)
{
  measure(table);
  fit(table, width, SIZE_MAX);
  return !width || total_width(table, SIZE_MAX) <= width;
}

/* A last column that does not fit beside the others goes below them. */
static bool take_below(struct table *table, size_t width)
{
  struct table_column *last = &table->columns[table->column_count - 1];

  if (!(last->flags & TABLE_BELOW) || !last->is_shown) return false;
  if (!width || total_width(table, SIZE_MAX) <= width) return false;
  last->is_shown = false;
  return true;
}

static void print_row(const struct table *table, struct output *output, char **cells, size_t width)
{
  size_t used = table->indent, last = last_shown(table), pending = table->indent;

  for (size_t i = 0; i <= last; i++) {
    const struct table_column *column = &table->columns[i];
    size_t blank = column->width - visible_width(cells[i]);
    bool is_right = column->flags & TABLE_RIGHT;
    if (!column->is_shown) continue;
    if (is_right) pending += blank;
    if (*cells[i]) {
      output_spaces(output, pending);
      pending = 0;
      visible_cut(output, cells[i],
                  i < last || is_right || !width ? SIZE_MAX / 2
                  : width > used                 ? width - used
                                                 : 0);
    }
    pending += table->gap + (is_right ? 0 : blank);
    used += column->width + table->gap;
  }
  output_text(output, "\n");
}

static void print_below(const struct table *table, struct output *output, const char *text,
                        size_t width)
{
  size_t indent = table->indent + table->columns[0].width + table->gap;

  if (!*text) return;
  output_spaces(output, indent);
  visible_wrapped(output, text, indent, width);
  output_text(output, "\n");
}

void table_print(struct table *table, struct output *output, size_t width)
{
  size_t columns = table->column_count;
  bool below;

  measure(table);
  below = take_below(table, width);
  fit(table, width, LEAST_LAST);
  output_style(output, STYLE_DIM);
  print_row(table, output, table->cells, width);
  output_style(output, STYLE_PLAIN);
  for (size_t i = columns; i < table->cell_count; i += columns) {
    print_row(table, output, table->cells + i, width);
    if (below) print_below(table, output, table->cells[i + columns - 1], width);
  }
}
