/* The comparison for programs: CSV and JSON, and the best of each. */
#include "compare_print.h"

#include "hone_results.h"
#include "quote.h"
#include "show_results.h"
#include "visible.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/* ---- CSV ---- */

static void begin_csv_title(const struct compare_view *view, const char *what, size_t i)
{
  struct output title;

  output_open(&title, OUTPUT_MEMORY, false);
  output_format(&title, "%s [%s", what, view->labels[i]);
  if (what != view->comparison->metric) output_format(&title, "/%s", view->labels[0]);
  output_text(&title, "]");
  output_bytes(&title, "", 1);
  output_text(view->output, ",");
  quote_csv_text(view->output, title.bytes);
  output_close(&title);
}

static void print_csv_number(struct output *output, double number)
{
  struct hone_value value = {.type = HONE_FLOAT, .real = number};

  if (!isnan(number)) quote_csv_value(output, value);
}

static void print_csv_row(const struct compare_view *view, const struct hone_compared_row *row)
{
  size_t count = view->comparison->count;

  quote_csv_text(view->output, row->key);
  for (size_t i = 0; i < count; i++) {
    output_text(view->output, ",");
    print_csv_number(view->output, row->values[i]);
  }
  for (size_t i = 1; i < count; i++) {
    output_text(view->output, ",");
    if (isfinite(row->ratios[i])) output_format(view->output, "%.6f", row->ratios[i]);
    output_format(view->output, ",%s", compare_verdict(view, row->ratios[i]));
  }
  output_text(view->output, "\n");
}

void compare_print_csv(const struct compare_view *view)
{
  const struct hone_comparison *comparison = view->comparison;

  output_text(view->output, view->by_name ? "name" : "spec");
  for (size_t i = 0; i < comparison->count; i++)
    begin_csv_title(view, comparison->metric, i);
  for (size_t i = 1; i < comparison->count; i++) {
    begin_csv_title(view, "ratio", i);
    begin_csv_title(view, "verdict", i);
  }
  output_text(view->output, "\n");
  for (size_t i = 0; i < comparison->row_count; i++)
    print_csv_row(view, &comparison->rows[i]);
}

/* ---- JSON ---- */

static void print_json_ratio(struct output *output, double ratio)
{
  if (isfinite(ratio))
    output_format(output, "%.6f", ratio);
  else
    output_text(output, "null");
}

/* Those of the first of the results that has the row. */
static void print_json_params(const struct compare_view *view, const struct hone_compared_row *row)
{
  for (size_t i = 0; i < view->comparison->count; i++) {
    if (!row->rows[i]) continue;
    output_text(view->output, ", \"params\": ");
    quote_json_params(view->output, row->rows[i]->params, row->rows[i]->param_count);
    return;
  }
}

static void print_json_row(const struct compare_view *view, const struct hone_compared_row *row)
{
  struct output *output = view->output;
  size_t count = view->comparison->count;

  output_format(output, "{\"%s\": ", view->by_name ? "name" : "spec");
  quote_json_text(output, row->key);
  print_json_params(view, row);
  output_text(output, ", \"values\": [");
  for (size_t i = 0; i < count; i++) {
    output_text(output, i ? ", " : "");
    quote_json_number(output, row->values[i]);
  }
  output_text(output, "], \"ratios\": [");
  for (size_t i = 1; i < count; i++) {
    output_text(output, i > 1 ? ", " : "");
    print_json_ratio(output, row->ratios[i]);
  }
  output_text(output, "], \"verdicts\": [");
  for (size_t i = 1; i < count; i++)
    output_format(output, "%s\"%s\"", i > 1 ? ", " : "", compare_verdict(view, row->ratios[i]));
  output_text(output, "]}");
}

static void print_json_label(const struct compare_view *view, size_t i)
{
  output_text(view->output, "{\"label\": ");
  quote_json_text(view->output, view->labels[i]);
  output_text(view->output, ", \"origin\": ");
  quote_json_text(view->output, view->results[i]->origin);
}

/* [{"what": "problem", "baseline": "n=1", "this": "n=2"}] */
static void print_json_differences(const struct compare_view *view, size_t i)
{
  struct hone_subject_difference *differences;
  size_t count = hone_results_differences(view->results[0], view->results[i], &differences);

  output_text(view->output, ", \"differences\": [");
  for (size_t j = 0; j < count; j++) {
    output_format(view->output, "%s{\"what\": \"%s\", \"baseline\": ", j ? ", " : "",
                  differences[j].what);
    quote_json_text(view->output, differences[j].first);
    output_text(view->output, ", \"this\": ");
    quote_json_text(view->output, differences[j].second);
    output_text(view->output, "}");
  }
  output_text(view->output, "]");
  free(differences);
}

static void print_json_sum(const struct compare_view *view, size_t i)
{
  const struct hone_compared *sum = &view->comparison->results[i];

  print_json_label(view, i);
  output_text(view->output, ", \"mean_ratio\": ");
  print_json_ratio(view->output, sum->mean_ratio);
  output_text(view->output, ", \"worst_ratio\": ");
  print_json_ratio(view->output, sum->worst_ratio);
  output_format(view->output,
                ", \"better\": %" PRIu64 ", \"worse\": %" PRIu64 ", \"equal\": %" PRIu64
                ", \"missing\": %" PRIu64 ", \"extra\": %" PRIu64,
                sum->better, sum->worse, sum->equal, sum->missing, sum->extra);
  print_json_differences(view, i);
  output_text(view->output, "}");
}

