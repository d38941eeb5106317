/* Points are looked at in the order of their coordinates: a later one never beats an earlier one,
 * so that each is compared with the members found so far. In two dimensions these go down in the
 * second coordinate as they go up in the first, and the last one is enough. */
#include "base/pareto.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

struct front {
  const double *points;
  size_t width;
  size_t *members, count;
};

static int compare_points(const void *a, const void *b, void *data)
{
  const struct front *front = data;
  const double *x = front->points + *(const size_t *)a * front->width;
  const double *y = front->points + *(const size_t *)b * front->width;

  for (size_t i = 0; i < front->width; i++)
    if (x[i] != y[i]) return x[i] < y[i] ? -1 : 1;
  return 0;
}

static bool is_number(const double *point, size_t width)
{
  for (size_t i = 0; i < width; i++)
    if (isnan(point[i])) return false;
  return true;
}

static bool beats(const double *better, const double *worse, size_t width)
{
  bool is_smaller = false;

  for (size_t i = 0; i < width; i++) {
    if (better[i] > worse[i]) return false;
    is_smaller |= better[i] < worse[i];
  }
  return is_smaller;
}

static bool is_beaten(const struct front *front, size_t point)
{
  size_t first = front->width <= 2 && front->count ? front->count - 1 : 0;

  for (size_t i = first; i < front->count; i++)
    if (beats(front->points + front->members[i] * front->width,
              front->points + point * front->width, front->width))
      return true;
  return false;
}

size_t hone__pareto_find(const double *points, size_t count, size_t width, bool *members)
{
  struct front front = {.points = points, .width = width};
  size_t *order = hone__alloc((count + 1) * sizeof *order), numbers = 0;

  front.members = hone__alloc((count + 1) * sizeof *front.members);
  for (size_t i = 0; i < count; i++) {
    members[i] = false;
    if (is_number(points + i * width, width)) order[numbers++] = i;
  }
  qsort_r(order, numbers, sizeof *order, compare_points, &front);
  for (size_t i = 0; i < numbers; i++) {
    if (is_beaten(&front, order[i])) continue;
    members[order[i]] = true;
    front.members[front.count++] = order[i];
  }
  free(order);
  free(front.members);
  return front.count;
}

double hone__cost_ratio(double value, double baseline)
{
  double apart = HONE__ACROSS_ZERO * (1 - value / baseline);

  if (baseline > 0) return value > 0 ? value / baseline : 1 / apart;
  if (baseline < 0) return value < 0 ? baseline / value : apart;
  return value < 0 ? 1 / (1 - value) : 1 + value;
}
