/* Every configuration, in mesh order. */
#include "search/search.h"

#include "base/memory.h"
#include "search/seeds.h"

#include <stdlib.h>

struct walk {
  const struct hone_space *space;
  struct hone__seeds seeds;
  uint64_t next;
};

static hone_status open_walk(const struct hone__search_options *options, void **out_state)
{
  struct walk *walk = hone__alloc(sizeof *walk);

  walk->space = options->space;
  hone__seeds_open(&walk->seeds, options);
  *out_state = walk;
  return NULL;
}

static size_t ask(void *state, size_t count, uint32_t *rows)
{
  struct walk *walk = state;
  size_t width = hone_space_width(walk->space), given = hone__seeds_ask(&walk->seeds, count, rows);

  while (given < count && hone_space_at(walk->space, walk->next, rows + given * width))
    given += !hone__seeds_has(&walk->seeds, walk->next++);
  return given;
}

static void close_walk(void *state)
{
  struct walk *walk = state;

  hone__seeds_release(&walk->seeds);
  free(walk);
}

const struct hone__strategy hone__search_exhaustive = {
    .name = "exhaustive",
    .summary = "every configuration, in the order of the spec",
    .open = open_walk,
    .ask = ask,
    .close = close_walk,
};
