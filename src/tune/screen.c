/* Screening: every candidate that the search asks for is built, checked and timed shortly.
 *
 * One function, pump, is called after every reply and starts whatever can be started. Where builds
 * would disturb measurements the two take turns: a batch is built on all CPUs, then measured. */
#include "tune/tuning.h"

#include "base/clock.h"
#include "tune/screen_use.h"
#include "tune/supply.h"

#include <stdlib.h>

enum { BATCH_BYTES = 32 << 20, READING_EVERY = 20, MOST_LOSSES = 2, JOBS_AHEAD = 2, PREPARED = 8 };
static const double FIRST_BATCH_S = 1, BATCH_S = 6;

struct screening {
  struct hone_tuning *tuning;
  size_t pending; /* jobs without a reply */
  size_t building, measuring;
  unsigned *busy; /* by site: jobs that it has, one of them waiting at its door */
  struct hone_underway underway;
  struct hone_supply supply; /* what was put aside is built in the next turn */
  bool measuring_turn;
  double turn_began, turn_s; /* turns grow: first answers come soon */
  bool build_only;
  struct hone_utilisation use;
};

static void pump(struct screening *s);

/* ---- Building ---- */

static void on_built(struct hone_candidate *candidate)
{
  struct screening *s = candidate->tuning->stage;

  s->pending--;
  s->building--;
  if (candidate->bytes && !s->build_only)
    hone__underway_make_ready(&s->underway, candidate);
  else
    hone__underway_settle(&s->underway, candidate);
  pump(s);
}

static bool batch_is_full(const struct screening *s)
{
  double built_s = hone__clock() - s->turn_began, left_s = hone__tuning_left_s(s->tuning);

  if (s->underway.ready + s->building >= hone__tuning_most_ahead(s->tuning)) return true;
  return !s->tuning->overlap && (s->underway.ready_bytes >= BATCH_BYTES ||
                                 (s->underway.ready && built_s > fmin(s->turn_s, left_s / 4)));
}

