/* The reference is built where it is an object, and the workers are set up: runners with the
 * reference's object behind the setup's other bytes. */
#include "session/session.h"

#include "base/digest.h"
#include "session/failing.h"

#include <stdlib.h>

/* ---- Building ---- */

struct build_wait {
  struct hone__candidate *candidate;
  size_t *pending;
};

static void on_baseline_built(void *data, const struct hone__reply *reply)
{
  struct build_wait *wait = data;

  hone__candidate_built(wait->candidate, reply);
  --*wait->pending;
}

void hone__session_build_now(struct hone__session *session, struct hone__candidate *candidate)
{
  size_t pending = 1;
  struct build_wait wait = {candidate, &pending};
  struct hone__job job = {.slot = HONE__ANY_SLOT,
                          .timeout_s = session->settings.build_timeout_s,
                          .done = on_baseline_built,
                          .data = &wait};

  job.head = json_pack("{s:s, s:f, s:O}", "op", "build", "timeout_s", job.timeout_s, "candidate",
                       candidate->json);
  hone__pool_submit(session->workers.builders, &job);
  hone__control_wait(&session->control, &pending);
  hone__session_abandon(session, &pending);
}

hone_status hone__session_check_built(const struct hone__candidate *candidate, const char *what)
{
  struct hone__text text = {0};
  hone_status status;

  if (candidate->bytes) return NULL;
  hone__failing_print(candidate, &text);
  status = hone__error(HONE_UNAVAILABLE, "the %s cannot be built: %s: %s", what,
                       hone__outcome_name(candidate->evaluation.outcome), text.data);
  hone__text_release(&text);
  return status;
}

/* Puts the reference's object behind the setup's other bytes. */
static void attach_reference(struct hone__session *session, json_t *reference,
                             const struct hone__candidate *built)
{
  struct hone__digester *digester = hone__digest_begin();
  char key[HONE__DIGEST_SIZE];

  hone__digest_add_text(digester, built->object);
  hone__candidate_digest_call(built->json, digester);
  hone__digest_add_text(
      digester, json_string_value(json_object_get(session->problem.setup.head, "inputs_key")));
  hone__digest_end(digester, key);
  snprintf(session->problem.reference_key, sizeof session->problem.reference_key, "%s", key);
  json_object_set_new(reference, "key", json_string(key));
  json_object_set_new(reference, "offset",
                      json_integer((json_int_t)session->problem.setup.payload.length));
  json_object_set_new(reference, "size", json_integer((json_int_t)built->size));
  hone__text_addn(&session->problem.setup.payload, built->bytes, built->size);
}

/* What the reference is made of decides the baseline's answer too. */
static void add_deps(struct hone__candidate *baseline, const char *more)
{
  json_t *deps = baseline->evaluation.deps ? json_loads(baseline->evaluation.deps, 0, NULL) : NULL;
  json_t *others = more ? json_loads(more, 0, NULL) : NULL;
  char *text;

  if (!deps) deps = json_array();
  if (others) json_array_extend(deps, others);
  text = json_dumps(deps, JSON_COMPACT);
  baseline->evaluation.deps = hone__arena_strdup(&baseline->texts, text);
  free(text);
  json_decref(deps);
  json_decref(others);
}

hone_status hone__session_build_reference(struct hone__session *session,
                                          struct hone__candidate *baseline)
{
  json_t *reference = json_object_get(session->problem.setup.head, "reference");
  const char *kind = json_string_value(json_object_get(reference, "kind"));
  struct hone__candidate *candidate;
  hone_status status;

  if (!kind || strcmp(kind, "object") != 0) return NULL;
  status = hone__candidate_new(session, session->problem.task.baseline, &candidate);
  if (status) return status;
  json_decref(candidate->json);
  candidate->json = json_incref(json_object_get(reference, "candidate"));
  hone__session_build_now(session, candidate);
  if (!session->control.aborting) status = hone__session_check_built(candidate, "reference");
  if (!status && candidate->bytes) {
    attach_reference(session, reference, candidate);
    if (baseline) add_deps(baseline, candidate->evaluation.deps);
  }
  hone__candidate_free(candidate);
  return status;
}

/* ---- Setting up ---- */

void hone__session_set_up_builders(struct hone__session *session)
{
  hone__pool_setup(session->workers.builders, json_deep_copy(session->problem.setup.head), NULL, 0);
}

void hone__session_set_up_runners(struct hone__session *session)
{
  size_t size = session->problem.setup.payload.length;
  void *payload = NULL;

  if (size) {
    payload = hone__alloc(size);
    memcpy(payload, session->problem.setup.payload.data, size);
  }
  hone__pool_setup(session->workers.runners, json_deep_copy(session->problem.setup.head), payload,
                   size);
}
