/* An engine whose candidates are kernels of a device. All methods except `execute` run in the
 * helper.
 */
#include "backend/gpu/gpu_bench.h"
#include "backend/gpu/gpu_order.h"

#include "backend/gpu/gpu_answers.h"
#include "backend/gpu/gpu_arguments.h"
#include "backend/gpu/gpu_candidate.h"

#include <math.h>
#include <stdlib.h>

struct hone__gpu_bench *hone__gpu_bench_of(const struct hone__trial *trial)
{
  return trial->bench->own;
}

bool hone__gpu_fail(struct hone__trial *trial, size_t index)
{
  const struct hone__gpu_fault *fault = &hone__gpu_bench_of(trial)->gpu->fault;

  if (fault->is_fatal) trial->report->broken = 1;
  return hone__kernel_record_fail(hone__trial_record(trial, index),
                                  fault->outcome == HONE_OUTCOME_OK ? HONE_OUTCOME_DEVICE_FAULT
                                                                    : fault->outcome,
                                  "%s", fault->message);
}

/* ---- In the runner ---- */

static struct hone__packed *describe(const struct hone__trial *trial,
                                     const struct hone__gpu_bench *own, struct hone__text *payload)
{
  struct hone__gpu_order order = {.is_trial = true,
                                  .is_suspect = own->is_suspect,
                                  .waiting = hone__gpu_count_ahead(own),
                                  .was_right = trial->bench->was_right,
                                  .times = trial->time_count,
                                  .offset = trial->memory.offset,
                                  .candidates =
                                      hone__alloc((trial->count + 1) * sizeof *order.candidates),
                                  .candidates_count = trial->count};
  struct hone__packed *packed;

  hone__text_addn(payload, (const char *)&trial->plan, sizeof trial->plan);
  for (size_t i = 0; i < trial->count; i++) {
    const struct hone__trial_candidate *candidate = &trial->candidates[i];
    order.candidates[i] = (struct hone__gpu_order_item){candidate->packed, candidate->object_size};
    hone__text_addn(payload, candidate->object, candidate->object_size);
  }
  packed = hone__pack(&hone__gpu_order_type, &order);
  free(order.candidates);
  return packed;
}

/* Presents the helper to the trial as a process that ends with its answer and writes to one
 * descriptor. */
static void take_end(struct hone__trial *trial, struct hone__helper_answer *answer)
{
  trial->end = answer->child;
  answer->child = (struct hone__child_result){0};
  hone__text_addn(&trial->end.output, trial->end.errors.data, trial->end.errors.length);
  if (!answer->has_answered) return;
  trial->end.end = HONE__CHILD_EXITED;
  trial->end.code = 0;
}

/* False if a candidate wrote, or may have written, out of bounds. */
static bool was_clean(const struct hone__trial *trial)
{
  for (size_t i = 0; i < trial->count; i++)
    if (trial->report->records[i].fault > HONE__TRIAL_CAPPED || trial->report->records[i].changed)
      return false;
  return true;
}

static void ask_helper(struct hone__trial *trial, struct hone__gpu_bench *own)
{
  struct hone__text payload = {0};
  struct hone__packed *packed = describe(trial, own, &payload);
  struct hone__helper_request order = {.head = packed, /* a new one has no open device */
                                       .payload = payload.data,
                                       .payload_size = payload.length,
                                       .timeout_s = trial->plan.timeout_s};
  struct hone__helper_answer answer;

  for (size_t i = 0; i < trial->count; i++) /* each stage is a kernel that the driver may keep */
    own->orders += trial->candidates[i].pipeline.stage_count - 1;
  if (own->is_profiled)
    hone__gpu_ask_here(own, &order, &answer);
  else
    hone__helper_ask(&own->helper, &order, &answer);
  trial->bench->was_right = false; /* not known of this one yet */
  own->is_suspect = !answer.has_answered || !was_clean(trial);
  if (answer.has_answered && trial->report->broken) {
    hone__helper_end(own->helper);
    own->helper = NULL;
  }
  take_end(trial, &answer);
  hone__helper_answer_release(&answer);
  hone__text_release(&payload);
  hone__packed_drop(packed);
}

