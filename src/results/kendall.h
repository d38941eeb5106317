/* kendall.h - rank correlation of two lists of numbers. */
#ifndef HONE_RESULTS_KENDALL_H
#define HONE_RESULTS_KENDALL_H

#include <stddef.h>

/* Kendall's tau-b, ties accounted for, in n log n steps. Pairs in which either is NaN do not count;
 * NaN if that leaves nothing, or one of the two never changes. */
double hone__kendall(const double *x, const double *y, size_t count);

#endif
