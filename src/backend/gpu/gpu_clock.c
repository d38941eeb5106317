/* Two ways to time a launch. Between two events, with caches flushed before it: an event costs a
 * few microseconds, whatever the kernel takes. Or many launches at once, over rotating sets of
 * arguments, so that none is in the cache: less than one microsecond each. Short kernels are timed
 * the second way, and candidates that are compared with each other (rows) are all timed the same
 * way. A launch whose arguments must be restored before it (inout, symbols, images) is timed the
 * first way. A pipeline with functions on the host is timed by the host's clock, one call at a
 * time, and so are all candidates of its spec. If answers are checked, every launch of a round has
 * its own set, whose outputs are poisoned before: none finds an answer already there.
 */
#include "backend/gpu/gpu_bench.h"

#include "backend/gpu/gpu_answers.h"
#include "backend/kernel/trial_remarks.h"
#include "base/clock.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_LAUNCHES = 500, FEWEST_LAUNCHES = 4, CACHES = 3 };
static const double MOST_SET_BYTES = 2147483648.0, MOST_HOT_BYTES = 1 << 20;
static const double well_timed_ns = 500e3; /* events are accurate to less than 1 us */
static const double energy_s = 1.2;        /* the counter is updated ten times a second */
/* A batch that takes this much longer on the host's clock was interrupted by another process. */
static const double foreign_ratio = 1.5, foreign_ns = 200e3;

static struct hone__gpu_candidate *loaded_at(const struct hone__trial *trial, size_t index)
{
  return trial->candidates[index].own;
}

/* ---- Choosing ---- */

static bool must_batch(const struct hone__trial *trial, size_t index)
{
  bool is_row = trial->plan.mode == HONE__TRIAL_ROWS, is_short = false;

  for (size_t i = is_row ? 0 : index; i < (is_row ? trial->count : index + 1); i++) {
    const struct hone__gpu_candidate *other = loaded_at(trial, i);
    if (!other || !(other->clock.call_ns > 0)) continue; /* it failed before it was timed */
    if (other->clock.is_single) return false;
    is_short = is_short || other->clock.call_ns < HONE__GPU_SHORT_NS;
  }
  return is_short;
}

static bool is_checked(const struct hone__trial *trial)
{
  return trial->plan.check && trial->plan.checking != HONE__CHECK_FIRST;
}

/* Sets that together are several times the cache. */
static double sets_of_cold(const struct hone__gpu_bench *own)
{
  double bytes = (double)own->tensors.set_bytes, cache = (double)own->gpu->cache_bytes;

  return own->is_cold && bytes > 0 ? ceil(CACHES * cache / bytes) + 1 : 1;
}

/* Sets for as many launches as memory allows; for hot caches, as many as half of them hold. */
static double sets_of_checked(const struct hone__gpu_bench *own)
{
  double cache = (double)own->gpu->cache_bytes;
  double room = own->is_cold ? MOST_SET_BYTES : cache > 0 ? cache / 2 : MOST_HOT_BYTES;
  double bytes = (double)(own->is_cold ? own->tensors.set_bytes : own->tensors.output_bytes);
  double most = own->device->driver->most_sets ? (double)own->device->driver->most_sets : 1;

  return fmin(fmax(floor(room / fmax(bytes, 1)), FEWEST_LAUNCHES), fmax(most, FEWEST_LAUNCHES));
}

static size_t rotation(const struct hone__trial *trial, size_t launches)
{
  const struct hone__gpu_bench *own = hone__gpu_bench_of(trial);
  double sets = sets_of_cold(own);

  if (is_checked(trial)) sets = fmax(sets, sets_of_checked(own));
  sets = fmin(fmin(sets, (double)launches), HONE__GPU_MOST_SETS);
  return sets < 1 ? 1 : (size_t)sets;
}

