/* Logarithms of times are split where the variance between the parts is greatest (Otsu), after
 * values beyond the outer tenths are clamped, so that an outlier does not form a part of its own.
 * Every kind of noise splits into two parts; they count as groups only if both are large, far
 * apart, and almost nothing lies between them. The limits were chosen by simulation:
 * tests/unit/test_modes.c has the noise that must not be reported.
 */
#include "stats/modes.h"

#include "base/memory.h"
#include "base/sorting.h"
#include "stats/statistics.h"

#include <math.h>
#include <stdlib.h>

enum {
  LEAST_SAMPLES = 20,
  LEAST_PROCESSES = 6,
  LEAST_MEMBERS = 3,
  ENOUGH_TO_DROP = 10,
  SWITCHES_OF_SAMPLES = 4,
  SWITCHES_OF_PROCESSES = 3
};
static const double LEAST_SHARE = 0.2, LEAST_DISTANCE = 0.05;
static const double MOST_BETWEEN = 0.05; /* share of samples in the middle half between medians */
static const double SPREADS_APART = 4;   /* of many: in median deviations */
static const double RANGES_APART = 6;    /* of a few: in ranges */

struct cut {
  const double *sorted; /* logarithms */
  size_t count, low_count;
  double low, high; /* medians of the parts */
};

/* ---- The cut ---- */

/* The best split of the sorted values. */
static size_t best_cut(const double *sorted, size_t count)
{
  double low = hone__quantile(sorted, count, 0.1), high = hone__quantile(sorted, count, 0.9);
  double total = 0, below = 0, best = -1;
  size_t at = 0;

  for (size_t i = 0; i < count; i++)
    total += fmin(fmax(sorted[i], low), high);
  for (size_t i = 1; i < count; i++) {
    double n = (double)i, rest = (double)(count - i), distance;
    below += fmin(fmax(sorted[i - 1], low), high);
    distance = (total - below) / rest - below / n;
    if (n * rest * distance * distance <= best) continue;
    best = n * rest * distance * distance;
    at = i;
  }
  return at;
}

static struct cut make_cut(const double *sorted, size_t count)
{
  struct cut cut = {.sorted = sorted, .count = count, .low_count = best_cut(sorted, count)};

  cut.low = hone__median(sorted, cut.low_count);
  cut.high = hone__median(sorted + cut.low_count, count - cut.low_count);
  return cut;
}

static bool is_even(const struct cut *cut)
{
  size_t high_count = cut->count - cut->low_count;
  size_t smaller = cut->low_count < high_count ? cut->low_count : high_count;

  return smaller >= LEAST_MEMBERS && (double)smaller >= LEAST_SHARE * (double)cut->count;
}

/* ---- The distance ---- */

static double deviation(const double *values, size_t count, double median)
{
  double *off = hone__alloc(count * sizeof *off), result;

  for (size_t i = 0; i < count; i++)
    off[i] = fabs(values[i] - median);
  result = 1.4826 * hone__median(off, count);
  free(off);
  return result;
}

/* For many values: the gap is empty, and wide compared with the parts. */
static bool many_are_apart(const struct cut *cut)
{
  double distance = cut->high - cut->low;
  double low = deviation(cut->sorted, cut->low_count, cut->low);
  double high = deviation(cut->sorted + cut->low_count, cut->count - cut->low_count, cut->high);
  size_t between = 0;

  for (size_t i = 0; i < cut->count; i++)
    between +=
        cut->sorted[i] > cut->low + distance / 4 && cut->sorted[i] < cut->high - distance / 4;
  return (double)between <= MOST_BETWEEN * (double)cut->count &&
         distance >= SPREADS_APART * fmax(low, high);
}

/* The range of sorted values; of all but one if one may be an outlier. */
static double range_of(const double *sorted, size_t count, bool may_drop)
{
  double all = sorted[count - 1] - sorted[0];

  if (!may_drop || count <= LEAST_MEMBERS) return all;
  return fmin(sorted[count - 2] - sorted[0], sorted[count - 1] - sorted[1]);
}

/* For few values noise alone often leaves a gap: all values of a group must be close together. */
static bool few_are_apart(const struct cut *cut)
{
  bool may_drop = cut->count >= ENOUGH_TO_DROP;
  double low = range_of(cut->sorted, cut->low_count, may_drop);
  double high = range_of(cut->sorted + cut->low_count, cut->count - cut->low_count, may_drop);

  return cut->high - cut->low >= RANGES_APART * fmax(low, high);
}

/* ---- Back and forth ---- */

/* `processes`: only changes within a process count; NULL: all count. */
static size_t count_switches(const double *logs, const uint32_t *processes, size_t count,
                             double middle)
{
  size_t switches = 0;

  for (size_t i = 1; i < count; i++)
    if (!processes || processes[i] == processes[i - 1])
      switches += (logs[i] > middle) != (logs[i - 1] > middle);
  return switches;
}

static struct hone__modes find(const double *logs, const uint32_t *processes, size_t count,
                               size_t least_switches)
{
  double *sorted = hone__alloc((count + 1) * sizeof *sorted);
  struct hone__modes modes = {.count = count, .by_process = !processes};
  struct cut cut;

  memcpy(sorted, logs, count * sizeof *sorted);
  qsort(sorted, count, sizeof *sorted, hone__by_number);
  cut = make_cut(sorted, count);
  modes.low_ns = exp(cut.low);
  modes.high_ns = exp(cut.high);
  modes.high_count = count - cut.low_count;
  modes.found = is_even(&cut) && cut.high - cut.low >= LEAST_DISTANCE &&
                (count >= LEAST_SAMPLES ? many_are_apart(&cut) : few_are_apart(&cut)) &&
                count_switches(logs, processes, count, (cut.low + cut.high) / 2) >= least_switches;
  free(sorted);
  return modes;
}

/* ---- Processes and samples ---- */

/* One value per process: the lower quartile, because disturbances only add time. */
static size_t process_values(const double *logs, const uint32_t *processes, size_t count,
                             double *values)
{
  size_t number = 0, first = 0;

  for (size_t i = 1; i <= count; i++) {
    if (i < count && processes[i] == processes[first]) continue;
    values[number++] = hone__quantile(logs + first, i - first, 0.25);
    first = i;
  }
  return number;
}

struct hone__modes hone__modes_find(const double *times_ns, const uint32_t *processes, size_t count)
{
  double *logs = hone__alloc((count + 1) * sizeof *logs);
  double *values = hone__alloc((count + 1) * sizeof *values);
  struct hone__modes modes = {.found = false};
  size_t number;

  for (size_t i = 0; i < count; i++)
    logs[i] = log(times_ns[i]);
  number = process_values(logs, processes, count, values);
  if (number >= LEAST_PROCESSES) modes = find(values, NULL, number, SWITCHES_OF_PROCESSES);
  if (!modes.found && count >= LEAST_SAMPLES)
    modes = find(logs, processes, count, SWITCHES_OF_SAMPLES);
  free(logs);
  free(values);
  return modes;
}
