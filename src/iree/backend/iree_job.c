/* Every sample comes from a separate process, or, on a GPU, where starting takes longer than
 * measuring, from a process that takes a block of them. In mode rows the candidates take turns: a
 * block each, in an order drawn for every block.
 */
#include "iree/backend/iree_bench.h"

#include "backend/process_job.h"
#include "base/paths.h"
#include "wire/packed_size.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_SAMPLES = 32, MOST_ROWS = 1000, GPU_BLOCK = 8, OVERHEAD = 256 };
/* Limits for starting a process. */
static const double start_s = 3, gpu_start_s = 15;

struct module { /* of one candidate */
  const void *object;
  size_t object_size;
  char *path; /* a file; NULL: not written yet */
};

struct job {
  struct hone__iree_bench *bench;
  struct hone__process_job run;
  struct module *modules; /* as many as run.records */
};

/* ---- Time ---- */

static double process_timeout(const struct job *job)
{
  return hone__process_job_timeout(&job->run, job->bench->is_gpu ? gpu_start_s : start_s);
}

/* ---- One candidate ---- */

static void take_failure(struct hone__process_record *record, struct hone__iree_attempt *attempt)
{
  record->outcome = attempt->outcome;
  hone__text_release(&record->evidence);
  hone__text_release(&record->output);
  hone__text_release(&record->errors);
  record->evidence = attempt->evidence;
  record->output = attempt->output;
  record->errors = attempt->errors;
  attempt->evidence = attempt->output = attempt->errors = (struct hone__text){0};
}

/* True if the process succeeded; releases `attempt`. */
static bool settle(struct job *job, size_t index, struct hone__iree_attempt *attempt)
{
  bool good = attempt->outcome == HONE_OUTCOME_OK;

  job->run.cpu_ns += 1e9 * attempt->cpu_seconds;
  if (!good) take_failure(&job->run.records[index], attempt);
  hone__iree_attempt_release(attempt);
  return good;
}

static bool check(struct job *job, size_t index)
{
  struct hone__iree_attempt attempt;

  hone__iree_check(job->bench, job->modules[index].path, process_timeout(job), &attempt);
  return settle(job, index, &attempt);
}

/* Its file, and its answer. */
static bool begin(struct job *job, size_t index)
{
  struct hone__process_record *record = &job->run.records[index];
  struct module *module = &job->modules[index];
  hone_status status;

  module->path = hone__iree_bench_path(job->bench, "candidate_%zu.vmfb", index);
  status = hone__path_write(module->path, module->object, module->object_size);
  if (status) {
    record->outcome = hone_status_code(status) == HONE_EXHAUSTED ? HONE_OUTCOME_DISK_FULL
                                                                 : HONE_OUTCOME_WORKER_LOST;
    hone__text_add(&record->evidence, hone_status_message(status));
    hone_status_free(status);
    return false;
  }
  return !job->run.plan.check || check(job, index);
}

static size_t sample(void *data, size_t index, size_t wanted, double *times)
{
  struct job *job = data;
  struct hone__process_record *record = &job->run.records[index];
  struct hone__iree_attempt attempt;
  size_t count = hone__iree_sample(job->bench, job->modules[index].path, wanted,
                                   process_timeout(job), times, &attempt);

  if (count) record->cold_ns = fmax(record->cold_ns, 1e9 * attempt.seconds / (double)count);
  return settle(job, index, &attempt) ? count : 0;
}

/* ---- Screening ---- */

static void screen(struct job *job, size_t index)
{
  struct hone__process_record *record = &job->run.records[index];
  double times[MOST_SAMPLES];
  size_t count;

  if (!begin(job, index) || !job->run.plan.samples) return;
  count = sample(job, index, job->run.plan.samples, times);
  for (size_t i = 0; i < count && record->outcome == HONE_OUTCOME_OK; i++) {
    hone__process_job_add_time(&job->run, times[i]);
    record->samples++;
    hone__process_job_is_slow(&job->run, record, times[i]);
  }
}

/* ---- Rows ---- */

static bool begin_all(struct job *job)
{
  bool good = true;

  for (size_t i = 0; i < job->run.count; i++)
    good = begin(job, i) && good;
  return good;
}

