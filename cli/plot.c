/* Bars compare the values of the first parameter that varies, a group for each combination of the
 * others; all bars have one scale. Layout and digits are kbench's. */
#include "plot.h"

#include "plot_data.h"
#include "table.h"
#include "terminal.h"
#include "visible.h"

#include <langinfo.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { RULE_WIDTH = 70, BAR_WIDTH = 40, LEAST_BAR = 10, LABEL_WIDTH = 12 };

const char *const plot_words[] = {"bars", "table", "summary", "none", NULL};

struct symbols {
  const char *full, *empty, *rule;
};

/* A locale without a name for its characters is taken for UTF-8, as Python does. */
static struct symbols find_symbols(void)
{
  const char *charset = nl_langinfo(CODESET);
  bool is_unicode = strcmp(charset, "UTF-8") == 0 || strcmp(charset, "ANSI_X3.4-1968") == 0;

  return is_unicode ? (struct symbols){"\u2588", "\u2591", "\u2500"}
                    : (struct symbols){"#", ".", "-"};
}

struct plot {
  struct output *output;
  struct plot_data data;
  struct symbols symbols;
  size_t width;     /* 0: not known */
  size_t bar_width; /* cells */
};

static void repeat(struct output *output, const char *symbol, size_t count)
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
    if (!data->names[i].value) continue;
    output_text(plot->output, before);
    visible_text(plot->output, data->names[i].name);
    output_text(plot->output, "=");
    visible_text(plot->output, data->names[i].value);
    before = ", ";
  }
  output_style(plot->output, STYLE_PLAIN);
  if (data->name_count > data->pivot_count) output_text(plot->output, "\n\n");
}

static void print_head(struct plot *plot)
{
  output_text(plot->output, "\n");
  repeat(plot->output, plot->symbols.rule,
         plot->width && plot->width < RULE_WIDTH ? plot->width : RULE_WIDTH);
  output_text(plot->output, "\n");
  print_fixed(plot);
}

/* ---- Rows in groups ---- */

/* Sorted by the pivots from `first` up to `end`, else in their order. */
struct grouping {
  const struct plot_data *data;
  size_t first, end;
};

static int compare_groups(const struct grouping *grouping, const struct plot_row *a,
                          const struct plot_row *b)
{
  int order = 0;

  for (size_t i = grouping->first; i < grouping->end && order == 0; i++)
    order = plot_compare_values(plot_value(grouping->data, a, i), plot_value(grouping->data, b, i));
  return order;
}

static int compare_rows(const void *a, const void *b, void *grouping)
{
  const struct plot_row *const *x = a, *const *y = b;
  int order = compare_groups(grouping, *x, *y);

  return order ? order : (*x > *y) - (*x < *y);
}

/* The caller frees it. */
static const struct plot_row **group_rows(struct grouping *grouping)
{
  const struct plot_data *data = grouping->data;
  const struct plot_row **rows = check_memory(calloc(data->row_count + 1, sizeof *rows));

  for (size_t i = 0; i < data->row_count; i++)
    rows[i] = &data->rows[i];
  qsort_r(rows, data->row_count, sizeof *rows, compare_rows, grouping);
  return rows;
}

/* How many rows from here on are of one group. */
static size_t group_size(const struct grouping *grouping, const struct plot_row **rows,
                         size_t count)
{
  size_t size = 1;

  while (size < count && compare_groups(grouping, rows[0], rows[size]) == 0)
    size++;
  return size;
}

/* ---- Bars ---- */

static const char *row_label(const struct plot *plot, const struct plot_row *row)
{
  return plot->data.pivot_count ? plot_value(&plot->data, row, 0) : "result";
}

static void add_rates(const struct plot *plot, const struct plot_row *row, struct output *text)
{
  const struct plot_data *data = &plot->data;
  const char *before = "  ";

  for (size_t i = 0; i < data->rate_count; i++) {
    double rate = row->row->cells[data->rates[i]].number;
    char *unit = plot_unit(data->results->columns[data->rates[i]]);
    if (isfinite(rate)) {
      output_format(text, "%s%.0f ", before, rate);
      visible_text(text, unit);
      before = ", ";
    }
    free(unit);
  }
}

/* What stands behind a bar. */
static void add_figures(const struct plot *plot, const struct plot_row *row, double first_ms,
                        struct output *text)
{
  struct plot_time time;

  output_text(text, plot_format_time(&time, row->time_ms));
  add_rates(plot, row, text);
  if (row->time_ms != first_ms && first_ms > 0)
    output_format(text, " (%.2fx)", row->time_ms / first_ms);
  output_bytes(text, "", 1);
}

