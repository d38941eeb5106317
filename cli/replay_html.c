/* The figures of `hone replay` for a person: a page with a chart for each recording. A line is the
 * mean of the best so far over the runs of a strategy, as a multiple of the optimum; its band has
 * four fifths of the runs. */
#include "replay_command.h"

#include "hone_replay.h"

#include <math.h>

enum { WIDTH = 760, HEIGHT = 260, LEFT = 60, BOTTOM = 30, TOP = 8, RIGHT = 8 };

static const char *const colours[] = {"#d62728", "#1f77b4", "#2ca02c", "#9467bd", "#ff7f0e",
                                      "#8c564b", "#e377c2", "#17becf", "#bcbd22", "#7f7f7f"};
enum { COLOURS = sizeof colours / sizeof *colours };

struct chart {
  const struct replay_view *view;
  size_t file;
  double best_ms, end_s;
  double most; /* multiple of the optimum at the upper edge */
};

static void html_text(struct output *output, const char *text)
{
  for (; *text; text++) {
    if (strchr("<>&\"", *text))
      output_format(output, "&#%d;", *text);
    else
      output_bytes(output, text, 1);
  }
}

/* ---- Places ---- */

static double x_of(const struct chart *chart, double at_s)
{
  return LEFT + (WIDTH - LEFT - RIGHT) * at_s / chart->end_s;
}

/* By its logarithm, so that the last percents can be seen, too. What is worse than the upper edge
 * is on it. */
static double y_of(const struct chart *chart, double time_ms)
{
  double share = log(fmax(time_ms / chart->best_ms, 1)) / log(chart->most);

  return HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * fmin(share, 1);
}

static const struct hone_replay_cell *cell_of(const struct chart *chart, size_t strategy)
{
  return hone_replay_result_cell(chart->view->result, chart->file, strategy);
}

/* Up to the median of all times, or where the first strategy begins: one that begins far above
 * would leave no room for the others. */
static void open_chart(struct chart *chart)
{
  const struct hone_replay_result *result = chart->view->result;
  const struct hone_replay_file *file = hone_replay_result_file(result, chart->file);
  struct hone_replay_point point;

  chart->best_ms = hone_replay_file_best_ms(file);
  chart->end_s = hone_replay_file_budget_s(file);
  chart->most = fmax(hone_replay_file_median_ms(file) / chart->best_ms, 1.01);
  if (hone_replay_cell_point(cell_of(chart, 0), 0, &point))
    chart->most = fmax(chart->most, fmin(point.high_ms / chart->best_ms, 10));
}

/* ---- Lines ---- */

static void band(const struct chart *chart, size_t strategy)
{
  struct output *output = chart->view->output;
  const struct hone_replay_cell *cell = cell_of(chart, strategy);
  struct hone_replay_point point;
  size_t count = 0;

  output_format(output, "<polygon fill=\"%s\" fill-opacity=\"0.12\" points=\"",
                colours[strategy % COLOURS]);
  for (; hone_replay_cell_point(cell, count, &point); count++)
    output_format(output, "%.1f,%.1f ", x_of(chart, point.at_s), y_of(chart, point.low_ms));
  while (count-- > 0 && hone_replay_cell_point(cell, count, &point))
    output_format(output, "%.1f,%.1f ", x_of(chart, point.at_s), y_of(chart, point.high_ms));
  output_text(output, "\"/>\n");
}

static void line(const struct chart *chart, size_t strategy)
{
  struct output *output = chart->view->output;
  struct hone_replay_point point;

  output_format(output, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"1.5\" points=\"",
                colours[strategy % COLOURS]);
  for (size_t i = 0; hone_replay_cell_point(cell_of(chart, strategy), i, &point); i++)
    output_format(output, "%.1f,%.1f ", x_of(chart, point.at_s), y_of(chart, point.mean_ms));
  output_text(output, "\"><title>");
  html_text(output, hone_replay_result_strategy(chart->view->result, strategy));
  output_text(output, "</title></polyline>\n");
}

static void axes(const struct chart *chart)
{
  static const double marks[] = {1, 1.01, 1.02, 1.05, 1.1, 1.2, 1.5, 2, 3, 5, 10};
  struct output *output = chart->view->output;
  double last = INFINITY;

  for (size_t i = 0; i < sizeof marks / sizeof *marks && marks[i] <= chart->most; i++) {
    double y = y_of(chart, marks[i] * chart->best_ms);
    if (last - y < 14) continue;
    last = y;
    output_format(output,
                  "<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"#ddd\"/>"
                  "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%g x</text>\n",
                  LEFT, WIDTH - RIGHT, y, y, LEFT - 6, y + 4, marks[i]);
  }
  for (int i = 0; i <= 4; i++)
    output_format(output, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"%s\">%.3g s</text>\n",
                  x_of(chart, chart->end_s * i / 4), HEIGHT - 10, i == 4 ? "end" : "middle",
                  chart->end_s * i / 4);
}

static void legend(const struct chart *chart)
{
  const struct hone_replay_result *result = chart->view->result;
  struct output *output = chart->view->output;

  output_text(output, "<p>");
  for (size_t i = 0; i < hone_replay_result_strategy_count(result); i++) {
    output_format(output, "<span style=\"color: %s\">&#9632; ", colours[i % COLOURS]);
    html_text(output, hone_replay_result_strategy(result, i));
    output_format(output, " %.3f</span> ", hone_replay_cell_p(cell_of(chart, i)));
  }
  output_text(output, "</p>\n");
}

static void print_chart(const struct replay_view *view, size_t number)
{
  const struct hone_replay_file *file = hone_replay_result_file(view->result, number);
  size_t strategies = hone_replay_result_strategy_count(view->result);
  struct chart chart = {.view = view, .file = number};

  open_chart(&chart);
  output_text(view->output, "<h2>");
  html_text(view->output, hone_replay_file_label(file));
  output_text(view->output, "</h2>\n");
  legend(&chart);
  output_format(view->output, "<svg width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\">\n", WIDTH,
                HEIGHT, WIDTH, HEIGHT);
  axes(&chart);
  for (size_t i = 0; i < strategies; i++)
    band(&chart, i);
  for (size_t i = strategies; i-- > 0;)
    line(&chart, i);
  output_text(view->output, "</svg>\n");
}

void replay_print_html(const struct replay_view *view)
{
  view->output->is_text = false;
  output_text(view->output,
              "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
              "<title>hone replay</title>\n<style>body { font: 14px sans-serif; max-width: 800px; "
              "margin: 2em auto; }\nsvg text { font: 11px sans-serif; }\n"
              "p span { margin-right: 1em; white-space: nowrap; }</style></head><body>\n"
              "<h1>Searches on recordings</h1>\n"
              "<p>Lines: the best time so far, as a multiple of the optimum, in the mean over the "
              "runs; bands: four fifths of the runs. Numbers: P, from 0 (random search) to 1 (the "
              "optimum at once).</p>\n");
  for (size_t i = 0; i < hone_replay_result_file_count(view->result); i++)
    print_chart(view, i);
  output_text(view->output, "</body></html>\n");
}
