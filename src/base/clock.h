/* clock.h - seconds that only go forward. */
#ifndef HONE_BASE_CLOCK_H
#define HONE_BASE_CLOCK_H

#include <time.h>

static inline double hone__clock(void)
{
  struct timespec now;

  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

#endif
