/* tune.py's report: the table, best first, and the best one's parameters. Scripts read it, so that
 * even its misspelt word stays. Rows without a time are last, and never the best. */
#include "export/results_print.h"

#include "base/number.h"
#include "export/pandas.h"
#include "export/sheet.h"
#include "results/results.h"

#include <stdlib.h>

static void add_line(struct hone__text *text)
{
  for (int i = 0; i < 80; i++)
    hone__text_add(text, "-");
  hone__text_add(text, "\n");
}

/* All rows: those with a time, the best first, then the others. Returns how many have one. */
static size_t order_all(const struct hone_results *results, size_t **out_order)
{
  size_t timed = 0, count = results->row_count;
  bool *is_in = hone__alloc(count + 1);

  if (results->time_column == SIZE_MAX)
    *out_order = hone__alloc((count + 1) * sizeof **out_order);
  else
    timed = hone_results_order(results, results->time_column, false, out_order);
  for (size_t i = 0; i < timed; i++)
    is_in[(*out_order)[i]] = true;
  for (size_t i = 0, next = timed; i < count; i++)
    if (!is_in[i]) (*out_order)[next++] = i;
  free(is_in);
  return timed;
}

static void add_table(const struct hone_results *results, const size_t *order,
                      struct hone__text *text)
{
  struct hone__sheet sheet = {.row_count = results->row_count};
  struct hone__arena arena = {0};
  const char **index = hone__arena_alloc(&arena, (sheet.row_count + 1) * sizeof *index);

  for (size_t i = 0; i < sheet.row_count; i++)
    index[i] = hone__arena_printf(&arena, "%llu", (unsigned long long)results->rows[i].mesh_idx);
  hone__sheet_add(&sheet, "mesh_idx", true, index);
  for (size_t i = 0; i < results->column_count; i++)
    hone__sheet_add(&sheet, results->columns[i], hone__export_column_is_number(results, i),
                    hone__export_column_six_decimals(results, i, &arena));
  hone__sheet_print(&sheet, order, text);
  hone__sheet_release(&sheet);
  hone__arena_release(&arena);
}

static void add_best(const struct hone_result_row *row, struct hone__text *text)
{
  hone__text_addf(text, "top_spec_idx: %llu\n", (unsigned long long)row->mesh_idx);
  add_line(text);
  hone__text_add(text, "Best Measured Time:\n");
  add_line(text);
  hone__text_add(text, "params:\n");
  for (size_t i = 0; i < row->params.count; i++)
    hone__text_addf(text, "  %s%s: %s\n", row->params.at[i].is_runtime ? "$" : "",
                    row->params.at[i].name, row->params.at[i].value);
}

static void add_head(const struct hone_results *results, struct hone__text *text)
{
  add_line(text);
  hone__text_addf(text, "Tuning [%s] from [%s]\n", results->name, results->file);
  add_line(text);
  hone__text_addf(text, "Number of valid specs: %llu\n", (unsigned long long)results->valid);
}

static void add_end(const struct hone_results *results, struct hone__text *text)
{
  char seconds[32];

  hone__print_real(seconds, sizeof seconds, 'f', 1, results->wall_s);
  add_line(text);
  hone__text_addf(text, "Elasped tuning time: %s (s)\n", seconds);
}

void hone__write_tune(const struct hone_results *results, struct hone__text *text)
{
  size_t *order, timed = order_all(results, &order);

  add_head(results, text);
  if (results->row_count) add_table(results, order, text);
  if (timed) add_best(&results->rows[order[0]], text);
  add_end(results, text);
  free(order);
}

void hone__write_table(const struct hone_results *results, struct hone__text *text)
{
  add_head(results, text);
  if (results->row_count) add_table(results, NULL, text);
  add_end(results, text);
}
