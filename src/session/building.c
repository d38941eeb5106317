/* A candidate's object: from a builder, or from an equal build a moment ago. */
#include "session/session.h"

#include "base/digest.h"
#include "session/built.h"
#include "session/failing.h"
#include "session/knobs.h"

#include <stdlib.h>

static const char *keep_text(struct hone__candidate *candidate, const json_t *text)
{
  const char *string = json_string_value(text);

  return string ? hone__arena_strdup(&candidate->texts, string) : NULL;
}

static void keep_deps(struct hone__candidate *candidate, const json_t *deps)
{
  char *text = deps ? json_dumps(deps, JSON_COMPACT) : NULL;

  if (text) candidate->evaluation.deps = hone__arena_strdup(&candidate->texts, text);
  free(text);
}

static void take_object(struct hone__candidate *candidate, const char *object, const void *bytes,
                        size_t size)
{
  snprintf(candidate->object, sizeof candidate->object, "%s", object);
  candidate->evaluation.object = candidate->object;
  candidate->size = size;
  candidate->bytes = hone__alloc(size + 1);
  if (size) memcpy(candidate->bytes, bytes, size);
}

/* Of all that the build depends on: not the arguments of the call. */
static void make_build_key(const struct hone__candidate *candidate, char key[HONE__DIGEST_SIZE])
{
  const char *given = json_string_value(json_object_get(candidate->json, "build_key"));
  json_t *copy;
  char *text;

  if (given) {
    snprintf(key, HONE__DIGEST_SIZE, "%s", given);
    return;
  }
  copy = json_copy(candidate->json);
  json_object_del(copy, "values");
  json_object_del(copy, "costs");
  json_object_del(copy, "key");
  text = json_dumps(copy, JSON_COMPACT | JSON_SORT_KEYS);
  hone__digest(text, strlen(text), key);
  free(text);
  json_decref(copy);
}

bool hone__candidate_is_built_like(const struct hone__candidate *candidate,
                                   const struct hone__candidate *other)
{
  char key[HONE__DIGEST_SIZE], other_key[HONE__DIGEST_SIZE];

  make_build_key(candidate, key);
  make_build_key(other, other_key);
  return strcmp(key, other_key) == 0;
}

void hone__candidate_drop_object(struct hone__candidate *candidate)
{
  free(candidate->bytes);
  candidate->bytes = NULL;
  candidate->size = 0;
}

static void keep_build(struct hone__candidate *candidate)
{
  struct hone__session *session = candidate->session;
  struct hone__built *built =
      &session->builds.kept[session->builds.kept_next++ % HONE__BUILDS_KEPT];

  free(built->bytes);
  free(built->deps);
  json_decref(built->costs);
  make_build_key(candidate, built->key);
  memcpy(built->object, candidate->object, sizeof built->object);
  built->size = candidate->size;
  built->bytes = hone__alloc(candidate->size + 1);
  memcpy(built->bytes, candidate->bytes, candidate->size);
  built->deps = candidate->evaluation.deps ? hone__strdup(candidate->evaluation.deps) : NULL;
  built->costs = json_incref(json_object_get(candidate->json, "costs"));
}

/* False: its evaluation says why it shall not be run. */
static bool is_allowed(struct hone__candidate *candidate)
{
  struct hone__text why = {0};
  bool allowed = hone__built_allows(candidate, json_object_get(candidate->json, "costs"), &why);

  if (!allowed) {
    candidate->evaluation.outcome = HONE__OUTCOME_INVALID;
    candidate->evaluation.evidence = hone__arena_strdup(&candidate->texts, why.data);
    hone__candidate_drop_object(candidate);
  }
  hone__text_release(&why);
  return allowed;
}

bool hone__candidate_built_before(struct hone__candidate *candidate)
{
  struct hone__session *session = candidate->session;
  char key[HONE__DIGEST_SIZE];

  make_build_key(candidate, key);
  for (size_t i = 0; i < HONE__BUILDS_KEPT; i++) {
    const struct hone__built *built = &session->builds.kept[i];
    if (!built->bytes || strcmp(built->key, key) != 0) continue;
    if (built->costs) json_object_set(candidate->json, "costs", built->costs);
    take_object(candidate, built->object, built->bytes, built->size);
    candidate->evaluation.cached = true;
    if (built->deps)
      candidate->evaluation.deps = hone__arena_strdup(&candidate->texts, built->deps);
    if (!is_allowed(candidate)) return false; /* the builder's answer says it again */
    session->progress.event.built++;
    return true;
  }
  return false;
}

bool hone__candidate_built(struct hone__candidate *candidate, const struct hone__reply *reply)
{
  struct hone__evaluation *evaluation = &candidate->evaluation;
  const json_t *head = reply->head;
  const char *object = json_string_value(json_object_get(head, "object"));

  evaluation->outcome = reply->outcome;
  evaluation->evidence = hone__arena_strdup(&candidate->texts, reply->evidence);
  evaluation->tries = reply->tries;
  evaluation->warnings = keep_text(candidate, json_object_get(head, "warnings"));
  evaluation->cached = json_is_true(json_object_get(head, "cached"));
  if (json_is_number(json_object_get(head, "compile_s")))
    evaluation->compile_s = json_number_value(json_object_get(head, "compile_s"));
  keep_deps(candidate, json_object_get(head, "deps"));
  if (json_object_get(head, "costs"))
    json_object_set(candidate->json, "costs", json_object_get(head, "costs"));
  candidate->session->progress.event.built++;
  hone__candidate_note_build(candidate, reply);
  if (reply->outcome != HONE__OUTCOME_OK || !object) {
    hone__candidate_output(candidate, NULL, head);
    hone__failing_note(candidate);
    return false;
  }
  hone__failing_note(candidate);
  take_object(candidate, object, reply->payload, reply->payload_size);
  keep_build(candidate);
  hone__knobs_note(candidate);
  if (is_allowed(candidate)) return true;
  hone__candidate_output(candidate, NULL, head);
  return false;
}

struct build_order {
  struct hone__candidate *candidate;
  hone__candidate_done *done;
};

static void on_built(void *data, const struct hone__reply *reply)
{
  struct build_order order = *(struct build_order *)data;

  free(data);
  order.candidate->session->progress.event.building--;
  hone__candidate_built(order.candidate, reply);
  order.done(order.candidate);
}

void hone__candidate_build(struct hone__candidate *candidate, hone__candidate_done *done)
{
  struct hone__session *session = candidate->session;
  struct build_order *order = hone__alloc(sizeof *order);
  struct hone__job job = {.slot = HONE__ANY_SLOT,
                          .timeout_s = session->settings.build_timeout_s,
                          .done = on_built,
                          .data = order};

  *order = (struct build_order){candidate, done};
  job.head = json_pack("{s:s, s:f, s:O}", "op", "build", "timeout_s", job.timeout_s, "candidate",
                       candidate->json);
  if (session->settings.cached_only) json_object_set_new(job.head, "cached_only", json_true());
  if (session->settings.purpose->builds_anew) json_object_set_new(job.head, "anew", json_true());
  session->progress.event.building++;
  hone__pool_submit(session->workers.builders, &job);
}