/* Without a helper the host is at fault. */
static void miss_helper(struct hone__trial *trial, const struct hone__helper_answer *answer)
{
  hone_status status = hone__gpu_helper_error(answer);

  trial->end = (struct hone__child_result){.end = HONE__CHILD_NOT_STARTED};
  hone__text_add(&trial->end.output, hone_status_message(status));
  hone_status_free(status);
}

static void execute(struct hone__trial *trial)
{
  struct hone__gpu_bench *own = hone__gpu_bench_of(trial);
  struct hone__helper_answer answer;

  if (hone__gpu_get_helper(own, &trial->memory, &answer))
    ask_helper(trial, own);
  else
    miss_helper(trial, &answer);
  hone__helper_answer_release(&answer);
}

static void renew(struct hone__bench *bench)
{
  hone__gpu_renew_helper(bench->own);
}

/* ---- Loading ---- */

/* NULL: there is none yet. */
static struct hone__gpu_kernel *first_loaded(const struct hone__gpu_candidate *loaded)
{
  for (size_t i = 0; i < loaded->kernel_count; i++)
    if (loaded->kernels[i]) return loaded->kernels[i];
  return NULL;
}

/* All stages share what the first one loaded. */
static bool load_kernel(struct hone__trial *trial, size_t index, size_t number)
{
  struct hone__gpu_bench *own = hone__gpu_bench_of(trial);
  const struct hone__gpu_driver *driver = own->device->driver;
  const struct hone__trial_candidate *candidate = &trial->candidates[index];
  const struct hone__kernel_stage *stage = &candidate->pipeline.stages[number];
  struct hone__gpu_candidate *loaded = candidate->own;
  struct hone__gpu_kernel *first = first_loaded(loaded);
  const char *entry = stage->entry ? stage->entry : "";
  struct hone__gpu_launch launch;

  if (!hone__gpu_launch_read(stage->launch, &launch))
    return hone__kernel_record_fail(hone__trial_record(trial, index), HONE_OUTCOME_LAUNCH_FAILURE,
                                    "its launch sizes are 0, or too large");
  return (first ? driver->load_beside(own->gpu, first, candidate->object, candidate->object_size,
                                      entry, &launch, &loaded->kernels[number])
                : driver->load(own->gpu, candidate->object, candidate->object_size, entry, &launch,
                               &loaded->kernels[number])) ||
         hone__gpu_fail(trial, index);
}

static bool load_stage(struct hone__trial *trial, size_t index, size_t number)
{
  struct hone__gpu_bench *own = hone__gpu_bench_of(trial);
  const struct hone__trial_candidate *candidate = &trial->candidates[index];
  const struct hone__kernel_stage *stage = &candidate->pipeline.stages[number];
  struct hone__gpu_candidate *loaded = candidate->own;
  struct hone__text why = {0};
  bool is_loaded;

  if (!stage->host) return load_kernel(trial, index, number);
  is_loaded = hone__gpu_step_load(&own->steps, &own->tensors, stage, &candidate->candidate,
                                  &loaded->calls[number], &why);
  if (!is_loaded)
    hone__kernel_record_fail(hone__trial_record(trial, index), HONE_OUTCOME_LAUNCH_FAILURE, "%s",
                             why.data);
  hone__text_release(&why);
  return is_loaded;
}

/* The kernels of a call, in order. */
static void make_work(const struct hone__pipeline *pipeline, struct hone__gpu_candidate *loaded)
{
  struct hone__gpu_kernel **list = hone__alloc(pipeline->order_count * sizeof *list);

  for (size_t i = 0; i < pipeline->order_count; i++)
    list[i] = loaded->kernels[pipeline->order[i]];
  loaded->work = (struct hone__gpu_work){list, pipeline->order_count};
}

