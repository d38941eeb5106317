/* table.h - text in columns.
 *
 *   table_open(&table);
 *   table_column(&table, "time", TABLE_RIGHT); table_column(&table, "configuration", 0);
 *   table_cell(&table, "7.18 ms"); table_cell(&table, "BM=64");      row by row
 *   table_print(&table, output, 80);
 *   table_close(&table);
 * Columns without anything in them are left out. Optional columns go, the last first, until the
 * table fits; then the last column is cut, or with TABLE_BELOW each of its cells gets a line of its
 * own.
 */
#ifndef CLI_TABLE_H
#define CLI_TABLE_H

#include "output.h"

enum { TABLE_RIGHT = 1, TABLE_OPTIONAL = 2, TABLE_BELOW = 4, TABLE_COLUMNS = 64 };

struct table {
  struct table_column {
    int flags;
    size_t width;
    bool is_shown;
  } columns[TABLE_COLUMNS];
  size_t column_count;
  char **cells; /* the titles are the first row */
  size_t cell_count, cell_room;
  size_t indent, gap; /* spaces before a row, between cells */
};

void table_open(struct table *table, size_t indent);
void table_close(struct table *table);

/* All columns come before the first cell; at most TABLE_COLUMNS. */
void table_column(struct table *table, const char *title, int flags);
void table_cell(struct table *table, const char *text);
void table_format(struct table *table, const char *format, ...) CLI_PRINTF(2, 3);
/* Fills the current row with empty cells. */
void table_end_row(struct table *table);

bool table_fits(struct table *table, size_t width); /* without cutting; `width` 0: true */
/* `width` 0: nothing is cut or left out. */
void table_print(struct table *table, struct output *output, size_t width);

#endif
