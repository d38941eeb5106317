/* pareto.h - what is better, where less is better: the points that no other point beats, and by
 * how much one value beats another. */
#ifndef HONE_BASE_PARETO_H
#define HONE_BASE_PARETO_H

#include <stdbool.h>
#include <stddef.h>

/* `points` has `width` numbers a point. members[i] becomes true unless another point is nowhere
 * larger and somewhere smaller; equal points do not beat each other. A point with a NaN is no
 * member, and beats none. Returns how many there are. */
size_t hone__pareto_find(const double *points, size_t count, size_t width, bool *members);

/* A value as a multiple of a baseline's: above 0 whatever the two are, 1 where they are equal, and
 * less is better. If zero is between them, it, or one divided by it, is this or more. */
#define HONE__ACROSS_ZERO 1e9
double hone__cost_ratio(double value, double baseline);

#endif
