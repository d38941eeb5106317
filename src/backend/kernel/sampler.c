/* Nothing here allocates: a candidate may have ruined the heap. All that must outlive the child
 * goes into the report. A watchdog of the kernel's (a timer that sends SIGKILL, which cannot be
 * blocked) bounds loading and first calls; the parent's deadline bounds all the rest. */
#include "backend/kernel/sampler.h"

#include "backend/kernel/trial.h"
#include "base/clock.h"
#include "base/random.h"

#include <dlfcn.h>
#include <math.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>

enum { SETTLING_CALLS = 3, LINE = 64 };
static const double settled_share = 0.1, settling_ns = 50e6;
static const double certain_ns = 10e6; /* longer than an interruption by the scheduler takes */
static const double short_ns = 0.5e6;
static const uint64_t most_repeats = 1 << 20;

struct sampler {
  struct hone_trial *trial;
  fenv_t floats; /* before anything was loaded */
  bool mends;    /* a candidate writes to its inputs, which are for all */
  timer_t watchdog;
  bool has_watchdog;
};

/* ---- Where we are ---- */

static void enter(struct sampler *sampler, size_t active, enum hone_trial_stage stage)
{
  struct hone_trial_report *report = sampler->trial->report;

  report->stage_began = hone__clock();
  report->active = (uint32_t)active;
  report->stage = stage;
}

static void watch(struct sampler *sampler, double seconds) /* 0: no more */
{
  struct itimerspec when = {.it_value = {.tv_sec = (time_t)seconds}};

  if (!sampler->has_watchdog) return;
  when.it_value.tv_nsec = (long)(1e9 * (seconds - (double)when.it_value.tv_sec));
  timer_settime(sampler->watchdog, 0, &when, NULL);
}

static void make_watchdog(struct sampler *sampler)
{
  struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGKILL};

  sampler->has_watchdog = sampler->trial->plan.call_timeout_s > 0 &&
                          timer_create(CLOCK_MONOTONIC, &event, &sampler->watchdog) == 0;
}

/* ---- Calls ---- */

static double now_ns(void)
{
  struct timespec now;

  clock_gettime(CLOCK_MONOTONIC, &now);
  return 1e9 * (double)now.tv_sec + (double)now.tv_nsec;
}

static double timed(struct hone_c_call *call, uint64_t repeats)
{
  double began = now_ns();

  for (uint64_t i = 0; i < repeats; i++)
    hone__call(call);
  return now_ns() - began;
}

static void flush_caches(const struct hone_bench *bench)
{
  const volatile unsigned char *bytes = bench->flush;

  for (size_t i = 0; i < bench->flush_bytes; i += LINE)
    (void)bytes[i];
}

/* Whether something is to be done before each call. */
static bool is_single(const struct sampler *sampler, size_t index)
{
  const struct hone_bench *bench = sampler->trial->bench;

  return bench->buffers.has_inout || bench->flush || sampler->trial->report->records[index].changed;
}

/* One sample, per call; what must be done before the call is not timed. */
static double sample(struct sampler *sampler, size_t index, uint64_t repeats)
{
  struct hone_bench *bench = sampler->trial->bench;
  struct hone_trial_candidate *candidate = &sampler->trial->candidates[index];

  hone__buffers_refill(&bench->buffers);
  if (sampler->mends) hone__buffers_mend(&bench->buffers);
  if (bench->flush) flush_caches(bench);
  fesetenv(&candidate->floats);
  sampler->trial->report->stage_began = hone__clock();
  sampler->trial->report->records[index].calls += repeats;
  return timed(&candidate->call, repeats) / (double)repeats;
}

/* ---- Loading and the first call ---- */

static bool fail_load(struct hone_record *record, const char *before, const char *what,
                      const char *behind)
{
  record->fault = HONE_TRIAL_NOT_LOADED;
  snprintf(record->message, sizeof record->message, "%s%s%s", before, what, behind);
  return false;
}

