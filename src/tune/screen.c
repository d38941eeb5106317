/* Screening: every candidate of the search is built, checked and timed briefly.
 *
 * One function, start_more, is called after every reply and starts whatever can be started. If
 * builds would disturb measurements, the two take turns: a batch is built on all CPUs, then
 * measured.
 */
#include "tune/tuning.h"

#include "tune/contest_time.h"
#include "tune/screen_use.h"
#include "tune/supply.h"

#include <stdlib.h>

enum {
  BATCH_BYTES = 32 << 20,
  MOST_LOSSES = 2,
  JOBS_AHEAD = 2,
  MOST_DELAYED = 64, /* for one device, while others measure */
  PREPARED = 8
};
static const double FIRST_BATCH_S = 1, BATCH_S = 6, HOSTS_BATCH_S = 20;

struct screening {
  struct hone__tuning *tuning;
  struct hone__control *control; /* these two are parts of its session */
  struct hone__workers *workers;
  size_t pending; /* jobs without a reply */
  size_t building, measuring;
  unsigned *busy; /* by site: its jobs, all but the first waiting */
  struct hone__underway underway;
  struct hone__supply supply; /* a candidate that was set aside is built in the next turn */
  bool measuring_turn;
  double turn_began, turn_s; /* turns grow, so that first answers come early */
  uint64_t turns;
  bool build_only;
  struct hone__utilisation use;
};

static void start_more(struct screening *s);

/* ---- Active jobs ---- */

/* Jobs of a kind, without those that wait for a retry. */
static size_t at_work(size_t jobs, const struct hone__pool *pool, int slot)
{
  size_t delayed = pool ? hone__pool_delayed(pool, slot) : 0;

  return jobs > delayed ? jobs - delayed : 0;
}

static size_t building_now(const struct screening *s)
{
  return at_work(s->building, s->workers->builders, HONE__ANY_SLOT);
}

static size_t busy_now(const struct screening *s, size_t site)
{
  return at_work(s->busy[site], s->workers->runners, (int)site);
}

static size_t measuring_now(const struct screening *s)
{
  size_t count = 0;

  for (size_t site = 0; site < s->workers->site_count; site++)
    count += busy_now(s, site);
  return count;
}

/* ---- Building ---- */

static void on_built(struct hone__candidate *candidate)
{
  struct screening *s = candidate->session->control.stage;

  s->pending--;
  s->building--;
  if (candidate->bytes && !s->build_only)
    hone__underway_make_ready(&s->underway, candidate);
  else
    hone__underway_settle(&s->underway, candidate);
  start_more(s);
}

static bool batch_is_full(const struct screening *s)
{
  double built_s = hone__control_now(s->control) - s->turn_began,
         left_s = hone__control_left_s(s->control);

  if (s->underway.ready + building_now(s) >= hone__tuning_most_ahead(s->tuning)) return true;
  return !s->workers->overlap && (s->underway.ready_bytes >= BATCH_BYTES ||
                                  (s->underway.ready && built_s > fmin(s->turn_s, left_s / 4)));
}

static bool is_built(struct screening *s, struct hone__candidate *candidate)
{
  return hone__early_builds_find(&s->tuning->early_builds, candidate) ||
         hone__candidate_built_before(candidate);
}

static void start_builds(struct screening *s)
{
  while (!batch_is_full(s) && !hone__control_over(s->control) &&
         building_now(s) < hone__tuning_most_builds(s->tuning)) {
    struct hone__candidate *candidate;
    if (!s->building && s->underway.ready >= PREPARED) return; /* they need no builder */
    candidate = hone__supply_take(&s->supply);
    if (!candidate) return;
    if (!s->build_only && is_built(s, candidate)) {
      hone__underway_make_ready(&s->underway, candidate);
      continue;
    }
    s->pending++;
    s->building++;
    if (!hone__early_builds_take(&s->tuning->early_builds, candidate, on_built))
      hone__candidate_build(candidate, on_built);
  }
}

/* While a device measures: prepares candidates that need no builder. */
static void prepare(struct screening *s)
{
  while (!s->supply.aside && s->underway.ready < PREPARED && !hone__control_over(s->control)) {
    struct hone__candidate *candidate = hone__supply_take(&s->supply);
    if (!candidate) return;
    if (is_built(s, candidate))
      hone__underway_make_ready(&s->underway, candidate);
    else
      s->supply.aside = candidate;
  }
}

/* ---- Measuring ---- */

