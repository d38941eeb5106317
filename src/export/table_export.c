/* All evaluations of a run as a table: CSV with a column for each parameter, and Markdown. A sweep
 * of programs has their columns instead: kbench's CSV. */
#include "export/formatting.h"

#include "base/csv.h"
#include "base/number.h"
#include "base/sorting.h"
#include "export/evaluation_list.h"
#include "results/results.h"
#include "spec/value.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void add_number(struct hone__text *text, double number)
{
  char digits[64];

  if (!isfinite(number)) return;
  hone_value_print((struct hone_value){.type = HONE_FLOAT, .real = number}, digits, sizeof digits);
  hone__text_add(text, digits);
}

static bool is_winner(const struct hone__export_evaluation_list *list,
                      const struct hone__listed_evaluation *item)
{
  const char *winner = list->run.result.winner;

  return winner && strcmp(winner, item->stored.evaluation.config) == 0;
}

/* ---- CSV ---- */

static const char *const last_columns[] = {"outcome", "met (ms)", "speedup", "low",
                                           "high",    "verdict",  "device",  "suspicious"};

static void add_field(struct hone__text *text, const char *field)
{
  if (text->length && text->data[text->length - 1] != '\n') hone__text_add(text, ",");
  hone__csv_quote(text, field ? field : "");
}

static void add_number_field(struct hone__text *text, double number)
{
  hone__text_add(text, ",");
  add_number(text, number);
}

/* "gemm/BM=64/BN=32", by which readers know the configuration. */
static void add_spec(struct hone__text *text, const char *kernel,
                     const struct hone__listed_evaluation *item)
{
  struct hone__text spec = {0};

  hone__text_add(&spec, kernel ? kernel : "");
  for (size_t i = 0; i < item->param_count; i++)
    hone__text_addf(&spec, "/%s%s=%s", item->params[i].is_runtime ? "$" : "", item->params[i].name,
                    item->params[i].value);
  add_field(text, spec.data);
  hone__text_release(&spec);
}

static void add_head(const struct hone__export_evaluation_list *list, bool has_pareto,
                     struct hone__text *text)
{
  add_field(text, "spec");
  for (size_t i = 0; i < list->names.count; i++)
    add_field(text, list->names.data[i]);
  for (size_t i = 0; i < sizeof last_columns / sizeof *last_columns; i++)
    add_field(text, last_columns[i]);
  for (size_t i = 0; i < list->metrics.count; i++)
    add_field(text, list->metrics.data[i]);
  if (has_pareto) add_field(text, "pareto");
  hone__text_add(text, "\n");
}

static void add_value(struct hone__text *text, const char *value)
{
  double number;

  if (value && hone__csv_number(value, &number)) {
    hone__text_addf(text, ",%s", value);
    return;
  }
  add_field(text, value);
}

static void add_line(const struct hone__export_evaluation_list *list,
                     const struct hone__listed_evaluation *item, struct hone__text *text)
{
  const struct hone__evaluation *evaluation = &item->stored.evaluation;

  add_spec(text, list->run.record.name, item);
  for (size_t i = 0; i < list->names.count; i++)
    add_value(text, hone__listed_value(item, list->names.data[i]));
  add_field(text, hone_outcome_name(evaluation->outcome));
  add_number_field(text, item->measured.time_ns / 1e6);
  add_number_field(text, item->measured.speedup);
  add_number_field(text, item->measured.low);
  add_number_field(text, item->measured.high);
  add_field(text, hone_verdict_name(item->measured.verdict));
  add_field(text, evaluation->device);
  add_field(text, evaluation->suspicious);
  for (size_t i = 0; i < list->metrics.count; i++)
    add_number_field(text, hone__listed_metric(item, list->metrics.data[i]));
}

/* ---- The Pareto set ---- */

