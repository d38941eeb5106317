/* The process that owns the context. It opens the device at the first order, so that failing there
 * is an answer and not a death; then it runs trials, until one of them ruins it. */
#include "backend/gpu/gpu_bench.h"

#include "backend/gpu/gpu_speed.h"
#include "backend/kernel/sampler.h"
#include "base/status.h"
#include "wire/frame.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* ---- Opening ---- */

static void measure_floor(struct hone__gpu_bench *own, json_t *facts)
{
  const struct hone__gpu_driver *driver = own->device->driver;
  static const char *const names[] = {
      [HONE__GPU_EVENTS] = "floor_events_ns", [HONE__GPU_BATCH] = "floor_batch_ns"};

  for (int method = HONE__GPU_EVENTS; method <= HONE__GPU_BATCH; method++) {
    double ns;
    own->floor_ns[method] = NAN;
    if (!driver->floor(own->gpu, (enum hone__gpu_method)method, &ns)) continue;
    own->floor_ns[method] = ns;
    json_object_set_new(facts, names[method], json_real(ns));
  }
}

/* For people. */
static void tell_floor(const struct hone__gpu_bench *own, json_t *facts)
{
  json_t *notes = json_object_get(facts, "notes");

  if (isnan(own->floor_ns[0]) || isnan(own->floor_ns[1])) return;
  if (!notes) json_object_set_new(facts, "notes", notes = json_array());
  json_array_append_new(
      notes,
      json_sprintf(
          "kernels below 200 us are timed in batches of launches (an empty launch takes %.2f us), "
          "longer ones one by one (%.2f us); smaller differences are not significant",
          own->floor_ns[HONE__GPU_BATCH] / 1e3, own->floor_ns[HONE__GPU_EVENTS] / 1e3));
}

static hone_status tell_fault(const struct hone__gpu_fault *fault)
{
  if (fault->outcome == HONE__OUTCOME_OOM_DEVICE)
    return hone__error(HONE_EXHAUSTED, "the arguments do not fit on the device: %s",
                       fault->message);
  return hone__error(HONE_UNAVAILABLE, "the device rejects the arguments: %s", fault->message);
}

static hone_status open_device(struct hone__gpu_bench *own, json_t *facts)
{
  const struct hone__gpu_driver *driver = own->device->driver;
  const char *kind;
  hone_status status = driver->open(own->device->name, &own->gpu);

  if (status) return status;
  driver->facts(own->gpu, facts);
  kind = json_string_value(json_object_get(facts, "kind"));
  own->is_cpu = kind && strcmp(kind, "cpu") == 0;
  own->is_cold = hone__bench_is_cold(own->bench, !own->is_cpu);
  own->wants_energy = json_is_true(json_object_get(own->bench->setup, "energy"));
  own->tensors = (struct hone__gpu_tensors){
      .gpu = own->gpu, .host = &own->bench->buffers, .shares_inputs = !own->is_cold};
  if (!hone__gpu_tensors_make(&own->tensors)) return tell_fault(&own->gpu->fault);
  own->bench->contents = own->tensors.contents;
  measure_floor(own, facts);
  tell_floor(own, facts);
  if (!own->is_cpu) hone__gpu_measure_fill(own->gpu, facts);
  return NULL;
}

static json_t *answer_open(struct hone__gpu_bench *own)
{
  json_t *answer = json_object(), *facts = json_object();
  hone_status status = own->gpu ? NULL : open_device(own, facts);

  json_object_set_new(answer, "facts", facts);
  if (status) {
    const char *message = hone_status_message(status);
    json_object_set_new(answer, "error", hone__json_string(message, strlen(message)));
    json_object_set_new(answer, "code", json_integer(hone_status_code(status)));
    hone_status_free(status);
  }
  return answer;
}

/* ---- Trials ---- */

static void take_candidates(struct hone__trial *trial, const struct hone__frame *frame)
{
  const json_t *candidates = json_object_get(frame->head, "candidates");
  const json_t *sizes = json_object_get(frame->head, "sizes");
  const char *at = (const char *)frame->payload + sizeof trial->plan;

  memcpy(&trial->plan, frame->payload, sizeof trial->plan);
  trial->count = json_array_size(candidates);
  trial->time_count = (size_t)json_integer_value(json_object_get(frame->head, "times"));
  trial->candidates = hone__alloc((trial->count + 1) * sizeof *trial->candidates);
  trial->order = hone__alloc((trial->count + 1) * sizeof *trial->order);
  for (size_t i = 0; i < trial->count; i++) {
    size_t size = (size_t)json_integer_value(json_array_get(sizes, i));
    trial->candidates[i] = (struct hone__trial_candidate){
        .json = json_array_get(candidates, i), .object = at, .object_size = size};
    at += size;
  }
}

static bool run_trial(struct hone__gpu_bench *own, const struct hone__frame *frame)
{
  struct hone__trial trial = {.bench = own->bench, .engine = &hone__engine_gpu};
  bool broken;

  take_candidates(&trial, frame);
  hone__spots_init(&trial.spots, &own->bench->buffers, trial.plan.seed);
  hone__trial_lay_out(&trial, (unsigned char *)(uintptr_t)own->inherited +
                                  json_integer_value(json_object_get(frame->head, "offset")));
  if (json_is_true(json_object_get(frame->head, "suspect")) &&
      !hone__gpu_tensors_renew(&own->tensors))
    _exit(3);
  hone__sampler_run(&trial);
  broken = trial.report->broken;
  free(trial.candidates);
  free(trial.order);
  return !broken;
}

/* ---- The loop ---- */

/* True: go on. */
static bool serve_one(struct hone__gpu_bench *own, int socket, const struct hone__frame *frame)
{
  const char *op = json_string_value(json_object_get(frame->head, "op"));
  struct hone__frame result = {.kind = HONE__FRAME_RESULT, .job = frame->job};
  bool goes_on = true;
  hone_status status;

  if (op && strcmp(op, "open") == 0) {
    result.head = answer_open(own);
    goes_on = !json_object_get(result.head, "error");
  } else {
    goes_on = run_trial(own, frame);
    result.head = json_object();
  }
  status = hone__frame_write(socket, &result);
  goes_on = goes_on && !status;
  hone_status_free(status);
  json_decref(result.head);
  return goes_on;
}

void hone__gpu_serve(void *data)
{
  const struct hone__helper_start *start = data;
  struct hone__gpu_bench *own = start->data;
  struct hone__frame_reader reader = {0};
  struct hone__frame frame;
  hone_status status = NULL;
  bool goes_on = true;

  signal(SIGPIPE, SIG_IGN);
  while (goes_on) {
    status = hone__frame_read(start->socket, &reader, &frame);
    goes_on = !status && serve_one(own, start->socket, &frame);
  }
  hone_status_free(status);
  fflush(NULL);
  _exit(0); /* the context goes with the process; libraries have nothing to say at its end */
}
