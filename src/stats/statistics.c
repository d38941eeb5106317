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

double hone__sign_chance(size_t wins, size_t trials)
{
  double n = (double)trials, chance = 0;

  for (size_t i = 0; i <= wins && i <= trials; i++) {
    double k = (double)i;
    chance += exp(lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1) - n * M_LN2);
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
  return (n + 1) * M_LN2 + lgamma(s + 1) + lgamma(n - s + 1) - lgamma(n + 2) +
         log(hone__sign_chance(wins, trials + 1));
}

/* ---- Student's t ---- */

/* P(T > t) by Simpson's rule on the density, whose substitution t = sqrt(n) tan(x) makes it
 * cos^(n-1): smooth, and on a finite interval. */
static double t_tail(double t, double freedom)
{
  enum { STEPS = 100 };
  double from = atan(t / sqrt(freedom)), width = (M_PI_2 - from) / STEPS, sum = 0;
  double scale = exp(lgamma((freedom + 1) / 2) - lgamma(freedom / 2)) / sqrt(M_PI);

  for (int i = 0; i <= STEPS; i++) {
    double weight = i == 0 || i == STEPS ? 1 : i % 2 ? 4 : 2;
    sum += weight * pow(fmax(cos(from + i * width), 0), freedom - 1);
  }
  return scale * sum * width / 3;
}

static double t_quantile(double chance, double freedom)
{
  double low = 0, high = 1;

  HONE__ASSERT(chance > 0 && chance < 1 && freedom >= 1); /* otherwise the search does not end */
  while (t_tail(high, freedom) > chance)
    high *= 2;
  for (int i = 0; i < 40; i++) {
    double middle = (low + high) / 2;
    if (t_tail(middle, freedom) > chance)
      low = middle;
    else
      high = middle;
  }
  return high;
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
