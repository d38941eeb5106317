/* run_job.h - the job of a runner. Its payload has the objects' bytes. */
#ifndef HONE_WIRE_RUN_JOB_H
#define HONE_WIRE_RUN_JOB_H

#include "wire/record.h"

#define HONE__RUN_MODES(X)                                                                         \
  X(SCREEN, "screen") /* a few samples of each candidate, one candidate after the other */         \
  X(ROWS, "rows")     /* rows, each of which times every candidate once */

enum hone__wire_run_mode {
#define HONE__RUN_MODE_ENUM(id, name) HONE__RUN_##id,
  HONE__RUN_MODES(HONE__RUN_MODE_ENUM)
#undef HONE__RUN_MODE_ENUM
};

struct hone__wire_run_item {
  const struct hone__packed *candidate; /* in the backend's format */
  size_t offset, size;                  /* position of its object in the payload */
};

struct hone__wire_run_job {
  const char *op; /* "run" */
  int mode;       /* enum hone__wire_run_mode */
  /* false, true (as in the setup), or "first", "sampled" or "every"; none: true */
  struct hone_value check;
  bool late_check;          /* compare outputs again after the last row */
  bool first_is_known;      /* the first candidate's answers were checked in an earlier job */
  bool renew;               /* candidates run in a process that was started for this job */
  bool verbose;             /* return the output of programs */
  size_t samples, rows;     /* the count; 0: as many as the budget allows */
  struct hone_value warmup; /* calls before the first sample; none, or -1: until times settle */
  /* In all of these NaN and 0 mean none. */
  double timeout_s, start_s; /* limit of the job, and the part of it reserved for the start */
  double budget_s;           /* for rows */
  double call_timeout_s;     /* limit of the first call */
  double cap_ns;             /* a sample above it ends the candidate as slow */
  double cut_ns;             /* no more samples are taken above it */
  double min_sample_ns;      /* least duration of a sample's calls */
  int64_t seed;              /* for the order within rows */
  int phase;                 /* enum hone_phase: purpose of the job, for recordings */
  size_t number;             /* number of the job within the run, for recordings */
  struct hone__wire_run_item *candidates;
  size_t candidates_count;
};

extern const struct hone__record_type hone__wire_run_job_type;

#endif
