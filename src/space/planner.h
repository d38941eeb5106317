/* planner.h - what the parts of planning share while a plan is made. */
#ifndef HONE_SPACE_PLANNER_H
#define HONE_SPACE_PLANNER_H

#include "space/plan.h"

enum { HONE__FEW_CANDIDATES = 16 }; /* trying them all is cheaper than planning */

struct hone__planner {
  struct hone__plan *plan;
  const struct hone__spec_program *program;
  uint32_t *constraints; /* a copy: what the sieve settles is dropped */
  size_t constraint_count;
  /* by node */
  int32_t *first, *last; /* levels of its first and last variable; last -1: none, -2: not in use */
  int32_t *last_use;     /* the deepest level that reads it */
  bool *is_constraint;
  uint32_t *scratch; /* room for one list of nodes */
};

/* sieve.c: which values of each variable can be part of a solution at all. Sets plan->empty if some
 * variable has none. */
void hone__sieve(struct hone__planner *planner);

/* binder.c: the binders of a level's variable where nodes of levels before `bound` are known: 0
 * means constants only. At most `most` of them; returns how many. */
size_t hone__binders_find(const struct hone__planner *planner, const struct hone__level *level,
                          int32_t bound, struct hone__binder *binders, size_t most);
/* The candidates that a binder leaves, into `room`; false if it can say nothing, or if they are
 * more than `most` and the level's candidates. */
bool hone__binder_run(const struct hone__plan *plan, const struct hone__level *level,
                      const struct hone__binder *binder, uint32_t *room, uint32_t most,
                      uint32_t *out_count);

/* The k-th candidate's value index, and bounds of some of them. */
static inline uint32_t hone__candidate(const struct hone__plan_candidates *candidates, uint32_t k)
{
  return candidates->list ? candidates->list[k] : candidates->first + k;
}
struct hone__bounds hone__space_candidate_bounds(const struct hone__level *level, uint32_t from,
                                                 uint32_t to);

#endif
