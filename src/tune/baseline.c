/* The baseline: built first, then the reference; the runners are set up with both. Every device
 * times the baseline for itself, at the start, at intervals, and at the end.
 */
#include "tune/tuning.h"

#include "base/digest.h"
#include "session/device_kinds.h"
#include "session/suspicion.h"
#include "stats/statistics.h"
#include "tune/baseline_limit.h"
#include "tune/call_advice.h"
#include "tune/kind_threads.h"
#include "tune/quick.h"

#include <stdlib.h>

enum { SAMPLES_OF_FIRST = 9, SAMPLES_OF_READING = 3, FIRST_OF_FEW = 2, MOST_BASELINES = 100 };
enum { /* candidates between two readings */
       MOST_BETWEEN = 100,
       USUAL_BETWEEN = 20, /* where the time does not say when */
       LEAST_BETWEEN = 4
};
static const double READING_SHARE = 0.05; /* of the time */
static const double LEAST_TIMEOUT_S = 1, TIMEOUT_FACTOR = 20, FIRST_TIMEOUT_S = 120;
static const double DRIFT_WORTH_A_WARNING = 0.03;

/* ---- Building the baseline ---- */

/* The measurer of a served program needs no object: it starts while the baseline is built. */
static bool starts_early(const struct hone__tuning *tuning)
{
  return hone__session_served_builders(&tuning->session) &&
         tuning->session.settings.options->stop_after != HONE_STAGE_BUILD;
}

static hone_status build_baseline(struct hone__tuning *tuning)
{
  struct hone__candidate_wait wait;
  hone_status status = hone__candidate_new(&tuning->session, tuning->session.problem.task.baseline,
                                           &tuning->baseline.candidate);

  if (status) return status;
  tuning->baseline.candidate->is_baseline = true;
  hone__session_submit_build(&wait, tuning->baseline.candidate);
  if (hone__session_served_builders(&tuning->session)) {
    hone__early_builds_start(tuning);
    hone__early_builds_use_all(tuning);
  }
  hone__session_await_build(&wait);
  if (tuning->session.control.aborting) return NULL;
  return hone__session_check_built(tuning->baseline.candidate, "baseline");
}

/* ---- Timing it ---- */

struct reading {
  struct hone__tuning *tuning;
  size_t site;
  size_t *pending;
  bool first;
};

/* Contention shows as samples with involuntary context switches. */
static void note_contention(struct hone__tuning *tuning, const struct hone__reply *reply)
{
  int64_t switches = reply->run ? reply->run->forced_switches : 0;

  tuning->baseline.forced_switches += (uint64_t)(switches > 0 ? switches : 0);
  tuning->baseline.readings++;
}

/* One reading may be disturbed: uses the median of the last three. */
static void take_reading(struct hone__site *site, const struct hone__samples *samples)
{
  size_t at = site->readings++ % 3, count = site->readings < 3 ? site->readings : 3;

  site->recent_ns[at] = hone__median(samples->times_ns, samples->count);
  site->recent_least_ns[at] = hone__quantile(samples->times_ns, samples->count, 0);
  site->last_ns = hone__median(site->recent_ns, count);
  site->least_ns = hone__median(site->recent_least_ns, count);
}

static void keep_reading(struct reading *reading, const struct hone__reply *reply,
                         const struct hone__samples *samples)
{
  struct hone__tuning *tuning = reading->tuning;
  struct hone__site *site = &tuning->session.workers.sites[reading->site];

  take_reading(site, samples);
  hone__readings_add(&site->history, reply->ended_at, samples->times_ns, samples->count);
  if (reply->worked_s > 0) site->reading_s = reply->worked_s;
  note_contention(tuning, reply);
  if (reading->first) {
    site->first_ns = site->last_ns;
    site->passed = hone__tuning_site_reading(site);
  } else if (tuning->session.settings.purpose->is_stored) {
    hone__control_fail(
        &tuning->session.control,
        hone__store_samples_add(tuning->session.entry.store, site->evaluation, samples));
  }
}

/* The first reading is the baseline's evaluation on this device. */
static void record_baseline(struct reading *reading, const struct hone__run_part *part,
                            const struct hone__samples *samples)
{
  struct hone__tuning *tuning = reading->tuning;
  struct hone__site *site = &tuning->session.workers.sites[reading->site];
  struct hone__candidate *baseline = tuning->baseline.candidate;
  struct hone__evaluation *evaluation = &baseline->evaluation;

  evaluation->id = 0;
  evaluation->outcome = part->outcome;
  evaluation->evidence = hone__arena_strdup(&baseline->texts, part->evidence);
  evaluation->device = site->device;
  evaluation->time_ns = evaluation->baseline_ns = site->last_ns;
  evaluation->cold_ns = site->cold_ns = part->cold_ns;
  evaluation->samples = samples;
  evaluation->sample_count = 1;
  evaluation->suspicious = hone__candidate_suspicion(baseline, reading->site);
  hone__tuning_candidate_set_site(baseline, reading->site);
  hone__tuning_candidate_record(baseline);
  evaluation->samples = NULL;
  evaluation->sample_count = 0;
  site->evaluation = evaluation->id;
}

