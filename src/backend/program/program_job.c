/* Every run is a sample, including the first, unless `measure.warmup` asks for others before it. In
 * mode rows each row runs every candidate once, until one fails, because incomplete rows cannot be
 * compared.
 */
#include "backend/program/program_job.h"
#include "backend/program/serve_run.h"
#include "base/clock.h"

#include <math.h>
#include <stdlib.h>

/* ---- A run ---- */

void hone__program_fail_early(struct hone__process_record *record, hone_status status)
{
  record->outcome = hone_status_code(status) == HONE_EXHAUSTED ? HONE_OUTCOME_DISK_FULL
                                                               : HONE_OUTCOME_LAUNCH_FAILURE;
  hone__text_add(&record->evidence, hone_status_message(status));
  hone_status_free(status);
}

static void swap_texts(struct hone__text *one, struct hone__text *other)
{
  struct hone__text kept = *one;

  *one = *other;
  *other = kept;
}

static void keep_words(struct hone__process_record *record, struct hone__program_entry *entry,
                       struct hone__program_attempt *attempt)
{
  struct hone__program_table *table = entry->table;

  entry->time_ns = attempt->outcome == HONE_OUTCOME_OK ? attempt->result.time_ns : NAN;
  entry->left_out = attempt->result.left_out;
  entry->table = attempt->result.table;
  attempt->result.table = table;
  swap_texts(&record->output, &attempt->output);
  swap_texts(&record->errors, &attempt->errors);
  swap_texts(&record->evidence, &attempt->evidence);
}

/* The first run is checked. */
static void run_attempt(struct hone__program_job *job, size_t index, bool is_first,
                        struct hone__program_attempt *attempt)
{
  struct hone__program_entrant *entrant = &job->entries[index].entrant;
  int64_t runs = is_first ? job->bench->setup.warmup : 0;

  for (;; hone__program_attempt_release(attempt)) {
    hone__program_attempt(job->bench, entrant, hone__process_job_timeout(&job->run, 0), attempt);
    if (attempt->outcome != HONE_OUTCOME_OK || runs-- <= 0) break;
  }
  if (!is_first) return;
  job->run.records[index].cold_ns = 1e9 * attempt->seconds;
  if (job->run.plan.check && attempt->outcome == HONE_OUTCOME_OK)
    hone__program_check(job->bench, entrant, hone__process_job_timeout(&job->run, 0), attempt);
}

/* True: *out_ns is its time. */
static bool run_once(struct hone__program_job *job, size_t index, double *out_ns)
{
  struct hone__process_record *record = &job->run.records[index];
  struct hone__program_entry *entry = &job->entries[index];
  struct hone__program_attempt attempt;
  bool is_first = !entry->has_run;
  hone_status status =
      is_first ? hone__program_place_open(job->bench, &entry->entrant, index) : NULL;

  if (status) {
    hone__program_fail_early(record, status);
    return false;
  }
  run_attempt(job, index, is_first, &attempt);
  entry->has_run = true;
  record->outcome = attempt.outcome;
  *out_ns = attempt.result.time_ns;
  job->run.cpu_ns += 1e9 * attempt.cpu_seconds;
  if (is_first || attempt.outcome != HONE_OUTCOME_OK) keep_words(record, entry, &attempt);
  hone__program_attempt_release(&attempt);
  return record->outcome == HONE_OUTCOME_OK;
}

/* ---- Screening ---- */

/* The next run will probably take as long as the first one did. */
static bool has_time(const struct hone__program_job *job, size_t index)
{
  const struct hone__backend_run_plan *plan = &job->run.plan;

  if (!job->entries[index].has_run) return true;
  if (plan->budget_s > 0 && hone__clock() - plan->began >= plan->budget_s) return false;
  return 1.2e-9 * job->run.records[index].cold_ns < hone__backend_run_plan_left_s(plan);
}

