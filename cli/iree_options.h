/* iree_options.h - options for turning an MLIR file into a spec: common to `hone space`, `hone
 * tune`, `hone run` and `hone iree`. Names of SHARK Tuner are aliases.
 */
#ifndef CLI_IREE_OPTIONS_H
#define CLI_IREE_OPTIONS_H

#include "hone_iree.h"
#include "options.h"
#include "output.h"

struct iree_settings { /* { 0 }: nothing given */
  const char *dir, *target, *pipeline;
  int knobs, conv_strategy; /* of the words below; 0: not given */
  int64_t num_subgroups;
  struct word_list prefetch, no_reduce, waves, denorm, reorder; /* joined by commas */
  struct word_list flags;
  const char *flags_file;
  bool all;
  /* of tuning alone */
  int order, timing;
  uint64_t num_candidates;
  const char *starter;
};
extern const char *const iree_knob_words[],
    *const iree_conv_words[], *const iree_order_words[], *const iree_timing_words[];

#define IREE_OPTIONS(type, field)                                                                  \
  HEADING("options for .mlir files (write lists of values as 2,3, or repeat the option)"),         \
      OPTION(TEXT, "iree-target", "NAME",                                                          \
             "target of a function: gfx942, mi300x, sm_80, llvm-cpu; a dump has its own target",   \
             .target = offsetof(type, field.target)),                                              \
      OPTION(TEXT, "iree-dir", "FOLDER",                                                           \
             "folder of IREE's executables; default $HONE_IREE, PATH, $VIRTUAL_ENV",               \
             .target = offsetof(type, field.dir), .takes_file = true),                             \
      OPTION(TEXT, "compile-flags-file", "FILE", "arguments for iree-compile, one per line",       \
             .target = offsetof(type, field.flags_file), .takes_file = true),                      \
      OPTION(LIST, "iree-flag", "WORD", "extra argument for iree-compile; repeatable",             \
             .target = offsetof(type, field.flags), .takes_dashes = true),                         \
      OPTION(CHOICE, "knobs", "NAME",                                                              \
             "hone: Hone's generators; compiler: the compiler's constraints; default auto: "       \
             "the compiler's constraints if it has any",                                           \
             .target = offsetof(type, field.knobs), .words = iree_knob_words),                     \
      OPTION(                                                                                      \
          TEXT, "pipeline", "NAME",                                                                \
          "VD (vector distribute) or TF (tile and fuse); default with --knobs hone: TF, VD for "   \
          "attention; else all",                                                                   \
          .alias = "codegen-pipeline", .target = offsetof(type, field.pipeline)),                  \
      OPTION(CHOICE, "conv-strategy", "NAME",                                                      \
             "strategy of convolutions: igemm, direct or both; default both",                      \
             .target = offsetof(type, field.conv_strategy), .words = iree_conv_words),             \
      OPTION(INTEGER, "num-subgroups", "N",                                                        \
             "number of subgroups per workgroup; default -1: 1 to 10",                             \
             .target = offsetof(type, field.num_subgroups)),                                       \
      OPTION(LIST, "prefetch-num-stages-options", "N,...",                                         \
             "number of prefetch stages: 0, 2, 3 or none; default 2",                              \
             .target = offsetof(type, field.prefetch)),                                            \
      OPTION(LIST, "no-reduce-shared-memory-bank-conflicts-options", "BOOL,...",                   \
             "true: no padding against bank conflicts; default: the compiler's choice",            \
             .target = offsetof(type, field.no_reduce)),                                           \
      OPTION(LIST, "waves-per-eu-options", "N,...",                                                \
             "AMD only: waves per execution unit, or none; default 2, or none with the "           \
             "compiler's knobs",                                                                   \
             .target = offsetof(type, field.waves)),                                               \
      OPTION(LIST, "denorm-flushing-options", "BOOL,...",                                          \
             "attention only: true to flush denormal numbers; default false",                      \
             .target = offsetof(type, field.denorm)),                                              \
      OPTION(LIST, "reorder-workgroups-options", "NAME,...",                                       \
             "none, transpose; default: the compiler's choice",                                    \
             .target = offsetof(type, field.reorder)),                                             \
      OPTION(FLAG, "all", NULL, "include configurations that the compiler is known to reject",     \
             .target = offsetof(type, field.all))

