/* hone_iree.h - IREE's tuning specs and models.
 *
 * A tuning spec is a file of the transform dialect: matchers, and the configuration that an
 * operation gets which one of them matches; the first counts. Words of older versions of IREE are
 * understood. A model is any file that iree-compile takes, or an .onnx file.
 *
 *   struct hone_iree_options iree = {.target = "llvm-cpu"};
 *   struct hone_iree_model_options model;
 *   struct hone_iree_tune_options options;
 *   struct hone_iree_tuned *tuned = NULL;
 *
 *   hone_iree_model_options_init(&model);
 *   model.iree = &iree;
 *   hone_iree_tune_options_init(&options);
 *   options.model = &model;
 *   status = hone_iree_tune("model.mlir", &options, &tuned);
 *   if (!status && hone_iree_tuned_verdict(tuned) == HONE_VERDICT_IMPROVED)
 *     puts(hone_iree_tuned_spec(tuned));
 *   hone_iree_tuned_free(tuned);
 *
 * Texts are "" where there is nothing, and never NULL unless that is said; numbers are NaN where
 * nothing was measured. Texts of several lines have a line for each item.
 */
#ifndef HONE_IREE_H
#define HONE_IREE_H

#include "hone.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Specs of .mlir files ---- */

/* Choices of struct hone_iree_options; AUTO is the default. */

/* Own generators, or the compiler's constraints; AUTO: the compiler's where it tells any. */
enum hone_iree_knobs { HONE_IREE_KNOBS_AUTO, HONE_IREE_KNOBS_HONE, HONE_IREE_KNOBS_COMPILER };
/* How convolutions are done; AUTO: both. */
enum hone_iree_conv {
  HONE_IREE_CONV_AUTO,
  HONE_IREE_CONV_IGEMM,
  HONE_IREE_CONV_DIRECT,
  HONE_IREE_CONV_BOTH
};
/* The order of candidates; AUTO: the search's own. */
enum hone_iree_order {
  HONE_IREE_ORDER_AUTO,
  HONE_IREE_ORDER_NONE,
  HONE_IREE_ORDER_SHUFFLE,
  HONE_IREE_ORDER_HEURISTIC
};
/* What takes times; AUTO: iree. */
enum hone_iree_timing { HONE_IREE_TIMING_AUTO, HONE_IREE_TIMING_IREE, HONE_IREE_TIMING_ROCPROF };

/* How a file of MLIR (a dispatch that IREE dumped, or a function with one operation) becomes a
 * spec. NULL and 0: the default. */
struct hone_iree_options {
  const char *iree_dir;     /* folder of IREE's executables; NULL: $HONE_IREE, PATH, $VIRTUAL_ENV */
  const char *target;       /* "gfx942", "sm_80", "llvm-cpu" ...; NULL: that of the file */
  const char *const *flags; /* more words for iree-compile */
  size_t flag_count;
  enum hone_iree_knobs knobs;
  const char *pipeline; /* "VD", "TF", or as SHARK Tuner writes them; NULL: TF of --knobs hone (VD
                           of attention), all of --knobs compiler */
  enum hone_iree_conv conv_strategy;
  int num_subgroups; /* that a workgroup must have; 0 and -1: 1 to 10 */
  /* Options of pipelines as knobs: lists of values, "2,3". NULL: "2", unset, "2", "false", unset */
  const char *prefetch_num_stages, *no_reduce_bank_conflicts, *waves_per_eu, *denorm_flushing,
      *reorder_workgroups;
  enum hone_iree_order order;
  uint64_t num_candidates; /* at most, after ordering; 0: all */
  const char *starter;     /* a tuning spec: its configurations come first, and it is merged */
  const char *store;       /* where imported configurations are; NULL: the user's */
  enum hone_iree_timing timing;
  bool all;        /* include configurations that the compiler is known to reject */
  bool for_tuning; /* a dispatch is prepared, and the compiler's own choice is the baseline */
  /* On CPUs: more than 1 run on the device local-task with that many workers, by wall time; 1: one
   * thread on local-sync, by CPU time. 0: of models the number of CPUs, of a single dispatch 1 */
  unsigned threads;
};

/* ---- Tuning specs: making and merging ----------------------------------------------------------
 */

/* The spec with one configuration of an .mlir file's space; what changes nothing for the compiler's
 * own choice. hone_free(). INVALID_ARGUMENT: it is the space of something else. */
