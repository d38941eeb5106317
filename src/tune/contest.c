/* The contest: the best of screening against the baseline.
 *
 * The race (race.c) chooses the finalists. They are confirmed: timed again, on fresh samples, over
 * several runner processes and every device, until the sign test decides. Only these samples are
 * reported. A finalist that fails is replaced from the ranking. If none is faster, others that look
 * faster than the baseline are tried too, while there is time.
 *
 * The probability of a wrong claim is divided: most of it goes to the first finalists, the rest to
 * those that are tried because none of the first was faster. A replacement takes the share of the
 * one that failed.
 */
#include "tune/contest.h"

#include "tune/quick.h"
#include "tune/screened_stage.h"
#include "tune/time_left.h"
#include "tune/withdraw.h"

#include <stdlib.h>

enum {
  FINALISTS_IN_HASTE = 2,
  BEATEN_IN = 2, /* processes; one, if they are alike */
  BEATEN_ROWS = 6,
  SLOW_BEATEN_ROWS = 4,
  LEAST_CLEAR_ROWS = 3,
  MOST_LATE_ROUNDS = 6,
  BARREN_ROUNDS = 2
};
static const double CONFIRM_MOST_S = 240;
static const double RACE_LEAST_S = 1, RACE_SHARE = 0.1, CONFIRM_S_EACH = 30;
static const double RACE_SHARE_LEFT = 0.3;
static const double FIRST_SHARE = 0.8; /* of alpha */
static const double EXTRA_LEAST_S = 5, EXTRA_SHARE = 0.25;

/* ---- The time for it ---- */

/* For slow programs, only as many as can be proved in a few minutes, or in the time that is left.
 */
static size_t finalists_wanted(const struct hone__contest *contest)
{
  const struct hone__tuning *tuning = contest->tuning;
  const struct hone__control *control = &tuning->session.control;
  size_t most = control->interrupted ? FINALISTS_IN_HASTE : tuning->session.settings.finalists;
  double most_s = fmin(fmin(hone__contest_limit_s(tuning), CONFIRM_MOST_S),
                       contest->end - hone__control_now(control));
  struct hone__pick pick = {.places = most};
  size_t at[HONE__MOST_RACERS], count = hone__ranking_pick(tuning, &pick, at);

  if (most > count) most = count;
  if (hone__quick_is_bounded(tuning)) return hone__quick_finalists(tuning, most, contest->until);
  while (most > 1 && hone__contest_least_s(tuning, hone__ranking_row_s(tuning, at, most)) > most_s)
    most--;
  return most;
}

/* There is time for one undisturbed proof, unless the run has to end before. */
static double confirm_s(const struct hone__tuning *tuning, size_t places)
{
  struct hone__pick pick = {.places = places};
  size_t at[HONE__MOST_RACERS], count = hone__ranking_pick(tuning, &pick, at);
  double row_s = hone__ranking_row_s(tuning, at, count < places ? count : places);
  double wanted_s =
      fmax(CONFIRM_S_EACH * (double)places, 1.2 * hone__contest_least_s(tuning, row_s));
  double limit_s = hone__contest_limit_s(tuning);

  if (tuning->session.settings.options->confirm_in_full && isfinite(limit_s)) return limit_s;
  return fmin(wanted_s, limit_s);
}

static double race_s(const struct hone__contest *contest, size_t places)
{
  const struct hone__control *control = &contest->tuning->session.control;
  double now = hone__control_now(control);
  double most_s = fmin(fmax(RACE_LEAST_S, RACE_SHARE * (now - control->started)),
                       RACE_SHARE_LEFT * fmax(contest->end - now, 0));

  if (!hone__quick_is_bounded(contest->tuning)) return most_s;
  return fmin(most_s, hone__quick_race_s(contest->tuning, places, contest->until));
}

/* ---- Finalists ---- */

void hone__contest_enter(struct hone__contest *contest, struct hone__racer *racer, double chance)
{
  struct hone__entrants *finals = &contest->finals;

  HONE__GROW(finals->racers, finals->count, finals->capacity);
  finals->racers[finals->count++] = racer;
  hone__standings_enter(&finals->standings, chance);
}