/* "/proc/self/fd/5: undefined symbol: f" without the file, which means nothing to anybody. */
static const char *loader_message(const char *path)
{
  const char *message = dlerror();
  size_t length = strlen(path);

  if (!message) return "no reason given";
  if (strncmp(message, path, length) != 0) return message;
  return message + length + strspn(message + length, ": ");
}

static bool load(struct sampler *sampler, size_t index)
{
  struct hone_trial_candidate *candidate = &sampler->trial->candidates[index];
  struct hone_record *record = &sampler->trial->report->records[index];
  char path[64];
  void *library, *symbol;

  snprintf(path, sizeof path, "/proc/self/fd/%d", candidate->object);
  fesetenv(&sampler->floats);
  library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  fegetenv(&candidate->floats);
  if (!library) return fail_load(record, "", loader_message(path), "");
  symbol = dlsym(library, candidate->entry);
  if (!symbol)
    return fail_load(record, "it has no function '", candidate->entry,
                     candidate->is_mangled ? "' of C: declare it extern \"C\"" : "'");
  memcpy(&candidate->call.function, &symbol, sizeof symbol); /* ISO C has no cast for it */
  return true;
}

static bool guards_hold(struct sampler *sampler, struct hone_record *record)
{
  if (hone__buffers_intact(&sampler->trial->bench->buffers, &record->breach)) return true;
  record->fault = HONE_TRIAL_BREACH;
  return false;
}

static bool first_call(struct sampler *sampler, size_t index)
{
  struct hone_trial *trial = sampler->trial;
  struct hone_record *record = &trial->report->records[index];
  const struct hone_buffers *buffers = &trial->bench->buffers;

  enter(sampler, index, HONE_TRIAL_LOADING);
  watch(sampler, trial->plan.call_timeout_s);
  if (!load(sampler, index)) return false;
  hone__buffers_restore(buffers, index > 0);
  enter(sampler, index, HONE_TRIAL_FIRST_CALL);
  watch(sampler, trial->plan.call_timeout_s);
  record->calls = 1;
  fesetenv(&trial->candidates[index].floats);
  record->cold_ns = timed(&trial->candidates[index].call, 1);
  watch(sampler, 0);
  enter(sampler, index, HONE_TRIAL_WARMING);
  record->changed = hone__buffers_mend(buffers);
  sampler->mends |= record->changed > 0;
  if (trial->plan.check) {
    hone__buffers_snapshot(buffers, hone__trial_snapshot(trial, index, false));
    record->has_first = true;
    hone__buffers_poison(buffers); /* later calls must write their answer themselves */
  }
  return guards_hold(sampler, record);
}

/* The answer that is there now, beside that of the first call. */
static bool last_look(struct sampler *sampler, size_t index)
{
  struct hone_trial *trial = sampler->trial;
  struct hone_record *record = &trial->report->records[index];
  const struct hone_buffers *buffers = &trial->bench->buffers;

  if (record->has_first && record->calls > 1) {
    record->last_is_first = hone__buffers_equal(buffers, hone__trial_snapshot(trial, index, false));
    if (!record->last_is_first)
      hone__buffers_snapshot(buffers, hone__trial_snapshot(trial, index, true));
    record->has_last = true;
  }
  return guards_hold(sampler, record);
}

/* ---- Warm-up ---- */

static bool is_settled(double one, double other)
{
  return fabs(one - other) < settled_share * fmax(one, other);
}

/* Two calls in a row above the cap, the cold one included, or a long one. */
static bool is_hopeless(const struct hone_trial_plan *plan, double last, double next)
{
  if (plan->mode != HONE_TRIAL_SCREEN || plan->cap_ns <= 0 || next <= plan->cap_ns) return false;
  return last > plan->cap_ns || next > certain_ns;
}

/* The last call's time; negative: it is hopeless. `*out_settled`: it took as long as the one before
 * it, so that it is as good as a sample. */
