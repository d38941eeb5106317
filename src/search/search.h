/* search.h - the interface of strategies: which configuration to evaluate next.
 *
 * A strategy is asked for configurations and told their outcomes, in any order and late. It sees
 * neither workers nor clocks: the same seed and the same answers, asked for and told in the same
 * order, give the same questions. Its own computation is counted in work. Every strategy requests
 * only legal configurations, none twice, and begins with the seeds (seeds.h). It may be told of
 * configurations that it never asked for; one that remembers what it asked for does not request
 * them any more. search.c has the table of strategies; trail.h what most of them share. */
#ifndef HONE_SEARCH_SEARCH_H
#define HONE_SEARCH_SEARCH_H

#include "base/status.h"
#include "base/outcome.h"

struct hone__search_options {
  const struct hone_space *space;
  uint64_t seed;
  uint64_t evaluations;  /* how many will be requested at most; 0: not known */
  const uint32_t *first; /* rows to begin with, before the seeds of the spec; those that are not
                            legal are left out */
  size_t first_count;
  const uint32_t *before; /* rows that were good before, likewise: after the seeds of the spec */
  size_t before_count;
  const struct hone__lessons *lessons; /* of other devices and sizes (lessons.h); NULL: none. They
                                          outlive the search */
};

struct hone__observation {
  enum hone_outcome outcome;
  double cost;  /* what is minimised, relative to the baseline; NaN: none, it failed */
  double share; /* of a budget in time, that it took; NaN: not known, or there is no such budget */
  bool is_arbitrary; /* nobody chose this configuration, and no search requested it */
};

struct hone__strategy {
  const char *name, *summary;
  bool learns; /* what it requests depends on what it was told: the less is asked ahead, the better;
                  such a search ends where nothing is gained any more */
  bool uses_lessons; /* of its options */
  bool is_serial; /* each request depends on the answer to the one before: nothing is asked ahead */
  hone_status (*open)(const struct hone__search_options *options, void **out_state);
  /* Up to `count` rows that were never asked before; fewer, or 0: for now, or for ever if nothing
   * that was asked is still to be told. */
  size_t (*ask)(void *state, size_t count, uint32_t *rows);
  void (*tell)(void *state, const uint32_t *row,
               const struct hone__observation *observation); /* optional */
  /* How likely it is that a configuration which was not asked for yet costs less than the best by
   * more than this share of it; NaN: it cannot tell. Optional. */
  double (*missing)(void *state, double margin);
  void (*close)(void *state);
};

/* NULL is "auto". INVALID_ARGUMENT names the known ones. */
hone_status hone__strategy_find(const char *name, const struct hone__strategy **out_strategy);

/* The table: the i-th, or NULL. `auto` is the first. */
const struct hone__strategy *hone__strategy_at(size_t i);

extern const struct hone__strategy hone__search_auto, hone__search_exhaustive, hone__search_random,
    hone__search_ordered, hone__search_annealing, hone__search_genetic, hone__search_differential,
    hone__search_climb, hone__search_pattern, hone__search_surrogate;
/* Not in the table: the rows of `first`, in their order, and no others. */
extern const struct hone__strategy hone__search_selected;
/* Found by its name, but not in the table: choices are added one by one; it does not see the whole
 * space. */
extern const struct hone__strategy hone__search_greedy;

#endif