HONE_API hone_status hone_iree_candidate_spec(const struct hone_space *space, const uint32_t *row,
                                              char **out_text);

/* The winners of runs that have tuned dispatches, as one spec; hone_free(). NOT_FOUND: a run has no
 * winner. */
HONE_API hone_status hone_iree_export(struct hone_store *store, const int64_t *runs, size_t count,
                                      char **out_text);

struct hone_iree_merged; /* opaque */

struct hone_iree_merge_options {
  size_t size; /* set by hone_iree_merge_options_init */
  const char *const *files;
  size_t count;
  const char *starter;  /* comes after the files; left out where they cover all of it; or NULL */
  const char *iree_dir; /* as in hone_iree_options: what comes out is checked by iree-opt */
};
/* The defaults for a struct of `size` bytes; likewise below. */
HONE_API void hone_iree_merge_options_fill(struct hone_iree_merge_options *options, size_t size);
static inline void hone_iree_merge_options_init(struct hone_iree_merge_options *options)
{
  hone_iree_merge_options_fill(options, sizeof *options);
}

/* INVALID_SPEC: a file is not a tuning spec, or one that cannot be merged. */
HONE_API hone_status hone_iree_merge(const struct hone_iree_merge_options *options,
                                     struct hone_iree_merged **out_merged);
HONE_API void hone_iree_merged_free(struct hone_iree_merged *merged);

HONE_API const char *hone_iree_merged_text(const struct hone_iree_merged *merged); /* one spec */
/* What was carried over from older words, what overlaps, what was dropped. */
HONE_API const char *hone_iree_merged_notes(const struct hone_iree_merged *merged);
HONE_API size_t hone_iree_merged_matcher_count(const struct hone_iree_merged *merged);
/* iree-opt was there, and has accepted it. */
HONE_API bool hone_iree_merged_is_checked(const struct hone_iree_merged *merged);

/* ---- Tuning specs: do they apply? --------------------------------------------------------------
 */

struct hone_iree_verification; /* opaque */
struct hone_iree_spec_use;     /* of a matcher; lent by the verification */
struct hone_iree_spec_hit;     /* an operation that a matcher has matched; likewise */

/* Compiles the model with and without the spec as far as configurations. `options` NULL: the
 * defaults. UNAVAILABLE: there is no compiler. INVALID_SPEC: the model or the spec cannot be read,
 * or the model does not compile. */
HONE_API hone_status hone_iree_verify(const char *spec, const char *model,
                                      const struct hone_iree_options *options,
                                      struct hone_iree_verification **out_verification);
HONE_API void hone_iree_verification_free(struct hone_iree_verification *verification);

/* Every matcher has a hit, all hits are applied, and no problem was found. */
HONE_API bool hone_iree_verification_is_good(const struct hone_iree_verification *verification);
/* What IREE ignores or refuses. */
HONE_API const char *
hone_iree_verification_problems(const struct hone_iree_verification *verification);
/* Matchers of which an operation can match several. */
HONE_API const char *
hone_iree_verification_conflicts(const struct hone_iree_verification *verification);
/* Syntax of older versions, and what they are called now. */
HONE_API const char *
hone_iree_verification_older(const struct hone_iree_verification *verification);
/* The compiler did not take the spec: its message. */
HONE_API const char *
hone_iree_verification_refusal(const struct hone_iree_verification *verification);

/* Of hone_iree_verify_model: what was run and compared, or why the model with the spec does not
 * compile, does not run, or gives other outputs; "" otherwise. */
HONE_API const char *hone_iree_verification_run(const struct hone_iree_verification *verification);
HONE_API const char *
hone_iree_verification_failure(const struct hone_iree_verification *verification);

HONE_API size_t hone_iree_verification_use_count(const struct hone_iree_verification *verification);
/* NULL: there are not that many. */
HONE_API const struct hone_iree_spec_use *
hone_iree_verification_use(const struct hone_iree_verification *verification, size_t use);

HONE_API const char *hone_iree_spec_use_matcher(const struct hone_iree_spec_use *use);
HONE_API const char *
hone_iree_spec_use_matches(const struct hone_iree_spec_use *use); /* in words */
/* Without a hit: the nearest operation, and what differs. */
HONE_API const char *hone_iree_spec_use_why_none(const struct hone_iree_spec_use *use);
HONE_API size_t hone_iree_spec_use_hit_count(const struct hone_iree_spec_use *use);
HONE_API const struct hone_iree_spec_hit *
hone_iree_spec_use_hit(const struct hone_iree_spec_use *use, size_t hit);

