/* Nothing here allocates, because a candidate may have corrupted the heap. Everything that must
 * outlive the process goes into the report. A kernel timer that sends SIGKILL, which cannot be
 * blocked, limits loading and every sample; the runner's deadline limits the rest.
 */
#include "backend/kernel/sampler.h"

#include "backend/kernel/checker.h"
#include "backend/run_plan.h"
#include "base/clock.h"

#include <math.h>
#include <sched.h>
#include <signal.h>
#include <sys/resource.h>
#include <time.h>

enum { SETTLING_CALLS = 3, MEMORY_PAIRS = 7, STAGE_CALLS = 5 };
/* Trained branch prediction makes a known call up to five times as fast. Times below the second
 * value cannot be distinguished from the cost of reading the clock. */
static const double remembers_ratio = 8, clock_ns = 100;
static const double settled_share = 0.1, settling_ns = 50e6;
static const double stages_ns = 20e6;  /* for the shares of stages */
static const double certain_ns = 10e6; /* longer than an interruption by the scheduler takes */
static const double warming_ns = 1e6;  /* a call as long as this is hardly slower when it is cold */

struct sampler {
  struct hone__trial *trial;
  const struct hone__engine *engine;
  timer_t watchdog;
  bool has_watchdog;
  double bites_at; /* hone__clock; 0: not set */
  uint64_t turns;
  struct hone__random random;
};

static struct hone__kernel_record *record_of(const struct sampler *sampler, size_t index)
{
  return &sampler->trial->report->records[index];
}

static bool works(const struct hone__kernel_record *record)
{
  return record->fault == HONE__TRIAL_NO_FAULT || record->fault == HONE__TRIAL_CAPPED;
}

static bool is_broken(const struct sampler *sampler)
{
  return sampler->trial->report->broken != 0;
}

/* The baseline in a row. Its answers were checked when the device was set up; here those of its
 * first calls and of its samples are. */
static bool is_known(const struct sampler *sampler, size_t index)
{
  return sampler->trial->plan.first_is_known && index == 0;
}

/* ---- Where we are ---- */

static void enter(struct sampler *sampler, size_t active, enum hone__trial_stage stage)
{
  struct hone__trial_report *report = sampler->trial->report;

  report->stage_began = hone__clock();
  report->active = (uint32_t)active;
  report->stage = stage;
}

static void watch(struct sampler *sampler, double seconds) /* 0: no more */
{
  struct itimerspec when = {.it_value = {.tv_sec = (time_t)seconds}};

  if (!sampler->has_watchdog) return;
  sampler->bites_at = seconds > 0 ? hone__clock() + seconds : 0;
  when.it_value.tv_nsec = (long)(1e9 * (seconds - (double)when.it_value.tv_sec));
  timer_settime(sampler->watchdog, 0, &when, NULL);
}

static void make_watchdog(struct sampler *sampler)
{
  struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGKILL};

  sampler->has_watchdog = sampler->trial->plan.call_timeout_s > 0 &&
                          timer_create(CLOCK_MONOTONIC, &event, &sampler->watchdog) == 0;
}

/* Every sample has at least the limit of a call left, and what is done with its arguments before
 * the next one has its own time. Most are short, so the timer is set rarely. */
static void keep_watch(struct sampler *sampler, double now)
{
  const struct hone__trial *trial = sampler->trial;
  double limit = trial->plan.call_timeout_s, own = trial->bench->setup.arguments_s;

  if (own > 0) limit += own;
  if (now + limit > sampler->bites_at) watch(sampler, 1.25 * limit);
}

/* ---- One sample ---- */

static bool is_checked(const struct hone__trial_plan *plan)
{
  return plan->check && plan->checking != HONE__CHECK_FIRST;
}

/* Changes the inputs from one sample, or row, to the next. */
static bool turn(struct sampler *sampler, size_t index)
{
  if (!is_checked(&sampler->trial->plan)) return true;
  sampler->trial->report->active = (uint32_t)index;
  return sampler->engine->turn(sampler->trial, sampler->turns++);
}

static double now_ns(void)
{
  return 1e9 * hone__clock();
}

static bool take(struct sampler *sampler, size_t index, uint64_t repeats, double *out_ns)
{
  double now = hone__clock();

  sampler->trial->report->stage_began = now;
  keep_watch(sampler, now);
  record_of(sampler, index)->calls += repeats;
  if (!sampler->engine->sample(sampler->trial, index, repeats, out_ns)) return false;
  record_of(sampler, index)->sample_ns = *out_ns * (double)repeats;
  return true;
}

