#include "results/measured.h"

#include "stats/statistics.h"

#include <math.h>
#include <string.h>

const char *hone_basis_name(enum hone_basis basis)
{
#define NAME(id, name) name,
  static const char *const names[] = {HONE_BASES(NAME)};
#undef NAME

  return (size_t)basis < sizeof names / sizeof *names ? names[basis] : "";
}

static enum hone_basis basis_of(const struct hone__stored *stored,
                                const struct hone__store_run_stored *run)
{
  if (hone__is_sweep(run->record.strategy) || stored->evaluation.mesh_idx >= 0)
    return HONE_BASIS_MEASURED;
  if (stored->confirmed) return HONE_BASIS_CONFIRMED;
  return stored->evaluation.outcome == HONE_OUTCOME_SLOW ? HONE_BASIS_SLOW : HONE_BASIS_SCREENING;
}

static double ratio(double baseline_ns, double time_ns)
{
  return time_ns > 0 && baseline_ns > 0 ? baseline_ns / time_ns : NAN;
}

static bool is_same(const char *config, const char *best)
{
  return config && best && strcmp(config, best) == 0;
}

static void fill_confirmed(const struct hone__stored *stored, struct hone__measured *measured)
{
  if (stored->time_ns > 0) measured->time_ns = stored->time_ns;
  measured->speedup = stored->speedup;
  measured->low = hone__covering_bound(stored->low, stored->restarts);
  measured->high = hone__covering_bound(stored->high, stored->restarts);
  measured->baseline_ns = stored->baseline_ns;
  measured->verdict = stored->verdict;
  if (stored->verdict == HONE_VERDICT_INCONCLUSIVE && measured->low > 1 && !measured->is_best)
    measured->verdict = HONE_VERDICT_NONE;
}

struct hone__measured hone__measured_read(const struct hone__stored *stored,
                                          const struct hone__store_run_stored *run)
{
  const struct hone__evaluation *evaluation = &stored->evaluation;
  struct hone__measured measured = {
      .basis = basis_of(stored, run),
      .is_baseline = evaluation->is_baseline,
      .is_best = is_same(evaluation->config, hone__measured_best(run)),
      .time_ns = evaluation->time_ns,
      .screen_speedup = ratio(evaluation->baseline_ns, evaluation->time_ns),
      .low = NAN,
      .high = NAN,
      .baseline_ns = NAN,
      .pairs = (uint64_t)stored->pairs,
      .restarts = (uint64_t)stored->restarts,
      .samples = (uint64_t)stored->times};

  if (measured.is_baseline) measured.screen_speedup = 1;
  measured.speedup = measured.screen_speedup;
  if (stored->confirmed) fill_confirmed(stored, &measured);
  return measured;
}

const char *hone__measured_best(const struct hone__store_run_stored *run)
{
  return run->result.verdict == HONE_VERDICT_NO_IMPROVEMENT ? run->result.baseline
                                                            : run->result.winner;
}

void hone__measured_settle(struct hone__measured *baseline, const struct hone__measured *best)
{
  if (!isfinite(best->baseline_ns)) return;
  baseline->basis = HONE_BASIS_CONFIRMED;
  baseline->time_ns = best->baseline_ns;
  baseline->speedup = 1;
}

static int rank_of(const struct hone__measured *measured)
{
  static const int ranks[] = {[HONE_BASIS_MEASURED] = 1,
                              [HONE_BASIS_CONFIRMED] = 1,
                              [HONE_BASIS_SCREENING] = 2,
                              [HONE_BASIS_SLOW] = 3};

  return measured->is_best ? 0 : ranks[measured->basis];
}

int hone__measured_compare(const struct hone__measured *a, const struct hone__measured *b)
{
  if (rank_of(a) != rank_of(b)) return rank_of(a) - rank_of(b);
  if (a->basis != HONE_BASIS_CONFIRMED || b->basis != HONE_BASIS_CONFIRMED) return 0;
  if (!isfinite(a->speedup) || !isfinite(b->speedup)) return 0;
  return (a->speedup < b->speedup) - (a->speedup > b->speedup);
}

bool hone__measured_is_tied(const struct hone__measured *best, const struct hone__measured *other)
{
  if (best->is_baseline || other->is_baseline || other->is_best) return false;
  return other->basis == HONE_BASIS_CONFIRMED && other->high >= best->low;
}
