/* The contest: what looked best in screening against the baseline, in one process, row by row.
 *
 * Race: each row times every survivor and the baseline once, in random order; after each rung the
 * better half stays. Confirm: the finalists again, on fresh samples, over several runner processes
 * and every device, until the sign test has an answer. Only these samples are reported. */
#include "tune/tuning.h"

#include "base/clock.h"
#include "base/random.h"
#include "exec/standings.h"

#include <stdlib.h>

enum {
  MOST_RACERS = 64,
  RESTARTS = 3,
  MOST_PAIRS = 200,
  RACE_ROWS = 9,
  CONFIRM_ROWS = 6,
  MOST_CONFIRM_ROWS = 24
};
static const double HEAT_LEAST_S = 0.05; /* of a confirmation in one process */
static const double RACE_LEAST_S = 3, RACE_SHARE = 0.25, CONFIRM_S_EACH = 30, NEAR_BEST = 1.3,
                    HOPELESS = 1.5;

struct contest {
  struct hone_tuning *tuning;
  struct hone_candidate **racers; /* without the baseline; entrant i is racers[i] */
  int64_t *evaluations;
  size_t count;
  struct hone_standings standings;
  size_t pending;
  bool racing;    /* else confirming */
  uint32_t group; /* of the next job */
  bool crashed;   /* someone left: the row is to be run again without */
  struct hone_random random;
};

/* ---- One job: rows of all that are in ---- */

struct heat {
  struct contest *contest;
  size_t *entrants; /* of the job's candidates 1, 2 ...; candidate 0 is the baseline */
  size_t count;
  uint32_t group;
};

static void fail_racer(struct contest *contest, size_t entrant, const struct hone_run_part *part)
{
  struct hone_candidate *candidate = contest->racers[entrant];
  struct hone_evaluation *evaluation = &candidate->evaluation;

  contest->standings.entrants[entrant].out = true;
  contest->crashed = true;
  evaluation->outcome = part->outcome;
  evaluation->evidence =
      hone__arena_printf(&candidate->texts, "in the %s: %s",
                         contest->racing ? "race" : "confirmation", part->evidence);
  evaluation->time_ns = NAN;
  hone__candidate_record(candidate);
}

/* In the race what a time is compared with need only be steady: the median of its row. In the
 * confirmation it is the baseline, the other half of the pair. */
static double reference_of_row(const struct contest *contest, const double *row, size_t width)
{
  return contest->racing ? hone__median(row, width) : row[0];
}

static void store_pairs(struct heat *heat, const struct hone_reply *reply, const double *times,
                        size_t column, size_t rows)
{
  struct contest *contest = heat->contest;
  size_t width = heat->count + 1, entrant = heat->entrants[column - 1];
  double *own = hone__alloc(rows * sizeof *own), *base = hone__alloc(rows * sizeof *base);
  char *facts = hone__run_facts(reply, column);
  struct hone_samples samples = {.phase = contest->racing ? "race" : "confirm",
                                 .restart = heat->group,
                                 .times_ns = own,
                                 .baseline_ns = base,
                                 .count = rows,
                                 .facts = facts};

  for (size_t i = 0; i < rows; i++) {
    const double *row = times + i * width;
    own[i] = row[column];
    base[i] = row[0];
    hone__standings_add(&contest->standings, entrant, heat->group,
                        reference_of_row(contest, row, width), own[i]);
  }
  hone__tuning_fail(
      contest->tuning,
      hone__store_samples_add(contest->tuning->store, contest->evaluations[entrant], &samples));
  free(own);
  free(base);
  free(facts);
}

