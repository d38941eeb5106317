/* The table of strategies. */
#include "search/search.h"

#include "base/text.h"

static const struct hone_strategy *const strategies[] = {
    &hone__search_exhaustive, &hone__search_random,  &hone__search_ordered,
    &hone__search_annealing,  &hone__search_genetic, &hone__search_differential,
    &hone__search_climb,      &hone__search_pattern,
};
enum { COUNT = sizeof strategies / sizeof *strategies };

static hone_status unknown(const char *name)
{
  struct hone_text known = {0};
  hone_status status;

  for (size_t i = 0; i < COUNT; i++)
    hone__text_addf(&known, ", %s", strategies[i]->name);
  status = hone__error(HONE_INVALID_ARGUMENT, "there is no strategy '%s'; there are auto%s", name,
                       known.data);
  hone__text_release(&known);
  return status;
}

/* A shuffled walk through the whole space is as complete as an ordered one, and worth more wherever
 * it is stopped. */
hone_status hone__strategy_find(const char *name, const struct hone_strategy **out_strategy)
{
  *out_strategy = &hone__search_random;
  if (!name || strcmp(name, "auto") == 0) return NULL;
  for (size_t i = 0; i < COUNT; i++) {
    if (strcmp(strategies[i]->name, name) != 0) continue;
    *out_strategy = strategies[i];
    return NULL;
  }
  return unknown(name);
}

const struct hone_strategy *hone__strategy_at(size_t i)
{
  return i < COUNT ? strategies[i] : NULL;
}
