/* model_inputs.h - the functions of a model, their inputs and outputs.
 *
 * Signatures come from the text of the flow, in which all forms of a model (linalg, StableHLO,
 * torch, bytecode) are similar: a function has its declaration, or its body shows which tensors its
 * buffer views are. Inputs that the user does not give are files with seeded values: equal for
 * equal signature, seed and number.
 */
#ifndef HONE_IREE_MODEL_MODEL_INPUTS_H
#define HONE_IREE_MODEL_MODEL_INPUTS_H

#include "base/words.h"
#include "hone_iree.h"
#include "iree/mlir/mlir.h"

enum { HONE__MODEL_MOST_DIMS = 32 };

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

/* model_signature.c: the tensors that buffer views of a function are, from its body or that of the
 * function which it calls; other types stay as they are. */
void hone__model_argument_types(const struct hone__mlir *flow, const struct hone__mlir_op *op,
                                struct hone__model_function *function, struct hone__arena *arena);
/* Types of all results of a public function: "tensor<256x384xf32>", "i32". */
void hone__model_outputs(const struct hone__mlir *flow, const char *function,
                         struct hone__words *out_types);

/* Sizes of dynamic dims: "input0.1=64" is dim 1 of argument 0. INVALID_ARGUMENT lists them. */
hone_status hone__model_fix_dims(struct hone__model_function *function, const char *const *dims,
                                 size_t dim_count);
/* The shape of "@x.npy" or "4x4xf32=1"; false: it is not known. */
bool hone__model_input_shape(const char *input, int64_t sizes[HONE__MODEL_MOST_DIMS],
                             size_t *out_rank);

/* Adds "--input=..." for every argument: those of the options with absolute paths, the others as
 * files in `folder`, which is created. INVALID_ARGUMENT: names the argument that must be given, and
 * why. */
hone_status hone__model_inputs(const struct hone__model_function *function,
                               const struct hone_iree_model_options *options, const char *folder,
                               struct hone__words *out_words);

#endif
