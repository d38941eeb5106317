/* The run in the store: finding it, waiting for it, starting, resuming and closing it.
 *
 * A run has a key (identity.h). A finished run of the same key answers; an interrupted one is
 * resumed: its evaluations that are still valid are taken over. Otherwise a new one is started.
 */
#include "session/session.h"

#include "base/clock.h"
#include "base/quoted_text.h"
#include "session/deps_text.h"
#include "session/identity.h"

#include <stdlib.h>

/* ---- What still holds ---- */

bool hone__session_deps_are_current(const struct hone__session *session, const char *deps)
{
  struct hone__pairs list = {0};
  bool current = hone__deps_parse(deps, &list) &&
                 session->problem.task.backend->driver.deps_are_current(&list);

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

/* A failure that was not its fault may not happen again. */
static bool says_something(const struct hone__evaluation *evaluation)
{
  return hone__outcome_blame(evaluation->outcome) <= HONE__BLAME_CANDIDATE;
}

/* ---- A finished run ---- */

/* False stops the reading: a part has to be tried again, or an included file has changed. */
static bool is_current(void *data, const struct hone__evaluation *evaluation)
{
  struct past *past = data;
  struct hone__run_entry *entry = &past->session->entry;

  entry->answered = says_something(evaluation) && deps_hold(past, evaluation->deps);
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

/* "run 12 is being tuned by pid 4711 on host b5": not known between the lock and the first row. */
static hone_status describe_maker(struct hone__session *session, const char **out_text)
{
  struct hone__run_maker maker;
  hone_status status = hone__store_run_maker(session->entry.store, session->entry.run.key, &maker);

  *out_text = maker.run ? hone__arena_printf(&session->arena,
                                             "run %lld is being tuned by pid %lld on host %s",
                                             (long long)maker.run, (long long)maker.pid, maker.host)
                        : "this problem is being tuned by another process";
  return status;
}

/* Waiting for another process does not use up the budget. */
static hone_status wait_for_maker(struct hone__session *session)
{
  double before = hone__clock(), waited;

  if (!hone__run_lock_wait(&session->entry.lock, session->entry.store, session->entry.run.key,
                           session->settings.options->cancel))
    return hone__error(HONE_CANCELLED, "stopped while waiting for another process");
  waited = hone__clock() - before;
  session->control.started += waited;
  session->control.stop_at += waited;
  return NULL;
}

static hone_status claim(struct hone__session *session)
{
  hone_status status = NULL;
  const char *text;

  if (!hone__run_lock_take(&session->entry.lock, session->entry.store, session->entry.run.key)) {
    status = describe_maker(session, &text);
    if (status) return status;
    if (session->settings.options->no_wait)
      return hone__error(HONE_UNAVAILABLE, "%s; without --no-wait, this command waits for it",
                         text);
    hone__session_say(session, HONE_EVENT_NOTE, "%s: waiting (--no-wait ends instead)", text);
    status = wait_for_maker(session);
  }
  session->entry.run.is_locked = session->entry.lock.is_held;
  return status;
}

/* ---- Beginning ---- */

hone_status hone__session_begin_run(struct hone__session *session, bool may_answer)
{
  struct hone__run_entry *entry = &session->entry;
  hone_status status = hone__identity_make(session);

  may_answer = may_answer && !session->settings.options->fresh;
  if (!status && may_answer) status = find_answer(session);
  if (status || entry->answered) return status;
  status = claim(session);
  if (!status && may_answer) status = find_answer(session); /* another process may have made it */
  if (status || entry->answered) return status;
  return hone__store_run_begin(entry->store, &entry->run, &entry->resumed);
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

  if (old->is_baseline || !says_something(old) || old->outcome == HONE_OUTCOME_KILLED) return true;
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

hone_status hone__session_close_run(struct hone__session *session, hone_status status)
{
  struct hone__run_result *result = &session->entry.result;
  struct hone__text notes = {0}, screening = {0};
  hone_status closed;

  if (!status && session->control.failure) {
    status = session->control.failure;
    session->control.failure = NULL;
  }
  result->state = status                                                      ? HONE_RUN_FAILED
                  : session->control.interrupted || session->control.aborting ? HONE_RUN_INTERRUPTED
                                                                              : HONE_RUN_FINISHED;
  if (status) result->why = hone_status_message(status);
  result->wall_s = hone__clock() - session->control.started;
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
