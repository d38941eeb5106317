/* gcd.h - the greatest common divisor; of 0 and n it is n. */
#ifndef HONE_BASE_GCD_H
#define HONE_BASE_GCD_H

#include <stdint.h>

static inline uint64_t hone__magnitude(int64_t a)
{
  return a < 0 ? 0 - (uint64_t)a : (uint64_t)a;
}

static inline uint64_t hone__gcd(int64_t a, int64_t b)
{
  uint64_t x = hone__magnitude(a), y = hone__magnitude(b);

  while (y) {
    uint64_t rest = x % y;
    x = y;
    y = rest;
  }
  return x;
}

#endif