/* The function around it. */
HONE_API const char *hone_iree_spec_hit_dispatch(const struct hone_iree_spec_hit *hit);
/* "contraction mmt 1024x1280x1280 f16xf16->f32" */
HONE_API const char *hone_iree_spec_hit_operation(const struct hone_iree_spec_hit *hit);
/* What it has now. */
HONE_API const char *hone_iree_spec_hit_configuration(const struct hone_iree_spec_hit *hit);
/* That is what the spec says; else why not. */
HONE_API bool hone_iree_spec_hit_is_applied(const struct hone_iree_spec_hit *hit);
HONE_API const char *hone_iree_spec_hit_why_not(const struct hone_iree_spec_hit *hit);

/* ---- Tuning specs: where searches begin --------------------------------------------------------
 */

struct hone_iree_imported; /* opaque */

/* Keeps the configurations of a spec in the store (NULL: the user's): tuning an operation that
 * their matchers match begins with them. `on`: a file with an operation, only for that; NULL: all.
 */
HONE_API hone_status hone_iree_import(const char *store, const char *spec, const char *on,
                                      struct hone_iree_imported **out_imported);
HONE_API void hone_iree_imported_free(struct hone_iree_imported *imported);

/* Configurations that are in the store now. */
HONE_API size_t hone_iree_imported_count(const struct hone_iree_imported *imported);
/* What was left out or carried over. */
HONE_API const char *hone_iree_imported_notes(const struct hone_iree_imported *imported);

/* ---- Models: their dispatches ------------------------------------------------------------------
 *
 * A model is compiled once as it is, and taken apart into its dispatches: the kernels that IREE has
 * made of it, equal ones once.
 */

struct hone_iree_model_options {
  size_t size; /* set by hone_iree_model_options_init */
  /* Where IREE is, the target, flags, and what a space is made of; NULL: the defaults */
  const struct hone_iree_options *iree;
  const char *function;      /* the one that is called; NULL: the only one */
  const char *const *inputs; /* as IREE's tools take them, "@x.npy", "4x4xf32=1"; made from the */
  size_t input_count;        /* function's signature where there are none */
  uint64_t seed;             /* of inputs that are made; default 42 */
  const char *const *run_flags; /* more words for IREE's runtime, such as "--parameters=m.irpa" */
  size_t run_flag_count;
  const char *device; /* "local-sync", "cuda", "hip://0"; NULL: that of the target */
  const char *folder; /* where module, dumps and inputs are kept; NULL: nowhere */
  bool measure;       /* times are taken, where there is such a device; default true */
  /* Called before each step; false ends it with CANCELLED. May be NULL. */
  bool (*progress)(void *data, const char *step, size_t done, size_t all);
  void *progress_data;
  /* Sizes of dynamic dims of inputs: "batch=1" of an .onnx file; of others "input0.1=64" is dim 1
   * of argument 0 */
  const char *const *dims;
  size_t dim_count;
};
HONE_API void hone_iree_model_options_fill(struct hone_iree_model_options *options, size_t size);
static inline void hone_iree_model_options_init(struct hone_iree_model_options *options)
{
  hone_iree_model_options_fill(options, sizeof *options);
}

/* The file that iree-compile takes for a model: of an .onnx file what iree-import-onnx makes of it,
 * kept in `folder` or in the cache and reused; of others the model itself. hone_free().
 * UNAVAILABLE: there is no iree-import-onnx. INVALID_ARGUMENT: names the dims that must be given.
 */
HONE_API hone_status hone_iree_import_model(const char *model,
                                            const struct hone_iree_model_options *options,
                                            char **out_path);

/* Writes the text of the model at the phase `executable-configurations` into a file, where
 * configurations may be edited; with those of a spec, or NULL. UNAVAILABLE: there is no compiler.
 * INVALID_SPEC: the model does not compile. */
HONE_API hone_status hone_iree_configure(const char *model, const char *spec,
                                         const struct hone_iree_model_options *options,
                                         const char *output);

