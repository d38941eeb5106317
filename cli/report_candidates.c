/* The candidates of a report, best first: common parameters once, and a column for each parameter
 * in which they differ.
 */
#include "report_parts.h"

#include "config_table.h"
#include "figures.h"
#include "hone_results.h"
#include "quote.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_ROWS = 10, MOST_METRICS = 16 };

/* ---- What the parts of a report share ---- */

void report_print_title(const struct report_view *view, const char *title)
{
  output_text(view->output, "\n");
  output_styled(view->output, STYLE_BOLD, title);
  output_text(view->output, "\n");
}

/* Tables at full width if nothing is to be shortened. */
size_t report_table_width(const struct report_view *view)
{
  return view->is_verbose ? 0 : view->width;
}

void report_print_command(const struct report_view *view, const char *rest)
{
  output_format(view->output, "hone show %" PRId64 "%s", hone_report_run(view->report), rest);
  if (!view->store_given) return;
  output_text(view->output, " --store ");
  quote_shell_text(view->output, view->store_given);
}

static size_t metric_count(const struct hone_report *report)
{
  return hone_report_metric_count(report) < MOST_METRICS ? hone_report_metric_count(report)
                                                         : MOST_METRICS;
}

void report_metric_columns(struct table *table, const struct hone_report *report)
{
  for (size_t i = 0; i < metric_count(report); i++)
    table_column(table, hone_report_metric_name(report, i), TABLE_RIGHT | TABLE_OPTIONAL);
}

void report_metric_cells(struct table *table, const struct hone_report *report,
                         const struct hone_report_row *row)
{
  for (size_t i = 0; i < metric_count(report); i++)
    table_cell(table, hone_report_row_metric(row, i));
}

/* ---- The table ---- */

/* The candidates that are listed. */
struct top {
  const struct report_view *view;
  const struct hone_report_row **rows;
  size_t count, left_out;
  bool has_marks; /* one of them is suspicious, or tied with the winner */
};

static const char *mark_of(const struct hone_report_row *row)
{
  if (*hone_report_row_suspicious(row)) return "SUSPICIOUS";
  return hone_report_row_is_tied(row) ? "tied" : "";
}

/* The reliability of the speedup. */
static const char *basis(const struct top *top, struct figure *figure,
                         const struct hone_report_row *row)
{
  if (report_is_sweep(top->view->report)) return "";
  if (hone_report_row_is_confirmed(row) && isfinite(hone_report_row_low(row)))
    return figure_range(figure, hone_report_row_speedup(row), hone_report_row_low(row),
                        hone_report_row_high(row));
  if (hone_report_row_is_confirmed(row)) {
    snprintf(figure->text, sizeof figure->text, "(%" PRIu64 " pairs)", hone_report_row_pairs(row));
    return figure->text;
  }
  if (hone_report_row_outcome(row) == HONE_OUTCOME_SLOW)
    return hone_outcome_name(hone_report_row_outcome(row));
  return isfinite(hone_report_row_time_ns(row)) ? "(screen)" : "(built)";
}

static int by_time(const void *a, const void *b)
{
  const struct hone_report_row *x = *(const struct hone_report_row *const *)a,
                               *y = *(const struct hone_report_row *const *)b;
  bool x_is_timed = isfinite(hone_report_row_time_ns(x)),
       y_is_timed = isfinite(hone_report_row_time_ns(y));

  if (x_is_timed != y_is_timed) return x_is_timed ? -1 : 1;
  if (x_is_timed && hone_report_row_time_ns(x) != hone_report_row_time_ns(y))
    return hone_report_row_time_ns(x) < hone_report_row_time_ns(y) ? -1 : 1;
  return (x > y) - (x < y);
}

/* A report has the best first; a sweep, which has no ranking, has them in mesh order. */
static void choose_rows(struct top *top)
{
  const struct hone_report *report = top->view->report;
  size_t most = top->view->is_verbose ? SIZE_MAX : MOST_ROWS;

  top->rows = check_memory(calloc(hone_report_row_count(report) + 1, sizeof *top->rows));
  for (size_t i = 0; i < hone_report_row_count(report); i++)
    if (!hone_report_row_is_baseline(hone_report_row(report, i)))
      top->rows[top->count++] = hone_report_row(report, i);
  if (report_is_sweep(report)) qsort(top->rows, top->count, sizeof *top->rows, by_time);
  if (top->count > most) {
    top->left_out = top->count - most;
    top->count = most;
  }
  for (size_t i = 0; i < top->count; i++)
    top->has_marks = top->has_marks || *mark_of(top->rows[i]);
}

static void add_titles(void *data, struct table *table)
{
  const struct top *top = data;

  table_column(table, "rank", TABLE_RIGHT);
  table_column(table, "speedup", TABLE_RIGHT);
  table_column(table, "interval", 0);
  table_column(table, "time", TABLE_RIGHT);
  if (top->has_marks) table_column(table, "mark", 0);
  report_metric_columns(table, top->view->report);
  if (top->view->is_verbose) {
    table_column(table, "verdict", 0);
    table_column(table, "device", 0);
    table_column(table, "compile", TABLE_RIGHT);
  }
}

static void add_cells(void *data, struct table *table, size_t i)
{
  const struct top *top = data;
  const struct hone_report_row *row = top->rows[i];
  struct figure figure;

  table_format(table, "%zu", i + 1);
  table_cell(table, figure_speedup(&figure, hone_report_row_is_confirmed(row)
                                                ? hone_report_row_speedup(row)
                                                : hone_report_row_screen_speedup(row)));
  table_cell(table, basis(top, &figure, row));
  table_cell(table, figure_time(&figure, hone_report_row_time_ns(row)));
  if (top->has_marks) table_cell(table, mark_of(row));
  report_metric_cells(table, top->view->report, row);
  if (top->view->is_verbose) {
    table_cell(table, hone_verdict_name(hone_report_row_verdict(row)));
    table_cell(table, hone_report_row_device(row));
    table_cell(table, figure_duration(&figure, hone_report_row_compile_s(row)));
  }
}

static void print_table(struct top *top)
{
  const struct report_view *view = top->view;
  const char **configs = check_memory(calloc(top->count + 1, sizeof *configs));
  struct config_table table = {.add_titles = add_titles, .add_cells = add_cells, .data = top};

  for (size_t i = 0; i < top->count; i++)
    configs[i] = hone_report_row_config(top->rows[i]);
  config_table_open(&table, configs, top->count, view->is_verbose);
  config_table_fill(&table, view->width);
  config_table_print_shared(&table, view->output, view->width);
  table_print(&table.table, view->output, report_table_width(view));
  config_table_close(&table);
}

void report_print_candidates(const struct report_view *view)
{
  struct top top = {.view = view};

  choose_rows(&top);
  if (top.count) {
    report_print_title(view, "candidates");
    print_table(&top);
  }
  if (top.left_out) {
    output_format(view->output, "  and %zu more: ", top.left_out);
    report_print_command(view, " -v");
    output_text(view->output, "\n");
  }
  free(top.rows);
}
