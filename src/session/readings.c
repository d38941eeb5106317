#include "session/readings.h"

#include "base/memory.h"
#include "base/status.h"
#include "stats/statistics.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

static const double USUAL = 0.9;

void hone__readings_add(struct hone__readings *readings, double at, const double *times_ns,
                        size_t count)
{
  if (!count) return;
  HONE__ASSERT(!readings->count || readings->all[readings->count - 1].at <= at); /* in order */
  HONE__GROW(readings->all, readings->count, readings->capacity);
  readings->all[readings->count++] =
      (struct hone__reading_entry){.at = at,
                                   .median_ns = hone__median(times_ns, count),
                                   .least_ns = hone__quantile(times_ns, count, 0)};
}

void hone__readings_release(struct hone__readings *readings)
{
  free(readings->all);
  *readings = (struct hone__readings){0};
}

static double value_of(const struct hone__reading_entry *reading, bool least)
{
  return least ? reading->least_ns : reading->median_ns;
}

/* The median with its neighbours; for the last one, with the two before it. The first is made of
 * many samples, and is used alone. */
static double smooth(const struct hone__readings *readings, size_t i, bool least)
{
  size_t from = i + 1 < readings->count ? i - 1 : i - 2;
  double three[3];

  if (!i || readings->count < 3) return value_of(&readings->all[i], least);
  for (size_t k = 0; k < 3; k++)
    three[k] = value_of(&readings->all[from + k], least);
  return hone__median(three, 3);
}

/* The first reading after this moment, or the number of all. */
static size_t first_after(const struct hone__readings *readings, double at)
{
  size_t i = 0;

  while (i < readings->count && readings->all[i].at <= at)
    i++;
  return i;
}

static double interpolate(const struct hone__readings *readings, double at, bool least)
{
  size_t next = first_after(readings, at);
  double before, after, share;

  if (!readings->count) return NAN;
  if (!next) return smooth(readings, 0, least);
  before = smooth(readings, next - 1, least);
  if (next == readings->count) return before;
  after = smooth(readings, next, least);
  share = (at - readings->all[next - 1].at) / (readings->all[next].at - readings->all[next - 1].at);
  return exp(log(before) + share * (log(after) - log(before)));
}

double hone__readings_at(const struct hone__readings *readings, double at)
{
  return interpolate(readings, at, false);
}

double hone__readings_least_at(const struct hone__readings *readings, double at)
{
  return interpolate(readings, at, true);
}

static double step(const struct hone__readings *readings, size_t next)
{
  return fabs(log(readings->all[next].least_ns / readings->all[next - 1].least_ns));
}

double hone__readings_step_at(const struct hone__readings *readings, double at)
{
  size_t next = first_after(readings, at);

  return next && next < readings->count ? step(readings, next) : 0;
}

double hone__readings_last_step(const struct hone__readings *readings)
{
  return readings->count > 1 ? step(readings, readings->count - 1) : 0;
}

double hone__readings_greatest_step(const struct hone__readings *readings)
{
  double greatest = 0;

  for (size_t i = 1; i < readings->count; i++)
    greatest = fmax(greatest, step(readings, i));
  return greatest;
}

double hone__readings_usual_step(const struct hone__readings *readings)
{
  double *steps, usual;

  if (readings->count < 2) return 0;
  steps = hone__alloc(readings->count * sizeof *steps);
  for (size_t i = 1; i < readings->count; i++)
    steps[i - 1] = step(readings, i);
  usual = hone__quantile(steps, readings->count - 1, USUAL);
  free(steps);
  return usual;
}
