/* cpu_speed.h - how fast the CPUs of this process can be at most: bounds, never estimates. */
#ifndef HONE_BACKEND_CPU_SPEED_H
#define HONE_BACKEND_CPU_SPEED_H

#include <stddef.h>

/* What writing so many bytes takes, were all CPUs to share the work and each to be as fast as one
 * is with memset in caches that are warm. Measured, which takes some milliseconds; 0: there is
 * nothing to write, or no memory to measure with. */
double hone__cpu_fill_ns(size_t bytes);

/* More floating-point operations a second than these CPUs have, be they matrix operations on small
 * types. */
double hone__cpu_peak_flops(void);

#endif