/* Per call, with the answer checked: in whole, if required. */
static bool sample(struct sampler *sampler, size_t index, uint64_t repeats, bool must,
                   double *out_ns)
{
  struct hone__trial *trial = sampler->trial;
  struct hone__kernel_record *record = record_of(sampler, index);
  enum hone__extent extent = hone__checker_extent(trial, index, &sampler->random, must);
  double began = now_ns(), spent;

  if (!sampler->engine->arrange(trial, index, repeats, extent)) return false;
  spent = now_ns() - began;
  if (!take(sampler, index, repeats, out_ns)) return false;
  began = now_ns();
  if (!hone__checker_look(trial, index, repeats, extent)) return false;
  spent += now_ns() - began;
  if (extent == HONE__WHOLE)
    record->whole_ns = record->whole_ns > 0 ? (record->whole_ns + spent) / 2 : spent;
  return true;
}

/* ---- Loading and the first call ---- */

/* The answer to each content is copied, for the runner and to compare later ones with, unless the
 * runner has it. */
static bool keep_first(struct sampler *sampler, size_t index, size_t content)
{
  const struct hone__engine *engine = sampler->engine;
  struct hone__trial *trial = sampler->trial;
  struct hone__kernel_record *record = record_of(sampler, index);

  if (!trial->plan.check) return true;
  if (engine->recognise && !engine->recognise(trial, index, content)) return false;
  if (!record->first_like[content] &&
      !engine->snapshot(trial, index, content, hone__trial_snapshot(trial, index, content)))
    return false;
  record->has_first[content] = true;
  return true;
}

/* The largest shape of an argument may be that of a sample of the configurations. */
static bool has_room(struct sampler *sampler, size_t index)
{
  const struct hone__kernel_candidate *candidate = &sampler->trial->candidates[index].candidate;
  const struct hone__buffers *buffers = &sampler->trial->bench->buffers;

  for (size_t i = 0; i < candidate->extents_count; i++) {
    const struct hone__kernel_extent *extent = &candidate->extents[i];
    if (extent->arg < buffers->count &&
        (uint64_t)hone__kernel_extent_elements(extent) <= buffers->args[extent->arg].count)
      continue;
    return hone__kernel_record_fail(
        record_of(sampler, index), HONE_OUTCOME_LAUNCH_FAILURE,
        "'%s' needs %lld elements, more than any configuration that was looked at",
        extent->arg < buffers->count ? buffers->args[extent->arg].name : "an argument",
        (long long)hone__kernel_extent_elements(extent));
  }
  return true;
}

/* All are loaded before the first is called: damage to the process by one (closing foreign files,
 * for example) must not prevent the others from being loaded. */
static void load(struct sampler *sampler, size_t index)
{
  enter(sampler, index, HONE__TRIAL_LOADING);
  watch(sampler, sampler->trial->plan.call_timeout_s);
  if (has_room(sampler, index)) sampler->engine->load(sampler->trial, index);
  watch(sampler, 0);
}

static bool call_with(struct sampler *sampler, size_t index, size_t content, double *out_ns)
{
  const struct hone__engine *engine = sampler->engine;
  struct hone__trial *trial = sampler->trial;
  bool called;

  watch(sampler, trial->plan.call_timeout_s);
  record_of(sampler, index)->calls++;
  called = engine->call(trial, index, content, out_ns);
  watch(sampler, 0);
  return called && engine->restore_inputs(trial, index) && keep_first(sampler, index, content);
}

/* Two calls in a row above the cap, the cold one included, or a long one. */
static bool is_hopeless(const struct sampler *sampler, double last, double next)
{
  const struct hone__trial_plan *plan = &sampler->trial->plan;

  if (plan->mode != HONE__TRIAL_SCREEN || plan->cap_ns <= 0 || next <= plan->cap_ns) return false;
  if (next < sampler->engine->batched_ns) return false;
  return last > plan->cap_ns || next > certain_ns;
}

enum { EARLIER_CALLS = 3 };

struct warmth {
  double call_ns; /* of the last call */
  /* Of the calls before it, the latest first, as far as they are as good as samples; then 0. */
  double earlier_ns[EARLIER_CALLS];
  bool is_settled;  /* it took as long as the one before it: as good as a sample */
  bool is_hopeless; /* above the cap for certain */
};