static double warm_up(struct sampler *sampler, size_t index, bool *out_settled)
{
  const struct hone_trial_plan *plan = &sampler->trial->plan;
  double last = sampler->trial->report->records[index].cold_ns, spent = last, next;
  int calls = plan->warmup >= 0 ? plan->warmup : SETTLING_CALLS;

  *out_settled = false;
  for (int i = 0; i < calls; i++) {
    if (plan->warmup < 0 && spent >= settling_ns) break;
    next = sample(sampler, index, 1);
    if (is_hopeless(plan, last, next)) return -next;
    *out_settled = plan->warmup < 0 && is_settled(last, next);
    last = next;
    spent += next;
    if (*out_settled) break;
  }
  return last;
}

/* The clock takes a share of a very short call, so the first guess may be too small. */
static uint64_t calibrate(struct sampler *sampler, size_t index, double call_ns)
{
  const struct hone_trial_plan *plan = &sampler->trial->plan;
  uint64_t repeats = 1;

  if (is_single(sampler, index)) return 1;
  while (repeats < most_repeats && call_ns * (double)repeats < plan->min_sample_ns) {
    double wanted = ceil(1.1 * plan->min_sample_ns / fmax(call_ns, 1));
    uint64_t next = wanted < (double)most_repeats ? (uint64_t)wanted : most_repeats;
    repeats = next > repeats ? next : 2 * repeats;
    call_ns = sample(sampler, index, repeats);
  }
  return repeats;
}

/* ---- Screening ---- */

static void record_sample(struct sampler *sampler, size_t index, double ns)
{
  struct hone_trial *trial = sampler->trial;
  struct hone_record *record = &trial->report->records[index];

  trial->times[index * trial->plan.samples + record->samples] = ns;
  record->samples++;
}

static void take_samples(struct sampler *sampler, size_t index)
{
  const struct hone_trial_plan *plan = &sampler->trial->plan;
  struct hone_record *record = &sampler->trial->report->records[index];
  size_t in_a_row = 0;

  while (record->samples < plan->samples) {
    double ns = sample(sampler, index, record->repeats);
    record_sample(sampler, index, ns);
    in_a_row = plan->cap_ns > 0 && ns > plan->cap_ns ? in_a_row + 1 : 0;
    if (in_a_row > 1 || (in_a_row && ns * (double)record->repeats > certain_ns)) break;
  }
  if (in_a_row && (in_a_row > 1 || record->samples == 1 || record->samples < plan->samples))
    record->fault = HONE_TRIAL_CAPPED;
}

static void time_one(struct sampler *sampler, size_t index)
{
  const struct hone_trial_plan *plan = &sampler->trial->plan;
  struct hone_record *record = &sampler->trial->report->records[index];
  bool settled;
  double call_ns = warm_up(sampler, index, &settled);

  record->repeats = 1;
  if (call_ns < 0 && plan->samples) {
    record_sample(sampler, index, -call_ns);
    record->fault = HONE_TRIAL_CAPPED;
    return;
  }
  if (plan->samples || plan->mode == HONE_TRIAL_ROWS)
    record->repeats = calibrate(sampler, index, call_ns);
  enter(sampler, index, HONE_TRIAL_TIMING);
  if (plan->mode != HONE_TRIAL_SCREEN) return;
  if (settled && plan->samples && record->repeats == 1) record_sample(sampler, index, call_ns);
  take_samples(sampler, index);
}

static bool works(const struct hone_record *record)
{
  return record->fault == HONE_TRIAL_NO_FAULT || record->fault == HONE_TRIAL_CAPPED;
}

static bool calls_late(const struct hone_trial_plan *plan)
{
  return plan->mode == HONE_TRIAL_ROWS && plan->late_check;
}

static void try_one(struct sampler *sampler, size_t index)
{
  const struct hone_trial_plan *plan = &sampler->trial->plan;

  if (!first_call(sampler, index)) return;
  if (plan->samples || plan->mode == HONE_TRIAL_ROWS) time_one(sampler, index);
  if (!calls_late(plan)) last_look(sampler, index);
}

