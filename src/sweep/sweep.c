/* `hone sweep`: builds and runs every configuration of each problem and shape once, each problem
 * with each shape in its own run.
 */
#include "sweep/sweep.h"

#include "session/call.h"
#include "session/tuned.h"

#include <stdlib.h>

enum { LONGEST_NAME = 224, HASH_DIGITS = 8 }; /* of a folder: the limit of kbench */
static const double TIMEOUT_S = 120;

static const struct hone__strategy all_once = {.name = HONE__STRATEGY_OF_SWEEPS,
                                               .summary = "every configuration once"};

/* ---- The purpose ---- */

static void on_interrupt(struct hone__session *session, const char *what)
{
  session->control.aborting = true; /* there is nothing to confirm */
  hone__session_say(session, HONE_EVENT_NOTE,
                    "%s: stopping; measurements are kept; run the same command to continue", what);
}

/* A sweep counts builds first, then runs: each phase has its own rate. */
static double phase_eta_s(const struct hone__session *session)
{
  const struct hone_event *p = &session->progress.event;
  double done = (double)p->done - (double)session->progress.done_before;

  if (p->total <= p->done || !(done > 0)) return NAN;
  return (double)(p->total - p->done) *
         (hone__control_now(&session->control) - session->progress.phase_began) / done;
}

static void fill_progress(const struct hone__session *session, struct hone_event *event)
{
  event->eta_s = phase_eta_s(session);
  event->best_speedup = 1; /* there is no baseline */
  event->patience = 0;
}

static const struct hone__purpose purpose = {.init_task = hone__task_init_sweep,
                                             .is_stored = true,
                                             .on_interrupt = on_interrupt,
                                             .fill_progress = fill_progress};

/* ---- Opening ---- */

/* Programs of several runs use separate folders, with kbench's name of the shape: "stem_M-1_N-3".
 */
static const char *work_folder(struct hone__session *session)
{
  const struct hone_tune_options *options = session->settings.options;
  const struct hone_spec *spec = session->problem.task.spec;
  size_t problems = options->problems ? options->problem_count : spec->problem_count;
  struct hone__text name = {0};
  char digest[HONE__DIGEST_SIZE];
  const char *folder;

  if (!options->output_dir || (!spec->shapes && problems < 2)) return options->output_dir;
  hone__text_addf(&name, "%s_", spec->stem);
  for (const char *p = session->problem.task.problem; *p; p++)
    if (*p != '$') hone__text_addn(&name, *p == '=' ? "-" : strchr(" /", *p) ? "_" : p, 1);
  if (name.length >= LONGEST_NAME) {
    hone__digest(name.data, name.length, digest);
    name.length = LONGEST_NAME - HASH_DIGITS;
    while (name.length && (name.data[name.length] & 0xc0) == 0x80)
      name.length--; /* not within a character */
    hone__text_addf(&name, "%.*s", HASH_DIGITS, digest);
  }
  folder = hone__arena_printf(&session->arena, "%s/%s", options->output_dir, name.data);
  hone__text_release(&name);
  return folder;
}

static void settle(struct hone__session *session)
{
  struct hone__session_settings *settings = &session->settings;

  settings->strategy = &all_once;
  settings->cached_only = settings->options->run_only;
  if (!settings->timeout_given) session->workers.call_timeout_s = TIMEOUT_S;
  settings->timeout_given = true;
  session->problem.task.output_dir = work_folder(session);
}

hone_status hone__sweep_open(struct hone__sweep *sweep, const struct hone_spec *spec,
                             const struct hone__case *which,
                             const struct hone_tune_options *options)
{
  hone_status status;

  *sweep = (struct hone__sweep){0};
  status = hone__session_open(&sweep->session, spec, which, options, &purpose);
  if (status) return status;
  settle(&sweep->session);
  return hone__session_describe(&sweep->session);
}

void hone__sweep_release(struct hone__sweep *sweep)
{
  for (size_t i = 0; i < sweep->build_count; i++)
    free(sweep->builds[i].bytes);
  free(sweep->builds);
  free(sweep->owner);
  free(sweep->losses);
  free(sweep->on_site);
  hone__schedule_free(sweep->schedule);
  hone__session_release(&sweep->session);
}

/* ---- One case ---- */

static void begin_notes(struct hone__session *session)
{
  hone__session_phase(session, HONE_PHASE_START, hone_space_count(session->problem.space));
  hone__session_begin_notes(session);
  if (session->settings.options->no_check) hone__session_warn_unchecked(session);
}

static hone_status do_run(struct hone__sweep *sweep)
{
  struct hone__session *session = &sweep->session;
  hone_status status = hone__session_open_loop(session);

  if (status) return hone__session_close_run(session, status);
  begin_notes(session);
  status = hone__sweep_work(sweep);
  hone__session_end_notes(session);
  hone__session_close_workers(session);
  hone__session_close_loop(session);
  return hone__session_close_run(session, status);
}

static hone_status sweep_case(const struct hone__cases *cases, const struct hone__case *which,
                              struct hone_store *store, struct hone__session_result *result)
{
  struct hone__sweep sweep;
  hone_status status = hone__sweep_open(&sweep, cases->spec, which, cases->options);

  sweep.session.entry.store = store;
  if (!status) status = hone__session_begin_run(&sweep.session, false);
  if (!status) status = do_run(&sweep);
  status = hone__cases_take(cases, &sweep.session, status, result);
  hone__sweep_release(&sweep);
  return status;
}

hone_status hone_sweep(const struct hone_spec *spec, const struct hone_tune_options *options,
                       struct hone_tuning **out_tuning)
{
  struct hone__session_result result = {0};
  struct hone__call call;
  hone_status status = hone__call_begin(&call, options);

  *out_tuning = NULL;
  if (!status) {
    status = hone__cases_work(spec, NULL, &call.options, sweep_case, &result);
    status = hone__session_tuned_make(&call.options, &result, status, out_tuning);
  }
  hone__call_end(&call);
  return status;
}