static bool is_settled(double one, double other)
{
  return fabs(one - other) < settled_share * fmax(one, other);
}

/* After the two first calls: what the second took is `last_ns`. */
static bool is_hopeless_at_once(const struct sampler *sampler, size_t index, double last_ns)
{
  const struct hone__kernel_record *record = record_of(sampler, index);

  return record->calls == 2 && last_ns > warming_ns &&
         is_hopeless(sampler, record->cold_ns, last_ns);
}

/* Calls the last set again, with unchanged outputs. */
static bool call_unpoisoned(struct sampler *sampler, size_t index, double *out_ns)
{
  const struct hone__engine *engine = sampler->engine;
  struct hone__trial *trial = sampler->trial;
  bool called;

  if (!engine->arrange(trial, index, 1, HONE__NOTHING)) return false;
  watch(sampler, trial->plan.call_timeout_s);
  record_of(sampler, index)->calls++;
  called = engine->call(trial, index, HONE__CONTENTS - 1, out_ns);
  watch(sampler, 0);
  return called && hone__checker_look(trial, index, 1, HONE__WHOLE);
}

/* Whether calls that are made to check answers tell the time, too. */
static bool checks_are_timed(const struct sampler *sampler)
{
  const struct hone__trial *trial = sampler->trial;

  return sampler->engine->calls_are_samples && !trial->bench->flush && trial->plan.warmup < 0;
}

static void note_checks(const struct sampler *sampler, const double earlier_ns[EARLIER_CALLS],
                        struct warmth *warmth)
{
  double next_ns = warmth->call_ns;

  if (!checks_are_timed(sampler)) return;
  warmth->is_hopeless = is_hopeless(sampler, earlier_ns[0], next_ns);
  warmth->is_settled = is_settled(earlier_ns[0], next_ns);
  for (size_t i = 0; i < EARLIER_CALLS && is_settled(earlier_ns[i], next_ns); i++)
    next_ns = warmth->earlier_ns[i] = earlier_ns[i];
}

/* First with the other content: a candidate that caches answers by the addresses of its arguments
 * gives an old one. In samples sets alternate, so that one that caches a single answer would never
 * find it. Then with its own right answer already there, which must not change the result. */
static bool call_again(struct sampler *sampler, size_t index, struct warmth *warmth)
{
  struct hone__trial *trial = sampler->trial;
  struct hone__kernel_record *record = record_of(sampler, index);
  double earlier_ns[EARLIER_CALLS] = {0, warmth->call_ns, record->cold_ns};

  if (!is_checked(&trial->plan) || trial->bench->contents < 2 ||
      is_hopeless_at_once(sampler, index, warmth->call_ns) || is_known(sampler, index))
    return true;
  if (!sampler->engine->turn(trial, HONE__TURN_OF_LAST_SET)) return false;
  record->is_again = true;
  if (!call_unpoisoned(sampler, index, &earlier_ns[0])) return false;
  record->is_again = false;
  if (!call_unpoisoned(sampler, index, &warmth->call_ns)) return false;
  note_checks(sampler, earlier_ns, warmth);
  return true;
}

/* One call with each content, and those that check it further. */
static bool first_calls(struct sampler *sampler, size_t index, struct warmth *warmth)
{
  const struct hone__engine *engine = sampler->engine;
  struct hone__trial *trial = sampler->trial;
  struct hone__kernel_record *record = record_of(sampler, index);

  if (!engine->restore(trial, index, index > 0)) return false;
  enter(sampler, index, HONE__TRIAL_FIRST_CALL);
  if (!call_with(sampler, index, 0, &record->cold_ns)) return false;
  warmth->call_ns = record->cold_ns;
  enter(sampler, index, HONE__TRIAL_WARMING);
  if (trial->plan.check && trial->bench->contents > 1 &&
      !call_with(sampler, index, 1, &warmth->call_ns))
    return false;
  trial->restores_inputs |= record->changed != 0;
  if (!call_again(sampler, index, warmth)) return false;
  return (!trial->plan.check || is_checked(&trial->plan) ||
          engine->arrange(trial, index, 1, HONE__WHOLE)) &&
         engine->guards_hold(trial, index);
}

