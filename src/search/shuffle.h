/* shuffle.h - the numbers 0 ... count - 1, each once, in random order, without remembering any: a
 * permutation that is computed, not stored. */
#ifndef HONE_SEARCH_SHUFFLE_H
#define HONE_SEARCH_SHUFFLE_H

#include <stdbool.h>
#include <stdint.h>

struct hone__shuffle {
  uint64_t seed, count, next;
  unsigned half_bits;
};

void hone__shuffle_open(struct hone__shuffle *shuffle, uint64_t count, uint64_t seed);
/* False: all were given. */
bool hone__shuffle_next(struct hone__shuffle *shuffle, uint64_t *out_number);

#endif
