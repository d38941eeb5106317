/* time_limits.h - lower bounds on times that a runner measures and sends in its READY. */
#ifndef HONE_WIRE_TIME_LIMITS_H
#define HONE_WIRE_TIME_LIMITS_H

#include "wire/record.h"

struct hone__limits {   /* 0: not known */
  double written_bytes; /* bytes that every right answer has to write */
  double fill_ns;       /* the time it takes to write that many */
  double peak_flops;
};

/* Reads them from a READY. A value that is not positive is not known. */
struct hone__limits hone__limits_read(const struct hone__packed *ready);

#endif