bool hone__gpu_bind_stages(struct hone__trial *trial, size_t index, size_t first, size_t sets)
{
  struct hone__gpu_bench *own = hone__gpu_bench_of(trial);
  const struct hone__pipeline *pipeline = &trial->candidates[index].pipeline;
  const struct hone__gpu_candidate *loaded = trial->candidates[index].own;
  bool bound = true;

  for (size_t i = 0; i < pipeline->stage_count && bound; i++)
    if (loaded->kernels[i])
      bound = hone__gpu_arguments_bind(&own->tensors, loaded->kernels[i], &pipeline->stages[i],
                                       first, sets);
  return bound;
}

static bool load(struct hone__trial *trial, size_t index)
{
  struct hone__gpu_bench *own = hone__gpu_bench_of(trial);
  struct hone__trial_candidate *candidate = &trial->candidates[index];
  struct hone__gpu_candidate *loaded = candidate->own = hone__alloc(sizeof *loaded);

  loaded->kernel_count = candidate->pipeline.stage_count;
  loaded->kernels = hone__alloc(loaded->kernel_count * sizeof *loaded->kernels);
  loaded->calls = hone__alloc(loaded->kernel_count * sizeof *loaded->calls);
  for (size_t i = 0; i < loaded->kernel_count; i++)
    if (!load_stage(trial, index, i)) return false;
  make_work(&candidate->pipeline, loaded);
  loaded->bound = own->tensors.set_count < HONE__CONTENTS ? own->tensors.set_count : HONE__CONTENTS;
  return hone__gpu_bind_stages(trial, index, 0, loaded->bound) || hone__gpu_fail(trial, index);
}

static void unload(struct hone__trial *trial, size_t index)
{
  struct hone__gpu_bench *own = hone__gpu_bench_of(trial);
  struct hone__gpu_candidate *loaded = trial->candidates[index].own;

  if (!loaded) return;
  for (size_t i = loaded->kernel_count; i-- > 0;) {
    if (loaded->kernels[i]) own->device->driver->unload(own->gpu, loaded->kernels[i]);
    hone__gpu_step_unload(loaded->calls[i]);
  }
  hone__gpu_answers_release(trial, index);
  free((void *)(uintptr_t)loaded->work.kernels);
  free(loaded->kernels);
  free(loaded->calls);
  free(loaded);
  trial->candidates[index].own = NULL;
}

/* ---- Tensors ---- */

static bool restore(struct hone__trial *trial, size_t index, bool used)
{
  struct hone__gpu_bench *own = hone__gpu_bench_of(trial);

  (void)used;
  own->single_set = 0;
  hone__gpu_steps_restore(&own->steps);
  return hone__gpu_tensors_restore(&own->tensors) || hone__gpu_fail(trial, index);
}

static bool restore_inputs(struct hone__trial *trial, size_t index)
{
  uint64_t changed;

  if (!hone__gpu_tensors_restore_inputs(&hone__gpu_bench_of(trial)->tensors, &changed))
    return hone__gpu_fail(trial, index);
  if (changed) hone__trial_record(trial, index)->changed = changed;
  return true;
}

static bool snapshot(struct hone__trial *trial, size_t index, size_t set, unsigned char *to)
{
  return hone__gpu_tensors_read(&hone__gpu_bench_of(trial)->tensors, set, to) ||
         hone__gpu_fail(trial, index);
}

/* Keeps it on the device, where it is compared with others. */
static bool recognise(struct hone__trial *trial, size_t index, size_t set)
{
  return (hone__gpu_answers_keep(trial, index, set) &&
          hone__gpu_answers_recognise(trial, index, set)) ||
         hone__gpu_fail(trial, index);
}

static bool recall(struct hone__trial *trial, size_t index, size_t content)
{
  return hone__gpu_answers_recall(trial, index, content) || hone__gpu_fail(trial, index);
}

