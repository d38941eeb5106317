/* table.h - rows of texts and numbers as a message: what a program reported.
 *
 *   {"columns": [...], "rows": [[...], ...], "files": [...]}
 *
 * Every row is as long as there are columns. Where a row has nothing its cell is an empty text, and
 * so is a number that is not finite.
 */
#ifndef HONE_WIRE_TABLE_H
#define HONE_WIRE_TABLE_H

#include "wire/record.h"

enum hone__cell_kind { HONE__CELL_TEXT, HONE__CELL_INT, HONE__CELL_REAL };

struct hone__cell {
  enum hone__cell_kind kind;
  const char *text; /* of a text; NULL is an empty one */
  int64_t integer;
  double real;
};

struct hone__table_row {
  struct hone__cell *cells;
  size_t count;
};

struct hone__table {
  const char **columns; /* their names */
  struct hone__table_row *rows;
  int64_t *files; /* how many rows came from each file; none: all from one */
  size_t columns_count, rows_count, files_count;
};

struct hone__packed *hone__table_pack(const struct hone__table *table);
/* What it points to lies in the arena or in `packed`. INVALID_ARGUMENT names what is wrong. */
hone_status hone__table_unpack(const struct hone__packed *packed, struct hone__arena *arena,
                               struct hone__table *out_table);

#endif