/* Chooses at most this many, and returns how many. */
static size_t choose(struct hone__contest *contest, size_t places, bool promising,
                     struct hone__racer **out_racers)
{
  struct hone__pick pick = {.places = places,
                            .rows = hone__contest_race_rows(contest->tuning),
                            .race_s = race_s(contest, places),
                            .promising = promising};

  return hone__race(contest, &pick, out_racers);
}

static void enter_all(struct hone__contest *contest, size_t places, bool promising, double chance)
{
  struct hone__racer *racers[HONE__MOST_RACERS];
  size_t count = choose(contest, places, promising, racers);

  for (size_t i = 0; i < count; i++)
    hone__contest_enter(contest, racers[i], chance / (double)count);
}

/* The places of those that failed, with their shares of alpha, go to others; and those that they
 * had beaten come back. */
static void replace_failed(struct hone__contest *contest)
{
  struct hone__racer *racers[HONE__MOST_RACERS];
  struct hone__entrants *finals = &contest->finals;
  double chances[HONE__MOST_RACERS];
  size_t places = 0, count;

  for (size_t i = 0; i < finals->count && places < HONE__MOST_RACERS; i++) {
    struct hone__entrant *e = &finals->standings.entrants[i];
    if (!e->failed || !(e->chance > 0)) continue;
    chances[places++] = e->chance;
    e->chance = 0;
  }
  if (!places) return;
  hone__standings_readmit(&finals->standings);
  hone__ranking_order(contest->tuning);
  hone__tuning_rescreen(contest->tuning);
  hone__ranking_order(contest->tuning);
  count = choose(contest, places, false, racers);
  HONE__ASSERT(count <= places); /* each has the chance of one that failed */
  for (size_t i = 0; i < count; i++)
    hone__contest_enter(contest, racers[i], chances[i]);
  hone__session_phase(&contest->tuning->session, HONE_PHASE_CONFIRM,
                      hone__standings_left(&finals->standings));
}

/* ---- Confirm ---- */

/* By more than the margin, among those still in. */
static bool one_looks_faster(const struct hone__entrants *finals)
{
  for (size_t i = 0; i < finals->count; i++) {
    const struct hone__entrant *e = &finals->standings.entrants[i];
    if (e->failed) continue;
    if (e->claim == HONE__CLAIM_FASTER) return true;
    if (!e->out && hone__median(e->logs, e->count) > log1p(finals->standings.margin)) return true;
  }
  return false;
}

/* Seconds for a row of all still in. */
static double row_s(const struct hone__contest *contest)
{
  const struct hone__entrants *finals = &contest->finals;
  double least_ns = hone__backend_least_sample_ns(contest->tuning->session.problem.task.backend);
  double sum = hone__ranking_row_s(contest->tuning, NULL, 0);

  for (size_t i = 0; i < finals->count; i++)
    if (!finals->standings.entrants[i].out)
      sum += 1e-9 * fmax(finals->racers[i]->sample_ns, least_ns);
  return sum;
}

/* More samples of these would not change the decision. */
static void retire_decided(struct hone__entrants *finals)
{
  for (size_t i = 0; i < finals->count; i++) {
    struct hone__entrant *e = &finals->standings.entrants[i];
    if (e->out || !hone__entrant_is_decided(e)) continue;
    e->is_open = e->claim == HONE__CLAIM_OPEN;
    e->out = true;
  }
}

/* If no finalist looks faster, adds others that do, in the remaining time. They are few on a steady
 * machine, because all of them raced against the baseline. */
static bool add_more(struct hone__contest *contest)
{
  struct hone__tuning *tuning = contest->tuning;
  struct hone__entrants *finals = &contest->finals;
  double share = (1 - FIRST_SHARE) / ((contest->extras + 1.) * (contest->extras + 2.));
  double now = hone__control_now(&tuning->session.control);
  size_t before = finals->count;

  if (tuning->session.objectives.count > 1 || tuning->session.control.interrupted ||
      one_looks_faster(finals))
    return false;
  if (!contest->extras)
    contest->extra_until =
        fmin(contest->until,
             now + fmax(EXTRA_LEAST_S, EXTRA_SHARE * (now - tuning->session.control.started)));
  if (!hone__contest_in_time(contest, contest->extra_until) || !hone__ranking_promising(tuning))
    return false;
  contest->extras++;
  enter_all(contest, tuning->session.settings.finalists, true, share * finals->standings.alpha);
  if (finals->count > before) retire_decided(finals);
  hone__session_phase(&tuning->session, HONE_PHASE_CONFIRM,
                      hone__standings_left(&finals->standings));
  return finals->count > before;
}