static void take_rows(struct job *job)
{
  struct hone__process_job *run = &job->run;
  struct hone__process_turns turns = {.rows = run->plan.rows,
                                      .block = job->bench->is_gpu ? GPU_BLOCK : 1,
                                      .sample = sample,
                                      .data = job};

  if (begin_all(job)) hone__process_job_take_rows(run, &turns);
  for (size_t i = 0; i < run->count && run->plan.late_check && run->plan.check; i++)
    if (hone__outcome_works(run->records[i].outcome)) check(job, i);
  hone__process_job_settle(run);
}

/* ---- The answer ---- */

static struct hone__wire_candidate_result result_of(const struct hone__process_record *record)
{
  struct hone__wire_candidate_result result = hone__process_record_result(record);

  result.stdout_text = record->output.data;
  result.stderr_text = record->errors.data;
  return result;
}

/* Output of executables must not exceed the head: if it does, only that of the first one stays. */
static void fit(struct hone__wire_candidate_result *results, const struct job *job)
{
  size_t room = HONE__FRAME_LONGEST_HEAD / 2;

  for (size_t i = 0; i < job->run.count; i++) {
    const struct hone__process_record *record = &job->run.records[i];
    size_t size = hone__packed_text_size(record->evidence.data, record->evidence.length) +
                  hone__packed_text_size(record->output.data, record->output.length) +
                  hone__packed_text_size(record->errors.data, record->errors.length) + OVERHEAD;
    if (size > room)
      results[i].stdout_text = results[i].stderr_text = NULL;
    else
      room -= size;
  }
}

static void answer_with(struct job *job, struct hone__answer *answer)
{
  struct hone__wire_candidate_result *results = hone__alloc(job->run.count * sizeof *results);

  for (size_t i = 0; i < job->run.count; i++)
    results[i] = result_of(&job->run.records[i]);
  fit(results, job);
  hone__process_job_answer(&job->run, results, &job->bench->notes, false, answer);
  hone__words_release(&job->bench->notes); /* each note is sent once */
  free(results);
}

/* ---- The job ---- */

static hone_status add_candidate(struct job *job, const void *payload, size_t payload_size)
{
  struct hone__process_job *run = &job->run;
  struct module *module = &job->modules[run->count];
  hone_status status = hone__backend_run_plan_object(&run->plan, run->count, payload, payload_size,
                                                     &module->object, &module->object_size);

  if (!status && !module->object_size)
    status = hone__error(HONE_INVALID_ARGUMENT, "a module is not in the payload");
  if (status) return status;
  run->records[run->count++].outcome = HONE_OUTCOME_OK;
  return NULL;
}

static void do_job(struct job *job)
{
  if (job->run.plan.is_rows) {
    take_rows(job);
    return;
  }
  for (size_t i = 0; i < job->run.count; i++)
    screen(job, i);
}

static void release(struct job *job)
{
  for (size_t i = 0; i < job->run.count; i++) {
    if (job->modules[i].path) remove(job->modules[i].path);
    free(job->modules[i].path);
  }
  free(job->modules);
  hone__process_job_release(&job->run);
}

void hone__iree_bench_run(void *bench, const struct hone__packed *head, const void *payload,
                          size_t payload_size, struct hone__answer *answer)
{
  struct job job = {.bench = bench};
  struct hone__backend_run_plan *plan = &job.run.plan;
  hone_status status = hone__backend_run_plan_read(head, plan);

  plan->check = plan->check && job.bench->is_checked;
  if (plan->samples > MOST_SAMPLES) plan->samples = MOST_SAMPLES;
  if (plan->rows > MOST_ROWS) plan->rows = MOST_ROWS;
  hone__process_job_open(&job.run);
  job.modules = hone__alloc((plan->count + 1) * sizeof *job.modules);
  for (size_t i = 0; i < plan->count && !status; i++)
    status = add_candidate(&job, payload, payload_size);
  if (status) {
    hone__backend_run_plan_refuse(answer, status);
  } else {
    do_job(&job);
    answer_with(&job, answer);
  }
  release(&job);
}
