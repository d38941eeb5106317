/* Every configuration once, in random order, without remembering any. */
#include "search/search.h"

#include "base/memory.h"
#include "search/seeds.h"
#include "search/shuffle.h"

#include <stdlib.h>

struct random_search {
  const struct hone_space *space;
  struct hone__seeds seeds;
  struct hone__shuffle shuffle;
};

static hone_status open_random(const struct hone__search_options *options, void **out_state)
{
  struct random_search *search = hone__alloc(sizeof *search);

  search->space = options->space;
  hone__shuffle_open(&search->shuffle, hone_space_count(options->space), options->seed);
  hone__seeds_open(&search->seeds, options);
  *out_state = search;
  return NULL;
}

static size_t ask(void *state, size_t count, uint32_t *rows)
{
  struct random_search *search = state;
  size_t width = hone_space_width(search->space);
  size_t given = hone__seeds_ask(&search->seeds, count, rows);
  uint64_t index;

  while (given < count && hone__shuffle_next(&search->shuffle, &index))
    if (!hone__seeds_has(&search->seeds, index))
      hone_space_at(search->space, index, rows + given++ * width);
  return given;
}

static void close_random(void *state)
{
  struct random_search *search = state;

  hone__seeds_release(&search->seeds);
  free(search);
}

const struct hone__strategy hone__search_random = {
    .name = "random",
    .summary = "every configuration once, in random order",
    .open = open_random,
    .ask = ask,
    .close = close_random,
};
