/* The comparison as text: common values once, the pairs, rows without a partner, and a summary in a
 * sentence.
 */
#include "compare_print.h"

#include "figures.h"
#include "hone_results.h"
#include "show_results.h"
#include "table.h"
#include "visible.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

enum { MOST_PARAMS = 24, MOST_ALONE = 10 };

double compare_loss(const struct hone_comparison *comparison, double ratio)
{
  return hone_comparison_is_maximised(comparison) ? 1 / ratio : ratio;
}

enum judged { RATIO_UNKNOWN, RATIO_EQUAL, RATIO_BETTER, RATIO_WORSE };

static enum judged judge(const struct compare_view *view, double ratio)
{
  double loss = compare_loss(view->comparison, ratio);

  if (!(ratio > 0) || isinf(ratio)) return RATIO_UNKNOWN;
  if (loss > 1 + view->threshold) return RATIO_WORSE;
  return loss < 1 - view->threshold ? RATIO_BETTER : RATIO_EQUAL;
}

const char *compare_verdict(const struct compare_view *view, double ratio)
{
  static const char *const words[][2] = {[RATIO_UNKNOWN] = {"", ""},
                                         [RATIO_EQUAL] = {"equal", "equal"},
                                         [RATIO_BETTER] = {"better", "faster"},
                                         [RATIO_WORSE] = {"worse", "slower"}};

  return words[judge(view, ratio)][hone_comparison_is_time(view->comparison)];
}

bool compare_has_changes(const struct hone_comparison *comparison)
{
  for (size_t i = 1; i < hone_comparison_count(comparison); i++)
    for (int change = HONE_CHANGE_NONE + 1; change < HONE_CHANGE_COUNT; change++)
      if (hone_compared_changes(hone_comparison_at(comparison, i), (enum hone_change)change))
        return true;
  return false;
}

const char *compare_row_verdict(const struct compare_view *view,
                                const struct hone_compared_row *row, size_t i)
{
  enum hone_change change = hone_compared_row_change(row, i);

  if (change != HONE_CHANGE_NONE) return hone_change_name(change);
  return compare_verdict(view, hone_compared_row_ratio(row, i));
}

/* ---- Parameters ---- */

struct params {
  struct hone_result_names *names;
  size_t count;
  size_t shown[MOST_PARAMS]; /* those that vary */
  size_t shown_count;
  bool has_key; /* the key instead of them */
};

static void open_params(const struct compare_view *view, struct params *params)
{
  *params = (struct params){.has_key = view->by_name};
  params->names = hone_results_names(view->results, hone_comparison_count(view->comparison));
  params->count = hone_result_names_count(params->names);
  for (size_t i = 0; i < params->count; i++) {
    if (hone_result_names_value(params->names, i)) continue;
    if (params->shown_count == MOST_PARAMS)
      params->has_key = true;
    else
      params->shown[params->shown_count++] = i;
  }
  if (!params->shown_count) params->has_key = true;
  if (params->has_key) params->shown_count = 0;
}

static void print_fixed(const struct compare_view *view, const struct params *params)
{
  const char *before = "Fixed: ";

  for (size_t i = 0; i < params->count && !params->has_key; i++) {
    if (!hone_result_names_value(params->names, i)) continue;
    output_text(view->output, before);
    visible_text(view->output, hone_result_names_name(params->names, i));
    output_text(view->output, "=");
    visible_text(view->output, hone_result_names_value(params->names, i));
    before = ", ";
  }
  if (*before == ',') output_text(view->output, "\n");
}

/* ---- Pairs ---- */

static void add_titles(const struct compare_view *view, const struct params *params,
                       struct table *table)
{
  table_open(table, 2);
  for (size_t i = 0; i < params->shown_count; i++)
    table_column(table, hone_result_names_name(params->names, params->shown[i]), 0);
  if (params->has_key) table_column(table, view->by_name ? "name" : "spec", 0);
  for (size_t i = 0; i < hone_comparison_count(view->comparison); i++) {
    table_column(table, view->labels[i], TABLE_RIGHT);
    if (i == 0) continue;
    table_column(table, "ratio", TABLE_RIGHT);
    if (compare_has_changes(view->comparison)) table_column(table, "interval", 0);
    table_column(table, "", 0);
  }
}

static const struct hone_result_row *first_row(const struct compare_view *view,
                                               const struct hone_compared_row *row)
{
  for (size_t i = 0; i < hone_comparison_count(view->comparison); i++)
    if (hone_compared_row_row(row, i)) return hone_compared_row_row(row, i);
  return NULL;
}

