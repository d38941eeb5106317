/* promotion.h - which tiles of an operand a workgroup can copy into shared memory
 * (VectorDistribute).
 *
 * Threads copy a tile in pieces of 128 bits along its contiguous dim. The compiler finds a layout
 * only if the pieces of a row divide the threads or are divided by them, and if the tile is less
 * than one round of all threads or whole rounds; anything else it rejects with "failed to derive
 * layout for promoted read-like op".
 */
#ifndef HONE_IREE_PROMOTION_H
#define HONE_IREE_PROMOTION_H

#include "iree/knob_writer.h"

/* Expressions: `inner` is the tile along the operand's last dim, `outer` along the other. */
void hone__promotion_constraints(struct hone_knob_writer *writer, const char *outer,
                                 const char *inner, const char *element, const char *threads);

#endif