/* A lost worker or a failed device is not the candidate's fault. */
static bool is_retried_elsewhere(struct hone__candidate *candidate, size_t site,
                                 const struct hone__reply *reply)
{
  enum hone__blame blame = hone__outcome_blame(hone__run_part(reply, 0).outcome);
  struct hone__tuning *tuning = hone__tuning_of(candidate);

  if (blame != HONE__BLAME_HOST && blame != HONE__BLAME_DEVICE) return false;
  hone__session_log(&tuning->session, "%s is measured on another device: '%s' failed: %s",
                    candidate->config, tuning->session.workers.sites[site].device,
                    reply->evidence ? reply->evidence : "");
  if (blame == HONE__BLAME_DEVICE) tuning->session.workers.sites[site].usable = false;
  if (!hone__workers_usable(&tuning->session.workers))
    return blame == HONE__BLAME_HOST;                        /* until one is back */
  return !reply->tries || candidate->losses++ < MOST_LOSSES; /* without a try it lost no worker */
}

static void enter_device(struct screening *s, struct hone__candidate *candidate, size_t site)
{
  s->pending++;
  s->measuring++;
  s->busy[site]++;
  hone__underway_measure(&s->underway, candidate);
}

static void leave_device(struct screening *s, size_t site)
{
  s->pending--;
  s->measuring--;
  s->busy[site]--;
}

static void on_checked(struct hone__candidate *candidate, size_t site,
                       const struct hone__reply *reply)
{
  struct screening *s = candidate->session->control.stage;

  leave_device(s, site);
  hone__tuning_candidate_take_check(candidate, reply);
  hone__underway_settle(&s->underway, candidate);
  start_more(s);
}

/* Its turn to be recorded. False: it would lead, and is checked first. */
static bool finish(struct hone__candidate *candidate)
{
  struct screening *s = candidate->session->control.stage;

  if (candidate->may_lead && hone__tuning_candidate_would_lead(candidate) &&
      !s->control->aborting && s->workers->sites[candidate->site].usable) {
    candidate->may_lead = false;
    enter_device(s, candidate, candidate->site);
    hone__tuning_candidate_check(candidate, candidate->site, on_checked);
    return false;
  }
  hone__tuning_candidate_record(candidate);
  return true;
}

static void on_measured(struct hone__candidate *candidate, size_t site,
                        const struct hone__reply *reply)
{
  struct screening *s = candidate->session->control.stage;

  leave_device(s, site);
  if (is_retried_elsewhere(candidate, site, reply)) {
    hone__underway_make_ready(&s->underway, candidate);
  } else {
    hone__tuning_candidate_take_times(candidate, site, reply);
    candidate->may_lead = hone__tuning_candidate_would_lead(candidate);
    hone__underway_settle(&s->underway, candidate);
  }
  start_more(s);
}

static void measure(struct screening *s, struct hone__candidate *candidate, size_t site)
{
  s->workers->sites[site].since_reading++;
  enter_device(s, candidate, site);
  hone__tuning_candidate_measure(candidate, site, on_measured);
}

struct place {
  const struct hone__underway *underway;
  size_t site;
};

/* An equal one is being measured: its time will be known soon. */
static bool has_to_wait(void *data, struct hone__candidate *candidate)
{
  const struct place *place = data;

  hone__tuning_candidate_set_site(candidate, place->site);
  return hone__underway_is_timing(place->underway, candidate);
}

/* Takes the time of an equal one. If that one waits to be checked, both have to be. */
static void take_known(struct screening *s, struct hone__candidate *candidate, size_t site)
{
  candidate->site = site;
  candidate->reading = hone__tuning_site_reading(&s->workers->sites[site]);
  candidate->may_lead = hone__underway_has_unchecked(&s->underway, candidate);
  hone__underway_settle(&s->underway, candidate);
}

static bool takes_more(const struct screening *s, size_t site)
{
  return s->underway.ready && busy_now(s, site) < JOBS_AHEAD && s->busy[site] < MOST_DELAYED &&
         !s->control->aborting;
}

static void read_baseline(struct screening *s, size_t site)
{
  s->workers->sites[site].since_reading = 0;
  s->workers->sites[site].is_unread = false;
  hone__tuning_read_baseline(s->tuning, site, &s->pending);
}

static void start_at(struct screening *s, size_t site)
{
  struct place place = {&s->underway, site};

  while (takes_more(s, site)) {
    struct hone__candidate *candidate = hone__underway_next(&s->underway, has_to_wait, &place);
    if (!candidate) return;
    if (hone__tuning_candidate_known_by_object(candidate, site)) {
      take_known(s, candidate, site);
      continue;
    }
    if (hone__tuning_wants_reading(candidate, site))
      read_baseline(s, site); /* first: the slot is a queue */
    measure(s, candidate, site);
  }
}

static void start_measuring(struct screening *s)
{
  for (size_t site = 0; site < s->workers->site_count; site++) {
    if (s->workers->sites[site].is_unread) read_baseline(s, site); /* it joined late */
    if (s->workers->sites[site].usable) start_at(s, site);
  }
}

/* ---- Taking turns ---- */

/* At the end of a turn many builders wait for the last of them. */
static double longest_turn_s(const struct screening *s)
{
  return s->tuning->session.settings.options->host_builder_count ? HOSTS_BATCH_S : BATCH_S;
}

