/* `hone run`: builds, checks and times one configuration together with the baseline, and reports
 * all details. Nothing is stored.
 *
 * Pairs are taken in several runner processes: ten, if they are short, so that a kernel that has
 * one of two times by chance in each process shows both.
 */
#include "tune/attempt.h"

#include "session/call.h"
#include "session/identity.h"
#include "session/suspicion.h"
#include "tune/baseline_modes.h"

#include <stdlib.h>

enum { MOST_PROCESSES = 10, ROWS = 12 };
static const double USUAL_S = 10;   /* for all processes */
static const double LONGEST_S = 60; /* for the first three */

/* ---- Build ---- */

static void on_built(struct hone__candidate *candidate)
{
  --*(size_t *)candidate->session->control.stage;
}

static void build(struct hone__attempt *attempt)
{
  attempt->tuning.session.control.stage = &attempt->pending;
  attempt->pending++;
  hone__candidate_build(attempt->candidate, on_built);
  hone__control_wait(&attempt->tuning.session.control, &attempt->pending);
  hone__session_abandon(&attempt->tuning.session, &attempt->pending);
}

/* ---- Run ---- */

static void add_note(struct hone__attempt *attempt, const char *text)
{
  for (size_t i = 0; i < attempt->notes.count; i++)
    if (strcmp(attempt->notes.data[i], text) == 0) return;
  hone__words_add(&attempt->notes, text);
}

static void take_notes(struct hone__attempt *attempt, const struct hone__reply *reply)
{
  for (size_t i = 0; reply->run && i < reply->run->notes_count; i++)
    add_note(attempt, reply->run->notes[i]);
}

static void take_output(struct hone__attempt *attempt,
                        const struct hone__wire_candidate_result *result)
{
  struct hone__arena *arena = &attempt->tuning.session.arena;

  hone__packed_drop(attempt->table);
  attempt->table = result ? hone__packed_hold(result->table) : NULL;
  attempt->stdout_text =
      result && result->stdout_text ? hone__arena_strdup(arena, result->stdout_text) : NULL;
  attempt->stderr_text =
      result && result->stderr_text ? hone__arena_strdup(arena, result->stderr_text) : NULL;
}

/* Pairs are useful only if the baseline works too. */
static bool both_work(const struct hone__reply *reply, size_t own)
{
  return reply->outcome == HONE_OUTCOME_OK &&
         hone__outcome_works(hone__run_part(reply, 0).outcome) &&
         hone__outcome_works(hone__run_part(reply, own).outcome);
}

/* The outcome of the first process, or of a later one in which the candidate fails. */
static void take_outcome(struct hone__attempt *attempt, const struct hone__reply *reply, size_t own)
{
  struct hone__run_part part = hone__run_part(reply, own);

  attempt->was_run = true;
  attempt->works = both_work(reply, own);
  attempt->outcome = part.outcome;
  attempt->evidence = hone__arena_strdup(&attempt->tuning.session.arena, part.evidence);
  attempt->cold_ns = part.cold_ns;
  attempt->candidate->energy = hone__run_energy(reply, own);
  take_output(attempt, hone__run_result(reply, own));
}

static void take_rows(struct hone__attempt *attempt, const struct hone__reply *reply, size_t own)
{
  size_t rows = reply->run ? reply->run->rows : 0, count;
  double *times = hone__run_times(reply, &count);

  if (rows <= ROWS && count == (own + 1) * rows) hone__attempt_add(attempt, times, rows);
  free(times);
}

/* A process that is lost through no fault of the candidate is no evidence. */
static bool counts(const struct hone__attempt *attempt, const struct hone__run_part *part)
{
  return !attempt->was_run || hone__outcome_works(part->outcome) ||
         hone__outcome_blame(part->outcome) == HONE__BLAME_CANDIDATE;
}

static void on_run(void *data, const struct hone__reply *reply)
{
  struct hone__attempt *attempt = data;
  size_t own = attempt->is_alone ? 0 : 1;
  struct hone__run_part part = hone__run_part(reply, own);

  attempt->pending--;
  take_notes(attempt, reply);
  if (!counts(attempt, &part)) return;
  if (!attempt->was_run || !hone__outcome_works(part.outcome)) take_outcome(attempt, reply, own);
  if (attempt->works && both_work(reply, own)) take_rows(attempt, reply, own);
}

/* The first device that works; none works if the baseline does not. */
static int choose_site(const struct hone__tuning *tuning)
{
  for (size_t i = 0; i < tuning->session.workers.site_count; i++)
    if (tuning->session.workers.sites[i].usable) return (int)i;
  return 0;
}

