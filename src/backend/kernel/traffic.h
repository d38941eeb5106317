/* traffic.h - how many bytes every right answer must write. */
#ifndef HONE_BACKEND_KERNEL_TRAFFIC_H
#define HONE_BACKEND_KERNEL_TRAFFIC_H

#include "backend/kernel/trial.h"

/* Those in which the expected answer differs from what is there before a call: arguments may be
 * written in part. Without an expected answer `out` arguments count in full. Large arguments are
 * looked at in places. */
double hone__bench_written_bytes(const struct hone__bench *bench);

#endif
