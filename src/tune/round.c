/* A round is one job on one device. Each of its rows times the baseline and every racer still in
 * once, in random order.
 */
#include "tune/contest.h"

#include "session/sample_facts.h"
#include "tune/withdraw.h"

#include <stdlib.h>

enum { MOST_ROWS = 1000 };

struct timed_round {
  struct hone__contest *contest;
  struct hone__entrants *field;
  size_t site;
  size_t *entrants; /* indices of the job's candidates 1, 2 ...; candidate 0 is the baseline */
  size_t count;
  uint32_t group;
};

static const char *stage_of(const struct hone__contest *contest, const struct hone__entrants *field)
{
  return field->is_race                                          ? "race"
         : contest->tuning->session.settings.options->no_confirm ? "last check"
                                                                 : "confirmation";
}

void hone__racer_fail(struct hone__contest *contest, struct hone__entrants *field, size_t entrant,
                      size_t site, const struct hone__run_part *part)
{
  const struct hone__racer *racer = field->racers[entrant];
  struct hone__candidate *candidate = racer->candidate;
  struct hone__evaluation *evaluation = &candidate->evaluation;

  HONE__ASSERT(entrant < field->count && candidate && part->outcome != HONE_OUTCOME_OK);
  if (field->standings.entrants[entrant].failed) return; /* already failed on another device */
  field->standings.entrants[entrant].out = true;
  field->standings.entrants[entrant].failed = true;
  contest->failed = true;
  hone__tuning_candidate_set_site(candidate, site);
  evaluation->device = contest->tuning->session.workers.sites[site].device;
  evaluation->outcome = part->outcome;
  evaluation->evidence = hone__arena_printf(&candidate->texts, "in the %s: %s",
                                            stage_of(contest, field), part->evidence);
  hone__tuning_withdraw(contest->tuning, candidate, racer->evaluation);
}

static void keep_pair(struct hone__racer *racer, size_t site, double time_ns, double baseline_ns)
{
  if (racer->count == racer->capacity) {
    racer->capacity = racer->capacity ? 2 * racer->capacity : 64;
    racer->times_ns = hone__realloc(racer->times_ns, racer->capacity * sizeof(double));
    racer->baselines_ns = hone__realloc(racer->baselines_ns, racer->capacity * sizeof(double));
    racer->sites = hone__realloc(racer->sites, racer->capacity * sizeof *racer->sites);
  }
  racer->sites[racer->count] = site;
  racer->times_ns[racer->count] = time_ns;
  racer->baselines_ns[racer->count++] = baseline_ns;
}

/* The costs of a row's times, as multiples of the baseline's, in the job's order. */
static double *costs_of_row(const struct timed_round *timed_round, const double *times)
{
  const struct hone__tuning *tuning = timed_round->contest->tuning;
  double *costs = hone__alloc((timed_round->count + 1) * sizeof *costs);

  costs[0] = 1;
  for (size_t i = 0; i < timed_round->count; i++)
    costs[i + 1] = hone__session_cost_ratio(
        &tuning->session, timed_round->field->racers[timed_round->entrants[i]]->candidate->row,
        times[i + 1], times[0]);
  return costs;
}

/* In the race the reference of a cost only has to be steady: the median of its row. In the
 * confirmation it is the baseline's, the other half of the pair. */
static void take_row(struct timed_round *timed_round, const double *times)
{
  struct hone__entrants *field = timed_round->field;
  double *costs = costs_of_row(timed_round, times);
  double reference = field->is_race ? hone__median(costs, timed_round->count + 1) : costs[0];

  HONE__ASSERT(timed_round->count <= field->count);
  for (size_t i = 0; i < timed_round->count; i++) {
    hone__standings_add(&field->standings, timed_round->entrants[i], timed_round->group, reference,
                        costs[i + 1]);
    if (!field->is_race)
      keep_pair(field->racers[timed_round->entrants[i]], timed_round->site, times[i + 1], times[0]);
  }
  free(costs);
}

static void store_pairs(struct timed_round *timed_round, const struct hone__reply *reply,
                        const double *times, size_t column, size_t rows)
{
  struct hone__contest *contest = timed_round->contest;
  double *own = hone__alloc((rows + 1) * sizeof *own),
         *base = hone__alloc((rows + 1) * sizeof *base);
  char *facts = hone__sample_facts_print(reply, column);
  struct hone__samples samples = {.phase = timed_round->field->is_race ? HONE_PHASE_RACE
                                                                       : HONE_PHASE_CONFIRM,
                                  .restart = timed_round->group,
                                  .times_ns = own,
                                  .baseline_ns = base,
                                  .count = rows,
                                  .facts = facts};

  HONE__ASSERT(column >= 1 && column <= timed_round->count); /* column 0 is the baseline's */
  for (size_t i = 0; i < rows; i++) {
    own[i] = times[i * (timed_round->count + 1) + column];
    base[i] = times[i * (timed_round->count + 1)];
  }
  hone__control_fail(&contest->tuning->session.control,
                     hone__store_samples_add(
                         contest->tuning->session.entry.store,
                         timed_round->field->racers[timed_round->entrants[column - 1]]->evaluation,
                         &samples));
  free(own);
  free(base);
  free(facts);
}

