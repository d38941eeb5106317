/* The results of the contest: of each finalist and of the baseline, for the store, and the verdict
 * of the run.
 */
#include "tune/contest.h"

#include "tune/baseline_limit.h"

#include "session/confirmation.h"
#include "session/suspicion.h"
#include "tune/duplicates.h"
#include "tune/quick.h"
#include "tune/screened_stage.h"

#include <stdlib.h>

/* ---- For the store ---- */

/* A time that looked possible in screening may not be so here. */
static void suspect_finalist(struct hone__contest *contest, size_t i,
                             const struct hone__confirmation *confirmed)
{
  const struct hone__racer *racer = contest->finals.racers[i];
  struct hone__evaluation *evaluation = &racer->candidate->evaluation;

  if (evaluation->suspicious) return;
  evaluation->suspicious = hone__candidate_doubt(racer->candidate, HONE__ALL_SITES,
                                                 confirmed->time_ns, confirmed->baseline_ns);
  if (!evaluation->suspicious) return;
  hone__candidate_report_suspicion(racer->candidate);
  hone__control_fail(&contest->tuning->session.control,
                     hone__store_suspect(contest->tuning->session.entry.store, racer->evaluation,
                                         evaluation->suspicious));
}

static void store_finalist(struct hone__contest *contest, size_t i)
{
  struct hone__tuning *tuning = contest->tuning;
  const struct hone__entrants *finals = &contest->finals;
  const struct hone__racer *racer = finals->racers[i];
  const struct hone__entrant *e = &finals->standings.entrants[i];
  struct hone__confirmation confirmation = hone__session_confirmation(&finals->standings, i);

  confirmation.time_ns = hone__median(racer->times_ns, racer->count);
  confirmation.baseline_ns = hone__median(racer->baselines_ns, racer->count);
  confirmation.metrics = hone__candidate_metrics(racer->candidate, confirmation.time_ns);
  hone__control_fail(
      &tuning->session.control,
      hone__store_confirm(tuning->session.entry.store, racer->evaluation, &confirmation));
  suspect_finalist(contest, i, &confirmation);
  hone__session_log(&tuning->session, "confirm: %s: %s, %.4fx, %zu pairs", racer->candidate->config,
                    hone_verdict_name(confirmation.verdict), confirmation.speedup, e->count);
}

static void store_finalists(struct hone__contest *contest)
{
  for (size_t i = 0; i < contest->finals.count; i++)
    if (hone__entrant_is_confirmed(&contest->finals.standings.entrants[i]))
      store_finalist(contest, i);
}

/* The baseline's figures come from the same pairs; NaN: there are none. */
static double baseline_time(const struct hone__contest *contest)
{
  int leader = hone__standings_best(&contest->finals.standings);
  const struct hone__racer *racer = leader < 0 ? NULL : contest->finals.racers[leader];

  return racer ? hone__median(racer->baselines_ns, racer->count) : NAN;
}

static void store_baseline(struct hone__contest *contest)
{
  struct hone__tuning *tuning = contest->tuning;
  double time_ns = baseline_time(contest);
  const char *metrics = hone__candidate_metrics(tuning->baseline.candidate, time_ns);

  for (size_t i = 0; isfinite(time_ns) && i < tuning->session.workers.site_count; i++)
    if (tuning->session.workers.sites[i].evaluation)
      hone__control_fail(&tuning->session.control,
                         hone__store_metrics(tuning->session.entry.store,
                                             tuning->session.workers.sites[i].evaluation, metrics));
}

/* With several objectives everything that works is compared, including unconfirmed candidates. */
static void store_duplicates(struct hone__contest *contest)
{
  struct hone__duplicates duplicates = {.tuning = contest->tuning};
  const struct hone__entrants *finals = &contest->finals;

  for (size_t i = 0; i < finals->count; i++) {
    const struct hone__racer *racer = finals->racers[i];
    if (hone__entrant_is_confirmed(&finals->standings.entrants[i]))
      hone__duplicates_add(&duplicates, racer->candidate,
                           hone__median(racer->times_ns, racer->count));
  }
  hone__duplicates_add(&duplicates, contest->tuning->baseline.candidate, baseline_time(contest));
  hone__duplicates_store(&duplicates);
}

/* ---- Of the run ---- */

static bool has_confirmed(const struct hone__standings *standings)
{
  for (size_t i = 0; i < standings->count; i++)
    if (hone__entrant_is_confirmed(&standings->entrants[i])) return true;
  return false;
}

