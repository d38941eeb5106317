/* The baseline: built first, then the reference; the runners are set up with both, and every device
 * times the baseline for itself, at the start, now and then, and at the end. */
#include "tune/tuning.h"

#include "base/clock.h"
#include "base/digest.h"
#include "stats/statistics.h"
#include "tune/call_advice.h"
#include "tune/failing.h"
#include "tune/suspicion.h"

#include <stdlib.h>

enum { SAMPLES_OF_FIRST = 9, SAMPLES_OF_READING = 3, MOST_BASELINES = 100 };
enum { /* candidates from one reading to the next */
       MOST_BETWEEN = 20,
       LEAST_BETWEEN = 4
};
static const double READING_SHARE = 0.05; /* of the time, beyond one in MOST_BETWEEN */
static const double LEAST_TIMEOUT_S = 1, TIMEOUT_FACTOR = 20, FIRST_TIMEOUT_S = 120;
static const double DRIFT_WORTH_A_WARNING = 0.03;

/* ---- Building the baseline and the reference ---- */

struct build_wait {
  struct hone__candidate *candidate;
  size_t *pending;
};

static void on_baseline_built(void *data, const struct hone__reply *reply)
{
  struct build_wait *wait = data;

  hone__candidate_built(wait->candidate, reply);
  --*wait->pending;
}

/* Builds and waits. */
static void build_now(struct hone__tuning *tuning, struct hone__candidate *candidate)
{
  size_t pending = 1;
  struct build_wait wait = {candidate, &pending};
  struct hone__job job = {.slot = HONE__ANY_SLOT,
                          .timeout_s = tuning->build_timeout_s,
                          .done = on_baseline_built,
                          .data = &wait};

  job.head = json_pack("{s:s, s:f, s:O}", "op", "build", "timeout_s", job.timeout_s, "candidate",
                       candidate->json);
  hone__pool_submit(tuning->builders, &job);
  hone__tuning_wait(tuning, &pending);
  hone__tuning_abandon(tuning, &pending);
}

static hone_status not_built(const struct hone__candidate *candidate, const char *what)
{
  struct hone__text text = {0};
  hone_status status;

  if (candidate->bytes) return NULL;
  hone__failing_print(candidate, &text);
  status = hone__error(HONE_UNAVAILABLE, "the %s cannot be built: %s: %s", what,
                       hone__outcome_name(candidate->evaluation.outcome), text.data);
  hone__text_release(&text);
  return status;
}

static hone_status build_baseline(struct hone__tuning *tuning)
{
  hone_status status = hone__candidate_new(tuning, tuning->task.baseline, &tuning->baseline);

  if (status) return status;
  tuning->baseline->is_baseline = true;
  build_now(tuning, tuning->baseline);
  if (tuning->aborting) return NULL;
  return not_built(tuning->baseline, "baseline");
}

/* Puts the reference's object behind the setup's other bytes. */
static void attach_reference(struct hone__tuning *tuning, json_t *reference,
                             const struct hone__candidate *built)
{
  struct hone__digester *digester = hone__digest_begin();
  char key[HONE__DIGEST_SIZE];

  hone__digest_add_text(digester, built->object);
  hone__candidate_digest_call(built->json, digester);
  hone__digest_add_text(digester,
                        json_string_value(json_object_get(tuning->setup.head, "inputs_key")));
  hone__digest_end(digester, key);
  snprintf(tuning->reference_key, sizeof tuning->reference_key, "%s", key);
  json_object_set_new(reference, "key", json_string(key));
  json_object_set_new(reference, "offset", json_integer((json_int_t)tuning->setup.payload.length));
  json_object_set_new(reference, "size", json_integer((json_int_t)built->size));
  hone__text_addn(&tuning->setup.payload, built->bytes, built->size);
}

/* What the reference is made of decides the baseline's answer too. */
static void add_deps(struct hone__candidate *baseline, const char *more)
{
  json_t *deps = baseline->evaluation.deps ? json_loads(baseline->evaluation.deps, 0, NULL) : NULL;
  json_t *others = more ? json_loads(more, 0, NULL) : NULL;
  char *text;

  if (!deps) deps = json_array();
  if (others) json_array_extend(deps, others);
  text = json_dumps(deps, JSON_COMPACT);
  baseline->evaluation.deps = hone__arena_strdup(&baseline->texts, text);
  free(text);
  json_decref(deps);
  json_decref(others);
}