static unsigned beaten_in(const struct hone__contest *contest)
{
  return hone__contest_has_equal_processes(contest->tuning) ? 1 : BEATEN_IN;
}

/* One that is behind the leader in every row of two processes leaves; of one, if processes differ
 * little. So does one that is proved not to be better, once all that is left to prove is that
 * processes agree. The claim of the leader needs all processes in any case. */
static void drop_beaten(struct hone__contest *contest, unsigned rows)
{
  struct hone__standings *standings = &contest->finals.standings;
  size_t groups = beaten_in(contest);

  if (contest->tuning->session.objectives.count > 1) groups = standings->groups_wanted;
  hone__standings_drop_beaten(standings, standings->margin, groups,
                              rows < BEATEN_ROWS ? SLOW_BEATEN_ROWS : BEATEN_ROWS);
  if (contest->tuning->session.objectives.count == 1 &&
      !contest->tuning->session.settings.options->keep_slower)
    hone__standings_drop_ties(standings, BEATEN_IN);
}

/* Time is over, but a finalist is about to be proved: slow kernels get few pairs in that time. It
 * goes on alone, for some rounds. */
static bool continues_late(struct hone__contest *contest)
{
  struct hone__standings *standings = &contest->finals.standings;
  int leader = hone__standings_leader(standings, -1);

  if (contest->late >= MOST_LATE_ROUNDS || !hone__contest_in_time(contest, contest->end))
    return false;
  if (leader < 0 || !hone__entrant_is_on_course(&standings->entrants[leader])) return false;
  for (size_t i = 0; !contest->late && i < standings->count; i++) {
    struct hone__entrant *e = &standings->entrants[i];
    if ((int)i == leader || e->out) continue;
    e->is_open = e->claim == HONE__CLAIM_OPEN;
    e->out = true;
  }
  contest->late++;
  HONE__ASSERT(hone__standings_left(standings) >= 1);
  return true;
}

/* Seconds for a round; a late one takes as long as its rows. */
static double round_s(const struct hone__contest *contest, unsigned rows)
{
  const struct hone__control *control = &contest->tuning->session.control;
  double left_s = fmin(hone__control_left_s(control), contest->until - hone__control_now(control));
  double least_s = contest->late ? 2 * rows * row_s(contest) : 0;

  if (hone__quick_is_bounded(contest->tuning))
    return hone__quick_rows_s(contest, contest->finals.group);
  return fmax(left_s / hone__contest_restarts(contest->tuning), fmax(least_s, 0.5));
}

/* If all is clear but in too few processes, half as many. */
static unsigned rows_of_round(const struct hone__contest *contest)
{
  unsigned rows = hone__contest_rows(contest->tuning, row_s(contest));

  if (contest->tuning->session.objectives.count > 1 || rows < 2 * LEAST_CLEAR_ROWS) return rows;
  return hone__standings_are_clear(&contest->finals.standings) ? rows / 2 : rows;
}

/* Runs one round on every device, in new processes. */
static bool run_round(struct hone__contest *contest, bool may_drop)
{
  struct hone__standings *standings = &contest->finals.standings;
  unsigned rows = rows_of_round(contest);
  bool is_fruitful = hone__rounds_run(contest, &contest->finals, rows, round_s(contest, rows));

  hone__standings_judge(standings);
  if (may_drop) drop_beaten(contest, rows);
  return is_fruitful;
}