static bool bind_sets(struct hone__gpu_bench *own, struct hone__trial *trial, size_t index)
{
  struct hone__gpu_candidate *loaded = loaded_at(trial, index);
  struct hone__gpu_clock *clock = &loaded->clock;

  clock->sets = hone__gpu_tensors_grow(&own->tensors, rotation(trial, clock->launches));
  if (clock->sets <= loaded->bound) return true;
  if (!hone__gpu_bind_stages(trial, index, loaded->bound, clock->sets)) return false;
  loaded->bound = clock->sets;
  return true;
}

/* Of a batch. */
static size_t launches_of(const struct hone__gpu_clock *clock)
{
  double wanted = ceil(HONE__GPU_BATCH_NS / fmax(clock->call_ns, 1));

  return (size_t)fmin(fmax(wanted, FEWEST_LAUNCHES), MOST_LAUNCHES);
}

/* Between rounds outputs are poisoned, which takes about as long as a round of kernels that are
 * bound by memory: a round that is long enough to be timed well is a sample. */
static void divide(struct hone__gpu_clock *clock)
{
  double round_ns = (double)clock->sets * clock->call_ns;
  size_t rounds = (clock->launches + clock->sets - 1) / clock->sets;

  clock->rounds = round_ns >= well_timed_ns ? 1 : rounds;
  clock->launches = clock->sets;
}

static bool decide_batch(struct hone__trial *trial, size_t index)
{
  struct hone__gpu_clock *clock = &loaded_at(trial, index)->clock;

  clock->method = HONE__GPU_BATCH;
  clock->launches = launches_of(clock);
  if (!bind_sets(hone__gpu_bench_of(trial), trial, index)) return false;
  if (is_checked(trial) && clock->sets < clock->launches) divide(clock);
  return true;
}

static bool decide(struct hone__trial *trial, size_t index)
{
  struct hone__gpu_clock *clock = &loaded_at(trial, index)->clock;

  clock->is_decided = true;
  clock->method = HONE__GPU_EVENTS;
  clock->rounds = clock->launches = 1;
  if (must_batch(trial, index) && !decide_batch(trial, index)) return false;
  hone__trial_record(trial, index)->repeats = clock->rounds * clock->launches;
  return true;
}

/* ---- Sampling ---- */

/* Drivers sometimes report wrong times. A time of 0 is below the resolution of the clocks. */
bool hone__gpu_clock_check(struct hone__trial *trial, size_t index, double *ns)
{
  if (!isfinite(*ns) || *ns < 0)
    return hone__kernel_record_fail(hone__trial_record(trial, index), HONE_OUTCOME_DEVICE_FAULT,
                                    "the device reports a time of %g ns: its clock cannot be used",
                                    *ns);
  *ns = fmax(*ns, 1);
  return true;
}

static bool time_single(struct hone__trial *trial, size_t index, double *out_ns)
{
  struct hone__gpu_bench *own = hone__gpu_bench_of(trial);

  return hone__gpu_call_all(trial, index, own->single_set, own->is_cold, out_ns);
}

static bool time_round(struct hone__trial *trial, size_t index, double *out_ns)
{
  struct hone__gpu_bench *own = hone__gpu_bench_of(trial);
  const struct hone__gpu_candidate *loaded = loaded_at(trial, index);
  double wall_ns;

  if (!own->device->driver->batch(own->gpu, &loaded->work, loaded->clock.sets,
                                  loaded->clock.launches, out_ns, &wall_ns))
    return false;
  if ((wall_ns - *out_ns) * (double)loaded->clock.launches > foreign_ns)
    own->slowest_wall = fmax(own->slowest_wall, wall_ns / fmax(*out_ns, 1));
  return true;
}

