/* results.h - results while they are put together.
 *
 *   1. hone__results_new(origin)
 *   2. hone__results_column for every column, in order; then rows, builds and failures are added,
 *      all their texts in the arena
 *   3. hone__results_complete, which settles how numbers are written; then `results` is the
 * caller's
 */
#ifndef HONE_RESULTS_RESULTS_H
#define HONE_RESULTS_RESULTS_H

#include "hone_results.h"
#include "base/memory.h"
#include "base/status.h"

struct hone__results_full {
  struct hone_results results; /* first: what the caller holds */
  struct hone__arena arena;    /* of all its texts */
  size_t column_capacity, row_capacity, build_capacity, failure_capacity;
};

struct hone__results_full *hone__results_new(const char *origin);
/* The number of this column, which is added if it is new; `guess`: where it likely is. */
size_t hone__results_column(struct hone__results_full *full, const char *name, size_t guess);
/* The numbers of all columns of a header. Of those with the same name the second is called "x.1",
 * as pandas does it. free(). */
size_t *hone__results_columns(struct hone__results_full *full, const char *const *names,
                              size_t count);
/* They are zeroed, and lent until the next one. A row has a cell for each column, with nothing in
 * it: from the first row on no column may be added. */
struct hone_result_row *hone__results_add_row(struct hone__results_full *full,
                                              struct hone_result_cell **out_cells);
struct hone_result_build *hone__results_add_build(struct hone__results_full *full);
struct hone_result_failure *hone__results_add_failure(struct hone__results_full *full);
/* Integers of a column that has floats or holes are written as floats, as in a table of pandas,
 * unless the column has texts; then as below. */
void hone__results_complete(struct hone__results_full *full);
/* Finds the time, and where more is better: all that cells need which stay as they were written. */
void hone__results_know_columns(struct hone__results_full *full);

/* results_csv.c: hone_results_read of a text that ends with a NUL. */
hone_status hone__results_parse(const char *name, const char *text, size_t size,
                                struct hone_results **out_results);

/* Cells. A text that means "nothing" to pandas (N/A, nan, null ...) is nothing here too. */
struct hone_result_cell hone__cell_integer(struct hone__arena *arena, int64_t integer);
struct hone_result_cell hone__cell_real(struct hone__arena *arena, double real);
struct hone_result_cell hone__cell_text(struct hone__arena *arena, const char *text);
struct hone_result_cell hone__cell_none(void);

/* "met (ms)" is 1e-3; 0: the column is not a time. */
double hone__column_unit_s(const char *column);

/* The error that there is no column `metric`, or none with a time if it is NULL. */
hone_status hone__results_no_column(const struct hone_results *results, const char *metric);

#endif
