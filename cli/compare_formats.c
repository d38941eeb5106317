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
  if (what != hone_comparison_metric(view->comparison))
    output_format(&title, "/%s", view->labels[0]);
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
  size_t count = hone_comparison_count(view->comparison);

  quote_csv_text(view->output, hone_compared_row_key(row));
  for (size_t i = 0; i < count; i++) {
    output_text(view->output, ",");
    print_csv_number(view->output, hone_compared_row_value(row, i));
  }
  for (size_t i = 1; i < count; i++) {
    output_text(view->output, ",");
    if (isfinite(hone_compared_row_ratio(row, i)))
      output_format(view->output, "%.6f", hone_compared_row_ratio(row, i));
    output_format(view->output, ",%s", compare_row_verdict(view, row, i));
  }
  output_text(view->output, "\n");
}

void compare_print_csv(const struct compare_view *view)
{
  const struct hone_comparison *comparison = view->comparison;

  output_text(view->output, view->by_name ? "name" : "spec");
  for (size_t i = 0; i < hone_comparison_count(comparison); i++)
    begin_csv_title(view, hone_comparison_metric(comparison), i);
  for (size_t i = 1; i < hone_comparison_count(comparison); i++) {
    begin_csv_title(view, "ratio", i);
    begin_csv_title(view, "verdict", i);
  }
  output_text(view->output, "\n");
  for (size_t i = 0; i < hone_comparison_row_count(comparison); i++)
    print_csv_row(view, hone_comparison_row(comparison, i));
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
  for (size_t i = 0; i < hone_comparison_count(view->comparison); i++) {
    const struct hone_result_row *own = hone_compared_row_row(row, i);
    if (!own) continue;
    output_text(view->output, ", \"params\": ");
    quote_json_params(view->output, hone_result_row_params(own));
    return;
  }
}

static void print_json_row(const struct compare_view *view, const struct hone_compared_row *row)
{
  struct output *output = view->output;
  size_t count = hone_comparison_count(view->comparison);

  output_format(output, "{\"%s\": ", view->by_name ? "name" : "spec");
  quote_json_text(output, hone_compared_row_key(row));
  print_json_params(view, row);
  output_text(output, ", \"values\": [");
  for (size_t i = 0; i < count; i++) {
    output_text(output, i ? ", " : "");
    quote_json_number(output, hone_compared_row_value(row, i));
  }
  output_text(output, "], \"ratios\": [");
  for (size_t i = 1; i < count; i++) {
    output_text(output, i > 1 ? ", " : "");
    print_json_ratio(output, hone_compared_row_ratio(row, i));
  }
  output_text(output, "], \"verdicts\": [");
  for (size_t i = 1; i < count; i++)
    output_format(output, "%s\"%s\"", i > 1 ? ", " : "", compare_row_verdict(view, row, i));
  output_text(output, "], \"intervals\": [");
  for (size_t i = 1; i < count; i++) {
    output_text(output, i > 1 ? ", [" : "[");
    print_json_ratio(output, hone_compared_row_low(row, i));
    output_text(output, ", ");
    print_json_ratio(output, hone_compared_row_high(row, i));
    output_text(output, "]");
  }
  output_text(output, "]}");
}

static void print_json_label(const struct compare_view *view, size_t i)
{
  output_text(view->output, "{\"label\": ");
  quote_json_text(view->output, view->labels[i]);
  output_text(view->output, ", \"origin\": ");
  quote_json_text(view->output, hone_results_origin(view->results[i]));
}

/* [{"what": "problem", "baseline": "n=1", "this": "n=2"}] */
static void print_json_differences(const struct compare_view *view, size_t i)
{
  struct hone_differences *differences =
      hone_results_differences(view->results[0], view->results[i]);

  output_text(view->output, ", \"differences\": [");
  for (size_t j = 0; j < hone_differences_count(differences); j++) {
    output_format(view->output, "%s{\"what\": \"%s\", \"baseline\": ", j ? ", " : "",
                  hone_subject_name(hone_differences_subject(differences, j)));
    quote_json_text(view->output, hone_differences_first(differences, j));
    output_text(view->output, ", \"this\": ");
    quote_json_text(view->output, hone_differences_second(differences, j));
    output_text(view->output, "}");
  }
  output_text(view->output, "]");
  hone_differences_free(differences);
}

