/* A sweep builds every binary once, runs every configuration once, and stores all results at once.
 * If builds would disturb runs, all builds come first; otherwise a configuration is run as soon as
 * its binary is built. One function, start_more, starts whatever can be started.
 */
#include "sweep/sweep.h"

#include "session/knobs.h"
#include "session/suspicion.h"
#include "stats/statistics.h"

#include <stdlib.h>

enum { MOST_LOSSES = 2, MOST_REFERENCES = 100 };

static void start_more(struct hone__sweep *sweep);

static bool is_build_only(const struct hone__sweep *sweep)
{
  return sweep->session.settings.options->stop_after == HONE_STAGE_BUILD;
}

/* ---- Builds ---- */

static void take_build(struct hone__sweep *sweep, struct hone__candidate *built)
{
  uint32_t number = sweep->owner[built->evaluation.mesh_idx];

  if (built->bytes) {
    sweep->builds_ok++;
    hone__sweep_keep(sweep, &sweep->builds[number], built, false);
    if (is_build_only(sweep))
      hone__sweep_record_group(sweep, number, built);
    else
      hone__schedule_ready(sweep->schedule, number);
    return;
  }
  sweep->builds_failed++;
  if (sweep->session.settings.cached_only && !built->evaluation.cached)
    sweep->missing++;
  else /* the cache also has compile errors */
    hone__sweep_record_group(sweep, number, built);
}

static void on_built(struct hone__candidate *built)
{
  struct hone__sweep *sweep = built->session->control.stage;

  sweep->pending--;
  sweep->building--;
  if (built->evaluation.outcome != HONE_OUTCOME_INTERRUPTED) take_build(sweep, built);
  hone__candidate_free(built);
  hone__sweep_progress(sweep, false);
  start_more(sweep);
}

