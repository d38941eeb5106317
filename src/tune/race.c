/* The race: each row times every survivor and the baseline once, in random order; after each rung
 * the better half stays. The results of the rows replace those of screening.
 *
 * A racer that fails is withdrawn, and the race starts again with those that would have been chosen
 * without it, because places, caps and the distance to the best depended on it.
 */
#include "tune/contest.h"

#include "tune/withdraw.h"

#include <stdlib.h>

static const double RACE_QUANTILE =
    0.75; /* disturbances only add time: the upper part of the logs is accurate */

static const double RACE_BEATEN_BY = 0.05;

bool hone__contest_in_time(const struct hone__contest *contest, double until)
{
  return !contest->tuning->session.control.aborting &&
         hone__control_now(&contest->tuning->session.control) < until &&
         hone__control_left_s(&contest->tuning->session.control) > 0;
}

/* ---- Racers ---- */

void hone__racer_free(struct hone__racer *racer)
{
  if (!racer) return;
  hone__candidate_free(racer->candidate);
  free(racer->times_ns);
  free(racer->baselines_ns);
  free(racer->sites);
  free(racer);
}

void hone__tuning_field_release(struct hone__entrants *field)
{
  for (size_t i = 0; i < field->count; i++)
    hone__racer_free(field->racers[i]);
  free(field->racers);
  hone__standings_release(&field->standings);
  *field = (struct hone__entrants){0};
}

/* From an earlier start of the same race, if its object is available. */
static struct hone__racer *take_over(struct hone__entrants *before, int64_t evaluation)
{
  for (size_t i = 0; i < before->count; i++) {
    struct hone__racer *racer = before->racers[i];
    if (!racer || racer->evaluation != evaluation) continue;
    before->racers[i] = NULL;
    return racer;
  }
  return NULL;
}

struct hone__racer *hone__racer_make(struct hone__tuning *tuning, const struct hone__ranked *ranked)
{
  struct hone__racer *racer = hone__alloc(sizeof *racer);

  *racer = (struct hone__racer){.evaluation = ranked->evaluation, .sample_ns = ranked->sample_ns};
  hone__control_fail(&tuning->session.control,
                     hone__candidate_new(&tuning->session, ranked->row, &racer->candidate));
  if (!racer->candidate) return racer;
  racer->candidate->energy = ranked->energy;
  racer->candidate->evaluation.suspicious = ranked->suspicious;
  return racer;
}

/* Fetches the racers' objects. */
static void fetch(struct hone__tuning *tuning, struct hone__entrants *field)
{
  struct hone__candidate **list = hone__alloc((field->count + 1) * sizeof *list);
  size_t count = 0;

  for (size_t i = 0; i < field->count; i++)
    if (field->racers[i]->candidate) list[count++] = field->racers[i]->candidate;
  hone__candidates_fetch(tuning, list, count);
  free(list);
}

/* Excludes racers that can no longer be built. */
static void leave_out_unbuilt(struct hone__tuning *tuning, struct hone__entrants *field)
{
  for (size_t i = 0; i < field->count && !tuning->session.control.aborting; i++) {
    struct hone__ranked *ranked = hone__ranking_find(tuning, field->racers[i]->evaluation);
    const struct hone__candidate *candidate = field->racers[i]->candidate;
    if (candidate && candidate->bytes) continue;
    field->standings.entrants[i].out = true;
    if (ranked) ranked->tried = HONE__CONFIRMED;
  }
}

/* Replaces the former racers by the present ones. */
static void choose(struct hone__contest *contest, const struct hone__pick *pick,
                   struct hone__entrants *field)
{
  struct hone__tuning *tuning = contest->tuning;
  struct hone__entrants before = *field;
  size_t at[HONE__MOST_RACERS], count = hone__ranking_pick(tuning, pick, at);

  HONE__ASSERT(count <= HONE__MOST_RACERS);
  *field = (struct hone__entrants){.is_race = true, .count = count, .capacity = count};
  field->racers = hone__alloc((count + 1) * sizeof(struct hone__racer *));
  for (size_t i = 0; i < count; i++) {
    const struct hone__ranked *ranked = &tuning->ranking.entries[at[i]];
    field->racers[i] = take_over(&before, ranked->evaluation);
    if (!field->racers[i]) field->racers[i] = hone__racer_make(tuning, ranked);
  }
  hone__tuning_field_release(&before);
  hone__standings_init(&field->standings, count, tuning->session.settings.margin);
  field->standings.share = RACE_QUANTILE;
  fetch(tuning, field);
  leave_out_unbuilt(tuning, field);
}

/* ---- Rows ---- */

