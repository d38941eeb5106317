/* z3_table.h - terms for nodes that have no exact one: the evaluator's results for all combinations
 * of values.
 *
 * The evaluator walks a cone, a set of nodes with all that they depend on; a table has the value of
 * one node for each combination of its cone's parameters, and becomes a tree of choices.
 */
#ifndef HONE_SPACE_Z3_TABLE_H
#define HONE_SPACE_Z3_TABLE_H

#include "space/z3_place.h"

struct hone__z3_evaluator {
  const struct hone__spec_program *program;
  const struct hone__z3_place *places; /* by level */
  const uint32_t *level_of;            /* by variable */
  uint32_t depth;                      /* levels */
  struct hone_value *values;           /* by node: what hone__z3_evaluate found */
};

struct hone__z3_cone {
  uint32_t *nodes; /* in order */
  uint32_t *levels;
  uint32_t count, level_count;
  uint64_t combinations; /* of its parameters' values; saturates */
};

void hone__z3_cone_init(struct hone__z3_cone *cone, const struct hone__z3_evaluator *evaluator,
                        const uint32_t *roots, size_t root_count);
void hone__z3_cone_release(struct hone__z3_cone *cone);

/* Values of all the cone's nodes, for a row of value indices by level. */
void hone__z3_evaluate(struct hone__z3_evaluator *evaluator, const struct hone__z3_cone *cone,
                       const uint32_t *row);

/* True if the node's combinations are few enough for a table of truth values. */
bool hone__z3_fits_table(const struct hone__z3_evaluator *evaluator, uint32_t node);

/* A node as a truth value, or as a whole number; as the condition that it is true or faults. False
 * where the table would be too large, or a value is not whole. */
bool hone__z3_tabulate_truth(const struct hone__z3 *z, struct hone__z3_evaluator *evaluator,
                             uint32_t node, struct hone__z3_term *out);
bool hone__z3_tabulate_whole(const struct hone__z3 *z, struct hone__z3_evaluator *evaluator,
                             uint32_t node, struct hone__z3_term *out);
bool hone__z3_tabulate_condition(const struct hone__z3 *z, struct hone__z3_evaluator *evaluator,
                                 uint32_t node, z3_ast *out);

#endif
