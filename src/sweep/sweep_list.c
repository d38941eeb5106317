/* The instances of a sweep, in mesh order, and which of them share a build. Those that an earlier
 * session of the same run measured need none. */
#include "sweep/sweep.h"

#include <stdlib.h>

enum { LISTED_AT_ONCE = 1024 }; /* before somebody who wants to stop is heard */

const char *hone__sweep_build_key(const json_t *candidate)
{
  const char *own = json_string_value(json_object_get(candidate, "build_key"));

  return own ? own : json_string_value(json_object_get(candidate, "key"));
}

static hone_status check_size(const struct hone__tuning *tuning)
{
  if (hone_space_count(tuning->space) <= HONE__SWEEP_MOST) return NULL;
  return hone__error(HONE_EXHAUSTED,
                     "%s configurations are too many to run each of them: a sweep takes at most "
                     "%d; choose some with --filter or --param, or search with 'hone tune'",
                     hone_space_count_text(tuning->space), HONE__SWEEP_MOST);
}

/* ---- Each configuration ---- */

struct walk {
  struct hone__tuning *tuning;
  hone__sweep_visit *visit;
  void *data;
  uint32_t instance;
  hone_status status;
};

static bool describe_one(void *data, const uint32_t *row)
{
  struct walk *walk = data;
  const struct hone__task *task = &walk->tuning->task;
  json_t *candidate = NULL;
  bool more;

  walk->status = task->backend->candidate(task, row, &candidate);
  if (walk->status) return false;
  more = walk->visit(walk->data, walk->instance++, row, candidate);
  json_decref(candidate);
  return more;
}

hone_status hone__sweep_each(struct hone__tuning *tuning, hone__sweep_visit *visit, void *data)
{
  struct walk walk = {.tuning = tuning, .visit = visit, .data = data};
  hone_status status = check_size(tuning);

  if (status) return status;
  hone_space_each(tuning->space, 0, describe_one, &walk);
  return walk.status;
}

struct hone__candidate *hone__sweep_candidate(struct hone_sweep *sweep, uint32_t instance)
{
  struct hone__tuning *tuning = sweep->tuning;
  uint32_t *row = hone__alloc(hone_space_width(tuning->space) * sizeof *row);
  struct hone__candidate *candidate = NULL;

  if (!hone_space_at(tuning->space, instance, row)) HONE__BUG("a sweep lost a configuration");
  hone__tuning_fail(tuning, hone__candidate_new(tuning, row, &candidate));
  if (candidate) candidate->evaluation.mesh_idx = instance;
  free(row);
  return candidate;
}

/* ---- What an earlier session did ---- */

struct past {
  struct hone_sweep *sweep;
  const char *deps; /* that were looked at last, and what was found */
  bool deps_are_current;
};

static bool deps_hold(struct past *past, const char *deps)
{
  struct hone__tuning *tuning = past->sweep->tuning;
  json_t *list;

  if (!deps || (past->deps && strcmp(past->deps, deps) == 0))
    return !deps || past->deps_are_current;
  list = json_loads(deps, 0, NULL);
  past->deps = hone__arena_strdup(&tuning->arena, deps);
  past->deps_are_current = list && tuning->task.backend->deps_are_current(list);
  json_decref(list);
  return past->deps_are_current;
}

static bool says_something(enum hone__outcome outcome)
{
  return hone__outcome_blame(outcome) <= HONE__BLAME_CANDIDATE && outcome != HONE__OUTCOME_KILLED;
}

static bool recall(void *data, const struct hone__evaluation *old)
{
  struct past *past = data;
  struct hone_sweep *sweep = past->sweep;
  struct hone__candidate *candidate;
  bool same;

  if (old->mesh_idx < 0 || old->mesh_idx >= sweep->count || !says_something(old->outcome))
    return true;
  candidate = hone__sweep_candidate(sweep, (uint32_t)old->mesh_idx);
  if (!candidate) return false;
  same = strcmp(candidate->config, old->config) == 0 && old->candidate_key &&
         strcmp(candidate->evaluation.candidate_key, old->candidate_key) == 0;
  hone__candidate_free(candidate);
  if (!same || !deps_hold(past, old->deps)) return true;
  sweep->owner[old->mesh_idx] = HONE__NO_BUILD;
  sweep->outcomes[old->outcome]++;
  sweep->known++;
  return true;
}

static hone_status recall_all(struct hone_sweep *sweep)
{
  struct hone__tuning *tuning = sweep->tuning;
  struct past past = {.sweep = sweep};
  hone_status status;

  if (!tuning->resumed) return NULL;
  status = hone__store_evaluations(tuning->store, tuning->run.id, recall, &past);
  if (sweep->known)
    hone__tuning_say(tuning, HONE_EVENT_NOTE, "resuming run %lld: %zu configurations are known",
                     (long long)tuning->run.id, sweep->known);
  return status;
}

/* ---- Builds ---- */

struct listing {
  struct hone_sweep *sweep;
  json_t *numbers; /* build key -> number */
};

static uint32_t build_of(struct listing *listing, uint32_t instance, const char *key)
{
  struct hone_sweep *sweep = listing->sweep;
  json_t *known = json_object_get(listing->numbers, key);

  if (known) return (uint32_t)json_integer_value(known);
  json_object_set_new(listing->numbers, key, json_integer((json_int_t)sweep->build_count));
  HONE__GROW(sweep->builds, sweep->build_count, sweep->build_capacity);
  sweep->builds[sweep->build_count] = (struct hone__sweep_build){.first = instance};
  return (uint32_t)sweep->build_count++;
}

static bool list_one(void *data, uint32_t instance, const uint32_t *row, json_t *candidate)
{
  struct listing *listing = data;
  struct hone_sweep *sweep = listing->sweep;
  uint32_t build;

  (void)row;
  if (instance % LISTED_AT_ONCE == 0) uv_run(&sweep->tuning->loop, UV_RUN_NOWAIT);
  if (sweep->tuning->aborting) return false;
  if (sweep->owner[instance] == HONE__NO_BUILD) return true;
  build = build_of(listing, instance, hone__sweep_build_key(candidate));
  sweep->owner[instance] = build;
  sweep->builds[build].left++;
  return true;
}

void hone__sweep_fill_schedule(struct hone_sweep *sweep)
{
  sweep->schedule = hone__schedule_open(sweep->build_count, sweep->tuning->site_count);
  for (uint32_t i = 0; i < sweep->count; i++)
    if (sweep->owner[i] != HONE__NO_BUILD) hone__schedule_add(sweep->schedule, sweep->owner[i], i);
  hone__schedule_seal(sweep->schedule);
}

hone_status hone__sweep_list(struct hone_sweep *sweep)
{
  struct hone__tuning *tuning = sweep->tuning;
  struct listing listing = {.sweep = sweep};
  hone_status status = check_size(tuning);

  if (status) return status;
  sweep->count = (uint32_t)hone_space_count(tuning->space);
  sweep->owner = hone__alloc((sweep->count + 1u) * sizeof *sweep->owner);
  sweep->losses = hone__alloc(sweep->count + 1u);
  status = recall_all(sweep);
  if (status) return status;
  listing.numbers = json_object();
  status = hone__sweep_each(tuning, list_one, &listing);
  json_decref(listing.numbers);
  return status;
}
