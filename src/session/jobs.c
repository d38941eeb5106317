/* Jobs for runners, and their replies. */
#include "session/session.h"

#include "base/time_bounds.h"
#include "session/build_files.h"
#include "session/reply_times.h"
#include "session/sample_facts.h"
#include "wire/named.h"
#include "wire/run_job.h"

#include <stdlib.h>

enum { CHECKS = 2 }; /* of a job: of the first call with each content */
static const double MIN_SAMPLE_NS = 50e3, LONGEST_REST_S = 3600, ENERGY_S = 2;

/* The limit of a sample: the cap, or else the limit of a first call. */
static double sample_s(const struct hone__session *session, const struct hone__run_request *request)
{
  if (request->cap_ns <= 0 || session->problem.task.backend->sample_is_run)
    return session->workers.call_timeout_s;
  return fmax(request->cap_ns, MIN_SAMPLE_NS) * 1e-9;
}

/* A program that checks answers may be slow, which is not the candidate's fault. */
static double checks_s(const struct hone__session *session)
{
  const struct hone__wire_setup_check *check = session->problem.head.check;

  return check && check->limit_s > 0 ? CHECKS * check->limit_s : 0;
}

/* Large arguments take longer than a short call with them does. */
static double arguments_s(const struct hone__session *session,
                          const struct hone__run_request *request)
{
  double each = session->problem.head.arguments_s;

  return each > 0 ? (double)request->count * (request->late_check ? 2 : 1) * each : 0;
}

static double start_s(const struct hone__session *session)
{
  double own = session->problem.head.start_s;

  return session->problem.task.backend->start_s + (own > 0 ? own : 0) + checks_s(session);
}

/* Every first call may use its limit. */
static double allowance_s(const struct hone__session *session,
                          const struct hone__run_request *request)
{
  double calls = (double)request->count, call = calls * session->workers.call_timeout_s;
  double rest = request->budget_s > 0
                    ? request->budget_s + call
                    : calls * (double)(request->samples + 4) * sample_s(session, request);

  if (!session->problem.task.backend->sample_is_run) rest = fmin(rest, LONGEST_REST_S);
  if (session->problem.head.energy) rest += calls * ENERGY_S;
  rest += arguments_s(session, request);
  return call * (request->late_check ? 2 : 1) + rest + 1 + start_s(session);
}

/* Puts the objects into the payload. */
static struct hone__wire_run_item *list_candidates(const struct hone__run_request *request,
                                                   struct hone__text *bytes)
{
  struct hone__wire_run_item *items = hone__alloc((request->count + 1) * sizeof *items);

  for (size_t i = 0; i < request->count; i++) {
    const struct hone__candidate *candidate = request->candidates[i];
    HONE__ASSERT(candidate->packed && (candidate->bytes || !candidate->size));
    items[i] = (struct hone__wire_run_item){candidate->packed, bytes->length, candidate->size};
    hone__text_addn(bytes, candidate->bytes, candidate->size);
  }
  return items;
}

static size_t *object_sizes(const struct hone__wire_run_item *items, size_t count)
{
  size_t *sizes = hone__alloc((count + 1) * sizeof *sizes);

  for (size_t i = 0; i < count; i++)
    sizes[i] = items[i].size;
  return sizes;
}

static int spec_warmup(const struct hone__session *session)
{
  const struct hone__node *node = hone__task_setting(&session->problem.task, "measure.warmup");

  return node ? (int)node->value.integer : -1;
}

static struct hone_value check_of(const struct hone__run_request *request)
{
  return request->check && request->every ? hone__string("every") : hone__bool(request->check);
}

/* ---- Replies of runners ---- */

/* If all work there is a part for each candidate; otherwise there may be some. Whether the times
 * are valid is checked in reply_times.h. */
static const char *find_fault(const struct hone__reply *reply)
{
  size_t times = reply->payload_size / sizeof(double);

  if (!hone__outcome_works(reply->outcome)) return NULL;
  if (!reply->run->results_count) return "run reply: 'results' is empty";
  if (reply->payload_size % sizeof(double)) return "run reply: its payload is not a list of times";
  for (size_t i = 0; times && i < reply->run->results_count; i++)
    if (reply->run->results[i].samples > times)
      return "run reply: 'samples' is more than there are times";
  return NULL;
}

/* ---- Jobs ---- */

/* The device's process is replaced, its runner stays. */
static bool renews(const struct hone__session *session, const struct hone__run_request *request)
{
  const struct hone__backend *backend = session->problem.task.backend;

  return request->restart && request->slot >= 0 && backend->renews &&
         backend->driver.is_beside_cpu &&
         backend->driver.is_beside_cpu(session->workers.sites[request->slot].device);
}

int64_t hone__candidate_asked(const struct hone__candidate *candidate)
{
  const struct hone__evaluation *evaluation = &candidate->evaluation;

  if (candidate->is_baseline) return 0;
  return candidate->session->settings.purpose->needs_baseline ? evaluation->asked
                                                              : evaluation->mesh_idx + 1;
}

/* Of its first candidate that has a number. */
static int64_t number_of(const struct hone__run_request *request)
{
  int64_t number = 0;

  for (size_t i = 0; i < request->count && !number; i++)
    number = hone__candidate_asked(request->candidates[i]);
  return number;
}

