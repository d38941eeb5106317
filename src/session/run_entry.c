/* The run in the store: finding it, waiting for it, starting, resuming and closing it.
 *
 * A run has a key (identity.h). A finished run of the same key answers; an interrupted one is
 * resumed: its evaluations that are still valid are taken over. Otherwise a new one is started.
 */
#include "session/session.h"

#include "base/quoted_text.h"
#include "session/deps_text.h"
#include "session/identity.h"
#include "store/stored.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

/* ---- What still holds ---- */

bool hone__session_deps_are_current(const struct hone__session *session, const char *deps)
{
  const struct hone__backend_driver *driver = &session->problem.task.backend->driver;
  struct hone__pairs list = {0};
  bool current = hone__deps_parse(deps, &list) &&
                 (!driver->deps_are_current || driver->deps_are_current(&list));

  hone__pairs_release(&list);
  return current;
}

struct past { /* evaluations of earlier sessions, as they are read */
  struct hone__session *session;
  char *deps; /* the last list, and its result: most lists are equal */
  bool deps_are_current;
  hone__take_evaluation *take;
  void *data;
  size_t taken;
};

static bool deps_hold(struct past *past, const char *deps)
{
  if (!deps) return true;
  if (past->deps && strcmp(past->deps, deps) == 0) return past->deps_are_current;
  free(past->deps);
  past->deps = hone__strdup(deps);
  past->deps_are_current = hone__session_deps_are_current(past->session, deps);
  return past->deps_are_current;
}

/* ---- A finished run ---- */

/* False stops the reading: a part has to be tried again, or an included file has changed. */
static bool is_current(void *data, const struct hone__evaluation *evaluation)
{
  struct past *past = data;
  struct hone__run_entry *entry = &past->session->entry;

  entry->answered =
      hone__outcome_is_evidence(evaluation->outcome) && deps_hold(past, evaluation->deps);
  return entry->answered;
}

/* The newest run of the same key answers if it is finished and current. */
static hone_status find_answer(struct hone__session *session)
{
  struct hone__run_entry *entry = &session->entry;
  struct past past = {.session = session};
  int64_t finished = 0;
  hone_status status = hone__store_run_finished(entry->store, entry->run.key, &finished);

  if (status || !finished) return status;
  entry->answered = true;
  status = hone__store_evaluations(entry->store, finished, is_current, &past);
  free(past.deps);
  if (status) entry->answered = false;
  if (entry->answered) entry->run.id = finished;
  return status;
}

/* ---- One process at a time ---- */

static const double POLL_S = 0.05; /* between two looks at whether the other process has ended */

/* "run 12 is being tuned by pid 4711 on host b5 since 2026-11-16 18:00:03 UTC"; between the lock
 * and the first row not known. Lent by the session. */
static const char *describe_maker(struct hone__session *session,
                                  const struct hone__store_run_maker *maker)
{
  if (!maker->run) return "this problem is being tuned by another process";
  return hone__arena_printf(&session->arena, "run %lld is being tuned by pid %lld on host %s%s%s%s",
                            (long long)maker->run, (long long)maker->pid, maker->host,
                            *maker->since ? " since " : "", maker->since,
                            *maker->since ? " UTC" : "");
}

/* *out_claimed: no other process makes this run. Where the file system has no locks, the store
 * tells. */
static hone_status try_claim(struct hone__session *session, bool *out_claimed,
                             struct hone__store_run_maker *out_maker)
{
  struct hone__run_entry *entry = &session->entry;
  hone_status status;

  *out_claimed = hone__store_run_lock_take(&entry->lock, entry->store, entry->run.key);
  entry->run.is_locked = entry->lock.is_held;
  if (entry->lock.is_held) return NULL;
  status = hone__store_run_maker(entry->store, entry->run.key, out_maker);
  if (*out_claimed) *out_claimed = !out_maker->is_elsewhere;
  return status;
}

hone_status hone__session_is_made_elsewhere(struct hone__session *session, bool *out_elsewhere)
{
  struct hone__store_run_maker maker;
  bool is_claimed;
  hone_status status = try_claim(session, &is_claimed, &maker);

  hone__store_run_lock_release(&session->entry.lock);
  session->entry.run.is_locked = false;
  *out_elsewhere = !status && !is_claimed;
  return status;
}

static void report_waiting(struct hone__session *session, const struct hone__store_run_maker *maker,
                           double seconds)
{
  struct hone_event event = {.kind = HONE_EVENT_PROGRESS,
                             .phase_id = HONE_PHASE_WAITING,
                             .done = maker->done,
                             .elapsed_s = seconds,
                             .eta_s = NAN,
                             .idle = NAN,
                             .best_speedup = NAN};

  hone__session_emit(session, &event);
}

static void pause_for(double seconds)
{
  struct timespec time = {.tv_nsec = (long)(1e9 * seconds)};

  nanosleep(&time, NULL);
}

/* Waiting for another process does not use up the budget. */
static hone_status wait_for_maker(struct hone__session *session,
                                  struct hone__store_run_maker *maker)
{
  double before = hone__clock(), waited = 0;
  bool is_claimed = false;
  hone_status status = NULL;

  while (!status && !is_claimed && !hone__control_is_cancelled(&session->control)) {
    pause_for(POLL_S);
    status = try_claim(session, &is_claimed, maker);
    waited = hone__clock() - before;
    if (!is_claimed) report_waiting(session, maker, waited);
  }
  session->control.started += waited;
  session->control.stop_at += waited;
  session->control.ends_at += waited;
  if (!status && !is_claimed)
    status = hone__error(HONE_CANCELLED, "cancelled while another process made this run");
  return status;
}

