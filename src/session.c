/* A session, from a spec to a verdict: the whole pipeline.
 *
 *   spec ─► space ─► task ─► store (known? resume?) ─► workers ─► baseline ─► screen ─► race ─►
 *   confirm ─► verdict ─► store
 *
 * Each problem of the spec is a run of its own. A stage either returns a status (the run cannot go
 * on) or leaves its mark in `tuning`; whatever a candidate does is an outcome in the store. */
#include "tune/tuning.h"

#include "base/clock.h"
#include "spec/schema.h"
#include "tune/identity.h"

#include <stdlib.h>

enum { INPUT_SEED = 42 }; /* the search's seed is another: inputs stay, and so do measurements */

void hone_tune_options_init(struct hone_tune_options *options)
{
  *options = (struct hone_tune_options){.top = 8, .screen_samples = 3, .margin = 0.01};
}

/* ---- Settings: what the options say, else the spec, else a default ---- */

static void settle_search(struct hone_tuning *tuning)
{
  const struct hone_tune_options *options = tuning->options;
  const struct hone_node *budget = hone__task_setting(&tuning->task, "search.budget");
  const struct hone_node *seed = hone__task_setting(&tuning->task, "search.seed");
  double budget_s = options->budget_s;

  tuning->evaluations = options->evaluations;
  if (budget && !budget_s && !tuning->evaluations) {
    if (budget->value.type == HONE_INT)
      tuning->evaluations = (uint64_t)budget->value.integer;
    else
      hone__duration_parse(budget->text, &budget_s);
  }
  tuning->stop_at = budget_s > 0 ? tuning->started + budget_s : INFINITY;
  tuning->run.seed = options->seed_given ? options->seed
                     : seed              ? (uint64_t)seed->value.integer
                                         : 42;
}

static double duration_of(const struct hone_node *node, double otherwise)
{
  double seconds;

  if (!node || strcmp(node->text, "auto") == 0) return otherwise;
  if (hone__node_number(node, &seconds) || hone__duration_parse(node->text, &seconds))
    return seconds;
  return otherwise;
}

static void settle_measure(struct hone_tuning *tuning)
{
  const struct hone_tune_options *options = tuning->options;
  const struct hone_node *repeat = hone__task_setting(&tuning->task, "measure.repeat");
  double timeout_s = duration_of(hone__task_setting(&tuning->task, "measure.timeout"), 0);

  tuning->screen_samples = options->screen_samples ? options->screen_samples : 3;
  if (repeat && options->screen_samples == 3)
    tuning->screen_samples = (unsigned)repeat->value.integer;
  if (options->timeout_s > 0) timeout_s = options->timeout_s;
  tuning->timeout_given = timeout_s > 0;
  tuning->call_timeout_s = timeout_s;
  tuning->build_timeout_s = duration_of(hone__task_setting(&tuning->task, "build.timeout"), 60);
  tuning->finalists = options->top ? options->top : 8;
  tuning->margin = options->margin;
  if (options->no_check) tuning->task.check = false;
  tuning->task.memory_bytes = options->memory_bytes;
}

static void settle_objective(struct hone_tuning *tuning)
{
  static const char *const keys[] = {"objective", "minimise", "maximise"};
  const struct hone_spec *spec = tuning->task.spec;

  for (size_t k = 0; k < 3; k++) {
    const struct hone_node *node = hone__task_setting(&tuning->task, keys[k]);
    for (size_t i = 0; node && i < spec->metric_count; i++)
      if (strcmp(spec->metrics[i].name, node->text) == 0) {
        tuning->objective = &spec->metrics[i];
        tuning->maximise = k == 2;
      }
  }
}

static hone_status settle(struct hone_tuning *tuning)
{
  const struct hone_node *strategy = hone__task_setting(&tuning->task, "search.strategy");
  const char *name = tuning->options->strategy ? tuning->options->strategy
                     : strategy                ? strategy->text
                                               : NULL;

  settle_search(tuning);
  settle_measure(tuning);
  settle_objective(tuning);
  tuning->task.seed = INPUT_SEED;
  return hone__strategy_find(name, &tuning->strategy);
}

/* ---- The run in the store ---- */

