/* smt_knobs.h - the compiler's own constraints as alternatives, in the form of iree/knobs/knobs.h.
 */
#ifndef HONE_IREE_CONSTRAINTS_SMT_KNOBS_H
#define HONE_IREE_CONSTRAINTS_SMT_KNOBS_H

#include "hone_iree.h"
#include "base/text.h"
#include "iree/mlir/mlir.h"

/* Of every `iree_codegen.smt.constraints` in what the compiler printed. */
hone_status hone__iree_smt_knobs(struct hone__mlir *constraints,
                                 const struct hone_iree_options *options, struct hone__text *yaml,
                                 struct hone__text *why);

#endif
