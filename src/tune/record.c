/* What becomes of an evaluation: it goes into the store, is counted and ranked, and the search and
 * the person are told. */
#include "tune/tuning.h"

#include "tune/ranking.h"
#include "tune/suspicion.h"

/* ---- Telling the person ---- */

static double cost_ratio(const struct hone__tuning *tuning, const uint32_t *row,
                         const struct hone__evaluation *evaluation)
{
  return hone__tuning_cost_ratio(tuning, row, evaluation->time_ns, evaluation->baseline_ns);
}

static void note_best(struct hone__candidate *candidate)
{
  struct hone__tuning *tuning = candidate->tuning;
  const struct hone__evaluation *evaluation = &candidate->evaluation;
  double ratio = cost_ratio(tuning, candidate->row, evaluation);
  struct hone_event event = {.kind = HONE_EVENT_BEST,
                             .config = candidate->config,
                             .time_ns = evaluation->time_ns,
                             .baseline_ns = evaluation->baseline_ns,
                             .speedup = 1 / ratio,
                             .phase = tuning->phase};

  if (evaluation->outcome != HONE__OUTCOME_OK || !isfinite(ratio)) return;
  if (evaluation->suspicious) return;      /* others must not be cut off because of it */
  if (ratio >= tuning->best_ratio) return; /* the baseline itself is 1 */
  tuning->best_ratio = ratio;
  tuning->progress.best_config = hone__arena_strdup(&tuning->arena, candidate->config);
  hone__tuning_emit(tuning, &event);
  hone__tuning_log(tuning, "best so far: %s, %.4g us, %.3fx (screening)", candidate->config,
                   evaluation->time_ns / 1e3, 1 / ratio);
}

/* What the program of a sweep wrote; lent, NULL: nothing. */
static const char *said_by(struct hone__candidate *candidate)
{
  const char *text = candidate->tuning->which.is_sweep ? candidate->evaluation.output : NULL;
  json_t *output = text ? json_loads(text, 0, NULL) : NULL;
  const char *out = json_string_value(json_object_get(output, "stdout"));
  const char *err = json_string_value(json_object_get(output, "stderr"));
  const char *said = NULL;

  if (out || err)
    said = hone__arena_printf(&candidate->texts, "%s%s", out ? out : "", err ? err : "");
  json_decref(output);
  return said;
}

static void note_result(struct hone__candidate *candidate)
{
  const struct hone__evaluation *evaluation = &candidate->evaluation;
  struct hone_event event = {.kind = HONE_EVENT_RESULT,
                             .config = candidate->config,
                             .outcome = hone__outcome_public(evaluation->outcome),
                             .evidence = said_by(candidate),
                             .time_ns = evaluation->time_ns,
                             .baseline_ns = evaluation->baseline_ns,
                             .speedup =
                                 1 / cost_ratio(candidate->tuning, candidate->row, evaluation),
                             .phase = candidate->tuning->phase};

  hone__tuning_emit(candidate->tuning, &event);
}

static void note_failure(struct hone__candidate *candidate)
{
  const struct hone__evaluation *evaluation = &candidate->evaluation;
  struct hone_event event = {.kind = HONE_EVENT_FAILURE,
                             .config = candidate->config,
                             .outcome = hone__outcome_public(evaluation->outcome),
                             .evidence = evaluation->evidence,
                             .command = evaluation->command,
                             .phase = candidate->tuning->phase};

  hone__tuning_emit(candidate->tuning, &event);
  hone__tuning_log(candidate->tuning, "%s: %s: %s", candidate->config,
                   hone__outcome_name(evaluation->outcome), evaluation->evidence);
}

/* ---- What the run makes of it ---- */

static void count(struct hone__tuning *tuning, const struct hone__evaluation *evaluation)
{
  struct hone_event *p = &tuning->progress;

  p->done += !tuning->which.is_sweep; /* which counts for itself */
  p->ok += evaluation->outcome == HONE__OUTCOME_OK;
  p->slow += evaluation->outcome == HONE__OUTCOME_SLOW;
  p->failed += !hone__outcome_works(evaluation->outcome);
  p->reused += evaluation->reused_from != 0;
}

