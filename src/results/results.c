/* Results own one arena; the arrays grow and are freed by themselves. What is a number is decided
 * cell by cell when it is read, how it is written column by column at the end, because a table of
 * pandas has one type a column and files are compared byte by byte. */
#include "results/results.h"

#include "base/csv.h"
#include "base/text.h"
#include "base/time_unit.h"
#include "results/input_id.h"
#include "spec/value.h"

#include <math.h>
#include <stdlib.h>

struct hone__results_full *hone__results_new(const char *origin)
{
  struct hone__results_full *full = hone__alloc(sizeof *full);

  full->results = (struct hone_results){.origin = hone__arena_strdup(&full->arena, origin),
                                        .name = "",
                                        .file = "",
                                        .problem = "",
                                        .objective = "",
                                        .devices = "",
                                        .machine = "",
                                        .settings = "",
                                        .index_name = "mesh_idx",
                                        .time_column = SIZE_MAX,
                                        .aim_column = SIZE_MAX};
  return full;
}

void hone_results_free(struct hone_results *results)
{
  struct hone__results_full *full = (struct hone__results_full *)results;

  if (!full) return;
  free(results->columns);
  free(results->rows);
  free(results->builds);
  free(results->failures);
  hone__arena_release(&full->arena);
  free(full);
}

/* ---- Cells ---- */

static double infinity_of(const char *text)
{
  if (strcmp(text, "inf") == 0) return INFINITY;
  return strcmp(text, "-inf") == 0 ? -INFINITY : NAN;
}

struct hone__results_cell hone__cell_none(void)
{
  return (struct hone__results_cell){.text = "", .number = NAN};
}

struct hone__results_cell hone__cell_text(struct hone__arena *arena, const char *text)
{
  if (hone__csv_is_nothing(text)) return hone__cell_none();
  return (struct hone__results_cell){.text = hone__arena_strdup(arena, text),
                                     .number = infinity_of(text)};
}

struct hone__results_cell hone__cell_integer(struct hone__arena *arena, int64_t integer)
{
  return (struct hone__results_cell){.text = hone__arena_printf(arena, "%lld", (long long)integer),
                                     .number = (double)integer};
}

static const char *print_real(struct hone__arena *arena, double real)
{
  struct hone__text text = {0};
  const char *copy;

  hone__float_print(real, &text);
  copy = hone__arena_strdup(arena, text.data);
  hone__text_release(&text);
  return copy;
}

struct hone__results_cell hone__cell_real(struct hone__arena *arena, double real)
{
  if (isnan(real)) return hone__cell_none();
  return (struct hone__results_cell){.text = print_real(arena, real), .number = real};
}

static bool is_none(const struct hone__results_cell *cell)
{
  return !*cell->text;
}

static bool is_integer(const struct hone__results_cell *cell)
{
  return !isnan(cell->number) && !cell->text[strspn(cell->text, "+-0123456789")];
}

/* ---- Putting together ---- */

size_t hone__results_column(struct hone__results_full *full, const char *name, size_t guess)
{
  struct hone_results *results = &full->results;

  if (guess < results->column_count && strcmp(results->columns[guess], name) == 0) return guess;
  for (size_t i = 0; i < results->column_count; i++)
    if (strcmp(results->columns[i], name) == 0) return i;
  HONE__GROW(results->columns, results->column_count, full->column_capacity);
  results->columns[results->column_count] = hone__arena_strdup(&full->arena, name);
  return results->column_count++;
}

size_t *hone__results_columns(struct hone__results_full *full, const char *const *names,
                              size_t count)
{
  size_t *columns = hone__alloc((count + 1) * sizeof *columns);

  for (size_t i = 0; i < count; i++) {
    struct hone__text name = {0};
    size_t nth = 0;
    for (size_t k = 0; k < i; k++)
      nth += strcmp(names[k], names[i]) == 0;
    hone__text_add(&name, names[i]);
    if (nth) hone__text_addf(&name, ".%zu", nth);
    columns[i] = hone__results_column(full, name.data, i);
    hone__text_release(&name);
  }
  return columns;
}

struct hone_result_row *hone__results_add_row(struct hone__results_full *full,
                                              struct hone__results_cell **out_cells)
{
  struct hone_results *results = &full->results;
  struct hone__results_cell *cells =
      hone__arena_alloc(&full->arena, (results->column_count + 1) * sizeof *cells);
  struct hone_result_row *row;