static hone_status claim(struct hone__session *session)
{
  struct hone__store_run_maker maker;
  bool is_claimed;
  hone_status status = try_claim(session, &is_claimed, &maker);

  if (status || is_claimed) return status;
  if (session->settings.options->no_wait)
    return hone__error(HONE_UNAVAILABLE, "%s; without --no-wait, this command waits for it",
                       describe_maker(session, &maker));
  hone__session_say(session, HONE_EVENT_NOTE, "%s: waiting (--no-wait ends instead)",
                    describe_maker(session, &maker));
  return wait_for_maker(session, &maker);
}

/* ---- Beginning ---- */

/* Without locks another process may have been faster: then it is waited for. */
static bool is_late(struct hone__session *session, hone_status status)
{
  const struct hone__run_entry *entry = &session->entry;
  struct hone__store_run_maker maker = {0};

  if (hone_status_code(status) != HONE_UNAVAILABLE || entry->run.is_locked) return false;
  hone_status_free(hone__store_run_maker(entry->store, entry->run.key, &maker));
  return maker.is_elsewhere;
}

static hone_status claim_and_begin(struct hone__session *session, bool may_answer)
{
  struct hone__run_entry *entry = &session->entry;
  hone_status status = claim(session);

  if (!status && may_answer) status = find_answer(session); /* another process may have made it */
  if (status || entry->answered) return status;
  return hone__store_run_begin(entry->store, &entry->run, &entry->resumed);
}

hone_status hone__session_begin_run(struct hone__session *session, bool may_answer)
{
  struct hone__run_entry *entry = &session->entry;
  hone_status status = hone__identity_make(session);

  may_answer = may_answer && !session->settings.options->fresh;
  if (!status && may_answer) status = find_answer(session);
  if (status || entry->answered) return status;
  if (session->settings.options->lookup)
    return hone__error(HONE_NOT_FOUND, "the store has no finished run of this problem");
  status = claim_and_begin(session, may_answer);
  while (!session->settings.options->no_wait && is_late(session, status)) {
    hone_status_free(status);
    status = claim_and_begin(session, may_answer);
  }
  return status;
}

/* ---- Resuming ---- */

static bool is_same(const struct hone__candidate *candidate, const struct hone__evaluation *old)
{
  const char *key = candidate->evaluation.candidate_key;

  return old->candidate_key && strcmp(old->candidate_key, key) == 0;
}

static hone_status make_candidate(struct hone__session *session, const char *config,
                                  struct hone__candidate **out_candidate)
{
  uint32_t *row = hone__alloc(hone_space_width(session->problem.space) * sizeof *row);
  hone_status status = hone_space_parse(session->problem.space, config, row);

  if (!status) status = hone__candidate_new(session, row, out_candidate);
  free(row);
  return status;
}

static bool take_up(void *data, const struct hone__evaluation *old)
{
  struct past *past = data;
  struct hone__candidate *candidate = NULL;

  if (old->is_baseline || !hone__outcome_is_repeatable(old->outcome)) return true;
  hone_status_free(make_candidate(past->session, old->config, &candidate));
  if (candidate && is_same(candidate, old) && deps_hold(past, old->deps))
    past->taken += past->take(past->data, candidate, old);
  hone__candidate_free(candidate);
  return true;
}

hone_status hone__session_resume(struct hone__session *session, hone__take_evaluation *take,
                                 void *data)
{
  const struct hone__run_entry *entry = &session->entry;
  struct past past = {.session = session, .take = take, .data = data};
  hone_status status;

  if (!entry->resumed) return NULL;
  status = hone__store_evaluations(entry->store, entry->run.id, take_up, &past);
  free(past.deps);
  hone__session_say(session, HONE_EVENT_NOTE, "resuming run %lld: %zu configurations are known",
                    (long long)entry->run.id, past.taken);
  return status;
}

/* ---- The end ---- */

void hone__session_keep_result(struct hone__session *session)
{
  struct hone__store_run_stored stored;
  hone_status status =
      hone__store_run(session->entry.store, session->entry.run.id, &session->arena, &stored);

  if (!status) {
    session->entry.result = stored.result;
    session->entry.result.devices = NULL; /* as it is */
    session->entry.result.two_groups =
        stored.result.two_groups ? hone__strdup(stored.result.two_groups) : NULL;
  }
  hone__control_fail(&session->control, status);
}

hone_status hone__session_close_run(struct hone__session *session, hone_status status)
{
  struct hone__store_run_result *result = &session->entry.result;
  struct hone__text notes = {0}, screening = {0};
  hone_status closed;

  if (!status && session->control.failure) {
    status = session->control.failure;
    session->control.failure = NULL;
  }
  result->state =
      status ? HONE_RUN_FAILED
      : session->control.interrupted || session->control.aborting || session->workers.absent_kind
          ? HONE_RUN_INTERRUPTED
          : HONE_RUN_FINISHED;
  if (status) result->why = hone_status_message(status);
  result->wall_s = hone__control_now(&session->control) - session->control.started;
  hone__quote_words(&notes, &session->entry.notes);
  if (session->entry.use) hone__packed_print(session->entry.use, &screening);
  result->notes = notes.data;
  result->screening = screening.data;
  closed = hone__store_run_finish(session->entry.store, session->entry.run.id, result);
  if (!closed) closed = hone__store_sync(session->entry.store);
  hone__text_release(&notes);
  hone__text_release(&screening);
  free((char *)result->two_groups);
  result->two_groups = NULL;
  if (status) {
    hone_status_free(closed);
    return status;
  }
  return closed;
}
