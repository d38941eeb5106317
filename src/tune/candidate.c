/* A configuration on its way: described, built, perhaps known already, recorded. */
#include "tune/tuning.h"

#include "base/digest.h"
#include "tune/built.h"
#include "tune/objectives.h"

#include <stdlib.h>

hone_status hone__candidate_new(struct hone_tuning *tuning, const uint32_t *row,
                                struct hone_candidate **out_candidate)
{
  struct hone_candidate *candidate = hone__alloc(sizeof *candidate);
  size_t width = hone_space_width(tuning->task.space);
  hone_status status;

  candidate->tuning = tuning;
  candidate->energy_j = candidate->build_s = candidate->measure_s = NAN;
  candidate->row = hone__alloc(width * sizeof *row);
  memcpy(candidate->row, row, width * sizeof *row);
  candidate->config = hone__task_config(&tuning->task, row);
  candidate->evaluation = (struct hone_evaluation){.config = candidate->config,
                                                   .evidence = "",
                                                   .compile_s = NAN,
                                                   .time_ns = NAN,
                                                   .baseline_ns = NAN,
                                                   .cold_ns = NAN,
                                                   .cap_ns = NAN,
                                                   .mesh_idx = -1};
  status = tuning->task.backend->candidate(&tuning->task, row, &candidate->json);
  if (status) {
    hone__candidate_free(candidate);
    return status;
  }
  candidate->evaluation.candidate_key = json_string_value(json_object_get(candidate->json, "key"));
  *out_candidate = candidate;
  return NULL;
}

void hone__candidate_free(struct hone_candidate *candidate)
{
  if (!candidate) return;
  json_decref(candidate->json);
  hone__arena_release(&candidate->texts);
  free(candidate->bytes);
  free(candidate->config);
  free(candidate->row);
  free(candidate);
}

/* ---- Keys ---- */

void hone__candidate_digest_call(const json_t *candidate, struct hone_digester *digester)
{
  static const char *const keys[] = {"values", "launch", "entry"};

  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
    char *text = json_dumps(json_object_get(candidate, keys[i]),
                            JSON_COMPACT | JSON_ENCODE_ANY | JSON_SORT_KEYS);
    hone__digest_add_text(digester, text);
    free(text);
  }
}

/* What decides the answer and the time of a call: object, call, check, device. */
static void make_measure_key(struct hone_candidate *candidate, const char *fingerprint)
{
  struct hone_digester *digester = hone__digest_begin();

  hone__digest_add_text(digester, candidate->object);
  hone__candidate_digest_call(candidate->json, digester);
  hone__digest_add_text(digester, candidate->tuning->setup_key);
  hone__digest_add_text(digester, candidate->tuning->reference_key);
  hone__digest_add_text(digester, candidate->tuning->baseline->object); /* times are ratios to it */
  hone__digest_add_text(digester, fingerprint);
  hone__digest_end(digester, candidate->measure_key);
  candidate->evaluation.measure_key = candidate->measure_key;
}

void hone__candidate_set_site(struct hone_candidate *candidate, size_t site)
{
  make_measure_key(candidate, candidate->tuning->sites[site].fingerprint);
}

/* ---- Recording ---- */

double hone__tuning_cost(const struct hone_tuning *tuning, const uint32_t *row, double time_ns)
{
  const struct hone_measured measured = {.time_ns = time_ns, .energy_j = NAN};
  double value;

  if (!tuning->objective) return time_ns;
  if (!hone__task_metric(&tuning->task, row, tuning->objective, &measured, &value)) return NAN;
  return tuning->maximise ? 1 / value : value;
}

double hone__tuning_sample_ns(const struct hone_tuning *tuning, double time_ns, double cold_ns)
{
  return tuning->task.backend->sample_is_run && cold_ns > time_ns ? cold_ns : time_ns;
}

static double cost_ratio(const struct hone_tuning *tuning, const uint32_t *row,
                         const struct hone_evaluation *evaluation)
{
  return hone__tuning_cost(tuning, row, evaluation->time_ns) /
         hone__tuning_cost(tuning, tuning->task.baseline, evaluation->baseline_ns);
}

