/* run_job.h - what a runner is asked for. The payload that comes with it has the objects' bytes. */
#ifndef HONE_WIRE_RUN_JOB_H
#define HONE_WIRE_RUN_JOB_H

#include "wire/record.h"

#define HONE__RUN_MODES(X)                                                                         \
  X(SCREEN, "screen") /* of each candidate a few samples, one candidate after the other */         \
  X(ROWS, "rows")     /* rows, each of which times every candidate once */

enum hone__run_mode {
#define HONE__RUN_MODE_ENUM(id, name) HONE__RUN_##id,
  HONE__RUN_MODES(HONE__RUN_MODE_ENUM)
#undef HONE__RUN_MODE_ENUM
};

struct hone__run_item {
  const struct hone__packed *candidate; /* the backend's own */
  size_t offset, size;                  /* of its object, in the payload */
};

struct hone__run_job {
  const char *op; /* "run" */
  int mode;       /* enum hone__run_mode */
  /* false, true (as the setup says), or "first", "sampled" or "every"; nothing: true */
  struct hone_value check;
  bool late_check;          /* outputs are compared once more after the last row */
  bool verbose;             /* somebody reads what programs print */
  size_t samples, rows;     /* how many; 0: as many as the budget allows */
  struct hone_value warmup; /* calls before the first sample; nothing, or -1: until they settle */
  /* Of all these NaN and 0 mean: none. */
  double timeout_s, start_s; /* of the job, and what of that is for beginning */
  double budget_s;           /* of rows */
  double call_timeout_s;     /* of the first call */
  double cap_ns;             /* a sample above it ends the candidate as slow */
  double cut_ns;             /* above it no more samples are taken */
  double min_sample_ns;      /* a sample's calls take at least this long */
  int64_t seed;              /* of the order in rows */
  const char *phase;         /* what it is for: for recordings */
  size_t number;             /* which job of the run it is: for recordings */
  struct hone__run_item *candidates;
  size_t candidates_count;
};

extern const struct hone__record_type hone__run_job_type;

#endif