static void run_in_process(struct hone__attempt *attempt, uint32_t number)
{
  struct hone__tuning *tuning = &attempt->tuning;
  struct hone__candidate *pair[] = {tuning->baseline.candidate, attempt->candidate};
  struct hone__run_request request = {.mode = HONE__RUN_ROWS,
                                      .candidates = attempt->is_alone ? pair + 1 : pair,
                                      .count = attempt->is_alone ? 1 : 2,
                                      .slot = choose_site(tuning),
                                      .check = tuning->session.problem.task.check,
                                      .late_check = tuning->session.problem.task.check,
                                      .restart = number > 0,
                                      .verbose = true,
                                      .rows = ROWS,
                                      .budget_s = USUAL_S / HONE__ATTEMPT_PROCESSES,
                                      .seed = number + 1};
  struct hone__job job = hone__run_job(&tuning->session, &request);

  job.done = on_run;
  job.data = attempt;
  attempt->pending++;
  hone__pool_submit(tuning->session.workers.runners, &job);
  hone__control_wait(&tuning->session.control, &attempt->pending);
  hone__session_abandon(&tuning->session, &attempt->pending);
}

static uint64_t most_processes(const struct hone__attempt *attempt)
{
  uint64_t wanted = attempt->tuning.session.settings.options->processes;

  return wanted ? wanted : MOST_PROCESSES;
}

/* A program that runs for minutes is not run three times by default: its interval, if there is one,
 * is labelled accordingly. */
static bool wants_more(const struct hone__attempt *attempt, uint32_t number, double began)
{
  double seconds = hone__control_now(&attempt->tuning.session.control) - began;

  if (!attempt->works || attempt->process_count < number || number >= most_processes(attempt) ||
      attempt->tuning.session.control.aborting)
    return false;
  return seconds < (number < HONE__ATTEMPT_PROCESSES ? LONGEST_S : USUAL_S);
}

static void note_modes(struct hone__attempt *attempt, const char *whose, const double *times_ns)
{
  struct hone__modes modes = hone__modes_find(times_ns, attempt->processes, attempt->count);
  struct hone__text text = {0};

  if (hone__tuning_modes_describe(&modes, whose, &text)) add_note(attempt, text.data);
  hone__text_release(&text);
}

/* While its device is still known. */
static const char *find_doubt(const struct hone__attempt *attempt)
{
  double baseline_ns = attempt->is_alone ? NAN : hone__median(attempt->baseline_ns, attempt->count);

  return hone__candidate_doubt(attempt->candidate, choose_site(&attempt->tuning),
                               hone__median(attempt->times_ns, attempt->count), baseline_ns);
}

static void run(struct hone__attempt *attempt)
{
  double began = hone__control_now(&attempt->tuning.session.control);
  uint32_t number = 0;

  do
    run_in_process(attempt, number++);
  while (wants_more(attempt, number, began));
  if (!attempt->works) return;
  if (attempt->count) attempt->doubt = find_doubt(attempt);
  note_modes(attempt, "this configuration", attempt->times_ns);
  if (!attempt->is_alone) note_modes(attempt, "the baseline", attempt->baseline_ns);
}

/* ---- The trial ---- */

/* A configuration is reported even if there is nothing to compare it with. */
static hone_status go_without_baseline(struct hone__attempt *attempt, hone_status status)
{
  struct hone__text text = {0};

  hone__text_addf(&text, "no baseline: %s", hone_status_message(status));
  add_note(attempt, text.data);
  hone__text_release(&text);
  hone_status_free(status);
  attempt->is_alone = true;
  return NULL;
}

/* ---- Which one ---- */

/* Parameters without a value have the baseline's. */
static hone_status parse(const struct hone__task *task, const char *config, uint32_t *row)
{
  hone_status status = hone_space_parse(task->space, config, row), other;
  char *whole;

  if (!status) return NULL;
  whole = hone__task_complete(task, config);
  other = hone_space_parse(task->space, whole, row);
  free(whole);
  if (task->space->group_count > 1 && other) { /* it may be of another group than the baseline */
    hone_status_free(other);
    return status;
  }
  hone_status_free(status);
  return other;
}

static hone_status choose(struct hone__attempt *attempt, const char *config)
{
  struct hone__tuning *tuning = &attempt->tuning;
  uint32_t *row = hone__alloc(hone_space_width(tuning->session.problem.space) * sizeof *row);
  hone_status status = NULL;

  if (config)
    status = parse(&tuning->session.problem.task, config, row);
  else
    memcpy(row, tuning->session.problem.task.baseline,
           hone_space_width(tuning->session.problem.space) * sizeof *row);
  if (!status) attempt->is_legal = hone_space_contains(tuning->session.problem.space, row);
  if (!status && !attempt->is_legal)
    add_note(
        attempt,
        "a constraint of the spec rejects this configuration: 'hone space --explain' shows which");
  if (!status) status = hone__candidate_new(&tuning->session, row, &attempt->candidate);
  free(row);
  return status;
}

