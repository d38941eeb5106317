/* Every configuration, in mesh order. */
#include "search/search.h"

#include "base/memory.h"

#include <stdlib.h>

struct walk {
  const struct hone_space *space;
  uint64_t next;
};

static hone_status open_walk(const struct hone_search_options *options, void **out_state)
{
  struct walk *walk = hone__alloc(sizeof *walk);

  walk->space = options->space;
  *out_state = walk;
  return NULL;
}

static size_t ask(void *state, size_t count, uint32_t *rows)
{
  struct walk *walk = state;
  size_t width = hone_space_width(walk->space), given = 0;

  while (given < count && hone_space_at(walk->space, walk->next, rows + given * width)) {
    walk->next++;
    given++;
  }
  return given;
}

const struct hone_strategy hone__search_exhaustive = {
    .name = "exhaustive",
    .summary = "every configuration, in the order of the spec",
    .open = open_walk,
    .ask = ask,
    .close = free,
};
