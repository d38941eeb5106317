/* time_limits.h - what a runner knows of times that no candidate can have, in its READY. */
#ifndef HONE_WIRE_TIME_LIMITS_H
#define HONE_WIRE_TIME_LIMITS_H

#include "wire/record.h"

struct hone__limits {   /* 0: not known */
  double written_bytes; /* that every right answer has to write */
  double fill_ns;       /* what writing as many takes */
  double peak_flops;
};

/* Of a READY. What is no positive number is not known. */
struct hone__limits hone__limits_read(const struct hone__packed *ready);

#endif
