/* The fields of a build job. */
#include "wire/build_job.h"

#include <math.h>

static const struct hone__field fields[] = {
    HONE__TEXT(struct hone__wire_build_job, op, HONE__OPTIONAL),
    HONE__REAL(struct hone__wire_build_job, timeout_s, HONE__OPTIONAL, 0, INFINITY),
    HONE__PACKED(struct hone__wire_build_job, candidate, HONE__NEEDED),
    HONE__BOOL(struct hone__wire_build_job, cached_only, HONE__OPTIONAL),
    HONE__BOOL(struct hone__wire_build_job, anew, HONE__OPTIONAL),
};

const struct hone__record_type hone__wire_build_job_type =
    HONE__RECORD_TYPE("build job", struct hone__wire_build_job, fields);
