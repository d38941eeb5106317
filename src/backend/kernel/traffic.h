/* traffic.h - the number of bytes that every right answer must write. */
#ifndef HONE_BACKEND_KERNEL_TRAFFIC_H
#define HONE_BACKEND_KERNEL_TRAFFIC_H

#include "backend/kernel/trial.h"

/* The bytes in which the expected answer differs from the memory before a call, because arguments
 * may be written in part. Without an expected answer `out` arguments count in full. Large arguments
 * are sampled. */
double hone__bench_written_bytes(const struct hone__bench *bench);

#endif
