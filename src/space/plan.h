/* plan.h - how one component is solved: what is computed, checked and remembered at each level.
 *
 * The variables have an order; a node of the program belongs to the level of its last variable.
 * Going down a level binds one variable, computes that level's nodes, and checks the constraints
 * that are complete there. What deeper levels still read is the state: two partial solutions with
 * equal states have the same completions, which is what keeps diagrams small. A state holds values
 * of subexpressions, not of variables: once block_x * tile_x is known, its factors are forgotten.
 */
#ifndef HONE_SPACE_PLAN_H
#define HONE_SPACE_PLAN_H

#include "space/domain.h"

/* The values of a level's variable that are worth trying: a span, or a list. */
struct hone__plan_candidates {
  uint32_t first, count;
  uint32_t *list; /* NULL: first, first + 1 ... */
};

/* A constraint that tells the variable's values from what is bound, without trying them. */
enum hone__binder_kind {
  HONE__BIND_EQUAL,   /* steps(x) == target */
  HONE__BIND_DIVISOR, /* target is a multiple of steps(x) */
  HONE__BIND_MULTIPLE /* x % target == rest */
};
struct hone__binder {
  enum hone__binder_kind kind;
  uint32_t target, rest; /* nodes of earlier levels */
  uint32_t step_count;
  struct hone__binder_step { /* from the outermost operator inwards to x */
    enum hone__operator op;
    bool x_left;    /* x is in the left argument */
    uint32_t other; /* the other argument's node */
  } steps[8];
};

struct hone__level {
  uint32_t variable, variable_node;
  const struct hone__domain *domain;
  struct hone__plan_candidates candidates;
  /* computed here, in order; check[i]: the node is a constraint */
  uint32_t *compute;
  bool *check;
  uint32_t compute_count, check_count;
  /* the state on entry, and which of it this level reads */
  uint32_t *live;
  uint32_t live_count;
  uint32_t *inputs; /* positions in `live` */
  uint32_t input_count;
  /* the state on leaving: passed on, then made here */
  uint32_t *passed; /* positions in `live` */
  uint32_t passed_count;
  uint32_t *made; /* nodes */
  uint32_t made_count;
  /* looking ahead from the state on leaving: nodes in order, and the constraints among them */
  uint32_t *ahead;
  bool *ahead_check;
  uint32_t ahead_count;
  struct hone__binder *binders;
  uint32_t binder_count;
};

struct hone__plan {
  const struct hone__spec_program *program;
  struct hone__level *levels;
  uint32_t depth;
  struct hone_value *values;   /* of all nodes; constants are filled in */
  struct hone__bounds *bounds; /* of all nodes, all variables free */
  struct hone__arena arena;
  bool empty; /* some variable has no candidates left */
};

/* `domains` is indexed by variable. Every constraint has at least one variable of `order`, and no
 * other variable. */
void hone__plan_make(struct hone__plan *plan, const struct hone__spec_program *program,
                     const struct hone__domain *const *domains, const uint32_t *order,
                     uint32_t depth, const uint32_t *constraints, size_t constraint_count);
void hone__plan_release(struct hone__plan *plan);

/* Which candidates are worth trying, given the inputs. */
struct hone__narrowed {
  uint32_t first, count; /* a span, unless there is a list */
  const uint32_t *list;
  bool certain;   /* all checks hold for all of them */
  uint32_t tests; /* that narrowing took */
};
/* How many indices narrowing may list; 0: it never lists any. */
uint32_t hone__level_room(const struct hone__level *level);
/* The inputs' values are in plan->values; `room` has space for hone__level_room. */
void hone__plan_narrow(struct hone__plan *plan, const struct hone__level *level, uint32_t *room,
                       struct hone__narrowed *out_narrowed);

#endif
