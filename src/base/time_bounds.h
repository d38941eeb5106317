/* time_bounds.h - which numbers can be the time of a call.
 *
 * Light moves 0.3 micrometres in 0.001 ns, and 1e18 ns are 31 years: whatever lies beyond is an
 * error of the program, the unit or the worker. NaN and infinities are not times either.
 */
#ifndef HONE_BASE_TIME_BOUNDS_H
#define HONE_BASE_TIME_BOUNDS_H

#include <stdbool.h>

#define HONE__SHORTEST_NS 1e-3
#define HONE__LONGEST_NS  1e18

static inline bool hone__is_time(double ns)
{
  return ns >= HONE__SHORTEST_NS && ns <= HONE__LONGEST_NS;
}

#endif
