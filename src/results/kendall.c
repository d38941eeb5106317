/* Knight's way: sorted by x, the pairs that disagree are those which sorting by y exchanges. */
#include "results/kendall.h"

#include "base/memory.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

struct point {
  double x, y;
};

static int compare_points(const void *a, const void *b)
{
  const struct point *p = a, *q = b;

  if (p->x != q->x) return p->x < q->x ? -1 : 1;
  return (p->y > q->y) - (p->y < q->y);
}

static double pairs_of(size_t count)
{
  return 0.5 * (double)count * ((double)count - 1);
}

static bool is_tied(const struct point *p, const struct point *q, bool by_x, bool by_y)
{
  return (!by_x || p->x == q->x) && (!by_y || p->y == q->y);
}

/* Pairs of neighbours' runs that are equal in x, in y or in both. */
static double count_ties(const struct point *points, size_t count, bool by_x, bool by_y)
{
  double ties = 0;

  for (size_t i = 0, end; i < count; i = end) {
    for (end = i + 1; end < count && is_tied(&points[i], &points[end], by_x, by_y);)
      end++;
    ties += pairs_of(end - i);
  }
  return ties;
}

/* Merges the two sorted halves by y; how many pairs change places. */
static double merge(struct point *points, size_t middle, size_t count, struct point *spare)
{
  size_t left = 0, right = middle, used = 0;
  double exchanged = 0;

  while (left < middle && right < count) {
    if (points[right].y < points[left].y) {
      exchanged += (double)(middle - left);
      spare[used++] = points[right++];
    } else {
      spare[used++] = points[left++];
    }
  }
  memcpy(spare + used, points + left, (middle - left) * sizeof *points);
  memcpy(points, spare, (used + middle - left) * sizeof *points);
  return exchanged;
}

static double sort_by_y(struct point *points, size_t count, struct point *spare)
{
  size_t middle = count / 2;
  double exchanged;

  if (count < 2) return 0;
  exchanged = sort_by_y(points, middle, spare);
  exchanged += sort_by_y(points + middle, count - middle, spare);
  return exchanged + merge(points, middle, count, spare);
}

static double correlate(struct point *points, size_t count, struct point *spare)
{
  double all = pairs_of(count), x_ties, y_ties, both_ties, exchanged;

  qsort(points, count, sizeof *points, compare_points);
  x_ties = count_ties(points, count, true, false);
  both_ties = count_ties(points, count, true, true);
  exchanged = sort_by_y(points, count, spare);
  y_ties = count_ties(points, count, false, true);
  if (x_ties >= all || y_ties >= all) return NAN;
  return (all - x_ties - y_ties + both_ties - 2 * exchanged) / sqrt(all - x_ties) /
         sqrt(all - y_ties);
}

double hone__kendall(const double *x, const double *y, size_t count)
{
  struct point *points = hone__alloc((2 * count + 1) * sizeof *points);
  size_t used = 0;
  double tau;

  for (size_t i = 0; i < count; i++)
    if (!isnan(x[i]) && !isnan(y[i])) points[used++] = (struct point){.x = x[i], .y = y[i]};
  tau = correlate(points, used, points + count);
  free(points);
  return isnan(tau) ? tau : fmax(-1, fmin(1, tau));
}