static void rank(struct hone_tuning *tuning, const uint32_t *row,
                 const struct hone_evaluation *evaluation, double time_ns, double baseline_ns)
{
  size_t bytes = hone_space_width(tuning->task.space) * sizeof *row;
  double ratio = hone__tuning_cost(tuning, row, time_ns) /
                 hone__tuning_cost(tuning, tuning->task.baseline, baseline_ns);
  struct hone_ranking *ranking;

  if (!isfinite(ratio)) return;
  HONE__GROW(tuning->ranking, tuning->ranked, tuning->ranking_capacity);
  ranking = &tuning->ranking[tuning->ranked++];
  *ranking = (struct hone_ranking){.evaluation = evaluation->id,
                                   .time_ns = evaluation->time_ns,
                                   .baseline_ns = evaluation->baseline_ns,
                                   .energy_j = hone__evaluation_energy(evaluation),
                                   .ratio = ratio};
  hone__objectives_values(tuning, row,
                          &(const struct hone_measured){evaluation->time_ns, ranking->energy_j},
                          ranking->values);
  ranking->sample_ns = hone__tuning_sample_ns(tuning, evaluation->time_ns, evaluation->cold_ns);
  ranking->row = hone__arena_alloc(&tuning->arena, bytes);
  memcpy(ranking->row, row, bytes);
  ranking->config = hone__arena_strdup(&tuning->arena, evaluation->config);
  if (evaluation->measure_key)
    snprintf(ranking->key, sizeof ranking->key, "%s", evaluation->measure_key);
}

static void rank_candidate(struct hone_candidate *candidate)
{
  const struct hone_evaluation *evaluation = &candidate->evaluation;
  bool fresh = candidate->least_ns > 0 && candidate->baseline_least_ns > 0;

  rank(candidate->tuning, candidate->row, evaluation,
       fresh ? candidate->least_ns : evaluation->time_ns,
       fresh ? candidate->baseline_least_ns : evaluation->baseline_ns);
}

static void note_best(struct hone_candidate *candidate)
{
  struct hone_tuning *tuning = candidate->tuning;
  const struct hone_evaluation *evaluation = &candidate->evaluation;
  double ratio = cost_ratio(tuning, candidate->row, evaluation);
  struct hone_event event = {.kind = HONE_EVENT_BEST,
                             .config = candidate->config,
                             .time_ns = evaluation->time_ns,
                             .baseline_ns = evaluation->baseline_ns,
                             .speedup = 1 / ratio,
                             .phase = tuning->phase};

  if (evaluation->outcome != HONE_OUTCOME_OK || !isfinite(ratio)) return;
  tuning->best_ns = fmin(tuning->best_ns, evaluation->time_ns);
  if (ratio >= tuning->best_ratio) return; /* the baseline itself is 1 */
  tuning->best_ratio = ratio;
  tuning->progress.best_config = hone__arena_strdup(&tuning->arena, candidate->config);
  hone__tuning_emit(tuning, &event);
  hone__tuning_log(tuning, "best so far: %s, %.4g us, %.3fx (screening)", candidate->config,
                   evaluation->time_ns / 1e3, 1 / ratio);
}

/* What the program of a sweep wrote; lent, NULL: nothing. */
static const char *said_by(struct hone_candidate *candidate)
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

static void note_result(struct hone_candidate *candidate)
{
  const struct hone_evaluation *evaluation = &candidate->evaluation;
  struct hone_event event = {.kind = HONE_EVENT_RESULT,
                             .config = candidate->config,
                             .text = hone__outcome_name(evaluation->outcome),
                             .evidence = said_by(candidate),
                             .time_ns = evaluation->time_ns,
                             .baseline_ns = evaluation->baseline_ns,
                             .speedup =
                                 1 / cost_ratio(candidate->tuning, candidate->row, evaluation),
                             .phase = candidate->tuning->phase};

  hone__tuning_emit(candidate->tuning, &event);
}

