/* Records an evaluation: stores it, counts it, ranks it, and informs the search and the user. */
#include "tune/tuning.h"

#include "session/suspicion.h"
#include "tune/ranking.h"

/* ---- Events ---- */

static double cost_ratio(const struct hone__tuning *tuning, const uint32_t *row,
                         const struct hone__evaluation *evaluation)
{
  return hone__session_cost_ratio(&tuning->session, row, evaluation->time_ns,
                                  evaluation->baseline_ns);
}

static void note_best(struct hone__candidate *candidate)
{
  struct hone__tuning *tuning = hone__tuning_of(candidate);
  const struct hone__evaluation *evaluation = &candidate->evaluation;
  double ratio = cost_ratio(tuning, candidate->row, evaluation);
  struct hone_event event = {.kind = HONE_EVENT_BEST,
                             .config = candidate->config,
                             .time_ns = evaluation->time_ns,
                             .baseline_ns = evaluation->baseline_ns,
                             .speedup = 1 / ratio,
                             .phase_id = tuning->session.progress.phase};

  if (evaluation->outcome != HONE_OUTCOME_OK || !isfinite(ratio)) return;
  if (evaluation->suspicious) return;              /* it must not cut off others */
  if (ratio >= tuning->ranking.best_ratio) return; /* 1 for the baseline */
  tuning->ranking.best_ratio = ratio;
  tuning->session.progress.event.best_config =
      hone__arena_strdup(&tuning->session.arena, candidate->config);
  hone__session_emit(&tuning->session, &event);
  hone__session_log(&tuning->session, "best so far: %s, %.4g us, %.3fx (screening)",
                    candidate->config, evaluation->time_ns / 1e3, 1 / ratio);
}

/* ---- What the run makes of it ---- */

static void count(struct hone__tuning *tuning, const struct hone__evaluation *evaluation)
{
  tuning->session.progress.event.done++;
  hone__session_count(&tuning->session, evaluation);
  hone__tuning_limit_search(tuning);
}

bool hone__tuning_knows(const struct hone__tuning *tuning, const char *config)
{
  return hone__key_map_has(&tuning->known.configs, config);
}

static void remember(struct hone__tuning *tuning, const struct hone__evaluation *evaluation)
{
  hone__key_map_set(&tuning->known.configs, evaluation->config, 1);
  if (!evaluation->measure_key || evaluation->same_as) return;
  if (!hone__outcome_is_evidence(evaluation->outcome)) return;
  hone__key_map_set(&tuning->known.objects, evaluation->measure_key, evaluation->id);
}

static void report(const struct hone__candidate *candidate)
{
  hone__tuning_tell(hone__tuning_of(candidate), candidate->row, &candidate->evaluation, candidate);
}

static void rank(struct hone__candidate *candidate)
{
  struct hone__tuning *tuning = hone__tuning_of(candidate);
  const struct hone__evaluation *evaluation = &candidate->evaluation;
  struct hone__ranked_time time = {evaluation->time_ns, evaluation->baseline_ns, .at = NAN};

  if (candidate->least_ns > 0)
    time = (struct hone__ranked_time){.time_ns = candidate->least_ns,
                                      .baseline_ns = candidate->reading.least_ns,
                                      .at = candidate->taken_at,
                                      .site = candidate->site};
  hone__ranking_add(tuning, candidate->row, evaluation, &time);
}

/* Updates the search and the ranking. */
static void weigh(struct hone__candidate *candidate)
{
  if (hone__outcome_works(candidate->evaluation.outcome)) rank(candidate);
  note_best(candidate);
  report(candidate);
}

/* ---- Recording ---- */

static bool put(struct hone__candidate *candidate)
{
  if (!hone__candidate_put(candidate)) return false;
  remember(hone__tuning_of(candidate), &candidate->evaluation);
  return true;
}

void hone__tuning_candidate_keep(struct hone__candidate *candidate)
{
  candidate->is_kept = put(candidate);
  candidate->evaluation.sample_count = 0; /* the store already has them */
}

void hone__tuning_candidate_record(struct hone__candidate *candidate)
{
  struct hone__tuning *tuning = hone__tuning_of(candidate);
  struct hone__evaluation *evaluation = &candidate->evaluation;

  if (!candidate->is_kept && !put(candidate)) return;
  hone__candidate_report_suspicion(candidate);
  if (candidate->is_baseline) return;
  count(tuning, evaluation);
  hone__candidate_report_outcome(candidate, NULL);
  weigh(candidate);
  hone__session_progress(&tuning->session, false);
}

