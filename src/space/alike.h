/* alike.h - conditions that cannot tell many values of a long list apart. */
#ifndef HONE_SPACE_ALIKE_H
#define HONE_SPACE_ALIKE_H

#include "space/bounds.h"
#include "spec/program.h"

enum { HONE__ALIKE_LONG = 1 << 14 }; /* values; shorter lists have few states anyway */

/* A node with the same value in every configuration, perhaps the node itself; new nodes are added
 * to the program. `bounds` are those of all nodes that were there before. */
uint32_t hone__alike_reduce(struct hone__spec_program *program, const struct hone__bounds *bounds,
                            uint32_t node);

#endif