/* As hone_iree_verify, and to the end: the model is compiled with and without the spec, both are
 * run, and their outputs are compared. `spec` may also be an edited file of hone_iree_configure:
 * then it is compiled instead, and its configurations that differ from the compiler's are the hits
 * of one use. INVALID_SPEC: the untuned model does not compile.
 * INVALID_ARGUMENT: as for hone_iree_dispatches, or `model` is a dispatch that IREE dumped. */
HONE_API hone_status hone_iree_verify_model(const char *spec, const char *model,
                                            const struct hone_iree_model_options *options,
                                            struct hone_iree_verification **out_verification);

struct hone_iree_dispatches; /* opaque: the dispatches of a model */
struct hone_iree_dispatch;   /* one of them; lent by the list */

/* INVALID_SPEC: the model does not compile. INVALID_ARGUMENT: the target, the function or an input.
 * UNAVAILABLE: there is no compiler. A device that is not here is not a failure: see
 * hone_iree_dispatches_why_untimed. */
HONE_API hone_status hone_iree_dispatches(const char *model,
                                          const struct hone_iree_model_options *options,
                                          struct hone_iree_dispatches **out_dispatches);
HONE_API void hone_iree_dispatches_free(struct hone_iree_dispatches *dispatches);

/* "rocm", "gfx942"; of a CPU "llvm-cpu" and its name. */
HONE_API const char *hone_iree_dispatches_backend(const struct hone_iree_dispatches *dispatches);
HONE_API const char *hone_iree_dispatches_target(const struct hone_iree_dispatches *dispatches);
/* The device and the function that times are of. */
HONE_API const char *hone_iree_dispatches_device(const struct hone_iree_dispatches *dispatches);
HONE_API const char *hone_iree_dispatches_function(const struct hone_iree_dispatches *dispatches);
HONE_API double hone_iree_dispatches_time_ns(const struct hone_iree_dispatches *dispatches);
/* Each dispatch was measured by itself, not within the model. */
HONE_API bool hone_iree_dispatches_is_alone(const struct hone_iree_dispatches *dispatches);
/* "": there are times, or none were wanted. */
HONE_API const char *
hone_iree_dispatches_why_untimed(const struct hone_iree_dispatches *dispatches);
/* The untuned one, if kept. */
HONE_API const char *hone_iree_dispatches_module(const struct hone_iree_dispatches *dispatches);

HONE_API size_t hone_iree_dispatches_count(const struct hone_iree_dispatches *dispatches);
/* The longest first; else as in the model. NULL: there are not that many. */
HONE_API const struct hone_iree_dispatch *
hone_iree_dispatches_at(const struct hone_iree_dispatches *dispatches, size_t i);

/* "main_dispatch_0_matmul_256x2048x512_f32" in "main_dispatch_0". */
HONE_API const char *hone_iree_dispatch_name(const struct hone_iree_dispatch *dispatch);
HONE_API const char *hone_iree_dispatch_executable(const struct hone_iree_dispatch *dispatch);
/* "contraction", "convolution", "attention", or what it is; "mmt", "nhwc_hwcf"; "256x2048x512";
 * "f32xf32->f32". */
HONE_API const char *hone_iree_dispatch_operation(const struct hone_iree_dispatch *dispatch);
HONE_API const char *hone_iree_dispatch_layout(const struct hone_iree_dispatch *dispatch);
HONE_API const char *hone_iree_dispatch_sizes(const struct hone_iree_dispatch *dispatch);
HONE_API const char *hone_iree_dispatch_types(const struct hone_iree_dispatch *dispatch);
/* What the compiler chose: "TileAndFuse"; the configuration in short, and as the compiler writes
 * it. */
HONE_API const char *hone_iree_dispatch_pipeline(const struct hone_iree_dispatch *dispatch);
HONE_API const char *hone_iree_dispatch_configuration(const struct hone_iree_dispatch *dispatch);
HONE_API const char *hone_iree_dispatch_compilation_info(const struct hone_iree_dispatch *dispatch);
/* Legal configurations; and why it cannot be tuned, NULL: it can. */
HONE_API uint64_t hone_iree_dispatch_candidate_count(const struct hone_iree_dispatch *dispatch);
HONE_API const char *hone_iree_dispatch_why_not(const struct hone_iree_dispatch *dispatch);
/* Of all its calls in one call of the model; how many these are; and their share of the time of all
 * dispatches, 0 to 1. */