static void screen_one(struct hone__program_job *job, size_t index)
{
  struct hone__process_job *run = &job->run;
  struct hone__process_record *record = &run->records[index];
  size_t first = run->time_count, runs = run->plan.samples ? run->plan.samples : 1;
  bool is_beaten = run->plan.cut_ns > 0; /* even its fastest run */
  double ns;

  for (size_t i = 0; i < runs && has_time(job, index) && (i == 0 || !is_beaten); i++) {
    if (!run_once(job, index, &ns)) {
      run->time_count = first;
      break;
    }
    if (run->plan.samples) hone__process_job_add_time(run, ns);
    is_beaten = is_beaten && ns > run->plan.cut_ns;
    if (hone__process_job_is_slow(run, record, ns)) break;
  }
  record->samples = run->time_count - first;
}

/* ---- Rows ---- */

static size_t sample(void *data, size_t index, size_t wanted, double *ns)
{
  (void)wanted; /* 1 */
  return run_once(data, index, ns) ? 1 : 0;
}

/* One row at the least: in the first the candidates are checked. */
static void take_rows(struct hone__program_job *job)
{
  size_t rows = job->run.plan.rows;
  struct hone__process_turns turns = {.rows = rows ? rows : 1,
                                      .block = 1,
                                      .sample =
                                          job->bench->setup.serve ? hone__serve_sample : sample,
                                      .data = job};

  hone__process_job_take_rows(&job->run, &turns);
  hone__process_job_settle(&job->run);
}

/* ---- The job ---- */

static hone_status add_candidate(struct hone__program_job *job, const void *payload,
                                 size_t payload_size)
{
  struct hone__process_job *run = &job->run;
  struct hone__program_entry *entry = &job->entries[run->count];
  const void *object = NULL;
  size_t size = 0;
  hone_status status =
      hone__backend_run_plan_object(&run->plan, run->count, payload, payload_size, &object, &size);

  if (!status)
    status = hone__unpack(run->plan.items[run->count].candidate, &hone__program_candidate_type,
                          &run->plan.arena, &entry->candidate);
  if (status) return status;
  entry->entrant =
      (struct hone__program_entrant){.candidate = &entry->candidate,
                                     .object = object,
                                     .object_size = size,
                                     .is_library = entry->candidate.mode == HONE__PROGRAM_LIBRARY};
  entry->time_ns = NAN;
  run->count++;
  return NULL;
}

static void release(struct hone__program_job *job)
{
  for (size_t i = 0; i < job->run.count; i++) {
    struct hone__program_entry *entry = &job->entries[i];
    hone__program_place_release(&entry->entrant.place);
    if (entry->table) hone__program_table_release(entry->table);
    free(entry->table);
    free(entry->built);
  }
  free(job->entries);
  hone__process_job_release(&job->run);
}

static void do_job(struct hone__program_job *job)
{
  if (job->run.plan.is_rows) {
    take_rows(job);
    return;
  }
  for (size_t i = 0; i < job->run.count; i++)
    if (job->bench->setup.serve)
      hone__serve_screen(job, i);
    else
      screen_one(job, i);
}

void hone__program_bench_run(void *bench, const struct hone__packed *head, const void *payload,
                             size_t payload_size, struct hone__answer *answer)
{
  struct hone__program_job job = {.bench = bench};
  struct hone__backend_run_plan *plan = &job.run.plan;
  hone_status status = hone__backend_run_plan_read(head, plan);

  plan->check = plan->check && (job.bench->check || job.bench->setup.serve);
  hone__process_job_open(&job.run);
  job.entries = hone__alloc((plan->count + 1) * sizeof *job.entries);
  for (size_t i = 0; i < plan->count && !status; i++)
    status = add_candidate(&job, payload, payload_size);
  if (status) {
    hone__backend_run_plan_refuse(answer, status);
  } else {
    do_job(&job);
    hone__program_answer(&job, answer);
  }
  release(&job);
}
