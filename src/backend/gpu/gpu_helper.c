/* The process that owns the context. It opens the device at the first order, so that a failure
 * there is an answer and not an exit; then it runs trials until one of them ruins the context.
 */
#include "backend/gpu/gpu_bench.h"

#include "backend/gpu/gpu_answers.h"
#include "backend/gpu/gpu_order.h"
#include "backend/gpu/gpu_speed.h"
#include "backend/kernel/sampler.h"
#include "base/status.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* ---- Opening ---- */

static void measure_floor(struct hone__gpu_bench *own, struct hone__named_list *facts)
{
  const struct hone__gpu_driver *driver = own->device->driver;
  static const char *const names[] = {
      [HONE__GPU_EVENTS] = "floor_events_ns", [HONE__GPU_BATCH] = "floor_batch_ns"};

  for (int method = HONE__GPU_EVENTS; method <= HONE__GPU_BATCH; method++) {
    double ns;
    own->floor_ns[method] = NAN;
    if (!driver->floor(own->gpu, (enum hone__gpu_method)method, &ns)) continue;
    own->floor_ns[method] = ns;
    hone__named_real(facts, names[method], ns);
  }
}

/* Adds a note for the user. */
static void add_floor_note(const struct hone__gpu_bench *own, struct hone__arena *arena,
                           struct hone__wire_device_facts *facts)
{
  if (own->steps.count) {
    hone__wire_device_facts_note(
        facts, arena,
        "calls are timed one by one by the host's clock, with copies and functions on the host");
    return;
  }
  if (isnan(own->floor_ns[0]) || isnan(own->floor_ns[1])) return;
  hone__wire_device_facts_note(
      facts, arena,
      hone__arena_printf(
          arena,
          "kernels below 200 us are timed in batches of launches (an empty launch takes %.2f us), "
          "longer ones one by one (%.2f us); smaller differences are not significant",
          own->floor_ns[HONE__GPU_BATCH] / 1e3, own->floor_ns[HONE__GPU_EVENTS] / 1e3));
}

static hone_status tell_fault(const struct hone__gpu_fault *fault)
{
  if (fault->outcome == HONE_OUTCOME_OOM_DEVICE)
    return hone__error(HONE_EXHAUSTED, "the arguments do not fit on the device: %s",
                       fault->message);
  return hone__error(HONE_UNAVAILABLE, "the device rejects the arguments: %s", fault->message);
}

/* A run goes on without it. */
static void lock_clocks(struct hone__gpu_bench *own, struct hone__arena *arena,
                        struct hone__wire_device_facts *facts)
{
  const struct hone__gpu_driver *driver = own->device->driver;
  const char *why = "this backend cannot";
  unsigned mhz;

  if (driver->lock_clocks && driver->lock_clocks(own->gpu, &mhz)) {
    hone__wire_device_facts_note(facts, arena,
                                 hone__arena_printf(arena, "its clocks are locked to %u MHz", mhz));
    return;
  }
  if (driver->lock_clocks) why = own->gpu->fault.message;
  hone__wire_device_facts_note(
      facts, arena, hone__arena_printf(arena, "its clocks could not be locked: %s", why));
  own->gpu->fault = (struct hone__gpu_fault){0};
}

static hone_status open_device(struct hone__gpu_bench *own, struct hone__arena *arena,
                               struct hone__wire_device_facts *out_facts)
{
  const struct hone__gpu_driver *driver = own->device->driver;
  struct hone__named_list other = {.arena = arena};
  hone_status status = driver->open(own->device->name, &own->gpu);

  if (status) return status;
  driver->facts(own->gpu, arena, out_facts);
  own->is_cpu = out_facts->kind && strcmp(out_facts->kind, "cpu") == 0;
  own->is_cold = hone__bench_is_cold(own->bench, !own->is_cpu);
  own->wants_energy = own->bench->setup.energy;
  if (own->bench->setup.lock_clocks) lock_clocks(own, arena, out_facts);
  own->tensors = (struct hone__gpu_tensors){
      .gpu = own->gpu, .host = &own->bench->buffers, .shares_inputs = !own->is_cold};
  if (!hone__gpu_tensors_make(&own->tensors)) return tell_fault(&own->gpu->fault);
  status = hone__gpu_steps_open(&own->steps, &own->bench->buffers);
  if (status) return status;
  own->bench->contents = own->tensors.contents;
  hone__named_add(&other, out_facts->other, out_facts->other_count);
  if (!own->is_known) {
    measure_floor(own, &other);
    add_floor_note(own, arena, out_facts);
    if (!own->is_cpu) hone__gpu_measure_fill(own->gpu, &other);
  }
  out_facts->other = other.items;
  out_facts->other_count = other.count;
  return NULL;
}

