/* The times of a configuration, over several processes. */
#include "tune/attempt.h"

#include "stats/standings.h"

#include <stdlib.h>

static void grow(struct hone__attempt *attempt, size_t more)
{
  if (attempt->count + more <= attempt->capacity) return;
  attempt->capacity = 2 * attempt->capacity + more;
  attempt->times_ns = hone__realloc(attempt->times_ns, attempt->capacity * sizeof(double));
  attempt->baseline_ns = hone__realloc(attempt->baseline_ns, attempt->capacity * sizeof(double));
  attempt->processes = hone__realloc(attempt->processes, attempt->capacity * sizeof(uint32_t));
}

/* Workers may have another version, or be broken. */
static bool is_time(double ns)
{
  return isfinite(ns) && ns > 0;
}

void hone__attempt_add(struct hone__attempt *attempt, const double *table, size_t rows)
{
  size_t width = attempt->is_alone ? 1 : 2, before = attempt->count;

  grow(attempt, rows);
  for (size_t i = 0; i < rows; i++) {
    const double *row = table + i * width;
    if (!is_time(row[0]) || !is_time(row[width - 1])) continue;
    attempt->times_ns[attempt->count] = row[width - 1];
    attempt->baseline_ns[attempt->count] = attempt->is_alone ? NAN : row[0];
    attempt->processes[attempt->count++] = attempt->process_count;
  }
  attempt->process_count += attempt->count > before;
}

void hone__attempt_release_samples(struct hone__attempt *attempt)
{
  free(attempt->times_ns);
  free(attempt->baseline_ns);
  free(attempt->processes);
}

/* ---- Speed ---- */

/* Over pairs and over processes, as in a confirmation. */
static struct hone__estimate over_restarts(const struct hone__attempt *attempt)
{
  struct hone__standings standings;
  struct hone__estimate estimate;

  hone__standings_init(&standings, 1, 0);
  for (size_t i = 0; i < attempt->count; i++)
    hone__standings_add(&standings, 0, attempt->processes[i], attempt->baseline_ns[i],
                        attempt->times_ns[i]);
  estimate = hone__standings_speedup(&standings, 0);
  hone__standings_release(&standings);
  return estimate;
}

static struct hone__estimate of_first_process(const struct hone__attempt *attempt)
{
  double *logs = hone__alloc((attempt->count + 1) * sizeof *logs);
  struct hone__estimate estimate;
  size_t count = 0;

  for (; count < attempt->count && attempt->processes[count] == 0; count++)
    logs[count] = log(attempt->baseline_ns[count] / attempt->times_ns[count]);
  estimate = hone__median_interval(logs, count, 0.95);
  free(logs);
  if (isinf(estimate.low)) return (struct hone__estimate){exp(estimate.value), NAN, NAN};
  return (struct hone__estimate){exp(estimate.value), exp(estimate.low), exp(estimate.high)};
}

struct hone__attempt_speed hone__attempt_speed(const struct hone__attempt *attempt)
{
  bool covers = attempt->process_count >= HONE__ATTEMPT_PROCESSES;

  return (struct hone__attempt_speed){.ratio = covers ? over_restarts(attempt)
                                                      : of_first_process(attempt),
                                      .covers_restarts = covers};
}
