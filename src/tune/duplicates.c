/* A duplicate is found by its measure key, which covers the object and the device. All are
 * collected before the first is changed: a table is not written while it is read.
 */
#include "tune/duplicates.h"

#include "tune/objectives.h"

#include <stdlib.h>

void hone__duplicates_add(struct hone__duplicates *duplicates, struct hone__candidate *candidate,
                          double time_ns)
{
  if (!isfinite(time_ns)) return;
  HONE__GROW(duplicates->times, duplicates->time_count, duplicates->time_capacity);
  for (size_t i = 0; i < duplicates->tuning->session.workers.site_count; i++) {
    hone__tuning_candidate_set_site(candidate, i);
    hone__key_map_set(&duplicates->keys, candidate->measure_key, (int64_t)duplicates->time_count);
  }
  duplicates->times[duplicates->time_count++] = time_ns;
}

/* Confirmed candidates already have their metrics. */
static bool collect(void *data, const struct hone__evaluation *evaluation)
{
  struct hone__duplicates *duplicates = data;
  const struct hone_space *space = duplicates->tuning->session.problem.task.space;
  const char *key = evaluation->measure_key;
  struct hone__duplicate *duplicate;
  hone_status status;
  int64_t time;

  if (!key || !hone__key_map_find(&duplicates->keys, key, &time)) return true;
  if (evaluation->is_baseline || !hone__outcome_works(evaluation->outcome)) return true;
  HONE__GROW(duplicates->duplicates, duplicates->count, duplicates->capacity);
  duplicate = &duplicates->duplicates[duplicates->count];
  *duplicate =
      (struct hone__duplicate){.evaluation = evaluation->id,
                               .row = hone__alloc(hone_space_width(space) * sizeof *duplicate->row),
                               .energy = hone__tuning_evaluation_energy(evaluation),
                               .time_ns = duplicates->times[time]};
  status = hone_space_parse(space, evaluation->config, duplicate->row);
  if (status)
    free(duplicate->row);
  else
    duplicates->count++;
  hone_status_free(status);
  return true;
}

static void store_metrics(struct hone__duplicates *duplicates,
                          const struct hone__duplicate *duplicate)
{
  struct hone__tuning *tuning = duplicates->tuning;
  struct hone__candidate candidate = {
      .session = &tuning->session, .row = duplicate->row, .energy = duplicate->energy};
  const char *metrics = hone__candidate_metrics(&candidate, duplicate->time_ns);

  hone__control_fail(&tuning->session.control, hone__store_metrics(tuning->session.entry.store,
                                                                   duplicate->evaluation, metrics));
  hone__arena_release(&candidate.texts);
}

void hone__duplicates_store(struct hone__duplicates *duplicates)
{
  struct hone__tuning *tuning = duplicates->tuning;

  hone__control_fail(&tuning->session.control,
                     hone__store_evaluations(tuning->session.entry.store,
                                             tuning->session.entry.run.id, collect, duplicates));
  for (size_t i = 0; i < duplicates->count; i++) {
    store_metrics(duplicates, &duplicates->duplicates[i]);
    free(duplicates->duplicates[i].row);
  }
  free(duplicates->duplicates);
  free(duplicates->times);
  hone__key_map_release(&duplicates->keys);
  *duplicates = (struct hone__duplicates){0};
}
