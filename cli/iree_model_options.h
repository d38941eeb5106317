/* iree_model_options.h - options for a model, its target and its call: common to `hone iree
 * dispatches` and `hone iree tune`.
 *
 *   hone iree COMMAND MODEL.mlir [TARGET] [--function f] [--input=@x.npy ...] [--iree-... flags]
 *
 * Flags of iree-compile may be among the words (--iree-opt-level=O3), or after "--".
 */
#ifndef CLI_IREE_MODEL_OPTIONS_H
#define CLI_IREE_MODEL_OPTIONS_H

#include "hone_iree.h"
#include "command.h"
#include "iree_options.h"

struct iree_model_settings { /* { 0 } */
  struct iree_settings iree;
  const char *function, *device, *keep, *run_flags_file;
  struct word_list inputs, parameters, dims;
  uint64_t seed; /* set before parsing: iree_model_settings_init() */
};
void iree_model_settings_init(struct iree_model_settings *settings);

#define IREE_MODEL_OPTIONS(type, field)                                                            \
  OPTION(TEXT, "function", "NAME", "function to call; default: the only one",                      \
         .target = offsetof(type, field.function)),                                                \
      OPTION(LIST, "input", "VALUE",                                                               \
             "argument in the syntax of IREE's tools: @x.npy, 4x4xf32=1; others are generated",    \
             .target = offsetof(type, field.inputs)),                                              \
      OPTION(LIST, "dim", "NAME=SIZE",                                                             \
             "size of a dynamic dim of the inputs: batch=1, input0.1=64; repeatable",              \
             .target = offsetof(type, field.dims)),                                                \
      OPTION(NUMBER, "input-seed", "N", "seed of generated inputs; default 42",                    \
             .target = offsetof(type, field.seed)),                                                \
      OPTION(LIST, "parameters", "FILE", "weights of the model: [SCOPE=]FILE.irpa; repeatable",    \
             .target = offsetof(type, field.parameters), .takes_file = true),                      \
      OPTION(TEXT, "model-benchmark-flags-file", "FILE",                                           \
             "arguments for IREE's runtime, one per line: --function=, --input=, --parameters=",   \
             .target = offsetof(type, field.run_flags_file), .takes_file = true),                  \
      OPTION(TEXT, "device", "NAME", "device: local-sync, cuda, hip://0; default: by the target",  \
             .target = offsetof(type, field.device)),                                              \
      OPTION(TEXT, "keep", "DIR", "keep module, dumps and inputs in this folder",                  \
             .target = offsetof(type, field.keep), .takes_file = true)

/* `argv` without flags of iree-compile, which go to `out_flags`; free(). Options of the command
 * stay. */
char **iree_model_take_flags(const struct option *options, char **argv,
                             struct word_list *out_flags);

/* The given options, for the library; false after a message. Words are MODEL, TARGET and flags.
 * Everything except `texts` stays lent by settings and words: iree_model_texts_release(). */
struct iree_model_texts {
  struct hone_iree_options options;
  struct iree_texts iree;
  struct word_list run_flags, inputs;
  const char *function, *device;
  char **owned;
};
bool iree_model_settings_fill(const struct iree_model_settings *settings,
                              const struct word_list *words, const struct word_list *flags,
                              struct hone_iree_model_options *options,
                              struct iree_model_texts *texts);
void iree_model_texts_release(struct iree_model_texts *texts);

#endif