HONE_API double hone_iree_dispatch_time_ns(const struct hone_iree_dispatch *dispatch);
HONE_API uint64_t hone_iree_dispatch_calls(const struct hone_iree_dispatch *dispatch);
HONE_API double hone_iree_dispatch_share(const struct hone_iree_dispatch *dispatch);
/* Its dump, if kept. */
HONE_API const char *hone_iree_dispatch_file(const struct hone_iree_dispatch *dispatch);

/* ---- Models: tuning ----------------------------------------------------------------------------
 *
 * The dispatches that matter are tuned one by one, and combinations of their best configurations
 * then compete in the model itself. All that was made lies in one folder, so that the same call
 * continues where it was stopped, be it on another host.
 */

/* id, name */
#define HONE_IREE_STAGES(X)                                                                        \
  X(ALL, "")                                                                                       \
  X(DISPATCHES, "dispatches")                                                                      \
  X(GENERATE, "generate")                                                                          \
  X(BUILD, "build")                                                                                \
  X(SCREEN, "screen")                                                                              \
  X(MODEL, "model")             /* all but the final proof of the spec */                          \
  X(MODEL_BUILD, "model-build") /* before it: the model's candidates are built */

enum hone_iree_stage {
#define HONE__IREE_STAGE_ENUM(id, name) HONE_IREE_STAGE_##id,
  HONE_IREE_STAGES(HONE__IREE_STAGE_ENUM)
#undef HONE__IREE_STAGE_ENUM
};
HONE_API const char *hone_iree_stage_name(enum hone_iree_stage stage); /* "dispatches" */

struct hone_iree_tune_options {
  size_t size; /* set by hone_iree_tune_options_init */
  /* `model->folder` NULL: in the cache, named by model, target, flags and inputs. The spec
   * `model->iree->starter` is merged after what was found. NULL: the defaults */
  const struct hone_iree_model_options *model;
  /* Of every run; `budget_s` is for all together, from the first compile to the last proof; 0: 300,
   * or none if `evaluations` are given. NULL: the defaults */
  const struct hone_tune_options *tune;
  double share;              /* dispatches with less of the time are left alone; default 0.05 */
  size_t top_dispatches;     /* at most that many of them; 0: all */
  unsigned model_candidates; /* best configurations of each that get a chance in the model: 3 */
  enum hone_iree_stage stop_after;
  double model_budget_s; /* at most so long for the entries in the model; 0: as `tune` has it */
  bool no_options;       /* the compiler's own options (data tiling ...) are not tried */
  bool options_only;     /* nothing else is */
  bool allow_f16;        /* f32 may become f16, where the outputs stay within the tolerance */
};
HONE_API void hone_iree_tune_options_fill(struct hone_iree_tune_options *options, size_t size);
static inline void hone_iree_tune_options_init(struct hone_iree_tune_options *options)
{
  hone_iree_tune_options_fill(options, sizeof *options);
}

struct hone_iree_tuned;          /* opaque */
struct hone_iree_tuned_dispatch; /* lent by it */
struct hone_iree_tuned_option;   /* likewise */

/* INVALID_SPEC: the model does not compile, or has no dispatch that could be tuned. UNAVAILABLE: an
 * executable of IREE's is needed and not here. The result is there also if it fails, filled as far
 * as it went: give it to hone_iree_tuned_free in any case. */
HONE_API hone_status hone_iree_tune(const char *model, const struct hone_iree_tune_options *options,
                                    struct hone_iree_tuned **out_tuned);
/* The same for dispatches that other programs dump, without a model: what is faster by itself is
 * taken. `command` is run once, or with the words of each line of `file` after it; without
 * `command` each line is one. It is to leave dumps in $HONE_DUMP_DIR, which {dir} stands for too.
 * What one command has found is the starter of the next. */
HONE_API hone_status hone_iree_tune_commands(const char *command, const char *file,
                                             const struct hone_iree_tune_options *options,
                                             struct hone_iree_tuned **out_tuned);
HONE_API void hone_iree_tuned_free(struct hone_iree_tuned *tuned);
/* The same as JSON; hone_free(). */
HONE_API char *hone_iree_tuned_json(const struct hone_iree_tuned *tuned);
/* Every candidate of every dispatch and of the model as a table: SHARK Tuner's columns, the
 * configuration, the outcome and its evidence. `store` NULL: the user's. hone_free(). */
HONE_API hone_status hone_iree_tuned_csv(const struct hone_iree_tuned *tuned, const char *store,
                                         char **out_text);