static double greatest_step(const struct hone__tuning *tuning)
{
  double greatest = 0;

  for (size_t i = 0; i < tuning->session.workers.site_count; i++)
    greatest =
        fmax(greatest, hone__readings_greatest_step(&tuning->session.workers.sites[i].history));
  return greatest;
}

static const char *why_others_are_open(struct hone__tuning *tuning, size_t open)
{
  double step = greatest_step(tuning);

  if (step > HONE__UNSTEADY)
    return hone__arena_printf(
        &tuning->session.arena,
        "the machine was too busy: consecutive readings of the baseline differ by up to %.0f %%, "
        "and %zu candidate%s that may be faster could not be confirmed; try on a quieter machine",
        100 * expm1(step), open, open == 1 ? "" : "s");
  if (hone__quick_is_bounded(tuning)) return hone__quick_reason();
  return hone__arena_printf(
      &tuning->session.arena,
      "%zu candidate%s that may be faster could not be confirmed in time; try a larger budget",
      open, open == 1 ? "" : "s");
}

static const char *why_undecided(struct hone__contest *contest)
{
  struct hone__tuning *tuning = contest->tuning;
  size_t failed = 0;

  for (size_t i = 0; i < contest->finals.count; i++)
    failed += contest->finals.standings.entrants[i].failed;
  if (tuning->session.control.interrupted)
    return "the run was stopped before confirmation was complete";
  if (contest->is_lost)
    return hone__arena_printf(&tuning->session.arena, "no device was left to confirm on%s%s",
                              contest->loss ? ": " : "", contest->loss ? contest->loss : "");
  if (contest->is_late && hone__quick_is_bounded(tuning)) return hone__quick_reason();
  if (!contest->finals.group)
    return "the budget ended before any candidate could be confirmed; try a larger one";
  if (!has_confirmed(&contest->finals.standings))
    return hone__arena_printf(
        &tuning->session.arena,
        "%zu finalist%s failed when run again, and no time was left for others", failed,
        failed == 1 ? "" : "s");
  if (hone__standings_are_within_noise(&contest->finals.standings))
    return "the differences are too small for the noise of this machine and of memory layout; try "
           "on a quieter machine";
  return contest->is_late
             ? "the time for confirmation ended before it was complete; try a larger budget"
             : "there were too few pairs for a verdict; try on a quieter machine";
}

static void name_winner(struct hone__contest *contest, int winner)
{
  const struct hone__entrants *finals = &contest->finals;
  struct hone__store_run_result *result = &contest->tuning->session.entry.result;
  struct hone__estimate speedup;

  if (winner < 0) return;
  speedup = hone__standings_speedup(&finals->standings, (size_t)winner);
  result->winner = hone__arena_strdup(&contest->tuning->session.arena,
                                      finals->racers[winner]->candidate->config);
  result->pairs = (int64_t)finals->standings.entrants[winner].count;
  result->restarts = (int64_t)hone__standings_groups(&finals->standings, (size_t)winner);
  result->speedup = speedup.value;
  result->low = speedup.low;
  result->high = speedup.high;
}

/* All finalists failed, and none is left to replace them. */
static bool is_none_left(struct hone__contest *contest)
{
  struct hone__pick pick = {.places = 1};
  size_t at[HONE__MOST_RACERS];

  return !contest->is_lost && !contest->tuning->session.control.interrupted &&
         !has_confirmed(&contest->finals.standings) &&
         !hone__standings_left(&contest->finals.standings) &&
         !hone__ranking_pick(contest->tuning, &pick, at);
}

static void reach_verdict(struct hone__contest *contest)
{
  struct hone__tuning *tuning = contest->tuning;
  struct hone__store_run_result *result = &tuning->session.entry.result;
  int winner = hone__standings_leader(&contest->finals.standings, HONE__CLAIM_FASTER);
  bool is_negative = hone__standings_none_is_faster(&contest->finals.standings) &&
                     !tuning->session.control.interrupted;
  size_t open = is_negative ? hone__ranking_promising(tuning) : 0;

  result->verdict = winner >= 0            ? HONE_VERDICT_IMPROVED
                    : is_negative && !open ? HONE_VERDICT_NO_IMPROVEMENT
                                           : HONE_VERDICT_INCONCLUSIVE;
  if (winner < 0 && open)
    result->why = why_others_are_open(tuning, open);
  else if (winner < 0 && !is_negative)
    result->why = why_undecided(contest);
  if (winner >= 0 || !open)
    name_winner(contest, winner >= 0 ? winner : hone__standings_best(&contest->finals.standings));
}

