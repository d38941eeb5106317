/* A sweep: every binary is built once, every configuration is run once, and all that becomes of
 * them is stored at once. Where builds would disturb runs, all builds come first; elsewhere a
 * configuration is run as soon as its binary is there. One function, pump, starts whatever can be
 * started. */
#include "tune/sweep.h"

#include "stats/statistics.h"
#include "tune/knobs.h"
#include "tune/suspicion.h"

#include <stdlib.h>

enum { MOST_LOSSES = 2 };

const struct hone__strategy hone__strategy_sweep = {.name = HONE__SWEEP_STRATEGY,
                                                    .summary = "every configuration once"};

static void pump(struct hone_sweep *sweep);

static bool is_build_only(const struct hone_sweep *sweep)
{
  return sweep->tuning->options->stop_after == HONE_STAGE_BUILD;
}

static struct hone__sweep_build *build_of(struct hone_sweep *sweep, uint32_t instance)
{
  return &sweep->builds[sweep->owner[instance]];
}

/* ---- Recording ---- */

static void record(struct hone_sweep *sweep, struct hone__candidate *candidate)
{
  struct hone__evaluation *evaluation = &candidate->evaluation;
  struct hone__sweep_build *build = build_of(sweep, (uint32_t)evaluation->mesh_idx);

  if (evaluation->outcome == HONE__OUTCOME_INTERRUPTED) return;
  hone__candidate_record(candidate);
  sweep->outcomes[evaluation->outcome]++;
  if (--build->left == 0) hone__sweep_drop(sweep, build);
  hone__sweep_progress(sweep, false);
}

/* The build's share in the record of an instance: who asked for it has its time. */
static void copy_build(struct hone__candidate *candidate, const struct hone__sweep_build *build)
{
  struct hone__evaluation *evaluation = &candidate->evaluation;

  memcpy(candidate->object, build->object, sizeof candidate->object);
  evaluation->object = candidate->object;
  evaluation->deps = build->deps;
  if (evaluation->mesh_idx != build->first) return;
  evaluation->compile_s = build->compile_s;
  evaluation->cached = build->cached;
  evaluation->warnings = build->warnings;
}

/* ---- Builds ---- */

/* The builder's words, for another instance of the same build. */
static void copy_failure(struct hone__candidate *to, const struct hone__evaluation *from)
{
  json_t *output = from->output ? json_loads(from->output, 0, NULL) : NULL;
  json_t *said = json_object_get(output, "build_output");
  json_t *head = said ? json_pack("{s:O}", "output", said) : NULL;

  to->evaluation.outcome = from->outcome;
  to->evaluation.evidence = hone__arena_strdup(&to->texts, from->evidence);
  to->evaluation.tries = from->tries;
  if (from->deps) to->evaluation.deps = hone__arena_strdup(&to->texts, from->deps);
  hone__candidate_output(to, NULL, head);
  json_decref(head);
  json_decref(output);
}

/* Every instance of a build that ends here: it failed, or building was all that was asked for. */
static void record_group(struct hone_sweep *sweep, uint32_t number, struct hone__candidate *built)
{
  size_t count;
  const uint32_t *items = hone__schedule_items(sweep->schedule, number, &count);

  hone__schedule_drop(sweep->schedule, number);
  for (size_t i = 0; i < count && !sweep->tuning->failure; i++) {
    struct hone__candidate *other;
    if (items[i] == built->evaluation.mesh_idx) {
      record(sweep, built);
      continue;
    }
    other = hone__sweep_candidate(sweep, items[i]);
    if (!other) return;
    copy_failure(other, &built->evaluation);
    if (sweep->builds[number].succeeded) copy_build(other, &sweep->builds[number]);
    record(sweep, other);
    hone__candidate_free(other);
  }
}

static void take_build(struct hone_sweep *sweep, struct hone__candidate *built)
{
  uint32_t number = sweep->owner[built->evaluation.mesh_idx];

  if (built->bytes) {
    sweep->builds_ok++;
    hone__sweep_keep(sweep, &sweep->builds[number], built, false);
    if (is_build_only(sweep))
      record_group(sweep, number, built);
    else
      hone__schedule_ready(sweep->schedule, number);
    return;
  }
  sweep->builds_failed++;
  if (sweep->tuning->options->run_only && !built->evaluation.cached)
    sweep->missing++;
  else /* the cache knows compilers' errors, too */
    record_group(sweep, number, built);
}

static void on_built(struct hone__candidate *built)
{
  struct hone_sweep *sweep = built->tuning->stage;

  sweep->pending--;
  sweep->building--;
  if (built->evaluation.outcome != HONE__OUTCOME_INTERRUPTED) take_build(sweep, built);
  hone__candidate_free(built);
  hone__sweep_progress(sweep, false);
  pump(sweep);
}

