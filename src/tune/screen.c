/* Screening: every candidate that the search asks for is built, checked and timed shortly.
 *
 * One function, pump, is called after every reply and starts whatever can be started. Where builds
 * would disturb measurements the two take turns: a batch is built on all CPUs, then measured. */
#include "tune/tuning.h"

#include "base/clock.h"
#include "tune/screen_use.h"
#include "tune/supply.h"

#include <stdlib.h>

enum {
  BATCH_BYTES = 32 << 20,
  MOST_LOSSES = 2,
  JOBS_AHEAD = 2,
  MOST_DELAYED = 64, /* of a device, while others are measured there */
  PREPARED = 8,
  PREPARED_A_SITE = 2 /* for a search that learns */
};
static const double FIRST_BATCH_S = 1, BATCH_S = 6;

struct screening {
  struct hone_tuning *tuning;
  size_t pending; /* jobs without a reply */
  size_t building, measuring;
  unsigned *busy; /* by site: jobs that it has, one of them waiting at its door */
  json_t *timed;  /* measure keys of these jobs */
  struct hone_candidate *first, **last; /* built, not measured */
  size_t ready, ready_bytes;
  struct hone_supply supply; /* what was put aside is built in the next turn */
  bool measuring_turn;
  double turn_began, turn_s; /* turns grow: first answers come soon */
  bool build_only;
  struct hone_utilisation use;
};

static void pump(struct screening *s);

/* ---- Who is at work ---- */

/* Of a kind of jobs, but for those that wait before they are tried again. */
static size_t at_work(size_t jobs, const struct hone_crew *crew, int seat)
{
  size_t delayed = crew ? hone__crew_delayed(crew, seat) : 0;

  return jobs > delayed ? jobs - delayed : 0;
}

static size_t building_now(const struct screening *s)
{
  return at_work(s->building, s->tuning->builders, HONE_ANY_SEAT);
}

static size_t busy_now(const struct screening *s, size_t site)
{
  return at_work(s->busy[site], s->tuning->runners, (int)site);
}

static size_t measuring_now(const struct screening *s)
{
  size_t count = 0;

  for (size_t site = 0; site < s->tuning->site_count; site++)
    count += busy_now(s, site);
  return count;
}

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