static struct hone__packed *answer_open(struct hone__gpu_bench *own, bool *out_is_open)
{
  struct hone__arena arena = {0};
  struct hone__wire_device_facts facts = {0};
  hone_status status = own->gpu ? NULL : open_device(own, &arena, &facts);
  struct hone__gpu_opened opened = {.facts = &facts,
                                    .error = status ? hone_status_message(status) : NULL,
                                    .code = hone_status_code(status)};
  struct hone__packed *packed = hone__pack(&hone__gpu_opened_type, &opened);

  *out_is_open = !status;
  hone_status_free(status);
  hone__arena_release(&arena);
  return packed;
}

/* ---- Trials ---- */

/* False: an invalid order from the same program is a bug. */
static bool take_candidates(struct hone__trial *trial, const struct hone__gpu_order *order,
                            const struct hone__frame *frame)
{
  const char *at = (const char *)frame->payload + sizeof trial->plan;
  hone_status status = NULL;

  memcpy(&trial->plan, frame->payload, sizeof trial->plan);
  trial->time_count = order->times;
  trial->order = hone__alloc((order->candidates_count + 1) * sizeof *trial->order);
  for (size_t i = 0; i < order->candidates_count && !status; i++) {
    status = hone__trial_add(trial, order->candidates[i].candidate, at, order->candidates[i].size);
    at += order->candidates[i].size;
  }
  hone_status_free(status);
  return !status;
}

static bool run_trial(struct hone__gpu_bench *own, const struct hone__gpu_order *order,
                      const struct hone__frame *frame)
{
  struct hone__trial trial = {.bench = own->bench, .engine = &hone__engine_gpu};
  bool broken;

  if (!take_candidates(&trial, order, frame)) _exit(3);
  own->waiting = order->waiting;
  hone__spots_init(&trial.spots, &own->bench->buffers, trial.plan.seed);
  hone__trial_lay_out(&trial, (unsigned char *)(uintptr_t)own->inherited + order->offset);
  hone__gpu_answers_begin(own, order->was_right, order->is_suspect);
  if (order->is_suspect && !hone__gpu_tensors_renew(&own->tensors)) _exit(3);
  hone__sampler_run(&trial);
  broken = trial.report->broken;
  for (size_t i = 0; i < trial.count; i++)
    hone__arena_release(&trial.candidates[i].arena);
  free(trial.candidates);
  free(trial.order);
  return !broken;
}

/* ---- The loop ---- */

bool hone__gpu_obey(struct hone__gpu_bench *own, const struct hone__frame *frame,
                    struct hone__packed **out_answer)
{
  struct hone__arena arena = {0};
  struct hone__gpu_order order;
  hone_status status = hone__unpack(frame->head, &hone__gpu_order_type, &arena, &order);
  bool goes_on = !status;

  if (!status && order.is_trial)
    goes_on = run_trial(own, &order, frame);
  else if (!status)
    *out_answer = answer_open(own, &goes_on);
  hone_status_free(status);
  hone__arena_release(&arena);
  return goes_on;
}

/* Returns false when the helper has to exit. */
static bool serve_one(struct hone__gpu_bench *own, int socket, const struct hone__frame *frame)
{
  struct hone__packed *answer = NULL;
  bool goes_on = hone__gpu_obey(own, frame, &answer);
  struct hone__frame result = {.kind = HONE__FRAME_RESULT, .job = frame->job, .head = answer};
  hone_status status = hone__frame_write(socket, &result);

  goes_on = goes_on && !status;
  hone_status_free(status);
  hone__packed_drop(answer);
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
  _exit(0); /* the context ends with the process; exit handlers of libraries are skipped */
}
