#include "tune_against.h"

#include "compare_print.h"
#include "compare_slower.h"
#include "figures.h"
#include "table.h"
#include "terminal.h"
#include "visible.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* ---- Before anything is measured ---- */

static const struct hone_run *find_run(const struct hone_run_list *runs, int64_t number)
{
  for (size_t i = 0; i < hone_run_list_count(runs); i++)
    if (hone_run_number(hone_run_list_at(runs, i)) == number) return hone_run_list_at(runs, i);
  return NULL;
}

static bool is_text(const char *a, const char *b)
{
  return strcmp(a ? a : "", b ? b : "") == 0;
}

static bool has_problem(const struct tune_against *against, const struct hone_run_list *runs,
                        const struct problems *problems, size_t problem)
{
  for (size_t i = 0; i < against->saved.count; i++) {
    const struct hone_run *run = find_run(runs, against->saved.runs[i]);
    if (run && is_text(hone_run_name(run), hone_spec_name(problems->spec)) &&
        is_text(hone_run_problem(run), problems_name(problems, problem)))
      return true;
  }
  return false;
}

static void complain(const struct tune_against *against, const struct hone_run_list *runs,
                     const struct problems *problems, size_t problem)
{
  const char *sizes = problems_name(problems, problem);

  message_error(*sizes ? "'%s' has no run of '%s' for the problem '%s'; it has:"
                       : "'%s' has no run of '%s'; it has:",
                against->settings->against, hone_spec_name(problems->spec), sizes);
  for (size_t i = 0; i < against->saved.count; i++) {
    const struct hone_run *run = find_run(runs, against->saved.runs[i]);
    if (run)
      message_line("  run %" PRId64 ": %s%s%s", hone_run_number(run), hone_run_name(run),
                   hone_run_problem(run) && *hone_run_problem(run) ? " " : "",
                   hone_run_problem(run) ? hone_run_problem(run) : "");
  }
}

static bool check_problems(const struct tune_against *against, struct hone_store *store,
                           const struct problems *problems)
{
  struct hone_run_list *runs = NULL;
  hone_status status = hone_store_runs(store, &runs);
  bool has_all = true;

  if (status) {
    message_status(status);
    return false;
  }
  for (size_t i = 0; i < problems->count && has_all; i++) {
    has_all = has_problem(against, runs, problems, i);
    if (!has_all) complain(against, runs, problems, i);
  }
  hone_run_list_free(runs);
  return has_all;
}

bool tune_against_open(struct tune_against *against, const struct tune_settings *settings,
                       const struct problems *problems)
{
  struct hone_store *store = NULL;
  hone_status status;
  bool is_good;

  *against = (struct tune_against){.settings = settings};
  if (!settings->against) return true;
  status = hone_store_open(settings->store, &store);
  if (status) {
    message_status(status);
    return false;
  }
  is_good = saved_runs_find(store, settings->against, &against->saved) &&
            check_problems(against, store, problems);
  hone_store_free(store);
  return is_good;
}

void tune_against_close(struct tune_against *against)
{
  saved_runs_release(&against->saved);
}

/* ---- One run beside the saved one ---- */

struct beside {
  const struct tune_against *against;
  struct output *output;
  struct hone_results *results[2]; /* saved, new */
  struct hone_comparison *comparison;
};

static void add_interval(struct table *table, double low, double high)
{
  if (isfinite(low) && isfinite(high))
    table_format(table, "%.3f to %.3f", low, high);
  else
    table_cell(table, "too few samples");
}

static const char *config_of(const struct hone_result_row *row)
{
  const char *spec = row ? hone_result_row_spec(row) : "";
  const char *slash = strchr(spec, '/');

  return slash ? slash + 1 : spec;
}

