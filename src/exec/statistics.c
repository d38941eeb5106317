#include "exec/statistics.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

static int by_value(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;

  return (x > y) - (x < y);
}

static double *sorted(const double *values, size_t count)
{
  double *copy = hone__alloc(count * sizeof *copy);

  memcpy(copy, values, count * sizeof *copy);
  qsort(copy, count, sizeof *copy, by_value);
  return copy;
}

double hone__quantile(const double *values, size_t count, double share)
{
  double *order, at = share * (double)(count - 1), result;
  size_t below;

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

struct hone_estimate hone__median_interval(const double *values, size_t count, double confidence)
{
  struct hone_estimate estimate = {hone__median(values, count), -INFINITY, INFINITY};
  size_t j = order_of_bound(count, (1 - confidence) / 2);
  double *order;

  if (!j) return estimate;
  order = sorted(values, count);
  estimate.low = order[j - 1];
  estimate.high = order[count - j];
  free(order);
  return estimate;
}

double hone__sign_evidence(size_t wins, size_t trials)
{
  double s = (double)wins, n = (double)trials;

  return n * M_LN2 + lgamma(s + 1) + lgamma(n - s + 1) - lgamma(n + 2);
}
