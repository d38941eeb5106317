/* Builds the reference if it is an object, and sets up the workers: runners get the reference's
 * object after the setup's other bytes.
 */
#include "session/session.h"

#include "base/digest.h"
#include "session/deps_text.h"
#include "session/failing.h"

#include <inttypes.h>
#include <stdlib.h>

/* ---- Building ---- */

static void on_built(void *data, const struct hone__reply *reply)
{
  struct hone__candidate_wait *wait = data;

  hone__candidate_built(wait->candidate, reply);
  wait->pending--;
}

void hone__session_submit_build(struct hone__candidate_wait *wait,
                                struct hone__candidate *candidate)
{
  struct hone__job job = hone__session_build_job(candidate, false, false);

  *wait = (struct hone__candidate_wait){candidate, 1};
  job.done = on_built;
  job.data = wait;
  hone__pool_submit(candidate->session->workers.builders, &job);
}

void hone__session_await_build(struct hone__candidate_wait *wait)
{
  struct hone__session *session = wait->candidate->session;

  hone__control_wait(&session->control, &wait->pending);
  hone__session_abandon(session, &wait->pending);
}

void hone__session_build_now(struct hone__session *session, struct hone__candidate *candidate)
{
  struct hone__candidate_wait wait;

  HONE__ASSERT(candidate->session == session);
  hone__session_submit_build(&wait, candidate);
  hone__session_await_build(&wait);
}

/* A build that fails with every configuration usually lacks a macro or a folder of headers. */
static void add_place(const struct hone__candidate *candidate, struct hone__text *text)
{
  const struct hone__task *task = &candidate->session->problem.task;
  const struct hone__node *build = hone__task_setting(task, "build");

  if (candidate->evaluation.outcome != HONE_OUTCOME_COMPILE_ERROR || !build) return;
  hone__text_addf(text,
                  "\nwhat the compiler gets is 'build' in %s:%" PRIu32
                  ": flags, macros (defines) and folders of headers (includes)",
                  task->spec->path, build->place.line);
}

hone_status hone__session_check_built(const struct hone__candidate *candidate, const char *what)
{
  struct hone__text text = {0};
  hone_status status;

  if (candidate->bytes) return NULL;
  hone__failing_print(candidate, &text);
  add_place(candidate, &text);
  status = hone__error(HONE_UNAVAILABLE, "the %s cannot be built: %s: %s", what,
                       hone_outcome_name(candidate->evaluation.outcome), text.data);
  hone__text_release(&text);
  return status;
}

/* Appends the reference's object to the setup's bytes. */
static hone_status attach_reference(struct hone__session *session,
                                    const struct hone__candidate *built)
{
  struct hone__session_problem *problem = &session->problem;
  struct hone__wire_setup_reference reference = *problem->head.reference;
  struct hone__digester *digester = hone__digest_begin();

  hone__digest_add_text(digester, built->object);
  hone__wire_candidate_digest_call(built->packed, digester);
  hone__digest_add_text(digester, problem->head.inputs_key);
  hone__digest_end(digester, problem->reference_key);
  reference.key = problem->reference_key;
  reference.offset = problem->setup.payload.length;
  reference.size = built->size;
  hone__wire_setup_set_reference(problem->setup.head, &reference);
  hone__text_addn(&problem->setup.payload, built->bytes, built->size);
  return hone__session_read_setup(session);
}

/* The files of the reference determine the baseline's answer too. */
static void add_deps(struct hone__candidate *baseline, const char *more)
{
  struct hone__pairs deps = {0};

  hone__deps_parse(baseline->evaluation.deps, &deps);
  hone__deps_parse(more, &deps);
  baseline->evaluation.deps = hone__deps_print(deps.data, deps.count, &baseline->texts);
  hone__pairs_release(&deps);
}

hone_status hone__session_build_reference(struct hone__session *session,
                                          struct hone__candidate *baseline)
{
  const struct hone__wire_setup_reference *reference = session->problem.head.reference;
  struct hone__candidate *candidate;
  hone_status status;

  if (!reference || strcmp(reference->kind, "object") != 0) return NULL;
  status = hone__candidate_new(session, session->problem.task.baseline, &candidate);
  if (status) return status;
  status = hone__candidate_take(candidate, hone__packed_hold(reference->candidate));
  if (!status) hone__session_build_now(session, candidate);
  if (!status && !session->control.aborting)
    status = hone__session_check_built(candidate, "reference");
  if (!status && candidate->bytes) {
    status = attach_reference(session, candidate);
    if (baseline) add_deps(baseline, candidate->evaluation.deps);
  }
  hone__candidate_free(candidate);
  return status;
}

/* ---- Setting up ---- */

void hone__session_set_up_builders(struct hone__session *session)
{
  hone__pool_setup(session->workers.builders, hone__packed_copy(session->problem.setup.head), NULL,
                   0);
}

void hone__session_set_up_runners(struct hone__session *session)
{
  size_t size = session->problem.setup.payload.length;
  void *payload = NULL;

  if (size) {
    payload = hone__alloc(size);
    memcpy(payload, session->problem.setup.payload.data, size);
  }
  hone__pool_setup(session->workers.runners, hone__packed_copy(session->problem.setup.head),
                   payload, size);
}
