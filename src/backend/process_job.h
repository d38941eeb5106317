/* process_job.h - a run job (run_plan.h) whose samples come out of processes.
 *
 * It holds what such jobs have in common: the plan, a record of each candidate, the times as the
 * payload has them, and the rows in which the candidates take turns. Whoever runs the processes
 * keeps this in a struct of its own.
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
  struct hone__run_plan plan;
  struct hone__process_record *records; /* plan.count */
  size_t count;                         /* candidates that were read */
  double *times;
  size_t time_count, time_capacity, rows_done;
  double cpu_ns;
};

/* Of the plan that it has. */
void hone__process_job_open(struct hone__process_job *job);
void hone__process_job_release(struct hone__process_job *job);

/* Seconds of one process that takes `start_s` to begin; 0: no limit. */
double hone__process_job_timeout(const struct hone__process_job *job, double start_s);
void hone__process_job_add_time(struct hone__process_job *job, double ns);
/* True, with the outcome and the evidence, if this time is above the cap. */
bool hone__process_job_is_slow(const struct hone__process_job *job,
                               struct hone__process_record *record, double ns);

struct hone__process_turns {
  size_t rows, block; /* at most, in all and in one turn of a candidate */
  /* Puts at most `wanted` times of a candidate into `ns`, and returns how many; 0: it failed. */
  size_t (*sample)(void *data, size_t index, size_t wanted, double *ns);
  void *data;
};
/* Each row has a time of every candidate, in an order that is drawn anew for every block of rows,
 * until there are enough, one fails or the time is up. */
void hone__process_job_take_rows(struct hone__process_job *job,
                                 const struct hone__process_turns *turns);
/* After the rows: whoever failed has no times at all. */
void hone__process_job_settle(struct hone__process_job *job);

/* A candidate's part of the answer, without what it said; its evidence is the record's. */
struct hone__candidate_result
hone__process_record_result(const struct hone__process_record *record);
/* The first that failed, else the first that is slow, else the first. */
const struct hone__process_record *hone__process_job_worst(const struct hone__process_job *job);
/* `results`: one a candidate. `crash_is_final`: one that crashed is not tried again. */
void hone__process_job_answer(const struct hone__process_job *job,
                              struct hone__candidate_result *results,
                              const struct hone__words *notes, bool crash_is_final,
                              struct hone__answer *answer);

#endif
