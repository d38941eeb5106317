/* Screening: every candidate that the search asks for is built, checked and timed shortly.
 *
 * One function, pump, is called after every reply and starts whatever can be started. Where builds
 * would disturb measurements the two take turns: a batch is built on all CPUs, then measured. */
#include "tune/tuning.h"

#include "base/clock.h"
#include "exec/statistics.h"
#include "search/several.h"
#include "tune/effort.h"
#include "tune/utilisation.h"

#include <stdlib.h>

enum {
  BATCH_BYTES = 32 << 20,
  READING_EVERY = 20,
  MOST_LOSSES = 2,
  JOBS_AHEAD = 2,
  PREPARED = 8,
  PREPARED_A_SITE = 2 /* for a search that learns */
};
static const double FIRST_BATCH_S = 1, BATCH_S = 6;
static const double TOO_IDLE = 0.05;

struct screening {
  struct hone_tuning *tuning;
  size_t pending; /* jobs without a reply */
  size_t building, measuring;
  unsigned *busy; /* by site: jobs that it has, one of them waiting at its door */
  json_t *timed;  /* measure keys of these jobs */
  struct hone_candidate *first, **last; /* built, not measured */
  size_t ready, ready_bytes;
  struct hone_candidate *aside; /* asked for, and to be built in the next turn */
  bool measuring_turn, dry;
  double turn_began, turn_s; /* turns grow: first answers come soon */
  uint64_t asked, limit;
  bool build_only;
  struct hone_utilisation use;
};

static void pump(struct screening *s);

/* ---- Building ---- */

static void push(struct screening *s, struct hone_candidate *candidate)
{
  candidate->next = NULL;
  *s->last = candidate;
  s->last = &candidate->next;
  s->ready++;
  s->ready_bytes += candidate->size;
}

static struct hone_candidate *pop(struct screening *s)
{
  struct hone_candidate *candidate = s->first;

  s->first = candidate->next;
  if (!s->first) s->last = &s->first;
  s->ready--;
  s->ready_bytes -= candidate->size;
  return candidate;
}

static void record_and_free(struct hone_candidate *candidate)
{
  hone__candidate_record(candidate);
  hone__candidate_free(candidate);
}

static void on_built(struct hone_candidate *candidate)
{
  struct screening *s = candidate->tuning->stage;

  s->pending--;
  s->building--;
  if (candidate->bytes && !s->build_only)
    push(s, candidate);
  else
    record_and_free(candidate);
  pump(s);
}

/* The baseline, which is measured all the time, is none of those that were asked for; what was
 * evaluated before the run was interrupted is counted already. */
static bool is_new(struct screening *s, struct hone_candidate *candidate)
{
  if (strcmp(candidate->config, s->tuning->baseline->config) == 0) return false;
  if (hone__tuning_knows(s->tuning, candidate->config)) return false;
  s->asked++;
  return !hone__candidate_known_by_key(candidate);
}

/* Patience ends a search as a budget does. */
static bool search_is_over(struct screening *s)
{
  struct hone_tuning *tuning = s->tuning;

  if (!hone__patience_left(&tuning->patience)) tuning->stopping = true;
  return hone__tuning_over(tuning);
}

/* The next configuration that has to be built; NULL if the search has none now. */
static struct hone_candidate *next_candidate(struct screening *s)
{
  struct hone_tuning *tuning = s->tuning;
  uint32_t *row = hone__alloc(hone_space_width(tuning->task.space) * sizeof *row);
  struct hone_candidate *candidate = NULL;

  while (!candidate && !search_is_over(s) && s->asked < s->limit) {
    if (!hone__several_ask(tuning->search, 1, row)) break;
    hone__tuning_fail(tuning, hone__candidate_new(tuning, row, &candidate));
    if (!candidate) break;
    if (is_new(s, candidate)) continue;
    hone__candidate_free(candidate);
    candidate = NULL;
  }
  free(row);
  return candidate;
}

static bool batch_is_full(const struct screening *s)
{
  double built_s = hone__clock() - s->turn_began, left_s = hone__tuning_left_s(s->tuning);

  if (s->ready + s->building >= hone__tuning_most_ahead(s->tuning)) return true;
  return !s->tuning->overlap &&
         (s->ready_bytes >= BATCH_BYTES || (s->ready && built_s > fmin(s->turn_s, left_s / 4)));
}

