/* A session, from a spec to a verdict: the whole pipeline.
 *
 *   spec ─► space ─► task ─► store (known? resume?) ─► workers ─► baseline ─► screen ─► race ─►
 *   confirm ─► verdict ─► store
 *
 * Each problem of the spec, with each shape, is a run of its own; a sweep has one stage of its own,
 * in which everything is built and run once. A stage either returns a status (the run cannot go
 * on) or leaves its mark in `tuning`; whatever a candidate does is an outcome in the store. */
#include "tune/tuning.h"

#include "base/clock.h"
#include "tune/baseline_modes.h"
#include "tune/identity.h"
#include "tune/knobs.h"
#include "tune/objectives.h"

#include <stdlib.h>

void hone_tune_options_init(struct hone_tune_options *options)
{
  *options = (struct hone_tune_options){.top = 8, .screen_samples = 3, .margin = 0.01};
}

/* ---- The run in the store ---- */

/* What failed through no fault of its own may work by now. Files that any configuration includes
 * may have changed; most lists are equal. */
static bool is_current(void *data, const struct hone__evaluation *evaluation)
{
  struct hone__tuning *tuning = data;
  json_t *deps;

  tuning->answered = hone__outcome_blame(evaluation->outcome) <= HONE__BLAME_CANDIDATE;
  if (!tuning->answered) return false;
  if (!evaluation->deps || (tuning->deps && strcmp(tuning->deps, evaluation->deps) == 0))
    return true;
  tuning->deps = hone__arena_strdup(&tuning->arena, evaluation->deps);
  deps = json_loads(evaluation->deps, 0, NULL);
  tuning->answered = deps && tuning->task.backend->deps_are_current(deps);
  json_decref(deps);
  return tuning->answered;
}

/* The newest run of the same key answers if it is finished, unless some of it is to be tried again,
 * or a file that the kernel includes has changed. */
static hone_status find_answer(struct hone__tuning *tuning)
{
  int64_t finished = 0;
  hone_status status;

  if (tuning->options->fresh || tuning->which.is_sweep) return NULL;
  status = hone__store_run_finished(tuning->store, tuning->run.key, &finished);
  if (status || !finished) return status;
  tuning->answered = true;
  tuning->deps = NULL;
  status = hone__store_evaluations(tuning->store, finished, is_current, tuning);
  if (status) tuning->answered = false;
  if (tuning->answered) tuning->run.id = finished;
  return status;
}

