/* program_job.h - a job of the runner's: candidates, how often they run, and what came of them. */
#ifndef HONE_BACKEND_PROGRAM_PROGRAM_JOB_H
#define HONE_BACKEND_PROGRAM_PROGRAM_JOB_H

#include "backend/process_job.h"
#include "backend/program/program_bench.h"

struct hone__program_entry { /* of one candidate, beside its record */
  struct hone__program_candidate candidate;
  struct hone__program_entrant entrant;
  bool has_run;
  char *built;       /* the file that a served program may write; NULL: not open yet */
  uint64_t built_in; /* the process of a served program that built it; 0: none */
  double check_s;
  struct hone__named *metrics; /* of a served program; in the job's arena */
  size_t metrics_count;
  /* of the run that was checked, or that failed, as the record's texts are */
  double time_ns;                    /* NaN: it reported none */
  struct hone__program_table *table; /* or NULL */
  size_t left_out;                   /* rows */
};

struct hone__program_job {
  struct hone__program_bench *bench;
  struct hone__process_job run;
  struct hone__program_entry *entries; /* as many as run.records */
  bool may_be_blamed_wrongly; /* a served program crashed that had run other candidates before */
};

/* program_job.c: the candidate could not even be started. Takes over the status. */
void hone__program_fail_early(struct hone__process_record *record, hone_status status);

/* program_answer.c */
void hone__program_answer(const struct hone__program_job *job, struct hone__answer *answer);

#endif