/* Of those that need no builder so many are made ready. */
static size_t most_prepared(const struct screening *s)
{
  const struct hone_tuning *tuning = s->tuning;
  size_t sites = tuning->site_count ? tuning->site_count : 1; /* none where nothing is timed */
  size_t few = PREPARED_A_SITE * sites;

  return tuning->strategy->learns && few < PREPARED ? few : PREPARED;
}

/* The next one: that was put aside, or else from the search. */
static struct hone_candidate *take_next(struct screening *s)
{
  struct hone_candidate *candidate = s->aside ? s->aside : next_candidate(s);

  s->aside = NULL;
  if (!candidate) s->dry = true; /* until something is told */
  return candidate;
}

static void start_builds(struct screening *s)
{
  while (!batch_is_full(s) && !hone__tuning_over(s->tuning) &&
         s->building < hone__tuning_most_builds(s->tuning)) {
    struct hone_candidate *candidate;
    if (!s->building && s->ready >= most_prepared(s)) return; /* they need no builder */
    candidate = take_next(s);
    if (!candidate) return;
    if (!s->build_only && hone__candidate_built_before(candidate)) {
      push(s, candidate);
      continue;
    }
    s->pending++;
    s->building++;
    hone__candidate_build(candidate, on_built);
  }
}

/* While a device measures: what needs no builder is made ready. */
static void prepare(struct screening *s)
{
  while (!s->aside && s->ready < most_prepared(s) && !hone__tuning_over(s->tuning)) {
    struct hone_candidate *candidate = take_next(s);
    if (!candidate) return;
    if (hone__candidate_built_before(candidate))
      push(s, candidate);
    else
      s->aside = candidate;
  }
}

/* ---- Measuring ---- */

struct measurement {
  struct screening *screening;
  struct hone_candidate *candidate; /* NULL: a reading of the baseline */
  size_t site;
};

static void fill_in(struct hone_candidate *candidate, size_t at, const struct hone_reply *reply)
{
  struct hone_evaluation *evaluation = &candidate->evaluation;
  struct hone_site *site = &candidate->tuning->sites[at];
  struct hone_run_part part = hone__run_part(reply, 0);
  struct hone_samples samples = hone__run_samples(reply, "screen");

  evaluation->outcome = part.outcome;
  evaluation->evidence = hone__arena_strdup(&candidate->texts, part.evidence);
  evaluation->device = site->device;
  evaluation->tries = reply->tries;
  evaluation->cold_ns = part.cold_ns;
  hone__candidate_output(candidate, hone__run_json(reply, 0), NULL);
  hone__tuning_remark(candidate->tuning, at, reply);
  candidate->energy_j = hone__run_energy(reply, 0);
  if (hone__outcome_works(part.outcome)) {
    evaluation->time_ns = hone__median(samples.times_ns, samples.count);
    evaluation->baseline_ns = site->last_ns;
    candidate->least_ns = hone__quantile(samples.times_ns, samples.count, 0);
    candidate->baseline_least_ns = site->least_ns;
  }
  evaluation->samples = &samples;
  evaluation->sample_count = part.samples ? 1 : 0;
  hone__candidate_record(candidate);
  evaluation->samples = NULL;
  site->since_reading++;
  hone__run_samples_release(&samples);
}

static size_t usable_sites(const struct hone_tuning *tuning)
{
  size_t count = 0;

  for (size_t i = 0; i < tuning->site_count; i++)
    count += tuning->sites[i].usable;
  return count;
}

/* A worker that went away, or a device that went bad, is no fault of the candidate. */
static bool goes_elsewhere(const struct measurement *m, const struct hone_reply *reply)
{
  enum hone_outcome outcome = hone__run_part(reply, 0).outcome;
  enum hone_blame blame = hone__outcome_blame(outcome);
  struct hone_tuning *tuning = m->screening->tuning;

  if (blame != HONE_BLAME_HOST && blame != HONE_BLAME_DEVICE) return false;
  if (blame == HONE_BLAME_DEVICE) tuning->sites[m->site].usable = false;
  return usable_sites(tuning) > 0 && m->candidate->losses++ < MOST_LOSSES;
}

static void on_measured(void *data, const struct hone_reply *reply)
{
  struct measurement m = *(struct measurement *)data;

  free(data);
  m.screening->pending--;
  m.screening->measuring--;
  m.screening->busy[m.site]--;
  json_object_del(m.screening->timed, m.candidate->measure_key);
  m.screening->tuning->progress.measuring--;
  hone__candidate_note_measuring(m.candidate, reply);
  if (goes_elsewhere(&m, reply)) {
    push(m.screening, m.candidate);
  } else {
    fill_in(m.candidate, m.site, reply);
    hone__candidate_free(m.candidate);
  }
  pump(m.screening);
}