void compare_add_value(const struct compare_view *view, double value, struct table *table)
{
  const struct hone_results *first = view->results[0];
  bool is_time = hone_results_time_column(first) < hone_results_column_count(first) &&
                 strcmp(hone_results_column(first, hone_results_time_column(first)),
                        hone_comparison_metric(view->comparison)) == 0;
  struct number_text number;
  struct figure figure;

  if (isnan(value))
    table_cell(table, "-");
  else
    table_cell(table, is_time ? figure_time(&figure, value * hone_results_time_unit_s(first) * 1e9)
                              : number_format(&number, value));
}

static void add_interval(const struct hone_compared_row *row, size_t i, struct table *table)
{
  double low = hone_compared_row_low(row, i), high = hone_compared_row_high(row, i);

  if (isfinite(low) && isfinite(high))
    table_format(table, "%.3f to %.3f", low, high);
  else
    table_cell(table,
               hone_compared_row_change(row, i) == HONE_CHANGE_NONE ? "" : "too few samples");
}

static void add_row(const struct compare_view *view, const struct params *params,
                    const struct hone_compared_row *row, struct table *table)
{
  const struct hone_result_row *named = first_row(view, row);

  for (size_t i = 0; i < params->shown_count; i++) {
    const char *value =
        hone_result_row_value(named, hone_result_names_name(params->names, params->shown[i]));
    table_cell(table, value ? value : "-");
  }
  if (params->has_key) table_cell(table, hone_compared_row_key(row));
  for (size_t i = 0; i < hone_comparison_count(view->comparison); i++) {
    compare_add_value(view, hone_compared_row_value(row, i), table);
    if (i == 0) continue;
    if (isnan(hone_compared_row_ratio(row, i)))
      table_cell(table, "");
    else
      table_format(table, "%.3f", hone_compared_row_ratio(row, i));
    if (compare_has_changes(view->comparison)) add_interval(row, i, table);
    table_cell(table, compare_row_verdict(view, row, i));
  }
}

static bool is_pair(const struct compare_view *view, const struct hone_compared_row *row)
{
  for (size_t i = 1; i < hone_comparison_count(view->comparison); i++)
    if (hone_compared_row_row(row, 0) && hone_compared_row_row(row, i)) return true;
  return false;
}

static void print_pairs(const struct compare_view *view, const struct params *params)
{
  const struct hone_comparison *comparison = view->comparison;
  struct table table;
  size_t pairs = 0;

  add_titles(view, params, &table);
  for (size_t i = 0; i < hone_comparison_row_count(comparison); i++) {
    if (!is_pair(view, hone_comparison_row(comparison, i))) continue;
    add_row(view, params, hone_comparison_row(comparison, i), &table);
    pairs++;
  }
  if (pairs) table_print(&table, view->output, 0);
  table_close(&table);
}

/* ---- Rows without a partner ---- */

/* Rows that results `here` have and results `there` lack. */
static void print_alone(const struct compare_view *view, size_t here, size_t there, uint64_t count)
{
  uint64_t left = view->is_verbose || count <= MOST_ALONE ? count : MOST_ALONE, more = count - left;

  if (!count) return;
  output_text(view->output, "\nonly in ");
  visible_text(view->output, view->labels[here]);
  output_format(view->output, ", %" PRIu64 " %s:\n", count, count == 1 ? "row" : "rows");
  for (size_t i = 0; i < hone_comparison_row_count(view->comparison) && left; i++) {
    const struct hone_compared_row *row = hone_comparison_row(view->comparison, i);
    if (!hone_compared_row_row(row, here) || hone_compared_row_row(row, there)) continue;
    output_text(view->output, "  ");
    visible_text(view->output, hone_compared_row_key(row));
    output_text(view->output, "\n");
    left--;
  }
  if (more) output_format(view->output, "  and %" PRIu64 " more: -v\n", more);
}

/* ---- The sum ---- */

static enum style verdict_style(const struct compare_view *view, double ratio)
{
  static const enum style styles[] = {[RATIO_UNKNOWN] = STYLE_BAD,
                                      [RATIO_EQUAL] = STYLE_PLAIN,
                                      [RATIO_BETTER] = STYLE_GOOD,
                                      [RATIO_WORSE] = STYLE_BAD};

  return styles[judge(view, ratio)];
}

