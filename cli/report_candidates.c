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
  output_format(view->output, "hone show %" PRId64 "%s", view->report->run, rest);
  if (!view->store_given) return;
  output_text(view->output, " --store ");
  quote_shell_text(view->output, view->store_given);
}

static size_t metric_count(const struct hone_report *report)
{
  return report->metric_count < MOST_METRICS ? report->metric_count : MOST_METRICS;
}

void report_metric_columns(struct table *table, const struct hone_report *report)
{
  for (size_t i = 0; i < metric_count(report); i++)
    table_column(table, report->metric_names[i], TABLE_RIGHT | TABLE_OPTIONAL);
}

void report_metric_cells(struct table *table, const struct hone_report *report,
                         const struct hone_report_row *row)
{
  for (size_t i = 0; i < metric_count(report); i++)
    table_cell(table, row->metric_values ? row->metric_values[i] : "");
}

/* ---- The table ---- */

/* The candidates that are listed. */
struct top {
  const struct report_view *view;
  const struct hone_report_row **rows;
  size_t count, left_out;
  bool has_marks; /* one of them is suspicious */
};

/* The reliability of the speedup. */
static const char *basis(const struct top *top, struct figure *figure,
                         const struct hone_report_row *row)
{
  if (report_is_sweep(top->view->report)) return "";
  if (row->confirmed && isfinite(row->low))
    return figure_range(figure, row->speedup, row->low, row->high);
  if (row->confirmed) {
    snprintf(figure->text, sizeof figure->text, "(%" PRIu64 " pairs)", row->pairs);
    return figure->text;
  }
  if (row->outcome == HONE_OUTCOME_SLOW) return hone_outcome_name(row->outcome);
  return isfinite(row->time_ns) ? "(screen)" : "(built)";
}

static int by_time(const void *a, const void *b)
{
  const struct hone_report_row *x = *(const struct hone_report_row *const *)a,
                               *y = *(const struct hone_report_row *const *)b;
  bool x_is_timed = isfinite(x->time_ns), y_is_timed = isfinite(y->time_ns);

  if (x_is_timed != y_is_timed) return x_is_timed ? -1 : 1;
  if (x_is_timed && x->time_ns != y->time_ns) return x->time_ns < y->time_ns ? -1 : 1;
  return (x > y) - (x < y);
}

/* A report has the best first; a sweep, which has no ranking, has them in mesh order. */
static void choose_rows(struct top *top)
{
  const struct hone_report *report = top->view->report;
  size_t most = top->view->is_verbose ? SIZE_MAX : MOST_ROWS;

  top->rows = check_memory(calloc(report->row_count + 1, sizeof *top->rows));
  for (size_t i = 0; i < report->row_count; i++)
    if (!report->rows[i].is_baseline) top->rows[top->count++] = &report->rows[i];
  if (report_is_sweep(report)) qsort(top->rows, top->count, sizeof *top->rows, by_time);
  if (top->count > most) {
    top->left_out = top->count - most;
    top->count = most;
  }
  for (size_t i = 0; i < top->count; i++)
    top->has_marks = top->has_marks || *top->rows[i]->suspicious;
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
  table_cell(table, figure_speedup(&figure, row->confirmed ? row->speedup : row->screen_speedup));
  table_cell(table, basis(top, &figure, row));
  table_cell(table, figure_time(&figure, row->time_ns));
  if (top->has_marks) table_cell(table, *row->suspicious ? "SUSPICIOUS" : "");
  report_metric_cells(table, top->view->report, row);
  if (top->view->is_verbose) {
    table_cell(table, hone_verdict_name(row->verdict));
    table_cell(table, row->device);
    table_cell(table, figure_duration(&figure, row->compile_s));
  }
}

static void print_table(struct top *top)
{
  const struct report_view *view = top->view;
  const char **configs = check_memory(calloc(top->count + 1, sizeof *configs));
  struct config_table table = {.add_titles = add_titles, .add_cells = add_cells, .data = top};

  for (size_t i = 0; i < top->count; i++)
    configs[i] = top->rows[i]->config;
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
