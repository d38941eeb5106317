/* z3_terms.h - the nodes of a program as Z3 terms: what each value is, and when it faults. */
#ifndef HONE_SPACE_Z3_TERMS_H
#define HONE_SPACE_Z3_TERMS_H

#include "base/status.h"
#include "space/z3_table.h"

struct hone__z3_terms {
  const struct hone__z3 *z;
  struct hone__z3_evaluator *evaluator;
  struct hone__z3_term *items; /* by node */
};

/* Finds the node's term; those of its arguments are there. UNAVAILABLE where it has none, and no
 * node above can have a table either. */
hone_status hone__z3_translate(struct hone__z3_terms *terms, uint32_t node);

/* The condition that a translated constraint holds, or faults. */
hone_status hone__z3_condition(struct hone__z3_terms *terms, uint32_t node, z3_ast *out_condition);

#endif
