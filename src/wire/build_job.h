/* build_job.h - the job of a builder. */
#ifndef HONE_WIRE_BUILD_JOB_H
#define HONE_WIRE_BUILD_JOB_H

#include "wire/record.h"

struct hone__wire_build_job {
  const char *op;                       /* "build" */
  double timeout_s;                     /* NaN or 0: none */
  const struct hone__packed *candidate; /* in the backend's format */
  bool cached_only;                     /* fail if the cache does not have it */
  bool anew;                            /* build again even if the cache has a failure */
};

extern const struct hone__record_type hone__wire_build_job_type;

#endif