/* ---- Devices ---- */

/* The speedup of a racer on one device, from its pairs; NaN: it has none there. */
static double speedup_on(const struct hone__racer *racer, size_t site)
{
  double *ratios = hone__alloc((racer->count + 1) * sizeof *ratios), median;
  size_t count = 0;

  for (size_t i = 0; i < racer->count; i++)
    if (racer->sites[i] == site) ratios[count++] = racer->baselines_ns[i] / racer->times_ns[i];
  median = count ? hone__median(ratios, count) : NAN;
  free(ratios);
  return median;
}

/* Devices of one kind differ, too. */
static void note_spread(struct hone__contest *contest, const struct hone__racer *racer)
{
  struct hone__session *session = &contest->tuning->session;
  const struct hone__site *sites = session->workers.sites;
  size_t slowest = 0, fastest = 0, count = 0;
  double least = INFINITY, most = 0;

  for (size_t i = 0; i < session->workers.site_count; i++) {
    double speedup = speedup_on(racer, i);
    if (!isfinite(speedup)) continue;
    count++;
    if (speedup < least) slowest = i, least = speedup;
    if (speedup > most) fastest = i, most = speedup;
  }
  if (count < 2) return;
  hone__session_note(session,
                     "confirmed on %zu devices: %.3fx on '%s' to %.3fx on '%s', which differ by "
                     "%.1f %%",
                     count, least, sites[slowest].device, most, sites[fastest].device,
                     100 * (most / least - 1));
}

/* Without pairs its last readings count. */
static void store_counted_baseline(struct hone__contest *contest)
{
  struct hone__session *session = &contest->tuning->session;
  double time_ns = baseline_time(contest);

  for (size_t i = 0; i < session->workers.site_count; i++) {
    const struct hone__site *site = &session->workers.sites[i];
    if (!site->evaluation) continue;
    hone__control_fail(
        &session->control,
        hone__store_metrics(session->entry.store, site->evaluation,
                            hone__candidate_metrics(contest->tuning->baseline.candidate,
                                                    isfinite(time_ns) ? time_ns : site->last_ns)));
  }
}

void hone__contest_add_counters(struct hone__contest *contest, int winner)
{
  const struct hone__racer *racer = winner < 0 ? NULL : contest->finals.racers[winner];
  struct hone__session *session = &contest->tuning->session;

  if (!hone__contest_count(contest, racer ? racer->candidate : NULL)) return;
  store_counted_baseline(contest);
  if (racer)
    hone__control_fail(
        &session->control,
        hone__store_metrics(session->entry.store, racer->evaluation,
                            hone__candidate_metrics(racer->candidate,
                                                    hone__median(racer->times_ns, racer->count))));
}

void hone__contest_conclude(struct hone__contest *contest)
{
  int winner;

  if (is_none_left(contest)) {
    hone__contest_without_candidates(contest->tuning);
    hone__contest_add_counters(contest, -1);
    return;
  }
  store_finalists(contest);
  store_baseline(contest);
  if (contest->tuning->session.objectives.count > 1) store_duplicates(contest);
  reach_verdict(contest);
  winner = hone__standings_leader(&contest->finals.standings, HONE__CLAIM_FASTER);
  if (winner >= 0) note_spread(contest, contest->finals.racers[winner]);
  hone__contest_add_counters(contest, winner);
}

void hone__contest_without_candidates(struct hone__tuning *tuning)
{
  if (tuning->session.control.interrupted) return;
  if (!tuning->session.progress.event.done && hone__tuning_others(tuning)) {
    tuning->session.entry.result.verdict = HONE_VERDICT_INCONCLUSIVE;
    tuning->session.entry.result.why = hone__baseline_limit_reason(tuning);
    return;
  }
  if (!tuning->ranking.count && tuning->session.progress.event.ok &&
      tuning->session.objectives.proven) {
    tuning->session.entry.result.verdict = HONE_VERDICT_INCONCLUSIVE;
    tuning->session.entry.result.why =
        "the metric has no value for the baseline or for any candidate";
    return;
  }
  if (hone__screened_stage_took_all(tuning)) {
    tuning->session.entry.result.verdict = HONE_VERDICT_INCONCLUSIVE;
    tuning->session.entry.result.why = "the host's filter rejected every candidate that works";
    return;
  }
  tuning->session.entry.result.verdict = HONE_VERDICT_NO_IMPROVEMENT;
  tuning->session.entry.result.why =
      tuning->ranking.count ? "no candidate was faster in screening" : "only the baseline works";
}