static void start_builds(struct hone_sweep *sweep)
{
  struct hone__tuning *tuning = sweep->tuning;

  while (sweep->next_build < sweep->build_count && !hone__tuning_over(tuning) &&
         sweep->building < hone__pool_usable(tuning->builders) + 1) {
    uint32_t first = sweep->builds[sweep->next_build].first;
    struct hone__candidate *candidate = hone__sweep_candidate(sweep, first);
    if (!candidate) return;
    sweep->next_build++;
    sweep->pending++;
    sweep->building++;
    hone__candidate_build(candidate, on_built);
  }
}

/* ---- Runs ---- */

struct queued { /* a run under way */
  struct hone_sweep *sweep;
  size_t site;
};

static void fill_in(struct hone_sweep *sweep, struct hone__candidate *candidate,
                    const struct hone__reply *reply, size_t site)
{
  struct hone__evaluation *evaluation = &candidate->evaluation;
  struct hone__run_part part = hone__run_part(reply, 0);
  struct hone__samples samples = hone__run_samples(reply, "screen");

  evaluation->outcome = part.outcome;
  evaluation->evidence = hone__arena_strdup(&candidate->texts, part.evidence);
  evaluation->device = sweep->tuning->sites[site].device;
  evaluation->tries = reply->tries;
  evaluation->cold_ns = part.cold_ns;
  if (hone__outcome_works(part.outcome) && samples.count)
    evaluation->time_ns = hone__median(samples.times_ns, samples.count);
  hone__candidate_output(candidate, hone__run_json(reply, 0), NULL);
  evaluation->suspicious = hone__candidate_suspicion(candidate, site);
  evaluation->samples = &samples;
  evaluation->sample_count = part.samples ? 1 : 0;
  record(sweep, candidate);
  evaluation->samples = NULL;
  hone__run_samples_release(&samples);
}

/* A worker that went away is no fault of the instance: another device may have it. */
static bool goes_elsewhere(struct hone_sweep *sweep, uint32_t instance,
                           const struct hone__reply *reply)
{
  if (hone__run_part(reply, 0).outcome != HONE__OUTCOME_WORKER_LOST) return false;
  if (hone__tuning_over(sweep->tuning) || !hone__tuning_usable_sites(sweep->tuning)) return false;
  return !reply->tries || sweep->losses[instance]++ < MOST_LOSSES;
}

static void on_run(void *data, const struct hone__reply *reply)
{
  struct queued queued = *(struct queued *)data;
  struct hone_sweep *sweep = queued.sweep;
  struct hone__candidate *candidate = sweep->on_site[queued.site];
  uint32_t instance = (uint32_t)candidate->evaluation.mesh_idx;

  free(data);
  sweep->on_site[queued.site] = NULL;
  sweep->pending--;
  sweep->tuning->progress.measuring--;
  if (goes_elsewhere(sweep, instance, reply))
    hone__schedule_return(sweep->schedule, instance);
  else
    fill_in(sweep, candidate, reply, queued.site);
  hone__candidate_free(candidate);
  pump(sweep);
}

static struct hone__job job_of(struct hone_sweep *sweep, struct hone__candidate *candidate,
                               size_t site)
{
  struct hone__tuning *tuning = sweep->tuning;
  const struct hone__sweep_build *build = build_of(sweep, (uint32_t)candidate->evaluation.mesh_idx);
  struct hone__run_request request = {.mode = "screen",
                                      .candidates = &candidate,
                                      .count = 1,
                                      .slot = (int)site,
                                      .check = tuning->task.check,
                                      .samples = tuning->screen_samples};
  struct hone__job job;

  candidate->bytes = build->bytes; /* lent: the job has a copy */
  candidate->size = build->size;
  job = hone__run_job(tuning, &request);
  candidate->bytes = NULL;
  return job;
}

static void run_on(struct hone_sweep *sweep, struct hone__candidate *candidate, size_t site)
{
  struct queued *queued = hone__alloc(sizeof *queued);
  struct hone__job job = job_of(sweep, candidate, site);

  *queued = (struct queued){sweep, site};
  copy_build(candidate, build_of(sweep, (uint32_t)candidate->evaluation.mesh_idx));
  job.done = on_run;
  job.data = queued;
  sweep->pending++;
  sweep->tuning->progress.measuring++;
  hone__pool_submit(sweep->tuning->runners, &job);
}

/* The bytes were let go, and the cache has lost them: they were made once more. */
static void on_built_again(struct hone__candidate *candidate)
{
  struct hone_sweep *sweep = candidate->tuning->stage;
  struct hone__sweep_build *build = build_of(sweep, (uint32_t)candidate->evaluation.mesh_idx);
  size_t site = 0;

  while (sweep->on_site[site] != candidate)
    site++;
  sweep->pending--;
  if (candidate->bytes) {
    hone__sweep_keep(sweep, build, candidate, true);
    run_on(sweep, candidate, site);
    return;
  }
  sweep->on_site[site] = NULL;
  record(sweep, candidate);
  hone__candidate_free(candidate);
  pump(sweep);
}

