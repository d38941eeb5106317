/* The ranking: its candidates, the time it takes to measure them, and the participants of the
 * contest.
 *
 * A ratio of screening is only as accurate as the baseline's time at that moment. If the readings
 * of the baseline differ, the ratio is uncertain, and no candidate is excluded or kept because of
 * it.
 */
#include "tune/ranking.h"

#include "tune/contest_time.h"
#include "tune/objectives.h"

#include <stdlib.h>

static const double NEAR_BEST = 1.2, HOPELESS = 1.5;
static const double NEAREST = 0.05, NEAR_STEPS = 5; /* of the best, on a device */

/* The duration of a sample, from its time and that of the first run. */
static double sample_ns(const struct hone__tuning *tuning, double time_ns, double cold_ns)
{
  return tuning->session.problem.task.backend->sample_is_run && cold_ns > time_ns ? cold_ns
                                                                                  : time_ns;
}

static void copy_texts(struct hone__tuning *tuning, const uint32_t *row,
                       const struct hone__evaluation *evaluation, struct hone__ranked *ranked)
{
  size_t bytes = hone_space_width(tuning->session.problem.task.space) * sizeof *row;

  ranked->row = hone__arena_alloc(&tuning->session.arena, bytes);
  memcpy(ranked->row, row, bytes);
  ranked->config = hone__arena_strdup(&tuning->session.arena, evaluation->config);
  if (evaluation->suspicious)
    ranked->suspicious = hone__arena_strdup(&tuning->session.arena, evaluation->suspicious);
  if (evaluation->measure_key)
    snprintf(ranked->key, sizeof ranked->key, "%s", evaluation->measure_key);
}

void hone__ranking_add(struct hone__tuning *tuning, const uint32_t *row,
                       const struct hone__evaluation *evaluation,
                       const struct hone__ranked_time *time)
{
  double ratio = hone__session_cost_ratio(&tuning->session, row, time->time_ns, time->baseline_ns);
  struct hone__ranked *ranked;

  if (!isfinite(ratio)) return;
  HONE__GROW(tuning->ranking.entries, tuning->ranking.count, tuning->ranking.capacity);
  ranked = &tuning->ranking.entries[tuning->ranking.count++];
  *ranked = (struct hone__ranked){.evaluation = evaluation->id,
                                  .time_ns = evaluation->time_ns,
                                  .baseline_ns = evaluation->baseline_ns,
                                  .energy = hone__tuning_evaluation_energy(evaluation),
                                  .ratio = ratio,
                                  .host_rank = NAN,
                                  .rank_ns = time->time_ns,
                                  .rank_baseline_ns = time->baseline_ns,
                                  .taken_at = time->at,
                                  .site = time->site,
                                  .cap_ns = evaluation->cap_ns,
                                  .is_slow = evaluation->outcome == HONE_OUTCOME_SLOW};
  hone__tuning_objectives_values(
      tuning, row, &(const struct hone__task_measured){evaluation->time_ns, ranked->energy},
      ranked->values);
  ranked->sample_ns = sample_ns(tuning, evaluation->time_ns, evaluation->cold_ns);
  copy_texts(tuning, row, evaluation, ranked);
}

double hone__ranking_row_s(const struct hone__tuning *tuning, const size_t *at, size_t count)
{
  double baseline_ns = tuning->ranking.count ? tuning->ranking.entries[0].baseline_ns : 0;
  double sum = sample_ns(tuning, baseline_ns, tuning->session.workers.sites[0].cold_ns);

  for (size_t i = 0; i < count; i++)
    sum += tuning->ranking.entries[at[i]].sample_ns;
  return 1e-9 * fmax(sum, hone__backend_least_sample_ns(tuning->session.problem.task.backend) *
                              (double)(count + 1));
}

