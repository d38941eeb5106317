/* The table of strategies. */
#include "search/search.h"

#include "base/text.h"
#include "hone_text.h"

static const struct hone__strategy *const strategies[] = {
    &hone__search_auto,         &hone__search_surrogate, &hone__search_pattern,
    &hone__search_climb,        &hone__search_annealing, &hone__search_genetic,
    &hone__search_differential, &hone__search_random,    &hone__search_exhaustive,
    &hone__search_ordered,
};
enum { COUNT = sizeof strategies / sizeof *strategies };

static hone_status unknown(const char *name)
{
  struct hone_nearest nearest = {.word = name};
  struct hone__text known = {0};
  hone_status status;

  for (size_t i = 0; i < COUNT; i++) {
    hone__text_addf(&known, "%s%s", i ? ", " : "", strategies[i]->name);
    hone_nearest_try(&nearest, strategies[i]->name);
  }
  if (nearest.best) hone__text_addf(&known, "; did you mean '%s'?", nearest.best);
  status = hone__error(HONE_INVALID_ARGUMENT, "unknown strategy '%s'; known strategies: %s", name,
                       known.data);
  hone__text_release(&known);
  return status;
}

hone_status hone__strategy_find(const char *name, const struct hone__strategy **out_strategy)
{
  *out_strategy = strategies[0];
  if (!name) return NULL;
  for (size_t i = 0; i < COUNT; i++) {
    if (strcmp(strategies[i]->name, name) != 0) continue;
    *out_strategy = strategies[i];
    return NULL;
  }
  if (strcmp(name, hone__search_greedy.name) != 0) return unknown(name);
  *out_strategy = &hone__search_greedy;
  return NULL;
}

const struct hone__strategy *hone__strategy_at(size_t i)
{
  return i < COUNT ? strategies[i] : NULL;
}
