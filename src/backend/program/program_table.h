/* program_table.h - the report of a program as a growing table: columns, rows and their times.
 *
 * Rows of one name are repetitions, whose mean is the time of that name; rows of different names
 * are parts of the work, whose times add up. Only a limited number of rows is kept, but all of them
 * count.
 */
#ifndef HONE_BACKEND_PROGRAM_PROGRAM_TABLE_H
#define HONE_BACKEND_PROGRAM_PROGRAM_TABLE_H

#include "base/key_map.h"
#include "base/words.h"
#include "wire/table.h"

enum { HONE__PROGRAM_MOST_ROWS = 4096, HONE__PROGRAM_MOST_COLUMNS = 1024 };

struct hone__program_table { /* { 0 } */
  struct hone__words columns;
  struct hone__key_map numbers; /* "0 met (ms)": the number of the column, for names and which of
                                 * that name */
  struct hone__table_row *rows;
  size_t kept_count, row_capacity;
  int64_t *files; /* how many rows each of them has */
  size_t file_count, file_capacity;
  struct hone__arena texts; /* of cells */
  size_t row_count;         /* with those that are not kept */
  size_t filed;             /* rows of files that have ended */
  struct hone__program_time {
    char *name;
    double ns;
  } * times;
  size_t time_count, time_capacity;
};

/* The `nth` column (from 0) of this name; it is added if there is none. */
size_t hone__program_table_column(struct hone__program_table *table, const char *name, size_t nth);
/* A row begins: its time. */
void hone__program_table_row(struct hone__program_table *table, const char *name, double ns);
/* A cell of the last row; its text is copied. */
void hone__program_table_set(struct hone__program_table *table, size_t column,
                             struct hone__table_cell cell);

/* The rows since the last end are those of one file. */
void hone__program_table_end_file(struct hone__program_table *table);

double hone__program_table_ns(struct hone__program_table *table);
/* To send it: lent as long as the table does not change. Has files where there are several. */
struct hone__table hone__program_table_view(const struct hone__program_table *table);
void hone__program_table_release(struct hone__program_table *table);

#endif