static void on_heat(void *data, const struct hone_reply *reply)
{
  struct heat *heat = data;
  struct contest *contest = heat->contest;
  size_t rows = (size_t)json_integer_value(json_object_get(reply->head, "rows")), count;
  double *times = hone__run_times(reply, &count);
  bool whole =
      reply->outcome == HONE_OUTCOME_OK && rows < MOST_PAIRS && count == rows * (heat->count + 1);

  contest->pending--;
  for (size_t i = 0; i < heat->count; i++) {
    struct hone_run_part part = hone__run_part(reply, i + 1);
    if (whole)
      store_pairs(heat, reply, times, i + 1, rows);
    else if (reply->head && !hone__outcome_works(part.outcome) &&
             hone__outcome_blame(part.outcome) == HONE_BLAME_CANDIDATE)
      fail_racer(contest, heat->entrants[i], &part);
  }
  free(times);
  free(heat->entrants);
  free(heat);
}

static void start_heat(struct contest *contest, size_t site, unsigned rows, bool restart,
                       double budget_s)
{
  struct hone_tuning *tuning = contest->tuning;
  struct hone_candidate **list = hone__alloc((contest->count + 1) * sizeof *list);
  struct hone_run_request request = {.mode = "rows",
                                     .candidates = list,
                                     .count = 1,
                                     .seat = (int)site,
                                     .check = tuning->task.check,
                                     .late_check = tuning->task.check && restart,
                                     .rows = rows,
                                     .restart = restart,
                                     .budget_s = budget_s,
                                     .seed = hone__random_u64(&contest->random)};
  struct heat *heat = hone__alloc(sizeof *heat);
  struct hone_job job;

  *heat = (struct heat){.contest = contest, .group = contest->group++};
  heat->entrants = hone__alloc((contest->count + 1) * sizeof *heat->entrants);
  list[0] = tuning->baseline;
  for (size_t i = 0; i < contest->count; i++) {
    if (contest->standings.entrants[i].out) continue;
    list[request.count++] = contest->racers[i];
    heat->entrants[heat->count++] = i;
  }
  job = hone__run_job(tuning, &request);
  job.done = on_heat;
  job.data = heat;
  contest->pending++;
  hone__crew_submit(tuning->runners, &job);
  free(list);
}

static void finish_heats(struct contest *contest)
{
  hone__tuning_wait(contest->tuning, &contest->pending);
  hone__tuning_abandon(contest->tuning, &contest->pending);
}

/* ---- Who takes part ---- */

static int by_ratio(const void *a, const void *b)
{
  const struct hone_ranking *x = a, *y = b;
  double p = x->time_ns / x->baseline_ns, q = y->time_ns / y->baseline_ns;

  if (p != q) return p < q ? -1 : 1;
  return strcmp(x->config, y->config);
}

/* Seconds that one row of this many takes, by screening's times. */
static double row_s(const struct hone_tuning *tuning, size_t count)
{
  double sum = tuning->ranking[0].baseline_ns;

  for (size_t i = 0; i < count; i++)
    sum += tuning->ranking[i].time_ns;
  return 1e-9 * fmax(sum, 50e3 * (double)(count + 1));
}

static bool stands_before(const struct hone_tuning *tuning, size_t at)
{
  const struct hone_ranking *ranking = tuning->ranking;

  for (size_t i = 0; i < at; i++)
    if (*ranking[at].key && strcmp(ranking[i].key, ranking[at].key) == 0) return true;
  return false;
}

/* Equal objects run once, and the baseline's own not at all. */
static void drop_doubles(struct hone_tuning *tuning)
{
  size_t kept = 0, looked = tuning->ranked < 4 * MOST_RACERS ? tuning->ranked : 4 * MOST_RACERS;

  for (size_t i = 0; i < looked; i++) {
    if (strcmp(tuning->ranking[i].key, tuning->baseline->measure_key) == 0) continue;
    tuning->ranking[kept] = tuning->ranking[i];
    kept += !stands_before(tuning, kept);
  }
  tuning->ranked = kept;
}

