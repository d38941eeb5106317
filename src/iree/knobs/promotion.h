/* promotion.h - which tiles of an operand a workgroup can copy into shared memory
 * (VectorDistribute).
 *
 * Threads copy a tile in pieces of at most 128 bits along its contiguous dim. The compiler assigns
 * the threads from there: along a row, then over the rows; each time the remaining threads must
 * divide the extent, or be divided by it. It rejects everything else with "failed to derive layout
 * for promoted read-like op". docs/benchmarks.md has the accuracy of this rule.
 */
#ifndef HONE_IREE_KNOBS_PROMOTION_H
#define HONE_IREE_KNOBS_PROMOTION_H

#include "iree/knobs/knob_writer.h"

/* Expressions: `inner` is the tile along the operand's last dim, `outer` along the other; elements
 * of the tile are a multiple of the threads. */
void hone__promotion_constraints(struct hone__knob_writer *writer, const char *outer,
                                 const char *inner, const char *element, const char *threads);

#endif
