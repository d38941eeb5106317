/* Every sample comes out of a process of its own, or, on a GPU, whose start takes longer than
 * measuring does, out of one that takes a block of them. In mode rows the candidates take turns: a
 * block each, in an order that is drawn anew for every block. */
#include "iree/backend/iree_bench.h"
#include "backend/run_plan.h"

#include "base/clock.h"
#include "wire/packed_json.h"
#include "wire/packed_size.h"
#include "wire/run_reply.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_SAMPLES = 32, MOST_ROWS = 1000, GPU_BLOCK = 8, OVERHEAD = 256 };
/* What starting a process may take. */
static const double start_s = 3, gpu_start_s = 15;

struct record { /* of one candidate */
  const void *object;
  size_t object_size;
  char *module; /* a file; NULL: not written yet */
  enum hone__outcome outcome;
  struct hone__text evidence, output, errors;
  double cold_ns;
  size_t samples;
};

struct job {
  struct hone__iree_bench *bench;
  struct hone__run_plan plan;
  double cpu_ns;
  struct record *records;
  size_t count;
  double *times; /* as in the payload */
  size_t time_count, time_capacity, rows_done;
};

/* ---- Time ---- */

/* Of one process; 0: none. */
static double process_timeout(const struct job *job)
{
  double left = hone__run_plan_left_s(&job->plan),
         start = job->bench->is_gpu ? gpu_start_s : start_s;

  if (job->plan.call_timeout_s > 0) return fmin(job->plan.call_timeout_s + start, left);
  return isfinite(left) ? left : 0;
}

/* ---- One candidate ---- */

static void take_failure(struct record *record, struct hone__iree_attempt *attempt)
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

/* True if the process did what it should; `attempt` is released. */
static bool settle(struct job *job, struct record *record, struct hone__iree_attempt *attempt)
{
  bool good = attempt->outcome == HONE__OUTCOME_OK;

  job->cpu_ns += 1e9 * attempt->cpu_seconds;
  if (!good) take_failure(record, attempt);
  hone__iree_attempt_release(attempt);
  return good;
}

static bool check(struct job *job, struct record *record)
{
  struct hone__iree_attempt attempt;

  hone__iree_check(job->bench, record->module, process_timeout(job), &attempt);
  return settle(job, record, &attempt);
}

/* Its file, and its answer. */
static bool begin(struct job *job, size_t index)
{
  struct record *record = &job->records[index];
  hone_status status;

  record->module = hone__iree_bench_path(job->bench, "candidate_%zu.vmfb", index);
  status = hone__iree_bench_write(record->module, record->object, record->object_size);
  if (status) {
    record->outcome = hone_status_code(status) == HONE_EXHAUSTED ? HONE__OUTCOME_DISK_FULL
                                                                 : HONE__OUTCOME_WORKER_LOST;
    hone__text_add(&record->evidence, hone_status_message(status));
    hone_status_free(status);
    return false;
  }
  return !job->plan.check || check(job, record);
}

static size_t sample(struct job *job, size_t index, size_t wanted, double *times)
{
  struct record *record = &job->records[index];
  struct hone__iree_attempt attempt;
  size_t count =
      hone__iree_sample(job->bench, record->module, wanted, process_timeout(job), times, &attempt);

  if (count) record->cold_ns = fmax(record->cold_ns, 1e9 * attempt.seconds / (double)count);
  if (!settle(job, record, &attempt)) return 0;
  return count;
}

static void add_time(struct job *job, double ns)
{
  HONE__GROW(job->times, job->time_count, job->time_capacity);
  job->times[job->time_count++] = ns;
}

/* ---- Screening ---- */

static void screen(struct job *job, size_t index)
{
  struct record *record = &job->records[index];
  double times[MOST_SAMPLES];
  size_t count;

  if (!begin(job, index) || !job->plan.samples) return;
  count = sample(job, index, job->plan.samples, times);
  for (size_t i = 0; i < count && record->outcome == HONE__OUTCOME_OK; i++) {
    add_time(job, times[i]);
    record->samples++;
    if (!(job->plan.cap_ns > 0) || times[i] <= job->plan.cap_ns) continue;
    record->outcome = HONE__OUTCOME_SLOW;
    hone__run_plan_slow(&job->plan, times[i], &record->evidence);
  }
}

/* ---- Rows ---- */

/* False: somebody failed. */
static bool take_block(struct job *job, const size_t *order, size_t block)
{
  size_t first = job->time_count, least = block;
  double times[MOST_SAMPLES];

  for (size_t i = 0; i < block * job->count; i++)
    add_time(job, NAN);
  for (size_t i = 0; i < job->count; i++) {
    size_t count = sample(job, order[i], block, times);
    for (size_t row = 0; row < count; row++)
      job->times[first + row * job->count + order[i]] = times[row];
    if (count < least) least = count;
  }
  job->time_count = first + least * job->count;
  job->rows_done += least;
  return least == block;
}

static bool begin_all(struct job *job)
{
  bool good = true;

  for (size_t i = 0; i < job->count; i++)
    good = begin(job, i) && good;
  return good;
}

static void take_blocks(struct job *job, size_t *order)
{
  struct hone__random random = {.state = job->plan.seed};
  size_t most = job->bench->is_gpu ? GPU_BLOCK : 1;
  double began = hone__clock(), longest_s = 0;
  bool good = true;

  while (good && job->rows_done < job->plan.rows) {
    size_t left = job->plan.rows - job->rows_done;
    double at = hone__clock();
    hone__run_plan_shuffle(&random, order, job->count);
    good = take_block(job, order, left < most ? left : most);
    longest_s = fmax(longest_s, hone__clock() - at);
    if (job->plan.budget_s > 0 && hone__clock() - began >= job->plan.budget_s) break;
    if (1.2 * longest_s > hone__run_plan_left_s(&job->plan)) break;
  }
}