static void measure(struct screening *s, struct hone_candidate *candidate, size_t site)
{
  struct hone_tuning *tuning = s->tuning;
  struct hone_run_request request = {.mode = "screen",
                                     .candidates = &candidate,
                                     .count = 1,
                                     .seat = (int)site,
                                     .check = tuning->task.check,
                                     .samples = tuning->screen_samples,
                                     .cap_ns = hone__tuning_cap_ns(tuning, site),
                                     .cut_ns = hone__tuning_cut_ns(tuning, site)};
  struct hone_job job = hone__run_job(tuning, &request);
  struct measurement *m = hone__alloc(sizeof *m);

  *m = (struct measurement){s, candidate, site};
  if (request.cap_ns > 0) candidate->evaluation.cap_ns = request.cap_ns;
  job.done = on_measured;
  job.data = m;
  s->busy[site]++;
  json_object_set_new(s->timed, candidate->measure_key, json_true());
  s->pending++;
  s->measuring++;
  tuning->progress.measuring++;
  hone__crew_submit(tuning->runners, &job);
}

/* The next one is what is measured just now: its time will be known soon. */
static bool waits_for_twin(const struct screening *s, size_t site)
{
  hone__candidate_set_site(s->first, site);
  return json_object_get(s->timed, s->first->measure_key) != NULL;
}

static void start_measuring(struct screening *s)
{
  struct hone_tuning *tuning = s->tuning;

  for (size_t site = 0; site < tuning->site_count; site++) {
    if (!tuning->sites[site].usable) continue;
    if (s->ready && tuning->sites[site].since_reading >= READING_EVERY) {
      tuning->sites[site].since_reading = 0;
      hone__tuning_read_baseline(tuning, site, &s->pending); /* goes first: the seat is a queue */
    }
    while (s->ready && s->busy[site] < JOBS_AHEAD && !tuning->aborting &&
           !waits_for_twin(s, site)) {
      struct hone_candidate *candidate = pop(s);
      if (hone__candidate_known_by_object(candidate, site))
        hone__candidate_free(candidate);
      else
        measure(s, candidate, site);
    }
  }
}

/* ---- Taking turns ---- */

static void begin_turn(struct screening *s, bool measuring)
{
  s->measuring_turn = measuring;
  s->turn_began = hone__clock();
  if (!measuring) s->turn_s = fmin(3 * s->turn_s, BATCH_S);
}

static void take_turn(struct screening *s)
{
  if (s->measuring_turn) {
    start_measuring(s);
    prepare(s);
    if (!s->ready && !s->measuring) begin_turn(s, false);
  } else {
    start_builds(s);
    if (s->ready && !s->building) begin_turn(s, true);
  }
}

static void drop_ready(struct screening *s)
{
  while (s->first)
    hone__candidate_free(pop(s));
  hone__candidate_free(s->aside);
  s->aside = NULL;
}

/* ---- Idle devices ---- */

static void see_who_is_wanted(struct screening *s)
{
  double now = hone__clock();

  for (size_t site = 0; site < s->use.count; site++) {
    bool is_wanted = s->busy[site] || (s->ready && s->tuning->sites[site].usable);
    hone__utilisation_want(&s->use, site, is_wanted, now);
  }
}

/* Counts what the devices have worked so far, with this sign. */
static void count_work(struct screening *s, int sign)
{
  for (size_t site = 0; site < s->use.count; site++)
    hone__utilisation_work(&s->use, site, sign * hone__crew_worked_s(s->tuning->runners, site));
}

static void open_use(struct screening *s)
{
  hone__utilisation_open(&s->use, s->build_only ? 0 : s->tuning->site_count, hone__clock());
  count_work(s, -1);
}

static void tell_use(struct screening *s)
{
  struct hone_tuning *tuning = s->tuning;
  double idle_ready = hone__utilisation_idle_ready(&s->use);
  char *text;

  json_decref(tuning->screening);
  tuning->screening = hone__utilisation_json(&s->use);
  json_object_set_new(tuning->screening, "overlap", json_boolean(tuning->overlap));
  text = json_dumps(tuning->screening, JSON_COMPACT | JSON_REAL_PRECISION(6));
  hone__tuning_log(tuning, "screening: %s", text ? text : "");
  free(text);
  if (tuning->overlap && idle_ready > TOO_IDLE) /* who takes turns waits by intent */
    hone__tuning_say(tuning, HONE_EVENT_NOTE,
                     "devices were idle for %.0f %% of the time of screening although something "
                     "built waited for them",
                     100 * idle_ready);
}