static hone_status build_reference(struct hone__tuning *tuning)
{
  json_t *reference = json_object_get(tuning->setup.head, "reference");
  const char *kind = json_string_value(json_object_get(reference, "kind"));
  struct hone__candidate *candidate;
  hone_status status;

  if (!kind || strcmp(kind, "object") != 0) return NULL;
  status = hone__candidate_new(tuning, tuning->task.baseline, &candidate);
  if (status) return status;
  json_decref(candidate->json);
  candidate->json = json_incref(json_object_get(reference, "candidate"));
  build_now(tuning, candidate);
  if (!tuning->aborting) status = not_built(candidate, "reference");
  if (!status && candidate->bytes) {
    attach_reference(tuning, reference, candidate);
    if (tuning->baseline) add_deps(tuning->baseline, candidate->evaluation.deps);
  }
  hone__candidate_free(candidate);
  return status;
}

/* ---- Timing it ---- */

struct reading {
  struct hone__tuning *tuning;
  size_t site;
  size_t *pending;
  bool first;
};

/* Contention shows as samples that were taken off the CPU. */
static void note_contention(struct hone__tuning *tuning, const struct hone__reply *reply)
{
  json_int_t switches = json_integer_value(json_object_get(reply->head, "forced_switches"));

  tuning->forced_switches += (uint64_t)(switches > 0 ? switches : 0);
  tuning->readings++;
}

/* One reading may be disturbed: the last three speak together. */
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
  struct hone__site *site = &tuning->sites[reading->site];

  take_reading(site, samples);
  hone__readings_add(&site->history, hone__clock(), samples->times_ns, samples->count);
  if (hone__reply_worked_s(reply) > 0) site->reading_s = hone__reply_worked_s(reply);
  note_contention(tuning, reply);
  if (reading->first) {
    site->first_ns = site->last_ns;
    site->told = hone__site_reading(site);
  } else if (tuning->store) {
    hone__tuning_fail(tuning, hone__store_samples_add(tuning->store, site->evaluation, samples));
  }
}

/* The first reading is the baseline's evaluation on this device. */
static void record_baseline(struct reading *reading, const struct hone__run_part *part,
                            const struct hone__samples *samples)
{
  struct hone__tuning *tuning = reading->tuning;
  struct hone__site *site = &tuning->sites[reading->site];
  struct hone__candidate *baseline = tuning->baseline;
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
  hone__candidate_set_site(baseline, reading->site);
  hone__candidate_record(baseline);
  evaluation->samples = NULL;
  evaluation->sample_count = 0;
  site->evaluation = evaluation->id;
}

static void take_samples(struct reading *reading, const struct hone__reply *reply,
                         const struct hone__run_part *part)
{
  struct hone__samples samples = hone__run_samples(reply, "baseline");

  keep_reading(reading, reply, &samples);
  if (reading->first) {
    hone__candidate_output(reading->tuning->baseline, hone__run_json(reply, 0), NULL);
    reading->tuning->baseline->energy = hone__run_energy(reply, 0);
    record_baseline(reading, part, &samples);
  }
  hone__run_samples_release(&samples);
}

/* A worker that is not there says nothing about its device; one that is given up is left out
 * anyway. */
static bool counts_against(const struct reading *reading, enum hone__outcome outcome)
{
  if (outcome == HONE__OUTCOME_INTERRUPTED || reading->tuning->sites[reading->site].is_away)
    return false;
  return outcome != HONE__OUTCOME_WORKER_LOST || reading->first;
}

static void on_reading(void *data, const struct hone__reply *reply)
{
  struct reading *reading = data;
  struct hone__tuning *tuning = reading->tuning;
  struct hone__site *site = &tuning->sites[reading->site];
  struct hone__run_part part = hone__run_part(reply, 0);

  if (part.outcome == HONE__OUTCOME_OK && part.samples) {
    take_samples(reading, reply, &part);
    site->failed_readings = 0;
    if (reading->first) site->usable = !site->is_away;
  } else if (counts_against(reading, part.outcome) &&
             (reading->first || ++site->failed_readings > 1)) {
    site->usable = false;
    if (hone__outcome_blame(part.outcome) == HONE__BLAME_CANDIDATE) tuning->baseline_failed = true;
    if (part.outcome != HONE__OUTCOME_WORKER_LOST || !site->why)
      site->why = hone__arena_printf(&tuning->arena, "the baseline fails on '%s': %s: %s",
                                     site->device, hone__outcome_name(part.outcome), part.evidence);
    if (tuning->site_count > 1 && (!reading->first || tuning->task.baseline_given))
      hone__tuning_say(tuning, HONE_EVENT_WARNING, "device '%s' is given up: %s", site->device,
                       site->why);
  }
  --*reading->pending;
  free(reading);
}

static unsigned samples_of_reading(const struct hone__tuning *tuning, bool first)
{
  const struct hone__backend *backend = tuning->task.backend;

  if (first) return backend->first_samples ? backend->first_samples : SAMPLES_OF_FIRST;
  return backend->reading_samples ? backend->reading_samples : SAMPLES_OF_READING;
}

