/* What the contest says: of each finalist and of the baseline, for the store, and of the run. */
#include "tune/contest.h"

#include "tune/suspicion.h"
#include "tune/twins.h"

/* ---- For the store ---- */

static const char *claim_verdict(enum hone_claim claim)
{
  return claim == HONE_CLAIM_FASTER       ? "IMPROVED"
         : claim == HONE_CLAIM_NOT_FASTER ? "NO IMPROVEMENT"
                                          : "INCONCLUSIVE";
}

/* What looked possible in screening may not be so here. */
static void suspect_finalist(struct hone_contest *contest, size_t i,
                             const struct hone_confirmation *confirmed)
{
  const struct hone_racer *racer = &contest->racers[i];
  struct hone_evaluation *evaluation = &racer->candidate->evaluation;

  if (evaluation->suspicious) return;
  evaluation->suspicious = hone__candidate_doubt(racer->candidate, HONE_ALL_SITES,
                                                 confirmed->time_ns, confirmed->baseline_ns);
  if (!evaluation->suspicious) return;
  hone__candidate_tell_suspicion(racer->candidate);
  hone__tuning_fail(contest->tuning, hone__store_suspect(contest->tuning->store, racer->evaluation,
                                                         evaluation->suspicious));
}

static void store_finalist(struct hone_contest *contest, size_t i)
{
  struct hone_tuning *tuning = contest->tuning;
  const struct hone_racer *racer = &contest->racers[i];
  const struct hone_entrant *e = &contest->standings.entrants[i];
  struct hone_estimate speedup = hone__standings_speedup(&contest->standings, i);
  struct hone_confirmation confirmation = {.verdict = claim_verdict(e->claim),
                                           .speedup = speedup.value,
                                           .low = speedup.low,
                                           .high = speedup.high,
                                           .pairs = (int64_t)e->count,
                                           .restarts = tuning->result.restarts};

  confirmation.time_ns = hone__median(racer->times_ns, racer->count);
  confirmation.baseline_ns = hone__median(racer->baselines_ns, racer->count);
  confirmation.metrics = hone__candidate_metrics(racer->candidate, confirmation.time_ns);
  hone__tuning_fail(tuning, hone__store_confirm(tuning->store, racer->evaluation, &confirmation));
  suspect_finalist(contest, i, &confirmation);
  hone__tuning_log(tuning, "confirm: %s: %s, %.4fx, %zu pairs", racer->candidate->config,
                   confirmation.verdict, speedup.value, e->count);
}

static void store_finalists(struct hone_contest *contest)
{
  for (size_t i = 0; i < contest->count; i++)
    if (contest->standings.entrants[i].count) store_finalist(contest, i);
}

/* The baseline's figures come from the same pairs; NaN: there are none. */
static double baseline_time(const struct hone_contest *contest)
{
  int leader = hone__standings_leader(&contest->standings, -1);
  const struct hone_racer *racer = leader < 0 ? NULL : &contest->racers[leader];

  return racer ? hone__median(racer->baselines_ns, racer->count) : NAN;
}

static void store_baseline(struct hone_contest *contest)
{
  struct hone_tuning *tuning = contest->tuning;
  double time_ns = baseline_time(contest);
  const char *metrics = hone__candidate_metrics(tuning->baseline, time_ns);

  for (size_t i = 0; isfinite(time_ns) && i < tuning->site_count; i++)
    if (tuning->sites[i].evaluation)
      hone__tuning_fail(tuning,
                        hone__store_metrics(tuning->store, tuning->sites[i].evaluation, metrics));
}

/* Of several objectives everything that works is compared, also what nobody confirmed. */
static void store_twins(struct hone_contest *contest)
{
  struct hone_twins twins = {.tuning = contest->tuning};

  for (size_t i = 0; i < contest->count; i++) {
    const struct hone_racer *racer = &contest->racers[i];
    if (contest->standings.entrants[i].count)
      hone__twins_add(&twins, racer->candidate, hone__median(racer->times_ns, racer->count));
  }
  hone__twins_add(&twins, contest->tuning->baseline, baseline_time(contest));
  hone__twins_store(&twins);
}

/* ---- Of the run ---- */

/* Of those who are in. Who was beaten by one of them says no more than that one. */
static bool all_are(const struct hone_standings *standings, enum hone_claim claim)
{
  for (size_t i = 0; i < standings->count; i++)
    if (!standings->entrants[i].out && standings->entrants[i].claim != claim) return false;
  return hone__standings_left(standings) > 0;
}

static const char *why_inconclusive(const struct hone_contest *contest)
{
  if (contest->devices_lost) return "no device was left to confirm on";
  if (!hone__standings_left(&contest->standings))
    return "every finalist failed when it was run again";
  if (contest->tuning->interrupted) return "the run was stopped before the proof was complete";
  return "the differences are too small for the noise of this machine and of memory layout";
}

static void name_winner(struct hone_contest *contest, int winner)
{
  struct hone_run_result *result = &contest->tuning->result;
  struct hone_estimate speedup;

  if (winner < 0) return;
  speedup = hone__standings_speedup(&contest->standings, (size_t)winner);
  result->winner =
      hone__arena_strdup(&contest->tuning->arena, contest->racers[winner].candidate->config);
  result->pairs = (int64_t)contest->standings.entrants[winner].count;
  result->speedup = speedup.value;
  result->low = speedup.low;
  result->high = speedup.high;
}

static void reach_verdict(struct hone_contest *contest)
{
  struct hone_run_result *result = &contest->tuning->result;
  const struct hone_standings *standings = &contest->standings;
  int winner = hone__standings_leader(standings, HONE_CLAIM_FASTER);

  if (winner >= 0) {
    result->verdict = "IMPROVED";
  } else if (all_are(standings, HONE_CLAIM_NOT_FASTER) && !contest->tuning->interrupted) {
    result->verdict = "NO IMPROVEMENT";
  } else {
    result->verdict = "INCONCLUSIVE";
    result->why = why_inconclusive(contest);
  }
  name_winner(contest, winner >= 0 ? winner : hone__standings_leader(standings, -1));
}

void hone__contest_conclude(struct hone_contest *contest)
{
  store_finalists(contest);
  store_baseline(contest);
  if (contest->tuning->objective_count > 1) store_twins(contest);
  reach_verdict(contest);
}

void hone__contest_of_nobody(struct hone_tuning *tuning)
{
  if (tuning->interrupted) return;
  if (!tuning->progress.done && hone_space_count(tuning->space) > 1) {
    tuning->result.verdict = "INCONCLUSIVE";
    tuning->result.why = "the budget ended before any candidate was measured";
    return;
  }
  if (!tuning->ranked && tuning->progress.ok && tuning->objective) {
    tuning->result.verdict = "INCONCLUSIVE";
    tuning->result.why = "the metric has no value for the baseline, or for no candidate";
    return;
  }
  tuning->result.verdict = "NO IMPROVEMENT";
  tuning->result.why = tuning->ranked ? "no candidate came near the baseline"
                                      : "no candidate works but the baseline";
}
