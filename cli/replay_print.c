/* The tables of `hone replay`: one strategy with all its figures, or several by their P. */
#include "replay_command.h"

#include "figures.h"
#include "hone_replay.h"
#include "table.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- Over all recordings ---- */

struct tally {
  double sum, least, most;
  size_t count;
};

static void tally_add(struct tally *tally, double value)
{
  if (isnan(value)) return;
  if (!tally->count || value < tally->least) tally->least = value;
  if (!tally->count || value > tally->most) tally->most = value;
  tally->sum += value;
  tally->count++;
}

static double mean_of(const struct tally *tally)
{
  return tally->count ? tally->sum / (double)tally->count : NAN;
}

static double least_of(const struct tally *tally)
{
  return tally->count ? tally->least : NAN;
}

static double most_of(const struct tally *tally)
{
  return tally->count ? tally->most : NAN;
}

static struct tally tally_of(const struct hone_replay_result *result, size_t strategy,
                             double (*figure)(const struct hone_replay_cell *cell))
{
  struct tally tally = {0};

  for (size_t i = 0; i < hone_replay_result_file_count(result); i++)
    tally_add(&tally, figure(hone_replay_result_cell(result, i, strategy)));
  return tally;
}

struct replay_total replay_total(const struct hone_replay_result *result, size_t strategy)
{
#define TALLY(figure) tally_of(result, strategy, hone_replay_cell_##figure)
  struct tally p = TALLY(p), budget = TALLY(p_budget), work = TALLY(p_work);
  struct tally final = TALLY(final_over_best), optimum = TALLY(optimum_share);
  struct tally overhead = TALLY(overhead_ms), late = TALLY(overhead_late_ms);
  struct tally share = TALLY(overhead_share), rate = TALLY(rate);
#undef TALLY

  return (struct replay_total){
      .p_mean = mean_of(&p),
      .p_worst = least_of(&p),
      .budget_mean = mean_of(&budget),
      .budget_worst = least_of(&budget),
      .work_mean = mean_of(&work),
      .work_worst = least_of(&work),
      .final_mean = mean_of(&final),
      .optimum_mean = mean_of(&optimum),
      .overhead_ms = most_of(&overhead),
      .overhead_late_ms = most_of(&late),
      .overhead_share = most_of(&share),
      .rate = least_of(&rate),
  };
}

/* ---- Figures ---- */

static void number_cell(struct table *table, const char *format, double value)
{
  char text[64] = "";

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  if (!isnan(value)) snprintf(text, sizeof text, format, value);
#pragma GCC diagnostic pop
  table_cell(table, text);
}

static void ratio_cell(struct table *table, double ratio)
{
  number_cell(table, ratio < 1e6 ? "%.3f" : "%.3g", ratio);
}

static void p_cell(struct table *table, double p)
{
  number_cell(table, "%.3f", p);
}

static void percent_cell(struct table *table, double share)
{
  double percent = 100 * share;
  bool is_tiny = percent > 0 && percent < 0.01;

  if (is_tiny)
    table_cell(table, "< 0.01 %");
  else
    number_cell(table, percent > 0 && percent < 1 ? "%.2g %%" : "%.0f %%", percent);
}

static void time_cell(struct table *table, double time_ms)
{
  struct figure figure;

  table_cell(table, figure_time(&figure, 1e6 * time_ms));
}

static bool has_budget(const struct replay_view *view)
{
  return view->options->evaluations || view->options->budget_s > 0;
}

static bool has_work(const struct replay_view *view)
{
  return view->options->outstanding > 1;
}

/* ---- One strategy ---- */

static void single_columns(struct table *table)
{
  table_column(table, "data", 0);
  table_column(table, "configurations", TABLE_RIGHT | TABLE_OPTIONAL);
  table_column(table, "P", TABLE_RIGHT);
  table_column(table, "P(budget)", TABLE_RIGHT);
  table_column(table, "P(work)", TABLE_RIGHT);
  table_column(table, "evaluations", TABLE_RIGHT);
  table_column(table, "final/best", TABLE_RIGHT);
  table_column(table, "optimum", TABLE_RIGHT);
  table_column(table, "own time", TABLE_RIGHT);
  table_column(table, "at 1000", TABLE_RIGHT);
  table_column(table, "share", TABLE_RIGHT);
  table_column(table, "rate", TABLE_RIGHT | TABLE_OPTIONAL);
}