/* Who failed has no times at all. */
static void settle_columns(struct job *job)
{
  for (size_t i = 0; i < job->count; i++) {
    bool works = hone__outcome_works(job->records[i].outcome);
    job->records[i].samples = works ? job->rows_done : 0;
    for (size_t row = 0; row < job->rows_done && !works; row++)
      job->times[row * job->count + i] = NAN;
  }
}

static void take_rows(struct job *job)
{
  size_t *order = hone__alloc(job->count * sizeof *order);

  if (begin_all(job)) take_blocks(job, order);
  for (size_t i = 0; i < job->count && job->plan.late_check && job->plan.check; i++)
    if (hone__outcome_works(job->records[i].outcome)) check(job, &job->records[i]);
  settle_columns(job);
  free(order);
}

/* ---- The answer ---- */

static struct hone__run_result result_of(const struct record *record)
{
  return (struct hone__run_result){.outcome = (int)record->outcome,
                                   .evidence = record->evidence.data ? record->evidence.data : "",
                                   .cold_ns = record->cold_ns,
                                   .repeats = 1,
                                   .samples = record->samples,
                                   .stdout_text = record->output.data,
                                   .stderr_text = record->errors.data};
}

/* The first that failed, else the first that is slow. */
static const struct record *worst_of(const struct job *job)
{
  const struct record *worst = job->records;

  for (size_t i = job->count; i-- > 0;)
    if (job->records[i].outcome == HONE__OUTCOME_SLOW) worst = &job->records[i];
  for (size_t i = job->count; i-- > 0;)
    if (!hone__outcome_works(job->records[i].outcome)) worst = &job->records[i];
  return worst;
}

/* What executables said must not make the head too long: only that of the first one stays then. */
static void fit(struct hone__run_result *results, const struct job *job)
{
  size_t room = HONE__FRAME_LONGEST_HEAD / 2;

  for (size_t i = 0; i < job->count; i++) {
    const struct record *record = &job->records[i];
    size_t size = hone__packed_text_size(record->evidence.data, record->evidence.length) +
                  hone__packed_text_size(record->output.data, record->output.length) +
                  hone__packed_text_size(record->errors.data, record->errors.length) + OVERHEAD;
    if (size > room)
      results[i].stdout_text = results[i].stderr_text = NULL;
    else
      room -= size;
  }
}

static struct hone__packed *pack(const struct job *job)
{
  struct hone__run_result *results = hone__alloc(job->count * sizeof *results);
  struct hone__run_reply reply = {.results = results,
                                  .results_count = job->count,
                                  .rows = job->rows_done,
                                  .cpu_ns = job->cpu_ns,
                                  .cpu = -1,
                                  .notes = (const char **)job->bench->notes.data,
                                  .notes_count = job->bench->notes.count};
  struct hone__packed *packed;

  for (size_t i = 0; i < job->count; i++)
    results[i] = result_of(&job->records[i]);
  fit(results, job);
  packed = hone__pack(&hone__run_reply_type, &reply);
  free(results);
  return packed;
}

static void answer_with(struct job *job, struct hone__answer *answer)
{
  const struct record *worst = worst_of(job);

  answer->outcome = worst->outcome;
  if (worst->evidence.length) hone__text_add(&answer->evidence, worst->evidence.data);
  answer->head = hone__packed_json(pack(job));
  hone__words_release(&job->bench->notes); /* they are told once */
  if (job->time_count)
    hone__text_addn(&answer->payload, (const char *)job->times,
                    job->time_count * sizeof *job->times);
}

/* ---- The job ---- */

static hone_status add_candidate(struct job *job, const void *payload, size_t payload_size)
{
  struct record *record = &job->records[job->count];
  hone_status status = hone__run_plan_object(&job->plan, job->count, payload, payload_size,
                                             &record->object, &record->object_size);

  if (!status && !record->object_size)
    status = hone__error(HONE_INVALID_ARGUMENT, "a module is not in the payload");
  if (status) return status;
  record->outcome = HONE__OUTCOME_OK;
  job->count++;
  return NULL;
}

static void do_job(struct job *job)
{
  if (job->plan.is_rows) {
    take_rows(job);
    return;
  }
  for (size_t i = 0; i < job->count; i++)
    screen(job, i);
}

static void release(struct job *job)
{
  for (size_t i = 0; i < job->count; i++) {
    struct record *record = &job->records[i];
    if (record->module) remove(record->module);
    free(record->module);
    hone__text_release(&record->evidence);
    hone__text_release(&record->output);
    hone__text_release(&record->errors);
  }
  free(job->records);
  free(job->times);
  hone__run_plan_release(&job->plan);
}

void hone__iree_bench_run(void *bench, const struct hone__packed *head, const void *payload,
                          size_t payload_size, struct hone__answer *answer)
{
  struct job job = {.bench = bench};
  hone_status status = hone__run_plan_read(head, &job.plan);

  job.plan.check = job.plan.check && job.bench->is_checked;
  if (job.plan.samples > MOST_SAMPLES) job.plan.samples = MOST_SAMPLES;
  if (job.plan.rows > MOST_ROWS) job.plan.rows = MOST_ROWS;
  job.records = hone__alloc((job.plan.count + 1) * sizeof *job.records);
  for (size_t i = 0; i < job.plan.count && !status; i++)
    status = add_candidate(&job, payload, payload_size);
  if (status) {
    hone__run_plan_refuse(answer, status);
  } else {
    do_job(&job);
    answer_with(&job, answer);
  }
  release(&job);
}
