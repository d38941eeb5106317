/* search.h - which configuration next?
 *
 * A strategy is asked for configurations and told what became of them, in any order and late. It
 * sees neither workers nor clocks: the same seed and the same answers give the same questions.
 * Every strategy begins with the seeds of the spec (seeds.h).
 * search.c has the table of strategies.
 */
#ifndef HONE_SEARCH_SEARCH_H
#define HONE_SEARCH_SEARCH_H

#include "base/status.h"
#include "exec/outcome.h"

struct hone_search_options {
  const struct hone_space *space;
  uint64_t seed;
  uint64_t evaluations; /* how many will be asked for at most; 0: not known */
};

struct hone_observation {
  enum hone_outcome outcome;
  double
      cost; /* what is minimised, relative to the baseline; NaN unless the outcome is ok or slow */
};

struct hone_strategy {
  const char *name, *summary;
  hone_status (*open)(const struct hone_search_options *options, void **out_state);
  /* Up to `count` rows that were never asked before; fewer, or 0: for now, or for ever if nothing
   * that was asked is still to be told. */
  size_t (*ask)(void *state, size_t count, uint32_t *rows);
  void (*tell)(void *state, const uint32_t *row,
               const struct hone_observation *observation); /* optional */
  void (*close)(void *state);
};

/* NULL is "auto". INVALID_ARGUMENT names the known ones. */
hone_status hone__strategy_find(const char *name, const struct hone_strategy **out_strategy);

extern const struct hone_strategy hone__search_exhaustive, hone__search_random,
    hone__search_ordered;

#endif