/* All that may be best by what screening can tell, as far as the time for the race allows. */
static size_t choose_racers(struct hone_tuning *tuning, double race_s)
{
  size_t count = 0, least = tuning->finalists;
  double best;

  qsort(tuning->ranking, tuning->ranked, sizeof *tuning->ranking, by_ratio);
  drop_doubles(tuning);
  if (!tuning->ranked) return 0;
  best = tuning->ranking[0].time_ns / tuning->ranking[0].baseline_ns;
  while (count < tuning->ranked && count < MOST_RACERS) {
    const struct hone_ranking *next = &tuning->ranking[count];
    bool near = next->time_ns / next->baseline_ns <= NEAR_BEST * best;
    if (!tuning->options->keep_slower && next->time_ns > HOPELESS * next->baseline_ns) break;
    if (count >= least && (!near || RACE_ROWS * row_s(tuning, count + 1) > race_s)) break;
    count++;
  }
  return count;
}

static void on_racer_built(struct hone_candidate *candidate)
{
  --*(size_t *)candidate->tuning->stage;
}

/* Brings the racers' objects in: they are in the cache, mostly. */
static void fetch_racers(struct contest *contest)
{
  struct hone_tuning *tuning = contest->tuning;
  size_t pending = 0;

  tuning->stage = &pending;
  for (size_t i = 0; i < contest->count; i++) {
    hone_status status = hone__candidate_new(tuning, tuning->ranking[i].row, &contest->racers[i]);
    hone__tuning_fail(tuning, status);
    if (status) break;
    contest->evaluations[i] = tuning->ranking[i].evaluation;
    pending++;
    hone__candidate_build(contest->racers[i], on_racer_built);
  }
  hone__tuning_wait(tuning, &pending);
  hone__tuning_abandon(tuning, &pending);
  for (size_t i = 0; i < contest->count; i++)
    if (!contest->racers[i] || !contest->racers[i]->bytes)
      contest->standings.entrants[i].out = true;
}

/* ---- Race ---- */

static size_t first_usable_site(const struct hone_tuning *tuning)
{
  for (size_t i = 0; i < tuning->site_count; i++)
    if (tuning->sites[i].usable) return i;
  return 0;
}

static bool in_time(const struct contest *contest, double until)
{
  return !contest->tuning->aborting && hone__clock() < until &&
         hone__tuning_left_s(contest->tuning) > 0;
}

static void race(struct contest *contest, double race_s)
{
  struct hone_tuning *tuning = contest->tuning;
  double until = hone__clock() + race_s;
  unsigned rows = RACE_ROWS;

  contest->racing = true;
  hone__tuning_phase(tuning, "race", contest->count);
  while (hone__standings_left(&contest->standings) > tuning->finalists && in_time(contest, until)) {
    start_heat(contest, first_usable_site(tuning), rows, false, race_s);
    finish_heats(contest);
    if (!contest->crashed) hone__standings_halve(&contest->standings, tuning->finalists);
    contest->crashed = false;
    rows = rows * 3 / 2;
    hone__tuning_progress(tuning, false);
  }
}

/* Those who are in stay, in the order of the race, with clean sheets. */
static void take_finalists(struct contest *contest)
{
  struct hone_standings *old = &contest->standings;
  size_t kept = 0;

  for (;;) {
    int leader = hone__standings_leader(old, -1);
    struct hone_candidate *candidate;
    int64_t evaluation;
    struct hone_entrant entrant;
    if (leader < 0 || kept == contest->tuning->finalists) break;
    candidate = contest->racers[leader];
    evaluation = contest->evaluations[leader];
    entrant = old->entrants[leader];
    contest->racers[leader] = contest->racers[kept];
    contest->evaluations[leader] = contest->evaluations[kept];
    old->entrants[leader] = old->entrants[kept];
    contest->racers[kept] = candidate;
    contest->evaluations[kept] = evaluation;
    old->entrants[kept] = entrant;
    old->entrants[kept++].out = true;
  }
  if (!kept) /* there was no race */
    for (size_t i = 0; i < contest->count && kept < contest->tuning->finalists; i++)
      if (contest->racers[i] && contest->racers[i]->bytes) {
        struct hone_candidate *candidate = contest->racers[i];
        int64_t evaluation = contest->evaluations[i];
        contest->racers[i] = contest->racers[kept];
        contest->evaluations[i] = contest->evaluations[kept];
        contest->racers[kept] = candidate;
        contest->evaluations[kept++] = evaluation;
      }
  for (size_t i = kept; i < contest->count; i++)
    hone__candidate_free(contest->racers[i]);
  hone__standings_release(old);
  contest->count = kept;
  hone__standings_init(&contest->standings, kept, contest->tuning->margin);
}

