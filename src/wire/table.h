/* table.h - rows of texts and numbers as a message: the report of a program.
 *
 *   {"columns": [...], "rows": [[...], ...], "files": [...]}
 *
 * Every row has one cell per column. A missing cell, or a number that is not finite, is an empty
 * text.
 */
#ifndef HONE_WIRE_TABLE_H
#define HONE_WIRE_TABLE_H

#include "wire/record.h"

enum hone__table_cell_kind { HONE__CELL_TEXT, HONE__CELL_INT, HONE__CELL_REAL };

struct hone__table_cell {
  enum hone__table_cell_kind kind;
  const char *text; /* for a text; NULL is an empty one */
  int64_t integer;
  double real;
};

struct hone__table_row {
  struct hone__table_cell *cells;
  size_t count;
};

struct hone__table {
  const char **columns; /* their names */
  struct hone__table_row *rows;
  int64_t *files; /* number of rows from each file; none: all from one */
  size_t columns_count, rows_count, files_count;
};

struct hone__packed *hone__table_pack(const struct hone__table *table);
/* Everything it points to lives in the arena or in `packed`. INVALID_ARGUMENT names the problem. */
hone_status hone__table_unpack(const struct hone__packed *packed, struct hone__arena *arena,
                               struct hone__table *out_table);

#endif
