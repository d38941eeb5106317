/* reorder.h - the same solutions with the levels in another order. */
#ifndef HONE_SPACE_REORDER_H
#define HONE_SPACE_REORDER_H

#include "space/diagram.h"

/* Turns a diagram over the variables `from` into one over the same variables in the order `to`.
 * EXHAUSTED, and the diagram as it was, if that takes more than memory_bytes. */
hone_status hone__diagram_reorder(struct hone__diagram **diagram, const uint32_t *from,
                                  const uint32_t *to, size_t memory_bytes);

#endif