/* ---- Confirm ---- */

static bool decided(const struct contest *contest)
{
  const struct hone_standings *standings = &contest->standings;

  for (size_t i = 0; i < standings->count; i++)
    if (!standings->entrants[i].out && standings->entrants[i].claim == HONE_CLAIM_OPEN)
      return false;
  return true;
}

static size_t pairs_of_leader(const struct contest *contest)
{
  int leader = hone__standings_leader(&contest->standings, -1);

  return leader < 0 ? 0 : contest->standings.entrants[leader].count;
}

static void confirm_round(struct contest *contest, unsigned rows)
{
  const struct hone_tuning *tuning = contest->tuning;
  double left_s = fmin(hone__tuning_left_s(tuning), CONFIRM_S_EACH * (double)contest->count);

  for (size_t i = 0; i < tuning->site_count; i++)
    if (tuning->sites[i].usable) start_heat(contest, i, rows, true, fmax(left_s / RESTARTS, 0.5));
  finish_heats(contest);
  hone__tuning_progress(contest->tuning, false);
}

/* Enough for what a process is like to show, and for one disturbance not to matter. */
static unsigned rows_of_heat(const struct contest *contest)
{
  double rows = HEAT_LEAST_S / row_s(contest->tuning, contest->count);

  return (unsigned)fmin(fmax(rows, CONFIRM_ROWS), MOST_CONFIRM_ROWS);
}

static void confirm(struct contest *contest)
{
  struct hone_tuning *tuning = contest->tuning;
  double until = hone__clock() + CONFIRM_S_EACH * (double)contest->count;
  unsigned rows = rows_of_heat(contest), rounds = 0;

  contest->racing = false;
  contest->group = 0;
  contest->standings.groups_wanted = RESTARTS;
  hone__tuning_phase(tuning, "confirm", contest->count);
  while (hone__standings_left(&contest->standings) && in_time(contest, until) &&
         pairs_of_leader(contest) < MOST_PAIRS) {
    confirm_round(contest, rows);
    rounds++;
    contest->crashed = false;
    hone__standings_judge(&contest->standings);
    hone__standings_drop_beaten(&contest->standings, rows_of_heat(contest));
    if (rounds >= RESTARTS && decided(contest)) break;
    if (rounds >= RESTARTS) rows = rows * 3 / 2;
  }
  tuning->result.restarts = (int64_t)contest->group;
}

/* ---- Verdict ---- */

static const char *claim_verdict(enum hone_claim claim)
{
  return claim == HONE_CLAIM_FASTER       ? "IMPROVED"
         : claim == HONE_CLAIM_NOT_FASTER ? "NO IMPROVEMENT"
                                          : "INCONCLUSIVE";
}

static void store_finalist(struct contest *contest, size_t i)
{
  struct hone_tuning *tuning = contest->tuning;
  const struct hone_entrant *e = &contest->standings.entrants[i];
  struct hone_estimate speedup = hone__standings_speedup(&contest->standings, i);
  struct hone_confirmation confirmation = {.verdict = claim_verdict(e->claim),
                                           .speedup = speedup.value,
                                           .low = speedup.low,
                                           .high = speedup.high,
                                           .pairs = (int64_t)e->count,
                                           .restarts = tuning->result.restarts};

  confirmation.time_ns = hone__median(e->times_ns, e->count);
  confirmation.baseline_ns = hone__median(e->baselines_ns, e->count);
  confirmation.metrics = hone__candidate_metrics(contest->racers[i], confirmation.time_ns);
  hone__tuning_fail(tuning,
                    hone__store_confirm(tuning->store, contest->evaluations[i], &confirmation));
  hone__tuning_log(tuning, "confirm: %s: %s, %.4fx, %zu pairs", contest->racers[i]->config,
                   confirmation.verdict, speedup.value, e->count);
}