static void start_builds(struct hone__sweep *sweep)
{
  struct hone__session *session = &sweep->session;

  while (sweep->next_build < sweep->build_count && !hone__control_over(&session->control) &&
         sweep->building < hone__pool_usable(session->workers.builders) + 1) {
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

struct running { /* a run in progress */
  struct hone__sweep *sweep;
  size_t site;
};

static void fill_in(struct hone__sweep *sweep, struct hone__candidate *candidate,
                    const struct hone__reply *reply, size_t site)
{
  struct hone__evaluation *evaluation = &candidate->evaluation;
  struct hone__run_part part = hone__run_part(reply, 0);
  struct hone__samples samples = hone__run_samples(reply, HONE_PHASE_SCREEN);

  evaluation->outcome = part.outcome;
  evaluation->evidence = hone__arena_strdup(&candidate->texts, part.evidence);
  evaluation->device = sweep->session.workers.sites[site].device;
  evaluation->tries = reply->tries;
  evaluation->cold_ns = part.cold_ns;
  if (hone__outcome_works(part.outcome) && samples.count)
    evaluation->time_ns = hone__median(samples.times_ns, samples.count);
  hone__candidate_output(candidate, hone__run_result(reply, 0), NULL);
  evaluation->suspicious = hone__candidate_suspicion(candidate, site);
  evaluation->samples = &samples;
  evaluation->sample_count = part.samples ? 1 : 0;
  hone__sweep_record(sweep, candidate);
  evaluation->samples = NULL;
  hone__run_samples_release(&samples);
}

/* A lost worker is not the instance's fault: another device may take it. */
static bool is_retried_elsewhere(struct hone__sweep *sweep, uint32_t instance,
                                 const struct hone__reply *reply)
{
  if (hone__run_part(reply, 0).outcome != HONE_OUTCOME_WORKER_LOST) return false;
  if (hone__control_over(&sweep->session.control) || !hone__workers_usable(&sweep->session.workers))
    return false;
  return !reply->tries || sweep->losses[instance]++ < MOST_LOSSES;
}

static void on_run(void *data, const struct hone__reply *reply)
{
  struct running running = *(struct running *)data;
  struct hone__sweep *sweep = running.sweep;
  struct hone__candidate *candidate = sweep->on_site[running.site];
  uint32_t instance = (uint32_t)candidate->evaluation.mesh_idx;

  free(data);
  sweep->on_site[running.site] = NULL;
  sweep->pending--;
  sweep->session.progress.event.measuring--;
  if (is_retried_elsewhere(sweep, instance, reply))
    hone__schedule_return(sweep->schedule, instance);
  else
    fill_in(sweep, candidate, reply, running.site);
  hone__candidate_free(candidate);
  start_more(sweep);
}

static struct hone__job job_of(struct hone__sweep *sweep, struct hone__candidate *candidate,
                               size_t site)
{
  struct hone__session *session = &sweep->session;
  const struct hone__sweep_build *build =
      hone__sweep_build_of(sweep, (uint32_t)candidate->evaluation.mesh_idx);
  struct hone__run_request request = {.mode = HONE__RUN_SCREEN,
                                      .candidates = &candidate,
                                      .count = 1,
                                      .slot = (int)site,
                                      .check = session->problem.task.check,
                                      .samples = session->settings.screen_samples};
  struct hone__job job;

  candidate->bytes = build->bytes; /* lent: the job has a copy */
  candidate->size = build->size;
  job = hone__run_job(session, &request);
  candidate->bytes = NULL;
  return job;
}

static void run_on(struct hone__sweep *sweep, struct hone__candidate *candidate, size_t site)
{
  struct running *running = hone__alloc(sizeof *running);
  struct hone__job job = job_of(sweep, candidate, site);

  *running = (struct running){sweep, site};
  hone__sweep_copy_build(candidate,
                         hone__sweep_build_of(sweep, (uint32_t)candidate->evaluation.mesh_idx));
  job.may_move = true;
  job.done = on_run;
  job.data = running;
  sweep->pending++;
  sweep->session.progress.event.measuring++;
  hone__pool_submit(sweep->session.workers.runners, &job);
}

/* The bytes were dropped, and the cache has lost them: they were built again. */
static void on_built_again(struct hone__candidate *candidate)
{
  struct hone__sweep *sweep = candidate->session->control.stage;
  struct hone__sweep_build *build =
      hone__sweep_build_of(sweep, (uint32_t)candidate->evaluation.mesh_idx);
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
  hone__sweep_record(sweep, candidate);
  hone__candidate_free(candidate);
  start_more(sweep);
}

static void begin_run(struct hone__sweep *sweep, uint32_t instance, size_t site)
{
  struct hone__candidate *candidate = hone__sweep_candidate(sweep, instance);

  if (!candidate) return;
  sweep->on_site[site] = candidate;
  if (hone__sweep_fetch(sweep, hone__sweep_build_of(sweep, instance))) {
    run_on(sweep, candidate, site);
  } else {
    sweep->pending++;
    hone__candidate_build(candidate, on_built_again);
  }
}

static void start_runs(struct hone__sweep *sweep)
{
  struct hone__session *session = &sweep->session;
  uint32_t instance;

  for (size_t site = 0;
       site < session->workers.site_count && !hone__control_over(&session->control); site++)
    if (session->workers.sites[site].usable && !sweep->on_site[site] &&
        hone__schedule_take(sweep->schedule, site, &instance))
      begin_run(sweep, instance, site);
}

static void start_more(struct hone__sweep *sweep)
{
  if (hone__control_over(&sweep->session.control)) return;
  start_builds(sweep);
  if (sweep->running) start_runs(sweep);
}

/* ---- The stage ---- */

static void work(struct hone__sweep *sweep)
{
  struct hone__session *session = &sweep->session;

  start_more(sweep);
  hone__control_wait(&session->control, &sweep->pending);
  hone__session_abandon(session, &sweep->pending);
  hone__sweep_progress(sweep, true);
}

static void end_builds(struct hone__sweep *sweep)
{
  if (hone__control_over(&sweep->session.control)) return;
  hone__sweep_report_built(sweep);
  hone__session_knobs_warn(&sweep->session);
}

static hone_status check_cache(const struct hone__sweep *sweep)
{
  if (!sweep->missing) return NULL;
  return hone__error(HONE_UNAVAILABLE,
                     sweep->missing == 1
                         ? "%zu binary is not in the cache: build it first with --build"
                         : "%zu binaries are not in the cache: build them first with --build",
                     sweep->missing);
}

static hone_status check_devices(const struct hone__sweep *sweep)
{
  const struct hone__session *session = &sweep->session;

  if (session->control.aborting || !hone__schedule_left(sweep->schedule)) return NULL;
  return hone__workers_check(&session->workers);
}

static void on_capacity(void *stage)
{
  start_more(stage);
}

/* The first configuration whose reference can be built, in mesh order; sets up the runners with it.
 */
static hone_status set_up_reference(struct hone__session *session)
{
  uint32_t *row = hone__alloc(hone_space_width(session->problem.space) * sizeof *row);
  hone_status status = hone__session_build_reference(session, NULL);

  for (uint64_t i = 1; status && i < MOST_REFERENCES && !session->control.aborting &&
                       !session->problem.task.baseline_given &&
                       hone__space_whole_at(session->problem.space, i, row);
       i++) {
    hone_status again = hone__session_rebase(session, row);
    if (!again) again = hone__session_build_reference(session, NULL);
    hone_status_free(status);
    status = again;
  }
  free(row);
  if (!status && !session->control.aborting) hone__session_set_up_runners(session);
  return status;
}

static hone_status run_all(struct hone__sweep *sweep)
{
  struct hone__session *session = &sweep->session;
  bool overlaps = sweep->next_build < sweep->build_count;
  hone_status status = set_up_reference(session);

  if (status || hone__control_over(&session->control)) return status;
  for (size_t i = 0; i < session->workers.site_count; i++)
    session->workers.sites[i].usable =
        !session->workers.sites[i].is_away; /* until an event changes it */
  sweep->running = true;
  session->control.on_capacity = on_capacity;
  session->progress.done_before = hone__sweep_finished(sweep);
  hone__session_phase(session, HONE_PHASE_RUN, sweep->count);
  work(sweep);
  session->control.on_capacity = NULL;
  if (overlaps) end_builds(sweep);
  return check_devices(sweep);
}

static hone_status build_and_run(struct hone__sweep *sweep)
{
  struct hone__session *session = &sweep->session;
  bool overlaps =
      session->workers.overlap && !is_build_only(sweep) && !session->settings.cached_only;
  hone_status status = NULL;

  hone__session_set_up_builders(session);
  if (!overlaps) {
    hone__session_phase(session, HONE_PHASE_BUILD, sweep->build_count);
    work(sweep);
    status = check_cache(sweep);
    if (!status) end_builds(sweep);
  }
  if (status || hone__control_over(&session->control) || is_build_only(sweep)) return status;
  return run_all(sweep);
}

static hone_status open_workers(struct hone__sweep *sweep)
{
  struct hone__session *session = &sweep->session;
  hone_status status = hone__session_open_builders(session);

  if (!status && !is_build_only(sweep)) status = hone__session_open_runners(session);
  if (status) return status;
  hone__sweep_fill_schedule(sweep);
  sweep->on_site = hone__alloc((session->workers.site_count + 1) * sizeof *sweep->on_site);
  session->control.stage = sweep;
  return NULL;
}

hone_status hone__sweep_work(struct hone__sweep *sweep)
{
  const struct hone__control *control = &sweep->session.control;
  hone_status status = hone__sweep_list(sweep);

  if (!status && !hone__control_over(control)) hone__sweep_report_scheduled(sweep);
  if (!status && sweep->build_count && !hone__control_over(control)) {
    status = open_workers(sweep);
    if (!status) status = build_and_run(sweep);
  }
  if (!status && !hone__control_over(control)) hone__sweep_report_done(sweep);
  return status;
}