static void print_bar(struct plot *plot, const struct plot_row *row, double first_ms)
{
  double share = plot->data.largest_ms > 0 ? row->time_ms / plot->data.largest_ms : 0;
  size_t filled = share > 0 ? (size_t)(share * (double)plot->bar_width) : 0;
  const char *label = row_label(plot, row);
  size_t label_width = visible_width(label);
  struct output figures;

  output_text(plot->output, "  ");
  visible_text(plot->output, label);
  output_spaces(plot->output, 1 + (label_width < LABEL_WIDTH ? LABEL_WIDTH - label_width : 0));
  repeat(plot->output, plot->symbols.full, filled);
  repeat(plot->output, plot->symbols.empty, plot->bar_width - filled);
  output_text(plot->output, " ");
  output_open(&figures, OUTPUT_MEMORY, false);
  add_figures(plot, row, first_ms, &figures);
  output_text(plot->output, figures.bytes);
  output_close(&figures);
  output_text(plot->output, "\n");
}

/* Columns that a row takes beside its bar. */
static size_t text_width(const struct plot *plot, const struct plot_row *row)
{
  size_t label = visible_width(row_label(plot, row)), width;
  struct output figures;

  output_open(&figures, OUTPUT_MEMORY, false);
  add_figures(plot, row, plot->data.rows[0].time_ms, &figures);
  width = 2 + (label < LABEL_WIDTH ? LABEL_WIDTH : label) + 2 + visible_width(figures.bytes);
  output_close(&figures);
  return width;
}

/* A narrow terminal gets shorter bars, so that lines do not wrap. */
static size_t find_bar_width(const struct plot *plot)
{
  size_t widest = 0;

  for (size_t i = 0; plot->width && i < plot->data.row_count; i++) {
    size_t width = text_width(plot, &plot->data.rows[i]);
    if (width > widest) widest = width;
  }
  if (widest + BAR_WIDTH <= plot->width || !plot->width) return BAR_WIDTH;
  return widest + LEAST_BAR >= plot->width ? LEAST_BAR : plot->width - widest;
}

static void print_group_name(struct plot *plot, const struct plot_row *row)
{
  output_style(plot->output, STYLE_BOLD);
  for (size_t i = 1; i < plot->data.pivot_count; i++) {
    output_text(plot->output, i > 1 ? ", " : "");
    visible_text(plot->output, plot_name(&plot->data, i));
    output_text(plot->output, "=");
    visible_text(plot->output, plot_value(&plot->data, row, i));
  }
  output_text(plot->output, ":");
  output_style(plot->output, STYLE_PLAIN);
  output_text(plot->output, "\n");
}

static void print_bars(struct plot *plot)
{
  struct grouping grouping = {.data = &plot->data, .first = 1, .end = plot->data.pivot_count};
  const struct plot_row **rows = group_rows(&grouping);
  bool has_groups = plot->data.pivot_count > 1;

  plot->bar_width = find_bar_width(plot);
  for (size_t i = 0, end; i < plot->data.row_count; i = end) {
    end = i + group_size(&grouping, rows + i, plot->data.row_count - i);
    if (has_groups) print_group_name(plot, rows[i]);
    for (size_t j = i; j < end; j++)
      print_bar(plot, rows[j], rows[i]->time_ms);
    if (has_groups) output_text(plot->output, "\n");
  }
  output_text(plot->output, "\n");
  free(rows);
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
    char *unit = plot_unit(data->results->columns[data->rates[i]]);
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
  struct plot_time time;

  for (size_t i = 0; i < pivots; i++)
    table_cell(table, plot_value(data, row, i));
  table_cell(table, plot_format_time(&time, row->time_ms));
  for (size_t i = 0; i < rates; i++) {
    double rate = row->row->cells[data->rates[i]].number;
    if (isfinite(rate))
      table_format(table, "%.0f", rate);
    else
      table_cell(table, "-");
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
  struct plot_time time;

  output_text(plot->output, "  ");
  visible_text(plot->output, plot_value(&plot->data, row, 0));
  output_format(plot->output, ": avg=%s", plot_format_time(&time, mean));
  if (isnan(first))
    output_text(plot->output, " (baseline)\n");
  else
    output_format(plot->output, " (%.2fx %s)\n", ratio, ratio > 1 ? "slower" : "faster");
}

static void print_summary(struct plot *plot)
{
  struct grouping grouping = {
      .data = &plot->data, .first = 0, .end = plot->data.pivot_count ? 1 : 0};
  const struct plot_row **rows = group_rows(&grouping);
  double first = NAN;
  struct plot_time time;

  output_styled(plot->output, STYLE_BOLD, "Summary:");
  if (!plot->data.pivot_count)
    output_format(plot->output, " avg=%s",
                  plot_format_time(&time, mean_ms(rows, plot->data.row_count)));
  output_text(plot->output, "\n");
  for (size_t i = 0, size; plot->data.pivot_count && i < plot->data.row_count; i += size) {
    double mean;
    size = group_size(&grouping, rows + i, plot->data.row_count - i);
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
    output_text(output, "\nThere is no row with a time to draw.\n\n");
  } else {
    print_head(&plot);
    if (kind == PLOT_BARS) print_bars(&plot);
    if (kind == PLOT_TABLE) print_table(&plot);
    print_summary(&plot);
    output_text(output, "\n");
  }
  plot_data_close(&plot.data);
}
