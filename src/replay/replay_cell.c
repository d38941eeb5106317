/* Runs are done in any order and summed up in theirs, so that sums do not depend on threads. */
#include "replay/replay_cell.h"

#include "base/sorting.h"

#include <math.h>
#include <stdlib.h>

enum { LATE_FIRST = 950, LATE_LAST = 1050 }; /* around the 1000th step */

/* ---- One run ---- */

/* Of a run without any that works: the slowest there is. */
static double final_ms(const struct hone__replay_ground *ground,
                       const struct hone__replay_trace *trace)
{
  const struct hone__score_scale *scale = &ground->scale;
  double end_s = ground->has_budget ? INFINITY : scale->at_s[HONE__SCORE_POINTS - 1];
  double best = scale->descending_ms[0];

  for (size_t i = 0; i < trace->count; i++)
    if (trace->steps[i].at_s <= end_s && trace->steps[i].time_ms < best)
      best = trace->steps[i].time_ms;
  return best;
}

void hone__replay_run_take(const struct hone__replay_ground *ground,
                           const struct hone__replay_trace *trace, struct hone__replay_run *out_run)
{
  const struct hone__score_scale *scale = &ground->scale;
  struct hone__replay_run *run = out_run;

  *run = (struct hone__replay_run){.is_done = true, .count = trace->count};
  run->curves = hone__alloc(HONE__REPLAY_CURVES * sizeof *run->curves);
  hone__score_curve(scale, scale->at_s, trace->steps, trace->count, 1,
                    run->curves[HONE__CURVE_METRIC]);
  hone__score_curve(scale, scale->at_s, trace->steps, trace->count, (double)ground->outstanding,
                    run->curves[HONE__CURVE_WORK]);
  hone__score_curve(scale, ground->budget_at_s, trace->steps, trace->count, 1,
                    run->curves[HONE__CURVE_BUDGET]);
  run->own_ms = hone__alloc((trace->count + 1) * sizeof *run->own_ms);
  for (size_t i = 0; i < trace->count; i++) {
    run->own_ms[i] = (float)(1e3 * trace->own_s[i]);
    run->own_s += trace->own_s[i];
  }
  run->evaluated_s = trace->evaluated_s;
  run->final_ms = final_ms(ground, trace);
}

static void release_run(struct hone__replay_run *run)
{
  free(run->curves);
  free(run->own_ms);
  *run = (struct hone__replay_run){0};
}

/* ---- All of them ---- */

static int compare_floats(const void *first, const void *second)
{
  float a = *(const float *)first, b = *(const float *)second;

  return (a > b) - (a < b);
}

/* Of the steps from `first` to `last`, which are counted from 1, of all runs. */
static double median_own_ms(const struct hone__replay_run *runs, size_t count, size_t first,
                            size_t last)
{
  size_t total = 0, used = 0;
  double median = NAN;
  float *all;

  for (size_t i = 0; i < count; i++)
    total += runs[i].count;
  all = hone__alloc((total + 1) * sizeof *all);
  for (size_t i = 0; i < count; i++)
    for (size_t step = first; step <= last && step <= runs[i].count; step++)
      all[used++] = runs[i].own_ms[step - 1];
  qsort(all, used, sizeof *all, compare_floats);
  if (used) median = ((double)all[(used - 1) / 2] + (double)all[used / 2]) / 2;
  free(all);
  return median;
}

static double most_own_ms(const struct hone__replay_run *runs, size_t count)
{
  double most = NAN;

  for (size_t i = 0; i < count; i++)
    for (size_t step = 0; step < runs[i].count; step++)
      most = fmax(most, (double)runs[i].own_ms[step]);
  return most;
}

