/* Bars compare the values of the first parameter that varies, a group for each combination of the
 * others; all bars have one scale. Labels and bars are made as wide as the terminal allows before
 * the first is printed, so that all lines up. */
#include "plot_parts.h"

#include "visible.h"

#include <math.h>
#include <stdlib.h>

enum { BAR_WIDTH = 40, LEAST_BAR = 10, LABEL_WIDTH = 12 };
enum { MANY_ROWS = 40 }; /* more rows than a reader looks at: their number is printed */

struct bars {
  struct plot *plot;
  struct plot_grouping grouping;
  const struct plot_row **rows; /* group by group */
  size_t label_width, bar_width, text_width;
};

static const char *row_label(const struct plot *plot, const struct plot_row *row)
{
  return plot->data.pivot_count ? plot_value(&plot->data, row, 0) : "result";
}

static void add_rates(const struct plot *plot, const struct plot_row *row, struct output *text)
{
  const struct plot_data *data = &plot->data;
  const char *before = "  ";
  struct plot_figure figure;

  for (size_t i = 0; i < data->rate_count; i++) {
    double rate = hone_result_row_number(row->row, data->rates[i]);
    char *unit = plot_unit(hone_results_column(data->results, data->rates[i]));
    if (isfinite(rate)) {
      output_format(text, "%s%s ", before, plot_format_rate(&figure, rate));
      visible_text(text, unit);
      before = ", ";
    }
    free(unit);
  }
}

/* The figures after a bar. */
static void add_figures(const struct plot *plot, const struct plot_row *row, double first_ms,
                        struct output *text)
{
  struct plot_figure figure;

  output_text(text, plot_format_time(&figure, row->time_ms));
  add_rates(plot, row, text);
  if (row->time_ms != first_ms && first_ms > 0)
    output_format(text, " (%.2fx)", row->time_ms / first_ms);
  output_bytes(text, "", 1);
}

static void print_bar(const struct bars *bars, const struct plot_row *row, double first_ms)
{
  const struct plot *plot = bars->plot;
  double share = plot->data.largest_ms > 0 ? row->time_ms / plot->data.largest_ms : 0;
  size_t filled = share > 0 ? (size_t)(share * (double)bars->bar_width) : 0;
  const char *label = row_label(plot, row);
  size_t width = visible_width(label);
  struct output figures;

  output_text(plot->output, "  ");
  visible_cut(plot->output, label, bars->label_width);
  output_spaces(plot->output, 1 + (width < bars->label_width ? bars->label_width - width : 0));
  plot_repeat(plot->output, plot->symbols.full, filled);
  plot_repeat(plot->output, plot->symbols.empty, bars->bar_width - filled);
  output_text(plot->output, " ");
  output_open(&figures, OUTPUT_MEMORY, false);
  add_figures(plot, row, first_ms, &figures);
  output_text(plot->output, figures.bytes);
  output_close(&figures);
  output_text(plot->output, "\n");
}

static void print_group_name(const struct plot *plot, const struct plot_row *row)
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

/* ---- Widths ---- */

static void measure(struct bars *bars, const struct plot_row *row, double first_ms)
{
  size_t label = visible_width(row_label(bars->plot, row)), text;
  struct output figures;

  output_open(&figures, OUTPUT_MEMORY, false);
  add_figures(bars->plot, row, first_ms, &figures);
  text = visible_width(figures.bytes);
  output_close(&figures);
  if (label > bars->label_width) bars->label_width = label;
  if (text > bars->text_width) bars->text_width = text;
}

/* A narrow terminal gets shorter bars, then shorter labels, so that lines do not wrap. */
static void fit(struct bars *bars, size_t width)
{
  size_t rest = 2 + 1 + 1 + bars->text_width; /* spaces and figures */
  size_t room = width > rest ? width - rest : 0;

  bars->bar_width = BAR_WIDTH;
  if (!width || bars->label_width + BAR_WIDTH <= room) return;
  bars->bar_width = room > bars->label_width + LEAST_BAR ? room - bars->label_width : LEAST_BAR;
  if (bars->label_width + LEAST_BAR <= room || bars->label_width <= LABEL_WIDTH) return;
  bars->label_width = room > LABEL_WIDTH + LEAST_BAR ? room - LEAST_BAR : LABEL_WIDTH;
}

/* ---- All of them ---- */

static size_t group_end(const struct bars *bars, size_t begin)
{
  return begin +
         plot_group_size(&bars->grouping, bars->rows + begin, bars->plot->data.row_count - begin);
}

static void measure_all(struct bars *bars)
{
  bars->label_width = LABEL_WIDTH;
  for (size_t i = 0, end; i < bars->plot->data.row_count; i = end) {
    end = group_end(bars, i);
    for (size_t j = i; j < end; j++)
      measure(bars, bars->rows[j], bars->rows[i]->time_ms);
  }
  fit(bars, bars->plot->width);
}

static void print_all(const struct bars *bars)
{
  const struct plot *plot = bars->plot;
  bool has_groups = plot->data.pivot_count > 1;

  for (size_t i = 0, end; i < plot->data.row_count; i = end) {
    end = group_end(bars, i);
    if (has_groups) print_group_name(plot, bars->rows[i]);
    for (size_t j = i; j < end; j++)
      print_bar(bars, bars->rows[j], bars->rows[i]->time_ms);
    if (has_groups) output_text(plot->output, "\n");
  }
  if (plot->data.row_count > MANY_ROWS)
    output_format(plot->output, "%zu rows\n", plot->data.row_count);
  output_text(plot->output, "\n");
}

void plot_print_bars(struct plot *plot)
{
  struct bars bars = {
      .plot = plot,
      .grouping = {.data = &plot->data, .first = 1, .end = plot->data.pivot_count},
  };

  bars.rows = plot_group_rows(&bars.grouping);
  measure_all(&bars);
  print_all(&bars);
  free(bars.rows);
}