static void note_failure(struct hone_candidate *candidate)
{
  const struct hone_evaluation *evaluation = &candidate->evaluation;
  struct hone_event event = {.kind = HONE_EVENT_FAILURE,
                             .config = candidate->config,
                             .text = hone__outcome_name(evaluation->outcome),
                             .evidence = evaluation->evidence,
                             .command = evaluation->command,
                             .phase = candidate->tuning->phase};

  hone__tuning_emit(candidate->tuning, &event);
  hone__tuning_log(candidate->tuning, "%s: %s: %s", candidate->config,
                   hone__outcome_name(evaluation->outcome), evaluation->evidence);
}

static void count(struct hone_tuning *tuning, const struct hone_evaluation *evaluation)
{
  struct hone_event *p = &tuning->progress;

  p->done += !tuning->which.is_sweep; /* which counts for itself */
  p->ok += evaluation->outcome == HONE_OUTCOME_OK;
  p->slow += evaluation->outcome == HONE_OUTCOME_SLOW;
  p->failed += !hone__outcome_works(evaluation->outcome);
  p->reused += evaluation->reused_from != 0;
}

static void tell(const struct hone_candidate *candidate)
{
  hone__tuning_tell(candidate->tuning, candidate->row, &candidate->evaluation,
                    hone__candidate_seconds(candidate));
}

/* 'a b' in quotes for a shell, if it needs them. */
static void add_word(struct hone_text *text, const char *word)
{
  if (word[strcspn(word, " \t\n'\"\\$`*?[]{}()<>|&;~#!")] == '\0' && *word) {
    hone__text_add(text, word);
    return;
  }
  hone__text_add(text, "'");
  for (; *word; word++)
    if (*word == '\'')
      hone__text_add(text, "'\\''");
    else
      hone__text_addn(text, word, 1);
  hone__text_add(text, "'");
}

/* "M=256,N=512" */
static void add_sizes(struct hone_text *text, const struct hone_problem *sizes)
{
  for (size_t i = 0; i < sizes->count; i++) {
    hone__text_addf(text, "%s%s=", i ? "," : "", sizes->names[i]);
    hone__value_print(sizes->values[i], text);
  }
}

const char *hone__candidate_command(struct hone_candidate *candidate)
{
  const struct hone_tune_options *options = candidate->tuning->options;
  const struct hone_task *task = &candidate->tuning->task;
  struct hone_text text = {0}, sizes = {0};
  const char *command;

  hone__text_add(&text, "hone run ");
  add_word(&text, task->spec->path);
  add_sizes(&sizes, &task->space->setup.sizes);
  if (sizes.length && (task->spec->problem_count > 1 || options->problem_sizes)) {
    hone__text_add(&text, " --problem ");
    add_word(&text, sizes.data);
  }
  if (options->run_options) hone__text_add(&text, options->run_options);
  hone__text_add(&text, " --config ");
  add_word(&text, candidate->config);
  command = hone__arena_strdup(&candidate->texts, text.data);
  hone__text_release(&text);
  hone__text_release(&sizes);
  return command;
}

const char *hone__candidate_metrics(struct hone_candidate *candidate, double time_ns)
{
  const struct hone_task *task = &candidate->tuning->task;
  const struct hone_measured measured = {.time_ns = time_ns, .energy_j = candidate->energy_j};
  json_t *metrics = json_object();
  const char *kept;
  char *text;

  for (size_t i = 0; i < task->spec->metric_count; i++) {
    double value;
    if (hone__task_metric(task, candidate->row, &task->spec->metrics[i], &measured, &value))
      json_object_set_new(metrics, task->spec->metrics[i].name, json_real(value));
  }
  if (isfinite(measured.energy_j)) {
    json_object_set_new(metrics, "energy_j", json_real(measured.energy_j));
    json_object_set_new(metrics, "power_w", json_real(measured.energy_j / (time_ns * 1e-9)));
  }
  text = json_dumps(metrics, JSON_COMPACT);
  kept = hone__arena_strdup(&candidate->texts, text);
  free(text);
  json_decref(metrics);
  return kept;
}

bool hone__tuning_knows(const struct hone_tuning *tuning, const char *config)
{
  return json_object_get(tuning->known, config) != NULL;
}

static void remember(struct hone_tuning *tuning, const struct hone_evaluation *evaluation)
{
  json_object_set_new(tuning->known, evaluation->config, json_true());
  if (!evaluation->measure_key || evaluation->same_as) return;
  if (hone__outcome_blame(evaluation->outcome) > HONE_BLAME_CANDIDATE) return;
  json_object_set_new(tuning->objects, evaluation->measure_key, json_integer(evaluation->id));
}