/* The best of both, which may be different configurations. */
static void add_best(const struct compare_view *view, struct table *table)
{
  const struct hone_compared *before = hone_comparison_at(view->comparison, 0),
                             *now = hone_comparison_at(view->comparison, 1);
  const char *was = config_of(hone_compared_best(before)), *is = config_of(hone_compared_best(now));
  double ratio = hone_compared_best_ratio(now);

  if (isnan(ratio)) ratio = hone_compared_best_value(now) / hone_compared_best_value(before);
  table_cell(table, "the best");
  if (strcmp(was, is) == 0)
    table_cell(table, is);
  else
    table_format(table, "%s, was %s", is, was);
  compare_add_value(view, hone_compared_best_value(before), table);
  compare_add_value(view, hone_compared_best_value(now), table);
  table_format(table, "%.3f", ratio);
  add_interval(table, hone_compared_best_low(now), hone_compared_best_high(now));
  table_cell(table, hone_compared_best_change(now) == HONE_CHANGE_NONE
                        ? compare_verdict(view, ratio)
                        : hone_change_name(hone_compared_best_change(now)));
}

static void add_baseline(const struct compare_view *view, struct table *table)
{
  for (size_t i = 0; i < hone_comparison_row_count(view->comparison); i++) {
    const struct hone_compared_row *row = hone_comparison_row(view->comparison, i);
    const struct hone_result_row *first = hone_compared_row_row(row, 0);
    if (!first || !hone_compared_row_row(row, 1) || !hone_result_row_is_baseline(first)) continue;
    table_cell(table, "the baseline");
    table_cell(table, config_of(first));
    compare_add_value(view, hone_compared_row_value(row, 0), table);
    compare_add_value(view, hone_compared_row_value(row, 1), table);
    table_format(table, "%.3f", hone_compared_row_ratio(row, 1));
    add_interval(table, hone_compared_row_low(row, 1), hone_compared_row_high(row, 1));
    table_cell(table, compare_row_verdict(view, row, 1));
    return;
  }
}

static void print_table(const struct compare_view *view)
{
  struct table table;

  table_open(&table, 2);
  table_column(&table, "", 0);
  table_column(&table, "", 0);
  table_column(&table, view->labels[0], TABLE_RIGHT);
  table_column(&table, view->labels[1], TABLE_RIGHT);
  table_column(&table, "ratio", TABLE_RIGHT);
  table_column(&table, "interval", 0);
  table_column(&table, "", 0);
  add_best(view, &table);
  add_baseline(view, &table);
  table_print(&table, view->output, terminal_width());
  table_close(&table);
}

static void print_head(const struct beside *beside)
{
  const char *problem = hone_results_problem(beside->results[1]);

  output_text(beside->output, "\n");
  output_style(beside->output, STYLE_BOLD);
  output_text(beside->output, "against ");
  visible_text(beside->output, beside->against->settings->against);
  output_style(beside->output, STYLE_PLAIN);
  output_format(beside->output, ", run %" PRId64, hone_results_run(beside->results[0]));
  if (problem && *problem) output_text(beside->output, ": ");
  if (problem) visible_text(beside->output, problem);
  output_text(beside->output, "\n");
}

static bool warn_of_differences(const struct beside *beside)
{
  struct hone_differences *differences =
      hone_results_differences(beside->results[0], beside->results[1]);
  size_t count = hone_differences_count(differences);

  for (size_t i = 0; i < count; i++)
    message_note("warning: different %s: '%s' in '%s', '%s' now",
                 hone_subject_name(hone_differences_subject(differences, i)),
                 hone_differences_first(differences, i), beside->against->settings->against,
                 hone_differences_second(differences, i));
  hone_differences_free(differences);
  return count > 0;
}

static enum exit_code judge(const struct beside *beside, const char *const *labels)
{
  const struct slower_check check = {.comparison = beside->comparison,
                                     .labels = labels,
                                     .limit = beside->against->settings->fail_if_slower,
                                     .only_best = true};

  if (warn_of_differences(beside) && !isnan(check.limit)) {
    message_error("'--fail-if-slower' compares only the same kernel, problem, objective, device "
                  "and machine");
    return CLI_FAILED;
  }
  return compare_check_slower(&check);
}

static enum exit_code show(const struct beside *beside)
{
  char label[32];
  const char *labels[] = {beside->against->settings->against, label};
  struct compare_view view = {.output = beside->output,
                              .comparison = beside->comparison,
                              .results = (const struct hone_results *const *)beside->results,
                              .labels = labels,
                              .threshold = 0.05};

