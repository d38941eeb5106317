/* job_head.h - the first fields of every job: the worker reads these, the backend the rest
 * (build_job.h, run_job.h).
 */
#ifndef HONE_WIRE_JOB_HEAD_H
#define HONE_WIRE_JOB_HEAD_H

#include "wire/record.h"

struct hone__wire_job_head {
  const char *op;   /* "build" or "run" */
  double timeout_s; /* NaN or 0: none */
};

extern const struct hone__record_type hone__wire_job_head_type;

/* The time limit in the head of a SETUP or a JOB; NaN: none is given. */
double hone__head_timeout_s(const struct hone__packed *head);
void hone__head_set_timeout(struct hone__packed *head, double timeout_s);

#endif
