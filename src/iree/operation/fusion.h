/* fusion.h - the operations that a dispatch has beside its root, such as the maximum and the
 * quotient of a softmax.
 *
 * The compiler fuses them by tiles: a loop that all of them have in common is tiled once, and each
 * operation computes its part of the tile. So the tiles of the root give those of all others, once
 * it is known which loops are the same.
 */
#ifndef HONE_IREE_OPERATION_FUSION_H
#define HONE_IREE_OPERATION_FUSION_H

#include "iree/operation/operation_steps.h"

enum { HONE__IREE_MAX_FUSED = 8 };

struct hone__iree_fused {
  struct hone__iree_operation operation; /* of HONE__IREE_GENERIC */
  int loops[HONE__IREE_MAX_LOOPS];       /* of the root, which its own are */
  unsigned user, operand;                /* where its result is used; of the last: not set */
};

struct hone__iree_fusion { /* as they stand in the text: the last one needs all others */
  struct hone__iree_fused operations[HONE__IREE_MAX_FUSED];
  unsigned count, root;
};

/* Whether the compiler has given loops of their own to other operations beside the root. */
bool hone__iree_is_fused(const struct hone__mlir_op *root);

/* In the arena of `mlir`. NULL: `why` tells what cannot be followed. */
const struct hone__iree_fusion *hone__iree_fusion_read(struct hone__mlir *mlir,
                                                       const struct hone__mlir_op *root,
                                                       struct hone__text *why);

#endif
