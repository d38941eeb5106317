#include "kind_matrix.h"

#include "figures.h"
#include "message.h"
#include "table.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void kind_matrix_add(struct kind_matrix *matrix, struct hone_report *report)
{
  if (!*hone_report_kind(report)) {
    hone_report_free(report);
    return;
  }
  if (matrix->count == matrix->room) {
    matrix->room = matrix->room ? 2 * matrix->room : 8;
    matrix->reports =
        check_memory(realloc(matrix->reports, matrix->room * sizeof *matrix->reports));
  }
  matrix->reports[matrix->count++] = report;
}

static bool has_elsewhere(const struct kind_matrix *matrix)
{
  for (size_t i = 0; i < matrix->count; i++)
    if (hone_report_elsewhere_count(matrix->reports[i])) return true;
  return false;
}

static bool is_same_problem(const struct hone_report *a, const struct hone_report *b)
{
  return strcmp(hone_report_problem(a), hone_report_problem(b)) == 0;
}

static const struct hone_report_elsewhere *find(const struct hone_report *report, int64_t run)
{
  for (size_t i = 0; i < hone_report_elsewhere_count(report); i++)
    if (hone_report_elsewhere_run(hone_report_elsewhere(report, i)) == run)
      return hone_report_elsewhere(report, i);
  return NULL;
}

/* The speedup of the best of one run on the devices of another. */
static void add_cell(struct table *table, const struct hone_report *on,
                     const struct hone_report *best)
{
  const struct hone_report_elsewhere *there = find(on, hone_report_run(best));
  double speedup = on == best ? hone_report_speedup(best)
                   : there    ? hone_report_elsewhere_speedup(there)
                              : NAN;
  struct figure figure;

  if (isfinite(speedup))
    table_cell(table, figure_speedup(&figure, speedup));
  else
    table_cell(table, there ? hone_report_elsewhere_outcome(there) : "-");
}

static void print_problem(const struct kind_matrix *matrix, const struct hone_report *of,
                          struct output *output, size_t width)
{
  struct table table;

  table_open(&table, 2);
  table_column(&table, "on", 0);
  for (size_t i = 0; i < matrix->count; i++) {
    char title[40];
    snprintf(title, sizeof title, "best of %" PRId64, hone_report_run(matrix->reports[i]));
    if (is_same_problem(matrix->reports[i], of)) table_column(&table, title, TABLE_RIGHT);
  }
  for (size_t i = 0; i < matrix->count; i++) {
    if (!is_same_problem(matrix->reports[i], of)) continue;
    table_cell(&table, hone_report_kind(matrix->reports[i]));
    for (size_t k = 0; k < matrix->count; k++)
      if (is_same_problem(matrix->reports[k], of))
        add_cell(&table, matrix->reports[i], matrix->reports[k]);
  }
  table_print(&table, output, width);
  table_close(&table);
}

static bool is_first(const struct kind_matrix *matrix, size_t at)
{
  for (size_t i = 0; i < at; i++)
    if (is_same_problem(matrix->reports[i], matrix->reports[at])) return false;
  return true;
}

void kind_matrix_print(const struct kind_matrix *matrix, struct output *output, size_t width)
{
  if (!has_elsewhere(matrix)) return;
  output_text(output, "\n");
  output_styled(output, STYLE_BOLD, "the best of each kind of device on the others");
  output_text(output, "\n");
  for (size_t i = 0; i < matrix->count; i++)
    if (is_first(matrix, i)) print_problem(matrix, matrix->reports[i], output, width);
}

void kind_matrix_close(struct kind_matrix *matrix)
{
  for (size_t i = 0; i < matrix->count; i++)
    hone_report_free(matrix->reports[i]);
  free(matrix->reports);
}
