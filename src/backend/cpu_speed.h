/* cpu_speed.h - upper bounds of the speed of this process's CPUs; never estimates. */
#ifndef HONE_BACKEND_CPU_SPEED_H
#define HONE_BACKEND_CPU_SPEED_H

#include <stddef.h>

/* The least time to write this many bytes, if all CPUs shared the work and each were as fast as
 * memset in a warm cache. Measured, which takes some milliseconds; 0: there is nothing to write, or
 * no memory for the measurement. */
double hone__backend_cpu_fill_ns(size_t bytes);

/* An upper bound of the CPUs' floating-point operations per second, including matrix operations on
 * small types. */
double hone__backend_cpu_peak_flops(void);

#endif