static enum style change_style(const struct hone_compared *sum)
{
  if (hone_compared_mean_low(sum) > 1) return STYLE_BAD;
  return hone_compared_mean_high(sum) < 1 ? STYLE_GOOD : STYLE_PLAIN;
}

/* "1.02 (1.00 to 1.04), ...; 1 SLOWER, 2 SAME" */
static void print_changes(const struct compare_view *view, size_t i)
{
  const struct hone_compared *sum = hone_comparison_at(view->comparison, i);
  const char *before = "; ";

  output_text(view->output, "\n");
  visible_text(view->output, view->labels[i]);
  output_text(view->output, " / ");
  visible_text(view->output, view->labels[0]);
  output_text(view->output, ": ");
  output_style(view->output, change_style(sum));
  if (hone_compared_bounded(sum))
    output_format(view->output, "%.3f (%.3f to %.3f)", hone_compared_mean_bounded(sum),
                  hone_compared_mean_low(sum), hone_compared_mean_high(sum));
  else
    output_format(view->output, "%.3f", hone_compared_mean_ratio(sum));
  output_style(view->output, STYLE_PLAIN);
  if (hone_compared_bounded(sum))
    output_format(view->output, ", the geometric mean of %" PRIu64 " with enough samples",
                  hone_compared_bounded(sum));
  else
    output_text(view->output, ", the geometric mean; too few samples for an interval");
  for (int change = HONE_CHANGE_NONE + 1; change < HONE_CHANGE_COUNT; change++) {
    uint64_t count = hone_compared_changes(sum, (enum hone_change)change);
    if (!count) continue;
    output_format(view->output, "%s%" PRIu64 " %s", before, count,
                  hone_change_name((enum hone_change)change));
    before = ", ";
  }
  output_text(view->output, "\n");
}

static void print_sum(const struct compare_view *view, size_t i)
{
  const struct hone_compared *sum = hone_comparison_at(view->comparison, i);
  bool is_time = hone_comparison_is_time(view->comparison);
  const char *verdict = compare_verdict(view, hone_compared_mean_ratio(sum));

  output_text(view->output, "\n");
  visible_text(view->output, view->labels[i]);
  output_text(view->output, " / ");
  visible_text(view->output, view->labels[0]);
  output_format(view->output, ": %.3f ", hone_compared_mean_ratio(sum));
  output_styled(view->output, verdict_style(view, hone_compared_mean_ratio(sum)), verdict);
  output_format(view->output,
                ", the geometric mean of %" PRIu64 "; %" PRIu64 " %s, %" PRIu64 " %s, %" PRIu64
                " equal within %g%%\n",
                hone_compared_better(sum) + hone_compared_worse(sum) + hone_compared_equal(sum),
                hone_compared_better(sum), is_time ? "faster" : "better", hone_compared_worse(sum),
                is_time ? "slower" : "worse", hone_compared_equal(sum), 100 * view->threshold);
}

void compare_print_sums(const struct compare_view *view)
{
  bool has_changes = compare_has_changes(view->comparison);

  for (size_t i = 1; i < hone_comparison_count(view->comparison); i++)
    if (!isnan(hone_compared_mean_ratio(hone_comparison_at(view->comparison, i))))
      (has_changes ? print_changes : print_sum)(view, i);
}

/* Columns of files keep their names; the times of runs are plain. */
static const char *metric_name(const struct compare_view *view)
{
  bool are_runs = hone_comparison_is_time(view->comparison);

  for (size_t i = 0; i < hone_comparison_count(view->comparison); i++)
    are_runs = are_runs && hone_results_run(view->results[i]) > 0;
  return are_runs ? "time" : hone_comparison_metric(view->comparison);
}

void compare_print_text(const struct compare_view *view)
{
  const struct hone_comparison *comparison = view->comparison;
  struct params params;

  open_params(view, &params);
  visible_text(view->output, metric_name(view));
  output_format(view->output, ", %s is better\n",
                hone_comparison_is_maximised(comparison) ? "more" : "less");
  print_fixed(view, &params);
  output_text(view->output, "\n");
  print_pairs(view, &params);
  for (size_t i = 1; i < hone_comparison_count(comparison); i++) {
    print_alone(view, 0, i, hone_compared_missing(hone_comparison_at(comparison, i)));
    print_alone(view, i, 0, hone_compared_extra(hone_comparison_at(comparison, i)));
  }
  compare_print_sums(view);
  hone_result_names_free(params.names);
}