/* The work between rounds is not timed. */
static bool time_batch(struct hone__trial *trial, size_t index, double *out_ns)
{
  struct hone__gpu_bench *own = hone__gpu_bench_of(trial);
  const struct hone__gpu_clock *clock = &loaded_at(trial, index)->clock;
  double sum = 0, ns;

  for (size_t i = 0; i < clock->rounds; i++) {
    if (i && is_checked(trial) && !hone__gpu_tensors_poison(&own->tensors, 0, clock->sets))
      return false;
    if (!time_round(trial, index, &ns)) return false;
    sum += ns;
  }
  *out_ns = sum / (double)clock->rounds;
  return true;
}

static bool is_batch(const struct hone__gpu_clock *clock)
{
  return clock->is_decided && clock->method == HONE__GPU_BATCH;
}

/* The first batch, which prepares everything, is not timed. */
static bool settle_method(struct hone__trial *trial, size_t index)
{
  struct hone__gpu_clock *clock = &loaded_at(trial, index)->clock;
  double ns;

  if (!(clock->call_ns > 0) || clock->is_decided) return true;
  return decide(trial, index) && (!is_batch(clock) || time_round(trial, index, &ns));
}

/* In some turns the first two sets keep their answers. */
static bool poison_batch(struct hone__trial *trial, size_t sets)
{
  struct hone__gpu_bench *own = hone__gpu_bench_of(trial);
  size_t kept = hone__turn_leaves_answers(trial->turn) ? HONE__CONTENTS : 0;

  return sets <= kept || hone__gpu_tensors_poison(&own->tensors, kept, sets - kept);
}

static bool prepare_single(struct hone__trial *trial, enum hone__extent extent)
{
  struct hone__gpu_bench *own = hone__gpu_bench_of(trial);
  uint64_t changed;

  if (trial->restores_inputs && !hone__gpu_tensors_restore_inputs(&own->tensors, &changed))
    return false;
  if (own->tensors.host->has_inout && !hone__gpu_tensors_refill(&own->tensors, own->single_set))
    return false;
  if (extent == HONE__NOTHING || (is_checked(trial) && hone__turn_leaves_answers(trial->turn)))
    return true;
  return hone__gpu_tensors_poison(&own->tensors, own->single_set, 1);
}

/* Only where a spec has limits: it takes a call of the driver. */
static bool limit_power(struct hone__trial *trial, size_t index)
{
  struct hone__gpu_bench *own = hone__gpu_bench_of(trial);
  const struct hone__gpu_driver *driver = own->device->driver;
  int64_t watts = trial->candidates[index].candidate.power_limit_w;

  if (!watts && !own->has_limit) return true;
  own->has_limit = true;
  if (!driver->limit_power)
    return hone__gpu_refuse(&own->gpu->fault, "this backend cannot limit the power");
  return driver->limit_power(own->gpu, (double)watts);
}

bool hone__gpu_clock_arrange(struct hone__trial *trial, size_t index, uint64_t repeats,
                             enum hone__extent extent)
{
  const struct hone__gpu_clock *clock = &loaded_at(trial, index)->clock;
  bool good = limit_power(trial, index) && settle_method(trial, index);

  (void)repeats;
  if (good && is_batch(clock))
    good = extent == HONE__NOTHING || poison_batch(trial, clock->sets);
  else if (good)
    good = prepare_single(trial, extent);
  return good || hone__gpu_fail(trial, index);
}

bool hone__gpu_clock_inspect(struct hone__trial *trial, size_t index, uint64_t repeats,
                             enum hone__extent extent, struct hone__look *look)
{
  const struct hone__gpu_bench *own = hone__gpu_bench_of(trial);
  const struct hone__gpu_clock *clock = &loaded_at(trial, index)->clock;
  bool is_all = is_batch(clock) && repeats > 1;

  return hone__gpu_answers_look(trial, index, is_all ? 0 : own->single_set,
                                is_all ? clock->sets : 1, extent, look) ||
         hone__gpu_fail(trial, index);
}

