#include "export/evaluation_times.h"

#include "store/origin.h"

#include <jansson.h>
#include <stdlib.h>

static double calls_of(const struct hone__samples *samples)
{
  json_t *facts = samples->facts ? json_loads(samples->facts, 0, NULL) : NULL;
  double repeats = json_number_value(json_object_get(facts, "repeats")), sum = 0;

  json_decref(facts);
  for (size_t i = 0; i < samples->count; i++)
    sum += samples->times_ns[i];
  return repeats > 1 && sum > 0 ? (repeats - 1) * sum : 0;
}

/* The last that was screened; the baseline is read again and again, and its first reading is as
 * good. */
static void take_samples(void *data, const struct hone__samples *samples)
{
  struct hone__export_evaluation_times *times = data;
  bool is_screen = samples->phase == HONE_PHASE_SCREEN;
  size_t size = samples->count * sizeof *samples->times_ns;

  if (!is_screen && (times->count || samples->phase != HONE_PHASE_BASELINE)) return;
  if (!samples->times_ns) return;
  free(times->screen_ns);
  times->screen_ns = hone__alloc(size + 1);
  memcpy(times->screen_ns, samples->times_ns, size);
  times->count = samples->count;
  times->calls_ns = calls_of(samples);
}

hone_status hone__export_evaluation_times_load(struct hone_store *store,
                                               const struct hone__evaluation *evaluation,
                                               struct hone__export_evaluation_times *times)
{
  struct hone__origin origin;
  hone_status status = hone__store_origin(store, evaluation, &origin);

  *times = (struct hone__export_evaluation_times){0};
  times->compile_s = origin.compile_s;
  times->cold_ns = evaluation->cold_ns;
  return status ? status : hone__store_samples(store, origin.evaluation, take_samples, times);
}

void hone__export_evaluation_times_release(struct hone__export_evaluation_times *times)
{
  free(times->screen_ns);
  *times = (struct hone__export_evaluation_times){0};
}