static void start_builds(struct screening *s)
{
  while (!batch_is_full(s) && !hone__tuning_over(s->tuning) &&
         s->building < hone__tuning_most_builds(s->tuning)) {
    struct hone_candidate *candidate;
    if (!s->building && s->underway.ready >= PREPARED) return; /* they need no builder */
    candidate = hone__supply_take(&s->supply);
    if (!candidate) return;
    if (!s->build_only && hone__candidate_built_before(candidate)) {
      hone__underway_make_ready(&s->underway, candidate);
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
  while (!s->supply.aside && s->underway.ready < PREPARED && !hone__tuning_over(s->tuning)) {
    struct hone_candidate *candidate = hone__supply_take(&s->supply);
    if (!candidate) return;
    if (hone__candidate_built_before(candidate))
      hone__underway_make_ready(&s->underway, candidate);
    else
      s->supply.aside = candidate;
  }
}

/* ---- Measuring ---- */

static size_t usable_sites(const struct hone_tuning *tuning)
{
  size_t count = 0;

  for (size_t i = 0; i < tuning->site_count; i++)
    count += tuning->sites[i].usable;
  return count;
}

/* A worker that went away, or a device that went bad, is no fault of the candidate. */
static bool goes_elsewhere(struct hone_candidate *candidate, size_t site,
                           const struct hone_reply *reply)
{
  enum hone_blame blame = hone__outcome_blame(hone__run_part(reply, 0).outcome);
  struct hone_tuning *tuning = candidate->tuning;

  if (blame != HONE_BLAME_HOST && blame != HONE_BLAME_DEVICE) return false;
  if (blame == HONE_BLAME_DEVICE) tuning->sites[site].usable = false;
  return usable_sites(tuning) > 0 && candidate->losses++ < MOST_LOSSES;
}

static void on_measured(struct hone_candidate *candidate, size_t site,
                        const struct hone_reply *reply)
{
  struct screening *s = candidate->tuning->stage;

  s->pending--;
  s->measuring--;
  s->busy[site]--;
  if (goes_elsewhere(candidate, site, reply)) {
    hone__underway_make_ready(&s->underway, candidate);
  } else {
    hone__candidate_measured(candidate, site, reply);
    hone__underway_settle(&s->underway, candidate);
  }
  pump(s);
}

static void measure(struct screening *s, struct hone_candidate *candidate, size_t site)
{
  s->pending++;
  s->measuring++;
  s->busy[site]++;
  s->tuning->sites[site].since_reading++;
  hone__underway_measure(&s->underway, candidate);
  hone__candidate_measure(candidate, site, on_measured);
}

struct place {
  const struct screening *screening;
  size_t site;
};

/* An equal one that was asked for before is measured just now: its time will be known soon. */
static bool waits_for_twin(void *data, struct hone_candidate *candidate)
{
  const struct place *place = data;
  const struct hone_candidate *other = place->screening->underway.first;

  hone__candidate_set_site(candidate, place->site);
  for (; other != candidate; other = other->next)
    if (other->stand >= HONE_CANDIDATE_MEASURED &&
        strcmp(other->measure_key, candidate->measure_key) == 0)
      return true;
  return false;
}

static void read_baseline(struct screening *s, size_t site)
{
  s->tuning->sites[site].since_reading = 0;
  hone__tuning_read_baseline(s->tuning, site, &s->pending); /* goes first: the seat is a queue */
}

static void start_at(struct screening *s, size_t site)
{
  struct hone_tuning *tuning = s->tuning;
  struct place place = {s, site};

  while (s->underway.ready && s->busy[site] < JOBS_AHEAD && !tuning->aborting) {
    struct hone_candidate *candidate = hone__underway_next(&s->underway, waits_for_twin, &place);
    if (!candidate) return;
    if (hone__candidate_known_by_object(candidate, site)) {
      hone__underway_settle(&s->underway, candidate);
      continue;
    }
    if (tuning->sites[site].since_reading >= READING_EVERY) read_baseline(s, site);
    measure(s, candidate, site);
  }
}

static void start_measuring(struct screening *s)
{
  for (size_t site = 0; site < s->tuning->site_count; site++)
    if (s->tuning->sites[site].usable) start_at(s, site);
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
    if (!s->underway.ready && !s->measuring) begin_turn(s, false);
  } else {
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

static void see_who_is_wanted(struct screening *s)
{
  double now = hone__clock();

  for (size_t site = 0; site < s->use.count; site++) {
    bool is_wanted = s->busy[site] || (s->underway.ready && s->tuning->sites[site].usable);
    hone__utilisation_want(&s->use, site, is_wanted, now);
  }
}

/* Starts what can be started; without anything under way there is either more to start, or no more
 * to do. */
static void pump(struct screening *s)
{
  struct hone_tuning *tuning = s->tuning;

  s->supply.is_dry = false;
  see_who_is_wanted(s);
  do {
    if (hone__tuning_over(tuning)) drop_ready(s);
    if (tuning->aborting) return;
    if (tuning->overlap) {
      start_measuring(s); /* before the search is asked, which may take a while */
      start_builds(s);
      start_measuring(s);
    } else {
      take_turn(s);
    }
  } while (!s->pending && !hone__tuning_over(tuning) && (s->underway.ready || !s->supply.is_dry) &&
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

hone_status hone__tuning_screen(struct hone_tuning *tuning)
{
  struct screening s = {.tuning = tuning,
                        .turn_began = hone__clock(),
                        .turn_s = FIRST_BATCH_S,
                        .build_only = tuning->options->stop_after == HONE_STAGE_BUILD};

  s.busy = hone__alloc((tuning->site_count + 1) * sizeof *s.busy);
  tuning->stage = &s;
  tuning->on_stop = on_stop;
  hone__underway_open(&s.underway, tuning->strategy->learns);
  hone__supply_open(&s.supply, tuning, &s.underway);
  tuning->progress.total = hone__supply_total(&s.supply);
  hone__tuning_phase(tuning, s.build_only ? "build" : "screen", tuning->progress.total);
  hone__screen_use_open(&s.use, tuning, s.build_only ? 0 : tuning->site_count);
  pump(&s);
  while (s.pending && !tuning->aborting) {
    size_t pending = s.pending;
    hone__tuning_wait_change(tuning, &s.pending, pending);
    pump(&s);
  }
  if (s.pending) hone__tuning_abandon(tuning, &s.pending);
  drop_ready(&s);
  hone__screen_use_close(&s.use, tuning);
  tuning->on_stop = NULL;
  hone__tuning_progress(tuning, true);
  hone__supply_tell_end(&s.supply);
  hone__supply_close(&s.supply);
  free(s.busy);
  return check_devices(&s);
}
