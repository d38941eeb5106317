/* operation.h - the tuned operation of a dispatch: what it computes, with which dims.
 *
 * Made from the text of a dispatch (the op with `root_op`), or of a plain function with one tunable
 * operation. Named operations of linalg get their implied maps.
 */
#ifndef HONE_IREE_OPERATION_OPERATION_H
#define HONE_IREE_OPERATION_OPERATION_H

#include "iree/mlir/mlir.h"

enum hone__iree_op_kind {
  HONE__IREE_CONTRACTION,
  HONE__IREE_CONVOLUTION,
  HONE__IREE_ATTENTION,
  HONE__IREE_GENERIC, /* any other operation of linalg, in a dispatch for a CPU: without roles */
};

struct hone__dim_list { /* iteration dims of one role, rising; of a filter: in the image's order */
  unsigned dims[8];
  unsigned count;
};

struct hone__iree_fusion;

struct hone__iree_operation {
  enum hone__iree_op_kind kind;
  const struct hone__mlir *mlir; /* that the operation stands in */
  const struct hone__mlir_op *op;
  const char *function; /* symbol of the function around it; NULL: none */
  bool is_online;       /* online_attention rather than attention */
  bool is_root;         /* it carries root_op */
  /* lhs, rhs, out; attention: q, k, v, scale, [mask,] out [, max, sum] */
  struct hone__affine_map *maps;
  unsigned map_count, input_count; /* inputs come first */
  uint32_t reductions;             /* bit d: loop d is reduced; of attention: 0 */
  bool has_mask;
  const char *types[8]; /* elements of the operands, as the maps */
  unsigned loop_count;
  int64_t *sizes; /* of every iteration dim; -1: dynamic */
  bool is_dynamic;

  /* contraction: batch, m, n, k. attention: batch, m, n, k1, k2.
   * convolution: batch, output_image, output_channel, filter, input_channel, depth (groups). */
  struct hone__dim_list batch, m, n, k, k1, k2;
  struct hone__dim_list image, output_channel, filter, input_channel, depth;
  int64_t strides[4], dilations[4]; /* of a convolution, one an image dim */

  /* Of a generic one whose dispatch has more operations with loops (fusion.h): all of them, or why
   * these cannot be configured together. NULL both: it has none. */
  const struct hone__iree_fusion *fusion;
  const char *why_not_fused;
};

/* Why a dispatch cannot be tuned; the texts are shown. */
enum hone__iree_refusal {
  HONE__IREE_TUNABLE,
  HONE__IREE_NO_ROOT,     /* "no root operation: was it compiled with
                            --iree-codegen-add-tuner-attributes?" */
  HONE__IREE_TWO_ROOTS,   /* several sets, or several contractions */
  HONE__IREE_DYNAMIC,     /* a dim has no fixed size */
  HONE__IREE_UNSUPPORTED, /* its description: "a reduction", "linalg.pooling_...", matvec */
};

/* Of all operations with root_op (in one set a contraction, convolution or attention is preferred
 * over fills), or, without any root_op, of the only tunable one. In a dispatch for a CPU, whose
 * target is in the file, any operation of linalg with root_op and known maps is tunable. A refusal
 * is not an error: `why` has the reason and `*out_operation` is filled as far as possible (op may
 * be NULL). Everything is in the arena of `mlir`. */
enum hone__iree_refusal hone__iree_operation_find(struct hone__mlir *mlir,
                                                  struct hone__iree_operation *out_operation,
                                                  struct hone__text *why);

/* "mmt", "matmul", "batch_matmul", "nhwc_hwcf", "attention", "generic contraction" ... */
void hone__iree_operation_layout(const struct hone__iree_operation *operation,
                                 struct hone__text *text);
/* "1024x1280x1280 f16xf16->f32" */
void hone__iree_operation_sizes(const struct hone__iree_operation *operation,
                                struct hone__text *text);

/* How many arithmetic operations it takes, about; NaN: a size is not known. */
double hone__iree_operation_flops(const struct hone__iree_operation *operation);

/* A convolution as a matrix product (IREE's IGEMM): contraction with its own loops. */
struct hone__iree_igemm {
  unsigned loop_count;
  int64_t sizes[16];
  struct hone__dim_list batch, m, n, k; /* of the igemm's loops */
  bool lhs_ends_in_k;                   /* the last dim of its left operand is the innermost k */
  /* the igemm's dim of each convolution dim; UINT_MAX: none */
  unsigned igemm_dim[16];
  bool batch_is_last, image_is_last; /* in the input's map */
  int64_t channel_size[16];          /* of an input channel dim: the input's extent */
};
/* False: it has none. */
bool hone__iree_igemm_of(const struct hone__iree_operation *convolution,
                         struct hone__iree_igemm *out_igemm);

#endif
