/* Reads the samples of all rows of a run. Those of the confirmation replace all before them: they
 * alone are fresh. The baseline's were taken in pairs with a candidate's, and are stored with it.
 */
#include "results/taken.h"

#include "base/status.h"
#include "results/results.h"

#include <math.h>
#include <stdlib.h>

struct reading {
  struct hone__arena *arena;
  struct hone__taken taken;
  bool is_confirmed, of_baseline;
  size_t log_capacity, time_capacity;
};

static void add_process(struct reading *reading, const double *times_ns, size_t count)
{
  double median = hone__median(times_ns, count);

  if (!(median > 0)) return;
  HONE__GROW(reading->taken.logs, reading->taken.process_count, reading->log_capacity);
  reading->taken.logs[reading->taken.process_count++] = log(median);
  for (size_t i = 0; i < count; i++) {
    HONE__GROW(reading->taken.times_ns, reading->taken.time_count, reading->time_capacity);
    reading->taken.times_ns[reading->taken.time_count++] = times_ns[i];
  }
}

static void add_samples(void *data, const struct hone__samples *samples)
{
  struct reading *reading = data;
  bool is_confirmed = samples->phase == HONE_PHASE_CONFIRM;
  const double *times = reading->of_baseline ? samples->baseline_ns : samples->times_ns;

  if (!times || (reading->is_confirmed && !is_confirmed)) return;
  if (is_confirmed && !reading->is_confirmed)
    reading->taken.process_count = reading->taken.time_count = 0;
  reading->is_confirmed = is_confirmed;
  add_process(reading, times, samples->count);
}

static double *keep(struct hone__arena *arena, double *values, size_t count)
{
  double *kept = hone__arena_alloc(arena, (count + 1) * sizeof *kept);

  if (count) memcpy(kept, values, count * sizeof *kept);
  free(values);
  return kept;
}

static hone_status read_row(struct hone_store *store, struct reading *reading, int64_t evaluation,
                            struct hone_result_row *row)
{
  hone_status status = hone__store_samples(store, evaluation, add_samples, reading);
  struct hone__taken *taken = &reading->taken;

  taken->logs = keep(reading->arena, taken->logs, taken->process_count);
  taken->times_ns = keep(reading->arena, taken->times_ns, taken->time_count);
  row->taken = *taken;
  return status;
}

/* The evaluation whose pairs the baseline's confirmed time is of; 0: there is none. */
static int64_t paired_evaluation(const struct hone_results *results)
{
  const struct hone_result_row *best = NULL;

  for (size_t i = 0; i < results->row_count; i++) {
    const struct hone_result_row *row = &results->rows[i];
    if (row->measured.basis != HONE_BASIS_CONFIRMED || row->measured.is_baseline) continue;
    if (!best || hone__measured_compare(&row->measured, &best->measured) < 0) best = row;
  }
  return best ? best->evaluation : 0;
}

hone_status hone_results_load_samples(struct hone_store *store, struct hone_results *results)
{
  struct hone__results_full *full = (struct hone__results_full *)results;
  int64_t paired = paired_evaluation(results);
  hone_status status = NULL;

  for (size_t i = 0; i < results->row_count && !status; i++) {
    struct hone_result_row *row = &results->rows[i];
    bool of_baseline = row->measured.is_baseline && paired;
    struct reading reading = {.arena = &full->arena, .of_baseline = of_baseline};
    status = read_row(store, &reading, of_baseline ? paired : row->evaluation, row);
  }
  return status;
}