/* What a resumed run knows already. */
static bool recall(void *data, const struct hone__evaluation *evaluation)
{
  struct hone__tuning *tuning = data;
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

static hone_status open_run(struct hone__tuning *tuning)
{
  hone_status status = hone__identity_make(tuning);

  if (!status) status = find_answer(tuning);
  if (status || tuning->answered) return status;
  status = hone__tuning_claim(tuning);
  if (!status) status = find_answer(tuning); /* another process may have finished it since */
  if (status || tuning->answered) return status;
  status = hone__store_run_begin(tuning->store, &tuning->run, &tuning->resumed);
  tuning->may_reuse = !tuning->run.is_fresh && !tuning->which.is_sweep;
  return status;
}

/* Once the baseline is built and the devices are known: what was measured must still hold. */
static hone_status resume(struct hone__tuning *tuning)
{
  hone_status status;

  if (!tuning->resumed) return NULL;
  status = hone__store_evaluations(tuning->store, tuning->run.id, recall, tuning);
  tuning->done_before = tuning->progress.done;
  hone__tuning_say(tuning, HONE_EVENT_NOTE, "resuming run %lld: %llu configurations are known",
                   (long long)tuning->run.id, (unsigned long long)tuning->progress.done);
  return status;
}

static hone_status close_run(struct hone__tuning *tuning, hone_status status)
{
  struct hone__run_result *result = &tuning->result;
  char *notes = json_dumps(tuning->notes, JSON_COMPACT);
  char *screening = json_dumps(tuning->screening, JSON_COMPACT); /* NULL: there is none */
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
  result->screening = screening;
  closed = hone__store_run_finish(tuning->store, tuning->run.id, result);
  if (!closed) closed = hone__store_sync(tuning->store);
  free(notes);
  free(screening);
  free((char *)result->two_groups);
  result->two_groups = NULL;
  if (status) {
    hone_status_free(closed);
    return status;
  }
  return closed;
}

/* ---- Stages ---- */

static hone_status open_workers(struct hone__tuning *tuning)
{
  hone_status status = hone__tuning_open_builders(tuning);

  if (status || tuning->options->stop_after == HONE_STAGE_BUILD) return status;
  return hone__tuning_open_runners(tuning);
}

static hone_status run_stages(struct hone__tuning *tuning)
{
  enum hone_stage last = tuning->options->stop_after;
  hone_status status = last == HONE_STAGE_GENERATE ? NULL : open_workers(tuning);

  if (!status) status = hone__tuning_open_search(tuning);
  if (status || last == HONE_STAGE_GENERATE) return status;
  status = hone__tuning_baseline(tuning);
  if (!status && last != HONE_STAGE_BUILD) hone__objectives_look_for_energy(tuning);
  if (!status && !tuning->aborting) hone__tuning_tell_baseline(tuning);
  if (!status) status = resume(tuning);
  if (!status && !hone__tuning_over(tuning)) status = hone__tuning_screen(tuning);
  hone__knobs_warn(tuning);
  if (status || tuning->aborting || last == HONE_STAGE_BUILD) return status;
  if (!tuning->interrupted) hone__tuning_last_readings(tuning);
  if (tuning->aborting || last == HONE_STAGE_SCREEN) return NULL;
  return hone__tuning_contest(tuning);
}

static hone_status do_run(struct hone__tuning *tuning)
{
  hone_status status = hone__tuning_open_loop(tuning);

  if (status) return close_run(tuning, status);
  hone__tuning_begin_notes(tuning);
  status = tuning->which.is_sweep ? hone__tuning_sweep(tuning) : run_stages(tuning);
  if (!status && !tuning->which.is_sweep) hone__tuning_note_modes(tuning);
  hone__tuning_end_notes(tuning);
  hone__tuning_close_workers(tuning);
  hone__tuning_close_loop(tuning);
  return close_run(tuning, status);
}

/* ---- One case ---- */

static hone_status work_on(struct hone_store *store, const struct hone__cases *cases,
                           const struct hone__case *which, struct hone_tune_result *result)
{
  struct hone__tuning tuning;
  hone_status status = hone__tuning_open(&tuning, cases->spec, which, cases->options);
  const char *name =
      tuning.task.problem ? tuning.task.problem : hone_spec_problem(cases->spec, which->problem);

  tuning.store = store;
  if (!status) status = open_run(&tuning);
  if (!status && !tuning.answered) status = do_run(&tuning);
  if (tuning.run.id) result->runs[result->run_count++] = tuning.run.id;
  result->interrupted = result->interrupted || tuning.interrupted;
  result->answered = result->answered && tuning.answered;
  if (cases->count > 1 && *name) status = hone__annotate(status, "%s", name);
  hone__tuning_release(&tuning);
  return status;
}

/* ---- All of them ---- */

static void note(const struct hone_tune_options *options, const char *text)
{
  struct hone_event event = {.kind = HONE_EVENT_NOTE, .text = text};

  if (options->event) options->event(options->event_data, &event);
}

/* A filter may leave nothing of some of several shapes: that is worth a note, no more. */
static hone_status forgive_empty(const struct hone__cases *cases, hone_status status,
                                 size_t *empty_count)
{
  if (hone_status_code(status) != HONE_NOT_FOUND || ++*empty_count == cases->count) return status;
  note(cases->options, hone_status_message(status));
  hone_status_free(status);
  return NULL;
}

static hone_status work_on_all(const struct hone__cases *cases, bool is_sweep,
                               struct hone_tune_result *result)
{
  struct hone_store *store = NULL;
  hone_status status = hone__store_open(cases->options->store, false, &store);
  size_t empty_count = 0;

  for (size_t i = 0; store && i < cases->count && !result->interrupted; i++) {
    struct hone__case which = hone__cases_at(cases, i, is_sweep);
    hone_status failure = forgive_empty(cases, work_on(store, cases, &which, result), &empty_count);
    if (status)
      hone_status_free(failure); /* the first is told; the others are in the store */
    else
      status = failure;
  }
  if (hone__store_is_lost(store)) result->run_count = 0; /* the message says where they are */
  hone__store_close(store);
  return status;
}

static hone_status work(const struct hone_spec *spec, const struct hone_tune_options *options,
                        bool is_sweep, struct hone_tune_result *out_result)
{
  struct hone__cases cases;
  hone_status status = hone__cases_init(&cases, spec, options);

  *out_result = (struct hone_tune_result){.answered = !status && cases.count > 0};
  out_result->runs = hone__alloc((cases.count + 1) * sizeof *out_result->runs);
  if (status) return status;
  if (!cases.count) note(options, "this part of the shapes is empty: there is nothing to do");
  return cases.count ? work_on_all(&cases, is_sweep, out_result) : NULL;
}

hone_status hone_tune(const struct hone_spec *spec, const struct hone_tune_options *options,
                      struct hone_tune_result *out_result)
{
  return work(spec, options, false, out_result);
}

hone_status hone_sweep(const struct hone_spec *spec, const struct hone_tune_options *options,
                       struct hone_tune_result *out_result)
{
  return work(spec, options, true, out_result);
}
