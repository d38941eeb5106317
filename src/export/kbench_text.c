/* kbench's .txt: builds, failures with their reasons, the table, and the time of each step. */
#include "export/results_print.h"

#include "base/number.h"
#include "export/pandas.h"
#include "export/sheet.h"
#include "results/results.h"

#include <math.h>
#include <stdlib.h>

static void add_line(struct hone__text *text)
{
  static const char dashes[] =
      "----------------------------------------------------------------------";

  hone__text_addf(text, "\n%s\n", dashes);
}

static const char **new_cells(struct hone__arena *arena, size_t count)
{
  return hone__arena_alloc(arena, (count + 1) * sizeof(const char *));
}

static const char *index_text(struct hone__arena *arena, uint64_t index)
{
  return hone__arena_printf(arena, "%llu", (unsigned long long)index);
}

/* ---- Builds ---- */

static void add_builds(const struct hone_results *results, struct hone__text *text)
{
  size_t count = results->build_count;
  struct hone__sheet sheet = {.row_count = count};
  struct hone__arena arena = {0};
  const char **index = new_cells(&arena, count), **name = new_cells(&arena, count),
             **time = new_cells(&arena, count), **iters = new_cells(&arena, count),
             **spec = new_cells(&arena, count);

  for (size_t i = 0; i < count; i++) {
    index[i] = index_text(&arena, results->builds[i].mesh_idx);
    name[i] = "build";
    time[i] = hone__arena_printf(&arena, "%.0f.0", results->builds[i].seconds * 1e3);
    iters[i] = "1";
    spec[i] = results->builds[i].spec;
  }
  hone__sheet_add(&sheet, "mesh_idx", true, index);
  hone__sheet_add(&sheet, "name", false, name);
  hone__sheet_add(&sheet, "met (ms)", true, time);
  hone__sheet_add(&sheet, "iters", true, iters);
  hone__sheet_add(&sheet, "spec", false, spec);
  hone__sheet_print(&sheet, NULL, text);
  hone__sheet_release(&sheet);
  hone__arena_release(&arena);
}

/* ---- Failures ---- */

static void add_output(struct hone__text *text, const char *output)
{
  if (!*output) return;
  hone__text_add(text, output);
  hone__text_add(text, "\n");
}

static void add_failures(const struct hone_results *results, struct hone__text *text)
{
  if (!results->failure_count) return;
  add_line(text);
  hone__text_addf(text, "Number of invalid specs: %zu (out of %llu)\n", results->failure_count,
                  (unsigned long long)results->total);
  for (size_t i = 0; i < results->failure_count; i++) {
    const struct hone_result_failure *failure = &results->failures[i];
    add_line(text);
    hone__text_addf(text, "mesh_idx: [%llu][", (unsigned long long)failure->mesh_idx);
    hone__params_repr(failure->params.at, failure->params.count, text);
    hone__text_add(text, "]\n");
    add_output(text, failure->stdout_text);
    add_output(text, failure->stderr_text);
    if (!strstr(failure->stderr_text, failure->evidence)) add_output(text, failure->evidence);
  }
}

/* ---- Rows ---- */

static void add_columns(const struct hone_results *results, size_t from, size_t to,
                        struct hone__arena *arena, struct hone__sheet *sheet)
{
  for (size_t i = from; i < to; i++) {
    const char **cells = new_cells(arena, results->row_count);
    for (size_t row = 0; row < results->row_count; row++) {
      const char *cell = results->rows[row].cells[i].text;
      cells[row] = *cell ? cell : "NaN";
    }
    hone__sheet_add(sheet, results->columns[i], hone__export_column_is_number(results, i), cells);
  }
}

static const char *filter_text(const struct hone_result_row *row, struct hone__arena *arena)
{
  struct hone__text filter = {0};
  const char *copy;

  hone__params_filter(row, &filter);
  copy = hone__arena_strdup(arena, filter.length ? filter.data : "");
  hone__text_release(&filter);
  return copy;
}

