/* random.h - a seeded generator; the same seed gives the same numbers on every machine. */
#ifndef HONE_BASE_RANDOM_H
#define HONE_BASE_RANDOM_H

#include "base/hash.h"

struct hone__random { /* splitmix64 */
  uint64_t state;
};

static inline uint64_t hone__random_u64(struct hone__random *random)
{
  random->state += 0x9e3779b97f4a7c15u;
  return hone__mix(random->state);
}

static inline double hone__random_real(struct hone__random *random) /* [0, 1) */
{
  return (double)(hone__random_u64(random) >> 11) * 0x1p-53;
}

/* Uniform in [0, bound), without bias; bound > 0 (Lemire's method). */
static inline uint64_t hone__random_below(struct hone__random *random, uint64_t bound)
{
  unsigned __int128 wide = (unsigned __int128)hone__random_u64(random) * bound;

  if ((uint64_t)wide < bound) {
    uint64_t reject = -bound % bound;
    while ((uint64_t)wide < reject)
      wide = (unsigned __int128)hone__random_u64(random) * bound;
  }
  return (uint64_t)(wide >> 64);
}

#endif
