#include "backend/process_job.h"

#include "base/clock.h"

#include <math.h>
#include <stdlib.h>

void hone__process_job_open(struct hone__process_job *job)
{
  job->records = hone__alloc((job->plan.count + 1) * sizeof *job->records);
}

void hone__process_job_release(struct hone__process_job *job)
{
  for (size_t i = 0; i < job->count; i++) {
    hone__text_release(&job->records[i].evidence);
    hone__text_release(&job->records[i].output);
    hone__text_release(&job->records[i].errors);
  }
  free(job->records);
  free(job->times);
  hone__backend_run_plan_release(&job->plan);
}

/* ---- Times ---- */

double hone__process_job_timeout(const struct hone__process_job *job, double start_s)
{
  double left = hone__backend_run_plan_left_s(&job->plan);

  if (job->plan.call_timeout_s > 0) return fmin(job->plan.call_timeout_s + start_s, left);
  return isfinite(left) ? left : 0;
}

void hone__process_job_add_time(struct hone__process_job *job, double ns)
{
  HONE__GROW(job->times, job->time_count, job->time_capacity);
  job->times[job->time_count++] = ns;
}

bool hone__process_job_is_slow(const struct hone__process_job *job,
                               struct hone__process_record *record, double ns)
{
  if (!(job->plan.cap_ns > 0) || ns <= job->plan.cap_ns) return false;
  record->outcome = HONE_OUTCOME_SLOW;
  hone__backend_run_plan_slow(&job->plan, ns, &record->evidence);
  return true;
}

/* ---- Rows ---- */

/* False: a candidate failed, and the others have a time in each of its rows. If all fail there are
 * no rows. */
static bool take_block(struct hone__process_job *job, const struct hone__process_turns *turns,
                       const size_t *order, size_t block)
{
  size_t first = job->time_count, least = block, failed = 0;
  double *ns = hone__alloc(block * sizeof *ns);

  for (size_t i = 0; i < block * job->count; i++)
    hone__process_job_add_time(job, NAN);
  for (size_t i = 0; i < job->count; i++) {
    size_t count = turns->sample(turns->data, order[i], block, ns);
    for (size_t row = 0; row < count; row++)
      job->times[first + row * job->count + order[i]] = ns[row];
    if (!count) failed++;
    if (count && count < least) least = count;
  }
  if (failed == job->count) least = 0;
  job->time_count = first + least * job->count;
  job->rows_done += least;
  free(ns);
  return !failed && least == block;
}

/* A block that would probably exceed the remaining time is not started. */
void hone__process_job_take_rows(struct hone__process_job *job,
                                 const struct hone__process_turns *turns)
{
  struct hone__random random = {.state = job->plan.seed};
  size_t *order = hone__alloc(job->count * sizeof *order);
  double began = hone__clock(), longest_s = 0;
  bool good = true;

  while (good && job->rows_done < turns->rows) {
    size_t left = turns->rows - job->rows_done;
    double at = hone__clock();
    hone__backend_run_plan_shuffle(&random, order, job->count);
    good = take_block(job, turns, order, left < turns->block ? left : turns->block);
    longest_s = fmax(longest_s, hone__clock() - at);
    if (job->plan.budget_s > 0 && hone__clock() - began >= job->plan.budget_s) break;
    if (1.2 * longest_s > hone__backend_run_plan_left_s(&job->plan)) break;
  }
  free(order);
}

void hone__process_job_settle(struct hone__process_job *job)
{
  for (size_t i = 0; i < job->count; i++) {
    bool works = hone__outcome_works(job->records[i].outcome);
    job->records[i].samples = works ? job->rows_done : 0;
    for (size_t row = 0; row < job->rows_done && !works; row++)
      job->times[row * job->count + i] = NAN;
  }
}

/* ---- The answer ---- */

struct hone__wire_candidate_result
hone__process_record_result(const struct hone__process_record *record)
{
  return (struct hone__wire_candidate_result){
      .outcome = (int)record->outcome,
      .evidence = record->evidence.data ? record->evidence.data : "",
      .cold_ns = record->cold_ns,
      .repeats = 1,
      .samples = record->samples};
}

const struct hone__process_record *hone__process_job_worst(const struct hone__process_job *job)
{
  const struct hone__process_record *worst = job->records;

  for (size_t i = job->count; i-- > 0;)
    if (job->records[i].outcome == HONE_OUTCOME_SLOW) worst = &job->records[i];
  for (size_t i = job->count; i-- > 0;)
    if (!hone__outcome_works(job->records[i].outcome)) worst = &job->records[i];
  return worst;
}

/* The start and the end of a process are full of switches, which have nothing to do with its
 * measurements. */
void hone__process_job_answer(const struct hone__process_job *job,
                              struct hone__wire_candidate_result *results,
                              const struct hone__words *notes, bool crash_is_final,
                              struct hone__answer *answer)
{
  const struct hone__process_record *worst = hone__process_job_worst(job);
  struct hone__wire_run_reply reply = {.results = results,
                                       .results_count = job->count,
                                       .rows = job->rows_done,
                                       .cpu_ns = job->cpu_ns,
                                       .cpu = -1,
                                       .notes = (const char **)notes->data,
                                       .notes_count = notes->count,
                                       .final =
                                           crash_is_final && worst->outcome == HONE_OUTCOME_CRASH};

  answer->outcome = worst->outcome;
  if (worst->evidence.length) hone__text_add(&answer->evidence, worst->evidence.data);
  answer->head = hone__pack(&hone__wire_run_reply_type, &reply);
  if (job->time_count)
    hone__text_addn(&answer->payload, (const char *)job->times,
                    job->time_count * sizeof *job->times);
}