/* The answer of the last call, beside that of the first. */
static bool last_look(struct sampler *sampler, size_t index)
{
  const struct hone__engine *engine = sampler->engine;
  struct hone__trial *trial = sampler->trial;
  struct hone__kernel_record *record = record_of(sampler, index);
  struct hone__look look = {.set = 0};

  if (record->has_first[0] && record->calls > trial->bench->contents) {
    if (!engine->inspect(trial, index, 1, HONE__WHOLE, &look)) return false;
    record->last_is_first = look.what == HONE__LOOK_SAME;
    record->last_content = (uint8_t)look.content;
    if (!record->last_is_first &&
        !engine->snapshot(trial, index, look.set,
                          hone__trial_snapshot(trial, index, HONE__LAST_ANSWER)))
      return false;
    record->has_last = true;
  }
  return engine->guards_hold(trial, index);
}

/* ---- Warm-up ---- */

/* Its two first calls are enough, if they are long. */
static bool is_warm(const struct sampler *sampler, size_t index, const struct warmth *warmth)
{
  return is_known(sampler, index) && checks_are_timed(sampler) &&
         record_of(sampler, index)->calls > 1 && warmth->call_ns > warming_ns;
}

static bool warm_up(struct sampler *sampler, size_t index, struct warmth *warmth)
{
  const struct hone__trial_plan *plan = &sampler->trial->plan;
  double spent = warmth->call_ns, next;
  int calls = plan->warmup >= 0 ? plan->warmup : SETTLING_CALLS;

  for (int i = 0; i < calls && !warmth->is_settled && !warmth->is_hopeless; i++) {
    if (plan->warmup < 0 && spent >= settling_ns) break;
    if (!turn(sampler, index) || !sample(sampler, index, 1, false, &next)) return false;
    warmth->is_hopeless = is_hopeless(sampler, warmth->call_ns, next);
    warmth->is_settled = plan->warmup < 0 && is_settled(warmth->call_ns, next);
    warmth->call_ns = next;
    spent += next;
  }
  return true;
}

/* ---- Screening ---- */

static void record_sample(struct sampler *sampler, size_t index, double ns)
{
  struct hone__trial *trial = sampler->trial;
  struct hone__kernel_record *record = record_of(sampler, index);

  trial->times[index * trial->plan.samples + record->samples] = ns;
  record->samples++;
}

/* Others are certainly better: its time is known well enough. */
static bool is_beaten(const struct sampler *sampler, size_t index)
{
  const struct hone__trial *trial = sampler->trial;
  const struct hone__kernel_record *record = record_of(sampler, index);
  double fastest = INFINITY;

  if (!(trial->plan.cut_ns > 0) || !record->samples) return false;
  for (size_t i = 0; i < record->samples; i++)
    fastest = fmin(fastest, trial->times[index * trial->plan.samples + i]);
  return fastest > trial->plan.cut_ns && fastest * (double)record->repeats > certain_ns;
}

/* Of many samples only as many as there is time for. */
static bool is_over(const struct hone__trial_plan *plan, double began)
{
  return plan->budget_s > 0 && hone__clock() - began >= plan->budget_s;
}

static bool take_samples(struct sampler *sampler, size_t index)
{
  const struct hone__trial_plan *plan = &sampler->trial->plan;
  struct hone__kernel_record *record = record_of(sampler, index);
  double began = hone__clock();
  size_t in_a_row = 0;

  while (record->samples < plan->samples && !is_beaten(sampler, index) && !is_over(plan, began)) {
    bool is_last = record->samples + 1 == plan->samples;
    double ns;
    if (!turn(sampler, index) || !sample(sampler, index, record->repeats, is_last, &ns))
      return false;
    record_sample(sampler, index, ns);
    in_a_row = plan->cap_ns > 0 && ns > plan->cap_ns ? in_a_row + 1 : 0;
    if (in_a_row > 1 || (in_a_row && ns * (double)record->repeats > certain_ns)) break;
  }
  if (in_a_row && (in_a_row > 1 || record->samples == 1 || record->samples < plan->samples))
    record->fault = HONE__TRIAL_CAPPED;
  return true;
}

/* Calls of the warm-up that are as good as samples. The first call with each content counts only
 * beside several later ones, which decide the median. */
static void record_warm_calls(struct sampler *sampler, size_t index, const struct warmth *warmth)
{
  const struct hone__trial_plan *plan = &sampler->trial->plan;

  if (!warmth->is_settled || record_of(sampler, index)->repeats != 1 || !plan->samples) return;
  for (size_t i = EARLIER_CALLS; i-- > 0;)
    if (warmth->earlier_ns[i] > 0 && plan->samples > (i ? 2 * (i + 1) : 1))
      record_sample(sampler, index, warmth->earlier_ns[i]);
  record_sample(sampler, index, warmth->call_ns);
}

