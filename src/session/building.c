/* A candidate's object: from a builder, or from a recent equal build. */
#include "session/session.h"

#include "base/digest.h"
#include "session/build_files.h"
#include "session/built.h"
#include "session/deps_text.h"
#include "session/failing.h"
#include "session/knobs.h"
#include "wire/build_job.h"
#include "wire/named.h"

#include <stdlib.h>

enum { MOST_KEPT = 64, MOST_SERVED_KEPT = 1024 };

static const char *keep_text(struct hone__candidate *candidate, const char *text)
{
  return text ? hone__arena_strdup(&candidate->texts, text) : NULL;
}

static void keep_costs(struct hone__candidate *candidate, const struct hone__named *costs,
                       size_t count)
{
  if (!costs) return;
  candidate->costs = hone__named_copy(&candidate->texts, costs, count);
  candidate->cost_count = count;
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

bool hone__candidate_is_built_like(const struct hone__candidate *candidate,
                                   const struct hone__candidate *other)
{
  char key[HONE__DIGEST_SIZE], other_key[HONE__DIGEST_SIZE];

  hone__wire_candidate_build_key(candidate->packed, key);
  hone__wire_candidate_build_key(other->packed, other_key);
  return strcmp(key, other_key) == 0;
}

void hone__candidate_drop_object(struct hone__candidate *candidate)
{
  free(candidate->bytes);
  candidate->bytes = NULL;
  candidate->size = 0;
}

/* Those built early, and for candidates that differ only in their call. No cache has what a served
 * program built: finalists would be built again. */
size_t hone__session_most_kept(const struct hone__session *session)
{
  return session->problem.head.start_s > 0 ? MOST_SERVED_KEPT : MOST_KEPT;
}

static void keep_build(struct hone__candidate *candidate)
{
  struct hone__session *session = candidate->session;
  struct hone__built *built =
      hone__builds_place(&session->builds, hone__session_most_kept(session), candidate->size);

  hone__wire_candidate_build_key(candidate->packed, built->key);
  memcpy(built->object, candidate->object, sizeof built->object);
  built->bytes = hone__alloc(candidate->size + 1);
  memcpy(built->bytes, candidate->bytes, candidate->size);
  built->deps = candidate->evaluation.deps ? hone__strdup(candidate->evaluation.deps) : NULL;
  built->costs = hone__named_copy(&built->arena, candidate->costs, candidate->cost_count);
  built->cost_count = candidate->cost_count;
}

/* False: it must not be run, and its evaluation has the reason. */
static bool is_allowed(struct hone__candidate *candidate)
{
  struct hone__text why = {0};
  bool allowed = hone__built_allows(candidate, candidate->costs, candidate->cost_count, &why);

  if (!allowed) {
    candidate->evaluation.outcome = HONE_OUTCOME_INVALID;
    candidate->evaluation.evidence = hone__arena_strdup(&candidate->texts, why.data);
    hone__candidate_drop_object(candidate);
  }
  hone__text_release(&why);
  if (!allowed || !candidate->is_filtered) return allowed;
  allowed =
      hone__candidate_admit(candidate, HONE_STAGE_BUILD, candidate->costs, candidate->cost_count);
  if (!allowed) hone__candidate_drop_object(candidate);
  return allowed;
}

bool hone__candidate_built_before(struct hone__candidate *candidate)
{
  struct hone__session *session = candidate->session;
  const struct hone__built *built;
  char key[HONE__DIGEST_SIZE];

  hone__wire_candidate_build_key(candidate->packed, key);
  built = hone__builds_find(&session->builds, key);
  if (!built) return false;
  keep_costs(candidate, built->costs, built->cost_count);
  take_object(candidate, built->object, built->bytes, built->size);
  candidate->evaluation.cached = true;
  if (built->deps) candidate->evaluation.deps = hone__arena_strdup(&candidate->texts, built->deps);
  if (!is_allowed(candidate)) return false; /* the builder's answer repeats it */
  session->progress.event.built++;
  return true;
}

/* The fields of a builder's answer besides the object. */
static void take_build_reply(struct hone__candidate *candidate,
                             const struct hone__wire_build_reply *reply)
{
  struct hone__evaluation *evaluation = &candidate->evaluation;

  evaluation->warnings = keep_text(candidate, reply->warnings);
  evaluation->cached = reply->cached;
  if (isfinite(reply->compile_s)) evaluation->compile_s = reply->compile_s;
  if (reply->deps)
    evaluation->deps = hone__deps_print(reply->deps, reply->deps_count, &candidate->texts);
  keep_costs(candidate, reply->costs, reply->costs_count);
}

bool hone__candidate_built(struct hone__candidate *candidate, const struct hone__reply *reply)
{
  struct hone__evaluation *evaluation = &candidate->evaluation;
  const char *object = reply->build ? reply->build->object : NULL;

  evaluation->outcome = reply->outcome;
  evaluation->evidence = hone__arena_strdup(&candidate->texts, reply->evidence);
  evaluation->tries = reply->tries;
  if (reply->build) take_build_reply(candidate, reply->build);
  candidate->session->progress.event.built++;
  hone__candidate_note_build(candidate, reply);
  if (reply->outcome != HONE_OUTCOME_OK || !object) {
    hone__candidate_output(candidate, NULL, reply->build);
    hone__failing_note(candidate);
    return false;
  }
  hone__failing_note(candidate);
  take_object(candidate, object, reply->payload, reply->payload_size);
  keep_build(candidate);
  hone__session_knobs_note(candidate);
  if (is_allowed(candidate)) return true;
  hone__candidate_output(candidate, NULL, reply->build);
  return false;
}

struct hone__job hone__session_build_job(const struct hone__candidate *candidate, bool cached_only,
                                         bool anew)
{
  struct hone__wire_build_job job = {.op = "build",
                                     .timeout_s = candidate->session->settings.build_timeout_s,
                                     .candidate = candidate->packed,
                                     .cached_only = cached_only,
                                     .anew = anew};

  struct hone__job submitted = {.kind = HONE__JOB_BUILD,
                                .head = hone__pack(&hone__wire_build_job_type, &job),
                                .slot = HONE__ANY_SLOT,
                                .phase = HONE_PHASE_BUILD,
                                .candidate = hone__candidate_asked(candidate),
                                .timeout_s = job.timeout_s};

  hone__session_carry_build(candidate, &submitted);
  return submitted;
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

static void submit(struct hone__candidate *candidate, bool is_repeated, hone__candidate_done *done)
{
  struct hone__session *session = candidate->session;
  struct build_order *order = hone__alloc(sizeof *order);
  struct hone__job job = hone__session_build_job(candidate, session->settings.cached_only,
                                                 session->settings.purpose->builds_anew);

  *order = (struct build_order){candidate, done};
  job.is_repeated = is_repeated;
  job.done = on_built;
  job.data = order;
  session->progress.event.building++;
  hone__pool_submit(session->workers.builders, &job);
}

void hone__candidate_build(struct hone__candidate *candidate, hone__candidate_done *done)
{
  submit(candidate, false, done);
}

void hone__candidate_build_again(struct hone__candidate *candidate, hone__candidate_done *done)
{
  submit(candidate, true, done);
}
