/* Random search without repetition over N working configurations has, after m of them, found the
 * one of rank m (N + 1) / (m + 1) from the slow end, on average. This formula, in both directions,
 * is the only place where randomness is used; failed configurations take part by what they cost
 * alone. */
#include "replay/score.h"

#include <math.h>
#include <stdlib.h>

static int compare_descending(const void *first, const void *second)
{
  double a = *(const double *)first, b = *(const double *)second;

  return (a < b) - (a > b);
}

static double median_of_sorted(const double *values, size_t count)
{
  if (!count) return NAN;
  return (values[(count - 1) / 2] + values[count / 2]) / 2;
}

static double median_cost(const struct hone__recording *recording)
{
  double *costs = hone__alloc(recording->count * sizeof *costs);
  double median;

  for (size_t i = 0; i < recording->count; i++)
    costs[i] = recording->at[i].cost_s;
  qsort(costs, recording->count, sizeof *costs, compare_descending);
  median = median_of_sorted(costs, recording->count);
  free(costs);
  return median;
}

static void take_times(const struct hone__recording *recording, struct hone__score_scale *scale)
{
  scale->descending_ms = hone__alloc(recording->count * sizeof *scale->descending_ms);
  for (size_t i = 0; i < recording->count; i++)
    if (hone__outcome_works(recording->at[i].outcome) && isfinite(recording->at[i].time_ms))
      scale->descending_ms[scale->count++] = recording->at[i].time_ms;
  qsort(scale->descending_ms, scale->count, sizeof *scale->descending_ms, compare_descending);
}

/* Evaluations that random search needs for `share` of the way from the median to the optimum. */
static uint64_t evaluations_to(const struct hone__score_scale *scale, double share)
{
  double target = scale->best_ms + (scale->median_ms - scale->best_ms) * (1 - share);
  size_t rank = 0;
  double evaluations;

  while (rank + 1 < scale->count && scale->descending_ms[rank] > target)
    rank++;
  if (scale->descending_ms[rank] == scale->best_ms && rank > 0) rank--;
  evaluations = ceil((double)rank / (double)(scale->count + 1 - rank));
  return evaluations < 1 ? 1 : (uint64_t)evaluations;
}

void hone__score_points(double first_s, double last_s, double *out_points)
{
  for (int i = 0; i < HONE__SCORE_POINTS; i++)
    out_points[i] = first_s + (last_s - first_s) * i / (HONE__SCORE_POINTS - 1);
}

void hone__score_scale(const struct hone__recording *recording, struct hone__score_scale *out_scale)
{
  struct hone__score_scale *scale = out_scale;

  *scale = (struct hone__score_scale){0};
  take_times(recording, scale);
  if (!scale->count) HONE__BUG("a score of a recording in which nothing works");
  scale->best_ms = scale->descending_ms[scale->count - 1];
  scale->median_ms = median_of_sorted(scale->descending_ms, scale->count);
  scale->evaluation_s = median_cost(recording);
  scale->first = evaluations_to(scale, 0.01);
  scale->last = evaluations_to(scale, 0.95);
  hone__score_points((double)scale->first * scale->evaluation_s,
                     (double)scale->last * scale->evaluation_s, scale->at_s);
}

void hone__score_scale_release(struct hone__score_scale *scale)
{
  free(scale->descending_ms);
  *scale = (struct hone__score_scale){0};
}

/* What random search has found at a time; halves are rounded to even numbers, as in the metric's
 * own programs. */
static double random_at(const struct hone__score_scale *scale, double at_s)
{
  double evaluations = scale->evaluation_s > 0 ? nearbyint(at_s / scale->evaluation_s) : 1;
  double rank;

  if (!(evaluations > 1)) evaluations = 1;
  rank = nearbyint(evaluations * (double)(scale->count + 1) / (evaluations + 1));
  if (!(rank < (double)scale->count)) return scale->best_ms;
  return scale->descending_ms[(size_t)rank];
}

void hone__score_curve(const struct hone__score_scale *scale, const double *points,
                       const struct hone__replay_step *steps, size_t count, double stretch,
                       double *out_curve)
{
  double best = INFINITY;
  size_t next = 0;

  for (int i = 0; i < HONE__SCORE_POINTS; i++) {
    for (; next < count && steps[next].at_s * stretch <= points[i]; next++)
      if (steps[next].time_ms < best) best = steps[next].time_ms;
    out_curve[i] = best < INFINITY ? best : fmax(scale->median_ms, random_at(scale, points[i]));
  }
}

double hone__score(const struct hone__score_scale *scale, const double *points,
                   const double *mean_curve)
{
  double sum = 0;
  int counted = 0;

  for (int i = 0; i < HONE__SCORE_POINTS; i++) {
    double random = random_at(scale, points[i]);
    if (!(random > scale->best_ms)) continue;
    sum += (random - mean_curve[i]) / (random - scale->best_ms);
    counted++;
  }
  return counted ? sum / counted : NAN;
}