static void close_use(struct screening *s)
{
  count_work(s, 1);
  hone__utilisation_close(&s->use, hone__clock());
  if (s->use.count) tell_use(s);
  hone__utilisation_release(&s->use);
}

/* ---- The whole ---- */

/* Starts what can be started; without anything under way there is either more to start, or no more
 * to do. */
static void pump(struct screening *s)
{
  struct hone_tuning *tuning = s->tuning;

  s->dry = false;
  see_who_is_wanted(s);
  do {
    if (search_is_over(s)) drop_ready(s);
    if (tuning->aborting) return;
    if (tuning->overlap) {
      start_measuring(s); /* before the search is asked, which may take a while */
      start_builds(s);
      start_measuring(s);
    } else {
      take_turn(s);
    }
  } while (!s->pending && !hone__tuning_over(tuning) && (s->ready || !s->dry) &&
           (s->build_only || usable_sites(tuning)));
  see_who_is_wanted(s);
}

/* Builds in flight are given up; what is being measured may finish, unless a person waits. What
 * waits at a device's door is not begun any more. */
static void on_stop(struct hone_tuning *tuning)
{
  hone__crew_cancel(tuning->builders);
  if (tuning->interrupted)
    hone__crew_cancel(tuning->runners); /* the grace is for the proof */
  else
    hone__crew_cancel_waiting(tuning->runners);
}

static hone_status check_devices(const struct screening *s)
{
  const struct hone_tuning *tuning = s->tuning;

  if (tuning->aborting || s->build_only || usable_sites(tuning)) return NULL;
  return hone__error(HONE_UNAVAILABLE, "no device is left: %s",
                     tuning->sites[0].why ? tuning->sites[0].why : "all workers are gone");
}

/* Without the baseline. */
static uint64_t most_candidates(const struct screening *s)
{
  uint64_t others = hone_space_count(s->tuning->task.space) - 1;

  return others < s->limit ? others : s->limit;
}

/* What a person may count on; 0: nobody knows when patience ends. */
static uint64_t total(const struct screening *s)
{
  bool is_open = s->tuning->patience.least && !s->tuning->evaluations;

  return is_open ? 0 : most_candidates(s);
}

static void tell_end(const struct screening *s)
{
  struct hone_tuning *tuning = s->tuning;
  uint64_t others = hone_space_count(tuning->task.space) - 1;

  if (tuning->aborting || tuning->interrupted || tuning->progress.done >= others) return;
  if (!hone__patience_left(&tuning->patience))
    hone__effort_tell_end(tuning, HONE_END_BY_PATIENCE);
  else if (tuning->stopping)
    hone__effort_tell_end(tuning, HONE_END_BY_TIME);
  else if (s->asked >= s->limit)
    hone__effort_tell_end(tuning, HONE_END_BY_COUNT);
}

hone_status hone__tuning_screen(struct hone_tuning *tuning)
{
  struct screening s = {.tuning = tuning,
                        .last = &s.first,
                        .turn_began = hone__clock(),
                        .turn_s = FIRST_BATCH_S,
                        .asked = tuning->progress.done,
                        .limit = tuning->evaluations ? tuning->evaluations : UINT64_MAX,
                        .build_only = tuning->options->stop_after == HONE_STAGE_BUILD};

  s.busy = hone__alloc((tuning->site_count + 1) * sizeof *s.busy);
  s.timed = json_object();
  tuning->stage = &s;
  tuning->on_stop = on_stop;
  tuning->progress.total = total(&s);
  hone__tuning_phase(tuning, s.build_only ? "build" : "screen", total(&s));
  open_use(&s);
  pump(&s);
  while (s.pending && !tuning->aborting) {
    size_t pending = s.pending;
    hone__tuning_wait_change(tuning, &s.pending, pending);
    pump(&s);
  }
  if (s.pending) hone__tuning_abandon(tuning, &s.pending);
  drop_ready(&s);
  close_use(&s);
  tuning->on_stop = NULL;
  hone__tuning_progress(tuning, true);
  tell_end(&s);
  json_decref(s.timed);
  free(s.busy);
  return check_devices(&s);
}