struct hone__job hone__run_job(struct hone__session *session,
                               const struct hone__run_request *request)
{
  struct hone__text bytes = {0};
  struct hone__wire_run_item *items = list_candidates(request, &bytes);
  struct hone__wire_run_job run = {.op = "run",
                                   .mode = (int)request->mode,
                                   .check = check_of(request),
                                   .late_check = request->late_check,
                                   .first_is_known = request->first_is_known,
                                   .renew = renews(session, request),
                                   .verbose = request->verbose,
                                   .samples = request->samples,
                                   .rows = request->rows,
                                   .warmup = hone__int(spec_warmup(session)),
                                   .timeout_s = allowance_s(session, request),
                                   .start_s = start_s(session),
                                   .budget_s = request->budget_s,
                                   .call_timeout_s =
                                       request->is_profiled ? 0 : session->workers.call_timeout_s,
                                   .cap_ns = request->cap_ns,
                                   .cut_ns = request->cut_ns,
                                   .min_sample_ns = MIN_SAMPLE_NS,
                                   .seed = (int64_t)(request->seed & INT64_MAX),
                                   .phase = request->phase,
                                   .number = (size_t)session->workers.jobs++,
                                   .candidates = items,
                                   .candidates_count = request->count};
  struct hone__job job = {.kind = HONE__JOB_RUN,
                          .head = hone__pack(&hone__wire_run_job_type, &run),
                          .payload = bytes.data,
                          .payload_size = bytes.length,
                          .part_sizes = object_sizes(items, request->count),
                          .part_count = request->count,
                          .timeout_s = run.timeout_s,
                          .slot = request->slot,
                          .phase = request->phase ? request->phase : session->progress.phase,
                          .candidate = number_of(request),
                          .restart = request->restart && !run.renew,
                          .find_fault = find_fault};

  free(items);
  hone__session_carry_run(request->candidates[0], &job);
  return job;
}

const struct hone__wire_candidate_result *hone__run_result(const struct hone__reply *reply,
                                                           size_t i)
{
  return reply->run && i < reply->run->results_count ? &reply->run->results[i] : NULL;
}

/* A candidate that works must have times; one killed at the cap has none. */
static void check_times(const struct hone__reply *reply, size_t i, struct hone__run_part *part)
{
  const char *wrong;

  if (!hone__outcome_works(part->outcome)) return;
  if (part->outcome == HONE_OUTCOME_SLOW && !part->samples) return;
  wrong = hone__session_times_wrong(reply, i, part->samples);
  if (!wrong) return;
  part->outcome = HONE_OUTCOME_BAD_RESULT;
  part->evidence = wrong;
  part->samples = 0;
}

struct hone__run_part hone__run_part(const struct hone__reply *reply, size_t i)
{
  struct hone__run_part part = {
      .outcome = reply->outcome, .evidence = reply->evidence, .cold_ns = NAN};
  const struct hone__wire_candidate_result *own = hone__run_result(reply, i);

  if (own) {
    part.is_given = true;
    part.outcome = (enum hone_outcome)own->outcome;
    if (own->evidence) part.evidence = own->evidence;
    if (hone__is_time(own->cold_ns)) part.cold_ns = own->cold_ns;
    part.samples = own->samples <= reply->payload_size / sizeof(double) ? own->samples : 0;
    part.repeats = own->repeats;
  }
  check_times(reply, i, &part);
  return part;
}

/* NaN: there is none, or it is negative. */
static double amount(const struct hone__named *items, size_t count, const char *name)
{
  const struct hone_value *value = hone__named_find(items, count, name);
  double number = NAN;

  if (value && value->type == HONE_INT) number = (double)value->integer;
  if (value && value->type == HONE_FLOAT) number = value->real;
  return number >= 0 ? number : NAN;
}

struct hone__task_energy hone__energy_of(const struct hone__named *items, size_t count)
{
  return (struct hone__task_energy){.joules = amount(items, count, "energy_j"),
                                    .watts = amount(items, count, "power_w")};
}

struct hone__task_energy hone__run_energy(const struct hone__reply *reply, size_t i)
{
  const struct hone__wire_candidate_result *own = hone__run_result(reply, i);

  return own ? hone__energy_of(own->facts, own->facts_count) : HONE__NO_ENERGY;
}

double *hone__run_times(const struct hone__reply *reply, size_t *out_count)
{
  size_t count = reply->payload_size / sizeof(double);
  double *times = hone__alloc((count + 1) * sizeof *times);

  if (count) memcpy(times, reply->payload, count * sizeof *times);
  *out_count = count;
  return times;
}

struct hone__samples hone__run_samples(const struct hone__reply *reply, enum hone_phase phase)
{
  size_t count;

  return (struct hone__samples){.phase = phase,
                                .times_ns = hone__run_times(reply, &count),
                                .count = hone__run_part(reply, 0).samples,
                                .facts = hone__sample_facts_print(reply, 0)};
}

void hone__run_samples_release(struct hone__samples *samples)
{
  free((void *)samples->times_ns);
  free((void *)samples->facts);
}

/* ---- What they took ---- */

static void add_seconds(double *sum, double more)
{
  if (isfinite(more)) *sum = isfinite(*sum) ? *sum + more : more;
}

void hone__candidate_note_build(struct hone__candidate *candidate, const struct hone__reply *reply)
{
  add_seconds(&candidate->build_s, reply->worked_s);
}

void hone__candidate_note_measuring(struct hone__candidate *candidate,
                                    const struct hone__reply *reply)
{
  add_seconds(&candidate->measure_s, reply->worked_s);
}