bool hone__tuning_knows(const struct hone__tuning *tuning, const char *config)
{
  return json_object_get(tuning->known, config) != NULL;
}

static void remember(struct hone__tuning *tuning, const struct hone__evaluation *evaluation)
{
  json_object_set_new(tuning->known, evaluation->config, json_true());
  if (!evaluation->measure_key || evaluation->same_as) return;
  if (hone__outcome_blame(evaluation->outcome) > HONE__BLAME_CANDIDATE) return;
  json_object_set_new(tuning->objects, evaluation->measure_key, json_integer(evaluation->id));
}

static void tell(const struct hone__candidate *candidate)
{
  hone__tuning_tell(candidate->tuning, candidate->row, &candidate->evaluation, candidate);
}

static void rank(struct hone__candidate *candidate)
{
  struct hone__tuning *tuning = candidate->tuning;
  const struct hone__evaluation *evaluation = &candidate->evaluation;
  struct hone__ranked_time time = {evaluation->time_ns, evaluation->baseline_ns, .at = NAN};

  if (candidate->least_ns > 0)
    time = (struct hone__ranked_time){.time_ns = candidate->least_ns,
                                      .baseline_ns = candidate->reading.least_ns,
                                      .at = candidate->taken_at,
                                      .site = candidate->site};
  hone__ranking_add(tuning, candidate->row, evaluation, &time);
}

/* What the search and the contest make of it. */
static void weigh(struct hone__candidate *candidate)
{
  if (hone__outcome_works(candidate->evaluation.outcome)) rank(candidate);
  note_best(candidate);
  tell(candidate);
}

/* ---- Recording ---- */

/* Into the store, with what a person wants to know. */
static bool put(struct hone__candidate *candidate)
{
  struct hone__tuning *tuning = candidate->tuning;
  struct hone__evaluation *evaluation = &candidate->evaluation;

  if (evaluation->outcome == HONE__OUTCOME_INTERRUPTED) return false; /* nothing was learned */
  if (!tuning->store) return false;
  evaluation->command = hone__candidate_command(candidate);
  if (!evaluation->output) hone__candidate_output(candidate, NULL, NULL);
  if (isfinite(evaluation->time_ns))
    evaluation->metrics = hone__candidate_metrics(candidate, evaluation->time_ns);
  evaluation->is_baseline = candidate->is_baseline;
  hone__tuning_fail(tuning, hone__store_evaluation_put(tuning->store, tuning->run.id, evaluation));
  if (tuning->failure) return false;
  if (!tuning->which.is_sweep) remember(tuning, evaluation);
  return true;
}

void hone__candidate_keep(struct hone__candidate *candidate)
{
  candidate->is_kept = put(candidate);
  candidate->evaluation.sample_count = 0; /* they are there */
}

void hone__candidate_record(struct hone__candidate *candidate)
{
  struct hone__tuning *tuning = candidate->tuning;
  struct hone__evaluation *evaluation = &candidate->evaluation;

  if (!candidate->is_kept && !put(candidate)) return;
  hone__candidate_tell_suspicion(candidate);
  if (candidate->is_baseline) return;
  count(tuning, evaluation);
  if (hone__outcome_works(evaluation->outcome))
    note_result(candidate);
  else
    note_failure(candidate);
  if (!tuning->which.is_sweep) weigh(candidate);
  hone__tuning_progress(tuning, false);
}

/* It was counted as what it was. */
static void count_again(struct hone__tuning *tuning, const struct hone__evaluation *evaluation,
                        const struct hone__ranking *before)
{
  struct hone_event *p = &tuning->progress;

  if (!before) return;
  p->done--;
  p->ok -= !before->is_slow;
  p->slow -= before->is_slow;
  count(tuning, evaluation);
}

