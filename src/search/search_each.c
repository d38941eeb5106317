/* A search without answers: the configurations in the order in which a strategy requests them. */
#include "search/search.h"

#include "base/memory.h"
#include "hone.h"

#include <stdlib.h>

enum { BATCH = 256 };

hone_status hone_space_search(const struct hone_space *space, const char *strategy_name,
                              uint64_t seed, uint64_t count, hone_visit *visit, void *data)
{
  const struct hone__search_options options = {.space = space, .seed = seed, .evaluations = count};
  const size_t width = hone_space_width(space);
  const struct hone__strategy *strategy;
  uint32_t *rows = NULL;
  void *state = NULL;
  hone_status status = hone__strategy_find(strategy_name, &strategy);

  if (!status) status = strategy->open(&options, &state);
  if (status) return status;
  rows = hone__alloc(BATCH * width * sizeof *rows);
  for (bool goes_on = true; goes_on && count;) {
    const size_t given = strategy->ask(state, count < BATCH ? (size_t)count : BATCH, rows);
    for (size_t i = 0; goes_on && i < given; i++)
      goes_on = visit(data, rows + i * width);
    goes_on &= given > 0;
    count -= given;
  }
  strategy->close(state);
  free(rows);
  return NULL;
}
