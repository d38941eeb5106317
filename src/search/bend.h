/* bend.h - the scale of targets: how far a cost's logarithm is from the best (0), with the median
 * at 1, under a square root. It spreads the good ones, which a search is about, and draws the bad
 * ones together. What is better than the best is below 0, likewise. */
#ifndef HONE_SEARCH_BEND_H
#define HONE_SEARCH_BEND_H

#include <math.h>

static inline float hone__bend(double distance)
{
  return (float)copysign(sqrt(fabs(distance)), distance);
}

static inline double hone__unbend(double target)
{
  return target * fabs(target);
}

#endif