static bool time_one(struct sampler *sampler, size_t index, struct warmth *warmth)
{
  const struct hone__trial_plan *plan = &sampler->trial->plan;
  struct hone__kernel_record *record = record_of(sampler, index);

  warmth->is_hopeless |= plan->samples && is_hopeless_at_once(sampler, index, warmth->call_ns);
  if (!warmth->is_hopeless && !is_warm(sampler, index, warmth) && !warm_up(sampler, index, warmth))
    return false;
  watch(sampler, 0);
  record->repeats = 1;
  if (warmth->is_hopeless && plan->samples) {
    record_sample(sampler, index, warmth->call_ns);
    record->fault = HONE__TRIAL_CAPPED;
    return true;
  }
  if (!sampler->engine->calibrate(sampler->trial, index, warmth->call_ns)) return false;
  enter(sampler, index, HONE__TRIAL_TIMING);
  if (plan->mode != HONE__TRIAL_SCREEN) return true;
  record_warm_calls(sampler, index, warmth);
  return take_samples(sampler, index);
}

/* ---- Stages ---- */

/* After the samples, so that caches are warm: as many calls as there is time for, at least one. */
static bool time_stages(struct sampler *sampler, size_t index)
{
  const struct hone__engine *engine = sampler->engine;
  struct hone__trial *trial = sampler->trial;
  struct hone__kernel_record *record = record_of(sampler, index);
  double began = now_ns();

  if (!hone__pipeline_is_many(&trial->candidates[index].pipeline) || !record->samples ||
      record->fault != HONE__TRIAL_NO_FAULT)
    return true;
  for (int i = 0; i < STAGE_CALLS && (!i || now_ns() - began < stages_ns); i++) {
    if (!engine->arrange(trial, index, 1, HONE__NOTHING)) return false;
    keep_watch(sampler, hone__clock());
    record->calls++;
    if (!engine->time_stages(trial, index, record->stage_ns)) return false;
  }
  watch(sampler, 0);
  return true;
}

/* ---- What it remembers ---- */

/* Known and new inputs in turn: a candidate that caches answers, by any key, takes much longer for
 * new ones. Both calls have freshly written inputs. */
static bool check_memory(struct sampler *sampler, size_t index)
{
  struct hone__trial *trial = sampler->trial;
  double known, unknown, least = INFINITY;

  if (trial->plan.checking != HONE__CHECK_EVERY || trial->bench->contents < 2) return true;
  for (int i = 0; i < MEMORY_PAIRS && least > remembers_ratio; i++) {
    keep_watch(sampler, hone__clock());
    record_of(sampler, index)->calls += 2;
    if (!sampler->engine->call_anew(trial, index, true, &known) ||
        !sampler->engine->call_anew(trial, index, false, &unknown))
      return false;
    least = fmin(least, unknown / fmax(known, clock_ns));
  }
  watch(sampler, 0);
  return sampler->engine->restore(trial, index, true) &&
         (least <= remembers_ratio ||
          hone__kernel_record_fail(
              record_of(sampler, index), HONE_OUTCOME_WRONG_RESULT,
              "it caches results of earlier calls: a call with new inputs takes %.3g times as long",
              least));
}

static bool calls_late(const struct hone__trial_plan *plan)
{
  return plan->mode == HONE__TRIAL_ROWS && plan->late_check;
}

static void try_one(struct sampler *sampler, size_t index)
{
  const struct hone__trial_plan *plan = &sampler->trial->plan;
  bool is_timed = plan->samples || plan->mode == HONE__TRIAL_ROWS;
  struct warmth warmth = {0};
  bool good =
      first_calls(sampler, index, &warmth) && (!is_timed || time_one(sampler, index, &warmth));

  watch(sampler, 0); /* even after a failure: others may need longer */
  if (good && is_timed && plan->mode == HONE__TRIAL_SCREEN) good = time_stages(sampler, index);
  if (good && !calls_late(plan)) good = last_look(sampler, index);
  if (good && is_timed && plan->mode == HONE__TRIAL_SCREEN && is_checked(plan) &&
      record_of(sampler, index)->fault != HONE__TRIAL_CAPPED) /* which cannot win */
    check_memory(sampler, index);
}

/* ---- Rows ---- */

