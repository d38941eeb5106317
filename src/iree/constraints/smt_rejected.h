/* smt_rejected.h - candidates that the compiler's constraints allow, but the compiler rejects. */
#ifndef HONE_IREE_CONSTRAINTS_SMT_REJECTED_H
#define HONE_IREE_CONSTRAINTS_SMT_REJECTED_H

#include "iree/knobs/knob_writer.h"
#include "iree/operation/operation.h"
#include "iree/constraints/smt_model.h"

struct hone__smt_tile { /* its size as an expression, and the loop that it cuts */
  const char *size;
  unsigned loop;
};
/* The innermost tiles of a product of matrices. */
struct hone__smt_product {
  struct hone__smt_tile m, n, k;
};
bool hone__smt_find_product(struct hone__smt_model *model, struct hone__smt_product *out_product);
/* A knob, or its constant; NULL: there is none of this name. */
const char *hone__smt_expression_of(struct hone__smt_model *model, const char *knob);

struct hone__smt_rejected {
  const struct hone__iree_operation *operation;
  const char *pipeline;
  bool is_igemm;        /* a convolution that is lowered as a product of matrices */
  int64_t shared_bytes; /* 0: not known */
};
/* Adds constraints that exclude them. False: nothing would be left. */
bool hone__smt_leave_out(const struct hone__smt_rejected *rejected, struct hone__smt_model *model,
                         struct hone__knob_writer *writer);

#endif
