/* What a candidate does, in a process of its own where it takes time or has a scripted fault, which
 * really happens. Without a pace it takes no time: recorded seconds are added up instead.
 */
#include "backend/sim/sim_bench.h"

#include "base/clock.h"

#include <math.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static const double slow_factor = 100, never_ns = -1;

/* ---- A call ---- */

/* A longer call ends the process: the report shows where it was. */
static void set_alarm(double seconds)
{
  struct itimerval timer = {
      .it_value = {.tv_sec = (time_t)seconds,
                   .tv_usec = (suseconds_t)(1e6 * (seconds - floor(seconds)))}};

  if (seconds > 0 && !timer.it_value.tv_sec && !timer.it_value.tv_usec) timer.it_value.tv_usec = 1;
  setitimer(ITIMER_REAL, &timer, NULL);
}

static void sleep_for(double seconds)
{
  struct timespec time = {.tv_sec = (time_t)seconds,
                          .tv_nsec = (long)(1e9 * (seconds - floor(seconds)))};

  if (seconds > 0) nanosleep(&time, NULL);
}

static bool has(const struct hone__sim_entrant *entrant, enum hone_outcome outcome)
{
  return entrant->fault && entrant->fault->stage == HONE__SIM_ANSWERING &&
         entrant->fault->outcome == outcome;
}

static double call(const struct hone__sim_job *job, size_t index, uint64_t number)
{
  const struct hone__sim_entrant *entrant = &job->entrants[index];
  double ns = hone__sim_sample_ns(&entrant->object, job->bench->noise,
                                  job->bench->seed ^ job->plan.seed, number);

  ns *= job->factor * entrant->factor;
  if (has(entrant, HONE_OUTCOME_SLOW)) ns *= slow_factor;
  job->report->called_s += 1e-9 * ns;
  sleep_for(1e-9 * ns * job->bench->pace);
  return has(entrant, HONE_OUTCOME_BAD_RESULT) ? never_ns : ns;
}

/* The one that is checked; no sample. */
static void call_first(struct hone__sim_job *job, size_t index)
{
  const struct hone__sim_entrant *entrant = &job->entrants[index];
  struct hone__sim_record *record = &job->records[index];

  job->report->active = index;
  set_alarm(job->plan.call_timeout_s);
  if (entrant->fault && entrant->fault->stage == HONE__SIM_CALLING && entrant->fault->act)
    entrant->fault->act();
  record->cold_ns = call(job, index, UINT64_MAX);
  set_alarm(0);
  if (has(entrant, HONE_OUTCOME_NO_RESULT)) _exit(0);
  record->first = has(entrant, HONE_OUTCOME_WRONG_RESULT) ? HONE__SIM_WRONG : HONE__SIM_RIGHT;
  record->last = has(entrant, HONE_OUTCOME_NONDETERMINISTIC) ? HONE__SIM_WRONG : record->first;
}

/* ---- The job ---- */

static double spent_s(const struct hone__sim_job *job)
{
  return job->bench->pace > 0 ? hone__clock() - job->plan.began : job->report->called_s;
}

static void screen(struct hone__sim_job *job, size_t index)
{
  struct hone__sim_record *record = &job->records[index];
  double *times = job->times + index * job->each;
  bool is_beaten = job->plan.cut_ns > 0; /* even its fastest sample */

  call_first(job, index);
  while (record->samples < job->each) {
    double ns = call(job, index, record->samples);
    times[record->samples++] = ns;
    is_beaten = is_beaten && ns > job->plan.cut_ns;
    if (job->plan.budget_s > 0 && spent_s(job) >= job->plan.budget_s) return;
    if (is_beaten || (job->plan.cap_ns > 0 && ns > job->plan.cap_ns)) return;
  }
}

static void take_row(struct hone__sim_job *job)
{
  double *row = job->times + job->report->rows * job->plan.count;

  for (size_t i = 0; i < job->plan.count; i++) {
    job->report->active = i;
    row[i] = job->entrants[i].runs ? call(job, i, job->report->rows) : NAN;
  }
  job->report->rows++;
}

static void take_rows(struct hone__sim_job *job)
{
  const struct hone__backend_run_plan *plan = &job->plan;

  for (size_t i = 0; i < plan->count; i++)
    if (job->entrants[i].runs) call_first(job, i);
  while (job->report->rows < plan->rows) {
    take_row(job);
    if (plan->budget_s > 0 && spent_s(job) >= plan->budget_s) break;
  }
  for (size_t i = 0; i < plan->count; i++)
    job->records[i].samples = job->entrants[i].runs ? job->report->rows : 0;
}

void hone__sim_work(void *data)
{
  struct hone__sim_job *job = data;

  if (job->plan.is_rows) take_rows(job);
  for (size_t i = 0; i < job->plan.count && !job->plan.is_rows; i++)
    if (job->entrants[i].runs) screen(job, i);
  job->report->is_complete = true;
}
