/* model_inputs.h - the functions of a model, and their inputs.
 *
 * Signatures come from the text of the flow, in which all forms of a model (linalg, StableHLO,
 * torch, bytecode) are the same: each function has its declaration. Inputs that the user does not
 * give are files with seeded values: equal for equal signature, seed and number.
 */
#ifndef HONE_IREE_MODEL_MODEL_INPUTS_H
#define HONE_IREE_MODEL_MODEL_INPUTS_H

#include "base/words.h"
#include "iree/mlir/mlir.h"

struct hone__model_argument {
  const char *name; /* "%input0" */
  struct hone__mlir_type type;
};
struct hone__model_function {
  const char *name;
  struct hone__model_argument *arguments;
  size_t argument_count;
  bool is_async; /* it waits for fences: IREE's tools cannot call it by themselves */
};
struct hone__model_functions { /* { 0 } */
  struct hone__arena arena;
  struct hone__model_function *list;
  size_t count;
};

/* All public functions of a flow's text. */
hone_status hone__model_functions(const struct hone__mlir *flow,
                                  struct hone__model_functions *out_functions);
void hone__model_functions_release(struct hone__model_functions *functions);
bool hone__model_is_public(const struct hone__mlir_op *function);
/* "main(tensor<256x512xf32>, i32)" */
void hone__model_function_words(const struct hone__model_function *function,
                                struct hone__text *text);

/* The one of this name; NULL: the only one. INVALID_ARGUMENT lists them. */
hone_status hone__model_function_choose(const struct hone__model_functions *functions,
                                        const char *name,
                                        const struct hone__model_function **out_function);

/* Adds "--input=..." for every argument: given ones unchanged, the others as files in `folder`,
 * which is created. INVALID_ARGUMENT: names the argument that must be given, and why. */
hone_status hone__model_inputs(const struct hone__model_function *function,
                               const char *const *given, size_t given_count, uint64_t seed,
                               const char *folder, struct hone__words *out_words);

#endif
