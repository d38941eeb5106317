/* operation_steps.h - the steps from a linalg operation to hone__iree_operation: for operation*.c,
 * and for matchers of tuning specs, which have maps and no operation. */
#ifndef HONE_IREE_OPERATION_OPERATION_STEPS_H
#define HONE_IREE_OPERATION_OPERATION_STEPS_H

#include "iree/operation/operation.h"

enum { HONE__IREE_MAX_LOOPS = 16, HONE__IREE_MAX_OPERANDS = 8 };

typedef uint32_t hone__dim_set; /* bit d: iteration dim d */

/* The three maps of a named operation such as linalg.conv_2d_nhwc_hwcf, including its strides and
 * dilations. NULL: `why` describes the operation. */
struct hone__affine_map *hone__iree_named_maps(struct hone__arena *arena,
                                               const struct hone__mlir_op *op,
                                               struct hone__text *why);

/* Whether the body of a linalg.generic is out + lhs * rhs, with casts anywhere. */
bool hone__iree_body_multiplies_and_adds(const struct hone__mlir_op *op);

/* Whether the body uses only its own arguments and values. */
bool hone__iree_body_is_closed(const struct hone__mlir_op *op);

/* The dim that an expression is, without factor or constant; false: it is more than a dim. */
bool hone__iree_expr_is_dim(const struct hone__affine_expr *expr, unsigned dims, unsigned *out_dim);
/* Where the map uses this dim: the first result's position, or -1. */
int hone__iree_map_position(const struct hone__affine_map *map, unsigned dim);
/* The dims that appear in any of its results. */
hone__dim_set hone__iree_map_dims(const struct hone__affine_map *map);

/* The dims of a set in rising order; false: there are more than a list holds. */
bool hone__iree_list_dims(hone__dim_set set, struct hone__dim_list *list);

/* The roles of the iteration dims from the operation's maps; words in `why` if they have none. */
bool hone__iree_contraction_dims(struct hone__iree_operation *operation, hone__dim_set reductions,
                                 struct hone__text *why);
bool hone__iree_convolution_dims(struct hone__iree_operation *operation, hone__dim_set reductions,
                                 struct hone__text *why);
bool hone__iree_attention_dims(struct hone__iree_operation *operation, struct hone__text *why);

/* A linalg.generic, or an operation of linalg whose maps are known, as one of HONE__IREE_GENERIC;
 * DYNAMIC or UNSUPPORTED with words in `why`. */
enum hone__iree_refusal
hone__iree_operation_read_generic(struct hone__mlir *mlir, const struct hone__mlir_op *op,
                                  struct hone__iree_operation *out_operation,
                                  struct hone__text *why);

/* What one operation is: everything of hone__iree_operation_find but the search. */
enum hone__iree_refusal hone__iree_operation_read(struct hone__mlir *mlir,
                                                  const struct hone__mlir_op *op,
                                                  struct hone__iree_operation *out_operation,
                                                  struct hone__text *why);

#endif
