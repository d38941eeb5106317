/* split.h - which candidates of a variable some constraints leave, by bounds.
 *
 * The candidates are halved again and again: a half in which a constraint is false for certain is
 * left out, one in which all are true is taken whole. So a stretch of a million values costs a few
 * looks, and the result is often one span that is never listed.
 */
#ifndef HONE_SPACE_SPLIT_H
#define HONE_SPACE_SPLIT_H

#include "space/planner.h"

struct hone__split {
  const struct hone__spec_program *program;
  const struct hone__level *level;
  struct hone__bounds *bounds; /* of all nodes; those of `nodes` and of the variable change */
  const uint32_t *nodes;       /* that depend on the variable, in order */
  const bool *checks;          /* which of them are constraints */
  uint32_t node_count;
  bool one_by_one; /* where bounds cannot decide, look at single values */
  uint32_t *room;  /* for a result that is not a span */
  uint32_t capacity;
  /* the result */
  uint32_t first, count; /* a span, or `count` indices in room */
  bool is_list;
  bool certain;   /* all constraints are true for all that is left */
  bool overflow;  /* the room was too small: nothing is known */
  uint32_t tests; /* of parts of the domain */
};
void hone__split_run(struct hone__split *split);

#endif
