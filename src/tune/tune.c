/* `hone tune`, from a spec to a verdict: the whole pipeline.
 *
 *   spec ─► space ─► task ─► store (known? resume?) ─► workers ─► baseline ─► screen ─► race ─►
 *   confirm ─► verdict ─► store
 *
 * Each problem of the spec, with each shape, is a separate run. A stage either returns a status
 * (the run cannot continue) or leaves its results in `tuning`; failures of a candidate are outcomes
 * in the store.
 */
#include "tune/tuning.h"

#include "session/call.h"
#include "session/knobs.h"
#include "session/tuned.h"
#include "tune/absent_kind.h"
#include "tune/baseline_limit.h"
#include "tune/baseline_modes.h"
#include "tune/contest.h"
#include "tune/contest_time.h"
#include "tune/elsewhere.h"
#include "tune/kind_threads.h"
#include "tune/objectives.h"
#include "tune/quick.h"
#include "tune/screened_stage.h"
#include "tune/time_left.h"
#include "tune/tune.h"

#include <stdlib.h>

static const double GRACE_S = 10; /* to confirm results after the first signal */

/* ---- The purpose ---- */

static void on_interrupt(struct hone__session *session, const char *what)
{
  const struct hone__tuning *tuning = (const struct hone__tuning *)session;

  session->control.stop_at = hone__control_now(&session->control) + GRACE_S;
  if (!tuning->ranking.count) session->control.aborting = true; /* there is nothing to confirm */
  hone__session_say(session, HONE_EVENT_NOTE,
                    "%s: stopping; measurements are kept, and the best candidate is confirmed if "
                    "that takes less than %.0f s (repeat to stop at once)",
                    what, GRACE_S);
}

/* `hone run` has no store, and nothing to confirm. */
static void on_run_interrupt(struct hone__session *session, const char *what)
{
  session->control.aborting = true;
  hone__session_say(session, HONE_EVENT_NOTE,
                    "%s: stopping; what was measured so far is printed, and nothing is kept", what);
}

static void fill_progress(const struct hone__session *session, struct hone_event *event)
{
  const struct hone__tuning *tuning = (const struct hone__tuning *)session;
  const struct hone__patience *patience = &tuning->search.patience;

  event->eta_s = hone__tuning_time_left_s(tuning);
  event->best_speedup = 1 / tuning->ranking.best_ratio;
  event->patience = patience->least ? hone__patience_left(patience) : 0;
}

const struct hone__purpose hone__purpose_tune = {.init_task = hone__task_init,
                                                 .is_stored = true,
                                                 .needs_baseline = true,
                                                 .stops_at_equal_failures = true,
                                                 .on_interrupt = on_interrupt,
                                                 .fill_progress = fill_progress};

const struct hone__purpose hone__purpose_run = {.init_task = hone__task_init,
                                                .needs_baseline = true,
                                                .builds_anew = true,
                                                .on_interrupt = on_run_interrupt,
                                                .fill_progress = fill_progress};

/* ---- Resuming ---- */

static bool take_up(void *data, struct hone__candidate *candidate,
                    const struct hone__evaluation *old)
{
  if (!hone__tuning_candidate_holds_here(candidate, old)) return false;
  hone__tuning_take_up(data, candidate->row, old);
  return true;
}

/* After the baseline is built and the devices are known: earlier measurements must still be valid.
 */
static hone_status resume(struct hone__tuning *tuning)
{
  struct hone__session *session = &tuning->session;
  hone_status status = hone__session_resume(session, take_up, tuning);

  session->progress.done_before = session->progress.event.done;
  hone__tuning_limit_search(tuning);
  return status;
}

/* ---- Notes ---- */

static void explain_baseline(struct hone__session *session)
{
  const struct hone__task *task = &session->problem.task;
  struct hone__text text = {0};

  if (!task->baseline_given)
    hone__session_say(session, HONE_EVENT_WARNING,
                      "the spec has no 'baseline': using the first configuration");
  if (task->backend->driver.explain_baseline) task->backend->driver.explain_baseline(task, &text);
  if (text.length) hone__words_add(&session->entry.notes, text.data);
  hone__text_release(&text);
}

