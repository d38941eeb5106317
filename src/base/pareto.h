/* pareto.h - the points that no other point beats, where less is better in every coordinate. */
#ifndef HONE_BASE_PARETO_H
#define HONE_BASE_PARETO_H

#include <stdbool.h>
#include <stddef.h>

/* `points` has `width` numbers a point. members[i] becomes true unless another point is nowhere
 * larger and somewhere smaller; equal points do not beat each other. A point with a NaN is no
 * member, and beats none. Returns how many there are. */
size_t hone__pareto_find(const double *points, size_t count, size_t width, bool *members);

#endif
