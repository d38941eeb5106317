/* An engine whose candidates are kernels of a device. All methods except `execute` run in the
 * helper.
 */
#include "backend/gpu/gpu_bench.h"
#include "backend/gpu/gpu_order.h"

#include "backend/gpu/gpu_answers.h"
#include "backend/gpu/gpu_arguments.h"
#include "backend/gpu/gpu_candidate.h"

#include <stdlib.h>

struct hone__gpu_bench *hone__gpu_bench_of(const struct hone__trial *trial)
{
  return trial->bench->own;
}

bool hone__gpu_fail(struct hone__trial *trial, size_t index)
{
  const struct hone__gpu_fault *fault = &hone__gpu_bench_of(trial)->gpu->fault;

  if (fault->is_fatal) trial->report->broken = 1;
  return hone__record_fail(hone__trial_record(trial, index),
                           fault->outcome == HONE_OUTCOME_OK ? HONE_OUTCOME_DEVICE_FAULT
                                                             : fault->outcome,
                           "%s", fault->message);
}

/* ---- In the runner ---- */

static struct hone__packed *describe(const struct hone__trial *trial, bool is_suspect,
                                     struct hone__text *payload)
{
  struct hone__gpu_order order = {.is_trial = true,
                                  .is_suspect = is_suspect,
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
  struct hone__packed *packed = describe(trial, own->is_suspect, &payload);
  struct hone__helper_request order = {.head = packed, /* a new one has no open device */
                                       .payload = payload.data,
                                       .payload_size = payload.length,
                                       .timeout_s = trial->plan.timeout_s};
  struct hone__helper_answer answer;

  hone__helper_ask(&own->helper, &order, &answer);
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

/* ---- Loading ---- */

static bool load(struct hone__trial *trial, size_t index)
{
  struct hone__gpu_bench *own = hone__gpu_bench_of(trial);
  struct hone__trial_candidate *candidate = &trial->candidates[index];
  struct hone__gpu_candidate *loaded = candidate->own = hone__alloc(sizeof *loaded);
  const char *entry = candidate->candidate.entry;
  struct hone__gpu_launch launch;

  if (!hone__gpu_launch_read(&candidate->candidate, &launch))
    return hone__record_fail(hone__trial_record(trial, index), HONE_OUTCOME_LAUNCH_FAILURE,
                             "its launch sizes are 0, or too large");
  if (!own->device->driver->load(own->gpu, candidate->object, candidate->object_size,
                                 entry ? entry : "", &launch, &loaded->kernel))
    return hone__gpu_fail(trial, index);
  loaded->bound = own->tensors.set_count < HONE__CONTENTS ? own->tensors.set_count : HONE__CONTENTS;
  return hone__gpu_arguments_bind(&own->tensors, loaded->kernel, &candidate->candidate, 0,
                                  loaded->bound) ||
         hone__gpu_fail(trial, index);
}

static void unload(struct hone__trial *trial, size_t index)
{
  struct hone__gpu_bench *own = hone__gpu_bench_of(trial);
  struct hone__gpu_candidate *loaded = trial->candidates[index].own;

  if (loaded && loaded->kernel) own->device->driver->unload(own->gpu, loaded->kernel);
  if (loaded) hone__gpu_answers_release(own, loaded);
  free(loaded);
  trial->candidates[index].own = NULL;
}

/* ---- Tensors ---- */

static bool restore(struct hone__trial *trial, size_t index, bool used)
{
  struct hone__gpu_bench *own = hone__gpu_bench_of(trial);

  (void)used;
  own->single_set = 0;
  return hone__gpu_tensors_restore(&own->tensors) || hone__gpu_fail(trial, index);
}

static bool mend(struct hone__trial *trial, size_t index)
{
  uint64_t changed;

  if (!hone__gpu_tensors_mend(&hone__gpu_bench_of(trial)->tensors, &changed))
    return hone__gpu_fail(trial, index);
  if (changed) hone__trial_record(trial, index)->changed = changed;
  return true;
}

/* Keeps a first answer on the device, too. */
static bool snapshot(struct hone__trial *trial, size_t index, size_t set, unsigned char *to)
{
  struct hone__gpu_tensors *tensors = &hone__gpu_bench_of(trial)->tensors;
  bool is_first = to != hone__trial_snapshot(trial, index, HONE__LAST_ANSWER);

  return (hone__gpu_tensors_read(tensors, set, to) &&
          (!is_first || hone__gpu_answers_keep(trial, index, set))) ||
         hone__gpu_fail(trial, index);
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
  struct hone__record *record = hone__trial_record(trial, index);
  bool broken;

  if (!hone__gpu_tensors_inspect(&hone__gpu_bench_of(trial)->tensors, &record->breach, &broken))
    return hone__gpu_fail(trial, index);
  if (broken) record->fault = HONE__TRIAL_BREACH;
  return !broken;
}

static bool call(struct hone__trial *trial, size_t index, size_t set, double *out_ns)
{
  struct hone__gpu_bench *own = hone__gpu_bench_of(trial);
  const struct hone__gpu_candidate *loaded = trial->candidates[index].own;

  if (!own->device->driver->launch(own->gpu, loaded->kernel, set, false, out_ns))
    return hone__gpu_fail(trial, index);
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

const struct hone__engine hone__engine_gpu = {
    .cannot_stop = true,
    .batched_ns = HONE__GPU_SHORT_NS,
    .execute = execute,
    .load = load,
    .unload = unload,
    .restore = restore,
    .mend = mend,
    .guards_hold = guards_hold,
    .call = call,
    .snapshot = snapshot,
    .turn = turn,
    .arrange = hone__gpu_clock_arrange,
    .sample = hone__gpu_clock_sample,
    .inspect = hone__gpu_clock_inspect,
    .calibrate = hone__gpu_clock_calibrate,
    .call_anew = call_anew,
    .remark = hone__gpu_clock_remark,
};
