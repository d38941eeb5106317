/* The contest: what looked best in screening against the baseline.
 *
 * Race: each row times every survivor and the baseline once, in random order; after each rung the
 * better half stays. Confirm: the finalists again, on fresh samples, over several runner processes
 * and every device, until the sign test has an answer. Only these samples are reported. */
#include "tune/contest.h"

#include "base/clock.h"
#include "tune/ranking.h"

#include <stdlib.h>

enum {
  RESTARTS = 3,
  MOST_PAIRS = 240,
  RACE_ROWS = 10,
  CONFIRM_ROWS = 6,
  SLOW_CONFIRM_ROWS = 4,
  MOST_CONFIRM_ROWS = 24,
  FINALISTS_IN_HASTE = 2,
  BARREN_ROUNDS = 2
};
static const double HEAT_LEAST_S = 0.05; /* of a confirmation in one process */
static const double SLOW_ROW_S = 0.5, CONFIRM_MOST_S = 240;
static const double RACE_LEAST_S = 1, RACE_SHARE = 0.1, CONFIRM_S_EACH = 30;
static const double RACE_QUANTILE =
    0.75; /* disturbances only add time: of the logs the upper part is true */

/* ---- Racers ---- */

static void on_racer_built(struct hone_candidate *candidate)
{
  --*(size_t *)candidate->tuning->stage;
}

/* Brings the racers' objects in: they are in the cache, mostly. */
static void fetch_racers(struct hone_contest *contest)
{
  struct hone_tuning *tuning = contest->tuning;
  size_t pending = 0;

  tuning->stage = &pending;
  for (size_t i = 0; i < contest->count && !tuning->aborting; i++) {
    struct hone_racer *racer = &contest->racers[i];
    racer->evaluation = tuning->ranking[i].evaluation;
    hone__tuning_fail(tuning,
                      hone__candidate_new(tuning, tuning->ranking[i].row, &racer->candidate));
    if (!racer->candidate) break;
    racer->candidate->energy = tuning->ranking[i].energy;
    racer->candidate->evaluation.suspicious = tuning->ranking[i].suspicious;
    pending++;
    hone__candidate_build(racer->candidate, on_racer_built);
  }
  hone__tuning_wait(tuning, &pending);
  hone__tuning_abandon(tuning, &pending);
  for (size_t i = 0; i < contest->count; i++)
    contest->standings.entrants[i].out =
        !contest->racers[i].candidate || !contest->racers[i].candidate->bytes;
}

/* ---- Race ---- */

static bool in_time(const struct hone_contest *contest, double until)
{
  return !contest->tuning->aborting && hone__clock() < until &&
         hone__tuning_left_s(contest->tuning) > 0;
}

/* One heat on every device. False if it brought nothing, and not because somebody failed in it. */
static bool run_heats(struct hone_contest *contest, unsigned rows, bool restart, double budget_s)
{
  struct hone_tuning *tuning = contest->tuning;

  contest->pairs = 0;
  contest->failed = false;
  for (size_t i = 0; i < tuning->site_count; i++)
    if (tuning->sites[i].usable) hone__heat_start(contest, i, rows, restart, budget_s);
  hone__heats_wait(contest);
  hone__tuning_progress(tuning, false);
  return contest->pairs || contest->failed;
}

static void race(struct hone_contest *contest, double race_s)
{
  struct hone_tuning *tuning = contest->tuning;
  double until = hone__clock() + race_s;

  contest->racing = true;
  contest->standings.share = RACE_QUANTILE;
  hone__tuning_phase(tuning, "race", contest->count);
  while (hone__standings_left(&contest->standings) > tuning->finalists && in_time(contest, until) &&
         !tuning->interrupted) {
    if (!run_heats(contest, RACE_ROWS, false, race_s)) return; /* screening's order has to do */
    if (!contest->failed) hone__standings_halve(&contest->standings, tuning->finalists);
  }
}

static void free_racer(struct hone_racer *racer)
{
  hone__candidate_free(racer->candidate);
  free(racer->times_ns);
  free(racer->baselines_ns);
}

static void swap_racers(struct hone_contest *contest, size_t a, size_t b)
{
  struct hone_racer racer = contest->racers[a];
  struct hone_entrant entrant = contest->standings.entrants[a];

  contest->racers[a] = contest->racers[b];
  contest->racers[b] = racer;
  contest->standings.entrants[a] = contest->standings.entrants[b];
  contest->standings.entrants[b] = entrant;
}

/* The best so far of those who are in; without a race, the first as screening ranked them. */
static int next_finalist(const struct hone_contest *contest)
{
  int leader = hone__standings_leader(&contest->standings, -1);

  for (size_t i = 0; leader < 0 && i < contest->count; i++)
    if (!contest->standings.entrants[i].out) leader = (int)i;
  return leader;
}

