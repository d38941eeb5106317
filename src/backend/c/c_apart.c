#include "backend/c/c_apart.h"

#include "backend/run_plan.h"
#include "base/clock.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

static bool is_same(const struct hone__kernel_candidate *a, const struct hone__kernel_candidate *b)
{
  if (a->env_count != b->env_count) return false;
  for (size_t i = 0; i < a->env_count; i++)
    if (strcmp(a->env[i].name, b->env[i].name) != 0 ||
        strcmp(a->env[i].value, b->env[i].value) != 0)
      return false;
  return true;
}

bool hone__c_shares_environment(const struct hone__trial *trial)
{
  for (size_t i = 1; i < trial->count; i++)
    if (!is_same(&trial->candidates[0].candidate, &trial->candidates[i].candidate)) return false;
  return true;
}

struct apart {
  struct hone__trial *trial;
  struct hone__trial one; /* a candidate by itself */
  struct hone__trial_memory memory;
  size_t order;
  double began;
};

/* ---- One process ---- */

static bool is_row(const struct hone__trial *trial)
{
  return trial->plan.mode == HONE__TRIAL_ROWS;
}

/* Room for the report of one process. */
static bool open_one(struct apart *apart)
{
  struct hone__trial *one = &apart->one;

  *one = *apart->trial;
  one->count = 1;
  one->order = &apart->order;
  one->time_count = is_row(one) ? 1 : one->plan.samples;
  if (is_row(one)) one->plan.rows = 1;
  if (!hone__trial_memory_make(&apart->memory, hone__trial_lay_out(one, NULL))) return false;
  hone__trial_lay_out(one, apart->memory.bytes);
  return true;
}

static double left_s(const struct apart *apart)
{
  double left = apart->trial->plan.timeout_s - (hone__clock() - apart->began);

  return !(apart->trial->plan.timeout_s > 0) ? 0 : left > 0.1 ? left : 0.1;
}

static void run_one(struct apart *apart, size_t index, uint64_t row, hone__c_process *process)
{
  struct hone__trial *one = &apart->one;

  one->candidates = &apart->trial->candidates[index];
  one->plan.first_is_known = apart->trial->plan.first_is_known && index == 0;
  one->plan.seed = apart->trial->plan.seed + row * 0x9e3779b97f4a7c15u;
  one->end = (struct hone__child_result){0};
  memset(one->report, 0, sizeof *one->report + sizeof *one->report->records);
  process(one, left_s(apart));
}

/* ---- The report of all ---- */

/* The last state of a candidate is judged; counts are added up. */
static void take_record(struct apart *apart, size_t index)
{
  struct hone__trial *trial = apart->trial;
  struct hone__kernel_record *whole = hone__trial_record(trial, index), before = *whole;
  size_t bytes = HONE__SNAPSHOTS * trial->bench->buffers.snapshot_bytes;

  *whole = apart->one.report->records[0];
  whole->samples += before.samples;
  whole->calls += before.calls;
  whole->compared += before.compared;
  whole->compared_whole += before.compared_whole;
  if (trial->plan.check) memcpy(hone__trial_snapshot(trial, index, 0), apart->one.snapshots, bytes);
}

static void take_report(struct apart *apart, size_t index)
{
  const struct hone__trial_report *one = apart->one.report;
  struct hone__trial_report *whole = apart->trial->report;

  take_record(apart, index);
  whole->cpu_ns += one->cpu_ns;
  whole->forced_switches += one->forced_switches;
  whole->cpu = one->cpu;
  whole->broken = one->broken;
}

static void take_times(struct apart *apart, size_t index)
{
  struct hone__trial *trial = apart->trial;
  const double *from = apart->one.times;

  if (is_row(trial))
    trial->times[trial->report->rows * trial->count + index] =
        apart->one.report->rows ? from[0] : NAN;
  else
    memcpy(trial->times + index * trial->plan.samples, from,
           trial->plan.samples * sizeof *trial->times);
}

/* It died: the report of the whole names the place where it was. */
static void take_death(struct apart *apart, size_t index)
{
  struct hone__trial_report *whole = apart->trial->report;

  *hone__trial_record(apart->trial, index) = apart->one.report->records[0];
  whole->active = (uint32_t)index;
  whole->stage = apart->one.report->stage;
  whole->stage_began = apart->one.report->stage_began;
  whole->broken = apart->one.report->broken;
}

/* False: the trial is over. */
static bool try_one(struct apart *apart, size_t index, uint64_t row, hone__c_process *process)
{
  struct hone__trial *trial = apart->trial;
  bool is_complete;

  if (is_row(trial)) trial->times[trial->report->rows * trial->count + index] = NAN;
  if (hone__trial_record(trial, index)->fault != HONE__TRIAL_NO_FAULT) return true;
  run_one(apart, index, row, process);
  is_complete = hone__trial_complete(&apart->one);
  if (is_complete) take_report(apart, index);
  if (is_complete) take_times(apart, index);
  if (!is_complete) take_death(apart, index);
  hone__child_result_release(&trial->end);
  trial->end = apart->one.end;
  return is_complete;
}

/* ---- All ---- */

static bool take_round(struct apart *apart, uint64_t row, hone__c_process *process)
{
  struct hone__trial *trial = apart->trial;
  bool goes_on = true;

  for (size_t i = 0; i < trial->count && goes_on; i++)
    goes_on = try_one(apart, trial->order[i], row, process);
  if (goes_on && is_row(trial)) trial->report->rows++;
  return goes_on;
}

static bool is_over(const struct apart *apart)
{
  const struct hone__trial_plan *plan = &apart->trial->plan;

  return plan->budget_s > 0 && hone__clock() - apart->began >= plan->budget_s;
}

static bool take_rounds(struct apart *apart, hone__c_process *process)
{
  struct hone__trial *trial = apart->trial;
  struct hone__random random = {.state = trial->plan.seed};
  size_t rounds = is_row(trial) ? trial->plan.rows : 1;

  for (size_t i = 0; i < trial->count; i++)
    trial->order[i] = i;
  for (uint64_t row = 0; row < rounds; row++) {
    if (is_row(trial)) hone__backend_run_plan_shuffle(&random, trial->order, trial->count);
    if (!take_round(apart, row, process)) return false;
    if (is_over(apart)) break;
  }
  return true;
}

void hone__c_run_apart(struct hone__trial *trial, hone__c_process *process)
{
  struct apart apart = {.trial = trial, .began = hone__clock()};

  if (!open_one(&apart)) {
    trial->end = (struct hone__child_result){.end = HONE__CHILD_NOT_STARTED, .code = errno};
    return;
  }
  if (take_rounds(&apart, process)) {
    trial->report->stage = HONE__TRIAL_ENDED;
    trial->report->checksum = hone__trial_checksum(trial);
  }
  hone__trial_memory_release(&apart.memory);
}
