/* session.h - one process's work at one run: what session, sweeps and `hone run` share.
 *
 * Each part belongs to the files that its own header names. Everything that was learned is in the
 * store before the next reply is looked at.
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
#include "session/workers.h"

struct hone__session {
  struct hone__settings settings;
  struct hone__problem_setup problem;
  struct hone__objectives objectives;
  struct hone__control control;
  struct hone__workers workers;
  struct hone__builds builds;
  struct hone__run_entry entry;
  struct hone__progress progress;
  struct hone__arena arena; /* texts that live as long as the session */
};

/* ---- opening (opening.c) ---- */
/* What device.* means for a spec, and which devices `all` are. */
hone_status hone__session_choose_device(const struct hone_spec *spec,
                                        const struct hone_tune_options *options,
                                        struct hone__device_choice *out_choice);
/* Space, task and common settings; release it also after a failure. */
hone_status hone__session_open(struct hone__session *session, const struct hone_spec *spec,
                               const struct hone__case *which,
                               const struct hone_tune_options *options,
                               const struct hone__purpose *purpose);
/* Once all is settled: the setup for workers. */
hone_status hone__session_describe(struct hone__session *session);
/* After a change of it: what all setups have in common is read anew. */
hone_status hone__session_read_setup(struct hone__session *session);
/* Another configuration becomes the baseline: the setup is described anew. */
hone_status hone__session_rebase(struct hone__session *session, const uint32_t *row);
void hone__session_release(struct hone__session *session);
/* Options, spec, defaults, but for those of the search (settle.c). */
void hone__session_settle(struct hone__session *session);

/* ---- answers (compared_with.c) ---- */
/* What they are compared with. */
enum hone__answers hone__session_answers(const struct hone__session *session);

/* ---- the run in the store (run_entry.c) ---- */
/* Finds or begins the run of this session. With `may_answer`, a finished run of the same key ends
 * it: entry.answered. Waits while another process makes a run of this key; with `no_wait`:
 * UNAVAILABLE.
 */
hone_status hone__session_begin_run(struct hone__session *session, bool may_answer);
/* Of a run that is resumed: each evaluation of an earlier session that would come out the same
 * today, and the candidate that it is of, which is freed after the call. True: it is taken. */
typedef bool hone__take_evaluation(void *data, struct hone__candidate *candidate,
                                   const struct hone__evaluation *old);
hone_status hone__session_resume(struct hone__session *session, hone__take_evaluation *take,
                                 void *data);
/* Writes how the run ended: `status`, or the session's failure, which is handed back. */
hone_status hone__session_close_run(struct hone__session *session, hone_status status);
/* The files that a build depended on, as JSON, are what they were. */
bool hone__session_deps_are_current(const struct hone__session *session, const char *deps);

/* ---- the loop (loop.c) ---- */
hone_status hone__session_open_loop(struct hone__session *session);
void hone__session_close_loop(struct hone__session *session);
/* After an abort: cancels every job and waits for the replies, so that no callback comes later.
 */
void hone__session_abandon(struct hone__session *session, const size_t *pending);

/* ---- workers (workers.c, reference.c) ---- */
hone_status hone__session_open_builders(struct hone__session *session);
hone_status hone__session_open_runners(struct hone__session *session);
void hone__session_close_workers(struct hone__session *session);
/* Devices to measure on, separated by commas. */
const char *hone__session_devices(const struct hone__session *session);
/* What they are told before the first job. */
void hone__session_set_up_builders(struct hone__session *session);
void hone__session_set_up_runners(struct hone__session *session);
/* Builds and waits. */
void hone__session_build_now(struct hone__session *session, struct hone__candidate *candidate);
/* UNAVAILABLE if it was not built; `what` names it. */
hone_status hone__session_check_built(const struct hone__candidate *candidate, const char *what);
/* Builds the reference, if it is an object, and puts it into the setup of runners. `baseline` may
 * be NULL; else it gets the files that the reference depends on. */
hone_status hone__session_build_reference(struct hone__session *session,
                                          struct hone__candidate *baseline);

/* ---- telling people (notify.c) ---- */
void hone__session_phase(struct hone__session *session, const char *phase, uint64_t total);
void hone__session_progress(struct hone__session *session, bool now);
void hone__session_log(struct hone__session *session, const char *format, ...) HONE__PRINTF(2, 3);
/* A note or warning: event, log, and in the report. */
void hone__session_say(struct hone__session *session, enum hone_event_kind kind, const char *format,
                       ...) HONE__PRINTF(3, 4);
/* In the report alone. */
void hone__session_note(struct hone__session *session, const char *format, ...) HONE__PRINTF(2, 3);
void hone__session_emit(struct hone__session *session, const struct hone_event *event);
/* How many answers were compared for a reply. */
void hone__session_count_comparisons(struct hone__session *session,
                                     const struct hone__reply *reply);
/* The same, and what a runner noted beside its measuring; each note is told once. */
void hone__session_remark(struct hone__session *session, size_t site,
                          const struct hone__reply *reply);
/* Notes about the spec and the machine, before. */
void hone__session_begin_notes(struct hone__session *session);
/* Says that answers are not checked, and how they can be. */
void hone__session_warn_unchecked(struct hone__session *session);
/* Notes about devices and comparisons, after. */
void hone__session_end_notes(struct hone__session *session);

/* ---- costs (candidate.c) ---- */
/* What a time costs, which is the time or what the spec's objective makes of it, as a ratio to that
 * of a time of the baseline: above 0, and less is better. NaN: one of them costs nothing known. */
double hone__session_cost_ratio(const struct hone__session *session, const uint32_t *row,
                                double time_ns, double baseline_ns);
/* Counts an outcome for the status line, but for `done` (recording.c). */
void hone__session_count(struct hone__session *session, const struct hone__evaluation *evaluation);

#endif
