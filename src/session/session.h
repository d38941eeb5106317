/* session.h - the work of one process on one run: common to tunings, sweeps and `hone run`.
 *
 * Each part belongs to the files that its header names. Every result is in the store before the
 * next reply is handled.
 */
#ifndef HONE_SESSION_SESSION_H
#define HONE_SESSION_SESSION_H

#include "backend/device_choice.h"
#include "base/memory.h"
#include "check/answers.h"
#include "session/builds.h"
#include "session/control.h"
#include "session/jobs.h"
#include "session/objective_set.h"
#include "session/problem_setup.h"
#include "session/progress.h"
#include "session/purpose.h"
#include "session/run_entry.h"
#include "session/settings.h"
#include "session/stages.h"
#include "session/timeline.h"
#include "session/workers.h"

struct hone__session {
  struct hone__session_settings settings;
  struct hone__session_problem problem;
  struct hone__objectives objectives;
  struct hone__control control;
  struct hone__workers workers;
  struct hone__builds builds;
  struct hone__run_entry entry;
  struct hone__progress progress;
  struct hone__timeline timeline;
  struct hone__stages stages; /* of a tuning: the host's callbacks */
  struct hone__arena arena;   /* texts that live as long as the session */
};

/* ---- opening (opening.c) ---- */
/* Determines the values of device.* for a spec, and the devices that `all` means. `kind`: of the
 * devices that are used, or NULL. */
hone_status hone__session_choose_device(const struct hone_spec *spec,
                                        const struct hone_tune_options *options,
                                        const struct hone__kind *kind,
                                        struct hone__device_choice *out_choice);
/* Opens space, task and common settings; release it even after a failure. */
hone_status hone__session_open(struct hone__session *session, const struct hone_spec *spec,
                               const struct hone__case *which,
                               const struct hone_tune_options *options,
                               const struct hone__purpose *purpose);
/* After all settings: creates the setup for workers. */
hone_status hone__session_describe(struct hone__session *session);
/* After a change of the setup: decodes the common fields again. */
hone_status hone__session_read_setup(struct hone__session *session);
/* Makes another configuration the baseline: creates the setup again. */
hone_status hone__session_rebase(struct hone__session *session, const uint32_t *row);
void hone__session_release(struct hone__session *session);
/* Options, spec, defaults, except those of the search (settle.c). */
void hone__session_settle(struct hone__session *session);

/* ---- answers (compared_with.c) ---- */
/* What answers are compared with. */
enum hone__answers hone__session_answers(const struct hone__session *session);

/* ---- the run in the store (run_entry.c) ---- */
/* Finds or starts the run of this session. With `may_answer`, a finished run of the same key
 * answers it: entry.answered. Waits while another process makes a run of this key; with `no_wait`:
 * UNAVAILABLE.
 */
hone_status hone__session_begin_run(struct hone__session *session, bool may_answer);
/* Whether another process, or another thread, makes the run of this session, which has its keys and
 * its store, just now. */
hone_status hone__session_is_made_elsewhere(struct hone__session *session, bool *out_elsewhere);
/* For a resumed run: called with each evaluation of an earlier session that is still valid, and
 * with its candidate, which is freed after the call. True: it is taken. */
typedef bool hone__take_evaluation(void *data, struct hone__candidate *candidate,
                                   const struct hone__evaluation *old);
hone_status hone__session_resume(struct hone__session *session, hone__take_evaluation *take,
                                 void *data);
/* The run stays as it was: what the store has is written again. */
void hone__session_keep_result(struct hone__session *session);
/* Writes how the run ended: `status`, or the session's failure, which is returned. */
hone_status hone__session_close_run(struct hone__session *session, hone_status status);
/* Whether the files that a build depended on, as JSON, are unchanged. */
bool hone__session_deps_are_current(const struct hone__session *session, const char *deps);

