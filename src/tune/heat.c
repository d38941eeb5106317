/* A heat: one job, whose rows time the baseline and every racer that is in once, in random order.
 */
#include "tune/contest.h"

#include "tune/withdraw.h"

#include <stdlib.h>

enum { MOST_ROWS = 1000 };

struct heat {
  struct hone__contest *contest;
  struct hone__field *field;
  size_t site;
  size_t *entrants; /* of the job's candidates 1, 2 ...; candidate 0 is the baseline */
  size_t count;
  uint32_t group;
};

void hone__racer_fail(struct hone__contest *contest, struct hone__field *field, size_t entrant,
                      size_t site, const struct hone__run_part *part)
{
  const struct hone__racer *racer = field->racers[entrant];
  struct hone__candidate *candidate = racer->candidate;
  struct hone__evaluation *evaluation = &candidate->evaluation;

  if (field->standings.entrants[entrant].failed) return; /* on another device, too */
  field->standings.entrants[entrant].out = true;
  field->standings.entrants[entrant].failed = true;
  contest->failed = true;
  hone__candidate_set_site(candidate, site);
  evaluation->device = contest->tuning->sites[site].device;
  evaluation->outcome = part->outcome;
  evaluation->evidence = hone__arena_printf(
      &candidate->texts, "in the %s: %s", field->is_race ? "race" : "confirmation", part->evidence);
  hone__tuning_withdraw(contest->tuning, candidate, racer->evaluation);
}

static void keep_pair(struct hone__racer *racer, double time_ns, double baseline_ns)
{
  if (racer->count == racer->capacity) {
    racer->capacity = racer->capacity ? 2 * racer->capacity : 64;
    racer->times_ns = hone__realloc(racer->times_ns, racer->capacity * sizeof(double));
    racer->baselines_ns = hone__realloc(racer->baselines_ns, racer->capacity * sizeof(double));
  }
  racer->times_ns[racer->count] = time_ns;
  racer->baselines_ns[racer->count++] = baseline_ns;
}

/* What a row's times cost, as multiples of the baseline's, in the job's order. */
static double *costs_of_row(const struct heat *heat, const double *times)
{
  const struct hone__tuning *tuning = heat->contest->tuning;
  double *costs = hone__alloc((heat->count + 1) * sizeof *costs);

  costs[0] = 1;
  for (size_t i = 0; i < heat->count; i++)
    costs[i + 1] = hone__tuning_cost_ratio(
        tuning, heat->field->racers[heat->entrants[i]]->candidate->row, times[i + 1], times[0]);
  return costs;
}

/* In the race what a cost is compared with need only be steady: the median of its row. In the
 * confirmation it is the baseline's, the other half of the pair. */
static void take_row(struct heat *heat, const double *times)
{
  struct hone__field *field = heat->field;
  double *costs = costs_of_row(heat, times);
  double reference = field->is_race ? hone__median(costs, heat->count + 1) : costs[0];

  for (size_t i = 0; i < heat->count; i++) {
    hone__standings_add(&field->standings, heat->entrants[i], heat->group, reference, costs[i + 1]);
    if (!field->is_race) keep_pair(field->racers[heat->entrants[i]], times[i + 1], times[0]);
  }
  free(costs);
}

static void store_pairs(struct heat *heat, const struct hone__reply *reply, const double *times,
                        size_t column, size_t rows)
{
  struct hone__contest *contest = heat->contest;
  double *own = hone__alloc((rows + 1) * sizeof *own),
         *base = hone__alloc((rows + 1) * sizeof *base);
  char *facts = hone__run_facts(reply, column);
  struct hone__samples samples = {.phase = heat->field->is_race ? "race" : "confirm",
                                  .restart = heat->group,
                                  .times_ns = own,
                                  .baseline_ns = base,
                                  .count = rows,
                                  .facts = facts};

  for (size_t i = 0; i < rows; i++) {
    own[i] = times[i * (heat->count + 1) + column];
    base[i] = times[i * (heat->count + 1)];
  }
  hone__tuning_fail(contest->tuning,
                    hone__store_samples_add(
                        contest->tuning->store,
                        heat->field->racers[heat->entrants[column - 1]]->evaluation, &samples));
  free(own);
  free(base);
  free(facts);
}

static void take_rows(struct heat *heat, const struct hone__reply *reply, const double *times,
                      size_t rows)
{
  heat->contest->pairs += rows;
  for (size_t i = 0; i < rows; i++)
    take_row(heat, times + i * (heat->count + 1));
  for (size_t i = 0; i < heat->count; i++)
    store_pairs(heat, reply, times, i + 1, rows);
}

