/* rewrite.h - constraints in a form that the solver can use better, with the same meaning. */
#ifndef HONE_SPACE_REWRITE_H
#define HONE_SPACE_REWRITE_H

#include "spec/program.h"
#include "space/bounds.h"

/* An equivalent of the node, perhaps the node itself; new nodes are added to the program. `bounds`
 * are those of all nodes that were there before. */
uint32_t hone__rewrite(struct hone__spec_program *program, const struct hone__bounds *bounds,
                       uint32_t node);

#endif