  for (size_t i = 0; i < results->column_count; i++)
    cells[i] = hone__cell_none();
  HONE__GROW(results->rows, results->row_count, full->row_capacity);
  row = &results->rows[results->row_count++];
  *row = (struct hone_result_row){.spec = "",
                                  .config = "",
                                  .place = {.device = "", .made_s = NAN, .compile_s = NAN},
                                  .measured = {.speedup = NAN, .low = NAN, .high = NAN},
                                  .cells = cells,
                                  .cell_count = results->column_count,
                                  .suspicious = ""};
  *out_cells = cells;
  return row;
}

struct hone_result_build *hone__results_add_build(struct hone__results_full *full)
{
  struct hone_results *results = &full->results;
  struct hone_result_build *build;

  HONE__GROW(results->builds, results->build_count, full->build_capacity);
  build = &results->builds[results->build_count++];
  *build = (struct hone_result_build){.spec = ""};
  return build;
}

struct hone_result_failure *hone__results_add_failure(struct hone__results_full *full)
{
  struct hone_results *results = &full->results;
  struct hone_result_failure *failure;

  HONE__GROW(results->failures, results->failure_count, full->failure_capacity);
  failure = &results->failures[results->failure_count++];
  *failure = (struct hone_result_failure){
      .spec = "", .evidence = "", .stdout_text = "", .stderr_text = ""};
  return failure;
}

static bool is_column_of_floats(const struct hone_results *results, size_t column)
{
  bool has_float = false;

  for (size_t i = 0; i < results->row_count; i++) {
    const struct hone__results_cell *cell = &results->rows[i].cells[column];
    if (!is_none(cell) && isnan(cell->number)) return false;
    has_float |= !is_integer(cell);
  }
  return has_float;
}

static void write_floats(struct hone__results_full *full, size_t column)
{
  for (size_t i = 0; i < full->results.row_count; i++) {
    /* the cells are the arena's: const is for callers */
    struct hone__results_cell *cell =
        (struct hone__results_cell *)&full->results.rows[i].cells[column];
    if (is_integer(cell)) cell->text = print_real(&full->arena, cell->number);
  }
}

/* The column that a program's time was taken from: "met", else "time", else any time. */
static size_t find_time(const struct hone_results *results, const char *word)
{
  for (size_t i = 0; i < results->column_count; i++) {
    const char *column = results->columns[i];
    if (*word ? hone__time_column_ns(column, word, 1e6) > 0
              : hone__results_column_unit_s(column) > 0)
      return i;
  }
  return SIZE_MAX;
}

/* Unless the spec says otherwise. */
static bool is_better_more(const char *column)
{
  return hone__results_column_unit_s(column) == 0 && strcmp(column, "energy_j") != 0 &&
         strcmp(column, "power_w") != 0;
}

void hone__results_know_columns(struct hone__results_full *full)
{
  static const char *const words[] = {"met", "time", ""};
  struct hone_results *results = &full->results;
  size_t *time = &results->time_column;
  bool *maximise = hone__arena_alloc(&full->arena, results->column_count + 1);

  for (size_t i = 0; i < sizeof words / sizeof *words && *time == SIZE_MAX; i++)
    *time = find_time(results, words[i]);
  if (*time != SIZE_MAX)
    results->time_unit_s = hone__results_column_unit_s(results->columns[*time]);
  for (size_t i = 0; i < results->column_count; i++)
    maximise[i] = is_better_more(results->columns[i]);
  results->aim_column = *time;
  results->maximise = maximise;
}

void hone__results_complete(struct hone__results_full *full)
{
  for (size_t i = 0; i < full->results.column_count; i++)
    if (is_column_of_floats(&full->results, i)) write_floats(full, i);
  hone__results_know_columns(full);
}

/* ---- Asking ---- */

/* As programs are read, and "min (ms)" besides. A bare "met" is in milliseconds. */
double hone__results_column_unit_s(const char *column)
{
  const char *bracket = strrchr(column, '(');
  double ns = hone__time_column_ns(column, "met", 1e6);

  if (ns == 0) ns = hone__time_column_ns(column, "time", 1e6);
  if (ns == 0 && bracket) ns = hone__time_unit_ns(bracket + 1, strcspn(bracket + 1, ")"));
  return ns / 1e9;
}