/* Those who are in come first, the best first, with clean sheets; the others go. */
static void take_finalists(struct hone_contest *contest, size_t most)
{
  size_t kept = 0;
  int next;

  while (kept < most && (next = next_finalist(contest)) >= 0) {
    swap_racers(contest, kept, (size_t)next);
    contest->standings.entrants[kept++].out = true; /* taken */
  }
  for (size_t i = kept; i < contest->count; i++)
    free_racer(&contest->racers[i]);
  hone__standings_release(&contest->standings);
  contest->count = kept;
  hone__standings_init(&contest->standings, kept, contest->tuning->margin);
}

/* Of programs that take long only so many that a proof is reached in a few minutes. */
static size_t finalists_wanted(const struct hone_tuning *tuning)
{
  size_t most = tuning->interrupted ? FINALISTS_IN_HASTE : tuning->finalists;

  while (most > 1 &&
         RESTARTS * SLOW_CONFIRM_ROWS * hone__ranking_row_s(tuning, most) > CONFIRM_MOST_S)
    most--;
  return most;
}

/* ---- Confirm ---- */

static bool decided(const struct hone_contest *contest)
{
  const struct hone_standings *standings = &contest->standings;

  for (size_t i = 0; i < standings->count; i++)
    if (!standings->entrants[i].out && standings->entrants[i].claim == HONE_CLAIM_OPEN)
      return false;
  return true;
}

static size_t pairs_of_leader(const struct hone_contest *contest)
{
  int leader = hone__standings_leader(&contest->standings, -1);

  return leader < 0 ? 0 : contest->standings.entrants[leader].count;
}

/* Enough for what a process is like to show, and for one disturbance not to matter. Whole programs
 * take long and measure many calls themselves: fewer have to do. */
static unsigned rows_of_heat(const struct hone_contest *contest)
{
  double each = hone__ranking_row_s(contest->tuning, contest->count);

  if (each > SLOW_ROW_S) return SLOW_CONFIRM_ROWS;
  return (unsigned)fmin(fmax(HEAT_LEAST_S / each, CONFIRM_ROWS), MOST_CONFIRM_ROWS);
}

/* Who gave the search a budget does not want to wait much longer for the proof; but there is always
 * time for one, were nothing to go wrong. */
static double confirm_s(const struct hone_contest *contest)
{
  double least =
      1.2 * RESTARTS * SLOW_CONFIRM_ROWS * hone__ranking_row_s(contest->tuning, contest->count);
  double usual = CONFIRM_S_EACH * (double)contest->count, budget = contest->tuning->budget_s;

  if (budget > 0) usual = fmin(usual, fmax(budget, CONFIRM_S_EACH));
  return fmax(usual, least);
}

static void confirm(struct hone_contest *contest)
{
  struct hone_tuning *tuning = contest->tuning;
  double until = hone__clock() + confirm_s(contest);
  unsigned rows = rows_of_heat(contest), rounds = 0, barren = 0;

  contest->racing = false;
  contest->group = 0;
  contest->standings.groups_wanted = RESTARTS;
  hone__tuning_phase(tuning, "confirm", contest->count);
  while (hone__standings_left(&contest->standings) && in_time(contest, until) &&
         pairs_of_leader(contest) < MOST_PAIRS && barren < BARREN_ROUNDS) {
    double left_s = fmin(hone__tuning_left_s(tuning), until - hone__clock());
    barren = run_heats(contest, rows, true, fmax(left_s / RESTARTS, 0.5)) ? 0 : barren + 1;
    rounds++;
    hone__standings_judge(&contest->standings);
    if (tuning->objective_count == 1 || rounds >= RESTARTS) /* a member's time counts too */
      hone__standings_drop_beaten(&contest->standings);
    if (rounds >= RESTARTS && decided(contest)) break;
  }
  contest->devices_lost = barren == BARREN_ROUNDS;
  tuning->result.restarts = (int64_t)contest->group;
}

/* ---- The stage ---- */

static void run_contest(struct hone_contest *contest, double race_s)
{
  struct hone_tuning *tuning = contest->tuning;

  fetch_racers(contest);
  if (!tuning->interrupted && !tuning->aborting) race(contest, race_s);
  if (tuning->aborting) return;
  take_finalists(contest, finalists_wanted(tuning));
  if (tuning->options->no_confirm || !contest->count) return;
  confirm(contest);
  if (tuning->aborting) return;
  hone__contest_conclude(contest);
}

hone_status hone__tuning_contest(struct hone_tuning *tuning)
{
  double race_s = fmax(RACE_LEAST_S, RACE_SHARE * (hone__clock() - tuning->started));
  struct hone_contest contest = {.tuning = tuning, .random = {tuning->run.seed}, .racing = true};

  if (!tuning->interrupted) tuning->stop_at = INFINITY; /* the budget was for searching */
  contest.count = hone__ranking_choose(tuning, RACE_ROWS, race_s);
  if (!contest.count) {
    hone__contest_of_nobody(tuning);
    return NULL;
  }
  contest.racers = hone__alloc(contest.count * sizeof *contest.racers);
  hone__standings_init(&contest.standings, contest.count, tuning->margin);
  run_contest(&contest, race_s);
  for (size_t i = 0; i < contest.count; i++)
    free_racer(&contest.racers[i]);
  hone__standings_release(&contest.standings);
  free(contest.racers);
  return NULL;
}