/* Only what the runner said of a racer counts against it. */
static void take_failures(struct heat *heat, const struct hone__reply *reply)
{
  for (size_t i = 0; i < heat->count; i++) {
    struct hone__run_part part = hone__run_part(reply, i + 1);
    if (part.is_given && !hone__outcome_works(part.outcome) &&
        hone__outcome_blame(part.outcome) == HONE__BLAME_CANDIDATE)
      hone__racer_fail(heat->contest, heat->field, heat->entrants[i], heat->site, &part);
  }
}

/* For the verdict: why there are no times. */
static void note_loss(struct heat *heat, const struct hone__reply *reply)
{
  struct hone__contest *contest = heat->contest;

  if (contest->failed || reply->outcome == HONE__OUTCOME_INTERRUPTED) return;
  contest->loss =
      hone__arena_printf(&contest->tuning->arena, "%s: %s", hone__outcome_name(reply->outcome),
                         reply->evidence ? reply->evidence : "");
}

/* In every column: the baseline's too. */
static bool are_times(const struct heat *heat, const struct hone__reply *reply)
{
  for (size_t i = 0; i <= heat->count; i++)
    if (!hone__outcome_works(hone__run_part(reply, i).outcome)) return false;
  return true;
}

static void on_heat(void *data, const struct hone__reply *reply)
{
  struct heat *heat = data;
  json_int_t rows = json_integer_value(json_object_get(reply->head, "rows"));
  size_t count;
  double *times = hone__run_times(reply, &count);
  bool whole = rows > 0 && rows <= MOST_ROWS && count == (size_t)rows * (heat->count + 1);

  heat->contest->pending--;
  hone__tuning_count_comparisons(heat->contest->tuning, reply);
  if (reply->outcome == HONE__OUTCOME_OK && whole && are_times(heat, reply)) {
    take_rows(heat, reply, times, (size_t)rows);
  } else {
    take_failures(heat, reply);
    note_loss(heat, reply);
  }
  free(times);
  free(heat->entrants);
  free(heat);
}

/* All are timed in the same way then: with every answer compared. */
static bool has_suspicious(const struct heat *heat)
{
  for (size_t i = 0; i < heat->count; i++)
    if (heat->field->racers[heat->entrants[i]]->candidate->evaluation.suspicious) return true;
  return false;
}

static void start(struct hone__contest *contest, struct hone__field *field, size_t site,
                  unsigned rows, double budget_s)
{
  struct hone__tuning *tuning = contest->tuning;
  struct hone__candidate **list = hone__alloc((field->count + 1) * sizeof *list);
  struct hone__run_request request = {.mode = "rows",
                                      .phase = field->is_race ? "race" : "confirm",
                                      .candidates = list,
                                      .count = 1,
                                      .seat = (int)site,
                                      .check = tuning->task.check,
                                      .late_check = tuning->task.check,
                                      .rows = rows,
                                      .restart = !field->is_race,
                                      .budget_s = budget_s,
                                      .seed = hone__random_u64(&contest->random)};
  struct heat *heat = hone__alloc(sizeof *heat);
  struct hone__job job;

  *heat = (struct heat){.contest = contest, .field = field, .site = site, .group = field->group++};
  heat->entrants = hone__alloc((field->count + 1) * sizeof *heat->entrants);
  list[0] = tuning->baseline;
  for (size_t i = 0; i < field->count; i++) {
    if (field->standings.entrants[i].out) continue;
    list[request.count++] = field->racers[i]->candidate;
    heat->entrants[heat->count++] = i;
  }
  request.every = has_suspicious(heat);
  job = hone__run_job(tuning, &request);
  job.done = on_heat;
  job.data = heat;
  contest->pending++;
  hone__crew_submit(tuning->runners, &job);
  free(list);
}

bool hone__heats_run(struct hone__contest *contest, struct hone__field *field, unsigned rows,
                     double budget_s)
{
  struct hone__tuning *tuning = contest->tuning;

  contest->pairs = 0;
  contest->failed = false;
  for (size_t i = 0; i < tuning->site_count; i++)
    if (tuning->sites[i].usable) start(contest, field, i, rows, budget_s);
  hone__tuning_wait(tuning, &contest->pending);
  hone__tuning_abandon(tuning, &contest->pending);
  hone__tuning_progress(tuning, false);
  return contest->pairs || contest->failed;
}