static void begin_turn(struct screening *s, bool measuring)
{
  s->measuring_turn = measuring;
  s->turns++;
  s->turn_began = hone__control_now(s->control);
  if (!measuring) s->turn_s = fmin(3 * s->turn_s, longest_turn_s(s));
}

static void take_turn(struct screening *s)
{
  if (s->measuring_turn) {
    start_measuring(s);
    prepare(s);
    if (!s->underway.ready && !measuring_now(s)) begin_turn(s, false);
  } else if (!measuring_now(s)) {
    start_builds(s);
    if (s->underway.ready && !s->building) begin_turn(s, true);
  }
}

static void drop_ready(struct screening *s)
{
  hone__supply_drop(&s->supply);
  hone__underway_drop_ready(&s->underway);
}

/* ---- The whole ---- */

static void note_demand(struct screening *s)
{
  double now = hone__control_now(s->control);

  for (size_t site = 0; site < s->use.count; site++) {
    bool is_wanted = busy_now(s, site) || (s->underway.ready && s->workers->sites[site].usable);
    hone__utilisation_want(&s->use, site, is_wanted, now);
  }
  s->tuning->session.progress.event.idle = hone__screen_use_idle(&s->use, s->tuning);
}

/* Jobs without a reply, except those that wait for a retry. */
static bool is_anything_under_way(const struct screening *s)
{
  return building_now(s) || s->pending > s->building + s->measuring || measuring_now(s);
}

/* A delayed job must not be measured while others are built. */
static void hold_measuring(struct screening *s)
{
  if (s->workers->runners)
    hone__pool_hold(s->workers->runners, !s->workers->overlap && s->building);
}

/* Grows whenever there may be more to start. */
static uint64_t steps_of(const struct screening *s)
{
  return s->underway.added + s->underway.recorded + s->turns;
}

/* Starts what can be started. Ready candidates may have to wait for a build that is retried later:
 * it is enough to continue as long as anything changes. */
static void start_more(struct screening *s)
{
  uint64_t steps;

  note_demand(s);
  hone__contest_reserve(s->tuning);
  do {
    steps = steps_of(s);
    if (hone__control_over(s->control)) drop_ready(s);
    if (s->control->aborting) return;
    if (s->workers->overlap) {
      start_measuring(s); /* before the search, which may take a while */
      start_builds(s);
      start_measuring(s);
    } else {
      take_turn(s);
    }
  } while (!is_anything_under_way(s) && !hone__control_over(s->control) && steps_of(s) != steps &&
           (s->build_only || hone__workers_usable(s->workers)));
  hold_measuring(s);
  note_demand(s);
}

/* Cancels builds; measurements may finish, unless the user waits. Jobs that wait for a device are
 * not started. */
static void on_stop(void *stage)
{
  const struct screening *s = stage;

  hone__pool_cancel(s->workers->builders);
  if (s->control->interrupted)
    hone__pool_cancel(s->workers->runners); /* the grace is for the proof */
  else
    hone__pool_cancel_waiting(s->workers->runners);
}

static void on_capacity(void *stage)
{
  start_more(stage);
}

hone_status hone__tuning_screen(struct hone__tuning *tuning)
{
  struct screening s = {.tuning = tuning,
                        .control = &tuning->session.control,
                        .workers = &tuning->session.workers,
                        .turn_began = hone__control_now(&tuning->session.control),
                        .turn_s = FIRST_BATCH_S,
                        .build_only =
                            tuning->session.settings.options->stop_after == HONE_STAGE_BUILD};

  s.busy = hone__alloc((s.workers->site_count + 1) * sizeof *s.busy);
  s.control->stage = &s;
  s.control->on_stop = on_stop;
  s.control->on_capacity = on_capacity;
  hone__underway_open(&s.underway, tuning, finish);
  hone__supply_open(&s.supply, tuning, &s.underway);
  tuning->session.progress.event.total = hone__supply_total(&s.supply);
  hone__session_phase(&tuning->session, s.build_only ? HONE_PHASE_BUILD : HONE_PHASE_SCREEN,
                      tuning->session.progress.event.total);
  hone__screen_use_open(&s.use, tuning, s.build_only ? 0 : s.workers->site_count);
  start_more(&s);
  while (s.pending && !s.control->aborting) {
    size_t pending = s.pending;
    hone__control_wait_change(s.control, &s.pending, pending);
    start_more(&s);
  }
  if (s.pending) hone__session_abandon(&tuning->session, &s.pending);
  drop_ready(&s);
  s.control->on_capacity = NULL;
  if (s.workers->runners) hone__pool_hold(s.workers->runners, false);
  hone__screen_use_close(&s.use, tuning);
  s.control->on_stop = NULL;
  hone__session_progress(&tuning->session, true);
  hone__supply_report_end(&s.supply);
  hone__supply_close(&s.supply);
  free(s.busy);
  return s.control->aborting || s.build_only ? NULL : hone__workers_check(s.workers);
}
