/* program_job.h - a job of the runner's: candidates, how often they run, and what came of them. */
#ifndef HONE_BACKEND_PROGRAM_PROGRAM_JOB_H
#define HONE_BACKEND_PROGRAM_PROGRAM_JOB_H

#include "backend/program/program_bench.h"
#include "backend/run_plan.h"

struct hone__program_record { /* of one candidate */
  struct hone__program_candidate candidate;
  struct hone__program_entrant entrant;
  enum hone__outcome outcome;
  struct hone__text evidence;
  bool has_run;
  double cold_ns;
  size_t samples;
  /* of the run that was checked, or that failed */
  double time_ns;                    /* NaN: it said none */
  struct hone__program_table *table; /* or NULL */
  size_t left_out;                   /* rows */
  struct hone__text output, errors;
};

struct hone__program_job {
  struct hone__program_bench *bench;
  struct hone__run_plan plan;
  struct hone__program_record *records;
  size_t count;
  double *times; /* as in the payload */
  size_t time_count, time_capacity, rows_done;
  double cpu_ns;
};

/* program_answer.c */
void hone__program_answer(const struct hone__program_job *job, struct hone__answer *answer);

#endif