/* Into the store, with what a person wants to know. */
static bool put(struct hone_candidate *candidate)
{
  struct hone_tuning *tuning = candidate->tuning;
  struct hone_evaluation *evaluation = &candidate->evaluation;

  if (evaluation->outcome == HONE_OUTCOME_INTERRUPTED) return false; /* nothing was learned */
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

void hone__candidate_record_again(struct hone_candidate *candidate)
{
  if (!put(candidate)) return;
  note_failure(candidate);
  tell(candidate);
}

/* What the search and the contest make of it. */
static void weigh(struct hone_candidate *candidate)
{
  if (hone__outcome_works(candidate->evaluation.outcome)) rank_candidate(candidate);
  note_best(candidate);
  tell(candidate);
}

void hone__candidate_record(struct hone_candidate *candidate)
{
  struct hone_tuning *tuning = candidate->tuning;
  struct hone_evaluation *evaluation = &candidate->evaluation;

  if (!put(candidate)) return;
  if (candidate->is_baseline) return;
  count(tuning, evaluation);
  if (hone__outcome_works(evaluation->outcome))
    note_result(candidate);
  else
    note_failure(candidate);
  if (!tuning->which.is_sweep) weigh(candidate);
  hone__tuning_progress(tuning, false);
}

/* ---- What is known already ---- */

struct recall {
  struct hone_candidate *candidate;
  const char
      *fingerprint_key; /* the measure key that its object must have; NULL: any of our seats */
  bool found;
};

static const char *keep(struct hone_candidate *candidate, const char *text)
{
  return text ? hone__arena_strdup(&candidate->texts, text) : NULL;
}

static void copy_outcome(struct hone_candidate *candidate, const struct hone_evaluation *from)
{
  struct hone_evaluation *to = &candidate->evaluation;

  to->outcome = from->outcome;
  to->evidence = keep(candidate, from->evidence ? from->evidence : "");
  to->device = keep(candidate, from->device);
  to->measure_key = keep(candidate, from->measure_key);
  to->object = keep(candidate, from->object);
  to->time_ns = from->time_ns;
  to->baseline_ns = from->baseline_ns;
  to->cold_ns = from->cold_ns;
  to->cap_ns = from->cap_ns;
  if (!to->deps) to->deps = keep(candidate, from->deps);
  if (!to->warnings) to->warnings = keep(candidate, from->warnings);
  hone__candidate_copy_output(candidate, from->output);
  candidate->energy_j = hone__evaluation_energy(from);
}

static bool deps_are_current(const struct hone_tuning *tuning, const char *deps)
{
  json_t *list = deps ? json_loads(deps, 0, NULL) : NULL;
  bool current = list && tuning->task.backend->deps_are_current(list);

  json_decref(list);
  return current;
}

/* A measure key holds the device's fingerprint: it must be that of one of ours. */
static bool is_ours(struct hone_candidate *candidate, const struct hone_evaluation *old)
{
  const struct hone_tuning *tuning = candidate->tuning;
  bool ours = false;

  if (!old->object || !old->measure_key || strlen(old->object) >= sizeof candidate->object)
    return false;
  snprintf(candidate->object, sizeof candidate->object, "%s", old->object);
  for (size_t i = 0; i < tuning->site_count && !ours; i++) {
    if (!tuning->sites[i].usable) continue;
    make_measure_key(candidate, tuning->sites[i].fingerprint);
    ours = strcmp(candidate->measure_key, old->measure_key) == 0;
  }
  candidate->evaluation.measure_key = NULL;
  return ours;
}

/* The same build under other constraints: they are applied to what it cost then. */
static void apply_constraints(struct hone_candidate *candidate)
{
  struct hone_evaluation *evaluation = &candidate->evaluation;
  bool constrained = candidate->tuning->task.spec->built_count > 0;
  json_t *output =
      constrained && evaluation->output ? json_loads(evaluation->output, 0, NULL) : NULL;
  struct hone_text why = {0};

  if (output && !hone__built_allows(candidate, json_object_get(output, "costs"), &why)) {
    evaluation->outcome = HONE_OUTCOME_INVALID;
    evaluation->evidence = keep(candidate, why.data);
    evaluation->time_ns = evaluation->baseline_ns = evaluation->cold_ns = NAN;
    evaluation->measure_key = NULL;
  }
  hone__text_release(&why);
  json_decref(output);
}

static bool visit_by_key(void *data, const struct hone_evaluation *old)
{
  struct recall *recall = data;
  struct hone_candidate *candidate = recall->candidate;

  if (!is_ours(candidate, old)) return true;
  if (!deps_are_current(candidate->tuning, old->deps)) return true;
  copy_outcome(candidate, old);
  apply_constraints(candidate);
  candidate->evaluation.reused_from = old->reused_from ? old->reused_from : old->id;
  recall->found = true;
  return false;
}

/* True if an evaluation of this run, made before it was interrupted, would come out the same today.
 */
static bool still_holds(struct hone_candidate *candidate, const struct hone_evaluation *old)
{
  const char *key = candidate->evaluation.candidate_key;

  if (hone__outcome_blame(old->outcome) > HONE_BLAME_CANDIDATE ||
      old->outcome == HONE_OUTCOME_KILLED || !old->candidate_key || strcmp(old->candidate_key, key))
    return false;
  if (old->deps && !deps_are_current(candidate->tuning, old->deps)) return false;
  return !old->measure_key || is_ours(candidate, old);
}

bool hone__tuning_recall(struct hone_tuning *tuning, const uint32_t *row,
                         const struct hone_evaluation *evaluation)
{
  struct hone_candidate *candidate = NULL;
  hone_status status = hone__candidate_new(tuning, row, &candidate);
  bool holds = !status && still_holds(candidate, evaluation);
  double ratio = cost_ratio(tuning, row, evaluation);

  hone_status_free(status);
  hone__candidate_free(candidate);
  if (!holds) return false;
  remember(tuning, evaluation);
  count(tuning, evaluation);
  hone__tuning_tell(tuning, row, evaluation, NAN);
  if (hone__outcome_works(evaluation->outcome))
    rank(tuning, row, evaluation, evaluation->time_ns, evaluation->baseline_ns);
  if (evaluation->outcome != HONE_OUTCOME_OK || !(ratio < tuning->best_ratio)) return true;
  tuning->best_ratio = ratio;
  tuning->best_ns = fmin(tuning->best_ns, evaluation->time_ns);
  tuning->progress.best_config = hone__arena_strdup(&tuning->arena, evaluation->config);
  return true;
}

bool hone__candidate_known_by_key(struct hone_candidate *candidate)
{
  struct hone_tuning *tuning = candidate->tuning;
  struct recall recall = {.candidate = candidate};

  if (!tuning->may_reuse) return false;
  hone__tuning_fail(tuning,
                    hone__store_by_candidate_key(tuning->store, candidate->evaluation.candidate_key,
                                                 visit_by_key, &recall));
  if (recall.found) hone__candidate_record(candidate);
  return recall.found;
}

static bool visit_by_object(void *data, const struct hone_evaluation *old)
{
  struct recall *recall = data;
  struct hone_candidate *candidate = recall->candidate;
  json_t *ours = json_object_get(candidate->tuning->objects, candidate->measure_key);

  if (json_is_integer(ours) ? json_integer_value(ours) != old->id : !candidate->tuning->may_reuse)
    return true;
  copy_outcome(candidate, old);
  if (ours)
    candidate->evaluation.same_as = old->id;
  else
    candidate->evaluation.reused_from = old->id;
  recall->found = true;
  return false;
}

bool hone__candidate_known_by_object(struct hone_candidate *candidate, size_t site)
{
  struct hone_tuning *tuning = candidate->tuning;
  struct recall recall = {.candidate = candidate};

  hone__candidate_set_site(candidate, site);
  hone__tuning_fail(tuning, hone__store_by_measure_key(tuning->store, candidate->measure_key,
                                                       visit_by_object, &recall));
  if (recall.found) hone__candidate_record(candidate);
  return recall.found;
}