bool hone__gpu_clock_sample(struct hone__trial *trial, size_t index, uint64_t repeats,
                            double *out_ns)
{
  struct hone__gpu_clock *clock = &loaded_at(trial, index)->clock;
  uint64_t launches = clock->rounds * clock->launches;
  bool batch = is_batch(clock), good;

  if (batch) hone__trial_record(trial, index)->calls += launches - repeats;
  good = batch ? time_batch(trial, index, out_ns) : time_single(trial, index, out_ns);
  return good ? hone__gpu_clock_check(trial, index, out_ns) : hone__gpu_fail(trial, index);
}

/* In rows the method is chosen after all have been called. */
bool hone__gpu_clock_calibrate(struct hone__trial *trial, size_t index, double call_ns)
{
  struct hone__gpu_bench *own = hone__gpu_bench_of(trial);
  struct hone__gpu_clock *clock = &loaded_at(trial, index)->clock;

  clock->call_ns = fmax(call_ns, 1);
  clock->is_single = own->tensors.host->has_inout || own->tensors.host->has_symbol ||
                     own->tensors.host->has_image || own->steps.count ||
                     hone__trial_record(trial, index)->changed ||
                     (trial->plan.check && trial->plan.checking == HONE__CHECK_EVERY);
  if (trial->plan.mode == HONE__TRIAL_ROWS || !trial->plan.samples) return true;
  return decide(trial, index) || hone__gpu_fail(trial, index);
}

/* ---- Remarks ---- */

/* The energy of one call, from one second of calls without a pause. A kernel whose arguments must
 * be restored before each call has none. */
static bool measure_energy(struct hone__trial *trial, size_t index, struct hone__named_list *facts)
{
  struct hone__gpu_bench *own = hone__gpu_bench_of(trial);
  const struct hone__gpu_driver *driver = own->device->driver;
  const struct hone__gpu_candidate *loaded = loaded_at(trial, index);
  size_t launches = launches_of(&loaded->clock);
  double before, after, began = hone__clock(), ns, wall_ns, calls = 0, spent;

  if (!limit_power(trial, index)) return false;
  if (loaded->clock.is_single || !driver->energy || !driver->energy(own->gpu, &before)) return true;
  do {
    if (!driver->batch(own->gpu, &loaded->work, loaded->bound, launches, &ns, &wall_ns))
      return false;
    calls += (double)launches;
    spent = hone__clock() - began;
  } while (spent < energy_s);
  if (!driver->energy(own->gpu, &after) || after <= before) return true;
  hone__named_real(facts, "energy_j", (after - before) / calls);
  hone__named_real(facts, "power_w", (after - before) / spent);
  return true;
}

/* Of all kernels together. */
static void add_stage_facts(struct hone__trial *trial, size_t index, struct hone__named_list *facts)
{
  struct hone__gpu_bench *own = hone__gpu_bench_of(trial);
  const struct hone__pipeline *pipeline = &trial->candidates[index].pipeline;

  for (size_t i = 0; i < pipeline->stage_count; i++) {
    struct hone__named_list one = {.arena = facts->arena};
    if (pipeline->stages[i].host || hone__pipeline_first_with_entry(pipeline, i) != i) continue;
    own->device->driver->kernel_facts(own->gpu, loaded_at(trial, index)->kernels[i], &one);
    hone__pipeline_join_costs(facts, &one);
  }
}

static const char *method_name(const struct hone__gpu_bench *own, enum hone__gpu_method method)
{
  if (own->steps.count) return "wall";
  return method == HONE__GPU_BATCH ? "batch" : "events";
}

static void add_kernel_facts(struct hone__trial *trial, size_t index,
                             struct hone__named_list *facts)
{
  struct hone__gpu_bench *own = hone__gpu_bench_of(trial);
  const struct hone__gpu_candidate *loaded = loaded_at(trial, index);
  const struct hone__kernel_record *record = hone__trial_record(trial, index);