static void take_samples(struct reading *reading, const struct hone__reply *reply,
                         const struct hone__run_part *part)
{
  struct hone__samples samples = hone__run_samples(reply, HONE_PHASE_BASELINE);

  keep_reading(reading, reply, &samples);
  if (reading->first) {
    hone__candidate_output(reading->tuning->baseline.candidate, hone__run_result(reply, 0), NULL);
    reading->tuning->baseline.candidate->energy = hone__run_energy(reply, 0);
    record_baseline(reading, part, &samples);
  }
  hone__run_samples_release(&samples);
}

/* An absent worker is no evidence about its device; one that is given up is excluded anyway. */
static bool counts_against(const struct reading *reading, enum hone_outcome outcome)
{
  if (outcome == HONE_OUTCOME_INTERRUPTED ||
      reading->tuning->session.workers.sites[reading->site].is_away)
    return false;
  return outcome != HONE_OUTCOME_WORKER_LOST || reading->first;
}

static void on_reading(void *data, const struct hone__reply *reply)
{
  struct reading *reading = data;
  struct hone__tuning *tuning = reading->tuning;
  struct hone__site *site = &tuning->session.workers.sites[reading->site];
  struct hone__run_part part = hone__run_part(reply, 0);

  if (part.outcome == HONE_OUTCOME_OK && part.samples) {
    take_samples(reading, reply, &part);
    site->failed_readings = 0;
    if (reading->first) site->usable = !site->is_away;
  } else if (counts_against(reading, part.outcome) &&
             (reading->first || ++site->failed_readings > 1)) {
    site->usable = false;
    if (hone__outcome_blame(part.outcome) == HONE__BLAME_CANDIDATE)
      tuning->baseline.has_failed = true;
    if (part.outcome != HONE_OUTCOME_WORKER_LOST || !site->why)
      site->why = hone__arena_printf(&tuning->session.arena, "the baseline fails on '%s': %s: %s",
                                     site->device, hone_outcome_name(part.outcome), part.evidence);
    if (tuning->session.workers.site_count > 1 &&
        (!reading->first || tuning->session.problem.task.baseline_given))
      hone__session_say(&tuning->session, HONE_EVENT_WARNING, "device '%s' is no longer used: %s",
                        site->device, site->why);
  }
  --*reading->pending;
  free(reading);
}

/* One sample of each candidate is requested where calls take long: then few of the baseline do. */
static unsigned samples_of_reading(const struct hone__tuning *tuning, bool first)
{
  const struct hone__backend *backend = tuning->session.problem.task.backend;
  unsigned given = tuning->session.settings.options->screen_samples;
  unsigned of_first = backend->first_samples ? backend->first_samples : SAMPLES_OF_FIRST,
           of_reading = backend->reading_samples ? backend->reading_samples : SAMPLES_OF_READING;

  if (given == 1) return first ? FIRST_OF_FEW : 1;
  return first ? of_first : of_reading;
}

static void read_baseline(struct hone__tuning *tuning, size_t site, bool first, size_t *pending)
{
  struct hone__run_request request = {.mode = HONE__RUN_SCREEN,
                                      .phase = HONE_PHASE_BASELINE,
                                      .candidates = &tuning->baseline.candidate,
                                      .count = 1,
                                      .slot = (int)site,
                                      .check = first,
                                      .samples = samples_of_reading(tuning, first),
                                      .budget_s = hone__baseline_limit_samples_s(tuning)};
  struct hone__job job = hone__run_job(&tuning->session, &request);
  struct reading *reading = hone__alloc(sizeof *reading);

  *reading = (struct reading){tuning, site, pending, first};
  job.may_be_skipped = !first;
  job.done = on_reading;
  job.data = reading;
  ++*pending;
  hone__pool_submit(tuning->session.workers.runners, &job);
}

/* The reading a candidate is compared with affects what the search receives. If times are recorded
 * and the same seed must give the same configurations, readings must not depend on the clock. */
static bool follows_clock(const struct hone__tuning *tuning)
{
  return !hone__tuning_is_scheduled(tuning) ||
         hone__session_answers(&tuning->session) != HONE__ANSWERS_RECORDED;
}

static bool is_due(const struct hone__site *site, double now)
{
  const struct hone__readings *history = &site->history;
  double since_s = now - history->all[history->count - 1].at;

  return hone__readings_last_step(history) > HONE__UNSTEADY ||
         (site->reading_s > 0 && since_s > site->reading_s / READING_SHARE);
}