/* Drivers of GPUs say themselves what they did about it. */
static void explain_clocks(struct hone__session *session)
{
  const struct hone__backend *backend = session->problem.task.backend;
  bool is_gpu = backend->driver.is_beside_cpu &&
                backend->driver.is_beside_cpu(hone__session_devices(session));

  if (!session->settings.options->lock_clocks || is_gpu) return;
  hone__session_say(session, HONE_EVENT_WARNING,
                    "--lock-clocks has no effect on backend '%s': it keeps the clocks of GPUs "
                    "only; 'hone doctor' says how to quiet a CPU",
                    backend->name);
}

static void begin_notes(struct hone__session *session)
{
  hone__session_phase(session, HONE_PHASE_START, hone_space_count(session->problem.space));
  explain_baseline(session);
  explain_clocks(session);
  hone__session_begin_notes(session);
  if (!session->problem.task.check) hone__session_warn_unchecked(session);
}

static void end_notes(struct hone__tuning *tuning)
{
  const struct hone__tuning_baseline *baseline = &tuning->baseline;

  hone__session_end_notes(&tuning->session);
  hone__screened_stage_note(tuning);
  if (baseline->forced_switches > 2 * baseline->readings)
    hone__session_say(&tuning->session, HONE_EVENT_WARNING,
                      "the baseline was preempted %llu times in %llu readings: other programs run "
                      "on this machine",
                      (unsigned long long)baseline->forced_switches,
                      (unsigned long long)baseline->readings);
}

/* ---- Stages ---- */

static hone_status open_workers(struct hone__tuning *tuning)
{
  hone_status status = hone__session_open_builders(&tuning->session);

  if (status || tuning->session.settings.options->stop_after == HONE_STAGE_BUILD) return status;
  return hone__session_open_runners(&tuning->session);
}

struct case_work { /* the runs of a case, one for each kind of its devices */
  const struct hone__cases *cases;
  const struct hone__case *which;
  struct hone_store *store;
  struct hone__session_result *result;
  struct hone__arena arena;
  struct hone__kind_list kinds; /* that of the first run comes first */
  struct hone__tuning_kind_run *runs;
  size_t run_count;
  struct hone__tuning_relay *relay;
  struct hone__tuning_kind_threads *threads; /* of the other kinds; of the first run only */
  struct hone__tuning_kind_thread *thread;   /* that makes this run; NULL: the caller's */
};

static void begin_other_kinds(struct case_work *work, const struct hone__session *session)
{
  struct hone__kind_list kinds;

  if (session->problem.which.kind || !hone__tuning_kinds_at_once(session)) return;
  if (session->control.aborting) return;
  hone__session_kinds(session, &work->arena, &kinds);
  hone__tuning_kind_threads_begin(work->threads, &kinds, work->cases, work->which, work->relay);
}

static hone_status run_stages(struct hone__tuning *tuning, struct case_work *work)
{
  enum hone_stage last = tuning->session.settings.options->stop_after;
  hone_status status = last == HONE_STAGE_GENERATE ? NULL : open_workers(tuning);

  if (!status) status = hone__tuning_open_search(tuning);
  if (status || last == HONE_STAGE_GENERATE) return status;
  status = hone__tuning_baseline(tuning);
  if (!status && last != HONE_STAGE_BUILD && hone__baseline_limit_was_met(tuning)) {
    hone__contest_without_candidates(tuning);
    return NULL;
  }
  if (!status) begin_other_kinds(work, &tuning->session);
  if (!status && tuning->session.workers.absent_kind)
    status = hone__tuning_await_kind(tuning, work->threads);
  if (tuning->session.workers.absent_kind) return status;
  if (!status) hone__baseline_limit_warn(tuning);
  tuning->search.asked_from = hone__control_now(&tuning->session.control);
  if (!status && last != HONE_STAGE_BUILD) hone__tuning_objectives_look_for_energy(tuning);
  if (!status && !tuning->session.control.aborting)
    hone__tuning_tell_baseline(tuning, tuning->search.set);
  if (!status) status = resume(tuning);
  if (!status && !hone__control_over(&tuning->session.control))
    status = hone__tuning_screen(tuning);
  hone__session_knobs_warn(&tuning->session);
  if (status || tuning->session.control.aborting || last == HONE_STAGE_BUILD) return status;
  hone__quick_begin(tuning);
  if (!tuning->session.control.interrupted) hone__tuning_last_readings(tuning);
  if (tuning->session.control.aborting || last == HONE_STAGE_SCREEN) return NULL;
  return hone__tuning_contest(tuning);
}

