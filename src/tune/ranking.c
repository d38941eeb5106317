/* The ranking: who is in it, what timing them takes, and who of them takes part in the contest. */
#include "tune/ranking.h"

#include "tune/objectives.h"

#include <stdlib.h>

enum { MOST_RACERS = 64 };
static const double NEAR_BEST = 1.2, HOPELESS = 1.5;

/* What a sample takes, given its time and that of the first run. */
static double sample_ns(const struct hone_tuning *tuning, double time_ns, double cold_ns)
{
  return tuning->task.backend->sample_is_run && cold_ns > time_ns ? cold_ns : time_ns;
}

void hone__ranking_add(struct hone_tuning *tuning, const uint32_t *row,
                       const struct hone_evaluation *evaluation, double time_ns, double baseline_ns)
{
  size_t bytes = hone_space_width(tuning->task.space) * sizeof *row;
  double ratio = hone__tuning_cost_ratio(tuning, row, time_ns, baseline_ns);
  struct hone_ranking *ranking;

  if (!isfinite(ratio)) return;
  HONE__GROW(tuning->ranking, tuning->ranked, tuning->ranking_capacity);
  ranking = &tuning->ranking[tuning->ranked++];
  *ranking = (struct hone_ranking){.evaluation = evaluation->id,
                                   .time_ns = evaluation->time_ns,
                                   .baseline_ns = evaluation->baseline_ns,
                                   .energy = hone__evaluation_energy(evaluation),
                                   .ratio = ratio};
  hone__objectives_values(tuning, row,
                          &(const struct hone_measured){evaluation->time_ns, ranking->energy},
                          ranking->values);
  ranking->sample_ns = sample_ns(tuning, evaluation->time_ns, evaluation->cold_ns);
  ranking->row = hone__arena_alloc(&tuning->arena, bytes);
  memcpy(ranking->row, row, bytes);
  ranking->config = hone__arena_strdup(&tuning->arena, evaluation->config);
  if (evaluation->suspicious)
    ranking->suspicious = hone__arena_strdup(&tuning->arena, evaluation->suspicious);
  if (evaluation->measure_key)
    snprintf(ranking->key, sizeof ranking->key, "%s", evaluation->measure_key);
}

double hone__ranking_row_s(const struct hone_tuning *tuning, size_t count)
{
  double sum = sample_ns(tuning, tuning->ranking[0].baseline_ns, tuning->sites[0].cold_ns);

  for (size_t i = 0; i < count && i < tuning->ranked; i++)
    sum += tuning->ranking[i].sample_ns;
  return 1e-9 * fmax(sum, 50e3 * (double)(count + 1));
}

/* ---- Who takes part ---- */

static int by_ratio(const void *a, const void *b)
{
  const struct hone_ranking *x = a, *y = b;
  double p = x->ratio, q = y->ratio;

  if (p != q) return p < q ? -1 : 1;
  return strcmp(x->config, y->config);
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
static size_t count_racers(const struct hone_tuning *tuning, unsigned rows, double race_s)
{
  size_t count = 0, least = tuning->finalists;
  double best = tuning->ranking[0].ratio;

  while (count < tuning->ranked && count < MOST_RACERS) {
    const struct hone_ranking *next = &tuning->ranking[count];
    bool near = next->ratio <= NEAR_BEST * best;
    if (!tuning->options->keep_slower && next->ratio > HOPELESS) break;
    if (count >= least && (!near || rows * hone__ranking_row_s(tuning, count + 1) > race_s)) break;
    count++;
  }
  return count;
}

/* Of several objectives the Pareto set's members are confirmed, however slow they are; where there
 * is room left, those too that screening likes best. Nobody is raced. */
static size_t count_members(const struct hone_tuning *tuning)
{
  size_t count = 0;

  while (count < tuning->ranked && count < tuning->finalists) {
    const struct hone_ranking *next = &tuning->ranking[count];
    if (!next->leads && !tuning->options->keep_slower && next->ratio > HOPELESS) break;
    count++;
  }
  return count;
}

size_t hone__ranking_choose(struct hone_tuning *tuning, unsigned rows, double race_s)
{
  bool is_several = tuning->objective_count > 1;

  if (!tuning->ranked) return 0;
  qsort(tuning->ranking, tuning->ranked, sizeof *tuning->ranking, by_ratio);
  if (is_several) hone__objectives_lead(tuning, tuning->finalists);
  drop_doubles(tuning);
  return is_several ? count_members(tuning) : count_racers(tuning, rows, race_s);
}