bool hone__tuning_wants_reading(const struct hone__candidate *candidate, size_t site)
{
  const struct hone__tuning *tuning = hone__tuning_of(candidate);
  const struct hone__site *here = &tuning->session.workers.sites[site];

  /* A reading of a program takes as long as a candidate. */
  bool is_timed = follows_clock(tuning) && !tuning->session.problem.task.backend->sample_is_run;

  if (here->since_reading >= (is_timed ? MOST_BETWEEN : USUAL_BETWEEN)) return true;
  if (here->since_reading < LEAST_BETWEEN || !here->history.count) return false;
  if (tuning->session.problem.task.backend->sample_is_run) return false;
  if (candidate->bounds && candidate->bounds[site].is_unsteady) return true;
  return is_timed && is_due(here, hone__control_now(&tuning->session.control));
}

void hone__tuning_read_baseline(struct hone__tuning *tuning, size_t site, size_t *pending)
{
  read_baseline(tuning, site, !tuning->session.workers.sites[site].readings, pending);
}

static void await_devices(struct hone__tuning *tuning, const size_t *pending)
{
  struct hone__session *session = &tuning->session;

  while (*pending && !session->control.aborting && hone__workers_are_awaited(&session->workers))
    hone__control_step(&session->control);
}

static void read_all(struct hone__tuning *tuning, bool first)
{
  size_t pending = 0;

  for (size_t i = 0; i < tuning->session.workers.site_count; i++)
    if (tuning->session.workers.sites[i].usable) read_baseline(tuning, i, first, &pending);
  await_devices(tuning, &pending);
  hone__early_builds_use_all(tuning);
  hone__control_wait(&tuning->session.control, &pending);
  hone__session_abandon(&tuning->session, &pending);
}

/* ---- Devices ---- */

/* The kernel fails, not the device. */
static hone_status kernel_fails(const struct hone__tuning *tuning)
{
  struct hone__text advice = {0};
  hone_status status;

  if (!tuning->session.workers.reference_unloaded)
    hone__tuning_explain_call(tuning, tuning->session.workers.reference_failed, &advice);
  status = hone__error(HONE_UNAVAILABLE, "%s%s", tuning->session.workers.sites[0].why,
                       advice.length ? advice.data : "");
  hone__text_release(&advice);
  return status;
}

static hone_status check_sites(struct hone__tuning *tuning)
{
  const struct hone__site *first = &tuning->session.workers.sites[0];

  for (size_t i = 0; i < tuning->session.workers.site_count; i++)
    if (tuning->session.workers.sites[i].usable) return NULL;
  if (tuning->session.control.aborting) return NULL;
  if (first->why && (tuning->baseline.has_failed || tuning->session.workers.reference_failed))
    return kernel_fails(tuning);
  return hone__error(HONE_UNAVAILABLE, "device '%s' cannot be used: %s", first->device,
                     first->why ? first->why : "its worker did not reply");
}

/* A call that takes a multiple of the baseline's first one cannot win. */
void hone__tuning_settle_timeout(struct hone__tuning *tuning)
{
  double cold_s = 0;

  if (tuning->session.settings.timeout_given) return;
  for (size_t i = 0; i < tuning->session.workers.site_count; i++)
    if (isfinite(tuning->session.workers.sites[i].cold_ns))
      cold_s = fmax(cold_s, fmax(tuning->session.workers.sites[i].cold_ns,
                                 tuning->session.workers.sites[i].first_ns) *
                                1e-9);
  tuning->session.workers.call_timeout_s = fmax(LEAST_TIMEOUT_S, TIMEOUT_FACTOR * cold_s);
  hone__session_log(&tuning->session, "timeout of a first call: %.3g s",
                    tuning->session.workers.call_timeout_s);
}

static hone_status build_both(struct hone__tuning *tuning)
{
  hone_status status = build_baseline(tuning);

  if (!status && !tuning->session.control.aborting && !hone__baseline_limit_is_over(tuning))
    status = hone__session_build_reference(&tuning->session, tuning->baseline.candidate);
  return status;
}

static void set_up_runners(struct hone__tuning *tuning)
{
  for (size_t i = 0; i < tuning->session.workers.site_count; i++) {
    tuning->session.workers.sites[i].why = NULL;
    tuning->session.workers.sites[i].usable = !tuning->session.workers.sites[i].is_away;
  }
  tuning->baseline.has_failed = tuning->session.workers.reference_failed = false;
  hone__session_set_up_runners(&tuning->session);
}