static void find_kinds(struct case_work *work, const struct hone__session *session)
{
  if (!session->problem.which.kind) hone__session_kinds(session, &work->arena, &work->kinds);
}

static hone_status do_run(struct hone__tuning *tuning, struct case_work *work)
{
  struct hone__session *session = &tuning->session;
  hone_status status = hone__session_open_loop(session);

  if (status) return hone__session_close_run(session, status);
  begin_notes(session);
  status = run_stages(tuning, work);
  if (!status && !session->workers.absent_kind) hone__tuning_note_modes(tuning);
  end_notes(tuning);
  find_kinds(work, session);
  hone__session_close_workers(session);
  hone__session_close_loop(session);
  if (tuning->baseline.candidate)
    session->entry.result.baseline = tuning->baseline.candidate->config;
  if (session->workers.absent_kind) hone__session_keep_result(session);
  return hone__session_close_run(session, status);
}

/* ---- One case ---- */

static hone_status tune_or_answer(struct case_work *work, struct hone__tuning *tuning)
{
  struct hone__session *session = &tuning->session;
  hone_status status = hone__session_begin_run(session, !work->cases->options->stages);

  if (work->thread) hone__tuning_kind_begun(work->thread);
  session->entry.may_reuse =
      !session->entry.run.is_fresh && work->cases->options->per_device != HONE_PER_DEVICE_EACH;
  if (!status && !session->entry.answered) status = do_run(tuning, work);
  if (!status && session->entry.answered && !session->problem.which.kind)
    status =
        hone__session_stored_kinds(work->store, session->entry.run.id, &work->arena, &work->kinds);
  return status;
}

/* `kind`: NULL for the first run, which finds the kinds. */
static hone_status tune_kind(struct case_work *work, const struct hone__kind *kind, size_t left,
                             int64_t *out_run)
{
  struct hone__tuning *tuning = hone__alloc(sizeof *tuning);
  struct hone__case which = *work->which;
  hone_status status;

  which.kind = kind;
  which.left = left;
  status = hone__tuning_open(tuning, work->cases->spec, &which, work->cases->options,
                             &hone__purpose_tune);
  tuning->session.entry.store = work->store;
  if (!status) status = tune_or_answer(work, tuning);
  *out_run = tuning->session.entry.run.id;
  status = hone__cases_take(work->cases, &tuning->session, status, work->result);
  hone__tuning_release(tuning);
  free(tuning);
  return status;
}

/* Runs that are left, with that of the i-th kind. */
static size_t runs_left(const struct case_work *work, size_t i)
{
  return (work->which->left ? work->which->left - 1 : 0) + work->kinds.count - i;
}

static hone_status make_in_thread(struct hone__tuning_kind_thread *thread)
{
  struct case_work work = {.cases = &thread->cases,
                           .which = &thread->which,
                           .store = thread->store,
                           .result = &thread->result,
                           .thread = thread};
  hone_status status;

  thread->result.answered = true;
  status = tune_kind(&work, &thread->kind, thread->which.left, &thread->run);
  hone__arena_release(&work.arena);
  return status;
}

/* A thread has made it already. */
static hone_status take_made(struct case_work *work, struct hone__tuning_kind_thread *thread,
                             int64_t *out_run)
{
  struct hone__session_result *all = work->result, *own = &thread->result;
  hone_status status = thread->status;

  for (size_t i = 0; i < own->run_count; i++) {
    HONE__GROW(all->runs, all->run_count, all->run_capacity);
    all->runs[all->run_count++] = own->runs[i];
  }
  all->worked += own->worked;
  all->worked_s += own->worked_s;
  all->interrupted = all->interrupted || own->interrupted;
  all->answered = all->answered && own->answered;
  *out_run = thread->run;
  thread->status = NULL;
  return status;
}