static void store_finalists(struct contest *contest)
{
  for (size_t i = 0; i < contest->count; i++)
    if (contest->standings.entrants[i].count) store_finalist(contest, i);
}

static const char *why_not(const struct contest *contest, bool any_mixed, bool all_not_faster)
{
  if (all_not_faster) return "";
  if (any_mixed)
    return "the best is faster over all, but not in every worker process: memory layout decides";
  if (contest->tuning->interrupted) return "the run was stopped before the proof was complete";
  return "the differences are too small for the noise of this machine";
}

static void reach_verdict(struct contest *contest)
{
  struct hone_run_result *result = &contest->tuning->result;
  const struct hone_standings *standings = &contest->standings;
  bool any_mixed = false, all_not_faster = true;
  int winner;

  for (size_t i = 0; i < standings->count; i++) {
    enum hone_claim claim = standings->entrants[i].claim;
    any_mixed = any_mixed || claim == HONE_CLAIM_MIXED;
    if (claim != HONE_CLAIM_NOT_FASTER && !standings->entrants[i].out) all_not_faster = false;
  }
  winner = hone__standings_leader(standings, HONE_CLAIM_FASTER);
  result->verdict = winner >= 0 ? "IMPROVED" : all_not_faster ? "NO IMPROVEMENT" : "INCONCLUSIVE";
  result->why = winner >= 0 ? "" : why_not(contest, any_mixed, all_not_faster);
  if (winner < 0) winner = hone__standings_leader(standings, -1);
  if (winner < 0) return;
  result->winner = hone__arena_strdup(&contest->tuning->arena, contest->racers[winner]->config);
  result->pairs = (int64_t)standings->entrants[winner].count;
  {
    struct hone_estimate speedup = hone__standings_speedup(standings, (size_t)winner);
    result->speedup = speedup.value;
    result->low = speedup.low;
    result->high = speedup.high;
  }
}

/* ---- The stage ---- */

static void no_racers(struct hone_tuning *tuning)
{
  if (tuning->progress.done && !tuning->interrupted) {
    tuning->result.verdict = "NO IMPROVEMENT";
    tuning->result.why = tuning->ranked ? "no candidate came near the baseline"
                                        : "no candidate works but the baseline";
  }
}

static void run_contest(struct contest *contest, double race_s)
{
  struct hone_tuning *tuning = contest->tuning;

  fetch_racers(contest);
  if (tuning->aborting) return;
  if (!tuning->interrupted) race(contest, race_s);
  if (tuning->aborting) return;
  take_finalists(contest);
  if (tuning->interrupted && contest->count > 2) {
    for (size_t i = 2; i < contest->count; i++)
      contest->standings.entrants[i].out = true;
  }
  if (tuning->options->no_confirm || !contest->count) return;
  confirm(contest);
  if (tuning->aborting) return;
  store_finalists(contest);
  reach_verdict(contest);
}

hone_status hone__tuning_contest(struct hone_tuning *tuning)
{
  double race_s = fmax(RACE_LEAST_S, RACE_SHARE * (hone__clock() - tuning->started));
  struct contest contest = {.tuning = tuning, .random = {tuning->run.seed}};

  contest.count = choose_racers(tuning, race_s);
  if (!contest.count) {
    no_racers(tuning);
    return NULL;
  }
  contest.racers = hone__alloc(contest.count * sizeof *contest.racers);
  contest.evaluations = hone__alloc(contest.count * sizeof *contest.evaluations);
  hone__standings_init(&contest.standings, contest.count, tuning->margin);
  run_contest(&contest, race_s);
  for (size_t i = 0; i < contest.count; i++)
    hone__candidate_free(contest.racers[i]);
  hone__standings_release(&contest.standings);
  free(contest.racers);
  free(contest.evaluations);
  return NULL;
}