static void print_json_head(const struct compare_view *view)
{
  output_text(view->output, "{\"metric\": ");
  quote_json_text(view->output, view->comparison->metric);
  output_format(view->output, ", \"more_is_better\": %s, \"threshold\": ",
                view->comparison->maximise ? "true" : "false");
  quote_json_number(view->output, view->threshold);
  output_text(view->output, ",\n \"baseline\": ");
  print_json_label(view, 0);
  output_text(view->output, "}");
}

void compare_print_json(const struct compare_view *view)
{
  const struct hone_comparison *comparison = view->comparison;

  print_json_head(view);
  output_text(view->output, ",\n \"compared\": [");
  for (size_t i = 1; i < comparison->count; i++) {
    output_text(view->output, i > 1 ? ",\n  " : "");
    print_json_sum(view, i);
  }
  output_text(view->output, "],\n \"rows\": [");
  for (size_t i = 0; i < comparison->row_count; i++) {
    output_text(view->output, i ? ",\n  " : "");
    print_json_row(view, &comparison->rows[i]);
  }
  output_text(view->output, "]}\n");
}

/* ---- The best of each ---- */

/* "M=1/N=2": what no row varies. */
static char *find_shape(const struct compare_view *view)
{
  struct hone_result_name *names;
  size_t count = hone_results_names(view->results, view->comparison->count, &names);
  struct output shape;
  char *text;

  output_open(&shape, OUTPUT_MEMORY, false);
  for (size_t i = 0; i < count; i++)
    if (names[i].value)
      output_format(&shape, "%s%s=%s", shape.used ? "/" : "", names[i].name, names[i].value);
  output_bytes(&shape, "", 1);
  text = check_memory(strdup(shape.bytes));
  output_close(&shape);
  free(names);
  return text;
}

static void print_best_text(const struct compare_view *view, size_t i, const char *shape)
{
  const struct hone_compared *base = &view->comparison->results[0],
                             *now = &view->comparison->results[i];
  struct number_text ratio, current, baseline;

  output_format(view->output, "[%zu][shape:", i - 1);
  visible_text(view->output, shape);
  output_text(view->output, "][metric:");
  visible_text(view->output, view->comparison->metric);
  output_format(view->output, "]: %s (ratio current/baseline = %s / %s)\n",
                number_format(&ratio, now->best_value / base->best_value),
                number_format(&current, now->best_value),
                number_format(&baseline, base->best_value));
  if (!view->is_verbose) return;
  output_text(view->output, "  current:  ");
  visible_text(view->output, now->best->spec);
  output_text(view->output, "\n  baseline: ");
  visible_text(view->output, base->best->spec);
  output_text(view->output, "\n");
}

static void print_best_csv(const struct compare_view *view, size_t i, const char *shape)
{
  double base = view->comparison->results[0].best_value,
         now = view->comparison->results[i].best_value;

  if (i == 1) output_text(view->output, "shape,metric,best_tuning_metric,baseline_metric,ratio\n");
  quote_csv_text(view->output, shape);
  output_text(view->output, ",");
  quote_csv_text(view->output, view->comparison->metric);
  output_text(view->output, ",");
  print_csv_number(view->output, now);
  output_text(view->output, ",");
  print_csv_number(view->output, base);
  output_format(view->output, ",%.6f\n", now / base);
}

static void print_best_side(const struct compare_view *view, size_t i)
{
  const struct hone_result_row *best = view->comparison->results[i].best;

  print_json_label(view, i);
  output_text(view->output, ", \"value\": ");
  quote_json_number(view->output, view->comparison->results[i].best_value);
  output_text(view->output, ", \"spec\": ");
  quote_json_text(view->output, best->spec);
  output_text(view->output, ", \"params\": ");
  quote_json_params(view->output, best->params, best->param_count);
  output_text(view->output, "}");
}

static void print_best_json(const struct compare_view *view, size_t i, const char *shape)
{
  const struct hone_compared *results = view->comparison->results;

  output_text(view->output, i == 1 ? "[{\"shape\": " : ",\n {\"shape\": ");
  quote_json_text(view->output, shape);
  output_text(view->output, ", \"metric\": ");
  quote_json_text(view->output, view->comparison->metric);
  output_text(view->output, ", \"ratio\": ");
  print_json_ratio(view->output, results[i].best_value / results[0].best_value);
  output_text(view->output, ",\n  \"current\": ");
  print_best_side(view, i);
  output_text(view->output, ",\n  \"baseline\": ");
  print_best_side(view, 0);
  output_text(view->output, i + 1 == view->comparison->count ? "}]\n" : "}");
}

void compare_print_best(const struct compare_view *view, enum compare_format format)
{
  static void (*const printers[])(const struct compare_view *, size_t, const char *) = {
      [COMPARE_TEXT] = print_best_text,
      [COMPARE_CSV] = print_best_csv,
      [COMPARE_JSON] = print_best_json,
  };
  char *shape = find_shape(view);

  for (size_t i = 1; i < view->comparison->count; i++)
    printers[format](view, i, shape);
  free(shape);
}