static void read_baseline(struct hone__tuning *tuning, size_t site, bool first, size_t *pending)
{
  struct hone__run_request request = {.mode = "screen",
                                      .phase = "baseline",
                                      .candidates = &tuning->baseline,
                                      .count = 1,
                                      .slot = (int)site,
                                      .check = first,
                                      .samples = samples_of_reading(tuning, first)};
  struct hone__job job = hone__run_job(tuning, &request);
  struct reading *reading = hone__alloc(sizeof *reading);

  *reading = (struct reading){tuning, site, pending, first};
  job.may_be_skipped = !first;
  job.done = on_reading;
  job.data = reading;
  ++*pending;
  hone__pool_submit(tuning->runners, &job);
}

/* What a candidate is compared with decides what the search is told. Where the times are recorded
 * and the same seed is to ask for the same, the clock has no say. */
static bool follows_clock(const struct hone__tuning *tuning)
{
  return !hone__tuning_is_scheduled(tuning) ||
         hone__tuning_answers(tuning) != HONE__ANSWERS_RECORDED;
}

static bool is_due(const struct hone__site *site)
{
  const struct hone__readings *history = &site->history;
  double since_s = hone__clock() - history->all[history->count - 1].at;

  return hone__readings_last_step(history) > HONE__UNSTEADY ||
         (site->reading_s > 0 && since_s > site->reading_s / READING_SHARE);
}

bool hone__tuning_wants_reading(const struct hone__candidate *candidate, size_t site)
{
  const struct hone__tuning *tuning = candidate->tuning;
  const struct hone__site *here = &tuning->sites[site];

  if (here->since_reading >= MOST_BETWEEN) return true;
  if (here->since_reading < LEAST_BETWEEN || !here->history.count) return false;
  if (tuning->task.backend->sample_is_run) return false; /* a reading takes as long as they do */
  if (candidate->bounds && candidate->bounds[site].is_unsteady) return true;
  return follows_clock(tuning) && is_due(here);
}

void hone__tuning_read_baseline(struct hone__tuning *tuning, size_t site, size_t *pending)
{
  read_baseline(tuning, site, !tuning->sites[site].readings, pending);
}

static void read_all(struct hone__tuning *tuning, bool first)
{
  size_t pending = 0;

  for (size_t i = 0; i < tuning->site_count; i++)
    if (tuning->sites[i].usable) read_baseline(tuning, i, first, &pending);
  hone__tuning_wait(tuning, &pending);
  hone__tuning_abandon(tuning, &pending);
}

/* ---- Devices ---- */

/* The kernel's failure, not the device's. */
static hone_status kernel_fails(const struct hone__tuning *tuning)
{
  struct hone__text advice = {0};
  hone_status status;

  if (!tuning->reference_unloaded)
    hone__tuning_explain_call(tuning, tuning->reference_failed, &advice);
  status =
      hone__error(HONE_UNAVAILABLE, "%s%s", tuning->sites[0].why, advice.length ? advice.data : "");
  hone__text_release(&advice);
  return status;
}

static hone_status check_sites(struct hone__tuning *tuning)
{
  const struct hone__site *first = &tuning->sites[0];

  for (size_t i = 0; i < tuning->site_count; i++)
    if (tuning->sites[i].usable) return NULL;
  if (tuning->aborting) return NULL;
  if (first->why && (tuning->baseline_failed || tuning->reference_failed))
    return kernel_fails(tuning);
  return hone__error(HONE_UNAVAILABLE, "device '%s' cannot be used: %s", first->device,
                     first->why ? first->why : "its worker gave no answer");
}

/* A call that takes a multiple of the baseline's first one will not win any more. */
static void settle_timeout(struct hone__tuning *tuning)
{
  double cold_s = 0;

  if (tuning->timeout_given) return;
  for (size_t i = 0; i < tuning->site_count; i++)
    if (isfinite(tuning->sites[i].cold_ns))
      cold_s = fmax(cold_s, fmax(tuning->sites[i].cold_ns, tuning->sites[i].first_ns) * 1e-9);
  tuning->call_timeout_s = fmax(LEAST_TIMEOUT_S, TIMEOUT_FACTOR * cold_s);
  hone__tuning_log(tuning, "timeout of a first call: %.3g s", tuning->call_timeout_s);
}

void hone__tuning_set_up_builders(struct hone__tuning *tuning)
{
  hone__pool_setup(tuning->builders, json_deep_copy(tuning->setup.head), NULL, 0);
}

static void set_up_runners(struct hone__tuning *tuning)
{
  size_t size = tuning->setup.payload.length;
  void *payload = NULL;

  if (size) {
    payload = hone__alloc(size);
    memcpy(payload, tuning->setup.payload.data, size);
  }
  hone__pool_setup(tuning->runners, json_deep_copy(tuning->setup.head), payload, size);
}

