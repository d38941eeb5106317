/* build_job.h - what a builder is asked for. */
#ifndef HONE_WIRE_BUILD_JOB_H
#define HONE_WIRE_BUILD_JOB_H

#include "wire/record.h"

struct hone__build_job {
  const char *op;                       /* "build" */
  double timeout_s;                     /* NaN or 0: none */
  const struct hone__packed *candidate; /* the backend's own */
  bool cached_only;                     /* what the cache does not know fails */
  bool anew;                            /* a failure that the cache knows is not enough */
};

extern const struct hone__record_type hone__build_job_type;

#endif