/* ---- Rows ---- */

static void draw_order(struct hone_random *random, uint32_t *order, size_t count)
{
  for (size_t i = 0; i < count; i++) {
    size_t j = (size_t)hone__random_below(random, i + 1);
    order[i] = order[j];
    order[j] = (uint32_t)i;
  }
}

/* In a row all the others ran since: a short call is made once more before it is timed, or else it
 * is timed with caches that are full of other things. */
static bool cools_down(const struct sampler *sampler, size_t index)
{
  return !is_single(sampler, index) && sampler->trial->report->records[index].cold_ns < short_ns;
}

static void take_row(struct sampler *sampler, double *row)
{
  struct hone_trial *trial = sampler->trial;

  for (size_t i = 0; i < trial->count; i++) {
    size_t index = trial->order[i];
    struct hone_record *record = &trial->report->records[index];
    row[index] = NAN;
    if (!works(record)) continue;
    enter(sampler, index, HONE_TRIAL_TIMING);
    if (cools_down(sampler, index)) sample(sampler, index, 1);
    row[index] = sample(sampler, index, record->repeats);
    record->samples++;
  }
}

static void take_rows(struct sampler *sampler)
{
  struct hone_trial *trial = sampler->trial;
  struct hone_random random = {.state = trial->plan.seed};
  double began = hone__clock();

  while (trial->report->rows < trial->plan.rows) {
    draw_order(&random, trial->order, trial->count);
    take_row(sampler, trial->times + trial->report->rows * trial->count);
    trial->report->rows++;
    if (trial->plan.budget_s > 0 && hone__clock() - began >= trial->plan.budget_s) break;
  }
}

static void late_call(struct sampler *sampler, size_t index)
{
  struct hone_trial *trial = sampler->trial;

  if (!works(&trial->report->records[index])) return;
  hone__buffers_restore(&trial->bench->buffers, true);
  enter(sampler, index, HONE_TRIAL_LATE_CALL);
  watch(sampler, trial->plan.call_timeout_s);
  trial->report->records[index].calls++;
  fesetenv(&trial->candidates[index].floats);
  hone__call(&trial->candidates[index].call);
  watch(sampler, 0);
  last_look(sampler, index);
}

/* ---- All together ---- */

static double cpu_ns(const struct rusage *usage)
{
  return 1e9 * (double)(usage->ru_utime.tv_sec + usage->ru_stime.tv_sec) +
         1e3 * (double)(usage->ru_utime.tv_usec + usage->ru_stime.tv_usec);
}

static void note_usage(struct hone_trial_report *report, const struct rusage *began)
{
  struct rusage usage;

  getrusage(RUSAGE_SELF, &usage);
  report->cpu_ns = cpu_ns(&usage) - cpu_ns(began);
  report->forced_switches = usage.ru_nivcsw - began->ru_nivcsw;
  report->cpu = sched_getcpu();
}

static void measure(struct sampler *sampler)
{
  struct hone_trial *trial = sampler->trial;
  struct rusage began;

  getrusage(RUSAGE_SELF, &began);
  for (size_t i = 0; i < trial->count; i++)
    try_one(sampler, i);
  if (trial->plan.mode == HONE_TRIAL_ROWS) {
    getrusage(RUSAGE_SELF, &began);
    take_rows(sampler);
  }
  note_usage(trial->report, &began);
}

void hone__sampler_run(void *data)
{
  struct hone_trial *trial = data;
  struct sampler sampler = {.trial = trial};

  fegetenv(&sampler.floats);
  make_watchdog(&sampler);
  measure(&sampler);
  if (calls_late(&trial->plan))
    for (size_t i = 0; i < trial->count; i++)
      late_call(&sampler, i);
  trial->report->stage = HONE_TRIAL_ENDED;
  trial->report->checksum = hone__trial_checksum(trial);
}