static hone_status build_both(struct hone__tuning *tuning)
{
  hone_status status = build_baseline(tuning);

  if (!status && !tuning->aborting) status = build_reference(tuning);
  return status;
}

static hone_status read_first(struct hone__tuning *tuning)
{
  for (size_t i = 0; i < tuning->site_count; i++) {
    tuning->sites[i].why = NULL;
    tuning->sites[i].usable = !tuning->sites[i].is_away;
  }
  tuning->baseline_failed = tuning->reference_failed = false;
  set_up_runners(tuning);
  read_all(tuning, true);
  return check_sites(tuning);
}

/* One configuration as the baseline: built, and timed on every device. */
static hone_status try_baseline(struct hone__tuning *tuning)
{
  hone_status status;

  hone__tuning_set_up_builders(tuning);
  status = build_both(tuning);
  if (status || tuning->aborting || tuning->options->stop_after == HONE_STAGE_BUILD) return status;
  return read_first(tuning);
}

/* ---- Another one, where the spec names none ---- */

static bool may_try_another(const struct hone__tuning *tuning)
{
  bool is_its_fault = tuning->baseline && (!tuning->baseline->bytes || tuning->baseline_failed);

  return !tuning->task.baseline_given && is_its_fault && !tuning->aborting && !tuning->stopping &&
         !tuning->failure;
}

/* The first configuration that works, in mesh order. `status` is what the first one died of. */
static hone_status search_baseline(struct hone__tuning *tuning, hone_status status)
{
  uint32_t *row = hone__alloc(hone_space_width(tuning->space) * sizeof *row);
  uint64_t i = 1;

  for (; status && i < MOST_BASELINES && may_try_another(tuning); i++) {
    hone_status again;
    if (!hone_space_at(tuning->space, i, row)) break;
    again = hone__tuning_rebase(tuning, row);
    if (!again) again = try_baseline(tuning);
    if (again) {
      hone_status_free(again); /* the first one's failure tells more */
      continue;
    }
    hone_status_free(status);
    status = NULL;
    if (!tuning->aborting)
      hone__tuning_say(
          tuning, HONE_EVENT_NOTE, "%llu configuration%s do%s not work; the baseline is %s",
          (unsigned long long)i, i == 1 ? "" : "s", i == 1 ? "es" : "", tuning->baseline->config);
  }
  free(row);
  if (status && tuning->failure) { /* ten that failed alike: that tells more than the first */
    hone_status_free(status);
    return NULL;
  }
  if (i == 1) return status;
  return hone__annotate(status, "none of the %s%llu configurations works",
                        i == hone_space_count(tuning->space) ? "" : "first ",
                        (unsigned long long)i);
}

/* ---- The stage ---- */

hone_status hone__tuning_baseline(struct hone__tuning *tuning)
{
  bool build_only = tuning->options->stop_after == HONE_STAGE_BUILD;
  hone_status status;

  hone__tuning_phase(tuning, "baseline", 0);
  if (!tuning->timeout_given) tuning->call_timeout_s = FIRST_TIMEOUT_S;
  status = try_baseline(tuning);
  if (status) status = search_baseline(tuning, status);
  if (status || tuning->aborting) return status;
  hone__tuning_warn_of_call(tuning);
  if (build_only)
    hone__candidate_record(tuning->baseline);
  else
    settle_timeout(tuning);
  return NULL;
}

hone_status hone__tuning_reference(struct hone__tuning *tuning)
{
  uint32_t *row = hone__alloc(hone_space_width(tuning->space) * sizeof *row);
  hone_status status = build_reference(tuning);

  for (uint64_t i = 1; status && i < MOST_BASELINES && !tuning->aborting &&
                       !tuning->task.baseline_given && hone_space_at(tuning->space, i, row);
       i++) {
    hone_status again = hone__tuning_rebase(tuning, row);
    if (!again) again = build_reference(tuning);
    hone_status_free(status);
    status = again;
  }
  free(row);
  if (!status && !tuning->aborting) set_up_runners(tuning);
  return status;
}

void hone__tuning_last_readings(struct hone__tuning *tuning)
{
  double drift = 0;

  read_all(tuning, false);
  for (size_t i = 0; i < tuning->site_count; i++) {
    const struct hone__site *site = &tuning->sites[i];
    double here = site->last_ns / site->first_ns - 1;
    if (!site->usable || !isfinite(here)) continue;
    if (fabs(here) > fabs(drift)) drift = here;
    if (fabs(here) > DRIFT_WORTH_A_WARNING)
      hone__tuning_say(tuning, HONE_EVENT_WARNING,
                       "the baseline drifted by %+.1f %% on '%s' during the run; candidates are "
                       "ranked by their ratio to the readings next to them",
                       100 * here, site->device);
  }
  tuning->result.drift = drift;
}