/* If nothing worked, the columns of a run do not matter. */
static hone_status no_results(const struct hone_results *results)
{
  if (!results->total)
    return hone__error(HONE_NOT_FOUND,
                       "%s has no results: it ended before anything was measured; 'hone show %lld' "
                       "shows why",
                       results->origin, (long long)results->run);
  return hone__error(HONE_NOT_FOUND,
                     "%s has no results: %llu of its %llu configurations were run and none works; "
                     "'hone show %lld' shows why",
                     results->origin, (unsigned long long)results->build_count,
                     (unsigned long long)results->total, (long long)results->run);
}

hone_status hone__results_no_column(const struct hone_results *results, const char *metric)
{
  struct hone__text names = {0};
  hone_status status;

  if (results->run && !results->column_count) return no_results(results);
  for (size_t i = 0; i < results->column_count; i++)
    hone__text_addf(&names, "%s'%s'", i ? ", " : "", results->columns[i]);
  if (metric)
    status = hone__error(HONE_NOT_FOUND, "'%s' has no column '%s'; it has %s", results->origin,
                         metric, names.length ? names.data : "none");
  else
    status =
        hone__error(HONE_NOT_FOUND, "'%s' has no column with a time, such as 'met (ms)'; it has %s",
                    results->origin, names.length ? names.data : "none");
  hone__text_release(&names);
  return status;
}

static size_t find_column(const struct hone_results *results, const char *metric)
{
  size_t length = strlen(metric);

  for (size_t i = 0; i < results->column_count; i++)
    if (strcmp(results->columns[i], metric) == 0) return i;
  for (size_t i = 0; i < results->column_count && length; i++)
    if (strncasecmp(results->columns[i], metric, length) == 0) return i;
  return SIZE_MAX;
}

hone_status hone_results_find_column(const struct hone_results *results, const char *metric,
                                     size_t *out_column, bool *out_maximise)
{
  size_t column = metric ? find_column(results, metric) : results->aim_column;

  *out_column = 0;
  *out_maximise = false;
  if (column == SIZE_MAX) return hone__results_no_column(results, metric);
  *out_column = column;
  *out_maximise = results->maximise[column];
  return NULL;
}

/* A time of 0 or less was not measured. */
bool hone__results_is_measured(const struct hone_results *results, size_t row, size_t column)
{
  const struct hone__results_cell *cells = results->rows[row].cells;
  size_t time = results->time_column;

  if (!isfinite(cells[column].number)) return false;
  if (hone__results_column_unit_s(results->columns[column]) > 0 && cells[column].number <= 0)
    return false;
  return time == SIZE_MAX || (isfinite(cells[time].number) && cells[time].number > 0);
}

struct order {
  const struct hone_results *results;
  size_t column;
  bool maximise, is_aim;
};

static int compare_rows(const void *a, const void *b, void *data)
{
  const struct order *order = data;
  size_t i = *(const size_t *)a, j = *(const size_t *)b;
  double x = order->results->rows[i].cells[order->column].number;
  double y = order->results->rows[j].cells[order->column].number;
  int standing = order->is_aim ? hone__measured_compare(&order->results->rows[i].measured,
                                                        &order->results->rows[j].measured)
                               : 0;

  if (standing) return standing;
  if (x != y) return (x < y) != order->maximise ? -1 : 1;
  return i < j ? -1 : i > j;
}

static size_t order_rows(struct order *order, size_t **out_rows)
{
  const struct hone_results *results = order->results;
  size_t count = 0;

  *out_rows = hone__alloc((results->row_count + 1) * sizeof **out_rows);
  for (size_t i = 0; i < results->row_count; i++)
    if (hone__results_is_measured(results, i, order->column)) (*out_rows)[count++] = i;
  qsort_r(*out_rows, count, sizeof **out_rows, compare_rows, order);
  return count;
}

size_t hone_results_order(const struct hone_results *results, size_t column, bool maximise,
                          size_t **out_rows)
{
  bool is_aim = column == results->aim_column && maximise == results->maximise[column];
  struct order order = {results, column, maximise, is_aim};

  return order_rows(&order, out_rows);
}

size_t hone__results_by_value(const struct hone_results *results, size_t column, bool maximise,
                              size_t **out_rows)
{
  struct order order = {results, column, maximise, false};

  return order_rows(&order, out_rows);
}

const char *hone_result_row_value(const struct hone_result_row *row, const char *name)
{
  for (size_t i = 0; i < row->params.count; i++)
    if (strcmp(row->params.at[i].name, name) == 0) return row->params.at[i].value;
  return strcmp(name, "input_id") == 0 ? hone__input_id(row->spec) : NULL;
}
