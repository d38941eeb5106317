/* Four rounds of a Feistel network permute the next larger power of four; what falls outside is
 * permuted again until it falls inside. */
#include "search/shuffle.h"

#include "base/hash.h"

enum { ROUNDS = 4 };

void hone__shuffle_open(struct hone__shuffle *shuffle, uint64_t count, uint64_t seed)
{
  *shuffle = (struct hone__shuffle){.seed = seed, .count = count};
  while (shuffle->half_bits < 32 && (count - 1) >> (2 * shuffle->half_bits))
    shuffle->half_bits++;
}

static uint64_t permute(const struct hone__shuffle *shuffle, uint64_t number)
{
  uint64_t mask = ((uint64_t)1 << shuffle->half_bits) - 1;
  uint64_t left = number >> shuffle->half_bits, right = number & mask;

  for (uint64_t round = 0; round < ROUNDS; round++) {
    uint64_t mixed = hone__mix(hone__mix(shuffle->seed + round) ^ right), old = right;
    right = left ^ (mixed & mask);
    left = old;
  }
  return left << shuffle->half_bits | right;
}

bool hone__shuffle_next(struct hone__shuffle *shuffle, uint64_t *out_number)
{
  uint64_t number;

  if (shuffle->next >= shuffle->count) return false;
  number = permute(shuffle, shuffle->next++);
  while (number >= shuffle->count)
    number = permute(shuffle, number);
  *out_number = number;
  return true;
}
