/* Every configuration once, in random order, without remembering any: a permutation of the indices
 * that is computed, not stored. Four rounds of a Feistel network permute the next larger power of
 * four; what falls outside the space is permuted again until it falls inside. */
#include "search/search.h"

#include "base/hash.h"
#include "base/memory.h"
#include "search/seeds.h"

#include <stdlib.h>

enum { ROUNDS = 4 };

struct shuffle {
  const struct hone_space *space;
  struct hone_seeds seeds;
  uint64_t seed, count, next;
  unsigned half_bits;
};

static hone_status open_shuffle(const struct hone_search_options *options, void **out_state)
{
  struct shuffle *shuffle = hone__alloc(sizeof *shuffle);

  shuffle->space = options->space;
  shuffle->seed = options->seed;
  shuffle->count = hone_space_count(options->space);
  while (shuffle->half_bits < 32 && (shuffle->count - 1) >> (2 * shuffle->half_bits))
    shuffle->half_bits++;
  hone__seeds_open(&shuffle->seeds, options->space);
  *out_state = shuffle;
  return NULL;
}

static uint64_t permute(const struct shuffle *shuffle, uint64_t index)
{
  uint64_t mask = ((uint64_t)1 << shuffle->half_bits) - 1;
  uint64_t left = index >> shuffle->half_bits, right = index & mask;

  for (uint64_t round = 0; round < ROUNDS; round++) {
    uint64_t mixed = hone__mix(hone__mix(shuffle->seed + round) ^ right), old = right;
    right = left ^ (mixed & mask);
    left = old;
  }
  return left << shuffle->half_bits | right;
}

static size_t ask(void *state, size_t count, uint32_t *rows)
{
  struct shuffle *shuffle = state;
  size_t width = hone_space_width(shuffle->space);
  size_t given = hone__seeds_ask(&shuffle->seeds, count, rows);

  while (given < count && shuffle->next < shuffle->count) {
    uint64_t index = permute(shuffle, shuffle->next++);
    while (index >= shuffle->count)
      index = permute(shuffle, index);
    if (hone__seeds_has(&shuffle->seeds, index)) continue;
    hone_space_at(shuffle->space, index, rows + given++ * width);
  }
  return given;
}

static void close_shuffle(void *state)
{
  struct shuffle *shuffle = state;

  hone__seeds_release(&shuffle->seeds);
  free(shuffle);
}

const struct hone_strategy hone__search_random = {
    .name = "random",
    .summary = "every configuration once, in random order",
    .open = open_shuffle,
    .ask = ask,
    .close = close_shuffle,
};
