/* Building is a lookup: the object is the record. A scripted failure happens in a child, as in a
 * compiler.
 */
#include "backend/sim/sim_backend.h"

#include "build/build_outcome.h"
#include "build/build_folder.h"
#include "wire/build_job.h"
#include "wire/build_reply.h"
#include "backend/sim/sim_fault.h"
#include "backend/sim/sim_object.h"
#include "backend/sim/sim_recording.h"
#include "store/cache.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

static const double default_timeout_s = 60;

struct order { /* what is to be built, and how */
  const char *config;
  double pace, timeout_s;
  bool anew;
};

/* ---- Time ---- */

/* All of the recorded cost that is not a sample. */
static double build_cost_s(const struct hone__recorded *recorded)
{
  double cost_s = recorded->cost_s;

  for (uint32_t i = 0; recorded->samples_ms && i < recorded->sample_count; i++)
    if (isfinite(recorded->samples_ms[i])) cost_s -= 1e-3 * recorded->samples_ms[i];
  return isfinite(cost_s) && cost_s > 0 ? cost_s : 0;
}

static void sleep_for(double seconds)
{
  struct timespec time = {.tv_sec = (time_t)seconds,
                          .tv_nsec = (long)(1e9 * (seconds - floor(seconds)))};

  while (nanosleep(&time, &time)) {}
}

/* False: it took too long. */
static bool take_time(double seconds, double timeout_s, struct hone__answer *answer)
{
  sleep_for(fmin(seconds, timeout_s));
  if (seconds <= timeout_s) return true;
  hone__text_addf(&answer->evidence, "still running after %.1f s", timeout_s);
  answer->outcome = HONE_OUTCOME_COMPILE_TIMEOUT;
  return false;
}

/* ---- Faults ---- */

static void act(void *fault)
{
  ((const struct hone__sim_fault *)fault)->act();
}

/* It takes its own time, not what was recorded. */
static void fail_as_scripted(const struct hone__sim_fault *fault, double timeout_s,
                             struct hone__answer *answer)
{
  struct hone__child_options options = {.function = act,
                                        .data = (void *)(uintptr_t)fault,
                                        .timeout_s = timeout_s,
                                        .memory_bytes = HONE__SIM_OOM_BYTES};
  struct hone__child_result result = {0};

  if (!fault->act) {
    hone__build_fail(answer, fault->outcome, "as scripted");
    return;
  }
  answer->is_recorded = false;
  hone__child_run(&options, &result);
  hone__build_judge(&result, "the scripted compiler", answer);
  hone__child_result_release(&result);
}

/* ---- Looking up ---- */

/* If building takes time, earlier builds are in the cache, as for other backends. */
static bool is_cached(const char *digest, bool anew)
{
  char *bytes = NULL;
  size_t size;
  hone_status status = anew ? NULL : hone__cache_get("objects", digest, &bytes, &size);
  bool found = bytes != NULL;

  hone_status_free(status);
  free(bytes);
  return found;
}

static void keep(const char *digest, const struct hone__text *object)
{
  hone_status_free(hone__cache_put("objects", digest, object->data, object->length));
}

static void give_object(const struct order *order, const struct hone__recorded *recorded,
                        struct hone__answer *answer)
{
  double cost_s = build_cost_s(recorded);
  struct hone__wire_build_reply reply;
  char digest[HONE__DIGEST_SIZE];
  bool cached;

  hone__sim_object_write(order->config, recorded, &answer->payload);
  hone__digest(answer->payload.data, answer->payload.length, digest);
  cached = order->pace > 0 && is_cached(digest, order->anew);
  if (!cached && !take_time(order->pace * cost_s, order->timeout_s, answer)) {
    hone__text_release(&answer->payload);
    return;
  }
  if (!cached && order->pace > 0) keep(digest, &answer->payload);
  reply = (struct hone__wire_build_reply){.object = digest, .compile_s = cost_s, .cached = cached};
  hone__packed_drop(answer->head);
  answer->head = hone__pack(&hone__wire_build_reply_type, &reply);
  answer->outcome = HONE_OUTCOME_OK;
}

static void set_seconds(const struct order *order, const struct hone__recorded *recorded,
                        struct hone__answer *answer)
{
  answer->is_recorded = !(order->pace > 0);
  answer->recorded_s = recorded ? build_cost_s(recorded) : 0;
}

static void answer_with(const struct order *order, const struct hone__recorded *recorded,
                        struct hone__answer *answer)
{
  if (!hone__sim_fails_early(recorded->outcome)) {
    give_object(order, recorded, answer);
  } else if (take_time(order->pace * build_cost_s(recorded), order->timeout_s, answer)) {
    answer->outcome = recorded->outcome;
    hone__text_addf(&answer->evidence, "recorded as %s", hone_outcome_name(recorded->outcome));
  }
}

static const struct hone__recorded *look_up(const struct hone__sim_setup *setup,
                                            const struct hone__sim_candidate *candidate,
                                            struct hone__answer *answer)
{
  const struct hone__recording *recording;
  const struct hone__recorded *recorded;
  hone_status status =
      hone__sim_recording(setup->recording, setup->space, candidate->digest, &recording);

  if (status) {
    hone__build_fail(answer, HONE_OUTCOME_NOT_BUILT, hone_status_message(status));
    hone_status_free(status);
    return NULL;
  }
  recorded = hone__sim_find(recording, candidate->config, &answer->evidence);
  if (!recorded) answer->outcome = HONE_OUTCOME_INVALID;
  return recorded;
}

static double timeout_of(const struct hone__sim_setup *setup,
                         const struct hone__wire_build_job *job)
{
  if (job->timeout_s > 0) return job->timeout_s;
  return setup->build->timeout_s > 0 ? setup->build->timeout_s : default_timeout_s;
}

static void build(const struct hone__sim_setup *setup, const struct hone__wire_build_job *job,
                  const struct hone__sim_candidate *candidate, struct hone__answer *answer)
{
  bool has_fault = candidate->fault && *candidate->fault;
  const struct hone__sim_fault *fault = has_fault ? hone__sim_fault_find(candidate->fault) : NULL;
  struct order order = {.config = candidate->config,
                        .pace = fmax(setup->pace, 0),
                        .timeout_s = timeout_of(setup, job),
                        .anew = job->anew};
  const struct hone__recorded *recorded;

  if (has_fault && !fault) {
    hone__build_fail(answer, HONE_OUTCOME_PROTOCOL, "an unknown fault");
    return;
  }
  recorded = look_up(setup, candidate, answer);
  set_seconds(&order, recorded, answer);
  if (!recorded) return;
  if (fault && fault->stage == HONE__SIM_BUILDING)
    fail_as_scripted(fault, order.timeout_s, answer);
  else
    answer_with(&order, recorded, answer);
}

void hone__sim_build(const struct hone__packed *setup_message,
                     const struct hone__packed *job_message, struct hone__answer *answer)
{
  struct hone__arena arena = {0};
  struct hone__sim_setup setup;
  struct hone__sim_candidate candidate;
  struct hone__wire_build_job job;
  hone_status status = hone__unpack(setup_message, &hone__sim_setup_type, &arena, &setup);

  if (!status) status = hone__unpack(job_message, &hone__wire_build_job_type, &arena, &job);
  if (!status) status = hone__unpack(job.candidate, &hone__sim_candidate_type, &arena, &candidate);
  if (status)
    hone__build_fail(answer, HONE_OUTCOME_PROTOCOL, hone_status_message(status));
  else
    build(&setup, &job, &candidate, answer);
  hone_status_free(status);
  hone__arena_release(&arena);
}