struct hone__ranked *hone__ranking_find(struct hone__tuning *tuning, int64_t evaluation)
{
  for (size_t i = 0; i < tuning->ranking.count; i++)
    if (tuning->ranking.entries[i].evaluation == evaluation) return &tuning->ranking.entries[i];
  return NULL;
}

void hone__ranking_remove(struct hone__tuning *tuning, int64_t evaluation)
{
  struct hone__ranked *ranked = hone__ranking_find(tuning, evaluation);
  size_t behind =
      ranked ? tuning->ranking.count - (size_t)(ranked - tuning->ranking.entries) - 1 : 0;

  if (!ranked) return;
  HONE__ASSERT(behind < tuning->ranking.count);
  memmove(ranked, ranked + 1, behind * sizeof *ranked);
  tuning->ranking.count--;
}

double hone__ranking_screened(const struct hone__tuning *tuning, const struct hone__ranked *ranked)
{
  return hone__session_cost_ratio(&tuning->session, ranked->row, ranked->time_ns,
                                  ranked->baseline_ns);
}

const struct hone__ranked *hone__ranking_best_screened(const struct hone__tuning *tuning)
{
  const struct hone__ranked *best = NULL;
  double least = INFINITY;

  for (size_t i = 0; i < tuning->ranking.count; i++) {
    double ratio = hone__ranking_screened(tuning, &tuning->ranking.entries[i]);
    if (!(ratio < least)) continue;
    least = ratio;
    best = &tuning->ranking.entries[i];
  }
  return best;
}

/* ---- Order ---- */

/* The race has compared it with the baseline in the same rows, which is the most accurate ratio. */
static void weigh(const struct hone__tuning *tuning, struct hone__ranked *ranked)
{
  const struct hone__site *site = &tuning->session.workers.sites[ranked->site];
  double baseline_ns = hone__readings_least_at(&site->history, ranked->taken_at);
  double step = hone__readings_step_at(&site->history, ranked->taken_at), ratio;

  if (ranked->tried != HONE__UNTRIED || isnan(ranked->taken_at) || isnan(baseline_ns)) return;
  ratio = hone__session_cost_ratio(&tuning->session, ranked->row, ranked->rank_ns, baseline_ns);
  if (isfinite(ratio)) ranked->ratio = ratio;
  step = fmax(step, site->usual_step); /* a step seen between readings may also happen elsewhere */
  ranked->doubt = step > HONE__UNSTEADY ? step : 0;
}

static int by_ratio(const void *a, const void *b)
{
  const struct hone__ranked *x = a, *y = b;
  double p = x->ratio, q = y->ratio;

  if (isnan(x->host_rank) != isnan(y->host_rank)) return isnan(x->host_rank) ? 1 : -1;
  if (x->host_rank < y->host_rank) return -1;
  if (x->host_rank > y->host_rank) return 1;
  if (p != q) return p < q ? -1 : 1;
  return strcmp(x->config, y->config);
}

/* Equal objects run once, and the baseline's object not at all. */
static void mark_doubles(struct hone__tuning *tuning)
{
  struct hone__key_map seen = {0};

  hone__key_map_set(&seen, tuning->baseline.candidate->measure_key, 1);
  for (size_t i = 0; i < tuning->ranking.count; i++) {
    struct hone__ranked *ranked = &tuning->ranking.entries[i];
    ranked->is_double = *ranked->key && hone__key_map_has(&seen, ranked->key);
    if (*ranked->key) hone__key_map_set(&seen, ranked->key, 1);
  }
  hone__key_map_release(&seen);
}

void hone__ranking_order(struct hone__tuning *tuning)
{
  for (size_t i = 0; i < tuning->session.workers.site_count; i++)
    tuning->session.workers.sites[i].usual_step =
        hone__readings_usual_step(&tuning->session.workers.sites[i].history);
  for (size_t i = 0; i < tuning->ranking.count; i++)
    weigh(tuning, &tuning->ranking.entries[i]);
  if (tuning->ranking.count)
    qsort(tuning->ranking.entries, tuning->ranking.count, sizeof *tuning->ranking.entries,
          by_ratio);
  if (tuning->session.objectives.count > 1)
    hone__tuning_objectives_lead(tuning, tuning->session.settings.finalists);
  mark_doubles(tuning);
}