static bool has_params(const struct hone_result_row *row,
                       const struct hone__listed_evaluation *item)
{
  if (row->params.count != item->param_count) return false;
  for (size_t i = 0; i < row->params.count; i++) {
    const char *value = hone__listed_value(item, row->params.at[i].name);
    if (!value || strcmp(value, row->params.at[i].value) != 0) return false;
  }
  return true;
}

static void add_membership(const struct hone_results *results,
                           const struct hone__listed_evaluation *item, struct hone__text *text)
{
  bool is_member = false;

  for (size_t i = 0; i < results->row_count && !is_member; i++)
    is_member = results->rows[i].is_pareto && has_params(&results->rows[i], item);
  hone__text_add(text, is_member ? ",True" : ",False");
}

static void write_csv(const struct hone__export_evaluation_list *list,
                      const struct hone_results *results, struct hone__text *text)
{
  add_head(list, results->has_pareto, text);
  for (size_t i = 0; i < list->count; i++) {
    add_line(list, &list->items[i], text);
    if (results->has_pareto) add_membership(results, &list->items[i], text);
    hone__text_add(text, "\n");
  }
}

static hone_status write_sweep(const struct hone_results *results, struct hone__text *text)
{
  char *csv = NULL;
  hone_status status = hone_results_print(results, HONE_RESULTS_CSV, &csv);

  if (!status) hone__text_add(text, csv);
  free(csv);
  return status;
}

hone_status hone__export_csv(struct hone__formatting *formatting)
{
  struct hone__export_evaluation_list list = {0};
  struct hone_results *results = NULL;
  hone_status status = hone_results_load(formatting->store, formatting->runs[0], &results);

  if (!status)
    status = hone__export_evaluation_list_load(formatting->store, formatting->runs[0], &list);
  if (!status && hone__is_sweep(list.run.record.strategy) && !list.run.record.imported)
    status = write_sweep(results, &formatting->text);
  else if (!status)
    write_csv(&list, results, &formatting->text);
  hone__export_evaluation_list_release(&list);
  hone_results_free(results);
  return status;
}

/* ---- Markdown ---- */

/* A cell: what would end it or its line is replaced. */
static void add_cell(struct hone__text *text, const char *cell)
{
  hone__text_add(text, " ");
  for (; cell && *cell; cell++) {
    if (*cell == '|') hone__text_add(text, "\\");
    hone__text_addn(text, (unsigned char)*cell < ' ' ? " " : cell, 1);
  }
  hone__text_add(text, " |");
}

static void add_ratio_cell(struct hone__text *text, double ratio, const char *unit)
{
  char digits[64], cell[80];

  if (isfinite(ratio))
    hone__print_real(digits, sizeof digits, 'f', 2, ratio);
  else
    *digits = 0;
  snprintf(cell, sizeof cell, "%s%s", digits, *digits ? unit : "");
  add_cell(text, cell);
}

static void add_markdown_head(const struct hone__export_evaluation_list *list,
                              struct hone__text *text)
{
  static const char *const columns[] = {"outcome", "time", "speedup", "from", "to", ""};

  hone__text_add(text, "|");
  for (size_t i = 0; i < list->names.count; i++)
    add_cell(text, list->names.data[i]);
  for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
    add_cell(text, columns[i]);
  hone__text_add(text, "\n|");
  for (size_t i = 0; i < list->names.count; i++)
    hone__text_add(text, "---|");
  hone__text_add(text, "---|---:|---:|---:|---:|---|\n");
}

/* What a row is, or how far its figures can be relied on. */
static const char *mark_of(const struct hone__export_evaluation_list *list,
                           const struct hone__listed_evaluation *item)
{
  bool is_proved = list->run.result.verdict == HONE_VERDICT_IMPROVED;

  if (item->stored.evaluation.suspicious) return "SUSPICIOUS";
  if (is_winner(list, item) && item->stored.confirmed)
    return is_proved ? "winner" : "best, not proved";
  if (item->stored.evaluation.is_baseline) return "baseline";
  if (item->is_tied) return is_proved ? "tied with the winner" : "tied with the best";
  return isfinite(item->measured.time_ns) && item->measured.basis == HONE_BASIS_SCREENING
             ? "screening"
             : "";
}