  snprintf(label, sizeof label, "run %" PRId64, hone_results_run(beside->results[1]));
  if (beside->against->settings->format == TUNE_TEXT) {
    print_head(beside);
    print_table(&view);
    compare_print_sums(&view);
    output_format(beside->output, "every configuration: hone compare %s %" PRId64 "\n",
                  beside->against->settings->against, hone_results_run(beside->results[1]));
    output_flush(beside->output);
  }
  return judge(beside, labels);
}

static hone_status load_saved(struct beside *beside, struct hone_store *store, int64_t saved)
{
  struct hone_compare_options options;
  hone_status status = hone_results_load(store, saved, &beside->results[0]);

  hone_compare_options_init(&options);
  for (size_t i = 0; i < 2 && !status; i++)
    status = hone_results_load_samples(store, beside->results[i]);
  if (!status)
    status = hone_results_compare((const struct hone_results *const *)beside->results, 2, &options,
                                  &beside->comparison);
  return status;
}

/* Devices of a kind that was not there before have nothing to be compared with. */
static enum exit_code complain_of_none(const struct beside *beside)
{
  bool must_know = !isnan(beside->against->settings->fail_if_slower);

  (must_know ? message_error : message_note)("'%s' has no run to compare run %" PRId64 " with",
                                             beside->against->settings->against,
                                             hone_results_run(beside->results[1]));
  return must_know ? CLI_FAILED : CLI_DONE;
}

static enum exit_code judge_run(const struct tune_against *against, struct hone_store *store,
                                struct output *output, int64_t run)
{
  struct beside beside = {.against = against, .output = output};
  hone_status status = hone_results_load(store, run, &beside.results[1]);
  enum exit_code code = CLI_DONE;
  int64_t saved = 0;

  if (!status) status = saved_runs_choose(store, &against->saved, beside.results[1], &saved);
  if (!status && saved == run)
    message_note("run %" PRId64 " is '%s' itself: nothing has changed since; use --fresh to "
                 "measure again",
                 run, against->settings->against);
  else if (!status && !saved)
    code = complain_of_none(&beside);
  else if (!status) {
    status = load_saved(&beside, store, saved);
    if (!status) code = show(&beside);
  }
  if (status) code = message_status(status);
  hone_comparison_free(beside.comparison);
  hone_results_free(beside.results[0]);
  hone_results_free(beside.results[1]);
  return code;
}

enum exit_code tune_against_judge(const struct tune_against *against,
                                  const struct hone_tuning *tuning)
{
  const struct tune_settings *settings = against->settings;
  struct hone_store *store = NULL;
  struct output output;
  hone_status status;
  enum exit_code code = CLI_DONE;

  if (!settings->against) return CLI_DONE;
  status = hone_store_open(settings->store, &store);
  if (status) return message_status(status);
  output_open(&output, STDOUT_FILENO,
              terminal_has_color((enum color_mode)settings->common.color, STDOUT_FILENO));
  for (size_t i = 0; i < hone_tuning_count(tuning); i++) {
    enum exit_code one = judge_run(against, store, &output, hone_tuning_run(tuning, i));
    if (code == CLI_DONE) code = one;
  }
  hone_store_free(store);
  return output_close(&output) || code != CLI_DONE ? code : CLI_FAILED;
}

/* ---- Saving ---- */

enum exit_code tune_against_save(const struct tune_settings *settings,
                                 const struct hone_tuning *tuning)
{
  size_t count = hone_tuning_count(tuning), replaced = 0;
  int64_t *runs;
  hone_status status;

  if (!settings->save_baseline || !count) return CLI_DONE;
  runs = check_memory(calloc(count, sizeof *runs));
  for (size_t i = 0; i < count; i++)
    runs[i] = hone_tuning_run(tuning, i);
  status =
      hone_store_save_baseline(settings->store, settings->save_baseline, runs, count, &replaced);
  if (!status)
    message_note("saved %s%" PRId64 "%s as '%s'%s", count == 1 ? "run " : "runs from ", runs[0],
                 count == 1 ? "" : " on", settings->save_baseline,
                 replaced ? ", replacing an older one" : "");
  free(runs);
  return status ? message_status(status) : CLI_DONE;
}