static void single_row(const struct replay_view *view, struct table *table, size_t file)
{
  const struct hone_replay_result *result = view->result;
  const struct hone_replay_cell *cell = hone_replay_result_cell(result, file, 0);

  table_cell(table, hone_replay_file_label(hone_replay_result_file(result, file)));
  table_format(table, "%" PRIu64,
               hone_replay_file_config_count(hone_replay_result_file(result, file)));
  p_cell(table, hone_replay_cell_p(cell));
  p_cell(table, has_budget(view) ? hone_replay_cell_p_budget(cell) : NAN);
  p_cell(table, has_work(view) ? hone_replay_cell_p_work(cell) : NAN);
  number_cell(table, "%.0f", hone_replay_cell_evaluations(cell));
  ratio_cell(table, hone_replay_cell_final_over_best(cell));
  percent_cell(table, hone_replay_cell_optimum_share(cell));
  time_cell(table, hone_replay_cell_overhead_ms(cell));
  time_cell(table, hone_replay_cell_overhead_late_ms(cell));
  percent_cell(table, hone_replay_cell_overhead_share(cell));
  number_cell(table, "%.0f/s", hone_replay_cell_rate(cell));
}

static void single_mean(const struct replay_view *view, struct table *table,
                        const struct replay_total *total)
{
  table_cell(table, "mean");
  table_cell(table, "");
  p_cell(table, total->p_mean);
  p_cell(table, has_budget(view) ? total->budget_mean : NAN);
  p_cell(table, has_work(view) ? total->work_mean : NAN);
  table_cell(table, "");
  ratio_cell(table, total->final_mean);
  percent_cell(table, total->optimum_mean);
  table_end_row(table);
}

static void single_worst(const struct replay_view *view, struct table *table,
                         const struct replay_total *total)
{
  table_cell(table, "worst");
  table_cell(table, "");
  p_cell(table, total->p_worst);
  p_cell(table, has_budget(view) ? total->budget_worst : NAN);
  p_cell(table, has_work(view) ? total->work_worst : NAN);
  for (int i = 0; i < 3; i++)
    table_cell(table, "");
  time_cell(table, total->overhead_ms);
  time_cell(table, total->overhead_late_ms);
  percent_cell(table, total->overhead_share);
  number_cell(table, "%.0f/s", total->rate);
}

static void print_single(const struct replay_view *view)
{
  const struct hone_replay_result *result = view->result;
  struct replay_total total = replay_total(result, 0);
  struct table table;

  table_open(&table, 0);
  single_columns(&table);
  for (size_t i = 0; i < hone_replay_result_file_count(result); i++)
    single_row(view, &table, i);
  if (hone_replay_result_file_count(result) > 1) {
    single_mean(view, &table, &total);
    single_worst(view, &table, &total);
  }
  table_print(&table, view->output, view->width);
  table_close(&table);
}

/* ---- Several strategies, by recording ---- */

static void by_recording(const struct replay_view *view, struct table *table, size_t from,
                         size_t to)
{
  const struct hone_replay_result *result = view->result;

  table_open(table, 0);
  table_column(table, has_budget(view) ? "P(budget)" : "P", 0);
  for (size_t i = from; i < to; i++)
    table_column(table, hone_replay_result_strategy(result, i), TABLE_RIGHT);
  for (size_t file = 0; file < hone_replay_result_file_count(result); file++) {
    table_cell(table, hone_replay_file_label(hone_replay_result_file(result, file)));
    for (size_t i = from; i < to; i++) {
      const struct hone_replay_cell *cell = hone_replay_result_cell(result, file, i);
      p_cell(table, has_budget(view) ? hone_replay_cell_p_budget(cell) : hone_replay_cell_p(cell));
    }
  }
}

/* So many strategies side by side as there is room for; returns the first that is left. */
static size_t print_some_by_recording(const struct replay_view *view, size_t from)
{
  size_t to = hone_replay_result_strategy_count(view->result);
  struct table table;

  by_recording(view, &table, from, to);
  while (!table_fits(&table, view->width) && to > from + 1) {
    table_close(&table);
    by_recording(view, &table, from, --to);
  }
  table_print(&table, view->output, 0);
  table_close(&table);
  output_text(view->output, "\n");
  return to;
}

/* ---- Several strategies, over all recordings ---- */

static bool is_always(const struct replay_view *view)
{
  (void)view;
  return true;
}

enum total_kind { TOTAL_P, TOTAL_RATIO, TOTAL_SHARE, TOTAL_TIME };

