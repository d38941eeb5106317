/* Every run is a sample, the first one too: a program warms up by itself. In mode rows each row
 * runs every candidate once, until one fails: then the rest would be of no use to anybody. */
#include "backend/program/program_job.h"

#include "base/clock.h"

#include <math.h>
#include <stdlib.h>

/* ---- Time ---- */

/* Of one run; 0: none. */
static double run_timeout(const struct hone__program_job *job)
{
  double left = hone__run_plan_left_s(&job->plan);

  if (job->plan.call_timeout_s > 0) return fmin(job->plan.call_timeout_s, left);
  return isfinite(left) ? left : 0;
}

/* ---- A run ---- */

static void fail_early(struct hone__program_record *record, hone_status status)
{
  record->outcome = hone_status_code(status) == HONE_EXHAUSTED ? HONE__OUTCOME_DISK_FULL
                                                               : HONE__OUTCOME_LAUNCH_FAILURE;
  hone__text_add(&record->evidence, hone_status_message(status));
  hone_status_free(status);
}

static void swap_texts(struct hone__text *one, struct hone__text *other)
{
  struct hone__text kept = *one;

  *one = *other;
  *other = kept;
}

static void keep_words(struct hone__program_record *record, struct hone__program_attempt *attempt)
{
  struct hone__program_table *table = record->table;

  record->time_ns = attempt->outcome == HONE__OUTCOME_OK ? attempt->result.time_ns : NAN;
  record->left_out = attempt->result.left_out;
  record->table = attempt->result.table;
  attempt->result.table = table;
  swap_texts(&record->output, &attempt->output);
  swap_texts(&record->errors, &attempt->errors);
  swap_texts(&record->evidence, &attempt->evidence);
}

/* True: *out_ns is its time. */
static bool run_once(struct hone__program_job *job, size_t index, double *out_ns)
{
  struct hone__program_record *record = &job->records[index];
  struct hone__program_attempt attempt;
  bool is_first = !record->has_run;
  hone_status status =
      is_first ? hone__program_place_open(job->bench, &record->entrant, index) : NULL;

  if (status) {
    fail_early(record, status);
    return false;
  }
  hone__program_attempt(job->bench, &record->entrant, run_timeout(job), &attempt);
  if (is_first) record->cold_ns = 1e9 * attempt.seconds;
  if (is_first && job->plan.check && attempt.outcome == HONE__OUTCOME_OK)
    hone__program_check(job->bench, &record->entrant, run_timeout(job), &attempt);
  record->has_run = true;
  record->outcome = attempt.outcome;
  *out_ns = attempt.result.time_ns;
  job->cpu_ns += 1e9 * attempt.cpu_seconds;
  if (is_first || attempt.outcome != HONE__OUTCOME_OK) keep_words(record, &attempt);
  hone__program_attempt_release(&attempt);
  return record->outcome == HONE__OUTCOME_OK;
}

static void add_time(struct hone__program_job *job, double ns)
{
  HONE__GROW(job->times, job->time_count, job->time_capacity);
  job->times[job->time_count++] = ns;
}

/* ---- Screening ---- */

/* The next run will probably take as long as the first one did. */
static bool has_time(const struct hone__program_job *job, const struct hone__program_record *record)
{
  return !record->has_run || 1.2e-9 * record->cold_ns < hone__run_plan_left_s(&job->plan);
}

static void screen_one(struct hone__program_job *job, size_t index)
{
  struct hone__program_record *record = &job->records[index];
  size_t first = job->time_count, runs = job->plan.samples ? job->plan.samples : 1;
  bool is_beaten = job->plan.cut_ns > 0; /* even its fastest run */
  double ns;

  for (size_t i = 0; i < runs && has_time(job, record) && (i == 0 || !is_beaten); i++) {
    if (!run_once(job, index, &ns)) {
      job->time_count = first;
      break;
    }
    if (job->plan.samples) add_time(job, ns);
    is_beaten = is_beaten && ns > job->plan.cut_ns;
    if (!(job->plan.cap_ns > 0) || ns <= job->plan.cap_ns) continue;
    record->outcome = HONE__OUTCOME_SLOW;
    hone__run_plan_slow(&job->plan, ns, &record->evidence);
    break;
  }
  record->samples = job->time_count - first;
}