/* What hone_iree_tune would do, without doing it: a text for people. hone_free(). */
HONE_API hone_status hone_iree_tune_plan(const char *model,
                                         const struct hone_iree_tune_options *options,
                                         char **out_text);

/* Of the model: its run, 0: it was not measured; its times; the speedup with its interval; the
 * verdict, for programs and for a person. */
HONE_API int64_t hone_iree_tuned_run(const struct hone_iree_tuned *tuned);
HONE_API double hone_iree_tuned_before_ns(const struct hone_iree_tuned *tuned);
HONE_API double hone_iree_tuned_after_ns(const struct hone_iree_tuned *tuned);
HONE_API double hone_iree_tuned_speedup(const struct hone_iree_tuned *tuned);
HONE_API double hone_iree_tuned_low(const struct hone_iree_tuned *tuned);
HONE_API double hone_iree_tuned_high(const struct hone_iree_tuned *tuned);
HONE_API enum hone_verdict hone_iree_tuned_verdict(const struct hone_iree_tuned *tuned);
HONE_API const char *hone_iree_tuned_sentence(const struct hone_iree_tuned *tuned);
/* The text of the tuning spec, "": nothing was found; its entries without those of the starter;
 * where it is kept; and whether a new compilation with it has proved it. */
HONE_API const char *hone_iree_tuned_spec(const struct hone_iree_tuned *tuned);
HONE_API size_t hone_iree_tuned_entry_count(const struct hone_iree_tuned *tuned);
HONE_API const char *hone_iree_tuned_spec_path(const struct hone_iree_tuned *tuned);
HONE_API bool hone_iree_tuned_is_verified(const struct hone_iree_tuned *tuned);
/* For iree-compile: the file to compile, which is the model or what it was imported to; the flag
 * before a spec's name, and the other words, for a shell. */
HONE_API const char *hone_iree_tuned_source(const struct hone_iree_tuned *tuned);
/* Whether that is an import, which lies in the folder of the tuning; and a copy of it, which is
 * from then on the file to compile. */
HONE_API bool hone_iree_tuned_is_imported(const struct hone_iree_tuned *tuned);
HONE_API hone_status hone_iree_tuned_copy_source(struct hone_iree_tuned *tuned, const char *path);
HONE_API const char *hone_iree_tuned_spec_flag(const struct hone_iree_tuned *tuned);
HONE_API const char *hone_iree_tuned_compile_words(const struct hone_iree_tuned *tuned);
/* For iree-run-module and iree-benchmark-module: device, function and inputs that were measured,
 * for a shell. */
HONE_API const char *hone_iree_tuned_run_words(const struct hone_iree_tuned *tuned);
HONE_API const char *hone_iree_tuned_folder(const struct hone_iree_tuned *tuned);
/* How far it went, as in `stop_after`. */
HONE_API enum hone_iree_stage hone_iree_tuned_stage(const struct hone_iree_tuned *tuned);
HONE_API bool hone_iree_tuned_is_interrupted(const struct hone_iree_tuned *tuned);
HONE_API double hone_iree_tuned_wall_s(const struct hone_iree_tuned *tuned);
HONE_API size_t hone_iree_tuned_note_count(const struct hone_iree_tuned *tuned);
HONE_API const char *hone_iree_tuned_note(const struct hone_iree_tuned *tuned, size_t note);

/* The command line that compiles the model in the best way that was found, for a shell, with the
 * tuning spec `spec`; NULL: the file where it is kept; "": without it. hone_free(). */
HONE_API char *hone_iree_tuned_command(const struct hone_iree_tuned *tuned, const char *spec);

/* The compiler's own options that were tried, each a set of words for a shell, against plain
 * iree-compile. One at most is used: then dispatches are those of the model with it, and the spec's
 * own speedup is over these options alone. NaN: not measured. */
HONE_API size_t hone_iree_tuned_option_count(const struct hone_iree_tuned *tuned);
HONE_API const struct hone_iree_tuned_option *
hone_iree_tuned_option(const struct hone_iree_tuned *tuned, size_t option);
HONE_API double hone_iree_tuned_spec_speedup(const struct hone_iree_tuned *tuned);
HONE_API double hone_iree_tuned_spec_low(const struct hone_iree_tuned *tuned);
HONE_API double hone_iree_tuned_spec_high(const struct hone_iree_tuned *tuned);