/* Which configurations are tried. */
#define IREE_SEARCH_OPTIONS(type, field)                                                           \
  OPTION(NUMBER, "num-candidates", "N",                                                            \
         "maximum number of candidates, after ordering; default all",                              \
         .target = offsetof(type, field.num_candidates)),                                          \
      OPTION(CHOICE, "order", "NAME", "order of candidates: none, shuffle or heuristic",           \
             .alias = "candidate-order", .target = offsetof(type, field.order),                    \
             .words = iree_order_words),                                                           \
      OPTION(TEXT, "starter", "FILE",                                                              \
             "a tuning spec: its configurations are tried first, and it is "                       \
             "merged into the result",                                                             \
             .alias = "starter-td-spec", .target = offsetof(type, field.starter),                  \
             .takes_file = true)

/* How they are timed. */
#define IREE_TIMING_OPTIONS(type, field)                                                           \
  OPTION(CHOICE, "timing", "NAME", "iree or rocprof; default iree",                                \
         .alias = "benchmark-timing-method", .target = offsetof(type, field.timing),               \
         .words = iree_timing_words)

/* Other options of SHARK Tuner's programs, and their replacements here. */
#define IREE_MOVED_OPTIONS                                                                         \
  OPTION(MOVED, "dispatch-benchmark-timeout-mins", NULL,                                           \
         "use --budget TIME, such as --budget 10m"),                                               \
      OPTION(MOVED, "prefetch-shared-memory-options", NULL,                                        \
             "use --prefetch-num-stages-options: 2 for true, 0 for false"),                        \
      OPTION(MOVED, "lhs-dims", NULL, "dims are read from the operation itself"),                  \
      OPTION(MOVED, "rhs-dims", NULL, "dims are read from the operation itself"),                  \
      OPTION(MOVED, "tile-dims", NULL, "dims are read from the operation itself")

/* The same for programs that tune models. */
#define IREE_MODEL_MOVED_OPTIONS                                                                   \
  IREE_MOVED_OPTIONS,                                                                              \
      OPTION(MOVED, "model-benchmark-timeout-mins", NULL,                                          \
             "use --model-budget TIME, such as --model-budget 10m"),                               \
      OPTION(MOVED, "model-tuner-num-model-candidates", NULL,                                      \
             "only the best spec is written; --model-candidates N sets how many per "              \
             "dispatch are tried in the model"),                                                   \
      OPTION(MOVED, "fusilli-args", NULL,                                                          \
             "use --dump-command COMMAND to run a program that dumps"),                            \
      OPTION(MOVED, "fusilli-driver", NULL,                                                        \
             "use --dump-command COMMAND to run a program that dumps"),                            \
      OPTION(MOVED, "boo-tuner-num-dispatch-candidates", NULL, "use --model-candidates N"),        \
      OPTION(MOVED, "fusilli-num-dispatch-candidates", NULL, "use --model-candidates N"),          \
      OPTION(MOVED, "boo-dispatch-benchmark-timeout-mins", NULL,                                   \
             "use --budget TIME, such as --budget 10m"),                                           \
      OPTION(MOVED, "fusilli-dispatch-benchmark-timeout-mins", NULL,                               \
             "use --budget TIME, such as --budget 10m")

/* The given options, for the library. `*texts` is lent by the options: iree_texts_release(). */
struct iree_texts {
  char *lists[5];
  struct word_list flags; /* lent by `owned` or by the settings */
  char **owned;           /* ends with a NULL */
};
bool iree_settings_fill(const struct iree_settings *settings, struct hone_iree_options *options,
                        struct iree_texts *texts); /* false after a message */
void iree_texts_release(struct iree_texts *texts);
/* Adds a flag of iree-compile, which runs in other folders: "--flag=spec.mlir" gets an absolute
 * path if there is such a file. */
void iree_texts_add_flag(struct iree_texts *texts, const char *flag);

/* Frees the text with the others. */
void iree_texts_own(struct iree_texts *texts, char *text);
/* Every flag of a file with one on each line; empty lines and those that begin with '#' are
 * skipped. False after a message. */
typedef void iree_flag_visit(void *data, const char *flag);
bool iree_flags_file_read(const char *path, iree_flag_visit *visit, void *data);

/* The first given option, without its dashes; NULL: none. */
const char *iree_settings_given(const struct iree_settings *settings);

/* " --iree-target gfx942": the given IREE_OPTIONS, for a shell. */
void iree_settings_print(const struct iree_settings *settings, struct output *output);

#endif