/* Tries one configuration as the baseline: builds it, and times it on every device. */
static hone_status try_baseline(struct hone__tuning *tuning)
{
  hone_status status;

  hone__session_set_up_builders(&tuning->session);
  if (starts_early(tuning)) set_up_runners(tuning);
  status = build_both(tuning);
  if (status || tuning->session.control.aborting ||
      tuning->session.settings.options->stop_after == HONE_STAGE_BUILD ||
      hone__baseline_limit_is_over(tuning))
    return status;
  if (!starts_early(tuning)) set_up_runners(tuning);
  if (!hone__session_served_builders(&tuning->session))
    hone__early_builds_start(tuning); /* not sooner: the device waits for what was built so far */
  read_all(tuning, true);
  return check_sites(tuning);
}

/* ---- Another one, where the spec names none ---- */

static bool may_try_another(const struct hone__tuning *tuning)
{
  bool is_its_fault = tuning->baseline.candidate &&
                      (!tuning->baseline.candidate->bytes || tuning->baseline.has_failed);

  return !tuning->session.problem.task.baseline_given && is_its_fault &&
         !tuning->session.control.aborting && !tuning->session.control.stopping &&
         !tuning->session.control.failure;
}

/* The first configuration that works, in mesh order. `status` is the failure of the first one. */
static hone_status search_baseline(struct hone__tuning *tuning, hone_status status)
{
  uint32_t *row = hone__alloc(hone_space_width(tuning->session.problem.space) * sizeof *row);
  uint64_t i = 1;

  for (; status && i < MOST_BASELINES && may_try_another(tuning); i++) {
    hone_status again;
    if (!hone__space_whole_at(tuning->session.problem.space, i, row)) break;
    again = hone__tuning_rebase(tuning, row);
    if (!again) again = try_baseline(tuning);
    if (again) {
      hone_status_free(again); /* the first failure is more informative */
      continue;
    }
    hone_status_free(status);
    status = NULL;
    if (!tuning->session.control.aborting)
      hone__session_say(&tuning->session, HONE_EVENT_NOTE,
                        "%llu configuration%s %s not work; the baseline is %s",
                        (unsigned long long)i, i == 1 ? "" : "s", i == 1 ? "does" : "do",
                        tuning->baseline.candidate->config);
  }
  free(row);
  if (status && tuning->session.control
                    .failure) { /* ten equal failures are more informative than the first one */
    hone_status_free(status);
    return NULL;
  }
  if (i == 1) return status;
  return hone__annotate(status, "none of the %s%llu configurations works",
                        i == hone_space_count(tuning->session.problem.space) ? "" : "first ",
                        (unsigned long long)i);
}

/* ---- The stage ---- */

hone_status hone__tuning_baseline(struct hone__tuning *tuning)
{
  bool build_only = tuning->session.settings.options->stop_after == HONE_STAGE_BUILD;
  struct hone__baseline_limit limit;
  hone_status status;

  hone__session_phase(&tuning->session, HONE_PHASE_BASELINE, 0);
  if (!tuning->session.settings.timeout_given)
    tuning->session.workers.call_timeout_s = FIRST_TIMEOUT_S;
  hone__baseline_limit_begin(&limit, tuning);
  status = try_baseline(tuning);
  if (status) status = search_baseline(tuning, status);
  hone__baseline_limit_end(&limit);
  if (status || tuning->session.control.aborting || hone__baseline_limit_was_met(tuning))
    return status;
  if (build_only) {
    hone__tuning_candidate_record(tuning->baseline.candidate);
    return NULL;
  }
  if (tuning->session.settings.purpose->is_stored)
    hone__session_keep_one_kind(&tuning->session, hone__tuning_kinds_at_once(&tuning->session));
  if (tuning->session.workers.absent_kind) return NULL;
  hone__tuning_settle_timeout(tuning);
  return NULL;
}

void hone__tuning_last_readings(struct hone__tuning *tuning)
{
  double drift = 0;

  if (hone__baseline_limit_is_near(tuning)) return;
  if (!hone__quick_has_time(tuning, tuning->session.workers.sites[0].reading_s)) return;
  read_all(tuning, false);
  for (size_t i = 0; i < tuning->session.workers.site_count; i++) {
    const struct hone__site *site = &tuning->session.workers.sites[i];
    double here = site->last_ns / site->first_ns - 1;
    if (!site->usable || !isfinite(here)) continue;
    if (fabs(here) > fabs(drift)) drift = here;
    if (fabs(here) > DRIFT_WORTH_A_WARNING)
      hone__session_say(&tuning->session, HONE_EVENT_WARNING,
                        "the baseline drifted by %+.1f %% on '%s' during the run; candidates are "
                        "ranked by their ratio to the nearest readings of the baseline",
                        100 * here, site->device);
  }
  tuning->session.entry.result.drift = drift;
}
