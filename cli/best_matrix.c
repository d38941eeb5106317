#include "best_matrix.h"

#include "figures.h"
#include "message.h"
#include "table.h"
#include "visible.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void best_matrix_add(struct best_matrix *matrix, struct hone_report *report)
{
  if (matrix->count == matrix->room) {
    matrix->room = matrix->room ? 2 * matrix->room : 8;
    matrix->reports =
        check_memory(realloc(matrix->reports, matrix->room * sizeof *matrix->reports));
  }
  matrix->reports[matrix->count++] = report;
}

/* "1.42x", "1.42x (screen)", "crash", "-" */
static void add_cell(struct table *table, const struct hone_matrix *matrix, size_t t, size_t best,
                     size_t place)
{
  const char *note;
  double speedup = hone_matrix_speedup(matrix, t, best, place, &note);
  struct figure figure;

  if (isfinite(speedup))
    table_format(table, *note ? "%s (%s)" : "%s", figure_speedup(&figure, speedup), note);
  else
    table_cell(table, *note ? note : "-");
}

static const char *best_title(const struct hone_matrix *matrix, size_t t, size_t i, char title[40])
{
  snprintf(title, 40, "best of %" PRId64, hone_matrix_run(matrix, t, i));
  return title;
}

/* Kinds have long names: they stand before the rows, and problems above the columns. */
static void print_table(const struct hone_matrix *matrix, size_t t, struct output *output,
                        size_t width)
{
  bool are_kinds = hone_matrix_subject(matrix, t) == HONE_MATRIX_KINDS;
  size_t size = hone_matrix_size(matrix, t);
  struct table table;
  char title[40];

  if (size > TABLE_COLUMNS - 1) size = TABLE_COLUMNS - 1;
  table_open(&table, 2);
  table_column(&table, are_kinds ? "on" : "", 0);
  for (size_t i = 0; i < size; i++)
    table_column(&table,
                 are_kinds ? best_title(matrix, t, i, title) : hone_matrix_place(matrix, t, i),
                 TABLE_RIGHT | TABLE_OPTIONAL);
  for (size_t i = 0; i < size; i++) {
    table_cell(&table,
               are_kinds ? hone_matrix_place(matrix, t, i) : best_title(matrix, t, i, title));
    for (size_t k = 0; k < size; k++)
      add_cell(&table, matrix, t, are_kinds ? k : i, are_kinds ? i : k);
  }
  if (!table_fits(&table, width))
    output_text(output, "  the columns that fit; 'hone report RUN...' has all\n");
  table_print(&table, output, width);
  table_close(&table);
}

static void print_title(const struct hone_matrix *matrix, size_t t, struct output *output)
{
  const char *about = hone_matrix_about(matrix, t);

  output_text(output, "\n");
  output_styled(output, STYLE_BOLD,
                hone_matrix_subject(matrix, t) == HONE_MATRIX_KINDS
                    ? "the best of each kind of device on the others"
                    : "the best of each problem on the others");
  if (*about) output_text(output, ": ");
  visible_text(output, about);
  output_text(output, "\n");
}

void best_matrix_print(const struct best_matrix *given, struct output *output, size_t width)
{
  struct hone_matrix *matrix =
      hone_matrix_make((const struct hone_report *const *)given->reports, given->count);

  for (size_t i = 0; i < hone_matrix_table_count(matrix); i++) {
    print_title(matrix, i, output);
    print_table(matrix, i, output, width);
  }
  hone_matrix_free(matrix);
}

void best_matrix_close(struct best_matrix *matrix)
{
  for (size_t i = 0; i < matrix->count; i++)
    hone_report_free(matrix->reports[i]);
  free(matrix->reports);
}