/* Files that any configuration includes; most lists are equal. */
static bool is_current(void *data, const struct hone_evaluation *evaluation)
{
  struct hone_tuning *tuning = data;
  json_t *deps;

  if (!evaluation->deps || (tuning->deps && strcmp(tuning->deps, evaluation->deps) == 0))
    return true;
  tuning->deps = hone__arena_strdup(&tuning->arena, evaluation->deps);
  deps = json_loads(evaluation->deps, 0, NULL);
  tuning->answered = deps && tuning->task.backend->deps_are_current(deps);
  json_decref(deps);
  return tuning->answered;
}

/* A finished run of the same key answers, unless a file that the kernel includes has changed. */
static hone_status find_answer(struct hone_tuning *tuning)
{
  int64_t finished = 0;
  hone_status status;

  if (tuning->options->fresh) return NULL;
  status = hone__store_run_finished(tuning->store, tuning->run.key, &finished);
  if (status || !finished) return status;
  tuning->answered = true;
  status = hone__store_evaluations(tuning->store, finished, is_current, tuning);
  if (status) tuning->answered = false;
  if (tuning->answered) tuning->run.id = finished;
  return status;
}

/* What a resumed run knows already. */
static bool recall(void *data, const struct hone_evaluation *evaluation)
{
  struct hone_tuning *tuning = data;
  uint32_t *row;
  hone_status status;

  if (evaluation->is_baseline) return true;
  row = hone__alloc(hone_space_width(tuning->task.space) * sizeof *row);
  status = hone_space_parse(tuning->task.space, evaluation->config, row);
  if (!status) hone__tuning_recall(tuning, row, evaluation);
  hone_status_free(status);
  free(row);
  return true;
}

static hone_status open_run(struct hone_tuning *tuning)
{
  hone_status status = hone__identity_make(tuning);

  if (!status) status = find_answer(tuning);
  if (status || tuning->answered) return status;
  return hone__store_run_begin(tuning->store, &tuning->run, &tuning->resumed);
}

/* Once the baseline is built and the devices are known: what was measured must still hold. */
static hone_status resume(struct hone_tuning *tuning)
{
  hone_status status;

  if (!tuning->resumed) return NULL;
  status = hone__store_evaluations(tuning->store, tuning->run.id, recall, tuning);
  tuning->done_before = tuning->progress.done;
  hone__tuning_say(tuning, HONE_EVENT_NOTE, "resuming run %lld: %llu configurations are known",
                   (long long)tuning->run.id, (unsigned long long)tuning->progress.done);
  return status;
}

static hone_status close_run(struct hone_tuning *tuning, hone_status status)
{
  struct hone_run_result *result = &tuning->result;
  char *notes = json_dumps(tuning->notes, JSON_COMPACT);
  hone_status closed;

  if (!status && tuning->failure) {
    status = tuning->failure;
    tuning->failure = NULL;
  }
  result->state = status                                    ? HONE_RUN_FAILED
                  : tuning->interrupted || tuning->aborting ? HONE_RUN_INTERRUPTED
                                                            : HONE_RUN_FINISHED;
  if (status) result->why = hone_status_message(status);
  result->baseline = tuning->baseline ? tuning->baseline->config : NULL;
  result->wall_s = hone__clock() - tuning->started;
  result->notes = notes;
  closed = hone__store_run_finish(tuning->store, tuning->run.id, result);
  if (!closed) closed = hone__store_sync(tuning->store);
  free(notes);
  if (status) {
    hone_status_free(closed);
    return status;
  }
  return closed;
}

/* ---- Stages ---- */

static hone_status open_search(struct hone_tuning *tuning)
{
  struct hone_search_options options = {
      .space = tuning->task.space, .seed = tuning->run.seed, .evaluations = tuning->evaluations};

  return tuning->strategy->open(&options, &tuning->search);
}

static hone_status run_stages(struct hone_tuning *tuning)
{
  enum hone_stage last = tuning->options->stop_after;
  hone_status status = open_search(tuning);

  if (status || last == HONE_STAGE_GENERATE) return status;
  status = hone__tuning_open_builders(tuning);
  if (!status && last != HONE_STAGE_BUILD) status = hone__tuning_open_runners(tuning);
  if (!status) status = hone__tuning_baseline(tuning);
  if (!status) status = resume(tuning);
  if (!status && !hone__tuning_over(tuning)) status = hone__tuning_screen(tuning);
  if (status || tuning->aborting || last == HONE_STAGE_BUILD) return status;
  if (!tuning->interrupted) hone__tuning_last_readings(tuning);
  if (tuning->aborting || last == HONE_STAGE_SCREEN) return NULL;
  return hone__tuning_contest(tuning);
}