/* Those that are behind so far leave as soon as they may. */
static void expect_rounds(struct hone__contest *contest, struct hone__tuning_last_round *last,
                          unsigned wanted)
{
  const struct hone__entrants *finals = &contest->finals;
  unsigned done = finals->group, least = beaten_in(contest);
  unsigned left = done < wanted ? wanted - done : 1;

  last->left = hone__standings_left(&finals->standings);
  last->close = hone__standings_close(&finals->standings);
  last->full_rounds = done < least ? least - done : 0;
  last->close_rounds = left > last->full_rounds ? left - last->full_rounds : 0;
  hone__tuning_expect_rounds(contest->tuning, last, contest->end);
}

/* The first round takes place even if the race took all the time, but not after the budget. */
static bool has_round(struct hone__contest *contest, unsigned rounds)
{
  double ends_at = contest->tuning->session.control.ends_at;

  if (hone__quick_is_bounded(contest->tuning) && !hone__quick_has_round(contest)) return false;
  return hone__contest_in_time(contest, rounds ? contest->until : ends_at) ||
         continues_late(contest);
}

static void confirm(struct hone__contest *contest)
{
  struct hone__tuning *tuning = contest->tuning;
  struct hone__entrants *finals = &contest->finals;
  unsigned rounds = 0, barren = 0, wanted = hone__contest_restarts(tuning);
  struct hone__tuning_last_round last;

  finals->standings.groups_wanted = wanted;
  hone__session_phase(&tuning->session, HONE_PHASE_CONFIRM, finals->count);
  while (hone__standings_left(&finals->standings) && barren < BARREN_ROUNDS) {
    if (!has_round(contest, rounds)) break;
    rounds++;
    last.began = hone__control_now(&tuning->session.control);
    last.measured = hone__standings_left(&finals->standings);
    barren = run_round(contest, tuning->session.objectives.count == 1 || rounds >= wanted)
                 ? 0
                 : barren + 1;
    expect_rounds(contest, &last, wanted);
    if (contest->failed) {
      replace_failed(contest);
    } else if (rounds >= wanted && add_more(contest)) {
      rounds = 0;
    } else if (rounds >= wanted && hone__standings_are_settled(&finals->standings)) {
      if (hone__contest_prove(contest)) break;
      replace_failed(contest);
    }
  }
  while (!hone__contest_prove(contest)) {} /* even if time is over */
  HONE__ASSERT(finals->count == finals->standings.count);
  contest->is_lost = barren == BARREN_ROUNDS;
  contest->is_late = !contest->is_lost && !hone__standings_are_settled(&finals->standings);
  tuning->session.entry.result.restarts = (int64_t)finals->group;
}

/* ---- The stage ---- */

static void run_contest(struct hone__contest *contest)
{
  struct hone__tuning *tuning = contest->tuning;
  size_t places;

  contest->end = contest->until = hone__contest_end(tuning);
  if (hone__quick_is_bounded(tuning)) contest->until -= hone__quick_proof_s(tuning);
  hone__tuning_expect_contest(tuning, contest->end);
  places = finalists_wanted(contest);
  contest->until = fmin(contest->until, hone__control_now(&tuning->session.control) +
                                            race_s(contest, places) + confirm_s(tuning, places));
  enter_all(contest, places, false, FIRST_SHARE * contest->finals.standings.alpha);
  if (tuning->session.settings.options->no_confirm) {
    hone__contest_prove_best(contest);
    return;
  }
  if (tuning->session.control.aborting) return;
  if (contest->finals.count) confirm(contest);
  if (!tuning->session.control.aborting) hone__contest_conclude(contest);
}

hone_status hone__tuning_contest(struct hone__tuning *tuning)
{
  struct hone__contest contest = {.tuning = tuning, .random = {tuning->session.entry.run.seed}};
  struct hone__pick pick = {.places = 1};
  size_t at[HONE__MOST_RACERS];

  if (!tuning->session.control.interrupted)
    tuning->session.control.stop_at = INFINITY; /* it was for searching */
  hone__quick_begin(tuning);
  hone__screened_stage(tuning);
  hone__ranking_order(tuning);
  if (!hone__ranking_pick(tuning, &pick, at)) {
    hone__contest_without_candidates(tuning);
    hone__contest_add_counters(&contest, -1);
    return NULL;
  }
  hone__standings_init(&contest.finals.standings, 0, tuning->session.settings.margin);
  run_contest(&contest);
  hone__tuning_field_release(&contest.finals);
  return NULL;
}