/* "changes": {"FASTER": 1} */
static void print_json_changes(const struct compare_view *view, const struct hone_compared *sum)
{
  const char *before = "";

  output_text(view->output, ", \"changes\": {");
  for (int change = HONE_CHANGE_NONE + 1; change < HONE_CHANGE_COUNT; change++) {
    uint64_t count = hone_compared_changes(sum, (enum hone_change)change);
    if (!count) continue;
    output_format(view->output, "%s\"%s\": %" PRIu64, before,
                  hone_change_name((enum hone_change)change), count);
    before = ", ";
  }
  output_text(view->output, "}");
}

static void print_json_sum(const struct compare_view *view, size_t i)
{
  const struct hone_compared *sum = hone_comparison_at(view->comparison, i);

  print_json_label(view, i);
  output_text(view->output, ", \"mean_ratio\": ");
  print_json_ratio(view->output, hone_compared_mean_ratio(sum));
  output_format(view->output,
                ", \"bounded\": %" PRIu64 ", \"mean_bounded\": ", hone_compared_bounded(sum));
  print_json_ratio(view->output, hone_compared_mean_bounded(sum));
  output_text(view->output, ", \"mean_low\": ");
  print_json_ratio(view->output, hone_compared_mean_low(sum));
  output_text(view->output, ", \"mean_high\": ");
  print_json_ratio(view->output, hone_compared_mean_high(sum));
  print_json_changes(view, sum);
  output_text(view->output, ", \"worst_ratio\": ");
  print_json_ratio(view->output, hone_compared_worst_ratio(sum));
  output_format(view->output,
                ", \"better\": %" PRIu64 ", \"worse\": %" PRIu64 ", \"equal\": %" PRIu64
                ", \"missing\": %" PRIu64 ", \"extra\": %" PRIu64,
                hone_compared_better(sum), hone_compared_worse(sum), hone_compared_equal(sum),
                hone_compared_missing(sum), hone_compared_extra(sum));
  print_json_differences(view, i);
  output_text(view->output, "}");
}

static void print_json_head(const struct compare_view *view)
{
  output_text(view->output, "{\"metric\": ");
  quote_json_text(view->output, hone_comparison_metric(view->comparison));
  output_format(view->output, ", \"more_is_better\": %s, \"threshold\": ",
                hone_comparison_is_maximised(view->comparison) ? "true" : "false");
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
  for (size_t i = 1; i < hone_comparison_count(comparison); i++) {
    output_text(view->output, i > 1 ? ",\n  " : "");
    print_json_sum(view, i);
  }
  output_text(view->output, "],\n \"rows\": [");
  for (size_t i = 0; i < hone_comparison_row_count(comparison); i++) {
    output_text(view->output, i ? ",\n  " : "");
    print_json_row(view, hone_comparison_row(comparison, i));
  }
  output_text(view->output, "]}\n");
}

/* ---- The best of each ---- */

/* "M=1/N=2": what no row varies. */
static char *find_shape(const struct compare_view *view)
{
  struct hone_result_names *names =
      hone_results_names(view->results, hone_comparison_count(view->comparison));
  struct output shape;
  char *text;

  output_open(&shape, OUTPUT_MEMORY, false);
  for (size_t i = 0; i < hone_result_names_count(names); i++)
    if (hone_result_names_value(names, i))
      output_format(&shape, "%s%s=%s", shape.used ? "/" : "", hone_result_names_name(names, i),
                    hone_result_names_value(names, i));
  output_bytes(&shape, "", 1);
  text = check_memory(strdup(shape.bytes));
  output_close(&shape);
  hone_result_names_free(names);
  return text;
}

