/* A twin is found by its measure key, which holds the object and the device. All are collected
 * before the first is changed: nobody writes to a table while reading it. */
#include "tune/twins.h"

#include "tune/objectives.h"

#include <stdlib.h>

void hone__twins_add(struct hone__twins *twins, struct hone__candidate *candidate, double time_ns)
{
  if (!twins->times) twins->times = json_object();
  for (size_t i = 0; isfinite(time_ns) && i < twins->tuning->site_count; i++) {
    hone__candidate_set_site(candidate, i);
    json_object_set_new(twins->times, candidate->measure_key, json_real(time_ns));
  }
}

/* What was confirmed itself has its metrics already. */
static bool collect(void *data, const struct hone__evaluation *evaluation)
{
  struct hone__twins *twins = data;
  const struct hone_space *space = twins->tuning->task.space;
  json_t *time =
      evaluation->measure_key ? json_object_get(twins->times, evaluation->measure_key) : NULL;
  struct hone__twin *twin;
  hone_status status;

  if (!time || evaluation->is_baseline || !hone__outcome_works(evaluation->outcome)) return true;
  HONE__GROW(twins->twins, twins->count, twins->capacity);
  twin = &twins->twins[twins->count];
  *twin = (struct hone__twin){.evaluation = evaluation->id,
                              .row = hone__alloc(hone_space_width(space) * sizeof *twin->row),
                              .energy = hone__evaluation_energy(evaluation),
                              .time_ns = json_real_value(time)};
  status = hone_space_parse(space, evaluation->config, twin->row);
  if (status)
    free(twin->row);
  else
    twins->count++;
  hone_status_free(status);
  return true;
}

static void store_metrics(struct hone__twins *twins, const struct hone__twin *twin)
{
  struct hone__tuning *tuning = twins->tuning;
  struct hone__candidate candidate = {.tuning = tuning, .row = twin->row, .energy = twin->energy};
  const char *metrics = hone__candidate_metrics(&candidate, twin->time_ns);

  hone__tuning_fail(tuning, hone__store_metrics(tuning->store, twin->evaluation, metrics));
  hone__arena_release(&candidate.texts);
}

void hone__twins_store(struct hone__twins *twins)
{
  struct hone__tuning *tuning = twins->tuning;

  hone__tuning_fail(tuning, hone__store_evaluations(tuning->store, tuning->run.id, collect, twins));
  for (size_t i = 0; i < twins->count; i++) {
    store_metrics(twins, &twins->twins[i]);
    free(twins->twins[i].row);
  }
  free(twins->twins);
  json_decref(twins->times);
  *twins = (struct hone__twins){0};
}