static hone_status tune_run(struct hone_tuning *tuning)
{
  hone_status status = hone__tuning_open_loop(tuning);

  if (status) return close_run(tuning, status);
  hone__tuning_begin_notes(tuning);
  status = run_stages(tuning);
  hone__tuning_end_notes(tuning);
  hone__tuning_close_workers(tuning);
  hone__tuning_close_loop(tuning);
  return close_run(tuning, status);
}

/* ---- One problem ---- */

hone_status hone__tuning_open(struct hone_tuning *tuning, const struct hone_spec *spec,
                              size_t problem, const struct hone_tune_options *options)
{
  struct hone_space_options space_options;
  hone_status status;

  *tuning = (struct hone_tuning){.options = options,
                                 .best_ratio = 1,
                                 .best_ns = INFINITY,
                                 .started = hone__clock(),
                                 .may_reuse = !options->fresh};
  tuning->result = (struct hone_run_result){
      .speedup = NAN, .low = NAN, .high = NAN, .confidence = 0.95, .drift = NAN};
  tuning->known = json_object();
  tuning->objects = json_object();
  tuning->notes = json_array();
  hone_space_options_init(&space_options);
  space_options.problem = problem;
  space_options.sizes = options->problem_sizes;
  status = hone_space_build(spec, &space_options, &tuning->space);
  if (!status) status = hone__task_init(&tuning->task, spec, tuning->space);
  if (!status) status = settle(tuning);
  if (!status) status = tuning->task.backend->describe(&tuning->task, &tuning->setup);
  return status;
}

void hone__tuning_release(struct hone_tuning *tuning)
{
  if (tuning->search) tuning->strategy->close(tuning->search);
  hone__candidate_free(tuning->baseline);
  json_decref(tuning->setup.head);
  hone__text_release(&tuning->setup.payload);
  json_decref(tuning->known);
  json_decref(tuning->objects);
  json_decref(tuning->notes);
  free(tuning->ranking);
  for (size_t i = 0; i < sizeof tuning->built / sizeof *tuning->built; i++) {
    free(tuning->built[i].bytes);
    free(tuning->built[i].deps);
  }
  hone_status_free(tuning->failure);
  hone__task_release(&tuning->task);
  hone_space_free(tuning->space);
  hone__arena_release(&tuning->arena);
}

static hone_status tune_problem(struct hone_store *store, const struct hone_spec *spec,
                                size_t problem, const struct hone_tune_options *options,
                                struct hone_tune_result *result)
{
  struct hone_tuning tuning;
  hone_status status = hone__tuning_open(&tuning, spec, problem, options);

  tuning.store = store;
  if (!status) status = open_run(&tuning);
  if (!status && !tuning.answered) status = tune_run(&tuning);
  if (tuning.run.id) result->runs[result->run_count++] = tuning.run.id;
  result->interrupted = result->interrupted || tuning.interrupted;
  result->answered = result->answered && tuning.answered;
  hone__tuning_release(&tuning);
  return status;
}

hone_status hone_tune(const struct hone_spec *spec, const struct hone_tune_options *options,
                      struct hone_tune_result *out_result)
{
  size_t count = options->problems ? options->problem_count : spec->problem_count;
  struct hone_store *store = NULL;
  hone_status status = hone__store_open(options->store, false, &store);

  *out_result = (struct hone_tune_result){.answered = true};
  out_result->runs = hone__alloc((count + 1) * sizeof *out_result->runs);
  for (size_t i = 0; store && i < count && !out_result->interrupted; i++) {
    size_t problem = options->problems ? options->problems[i] : i;
    hone_status failure = tune_problem(store, spec, problem, options, out_result);
    if (count > 1) failure = hone__annotate(failure, "%s", hone_spec_problem(spec, problem));
    if (status)
      hone_status_free(failure); /* the first is told; the others are in the store */
    else
      status = failure;
  }
  hone__store_close(store);
  return status;
}