static bool time_in_row(struct sampler *sampler, size_t index, double *out_ns)
{
  const struct hone__engine *engine = sampler->engine;
  struct hone__kernel_record *record = record_of(sampler, index);
  uint64_t calls = engine->cools_down ? engine->cools_down(sampler->trial, index) : 0;

  enter(sampler, index, HONE__TRIAL_TIMING);
  if (calls && !sample(sampler, index, calls, false, out_ns)) return false;
  if (!sample(sampler, index, record->repeats, false, out_ns)) return false;
  record->samples++;
  return true;
}

static void take_row(struct sampler *sampler, double *row)
{
  struct hone__trial *trial = sampler->trial;

  for (size_t i = 0; i < trial->count && !is_broken(sampler); i++) {
    size_t index = trial->order[i];
    row[index] = NAN;
    if (works(record_of(sampler, index)) && !time_in_row(sampler, index, &row[index]))
      row[index] = NAN;
  }
}

static void take_rows(struct sampler *sampler)
{
  struct hone__trial *trial = sampler->trial;
  struct hone__random random = {.state = trial->plan.seed};
  double began = hone__clock();

  while (trial->report->rows < trial->plan.rows && !is_broken(sampler)) {
    hone__backend_run_plan_shuffle(&random, trial->order, trial->count);
    if (!turn(sampler, trial->order[0])) break;
    take_row(sampler, trial->times + trial->report->rows * trial->count);
    trial->report->rows += !is_broken(sampler);
    if (trial->plan.budget_s > 0 && hone__clock() - began >= trial->plan.budget_s) break;
  }
  watch(sampler, 0);
}

static void late_call(struct sampler *sampler, size_t index)
{
  const struct hone__engine *engine = sampler->engine;
  struct hone__trial *trial = sampler->trial;
  bool called;
  double ns;

  if (!works(record_of(sampler, index)) || is_broken(sampler)) return;
  if (!engine->restore(trial, index, true)) return;
  enter(sampler, index, HONE__TRIAL_LATE_CALL);
  watch(sampler, trial->plan.call_timeout_s);
  record_of(sampler, index)->calls++;
  called = engine->call(trial, index, 0, &ns);
  watch(sampler, 0);
  if (called) last_look(sampler, index);
}

/* ---- All together ---- */

static double cpu_ns(const struct rusage *usage)
{
  return 1e9 * (double)(usage->ru_utime.tv_sec + usage->ru_stime.tv_sec) +
         1e3 * (double)(usage->ru_utime.tv_usec + usage->ru_stime.tv_usec);
}

static void note_usage(struct hone__trial_report *report, const struct rusage *began)
{
  struct rusage usage;

  getrusage(RUSAGE_SELF, &usage);
  report->cpu_ns = cpu_ns(&usage) - cpu_ns(began);
  report->forced_switches = usage.ru_nivcsw - began->ru_nivcsw;
  report->cpu = sched_getcpu();
}

static void measure(struct sampler *sampler)
{
  struct hone__trial *trial = sampler->trial;
  struct rusage began;

  getrusage(RUSAGE_SELF, &began);
  for (size_t i = 0; i < trial->count && !is_broken(sampler); i++)
    load(sampler, i);
  for (size_t i = 0; i < trial->count && !is_broken(sampler); i++)
    if (works(record_of(sampler, i))) try_one(sampler, i);
  if (trial->plan.mode == HONE__TRIAL_ROWS && !is_broken(sampler)) {
    getrusage(RUSAGE_SELF, &began);
    take_rows(sampler);
  }
  note_usage(trial->report, &began);
}

void hone__sampler_run(void *data)
{
  struct hone__trial *trial = data;
  struct sampler sampler = {.trial = trial, .engine = trial->engine, .random = {~trial->plan.seed}};

  make_watchdog(&sampler);
  measure(&sampler);
  for (size_t i = 0; calls_late(&trial->plan) && i < trial->count; i++)
    if (!is_known(&sampler, i)) late_call(&sampler, i);
  if (trial->engine->remark && !is_broken(&sampler)) trial->engine->remark(trial);
  for (size_t i = 0; trial->engine->unload && i < trial->count && !is_broken(&sampler); i++)
    trial->engine->unload(trial, i);
  if (sampler.has_watchdog) timer_delete(sampler.watchdog);
  trial->report->stage = HONE__TRIAL_ENDED;
  trial->report->checksum = hone__trial_checksum(trial);
}