/* ---- Participants ---- */

static bool is_free(const struct hone__ranked *ranked)
{
  return ranked->tried != HONE__CONFIRMED && !ranked->is_double;
}

/* The lower and the upper limit of its ratio. */
static double least_ratio(const struct hone__ranked *ranked)
{
  return ranked->ratio * exp(-ranked->doubt);
}

static double greatest_ratio(const struct hone__ranked *ranked)
{
  return ranked->ratio * exp(ranked->doubt);
}

static bool is_promising(const struct hone__tuning *tuning, const struct hone__ranked *ranked)
{
  return is_free(ranked) && least_ratio(ranked) * (1 + tuning->session.settings.margin) < 1;
}

static bool is_hopeless(const struct hone__tuning *tuning, const struct hone__ranked *ranked)
{
  return !tuning->session.settings.options->keep_slower && least_ratio(ranked) > HOPELESS;
}

static bool may_take_part(const struct hone__tuning *tuning, const struct hone__pick *pick,
                          const struct hone__ranked *ranked)
{
  if (!is_free(ranked) || (pick->promising && !is_promising(tuning, ranked))) return false;
  if (!isnan(ranked->host_rank)) return true; /* the host knows why */
  return (tuning->session.objectives.count > 1 && ranked->leads) || !is_hopeless(tuning, ranked);
}

/* The best upper limit. */
static double best_ratio(const struct hone__tuning *tuning)
{
  double best = INFINITY;

  for (size_t i = 0; i < tuning->ranking.count; i++)
    if (is_free(&tuning->ranking.entries[i]))
      best = fmin(best, greatest_ratio(&tuning->ranking.entries[i]));
  return best;
}

/* Screening orders the candidates of a device well: its noise is that of the baseline's readings.
 * Kernels on a CPU differ between processes, and screening has one process of each. */
static double near_best(const struct hone__tuning *tuning)
{
  double step = 0;

  if (tuning->session.problem.task.backend->sample_is_run ||
      !hone__contest_has_equal_processes(tuning))
    return NEAR_BEST;
  for (size_t i = 0; i < tuning->session.workers.site_count; i++)
    step = fmax(step, tuning->session.workers.sites[i].usual_step);
  return fmin(1 + fmax(NEAR_STEPS * step, NEAREST), NEAR_BEST);
}

/* All that may be best as far as screening can distinguish, within the time for the race. With
 * several objectives the members of the Pareto set are confirmed, however slow they are; remaining
 * places go to the best in screening. There is no race then. */
size_t hone__ranking_pick(const struct hone__tuning *tuning, const struct hone__pick *pick,
                          size_t *out_at)
{
  bool is_chosen = tuning->session.objectives.count > 1 || tuning->session.stages.own.rank;
  double limit = is_chosen ? 0 : near_best(tuning) * best_ratio(tuning);
  size_t count = 0;

  for (size_t i = 0; i < tuning->ranking.count && count < HONE__MOST_RACERS; i++) {
    const struct hone__ranked *next = &tuning->ranking.entries[i];
    if (!may_take_part(tuning, pick, next)) continue;
    if (count >= pick->places && least_ratio(next) > limit) continue;
    out_at[count] = i;
    if (count >= pick->places &&
        pick->rows * hone__ranking_row_s(tuning, out_at, count + 1) > pick->race_s)
      break;
    count++;
  }
  return count;
}

size_t hone__ranking_promising(const struct hone__tuning *tuning)
{
  size_t count = 0;

  for (size_t i = 0; i < tuning->ranking.count; i++)
    count += is_promising(tuning, &tuning->ranking.entries[i]);
  return count;
}