static double score(const struct hone__replay_ground *ground, const struct hone__replay_run *runs,
                    size_t count, size_t done, enum hone__replay_curve curve)
{
  const double *points = curve == HONE__CURVE_BUDGET ? ground->budget_at_s : ground->scale.at_s;
  double mean[HONE__SCORE_POINTS] = {0};

  for (size_t i = 0; i < count; i++)
    for (int k = 0; runs[i].is_done && k < HONE__SCORE_POINTS; k++)
      mean[k] += runs[i].curves[curve][k];
  for (int k = 0; k < HONE__SCORE_POINTS; k++)
    mean[k] /= (double)done;
  return hone__score(&ground->scale, points, mean);
}

struct sums {
  size_t runs, optima;
  double steps, final, own_s, evaluated_s, cpu_s;
};

static struct sums add_up(const struct hone__replay_ground *ground,
                          const struct hone__replay_run *runs, size_t count)
{
  struct sums sums = {0};

  for (size_t i = 0; i < count; i++) {
    const struct hone__replay_run *run = &runs[i];
    if (!run->is_done) continue;
    sums.runs++;
    sums.optima += run->final_ms <= ground->scale.best_ms;
    sums.steps += (double)run->count;
    sums.final += run->final_ms / ground->scale.best_ms;
    sums.own_s += run->own_s;
    sums.evaluated_s += run->evaluated_s;
    sums.cpu_s += run->cpu_s;
  }
  return sums;
}

static double ratio(double above, double below)
{
  return below > 0 ? above / below : NAN;
}

static void fill_cell(const struct hone__replay_ground *ground, const struct hone__replay_run *runs,
                      size_t count, struct hone_replay_cell *cell)
{
  struct sums sums = add_up(ground, runs, count);
  double done = (double)sums.runs;

  *cell = (struct hone_replay_cell){
      .runs = sums.runs,
      .p = score(ground, runs, count, sums.runs, HONE__CURVE_METRIC),
      .p_work = score(ground, runs, count, sums.runs, HONE__CURVE_WORK),
      .evaluations = ratio(sums.steps, done),
      .final_over_best = ratio(sums.final, done),
      .optimum_share = ratio((double)sums.optima, done),
      .overhead_ms = median_own_ms(runs, count, 1, SIZE_MAX),
      .overhead_mean_ms = ratio(1e3 * sums.own_s, sums.steps),
      .overhead_late_ms = median_own_ms(runs, count, LATE_FIRST, LATE_LAST),
      .overhead_most_ms = most_own_ms(runs, count),
      .overhead_share = ratio(sums.own_s, sums.evaluated_s),
      .rate = ratio(sums.steps, sums.cpu_s),
  };
  cell->p_budget =
      ground->has_budget ? score(ground, runs, count, sums.runs, HONE__CURVE_BUDGET) : cell->p;
}

/* What is left of the runs' curves. */
static void add_points(const struct hone__replay_ground *ground,
                       const struct hone__replay_run *runs, size_t count,
                       struct hone_replay_cell *cell)
{
  double *times = hone__alloc((count + 1) * sizeof *times);

  if (cell->runs) cell->points = hone__alloc(HONE__SCORE_POINTS * sizeof *cell->points);
  for (size_t k = 0; cell->runs && k < HONE__SCORE_POINTS; k++) {
    double sum = 0;
    size_t used = 0;
    for (size_t i = 0; i < count; i++)
      if (runs[i].is_done) sum += times[used++] = runs[i].curves[HONE__CURVE_METRIC][k];
    qsort(times, used, sizeof *times, hone__by_number);
    cell->points[cell->point_count++] =
        (struct hone_replay_point){.at_s = ground->scale.at_s[k],
                                   .mean_ms = sum / (double)used,
                                   .low_ms = times[used / 10],
                                   .high_ms = times[used - 1 - used / 10]};
  }
  free(times);
}

void hone__replay_cell_sum(const struct hone__replay_ground *ground, struct hone__replay_run *runs,
                           size_t count, struct hone_replay_cell *out_cell)
{
  fill_cell(ground, runs, count, out_cell);
  add_points(ground, runs, count, out_cell);
  for (size_t i = 0; i < count; i++)
    release_run(&runs[i]);
}
