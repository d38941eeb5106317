/* Jobs for runners, and their replies. */
#include "session/session.h"

#include "base/time_bounds.h"
#include "session/reply_times.h"

#include <stdlib.h>

static const double MIN_SAMPLE_NS = 50e3, LONGEST_REST_S = 3600, ENERGY_S = 2;

/* What a sample may take: the cap bounds it, if it bounds anything, else nothing better than the
 * time of a first call. */
static double sample_s(const struct hone__session *session, const struct hone__run_request *request)
{
  if (request->cap_ns <= 0 || session->problem.task.backend->sample_is_run)
    return session->workers.call_timeout_s;
  return fmax(request->cap_ns, MIN_SAMPLE_NS) * 1e-9;
}

/* Every first call may take its time. */
static double allowance_s(const struct hone__session *session,
                          const struct hone__run_request *request)
{
  double calls = (double)request->count, call = calls * session->workers.call_timeout_s;
  double rest = request->budget_s > 0
                    ? request->budget_s + call
                    : calls * (double)(request->samples + 4) * sample_s(session, request);

  if (!session->problem.task.backend->sample_is_run) rest = fmin(rest, LONGEST_REST_S);
  if (json_is_true(json_object_get(session->problem.setup.head, "energy")))
    rest += calls * ENERGY_S;
  return call * (request->late_check ? 2 : 1) + rest + 1 + session->problem.task.backend->start_s;
}

static json_t *describe_candidates(const struct hone__run_request *request,
                                   struct hone__text *bytes)
{
  json_t *list = json_array();

  for (size_t i = 0; i < request->count; i++) {
    const struct hone__candidate *candidate = request->candidates[i];
    json_array_append_new(list, json_pack("{s:O, s:I, s:I}", "candidate", candidate->json, "offset",
                                          (json_int_t)bytes->length, "size",
                                          (json_int_t)candidate->size));
    hone__text_addn(bytes, candidate->bytes, candidate->size);
  }
  return list;
}

static int spec_warmup(const struct hone__session *session)
{
  const struct hone__node *node = hone__task_setting(&session->problem.task, "measure.warmup");

  return node ? (int)node->value.integer : -1;
}

static json_t *check_word(const struct hone__run_request *request)
{
  return request->check && request->every ? json_string("every") : json_boolean(request->check);
}

/* ---- What runners say ---- */

/* Of one candidate. Whether its times are such is another question: reply_times.h. */
static bool is_part(const json_t *part, size_t times)
{
  const char *class = json_string_value(json_object_get(part, "class"));
  const json_t *samples = json_object_get(part, "samples");
  enum hone__outcome outcome;

  if (!class || !hone__outcome_parse(class, &outcome)) return false;
  if (!samples) return true;
  return json_is_integer(samples) && json_integer_value(samples) >= 0 &&
         (!times || (uint64_t)json_integer_value(samples) <= times);
}

/* Where all works there is a part for each candidate; else there may be some. */
static bool is_run_answer(const struct hone__frame *result)
{
  const char *class = json_string_value(json_object_get(result->head, "class"));
  const json_t *parts = json_object_get(result->head, "results");
  size_t count = json_array_size(parts);
  enum hone__outcome outcome;
  bool works = hone__outcome_parse(class, &outcome) && hone__outcome_works(outcome);

  if ((parts && !json_is_array(parts)) || (works && !count)) return false;
  if (works && result->payload_size % sizeof(double)) return false;
  for (size_t i = 0; works && i < count; i++)
    if (!is_part(json_array_get(parts, i), result->payload_size / sizeof(double))) return false;
  return true;
}

/* ---- Jobs ---- */

struct hone__job hone__run_job(struct hone__session *session,
                               const struct hone__run_request *request)
{
  struct hone__text bytes = {0};
  json_t *candidates = describe_candidates(request, &bytes);
  struct hone__job job = {.slot = request->slot,
                          .restart = request->restart,
                          .is_answer = is_run_answer,
                          .timeout_s = allowance_s(session, request)};

  job.head = json_pack(
      "{s:s, s:f, s:f, s:s, s:o, s:b, s:b, s:i, s:i, s:f, s:f, s:f, s:i, s:f, s:I, s:f, s:o}", "op",
      "run", "timeout_s", job.timeout_s, "start_s", session->problem.task.backend->start_s, "mode",
      request->mode, "check", check_word(request), "late_check", request->late_check, "verbose",
      request->verbose, "samples", (int)request->samples, "warmup", spec_warmup(session), "cap_ns",
      request->cap_ns, "cut_ns", request->cut_ns, "min_sample_ns", MIN_SAMPLE_NS, "rows",
      (int)request->rows, "budget_s", request->budget_s, "seed",
      (json_int_t)(request->seed & INT64_MAX), "call_timeout_s", session->workers.call_timeout_s,
      "candidates", candidates);
  json_object_set_new(job.head, "phase", json_string(request->phase ? request->phase : ""));
  json_object_set_new(job.head, "number", json_integer((json_int_t)session->workers.jobs++));
  job.payload_size = bytes.length;
  job.payload = bytes.data;
  return job;
}