static hone_status work(struct hone__attempt *attempt, const char *config)
{
  struct hone__tuning *tuning = &attempt->tuning;
  hone_status status = hone__identity_make(&tuning->session);

  if (!status) status = choose(attempt, config);
  if (!status) status = hone__session_open_builders(&tuning->session);
  if (!status) status = hone__session_open_runners(&tuning->session);
  if (status) return status;
  hone__session_set_up_builders(&tuning->session);
  build(attempt);
  if (!attempt->candidate->bytes || tuning->session.control.aborting) return NULL;
  status = hone__tuning_baseline(tuning);
  if (status && tuning->baseline.has_failed) status = go_without_baseline(attempt, status);
  if (!status && !tuning->session.control.aborting) run(attempt);
  return status;
}

/* The shape of a configuration: groups are ordered by shape. */
static hone_status find_shape(const struct hone_spec *spec, const struct hone_tune_options *options,
                              const char *config, struct hone__case *which)
{
  struct hone_space_options space_options;
  struct hone__device_choice choice;
  struct hone_space *space = NULL;
  uint32_t *row = NULL;
  size_t groups = spec->group_count ? spec->group_count : 1;
  hone_status status;

  which->shape = spec->shapes ? 0 : HONE_ALL_SHAPES;
  if (!spec->shapes || !config) return NULL;
  status = hone__session_choose_device(spec, options, NULL, &choice);
  if (status) return status;
  hone_space_options_init(&space_options);
  space_options.device = choice.values;
  space_options.device_gap = choice.gap;
  space_options.problem = which->problem;
  space_options.sizes = options->problem_sizes;
  space_options.cancel = options->cancel;
  status = hone_space_build(spec, &space_options, &space);
  hone__device_choice_release(&choice);
  if (status) return status;
  row = hone__alloc(hone_space_width(space) * sizeof *row);
  status = hone_space_parse(space, config, row);
  if (!status) which->shape = row[0] / groups;
  free(row);
  hone_space_free(space);
  return status;
}

hone_status hone__attempt_make(struct hone__attempt *attempt, const struct hone_spec *spec,
                               const struct hone_tune_options *options,
                               const struct hone__case *which, const char *config)
{
  struct hone__tuning *tuning = &attempt->tuning;
  hone_status status;
  bool looped;

  *attempt = (struct hone__attempt){.evidence = "", .cold_ns = NAN};
  status = hone__tuning_open(tuning, spec, which, options, &hone__purpose_run);
  if (!status) status = hone__session_open_loop(&tuning->session);
  looped = !status;
  if (!status) status = work(attempt, config);
  if (looped) {
    hone__session_close_workers(&tuning->session);
    hone__session_close_loop(&tuning->session);
  }
  if (!status && tuning->session.control.failure) {
    status = tuning->session.control.failure;
    tuning->session.control.failure = NULL;
  }
  return status;
}

void hone__attempt_release(struct hone__attempt *attempt)
{
  hone__packed_drop(attempt->table);
  hone__words_release(&attempt->notes);
  hone__attempt_release_samples(attempt);
  hone__candidate_free(attempt->candidate);
  hone__tuning_release(&attempt->tuning);
}

typedef char *attempt_print(const struct hone__attempt *attempt);

static hone_status try_and_print(const struct hone_spec *spec,
                                 const struct hone_tune_options *options, const char *config,
                                 attempt_print *print, char **out_text, bool *out_works)
{
  struct hone__attempt *attempt;
  struct hone__case which = {.problem = options->problems ? options->problems[0] : 0};
  hone_status status = find_shape(spec, options, config, &which);

  if (status) return status;
  attempt = hone__alloc(sizeof *attempt);
  status = hone__attempt_make(attempt, spec, options, &which, config);
  *out_works = attempt->works;
  *out_text = status ? NULL : print(attempt);
  hone__attempt_release(attempt);
  free(attempt);
  return status;
}

static hone_status try_call(const struct hone_spec *spec, const struct hone_tune_options *options,
                            const char *config, attempt_print *print, char **out_text,
                            bool *out_works)
{
  struct hone__call call;
  hone_status status = hone__call_begin(&call, options);

  *out_text = NULL;
  *out_works = false;
  if (!status) status = try_and_print(spec, &call.options, config, print, out_text, out_works);
  hone__call_end(&call);
  return status;
}

hone_status hone_try(const struct hone_spec *spec, const struct hone_tune_options *options,
                     const char *config, char **out_text, bool *out_works)
{
  return try_call(spec, options, config, hone__attempt_text, out_text, out_works);
}

hone_status hone_try_json(const struct hone_spec *spec, const struct hone_tune_options *options,
                          const char *config, char **out_json, bool *out_works)
{
  return try_call(spec, options, config, hone__attempt_json, out_json, out_works);
}