/* Without a confirmation only the race finds out which candidates work; and the race, not
 * screening, decides which are promising. */
static bool is_needed(const struct hone__contest *contest, const struct hone__entrants *field,
                      const struct hone__pick *pick, bool has_run)
{
  const struct hone__tuning *tuning = contest->tuning;
  size_t left = hone__standings_left(&field->standings);

  if (tuning->session.control.interrupted || !left) return false;
  if ((tuning->session.settings.options->no_confirm || pick->promising) && !has_run) return true;
  return left > pick->places && tuning->session.objectives.count < 2;
}

/* Those that lost every row clearly are not needed to fill the places. */
static void drop_beaten(const struct hone__contest *contest, struct hone__entrants *field)
{
  const struct hone__tuning *tuning = contest->tuning;

  if (tuning->session.settings.options->keep_slower) return;
  hone__standings_drop_beaten(&field->standings, RACE_BEATEN_BY, 1,
                              hone__contest_race_rows(tuning));
}

/* False: a racer failed. */
static bool run_rungs(struct hone__contest *contest, struct hone__entrants *field,
                      const struct hone__pick *pick)
{
  double now = hone__control_now(&contest->tuning->session.control);
  double until = fmin(now + pick->race_s, contest->until);
  bool has_run = false;

  while (is_needed(contest, field, pick, has_run) && hone__contest_in_time(contest, until)) {
    if (!hone__rounds_run(contest, field, pick->rows, pick->race_s)) return true;
    if (contest->failed) return false;
    has_run = true;
    drop_beaten(contest, field);
    hone__standings_halve(&field->standings, pick->places);
  }
  return true;
}

/* Writes the results of the rows into the ranking. */
static void keep_ratios(struct hone__tuning *tuning, const struct hone__entrants *field)
{
  for (size_t i = 0; i < field->count; i++) {
    const struct hone__entrant *e = &field->standings.entrants[i];
    struct hone__ranked *ranked = hone__ranking_find(tuning, field->racers[i]->evaluation);
    if (!ranked || !e->count || e->failed) continue;
    ranked->ratio = hone__median(e->costs, e->count);
    ranked->doubt = 0;
    if (ranked->tried == HONE__UNTRIED) ranked->tried = HONE__RACED;
  }
}

/* ---- The best ---- */

/* The best so far of those still in; without a race, the first in the ranking of screening. */
static int next_best(const struct hone__entrants *field)
{
  int leader = hone__standings_leader(&field->standings, -1);

  for (size_t i = 0; leader < 0 && i < field->count; i++)
    if (!field->standings.entrants[i].out) leader = (int)i;
  return leader;
}

static bool is_wanted(const struct hone__tuning *tuning, const struct hone__pick *pick,
                      const struct hone__ranked *ranked)
{
  return ranked && (!pick->promising || ranked->ratio * (1 + tuning->session.settings.margin) < 1);
}

static size_t take_best(struct hone__contest *contest, struct hone__entrants *field,
                        const struct hone__pick *pick, struct hone__racer **out_racers)
{
  struct hone__tuning *tuning = contest->tuning;
  size_t taken = 0;
  int next;

  while (taken < pick->places && (next = next_best(field)) >= 0) {
    struct hone__racer *racer = field->racers[next];
    struct hone__ranked *ranked = hone__ranking_find(tuning, racer->evaluation);
    field->standings.entrants[next].out = true;
    if (!is_wanted(tuning, pick, ranked)) continue;
    ranked->tried = HONE__CONFIRMED;
    out_racers[taken++] = racer;
    field->racers[next] = NULL;
  }
  HONE__ASSERT(taken <= field->count);
  return taken;
}

size_t hone__race(struct hone__contest *contest, const struct hone__pick *pick,
                  struct hone__racer **out_racers)
{
  struct hone__tuning *tuning = contest->tuning;
  struct hone__entrants field = {0};
  size_t taken = 0;
  bool is_over = false;

  while (!is_over && !tuning->session.control.aborting) {
    choose(contest, pick, &field);
    hone__session_phase(&tuning->session, HONE_PHASE_RACE, field.count);
    is_over = run_rungs(contest, &field, pick) || !hone__contest_in_time(contest, contest->until);
    keep_ratios(tuning, &field);
    if (is_over) break;
    hone__ranking_order(tuning);
    hone__tuning_rescreen(tuning);
    hone__ranking_order(tuning);
  }
  if (!tuning->session.control.aborting) taken = take_best(contest, &field, pick, out_racers);
  hone__ranking_order(tuning);
  hone__tuning_field_release(&field);
  return taken;
}