static const struct total_column {
  const char *title;
  size_t offset;
  enum total_kind kind;
  bool (*applies)(const struct replay_view *view);
  int flags;
} total_columns[] = {
#define COLUMN(title, field, ...)                                                                  \
  {                                                                                                \
    title, offsetof(struct replay_total, field), __VA_ARGS__                                       \
  }
    COLUMN("P(budget)", budget_mean, TOTAL_P, has_budget, 0),
    COLUMN("worst", budget_worst, TOTAL_P, has_budget, 0),
    COLUMN("mean P", p_mean, TOTAL_P, is_always, 0),
    COLUMN("worst P", p_worst, TOTAL_P, is_always, 0),
    COLUMN("P(work)", work_mean, TOTAL_P, has_work, 0),
    COLUMN("worst", work_worst, TOTAL_P, has_work, 0),
    COLUMN("final/best", final_mean, TOTAL_RATIO, is_always, 0),
    COLUMN("optimum", optimum_mean, TOTAL_SHARE, is_always, 0),
    COLUMN("own time", overhead_ms, TOTAL_TIME, is_always, 0),
    COLUMN("at 1000", overhead_late_ms, TOTAL_TIME, is_always, TABLE_OPTIONAL),
    COLUMN("share", overhead_share, TOTAL_SHARE, is_always, TABLE_OPTIONAL),
#undef COLUMN
};
enum { TOTAL_COLUMNS = sizeof total_columns / sizeof *total_columns };

static void total_cell(struct table *table, enum total_kind kind, double value)
{
  switch (kind) {
  case TOTAL_P: p_cell(table, value); break;
  case TOTAL_RATIO: ratio_cell(table, value); break;
  case TOTAL_SHARE: percent_cell(table, value); break;
  case TOTAL_TIME: time_cell(table, value); break;
  }
}

static void total_row(const struct replay_view *view, struct table *table, size_t strategy)
{
  struct replay_total total = replay_total(view->result, strategy);

  table_cell(table, hone_replay_result_strategy(view->result, strategy));
  for (size_t i = 0; i < TOTAL_COLUMNS; i++) {
    double value;
    if (!total_columns[i].applies(view)) continue;
    memcpy(&value, (const char *)&total + total_columns[i].offset, sizeof value);
    total_cell(table, total_columns[i].kind, value);
  }
}

static double rank_of(const struct replay_view *view, size_t strategy)
{
  struct replay_total total = replay_total(view->result, strategy);
  double rank = has_budget(view) ? total.budget_mean : total.p_mean;

  return isnan(rank) ? -INFINITY : rank;
}

/* By their means, the best first; equals as they were given. */
static void sort_strategies(const struct replay_view *view, size_t *order)
{
  for (size_t i = 0; i < hone_replay_result_strategy_count(view->result); i++) {
    size_t place = i;
    for (; place > 0 && rank_of(view, order[place - 1]) < rank_of(view, i); place--)
      order[place] = order[place - 1];
    order[place] = i;
  }
}

static void print_totals(const struct replay_view *view, const size_t *order)
{
  struct table table;

  table_open(&table, 0);
  table_column(&table, "strategy", 0);
  for (size_t i = 0; i < TOTAL_COLUMNS; i++)
    if (total_columns[i].applies(view))
      table_column(&table, total_columns[i].title, TABLE_RIGHT | total_columns[i].flags);
  for (size_t i = 0; i < hone_replay_result_strategy_count(view->result); i++)
    total_row(view, &table, order[i]);
  table_print(&table, view->output, view->width);
  table_close(&table);
}

static void print_best(const struct replay_view *view, const size_t *order)
{
  const char *what = has_budget(view) ? "P(budget)" : "P";

  if (isinf(rank_of(view, order[0]))) return;
  output_format(view->output, "\nbest: %s, mean %s %.3f",
                hone_replay_result_strategy(view->result, order[0]), what, rank_of(view, order[0]));
  if (hone_replay_result_strategy_count(view->result) > 1 && !isinf(rank_of(view, order[1])))
    output_format(view->output, "; then %s, %.3f",
                  hone_replay_result_strategy(view->result, order[1]), rank_of(view, order[1]));
  output_text(view->output, "\n");
}

/* The mean over one recording is its P. */
static void print_comparison(const struct replay_view *view)
{
  size_t count = hone_replay_result_strategy_count(view->result);
  size_t *order = check_memory(calloc(count + 1, sizeof *order));

  for (size_t i = 0; hone_replay_result_file_count(view->result) > 1 && i < count;)
    i = print_some_by_recording(view, i);
  sort_strategies(view, order);
  print_totals(view, order);
  if (count) print_best(view, order);
  free(order);
}

void replay_print_text(const struct replay_view *view)
{
  if (view->is_comparison)
    print_comparison(view);
  else
    print_single(view);
}
