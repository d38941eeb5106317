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

#include "base/memory.h"
#include "base/status.h"
#include "results/measured.h"
#include "results/taken.h"
#include "spec/params.h"

struct hone__results_cell {
  const char *text; /* as it is in CSV, without quotes; "": there is none */
  double number;    /* NaN: it is a text */
};

/* Where and when an instance was measured. */
struct hone__results_place {
  const char *device; /* "": not known */
  double made_s;      /* since the run began; NaN: not known */
  double compile_s;   /* NaN: it was not built */
};

struct hone_result_row {
  uint64_t mesh_idx;
  const char *spec, *config; /* the latter: "" of a file */
  struct hone_params params;
  struct hone__measured measured; /* of a file only the basis */
  bool is_tied;
  int64_t evaluation; /* 0: of a file */
  struct hone__results_place place;
  struct hone__taken taken;               /* empty unless hone_results_load_samples was called */
  const struct hone__results_cell *cells; /* one a column */
  size_t cell_count;
  bool is_pareto;
  const char *suspicious;
};

struct hone_result_build {
  uint64_t mesh_idx;
  const char *spec;
  double seconds;
};

struct hone_result_failure {
  uint64_t mesh_idx;
  const char *spec;
  struct hone_params params;
  enum hone_failure_type type;
  enum hone_outcome outcome;
  struct hone__results_place place;
  const char *evidence, *stdout_text, *stderr_text;
};

struct hone_results { /* as the accessors in hone_results.h say */
  const char *origin;
  int64_t run;
  const char *name, *file, *problem, *objective, *devices, *machine, *settings;
  const char **columns;
  size_t column_count, lead_count, time_column, aim_column;
  double time_unit_s;
  const bool *maximise; /* one a column */
  struct hone_result_row *rows;
  size_t row_count;
  struct hone_result_build *builds;
  size_t build_count;
  struct hone_result_failure *failures;
  size_t failure_count;
  uint64_t total, valid, slow;
  double build_s, run_s, wall_s;
  enum hone_run_state state;
  bool has_pareto;
  const char *index_name;
};

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
                                              struct hone__results_cell **out_cells);
struct hone_result_build *hone__results_add_build(struct hone__results_full *full);
struct hone_result_failure *hone__results_add_failure(struct hone__results_full *full);
/* Integers of a column that has floats or holes are written as floats, as in a table of pandas,
 * unless the column has texts; then as below. */
void hone__results_complete(struct hone__results_full *full);
/* Finds the column of the time, and the columns in which more is better. Cells stay as they were
 * written. */
void hone__results_know_columns(struct hone__results_full *full);

/* results_csv.c: hone_results_read of a text that ends with a NUL. */
hone_status hone__results_parse(const char *name, const char *text, size_t size,
                                struct hone_results **out_results);

/* Cells. A text that means "nothing" to pandas (N/A, nan, null ...) is nothing here too. */
struct hone__results_cell hone__cell_integer(struct hone__arena *arena, int64_t integer);
struct hone__results_cell hone__cell_real(struct hone__arena *arena, double real);
struct hone__results_cell hone__cell_text(struct hone__arena *arena, const char *text);
struct hone__results_cell hone__cell_none(void);

/* As hone_results_order, by nothing but the numbers in the column. */
size_t hone__results_by_value(const struct hone_results *results, size_t column, bool maximise,
                              size_t **out_rows);
/* A row with a number in the column, and with a time above 0 if there are times. */
bool hone__results_is_measured(const struct hone_results *results, size_t row, size_t column);

/* "met (ms)" is 1e-3; 0: the column is not a time. */
double hone__results_column_unit_s(const char *column);

/* The error that there is no column `metric`, or none with a time if it is NULL. */
hone_status hone__results_no_column(const struct hone_results *results, const char *metric);

#endif