void hone__candidate_record_failure(struct hone__candidate *candidate)
{
  if (!put(candidate)) return;
  count_again(candidate->tuning, &candidate->evaluation,
              hone__ranking_find(candidate->tuning, candidate->evaluation.id));
  note_failure(candidate);
  tell(candidate);
}

void hone__candidate_record_again(struct hone__candidate *candidate)
{
  struct hone__tuning *tuning = candidate->tuning;
  struct hone__ranking *ranking;
  bool is_confirmed;

  if (!put(candidate)) return;
  ranking = hone__ranking_find(tuning, candidate->evaluation.id);
  is_confirmed = ranking && ranking->tried == HONE__CONFIRMED;
  count_again(tuning, &candidate->evaluation, ranking);
  hone__ranking_remove(tuning, candidate->evaluation.id);
  if (hone__outcome_works(candidate->evaluation.outcome))
    note_result(candidate);
  else
    note_failure(candidate);
  weigh(candidate);
  ranking = hone__ranking_find(tuning, candidate->evaluation.id);
  if (ranking && is_confirmed) ranking->tried = HONE__CONFIRMED;
}

/* The ratio by which the best is told: of medians, as when it was found. */
static double told_ratio(const struct hone__tuning *tuning, const struct hone__ranking *ranking)
{
  return hone__tuning_cost_ratio(tuning, ranking->row, ranking->time_ns, ranking->baseline_ns);
}

static void tell_best(struct hone__tuning *tuning, const struct hone__ranking *best)
{
  struct hone_event event = {.kind = HONE_EVENT_BEST,
                             .config = best->config,
                             .time_ns = best->time_ns,
                             .baseline_ns = best->baseline_ns,
                             .speedup = 1 / tuning->best_ratio,
                             .phase = tuning->phase};

  tuning->progress.best_config = best->config;
  hone__tuning_emit(tuning, &event);
  hone__tuning_log(tuning,
                   "the best without those that failed late: %s, %.4g us, %.3fx (screening)",
                   best->config, best->time_ns / 1e3, 1 / tuning->best_ratio);
}

void hone__tuning_seek_best(struct hone__tuning *tuning)
{
  const struct hone__ranking *best = NULL;

  tuning->best_ratio = 1;
  tuning->told_ns = INFINITY;
  tuning->progress.best_config = NULL;
  for (size_t i = 0; i < tuning->ranked; i++) {
    const struct hone__ranking *next = &tuning->ranking[i];
    double ratio = told_ratio(tuning, next);
    if (next->is_slow || next->suspicious || !isfinite(ratio)) continue;
    tuning->told_ns = fmin(tuning->told_ns, next->time_ns);
    if (ratio >= tuning->best_ratio) continue;
    tuning->best_ratio = ratio;
    best = next;
  }
  tuning->told_ratio = tuning->best_ratio; /* by now the search was told of all of them */
  if (best) tell_best(tuning, best);
}

void hone__tuning_take_up(struct hone__tuning *tuning, const uint32_t *row,
                          const struct hone__evaluation *evaluation)
{
  double ratio = cost_ratio(tuning, row, evaluation);

  remember(tuning, evaluation);
  count(tuning, evaluation);
  if (evaluation->asked > (int64_t)tuning->asked_before)
    tuning->asked_before = (uint64_t)evaluation->asked;
  hone__tuning_tell(tuning, row, evaluation, NULL);
  if (hone__outcome_works(evaluation->outcome))
    hone__ranking_add(
        tuning, row, evaluation,
        &(struct hone__ranked_time){evaluation->time_ns, evaluation->baseline_ns, .at = NAN});
  if (evaluation->outcome != HONE__OUTCOME_OK || !(ratio < tuning->best_ratio)) return;
  if (evaluation->suspicious) return;
  tuning->best_ratio = ratio;
  tuning->progress.best_config = hone__arena_strdup(&tuning->arena, evaluation->config);
}