static void print_best_text(const struct compare_view *view, size_t i, const char *shape)
{
  const struct hone_compared *base = hone_comparison_at(view->comparison, 0),
                             *now = hone_comparison_at(view->comparison, i);
  struct number_text ratio, current, baseline;

  output_format(view->output, "[%zu][shape:", i - 1);
  visible_text(view->output, shape);
  output_text(view->output, "][metric:");
  visible_text(view->output, hone_comparison_metric(view->comparison));
  output_format(
      view->output, "]: %s (ratio current/baseline = %s / %s)\n",
      number_format(&ratio, hone_compared_best_value(now) / hone_compared_best_value(base)),
      number_format(&current, hone_compared_best_value(now)),
      number_format(&baseline, hone_compared_best_value(base)));
  if (!view->is_verbose) return;
  output_text(view->output, "  current:  ");
  visible_text(view->output, hone_result_row_spec(hone_compared_best(now)));
  output_text(view->output, "\n  baseline: ");
  visible_text(view->output, hone_result_row_spec(hone_compared_best(base)));
  output_text(view->output, "\n");
}

static void print_best_csv(const struct compare_view *view, size_t i, const char *shape)
{
  double base = hone_compared_best_value(hone_comparison_at(view->comparison, 0)),
         now = hone_compared_best_value(hone_comparison_at(view->comparison, i));

  if (i == 1) output_text(view->output, "shape,metric,best_tuning_metric,baseline_metric,ratio\n");
  quote_csv_text(view->output, shape);
  output_text(view->output, ",");
  quote_csv_text(view->output, hone_comparison_metric(view->comparison));
  output_text(view->output, ",");
  print_csv_number(view->output, now);
  output_text(view->output, ",");
  print_csv_number(view->output, base);
  output_format(view->output, ",%.6f\n", now / base);
}

static void print_best_side(const struct compare_view *view, size_t i)
{
  const struct hone_result_row *best = hone_compared_best(hone_comparison_at(view->comparison, i));

  print_json_label(view, i);
  output_text(view->output, ", \"value\": ");
  quote_json_number(view->output,
                    hone_compared_best_value(hone_comparison_at(view->comparison, i)));
  output_text(view->output, ", \"spec\": ");
  quote_json_text(view->output, hone_result_row_spec(best));
  output_text(view->output, ", \"params\": ");
  quote_json_params(view->output, hone_result_row_params(best));
  output_text(view->output, "}");
}

static void print_best_json(const struct compare_view *view, size_t i, const char *shape)
{
  double base = hone_compared_best_value(hone_comparison_at(view->comparison, 0)),
         now = hone_compared_best_value(hone_comparison_at(view->comparison, i));

  output_text(view->output, i == 1 ? "[{\"shape\": " : ",\n {\"shape\": ");
  quote_json_text(view->output, shape);
  output_text(view->output, ", \"metric\": ");
  quote_json_text(view->output, hone_comparison_metric(view->comparison));
  output_text(view->output, ", \"ratio\": ");
  print_json_ratio(view->output, now / base);
  output_text(view->output, ",\n  \"current\": ");
  print_best_side(view, i);
  output_text(view->output, ",\n  \"baseline\": ");
  print_best_side(view, 0);
  output_text(view->output, i + 1 == hone_comparison_count(view->comparison) ? "}]\n" : "}");
}

void compare_print_best(const struct compare_view *view, enum compare_format format)
{
  static void (*const printers[])(const struct compare_view *, size_t, const char *) = {
      [COMPARE_TEXT] = print_best_text,
      [COMPARE_CSV] = print_best_csv,
      [COMPARE_JSON] = print_best_json,
  };
  char *shape = find_shape(view);

  for (size_t i = 1; i < hone_comparison_count(view->comparison); i++)
    printers[format](view, i, shape);
  free(shape);
}