  if (!loaded || !loaded->work.count || record->fault > HONE__TRIAL_CAPPED) return;
  add_stage_facts(trial, index, facts);
  if (loaded->clock.is_decided)
    hone__named_text(facts, "method", method_name(own, loaded->clock.method));
  if (own->wants_energy && (trial->plan.mode == HONE__TRIAL_SCREEN || trial->count <= 2) &&
      record->fault == HONE__TRIAL_NO_FAULT && record->samples && loaded->clock.is_decided &&
      !measure_energy(trial, index, facts))
    hone__gpu_fail(trial, index);
}

/* Nothing if the driver has lost the context. */
static void add_kernels(struct hone__trial *trial, struct hone__arena *arena,
                        struct hone__trial_remarks *remarks)
{
  for (size_t i = 0; i < trial->count && !trial->report->broken; i++) {
    struct hone__named_list facts = {.arena = arena};
    add_kernel_facts(trial, i, &facts);
    remarks->kernels[i] = (struct hone__named_record){facts.items, facts.count};
    remarks->kernels_count = i + 1;
  }
}

static void add_note(struct hone__trial_remarks *remarks, const char *note)
{
  remarks->notes[remarks->notes_count++] = note;
}

/* One for each reason, and two others. */
static void add_notes(const struct hone__gpu_bench *own, struct hone__arena *arena,
                      struct hone__trial_remarks *remarks)
{
  const struct hone__wire_device_state *state = remarks->state;
  int64_t others = state->others.type == HONE_INT ? state->others.integer : 0;

  remarks->notes = hone__arena_alloc(arena, (state->throttled_count + 2) * sizeof *remarks->notes);
  for (size_t i = 0; i < state->throttled_count; i++)
    add_note(remarks, hone__arena_printf(
                          arena, "its clocks are throttled (%s): times are longer than necessary",
                          state->throttled[i]));
  if (others > 0)
    add_note(remarks, hone__arena_printf(arena, "%lld other process%s it", (long long)others,
                                         others == 1 ? " uses" : "es use"));
  /* On a CPU, launch overhead exceeds short kernels anyway. */
  if (own->slowest_wall > foreign_ratio && !own->is_cpu)
    add_note(remarks,
             "batches took much longer than their kernels: another process uses the device");
}

/* False: there is no room for it. */
static bool write_remarks(struct hone__trial *trial, const struct hone__trial_remarks *remarks)
{
  struct hone__packed *packed = hone__pack(&hone__trial_remarks_type, remarks);
  struct hone__text text = {0};
  bool fits;

  hone__packed_print(packed, &text);
  fits = text.length < sizeof trial->report->remarks;
  if (fits) memcpy(trial->report->remarks, text.data, text.length + 1);
  hone__text_release(&text);
  hone__packed_drop(packed);
  return fits;
}

/* Those that wait for their turn disturb nothing. */
static void leave_out_waiting(const struct hone__gpu_bench *own,
                              struct hone__wire_device_state *state)
{
  int64_t waiting = (int64_t)own->waiting;

  if (state->others.type != HONE_INT) return;
  state->others.integer -= state->others.integer < waiting ? state->others.integer : waiting;
}

void hone__gpu_clock_remark(struct hone__trial *trial)
{
  struct hone__gpu_bench *own = hone__gpu_bench_of(trial);
  struct hone__arena arena = {0};
  struct hone__wire_device_state state = {0};
  struct hone__trial_remarks remarks = {
      .kernels = hone__arena_alloc(&arena, (trial->count + 1) * sizeof *remarks.kernels),
      .state = &state};

  if (own->device->driver->state) own->device->driver->state(own->gpu, &arena, &state);
  leave_out_waiting(own, &state);
  add_kernels(trial, &arena, &remarks);
  add_notes(own, &arena, &remarks);
  own->slowest_wall = 0;
  if (!write_remarks(trial, &remarks)) {
    remarks.kernels_count = 0; /* of many candidates; builds reported most of it */
    write_remarks(trial, &remarks);
  }
  hone__arena_release(&arena);
}
