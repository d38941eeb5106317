/* Common parts of all plots, the table and the summary. Layout and digits are kbench's. */
#include "plot_parts.h"

#include "hone_results.h"
#include "table.h"
#include "terminal.h"
#include "visible.h"

#include <langinfo.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { RULE_WIDTH = 70 };

const char *const plot_words[] = {"bars", "table", "summary", "none", NULL};

/* A locale without a character set counts as UTF-8, as in Python. */
static struct plot_symbols find_symbols(void)
{
  const char *charset = nl_langinfo(CODESET);
  bool is_unicode = strcmp(charset, "UTF-8") == 0 || strcmp(charset, "ANSI_X3.4-1968") == 0;

  return is_unicode ? (struct plot_symbols){"\u2588", "\u2591", "\u2500"}
                    : (struct plot_symbols){"#", ".", "-"};
}

void plot_repeat(struct output *output, const char *symbol, size_t count)
{
  while (count-- > 0)
    output_text(output, symbol);
}

/* ---- Head ---- */

static void print_fixed(struct plot *plot)
{
  const struct plot_data *data = &plot->data;
  const char *before = "Fixed: ";

  output_style(plot->output, STYLE_DIM);
  for (size_t i = 0; i < data->name_count; i++) {
    if (!hone_result_names_value(data->names, i)) continue;
    output_text(plot->output, before);
    visible_text(plot->output, hone_result_names_name(data->names, i));
    output_text(plot->output, "=");
    visible_text(plot->output, hone_result_names_value(data->names, i));
    before = ", ";
  }
  output_style(plot->output, STYLE_PLAIN);
  if (data->name_count > data->pivot_count) output_text(plot->output, "\n\n");
}

static void print_head(struct plot *plot)
{
  output_text(plot->output, "\n");
  plot_repeat(plot->output, plot->symbols.rule,
              plot->width && plot->width < RULE_WIDTH ? plot->width : RULE_WIDTH);
  output_text(plot->output, "\n");
  print_fixed(plot);
}

/* ---- Table ---- */

/* As many pivots as there is room for; `out_rates` likewise. */
static size_t open_columns(const struct plot *plot, struct table *table, size_t *out_rates)
{
  const struct plot_data *data = &plot->data;
  size_t room = TABLE_COLUMNS - 2, pivots = data->pivot_count < room ? data->pivot_count : room;

  *out_rates = data->rate_count < room - pivots ? data->rate_count : room - pivots;
  table_open(table, 0);
  for (size_t i = 0; i < pivots; i++)
    table_column(table, plot_name(data, i), 0);
  table_column(table, "time/iter", TABLE_RIGHT);
  for (size_t i = 0; i < *out_rates; i++) {
    char *unit = plot_unit(hone_results_column(data->results, data->rates[i]));
    table_column(table, unit, TABLE_RIGHT);
    free(unit);
  }
  table_column(table, "vs base", TABLE_RIGHT);
  return pivots;
}

static void add_table_row(const struct plot *plot, struct table *table, const struct plot_row *row,
                          size_t pivots, size_t rates)
{
  const struct plot_data *data = &plot->data;
  double first_ms = data->rows[0].time_ms;
  struct plot_figure figure;

  for (size_t i = 0; i < pivots; i++)
    table_cell(table, plot_value(data, row, i));
  table_cell(table, plot_format_time(&figure, row->time_ms));
  for (size_t i = 0; i < rates; i++) {
    double rate = hone_result_row_number(row->row, data->rates[i]);
    table_cell(table, isfinite(rate) ? plot_format_rate(&figure, rate) : "-");
  }
  table_format(table, "%.2fx", first_ms > 0 ? row->time_ms / first_ms : 1);
}

static void print_table(struct plot *plot)
{
  struct table table;
  size_t rates, pivots = open_columns(plot, &table, &rates);

  for (size_t i = 0; i < plot->data.row_count; i++)
    add_table_row(plot, &table, &plot->data.rows[i], pivots, rates);
  table_print(&table, plot->output, 0);
  table_close(&table);
  output_text(plot->output, "\n");
}

/* ---- Summary ---- */

static double mean_ms(const struct plot_row **rows, size_t count)
{
  double sum = 0;

  for (size_t i = 0; i < count; i++)
    sum += rows[i]->time_ms;
  return sum / (double)count;
}

static void print_mean(struct plot *plot, const struct plot_row *row, double mean, double first)
{
  double ratio = first > 0 ? mean / first : 1;
  struct plot_figure figure;

  output_text(plot->output, "  ");
  visible_text(plot->output, plot_value(&plot->data, row, 0));
  output_format(plot->output, ": avg=%s", plot_format_time(&figure, mean));
  if (isnan(first))
    output_text(plot->output, " (baseline)\n");
  else
    output_format(plot->output, " (%.2fx%s)\n", ratio,
                  ratio == 1  ? ""
                  : ratio > 1 ? " slower"
                              : " faster");
}

static void print_summary(struct plot *plot)
{
  struct plot_grouping grouping = {
      .data = &plot->data, .first = 0, .end = plot->data.pivot_count ? 1 : 0};
  const struct plot_row **rows = plot_group_rows(&grouping);
  double first = NAN;
  struct plot_figure figure;

  output_styled(plot->output, STYLE_BOLD, "Summary:");
  if (!plot->data.pivot_count)
    output_format(plot->output, " avg=%s",
                  plot_format_time(&figure, mean_ms(rows, plot->data.row_count)));
  output_text(plot->output, "\n");
  for (size_t i = 0, size; plot->data.pivot_count && i < plot->data.row_count; i += size) {
    double mean;
    size = plot_group_size(&grouping, rows + i, plot->data.row_count - i);
    mean = mean_ms(rows + i, size);
    print_mean(plot, rows[i], mean, first);
    if (i == 0) first = mean;
  }
  free(rows);
}

/* ---- The whole ---- */

size_t plot_width(void)
{
  return isatty(STDOUT_FILENO) || getenv("COLUMNS") ? terminal_width() : 0;
}

void plot_print(struct output *output, const struct hone_results *results, enum plot_kind kind,
                size_t width)
{
  struct plot plot = {.output = output, .symbols = find_symbols(), .width = width};

  if (kind == PLOT_NONE) return;
  plot_data_open(&plot.data, results);
  if (plot.data.row_count == 0) {
    output_text(output, "\nNo row has a time to plot.\n\n");
  } else {
    print_head(&plot);
    if (kind == PLOT_BARS) plot_print_bars(&plot);
    if (kind == PLOT_TABLE) print_table(&plot);
    print_summary(&plot);
    output_text(output, "\n");
  }
  plot_data_close(&plot.data);
}