/* Those that are not made yet, since they share builders or CPUs with others or were found late,
 * are made one after the other. */
static hone_status tune_other_kinds(struct case_work *work)
{
  hone_status status = NULL;

  for (size_t i = 1; i < work->kinds.count; i++) {
    struct hone__kind *kind = &work->kinds.all[i];
    struct hone__tuning_kind_run *run = &work->runs[work->run_count];
    struct hone__tuning_kind_thread *thread = hone__tuning_kind_threads_find(work->threads, kind);
    hone_status failure;
    if (!thread && work->result->interrupted) continue;
    failure = thread ? take_made(work, thread, &run->run)
                     : tune_kind(work, kind, runs_left(work, i), &run->run);
    run->kind = kind;
    work->run_count += !failure;
    if (status)
      hone_status_free(failure); /* the first is reported; the others are in the store */
    else
      status = failure;
  }
  return status;
}

static bool wants_comparison(const struct case_work *work)
{
  const struct hone_tune_options *options = work->cases->options;

  return work->run_count > 1 && !work->result->interrupted && !options->no_confirm &&
         options->stop_after == HONE_STAGE_ALL && !options->lookup;
}

/* The first run, and those of the kinds that it finds. */
static hone_status tune_kinds(struct case_work *work)
{
  struct hone__tuning_kind_run first = {0};
  hone_status status = tune_kind(work, NULL, work->which->left, &first.run), other;

  hone__tuning_kind_threads_join(work->threads);
  if (work->kinds.count < 2 || (status && !work->threads->count)) return status;
  work->runs = hone__arena_alloc(&work->arena, work->kinds.count * sizeof *work->runs);
  first.kind = &work->kinds.all[0];
  work->runs[0] = first;
  work->run_count = !status;
  other = tune_other_kinds(work);
  if (status)
    hone_status_free(other);
  else
    status = other;
  return status;
}

static hone_status tune_case(const struct hone__cases *cases, const struct hone__case *which,
                             struct hone_store *store, struct hone__session_result *result)
{
  struct hone__tuning_kind_threads threads = {.make = make_in_thread};
  struct hone__tuning_relay relay;
  struct hone__tuning_reporter reporter;
  struct hone__cases own = *cases;
  struct case_work work = {.cases = &own,
                           .which = which,
                           .store = store,
                           .result = result,
                           .relay = &relay,
                           .threads = &threads};
  hone_status status;

  hone__tuning_relay_init(&relay, cases->options);
  hone__tuning_reporter_init(&reporter, &relay, 0);
  own.options = &reporter.options;
  status = tune_kinds(&work);
  if (!status && wants_comparison(&work))
    status = hone__tuning_compare_kinds(cases, which, store, work.runs, work.run_count);
  hone__tuning_kind_threads_release(&threads);
  hone__tuning_relay_release(&relay);
  hone__arena_release(&work.arena);
  return status;
}

hone_status hone__tune_solved(const struct hone_spec *spec, struct hone_space *space,
                              const struct hone_tune_options *options,
                              struct hone__session_result *out_result)
{
  const bool is_default = !options->problem_sizes && !options->device;

  return hone__cases_work(spec, is_default ? space : NULL, options, tune_case, out_result);
}

hone_status hone_tune(const struct hone_spec *spec, const struct hone_tune_options *options,
                      struct hone_tuning **out_tuning)
{
  struct hone__session_result result = {0};
  struct hone__call call;
  hone_status status = hone__call_begin(&call, options);

  *out_tuning = NULL;
  if (!status) {
    status = hone__tune_solved(spec, NULL, &call.options, &result);
    status = hone__session_tuned_make(&call.options, &result, status, out_tuning);
  }
  hone__call_end(&call);
  return status;
}