/* ---- the loop (loop.c) ---- */
hone_status hone__session_open_loop(struct hone__session *session);
void hone__session_close_loop(struct hone__session *session);
/* After an abort: cancels every job and waits for the replies, so that no callback comes later. */
void hone__session_abandon(struct hone__session *session, const size_t *pending);

/* ---- workers (workers.c, reference.c) ---- */
/* What all pools have: the program of workers, and their environment. */
hone_status hone__session_prepare_pool(struct hone__session *session,
                                       struct hone__pool_options *options);
void hone__session_on_delayed(void *session); /* of a pool */
/* Whether devices of this run are CPUs: compilers on their hosts disturb measurements. */
bool hone__session_takes_cpus(struct hone__session *session);
size_t hone__session_device_count(struct hone__session *session); /* for each worker */
const char *hone__session_worker_name(const struct hone_tune_options *options, size_t worker);
hone_status hone__session_open_builders(struct hone__session *session); /* builders.c */
hone_status hone__session_open_runners(struct hone__session *session);
void hone__session_close_workers(struct hone__session *session);
/* The builders of a served program, as the spec has them; 0: it has none, or is not served. */
size_t hone__session_served_builders(const struct hone__session *session);
/* Devices to measure on, separated by commas. */
const char *hone__session_devices(const struct hone__session *session);
/* Sends the builders their setup, before the first job. */
void hone__session_set_up_builders(struct hone__session *session);
void hone__session_set_up_runners(struct hone__session *session);
/* Builds and waits; or in two steps, between which other work is submitted. */
struct hone__candidate_wait {
  struct hone__candidate *candidate;
  size_t pending;
};
void hone__session_submit_build(struct hone__candidate_wait *wait,
                                struct hone__candidate *candidate);
void hone__session_await_build(struct hone__candidate_wait *wait);
void hone__session_build_now(struct hone__session *session, struct hone__candidate *candidate);
/* UNAVAILABLE if it was not built; `what` names it. */
hone_status hone__session_check_built(const struct hone__candidate *candidate, const char *what);
/* Builds the reference, if it is an object, and puts it into the setup of runners. `baseline` may
 * be NULL; otherwise it gets the files that the reference depends on. */
hone_status hone__session_build_reference(struct hone__session *session,
                                          struct hone__candidate *baseline);

/* ---- messages to the user (notify.c) ---- */
void hone__session_phase(struct hone__session *session, enum hone_phase phase, uint64_t total);
void hone__session_progress(struct hone__session *session, bool now);
void hone__session_log(struct hone__session *session, const char *format, ...) HONE__PRINTF(2, 3);
/* Emits a note or warning: event, log, and report. */
void hone__session_say(struct hone__session *session, enum hone_event_kind kind, const char *format,
                       ...) HONE__PRINTF(3, 4);
/* Adds a note to the report only. */
void hone__session_note(struct hone__session *session, const char *format, ...) HONE__PRINTF(2, 3);
void hone__session_emit(struct hone__session *session, const struct hone_event *event);
/* Adds the number of compared answers of a reply. */
void hone__session_count_comparisons(struct hone__session *session,
                                     const struct hone__reply *reply);
/* The same, and emits the notes of a runner; each note once. */
void hone__session_remark(struct hone__session *session, size_t site,
                          const struct hone__reply *reply);
/* Notes about the spec and the machine, at the start. */
void hone__session_begin_notes(struct hone__session *session);
/* Warns that answers are not checked, with advice. */
void hone__session_warn_unchecked(struct hone__session *session);
/* Notes about devices and comparisons, at the end. */
void hone__session_end_notes(struct hone__session *session);

/* ---- costs (candidate.c) ---- */
/* The cost of a time, by the spec's objective or the time itself, as a ratio to the cost of a time
 * of the baseline: above 0, lower is better. NaN: one of them has no known cost. */
double hone__session_cost_ratio(const struct hone__session *session, const uint32_t *row,
                                double time_ns, double baseline_ns);
/* Counts an outcome for the status line, except for `done` (recording.c). */
void hone__session_count(struct hone__session *session, const struct hone__evaluation *evaluation);

#endif