static void begin_run(struct hone_sweep *sweep, uint32_t instance, size_t site)
{
  struct hone__candidate *candidate = hone__sweep_candidate(sweep, instance);

  if (!candidate) return;
  sweep->on_site[site] = candidate;
  if (hone__sweep_fetch(sweep, build_of(sweep, instance))) {
    run_on(sweep, candidate, site);
  } else {
    sweep->pending++;
    hone__candidate_build(candidate, on_built_again);
  }
}

static void start_runs(struct hone_sweep *sweep)
{
  struct hone__tuning *tuning = sweep->tuning;
  uint32_t instance;

  for (size_t site = 0; site < tuning->site_count && !hone__tuning_over(tuning); site++)
    if (tuning->sites[site].usable && !sweep->on_site[site] &&
        hone__schedule_take(sweep->schedule, site, &instance))
      begin_run(sweep, instance, site);
}

static void pump(struct hone_sweep *sweep)
{
  if (hone__tuning_over(sweep->tuning)) return;
  start_builds(sweep);
  if (sweep->running) start_runs(sweep);
}

/* ---- The stage ---- */

static void work(struct hone_sweep *sweep)
{
  struct hone__tuning *tuning = sweep->tuning;

  pump(sweep);
  hone__tuning_wait(tuning, &sweep->pending);
  hone__tuning_abandon(tuning, &sweep->pending);
  hone__sweep_progress(sweep, true);
}

static void end_builds(struct hone_sweep *sweep)
{
  if (hone__tuning_over(sweep->tuning)) return;
  hone__sweep_say_built(sweep);
  hone__knobs_warn(sweep->tuning);
}

static hone_status check_cache(const struct hone_sweep *sweep)
{
  if (!sweep->missing) return NULL;
  return hone__error(HONE_UNAVAILABLE,
                     sweep->missing == 1
                         ? "%zu binary is not in the cache: build it first with --build"
                         : "%zu binaries are not in the cache: build them first with --build",
                     sweep->missing);
}

static hone_status check_devices(const struct hone_sweep *sweep)
{
  const struct hone__tuning *tuning = sweep->tuning;

  if (tuning->aborting || !hone__schedule_left(sweep->schedule)) return NULL;
  return hone__tuning_check_sites(tuning);
}

static void on_room(struct hone__tuning *tuning)
{
  pump(tuning->stage);
}

static hone_status run_all(struct hone_sweep *sweep)
{
  struct hone__tuning *tuning = sweep->tuning;
  bool overlaps = sweep->next_build < sweep->build_count;
  hone_status status = hone__tuning_reference(tuning);

  if (status || hone__tuning_over(tuning)) return status;
  for (size_t i = 0; i < tuning->site_count; i++)
    tuning->sites[i].usable = !tuning->sites[i].is_away; /* until somebody says otherwise */
  sweep->running = true;
  tuning->on_room = on_room;
  tuning->done_before = hone__sweep_finished(sweep);
  hone__tuning_phase(tuning, "run", sweep->count);
  work(sweep);
  tuning->on_room = NULL;
  if (overlaps) end_builds(sweep);
  return check_devices(sweep);
}

static hone_status build_and_run(struct hone_sweep *sweep)
{
  struct hone__tuning *tuning = sweep->tuning;
  bool overlaps = tuning->overlap && !is_build_only(sweep) && !tuning->options->run_only;
  hone_status status = NULL;

  hone__tuning_set_up_builders(tuning);
  if (!overlaps) {
    hone__tuning_phase(tuning, "build", sweep->build_count);
    work(sweep);
    status = check_cache(sweep);
    if (!status) end_builds(sweep);
  }
  if (status || hone__tuning_over(tuning) || is_build_only(sweep)) return status;
  return run_all(sweep);
}

static hone_status open_workers(struct hone_sweep *sweep)
{
  struct hone__tuning *tuning = sweep->tuning;
  hone_status status = hone__tuning_open_builders(tuning);

  if (!status && !is_build_only(sweep)) status = hone__tuning_open_runners(tuning);
  if (status) return status;
  hone__sweep_fill_schedule(sweep);
  sweep->on_site = hone__alloc((tuning->site_count + 1) * sizeof *sweep->on_site);
  tuning->stage = sweep;
  return NULL;
}

static void release(struct hone_sweep *sweep)
{
  for (size_t i = 0; i < sweep->build_count; i++)
    free(sweep->builds[i].bytes);
  free(sweep->builds);
  free(sweep->owner);
  free(sweep->losses);
  free(sweep->on_site);
  hone__schedule_free(sweep->schedule);
}

hone_status hone__tuning_sweep(struct hone__tuning *tuning)
{
  struct hone_sweep sweep = {.tuning = tuning};
  hone_status status = hone__sweep_list(&sweep);

  if (!status && !hone__tuning_over(tuning)) hone__sweep_say_scheduled(&sweep);
  if (!status && sweep.build_count && !hone__tuning_over(tuning)) {
    status = open_workers(&sweep);
    if (!status) status = build_and_run(&sweep);
  }
  if (!status && !hone__tuning_over(tuning)) hone__sweep_say_done(&sweep);
  release(&sweep);
  return status;
}