static bool batch_is_full(const struct screening *s)
{
  double built_s = hone__clock() - s->turn_began, left_s = hone__tuning_left_s(s->tuning);

  if (s->ready + building_now(s) >= hone__tuning_most_ahead(s->tuning)) return true;
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

static void start_builds(struct screening *s)
{
  while (!batch_is_full(s) && !hone__tuning_over(s->tuning) &&
         building_now(s) < hone__tuning_most_builds(s->tuning)) {
    struct hone_candidate *candidate;
    if (!s->building && s->ready >= most_prepared(s)) return; /* they need no builder */
    candidate = hone__supply_take(&s->supply);
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
  while (!s->supply.aside && s->ready < most_prepared(s) && !hone__tuning_over(s->tuning)) {
    struct hone_candidate *candidate = hone__supply_take(&s->supply);
    if (!candidate) return;
    if (hone__candidate_built_before(candidate))
      push(s, candidate);
    else
      s->supply.aside = candidate;
  }
}

/* ---- Measuring ---- */

/* A worker that went away, or a device that went bad, is no fault of the candidate. */
static bool goes_elsewhere(struct hone_candidate *candidate, size_t site,
                           const struct hone_reply *reply)
{
  enum hone_blame blame = hone__outcome_blame(hone__run_part(reply, 0).outcome);
  struct hone_tuning *tuning = candidate->tuning;

  if (blame != HONE_BLAME_HOST && blame != HONE_BLAME_DEVICE) return false;
  if (blame == HONE_BLAME_DEVICE) tuning->sites[site].usable = false;
  if (!hone__tuning_usable_sites(tuning)) return false;
  return !reply->tries || candidate->losses++ < MOST_LOSSES; /* without a try it lost nothing */
}

static void leave_device(struct screening *s, const struct hone_candidate *candidate, size_t site)
{
  s->pending--;
  s->measuring--;
  s->busy[site]--;
  json_object_del(s->timed, candidate->measure_key);
}

static void on_checked(struct hone_candidate *candidate, size_t site,
                       const struct hone_reply *reply)
{
  struct screening *s = candidate->tuning->stage;

  leave_device(s, candidate, site);
  hone__candidate_take_check(candidate, reply);
  record_and_free(candidate);
  pump(s);
}

static void on_measured(struct hone_candidate *candidate, size_t site,
                        const struct hone_reply *reply)
{
  struct screening *s = candidate->tuning->stage;

  if (goes_elsewhere(candidate, site, reply)) {
    leave_device(s, candidate, site);
    push(s, candidate);
    pump(s);
    return;
  }
  hone__candidate_take_times(candidate, site, reply);
  if (hone__candidate_would_lead(candidate) && !s->tuning->aborting) {
    hone__candidate_keep(candidate);
    hone__candidate_check(candidate, site, on_checked);
    return;
  }
  leave_device(s, candidate, site);
  record_and_free(candidate);
  pump(s);
}

static void measure(struct screening *s, struct hone_candidate *candidate, size_t site)
{
  s->pending++;
  s->measuring++;
  s->busy[site]++;
  json_object_set_new(s->timed, candidate->measure_key, json_true());
  hone__candidate_measure(candidate, site, on_measured);
}

/* The next one is what is measured just now: its time will be known soon. */
static bool waits_for_twin(const struct screening *s, size_t site)
{
  hone__candidate_set_site(s->first, site);
  return json_object_get(s->timed, s->first->measure_key) != NULL;
}

/* Moves those that wait for another's time behind the others. False: all of them wait. */
static bool find_next(struct screening *s, size_t site)
{
  for (size_t left = s->ready; left; left--) {
    if (!waits_for_twin(s, site)) return true;
    push(s, pop(s));
  }
  return false;
}

static bool takes_more(const struct screening *s, size_t site)
{
  return busy_now(s, site) < JOBS_AHEAD && s->busy[site] < MOST_DELAYED && !s->tuning->aborting;
}

static void read_baseline(struct screening *s, size_t site)
{
  s->tuning->sites[site].since_reading = 0;
  s->tuning->sites[site].is_unread = false;
  hone__tuning_read_baseline(s->tuning, site, &s->pending);
}

static void start_measuring(struct screening *s)
{
  struct hone_tuning *tuning = s->tuning;

  for (size_t site = 0; site < tuning->site_count; site++) {
    if (tuning->sites[site].is_unread) read_baseline(s, site); /* it came late */
    if (!tuning->sites[site].usable) continue;
    if (s->ready && hone__tuning_wants_reading(tuning, site))
      read_baseline(s, site); /* goes first: the seat is a queue */
    while (takes_more(s, site) && find_next(s, site)) {
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
    if (!s->ready && !measuring_now(s)) begin_turn(s, false);
  } else if (!measuring_now(s)) {
    start_builds(s);
    if (s->ready && !s->building) begin_turn(s, true);
  }
}

static void drop_ready(struct screening *s)
{
  while (s->first)
    hone__candidate_free(pop(s));
  hone__supply_drop(&s->supply);
}

/* ---- The whole ---- */

static void see_who_is_wanted(struct screening *s)
{
  double now = hone__clock();

  for (size_t site = 0; site < s->use.count; site++) {
    bool is_wanted = busy_now(s, site) || (s->ready && s->tuning->sites[site].usable);
    hone__utilisation_want(&s->use, site, is_wanted, now);
  }
}

/* Jobs without a reply, but for those that wait before they are tried again. */
static bool is_anything_under_way(const struct screening *s)
{
  return building_now(s) || s->pending > s->building + s->measuring || measuring_now(s);
}

/* A job that waited is not to be measured while others are built. */
static void hold_measuring(struct screening *s)
{
  if (s->tuning->runners) hone__crew_hold(s->tuning->runners, !s->tuning->overlap && s->building);
}

/* Starts what can be started; without anything under way there is either more to start, or no more
 * to do. */
static void pump(struct screening *s)
{
  struct hone_tuning *tuning = s->tuning;

  s->supply.is_dry = false;
  see_who_is_wanted(s);
  do {
    if (hone__supply_is_over(&s->supply)) drop_ready(s);
    if (tuning->aborting) return;
    if (tuning->overlap) {
      start_measuring(s); /* before the search is asked, which may take a while */
      start_builds(s);
      start_measuring(s);
    } else {
      take_turn(s);
    }
  } while (!is_anything_under_way(s) && !hone__tuning_over(tuning) &&
           (s->ready || !s->supply.is_dry) && (s->build_only || hone__tuning_usable_sites(tuning)));
  hold_measuring(s);
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

static void on_room(struct hone_tuning *tuning)
{
  pump(tuning->stage);
}

hone_status hone__tuning_screen(struct hone_tuning *tuning)
{
  struct screening s = {.tuning = tuning,
                        .last = &s.first,
                        .turn_began = hone__clock(),
                        .turn_s = FIRST_BATCH_S,
                        .build_only = tuning->options->stop_after == HONE_STAGE_BUILD};

  s.busy = hone__alloc((tuning->site_count + 1) * sizeof *s.busy);
  s.timed = json_object();
  tuning->stage = &s;
  tuning->on_stop = on_stop;
  tuning->on_room = on_room;
  hone__supply_open(&s.supply, tuning);
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
  tuning->on_room = NULL;
  if (tuning->runners) hone__crew_hold(tuning->runners, false);
  hone__screen_use_close(&s.use, tuning);
  tuning->on_stop = NULL;
  hone__tuning_progress(tuning, true);
  hone__supply_tell_end(&s.supply);
  json_decref(s.timed);
  free(s.busy);
  return tuning->aborting || s.build_only ? NULL : hone__tuning_check_sites(tuning);
}