/* ---- Rows ---- */

/* False: somebody failed. */
static bool take_row(struct hone__program_job *job, const size_t *order)
{
  size_t row = job->time_count;
  bool good = true;

  for (size_t i = 0; i < job->count; i++)
    add_time(job, NAN);
  for (size_t i = 0; i < job->count; i++) {
    double ns;
    if (run_once(job, order[i], &ns))
      job->times[row + order[i]] = ns;
    else
      good = false;
  }
  job->rows_done++;
  return good;
}

/* Who failed has no times at all. */
static void settle_columns(struct hone__program_job *job)
{
  for (size_t i = 0; i < job->count; i++) {
    bool works = hone__outcome_works(job->records[i].outcome);
    job->records[i].samples = works ? job->rows_done : 0;
    for (size_t row = 0; row < job->rows_done && !works; row++)
      job->times[row * job->count + i] = NAN;
  }
}

static void take_rows(struct hone__program_job *job)
{
  struct hone__random random = {.state = job->plan.seed};
  size_t *order = hone__alloc(job->count * sizeof *order);
  double longest_s = 0;
  bool good = true;

  while (good && (job->rows_done < job->plan.rows || !job->rows_done)) {
    double began = hone__clock();
    hone__run_plan_shuffle(&random, order, job->count);
    good = take_row(job, order);
    longest_s = fmax(longest_s, hone__clock() - began);
    if (job->plan.budget_s > 0 && hone__clock() - job->plan.began >= job->plan.budget_s) break;
    if (1.2 * longest_s > hone__run_plan_left_s(&job->plan)) break;
  }
  settle_columns(job);
  free(order);
}

/* ---- The job ---- */

static hone_status add_candidate(struct hone__program_job *job, const void *payload,
                                 size_t payload_size)
{
  struct hone__program_record *record = &job->records[job->count];
  const void *object = NULL;
  size_t size = 0;
  hone_status status =
      hone__run_plan_object(&job->plan, job->count, payload, payload_size, &object, &size);

  if (!status)
    status = hone__unpack(job->plan.items[job->count].candidate, &hone__program_candidate_type,
                          &job->plan.arena, &record->candidate);
  if (status) return status;
  record->entrant =
      (struct hone__program_entrant){.candidate = &record->candidate,
                                     .object = object,
                                     .object_size = size,
                                     .is_library = record->candidate.mode == HONE__PROGRAM_LIBRARY};
  record->time_ns = NAN;
  job->count++;
  return NULL;
}

static void release(struct hone__program_job *job)
{
  for (size_t i = 0; i < job->count; i++) {
    struct hone__program_record *record = &job->records[i];
    hone__program_place_release(&record->entrant.place);
    hone__text_release(&record->evidence);
    hone__text_release(&record->output);
    hone__text_release(&record->errors);
    if (record->table) hone__program_table_release(record->table);
    free(record->table);
  }
  free(job->records);
  free(job->times);
  hone__run_plan_release(&job->plan);
}

static void do_job(struct hone__program_job *job)
{
  if (job->plan.is_rows) {
    take_rows(job);
    return;
  }
  for (size_t i = 0; i < job->count; i++)
    screen_one(job, i);
}

void hone__program_bench_run(void *bench, const struct hone__packed *head, const void *payload,
                             size_t payload_size, struct hone__answer *answer)
{
  struct hone__program_job job = {.bench = bench};
  hone_status status = hone__run_plan_read(head, &job.plan);

  job.plan.check = job.plan.check && job.bench->check;
  job.records = hone__alloc((job.plan.count + 1) * sizeof *job.records);
  for (size_t i = 0; i < job.plan.count && !status; i++)
    status = add_candidate(&job, payload, payload_size);
  if (status) {
    hone__run_plan_refuse(answer, status);
  } else {
    do_job(&job);
    hone__program_answer(&job, answer);
  }
  release(&job);
}
