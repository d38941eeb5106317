/* smt_model.h - one `iree_codegen.smt.constraints`: its variables and what they must satisfy.
 *
 *   1. hone__smt_model_read(model, mlir, op)      operations become terms
 *   2. hone__smt_model_override(model, "name")    what is asserted of it is forgotten; it is no
 *                                                 variable of the space any more
 *   3. hone__smt_model_solve(model)               constants, definitions and domains are found
 *   4. hone__smt_model_release(model)
 * Afterwards a variable is a term over others (`meaning`), or has values. The asserts that are left
 * say what the values alone do not.
 */
#ifndef HONE_IREE_CONSTRAINTS_SMT_MODEL_H
#define HONE_IREE_CONSTRAINTS_SMT_MODEL_H

#include "iree/constraints/smt_expression.h"
#include "iree/mlir/mlir.h"

enum hone__smt_role {
  HONE__SMT_DIM, /* a size of the operation: an argument of the block */
  HONE__SMT_KNOB,
  HONE__SMT_HELPER /* smt.declare_fun: in no configuration, but it must exist */
};

struct hone__smt_unknown {
  const char *name;
  enum hone__smt_role role;
  bool is_overridden;
  const struct hone__smt_term *meaning; /* a constant, or over other variables; NULL: it is free */
  int64_t low, high;                    /* bounds while solving */
  int64_t *values;                      /* of a free one, rising */
  size_t count;
};

struct hone__smt_model {
  struct hone__arena arena;
  const struct hone__mlir *mlir;
  const struct hone__mlir_op *op;
  struct hone__smt_unknown unknowns[HONE__SMT_MAX_VARIABLES];
  const char *names[HONE__SMT_MAX_VARIABLES];
  unsigned unknown_count;
  const struct hone__smt_term **asserts;
  size_t assert_count, assert_capacity;
  bool is_impossible; /* no values satisfy it */
};

/* INVALID_SPEC with the place: an unknown operation, or an unknown use of one. */
hone_status hone__smt_model_read(struct hone__smt_model *out_model, const struct hone__mlir *mlir,
                                 const struct hone__mlir_op *op);
void hone__smt_model_override(struct hone__smt_model *model, const char *name);
/* Another assert: the product of two variables is this number; nothing if one is missing. */
void hone__smt_model_fix_product(struct hone__smt_model *model, const char *a, const char *b,
                                 int64_t product);
/* INVALID_SPEC: a variable has no bounds. */
hone_status hone__smt_model_solve(struct hone__smt_model *model);
void hone__smt_model_release(struct hone__smt_model *model);

/* NULL: there is none of this name. */
const struct hone__smt_unknown *hone__smt_unknown(const struct hone__smt_model *model,
                                                  const char *name);

/* ---- Between smt_model.c, smt_bounds.c and smt_domain.c ---- */

/* Bounds of all free variables from the asserts. With `!use_definitions` those that say
 * `variable == term` are left out, which shows whether it has bounds of its own. */
#define HONE__SMT_FAR (INT64_C(1) << 62) /* no bound */
void hone__smt_bounds(struct hone__smt_model *model, bool use_definitions);
/* Values of all free variables, from bounds and asserts; asserts that hold for all are dropped. */
hone_status hone__smt_domains(struct hone__smt_model *model);
/* `variable == term` with the variable not in the term: its number, else -1. */
int hone__smt_defined(const struct hone__smt_term *assert, const struct hone__smt_term **out_term);

#endif
