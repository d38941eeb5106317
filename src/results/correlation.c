/* All rows of all results become one table of numbers, NaN where there is none; then every pair of
 * its columns is correlated. */
#include "base/accessor.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/status.h"
#include "results/kendall.h"
#include "results/results.h"

#include <math.h>
#include <stdlib.h>

struct hone_correlation {
  const char **names; /* lent by the results */
  size_t count;
  double *values; /* count * count */
};

struct series {
  const char *name;
  double *numbers; /* one a row; NaN: none */
  bool is_text;    /* a row has something else than a number */
};

struct sheet {
  struct series *series;
  size_t count, capacity;
  size_t row_count;
};

static struct series *series_of(struct sheet *sheet, const char *name, size_t from)
{
  struct series *series;

  for (size_t i = from; i < sheet->count; i++)
    if (strcmp(sheet->series[i].name, name) == 0) return &sheet->series[i];
  HONE__GROW(sheet->series, sheet->count, sheet->capacity);
  series = &sheet->series[sheet->count++];
  *series = (struct series){.name = name};
  series->numbers = hone__alloc((sheet->row_count + 1) * sizeof(double));
  for (size_t i = 0; i < sheet->row_count; i++)
    series->numbers[i] = NAN;
  return series;
}

/* ---- Columns ---- */

static bool is_label(const char *column)
{
  static const char *const labels[] = {"name", "iters", "mesh_idx", "spec", "kbench_filter"};

  for (size_t i = 0; i < sizeof labels / sizeof *labels; i++)
    if (strcmp(column, labels[i]) == 0) return true;
  return false;
}

static void add_column(struct sheet *sheet, const struct hone_results *results, size_t column,
                       const char *name, double scale, size_t first_row)
{
  struct series *series = series_of(sheet, name, 0);

  for (size_t i = 0; i < results->row_count; i++) {
    const struct hone__results_cell *cell = &results->rows[i].cells[column];
    bool is_measured = column != results->time_column || cell->number > 0;
    if (is_measured && isfinite(cell->number))
      series->numbers[first_row + i] = cell->number * scale;
    if (isnan(cell->number) && *cell->text && strcmp(cell->text, "N/A") != 0)
      series->is_text = true;
  }
}

static void add_columns(struct sheet *sheet, const struct hone_results *results,
                        const struct hone_results *first, size_t first_row)
{
  const char *time = first->columns[first->time_column];

  add_column(sheet, results, results->time_column, time, results->time_unit_s / first->time_unit_s,
             first_row);
  for (size_t i = 0; i < results->column_count; i++)
    if (i != results->time_column && strcmp(results->columns[i], time) != 0 &&
        !is_label(results->columns[i]))
      add_column(sheet, results, i, results->columns[i], 1, first_row);
}

/* ---- Parameters ---- */

static double number_of(const char *value)
{
  char *end;
  double number = hone__strtod(value, &end);

  if (strcmp(value, "True") == 0) return 1;
  if (strcmp(value, "False") == 0) return 0;
  return *value && !*end ? number : NAN;
}

/* `from`: parameters do not mix with columns of the same name. */
static void add_params(struct sheet *sheet, const struct hone_results *results, size_t from,
                       size_t first_row)
{
  for (size_t i = 0; i < results->row_count; i++) {
    const struct hone_result_row *row = &results->rows[i];
    for (size_t j = 0; j < row->params.count; j++) {
      struct series *series = series_of(sheet, row->params.at[j].name, from);
      double number = number_of(row->params.at[j].value);
      series->numbers[first_row + i] = number;
      if (isnan(number)) series->is_text = true;
    }
  }
}

/* ---- The whole ---- */

static void fill_sheet(struct sheet *sheet, const struct hone_results *const *results, size_t count)
{
  size_t columns;

  for (size_t i = 0, row = 0; i < count; row += results[i]->row_count, i++)
    add_columns(sheet, results[i], results[0], row);
  columns = sheet->count;
  for (size_t i = 0, row = 0; i < count; row += results[i]->row_count, i++)
    add_params(sheet, results[i], columns, row);
}

static bool has_numbers(const struct sheet *sheet, const struct series *series)
{
  if (series->is_text) return false;
  for (size_t i = 0; i < sheet->row_count; i++)
    if (!isnan(series->numbers[i])) return true;
  return false;
}

/* The time always stays: the others are compared with it. */
static void drop_texts(struct sheet *sheet)
{
  size_t kept = 0;

  for (size_t i = 0; i < sheet->count; i++) {
    if (i == 0 || has_numbers(sheet, &sheet->series[i]))
      sheet->series[kept++] = sheet->series[i];
    else
      free(sheet->series[i].numbers);
  }
  sheet->count = kept;
}

static struct hone_correlation *correlate_sheet(const struct sheet *sheet)
{
  struct hone_correlation *correlation = hone__alloc(sizeof *correlation);
  size_t count = sheet->count;

  correlation->count = count;
  correlation->names = hone__alloc((count + 1) * sizeof *correlation->names);
  correlation->values = hone__alloc((count * count + 1) * sizeof *correlation->values);
  for (size_t i = 0; i < count; i++) {
    correlation->names[i] = sheet->series[i].name;
    for (size_t j = 0; j <= i; j++)
      correlation->values[i * count + j] = correlation->values[j * count + i] =
          hone__kendall(sheet->series[i].numbers, sheet->series[j].numbers, sheet->row_count);
  }
  return correlation;
}

static void release_sheet(struct sheet *sheet)
{
  for (size_t i = 0; i < sheet->count; i++)
    free(sheet->series[i].numbers);
  free(sheet->series);
}

hone_status hone_results_correlate(const struct hone_results *const *results, size_t count,
                                   struct hone_correlation **out_correlation)
{
  struct sheet sheet = {0};

  *out_correlation = NULL;
  for (size_t i = 0; i < count; i++) {
    if (results[i]->time_column == SIZE_MAX) return hone__results_no_column(results[i], NULL);
    sheet.row_count += results[i]->row_count;
  }
  if (!sheet.row_count) return hone__error(HONE_NOT_FOUND, "no rows to correlate");
  fill_sheet(&sheet, results, count);
  drop_texts(&sheet);
  *out_correlation = correlate_sheet(&sheet);
  release_sheet(&sheet);
  return NULL;
}

void hone_correlation_free(struct hone_correlation *correlation)
{
  if (!correlation) return;
  free(correlation->names);
  free(correlation->values);
  free(correlation);
}

HONE__GET(size_t, hone_correlation, count, count)
HONE__GET_AT(const char *, hone_correlation, name, names, count, NULL)

double hone_correlation_value(const struct hone_correlation *correlation, size_t i, size_t j)
{
  size_t count = correlation->count;

  return i < count && j < count ? correlation->values[i * count + j] : NAN;
}