static bool turn(struct hone__trial *trial, uint64_t number)
{
  struct hone__gpu_bench *own = hone__gpu_bench_of(trial);

  trial->turn = number;
  own->single_set = own->tensors.set_count > 1 ? number % 2 : 0;
  return !hone__turn_swaps_contents(number) || hone__gpu_tensors_swap(&own->tensors) ||
         hone__gpu_fail(trial, trial->report->active);
}

static bool guards_hold(struct hone__trial *trial, size_t index)
{
  struct hone__gpu_bench *own = hone__gpu_bench_of(trial);
  struct hone__kernel_record *record = hone__trial_record(trial, index);
  bool broken;

  if (!hone__gpu_tensors_inspect(&own->tensors, &record->breach, &broken))
    return hone__gpu_fail(trial, index);
  broken = broken || !hone__gpu_steps_hold(&own->steps, &record->breach);
  if (broken) record->fault = HONE__TRIAL_BREACH;
  return !broken;
}

static bool call(struct hone__trial *trial, size_t index, size_t set, double *out_ns)
{
  if (!hone__gpu_call_all(trial, index, set, false, out_ns)) return hone__gpu_fail(trial, index);
  return hone__gpu_clock_check(trial, index, out_ns);
}

/* The host's memory belongs to this process, and is otherwise unused. */
static bool call_anew(struct hone__trial *trial, size_t index, bool is_known, double *out_ns)
{
  struct hone__gpu_bench *own = hone__gpu_bench_of(trial);
  bool written;

  if (!is_known) hone__buffers_draw(own->tensors.host, 0, hone__random_u64(&trial->spots.random));
  written = is_known ? hone__gpu_tensors_rewrite(&own->tensors, own->single_set)
                     : hone__gpu_tensors_write(&own->tensors, own->single_set);
  return written ? call(trial, index, own->single_set, out_ns) : hone__gpu_fail(trial, index);
}

/* By events, which cost time of their own; or by the host's clock. */
static bool time_one(struct hone__trial *trial, size_t index, size_t i, double *out_ns)
{
  static const double least_share = 0.05; /* of a launch, that is not the events' */
  struct hone__gpu_bench *own = hone__gpu_bench_of(trial);
  const struct hone__gpu_candidate *loaded = trial->candidates[index].own;
  const struct hone__gpu_work one = {&loaded->work.kernels[i], 1};
  double floor_ns = own->floor_ns[HONE__GPU_EVENTS];
  bool by_host = own->steps.count;

  if (by_host ? !hone__gpu_call_one(trial, index, i, own->single_set, out_ns)
              : !own->device->driver->launch(own->gpu, &one, own->single_set, false, out_ns))
    return hone__gpu_fail(trial, index);
  if (!hone__gpu_clock_check(trial, index, out_ns)) return false;
  if (!by_host && !isnan(floor_ns)) *out_ns = fmax(*out_ns - floor_ns, least_share * *out_ns);
  return true;
}

/* One launch after the other. */
static bool time_stages(struct hone__trial *trial, size_t index, double *stage_ns)
{
  const struct hone__pipeline *pipeline = &trial->candidates[index].pipeline;
  double ns;

  for (size_t i = 0; i < pipeline->order_count; i++) {
    if (!time_one(trial, index, i, &ns)) return false;
    stage_ns[pipeline->names[pipeline->order[i]]] += ns;
  }
  return true;
}

const struct hone__engine hone__engine_gpu = {
    .cannot_stop = true,
    .batched_ns = HONE__GPU_SHORT_NS,
    .execute = execute,
    .renew = renew,
    .load = load,
    .unload = unload,
    .restore = restore,
    .restore_inputs = restore_inputs,
    .guards_hold = guards_hold,
    .call = call,
    .snapshot = snapshot,
    .recognise = recognise,
    .recall = recall,
    .turn = turn,
    .arrange = hone__gpu_clock_arrange,
    .sample = hone__gpu_clock_sample,
    .inspect = hone__gpu_clock_inspect,
    .calibrate = hone__gpu_clock_calibrate,
    .call_anew = call_anew,
    .time_stages = time_stages,
    .remark = hone__gpu_clock_remark,
};