/* Replaces its former outcome in the counts. */
static void count_again(struct hone__tuning *tuning, const struct hone__evaluation *evaluation,
                        const struct hone__ranked *before)
{
  struct hone_event *p = &tuning->session.progress.event;

  if (!before) return;
  p->done--;
  p->ok -= !before->is_slow;
  p->slow -= before->is_slow;
  count(tuning, evaluation);
}

void hone__tuning_candidate_record_failure(struct hone__candidate *candidate)
{
  if (!put(candidate)) return;
  count_again(hone__tuning_of(candidate), &candidate->evaluation,
              hone__ranking_find(hone__tuning_of(candidate), candidate->evaluation.id));
  hone__candidate_report_outcome(candidate, NULL);
  report(candidate);
}

void hone__tuning_candidate_record_again(struct hone__candidate *candidate)
{
  struct hone__tuning *tuning = hone__tuning_of(candidate);
  struct hone__ranked *ranked;
  bool is_confirmed;

  if (!put(candidate)) return;
  ranked = hone__ranking_find(tuning, candidate->evaluation.id);
  is_confirmed = ranked && ranked->tried == HONE__CONFIRMED;
  count_again(tuning, &candidate->evaluation, ranked);
  hone__ranking_remove(tuning, candidate->evaluation.id);
  hone__candidate_report_outcome(candidate, NULL);
  weigh(candidate);
  ranked = hone__ranking_find(tuning, candidate->evaluation.id);
  if (ranked && is_confirmed) ranked->tried = HONE__CONFIRMED;
}

static void report_best(struct hone__tuning *tuning, const struct hone__ranked *best)
{
  struct hone_event event = {.kind = HONE_EVENT_BEST,
                             .config = best->config,
                             .time_ns = best->time_ns,
                             .baseline_ns = best->baseline_ns,
                             .speedup = 1 / tuning->ranking.best_ratio,
                             .phase_id = tuning->session.progress.phase};

  tuning->session.progress.event.best_config = best->config;
  hone__session_emit(&tuning->session, &event);
  hone__session_log(&tuning->session,
                    "the best after late failures were removed: %s, %.4g us, %.3fx (screening)",
                    best->config, best->time_ns / 1e3, 1 / tuning->ranking.best_ratio);
}

void hone__tuning_find_best(struct hone__tuning *tuning)
{
  const struct hone__ranked *best = NULL;

  tuning->ranking.best_ratio = 1;
  tuning->search.passed_ns = INFINITY;
  tuning->session.progress.event.best_config = NULL;
  for (size_t i = 0; i < tuning->ranking.count; i++) {
    const struct hone__ranked *next = &tuning->ranking.entries[i];
    double ratio = hone__ranking_screened(tuning, next);
    if (next->is_slow || next->suspicious || !isfinite(ratio)) continue;
    tuning->search.passed_ns = fmin(tuning->search.passed_ns, next->time_ns);
    if (ratio >= tuning->ranking.best_ratio) continue;
    tuning->ranking.best_ratio = ratio;
    best = next;
  }
  tuning->search.passed_ratio =
      tuning->ranking.best_ratio; /* by now the search has received all of them */
  if (best) report_best(tuning, best);
}

void hone__tuning_take_up(struct hone__tuning *tuning, const uint32_t *row,
                          const struct hone__evaluation *evaluation)
{
  double ratio = cost_ratio(tuning, row, evaluation);

  remember(tuning, evaluation);
  count(tuning, evaluation);
  if (evaluation->asked > (int64_t)tuning->search.asked_before)
    tuning->search.asked_before = (uint64_t)evaluation->asked;
  hone__tuning_tell(tuning, row, evaluation, NULL);
  if (hone__outcome_works(evaluation->outcome))
    hone__ranking_add(
        tuning, row, evaluation,
        &(struct hone__ranked_time){evaluation->time_ns, evaluation->baseline_ns, .at = NAN});
  if (evaluation->outcome != HONE_OUTCOME_OK || !(ratio < tuning->ranking.best_ratio)) return;
  if (evaluation->suspicious) return;
  tuning->ranking.best_ratio = ratio;
  tuning->session.progress.event.best_config =
      hone__arena_strdup(&tuning->session.arena, evaluation->config);
}
