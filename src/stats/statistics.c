#include "stats/statistics.h"

#include "base/memory.h"
#include "base/status.h"
#include "base/sorting.h"

#include <math.h>
#include <stdlib.h>

static double *sorted(const double *values, size_t count)
{
  double *copy = hone__alloc(count * sizeof *copy);

  memcpy(copy, values, count * sizeof *copy);
  qsort(copy, count, sizeof *copy, hone__by_number);
  return copy;
}

double hone__quantile(const double *values, size_t count, double share)
{
  double *order, at = share * (double)(count - 1), result;
  size_t below;

  HONE__ASSERT(share >= 0 && share <= 1);
  if (!count) return NAN;
  order = sorted(values, count);
  below = (size_t)floor(at);
  result = order[below];
  if (below + 1 < count) result += (at - (double)below) * (order[below + 1] - order[below]);
  free(order);
  return result;
}

double hone__median(const double *values, size_t count)
{
  return hone__quantile(values, count, 0.5);
}

/* lgamma sets a variable that all threads share. */
static double log_gamma(double x)
{
  int sign;

  return lgamma_r(x, &sign);
}

double hone__sign_chance(size_t wins, size_t trials)
{
  double n = (double)trials, chance = 0;

  for (size_t i = 0; i <= wins && i <= trials; i++) {
    double k = (double)i;
    chance += exp(log_gamma(n + 1) - log_gamma(k + 1) - log_gamma(n - k + 1) - n * M_LN2);
  }
  return fmin(chance, 1);
}

/* The largest j with P(Binomial(count, 1/2) <= j - 1) <= tail; 0: there is none. */
static size_t order_of_bound(size_t count, double tail)
{
  size_t j = 0;

  while (j < count / 2 && hone__sign_chance(j, count) <= tail)
    j++;
  return j;
}

struct hone__estimate hone__median_interval(const double *values, size_t count, double confidence)
{
  struct hone__estimate estimate = {hone__median(values, count), -INFINITY, INFINITY};
  size_t j = order_of_bound(count, (1 - confidence) / 2);
  double *order;

  HONE__ASSERT(confidence > 0 && confidence <= 1 && j <= count / 2);
  if (!j) return estimate;
  order = sorted(values, count);
  estimate.low = order[j - 1];
  estimate.high = order[count - j];
  free(order);
  return estimate;
}

double hone__covering_bound(double bound, int64_t restarts)
{
  return restarts >= HONE__LEAST_RESTARTS ? bound : NAN;
}

double hone__sign_evidence(size_t wins, size_t trials)
{
  double s = (double)wins, n = (double)trials;

  HONE__ASSERT(wins <= trials);
  /* The integral of the likelihood over (1/2, 1), where its density is 2: a part of the beta
   * function, which is a tail of tosses. */
  return (n + 1) * M_LN2 + log_gamma(s + 1) + log_gamma(n - s + 1) - log_gamma(n + 2) +
         log(hone__sign_chance(wins, trials + 1));
}

/* ---- Student's t ---- */

/* The substitution t = sqrt(n) tan(x) makes the density cos^(n-1): smooth, and on a finite
 * interval. */
static double t_density(double x, double freedom)
{
  return pow(fmax(cos(x), 0), freedom - 1);
}

/* The integral of the density from x on, by Simpson's rule. */
static double t_rest(double x, double freedom)
{
  enum { STEPS = 100 };
  double width = (M_PI_2 - x) / STEPS, sum = 0;

  for (int i = 0; i <= STEPS; i++)
    sum += (i == 0 || i == STEPS ? 1 : i % 2 ? 4 : 2) * t_density(x + i * width, freedom);
  return sum * width / 3;
}

/* The t that a sample exceeds with this chance. Newton's steps from the middle never go too far:
 * the density falls. */
static double t_quantile(double chance, double freedom)
{
  enum { MOST_STEPS = 100 };
  double whole = 2 * t_rest(0, freedom), x = 0;

  HONE__ASSERT(chance > 0 && chance < 1 && freedom >= 1);
  for (int i = 0; i < MOST_STEPS; i++) {
    double density = t_density(x, freedom);
    double step = density > 0 ? (t_rest(x, freedom) - chance * whole) / density : 0;
    if (step <= 1e-12) break;
    x += step;
  }
  return sqrt(freedom) * tan(x);
}

double hone__mean_bound(const double *values, size_t count, double chance, int side)
{
  double mean = 0, square = 0, n = (double)count;

  if (count < 2) return side * INFINITY;
  for (size_t i = 0; i < count; i++)
    mean += values[i] / n;
  for (size_t i = 0; i < count; i++)
    square += (values[i] - mean) * (values[i] - mean) / (n - 1);
  return mean + side * t_quantile(chance, n - 1) * sqrt(square / n);
}

struct group {
  double mean, square; /* the square of the mean's standard error */
};

static struct group group_of(const double *values, size_t count)
{
  struct group group = {0, 0};
  double n = (double)count;

  for (size_t i = 0; i < count; i++)
    group.mean += values[i] / n;
  for (size_t i = 0; i < count; i++)
    group.square += (values[i] - group.mean) * (values[i] - group.mean) / (n - 1) / n;
  return group;
}

struct hone__estimate hone__welch_interval(const double *first, size_t first_count,
                                           const double *second, size_t second_count,
                                           double confidence)
{
  struct group a = group_of(first, first_count), b = group_of(second, second_count);
  double value = b.mean - a.mean, square = a.square + b.square, freedom, reach = 0;

  if (first_count < 2 || second_count < 2)
    return (struct hone__estimate){value, -INFINITY, INFINITY};
  if (square > 0) {
    freedom = square * square /
              (a.square * a.square / (double)(first_count - 1) +
               b.square * b.square / (double)(second_count - 1));
    reach = t_quantile((1 - confidence) / 2, freedom) * sqrt(square);
  }
  return (struct hone__estimate){value, value - reach, value + reach};
}