static void add_rows(const struct hone_results *results, struct hone__text *text)
{
  size_t count = results->row_count;
  struct hone__sheet sheet = {.row_count = count};
  struct hone__arena arena = {0};
  const char **index = new_cells(&arena, count), **spec = new_cells(&arena, count),
             **filter = new_cells(&arena, count);

  for (size_t i = 0; i < count; i++) {
    index[i] = index_text(&arena, results->rows[i].mesh_idx);
    spec[i] = results->rows[i].spec;
    filter[i] = filter_text(&results->rows[i], &arena);
  }
  hone__sheet_add(&sheet, "mesh_idx", true, index);
  add_columns(results, 0, results->lead_count, &arena, &sheet);
  hone__sheet_add(&sheet, "spec", false, spec);
  hone__sheet_add(&sheet, "kbench_filter", false, filter);
  add_columns(results, results->lead_count, results->column_count, &arena, &sheet);
  hone__sheet_print(&sheet, NULL, text);
  hone__sheet_release(&sheet);
  hone__arena_release(&arena);
}

/* ---- Where the time went ---- */

enum { STEPS = 4 };

/* Six digits that count, at most three decimals, no zeros at the end. */
static void print_seconds(double seconds, char buffer[32])
{
  int decimals = seconds < 1e3 ? 3 : seconds < 1e4 ? 2 : seconds < 1e5 ? 1 : 0;
  char *end;

  hone__print_real(buffer, 32, 'f', decimals, seconds);
  if (!decimals) return;
  for (end = buffer + strlen(buffer); end[-1] == '0'; end--)
    end[-1] = 0;
  if (end[-1] == '.') end[-1] = 0;
}

/* With its point; 0: it has none. */
static size_t decimals_width(const char *number)
{
  const char *point = strchr(number, '.');

  return point ? strlen(point) : 0;
}

static void add_rule(struct hone__text *text, const char *left, const char *middle,
                     const char *right, size_t first, size_t second)
{
  hone__text_add(text, left);
  for (size_t i = 0; i < first + 2; i++)
    hone__text_add(text, "\xe2\x94\x80");
  hone__text_add(text, middle);
  for (size_t i = 0; i < second + 2; i++)
    hone__text_add(text, "\xe2\x94\x80");
  hone__text_addf(text, "%s\n", right);
}

static void add_steps(const char *const names[STEPS], char numbers[STEPS][32],
                      struct hone__text *text)
{
  static const char bar[] = "\xe2\x94\x82", head[] = "Total (s)";
  size_t decimals = 0, name_width = strlen(names[2]), width = strlen(head) + 2;

  for (int i = 0; i < STEPS; i++)
    if (decimals_width(numbers[i]) > decimals) decimals = decimals_width(numbers[i]);
  for (int i = 0; i < STEPS; i++) {
    size_t whole = strlen(numbers[i]) - decimals_width(numbers[i]);
    if (whole + decimals > width) width = whole + decimals;
  }
  add_rule(text, "\xe2\x95\xad", "\xe2\x94\xac", "\xe2\x95\xae", name_width, width);
  hone__text_addf(text, "%s %-*s %s %*s %s\n", bar, (int)name_width, "Step", bar, (int)width, head,
                  bar);
  for (int i = 0; i < STEPS; i++) {
    int behind = (int)(decimals - decimals_width(numbers[i]));
    add_rule(text, "\xe2\x94\x9c", "\xe2\x94\xbc", "\xe2\x94\xa4", name_width, width);
    hone__text_addf(text, "%s %-*s %s %*s%*s %s\n", bar, (int)name_width, names[i], bar,
                    (int)width - behind, numbers[i], behind, "", bar);
  }
  add_rule(text, "\xe2\x95\xb0", "\xe2\x94\xb4", "\xe2\x95\xaf", name_width, width);
}

static void add_times(const struct hone_results *results, struct hone__text *text)
{
  static const char *const names[STEPS] = {"build", "benchmark", "kbench overhead", "TOTAL"};
  double overhead = results->wall_s - results->build_s - results->run_s;
  const double seconds[STEPS] = {results->build_s, results->run_s, overhead > 0 ? overhead : 0,
                                 results->wall_s};
  char numbers[STEPS][32];

  for (int i = 0; i < STEPS; i++)
    print_seconds(seconds[i], numbers[i]);
  hone__text_add(text, "Total elapsed time per step:\n");
  add_steps(names, numbers, text);
}

void hone__write_text(const struct hone_results *results, struct hone__text *text)
{
  add_line(text);
  hone__text_add(text, "Build time stats:\n");
  add_builds(results, text);
  add_line(text);
  hone__text_addf(text, "Running ['%s']\n", results->file);
  add_failures(results, text);
  add_line(text);
  hone__text_addf(text, "Number of valid executed specs: %llu (out of %llu)\n",
                  (unsigned long long)results->valid, (unsigned long long)results->total);
  if (results->row_count) {
    add_rows(results, text);
    add_line(text);
  }
  add_times(results, text);
}