/* "data tiling"; "--iree-opt-data-tiling". */
HONE_API const char *hone_iree_tuned_option_name(const struct hone_iree_tuned_option *option);
HONE_API const char *hone_iree_tuned_option_words(const struct hone_iree_tuned_option *option);
HONE_API double hone_iree_tuned_option_time_ns(const struct hone_iree_tuned_option *option);
HONE_API double hone_iree_tuned_option_speedup(const struct hone_iree_tuned_option *option);
HONE_API double hone_iree_tuned_option_low(const struct hone_iree_tuned_option *option);
HONE_API double hone_iree_tuned_option_high(const struct hone_iree_tuned_option *option);
HONE_API enum hone_verdict
hone_iree_tuned_option_verdict(const struct hone_iree_tuned_option *option);
HONE_API enum hone_outcome
hone_iree_tuned_option_outcome(const struct hone_iree_tuned_option *option);
/* Why it is not used: it was not tried, it failed, or it is not the fastest. */
HONE_API const char *hone_iree_tuned_option_why_not(const struct hone_iree_tuned_option *option);
HONE_API bool hone_iree_tuned_option_is_used(const struct hone_iree_tuned_option *option);

HONE_API size_t hone_iree_tuned_dispatch_count(const struct hone_iree_tuned *tuned);
/* The longest first. NULL: there are not that many. */
HONE_API const struct hone_iree_tuned_dispatch *
hone_iree_tuned_dispatch(const struct hone_iree_tuned *tuned, size_t dispatch);

HONE_API const char *hone_iree_tuned_dispatch_name(const struct hone_iree_tuned_dispatch *dispatch);
HONE_API const char *
hone_iree_tuned_dispatch_executable(const struct hone_iree_tuned_dispatch *dispatch);
HONE_API const char *
hone_iree_tuned_dispatch_operation(const struct hone_iree_tuned_dispatch *dispatch);
HONE_API double hone_iree_tuned_dispatch_share(const struct hone_iree_tuned_dispatch *dispatch);
/* Equal operations are searched once and have one entry: the share of all of them, of the first. */
HONE_API double
hone_iree_tuned_dispatch_group_share(const struct hone_iree_tuned_dispatch *dispatch);
/* In one call of the model. */
HONE_API uint64_t hone_iree_tuned_dispatch_calls(const struct hone_iree_tuned_dispatch *dispatch);
/* It was tuned; the spec has a configuration for it; else why not. */
HONE_API bool hone_iree_tuned_dispatch_is_tuned(const struct hone_iree_tuned_dispatch *dispatch);
HONE_API bool hone_iree_tuned_dispatch_is_used(const struct hone_iree_tuned_dispatch *dispatch);
HONE_API const char *
hone_iree_tuned_dispatch_why_not(const struct hone_iree_tuned_dispatch *dispatch);
/* Of one call by itself: the time untuned and of the best; the speedup of the best over the
 * compiler's choice, with its interval; the verdict. */
HONE_API double hone_iree_tuned_dispatch_before_ns(const struct hone_iree_tuned_dispatch *dispatch);
HONE_API double hone_iree_tuned_dispatch_after_ns(const struct hone_iree_tuned_dispatch *dispatch);
HONE_API double hone_iree_tuned_dispatch_speedup(const struct hone_iree_tuned_dispatch *dispatch);
HONE_API double hone_iree_tuned_dispatch_low(const struct hone_iree_tuned_dispatch *dispatch);
HONE_API double hone_iree_tuned_dispatch_high(const struct hone_iree_tuned_dispatch *dispatch);
HONE_API enum hone_verdict
hone_iree_tuned_dispatch_verdict(const struct hone_iree_tuned_dispatch *dispatch);
/* What the spec has for it, in short, "": the compiler's own; and as IREE writes it. */
HONE_API const char *
hone_iree_tuned_dispatch_configuration(const struct hone_iree_tuned_dispatch *dispatch);
HONE_API const char *
hone_iree_tuned_dispatch_compilation_info(const struct hone_iree_tuned_dispatch *dispatch);
HONE_API const char *
hone_iree_tuned_dispatch_file(const struct hone_iree_tuned_dispatch *dispatch); /* its dump */
HONE_API int64_t
hone_iree_tuned_dispatch_run(const struct hone_iree_tuned_dispatch *dispatch); /* 0: none */

#ifdef __cplusplus
}
#endif

#endif