static void add_markdown_row(const struct hone__export_evaluation_list *list,
                             const struct hone__listed_evaluation *item, struct hone__text *text)
{
  const struct hone__evaluation *evaluation = &item->stored.evaluation;
  char time[64] = "";

  hone__text_add(text, "|");
  for (size_t i = 0; i < list->names.count; i++)
    add_cell(text, hone__listed_value(item, list->names.data[i]));
  add_cell(text, hone_outcome_name(evaluation->outcome));
  if (isfinite(item->measured.time_ns)) hone__print_time(time, sizeof time, item->measured.time_ns);
  add_cell(text, time);
  add_ratio_cell(text, item->measured.speedup, "x");
  add_ratio_cell(text, item->measured.low, "");
  add_ratio_cell(text, item->measured.high, "");
  add_cell(text, mark_of(list, item));
  hone__text_add(text, "\n");
}

/* The winner first, confirmed ones before others, failures last. */
static int by_speed(const void *a, const void *b)
{
  const struct hone__listed_evaluation *x = a, *y = b;
  int order = hone__measured_compare(&x->measured, &y->measured);

  if (isnan(x->measured.time_ns) || isnan(y->measured.time_ns))
    return isnan(x->measured.time_ns) - isnan(y->measured.time_ns);
  if (order) return order;
  if (isnan(x->measured.speedup) || isnan(y->measured.speedup)) /* there is no baseline */
    return (x->measured.time_ns > y->measured.time_ns) -
           (x->measured.time_ns < y->measured.time_ns);
  return (x->measured.speedup < y->measured.speedup) - (x->measured.speedup > y->measured.speedup);
}

static void add_title(const struct hone__export_evaluation_list *list,
                      const struct hone__tuned *tuned, struct hone__text *text)
{
  if (text->length) hone__text_add(text, "\n");
  hone__text_addf(text, "## %s", tuned->kernel);
  if (*tuned->problem) hone__text_addf(text, ", %s", tuned->problem);
  hone__text_addf(text, "\n\nRun %lld", (long long)tuned->run);
  if (*tuned->device) hone__text_addf(text, " on %s", tuned->device);
  if (*tuned->date) hone__text_addf(text, ", %s UTC", tuned->date);
  if (list->run.result.verdict != HONE_VERDICT_NONE) {
    hone__text_addf(text, ": **%s**", hone_verdict_name(list->run.result.verdict));
    hone__text_add(text, ", speedup ");
    hone__tuned_print_speedup(tuned, text);
  }
  hone__text_add(text, ".");
  if (tuned->unproved) hone__text_addf(text, " Nothing is proved: %s.", tuned->unproved);
  hone__text_add(text, "\n\n");
}

static hone_status write_markdown(struct hone__formatting *formatting, int64_t run)
{
  struct hone__export_evaluation_list list = {0};
  struct hone__tuned tuned;
  hone_status status = hone__export_evaluation_list_load(formatting->store, run, &list);

  if (!status) status = hone__tuned_load(formatting->store, run, NULL, &formatting->arena, &tuned);
  if (!status) {
    qsort(list.items, list.count, sizeof *list.items, by_speed);
    add_title(&list, &tuned, &formatting->text);
    add_markdown_head(&list, &formatting->text);
    for (size_t i = 0; i < list.count; i++)
      add_markdown_row(&list, &list.items[i], &formatting->text);
  }
  hone__export_evaluation_list_release(&list);
  return status;
}

hone_status hone__export_markdown(struct hone__formatting *formatting)
{
  hone_status status = NULL;

  for (size_t i = 0; i < formatting->count && !status; i++)
    status = write_markdown(formatting, formatting->runs[i]);
  return status;
}
