/* process_job.h - a run job (run_plan.h) whose samples come from processes.
 *
 * It holds the common parts of such jobs: the plan, a record of each candidate, the times of the
 * payload, and the rows in which the candidates alternate. The owner embeds it in its own struct.
 */
#ifndef HONE_BACKEND_PROCESS_JOB_H
#define HONE_BACKEND_PROCESS_JOB_H

#include "backend/run_plan.h"
#include "base/words.h"
#include "wire/run_reply.h"

struct hone__process_record { /* of one candidate */
  enum hone_outcome outcome;
  struct hone__text evidence, output, errors;
  double cold_ns;
  size_t samples;
};

struct hone__process_job {
  struct hone__backend_run_plan plan;
  struct hone__process_record *records; /* plan.count */
  size_t count;                         /* candidates that were read */
  double *times;
  size_t time_count, time_capacity, rows_done;
  double cpu_ns;
};

/* Uses the plan in it. */
void hone__process_job_open(struct hone__process_job *job);
void hone__process_job_release(struct hone__process_job *job);

/* Limit of one process that takes `start_s` to start; 0: no limit. */
double hone__process_job_timeout(const struct hone__process_job *job, double start_s);
void hone__process_job_add_time(struct hone__process_job *job, double ns);
/* True, with the outcome and the evidence, if this time is above the cap. */
bool hone__process_job_is_slow(const struct hone__process_job *job,
                               struct hone__process_record *record, double ns);

struct hone__process_turns {
  size_t rows, block; /* the most, in all and in one turn of a candidate */
  /* Stores at most `wanted` times of a candidate in `ns`, and returns how many; 0: it failed. */
  size_t (*sample)(void *data, size_t index, size_t wanted, double *ns);
  void *data;
};
/* Takes rows with a time of every candidate, in an order drawn for every block of rows, until there
 * are enough, one fails or the time is up. */
void hone__process_job_take_rows(struct hone__process_job *job,
                                 const struct hone__process_turns *turns);
/* After the rows: removes all times of those that failed. */
void hone__process_job_settle(struct hone__process_job *job);

/* A candidate's part of the answer, without its output; its evidence is that of the record. */
struct hone__wire_candidate_result
hone__process_record_result(const struct hone__process_record *record);
/* The first that failed, else the first that is slow, else the first. */
const struct hone__process_record *hone__process_job_worst(const struct hone__process_job *job);
/* `results`: one per candidate. `crash_is_final`: a crashed candidate is not retried. */
void hone__process_job_answer(const struct hone__process_job *job,
                              struct hone__wire_candidate_result *results,
                              const struct hone__words *notes, bool crash_is_final,
                              struct hone__answer *answer);

#endif