const json_t *hone__run_json(const struct hone__reply *reply, size_t i)
{
  return reply->head ? json_array_get(json_object_get(reply->head, "results"), i) : NULL;
}

/* What is said to work must have times; one that was killed at the cap has none. */
static void check_times(const struct hone__reply *reply, size_t i, struct hone__run_part *part)
{
  const char *wrong;

  if (!hone__outcome_works(part->outcome)) return;
  if (part->outcome == HONE__OUTCOME_SLOW && !part->samples) return;
  wrong = hone__reply_times_wrong(reply, i, part->samples);
  if (!wrong) return;
  part->outcome = HONE__OUTCOME_BAD_RESULT;
  part->evidence = wrong;
  part->samples = 0;
}

static size_t positive(const json_t *object, const char *key)
{
  json_int_t value = json_integer_value(json_object_get(object, key));

  return value > 0 ? (size_t)value : 0;
}

struct hone__run_part hone__run_part(const struct hone__reply *reply, size_t i)
{
  struct hone__run_part part = {
      .outcome = reply->outcome, .evidence = reply->evidence, .cold_ns = NAN};
  const json_t *json = hone__run_json(reply, i);
  const char *name = json_string_value(json_object_get(json, "class"));
  const char *evidence = json_string_value(json_object_get(json, "evidence"));
  double cold_ns = json_number_value(json_object_get(json, "cold_ns"));

  part.is_given = name != NULL;
  if (name && !hone__outcome_parse(name, &part.outcome)) part.outcome = HONE__OUTCOME_PROTOCOL;
  if (evidence) part.evidence = evidence;
  if (hone__is_time(cold_ns)) part.cold_ns = cold_ns;
  part.samples = positive(json, "samples");
  if (part.samples > reply->payload_size / sizeof(double)) part.samples = 0;
  part.repeats = positive(json, "repeats");
  check_times(reply, i, &part);
  return part;
}

/* NaN: there is none, or it is negative. */
static double amount(const json_t *object, const char *key)
{
  const json_t *value = json_object_get(object, key);

  return json_is_number(value) && json_number_value(value) >= 0 ? json_number_value(value) : NAN;
}

struct hone__energy hone__energy_of(const json_t *object)
{
  return (struct hone__energy){.joules = amount(object, "energy_j"),
                               .watts = amount(object, "power_w")};
}

struct hone__energy hone__run_energy(const struct hone__reply *reply, size_t i)
{
  return hone__energy_of(json_object_get(hone__run_json(reply, i), "facts"));
}

double *hone__run_times(const struct hone__reply *reply, size_t *out_count)
{
  size_t count = reply->payload_size / sizeof(double);
  double *times = hone__alloc((count + 1) * sizeof *times);

  if (count) memcpy(times, reply->payload, count * sizeof *times);
  *out_count = count;
  return times;
}

char *hone__run_facts(const struct hone__reply *reply, size_t i)
{
  static const char *const of_job[] = {"cpu_ns", "forced_switches", "cpu", "rows", "clock"};
  json_t *facts = json_object();
  char *text;

  for (size_t k = 0; k < sizeof of_job / sizeof *of_job; k++)
    json_object_set(facts, of_job[k], json_object_get(reply->head, of_job[k]));
  json_object_set(facts, "repeats", json_object_get(hone__run_json(reply, i), "repeats"));
  json_object_set(facts, "kernel", json_object_get(hone__run_json(reply, i), "facts"));
  json_object_set(facts, "checks", json_object_get(hone__run_json(reply, i), "checks"));
  json_object_set_new(facts, "slot", json_integer(reply->slot));
  text = json_dumps(facts, JSON_COMPACT);
  json_decref(facts);
  return text;
}

struct hone__samples hone__run_samples(const struct hone__reply *reply, const char *phase)
{
  size_t count;

  return (struct hone__samples){.phase = phase,
                                .times_ns = hone__run_times(reply, &count),
                                .count = hone__run_part(reply, 0).samples,
                                .facts = hone__run_facts(reply, 0)};
}

void hone__run_samples_release(struct hone__samples *samples)
{
  free((void *)samples->times_ns);
  free((void *)samples->facts);
}

/* ---- What they took ---- */

double hone__reply_worked_s(const struct hone__reply *reply)
{
  const json_t *seconds = json_object_get(reply->head, "worked_s");

  return json_is_number(seconds) ? fmax(json_number_value(seconds), 0) : NAN;
}

static void add_seconds(double *sum, double more)
{
  if (isfinite(more)) *sum = isfinite(*sum) ? *sum + more : more;
}

void hone__candidate_note_build(struct hone__candidate *candidate, const struct hone__reply *reply)
{
  add_seconds(&candidate->build_s, hone__reply_worked_s(reply));
}

void hone__candidate_note_measuring(struct hone__candidate *candidate,
                                    const struct hone__reply *reply)
{
  add_seconds(&candidate->measure_s, hone__reply_worked_s(reply));
}