static void take_rows(struct timed_round *timed_round, const struct hone__reply *reply,
                      const double *times, size_t rows)
{
  timed_round->contest->pairs += rows;
  for (size_t i = 0; i < rows; i++)
    take_row(timed_round, times + i * (timed_round->count + 1));
  for (size_t i = 0; i < timed_round->count; i++)
    store_pairs(timed_round, reply, times, i + 1, rows);
}

/* Only a failure that the runner reports for a racer counts against it. */
static void take_failures(struct timed_round *timed_round, const struct hone__reply *reply)
{
  for (size_t i = 0; i < timed_round->count; i++) {
    struct hone__run_part part = hone__run_part(reply, i + 1);
    if (part.is_given && !hone__outcome_works(part.outcome) &&
        hone__outcome_blame(part.outcome) == HONE__BLAME_CANDIDATE)
      hone__racer_fail(timed_round->contest, timed_round->field, timed_round->entrants[i],
                       timed_round->site, &part);
  }
}

/* Records for the verdict why there are no times. */
static void note_loss(struct timed_round *timed_round, const struct hone__reply *reply)
{
  struct hone__contest *contest = timed_round->contest;

  if (contest->failed || reply->outcome == HONE_OUTCOME_INTERRUPTED) return;
  contest->loss =
      hone__arena_printf(&contest->tuning->session.arena, "%s: %s",
                         hone_outcome_name(reply->outcome), reply->evidence ? reply->evidence : "");
}

/* Checks every column, including the baseline's. */
static bool are_times(const struct timed_round *timed_round, const struct hone__reply *reply)
{
  for (size_t i = 0; i <= timed_round->count; i++)
    if (!hone__outcome_works(hone__run_part(reply, i).outcome)) return false;
  return true;
}

static void on_round(void *data, const struct hone__reply *reply)
{
  struct timed_round *timed_round = data;
  size_t rows = reply->run ? reply->run->rows : 0;
  size_t count;
  double *times = hone__run_times(reply, &count);
  bool whole = rows && rows <= MOST_ROWS && count == rows * (timed_round->count + 1);

  timed_round->contest->pending--;
  hone__session_count_comparisons(&timed_round->contest->tuning->session, reply);
  if (reply->outcome == HONE_OUTCOME_OK && whole && are_times(timed_round, reply)) {
    take_rows(timed_round, reply, times, (size_t)rows);
  } else {
    take_failures(timed_round, reply);
    note_loss(timed_round, reply);
  }
  free(times);
  free(timed_round->entrants);
  free(timed_round);
}

/* All are then timed in the same way: with every answer compared. */
static bool has_suspicious(const struct timed_round *timed_round)
{
  for (size_t i = 0; i < timed_round->count; i++)
    if (timed_round->field->racers[timed_round->entrants[i]]->candidate->evaluation.suspicious)
      return true;
  return false;
}

static void start(struct hone__contest *contest, struct hone__entrants *field, size_t site,
                  unsigned rows, double budget_s)
{
  struct hone__tuning *tuning = contest->tuning;
  struct hone__candidate **list = hone__alloc((field->count + 1) * sizeof *list);
  struct hone__run_request request = {.mode = HONE__RUN_ROWS,
                                      .phase =
                                          field->is_race ? HONE_PHASE_RACE : HONE_PHASE_CONFIRM,
                                      .candidates = list,
                                      .count = 1,
                                      .slot = (int)site,
                                      .check = tuning->session.problem.task.check,
                                      .late_check = tuning->session.problem.task.check,
                                      .first_is_known = true,
                                      .rows = rows,
                                      .restart = !field->is_race,
                                      .budget_s = budget_s,
                                      .seed = hone__random_u64(&contest->random)};
  struct timed_round *timed_round = hone__alloc(sizeof *timed_round);
  struct hone__job job;

  *timed_round = (struct timed_round){
      .contest = contest, .field = field, .site = site, .group = field->group++};
  timed_round->entrants = hone__alloc((field->count + 1) * sizeof *timed_round->entrants);
  list[0] = tuning->baseline.candidate;
  for (size_t i = 0; i < field->count; i++) {
    if (field->standings.entrants[i].out) continue;
    list[request.count++] = field->racers[i]->candidate;
    timed_round->entrants[timed_round->count++] = i;
  }
  request.every = has_suspicious(timed_round);
  job = hone__run_job(&tuning->session, &request);
  job.done = on_round;
  job.data = timed_round;
  contest->pending++;
  hone__pool_submit(tuning->session.workers.runners, &job);
  free(list);
}

bool hone__rounds_run(struct hone__contest *contest, struct hone__entrants *field, unsigned rows,
                      double budget_s)
{
  struct hone__tuning *tuning = contest->tuning;

  contest->pairs = 0;
  contest->failed = false;
  for (size_t i = 0; i < tuning->session.workers.site_count; i++)
    if (tuning->session.workers.sites[i].usable) start(contest, field, i, rows, budget_s);
  hone__control_wait(&tuning->session.control, &contest->pending);
  hone__session_abandon(&tuning->session, &contest->pending);
  hone__session_progress(&tuning->session, false);
  return contest->pairs || contest->failed;
}
