/* hone_iree.h - IREE's tuning specs and models. */
#ifndef HONE_IREE_H
#define HONE_IREE_H

#include "hone.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How a file of MLIR (a dispatch that IREE dumped, or a function with one operation) becomes a
 * spec. NULL and 0: the default. */
struct hone_iree_options {
  const char *iree_dir;     /* folder of IREE's executables; NULL: $HONE_IREE, PATH, $VIRTUAL_ENV */
  const char *target;       /* "gfx942", "sm_80", "llvm-cpu" ...; NULL: that of the file */
  const char *const *flags; /* more words for iree-compile */
  size_t flag_count;
  const char *knobs;    /* "hone": own generators; "compiler": its constraints; NULL: the compiler's
                           where it tells any */
  const char *pipeline; /* "VD", "TF", or as SHARK Tuner writes them; NULL: TF of --knobs hone (VD
                           of attention), all of --knobs compiler */
  const char *conv_strategy; /* "igemm", "direct", "both"; NULL: both */
  int num_subgroups;         /* that a workgroup must have; 0 and -1: 1 to 10 */
  /* Options of pipelines as knobs: lists of values, "2,3". NULL: "2", unset, "2", "false", unset */
  const char *prefetch_num_stages, *no_reduce_bank_conflicts, *waves_per_eu, *denorm_flushing,
      *reorder_workgroups;
  const char *order;       /* "shuffle", "heuristic", "none"; NULL: the search's own */
  uint64_t num_candidates; /* at most, after ordering; 0: all */
  const char *starter;     /* a tuning spec: its configurations come first, and it is merged */
  const char *store;       /* where imported configurations are; NULL: the user's */
  const char *timing;      /* "iree" or "rocprof"; NULL: iree */
  bool all;                /* include configurations that the compiler is known to reject */
  bool for_tuning; /* a dispatch is prepared, and the compiler's own choice is the baseline */
};

/* ---- IREE: tuning specs ------------------------------------------------------------------------
 *
 * Files of the transform dialect: matchers, and the configuration that an operation gets which one
 * of them matches; the first counts. Words of older versions of IREE are understood.
 */

/* The spec with one configuration of an .mlir file's space; what changes nothing for the compiler's
 * own choice. free(). INVALID_ARGUMENT: it is the space of something else. */
HONE_API hone_status hone_iree_candidate_spec(const struct hone_space *space, const uint32_t *row,
                                              char **out_text);

struct hone_iree_merge_options {
  const char *const *files;
  size_t count;
  const char *starter;  /* comes behind the files; left out where they cover all of it; or NULL */
  const char *iree_dir; /* as in hone_iree_options: what comes out is checked by iree-opt */
};
struct hone_iree_merged {
  char *text;  /* one spec */
  char *notes; /* what was carried over from older words, what overlaps, what was dropped: a line
                  each; "" */
  size_t matcher_count;
  bool is_checked; /* iree-opt was there, and has accepted it */
};
/* INVALID_SPEC: a file is not a tuning spec, or one that cannot be merged. */
HONE_API hone_status hone_iree_merge(const struct hone_iree_merge_options *options,
                                     struct hone_iree_merged *out_merged);
HONE_API void hone_iree_merged_release(struct hone_iree_merged *merged);

struct hone_iree_spec_hit { /* an operation that a matcher has matched */
  char *dispatch;           /* the function around it */
  char *operation;          /* "contraction mmt 1024x1280x1280 f16xf16->f32" */
  char *configuration;      /* what it has now; "": nothing */
  bool is_applied;          /* that is what the spec says */
  char *why_not;            /* if it is not */
};
struct hone_iree_spec_use { /* of a matcher */
  char *matcher;
  char *matches; /* what it requests, in words */
  struct hone_iree_spec_hit *hits;
  size_t hit_count;
  char *why_none; /* without a hit: the nearest operation, and what differs */
};
struct hone_iree_verification {
  struct hone_iree_spec_use *uses;
  size_t use_count;
  char *problems;  /* what IREE ignores or refuses, a line each; "" */
  char *conflicts; /* matchers of which an operation can match several, a line each; "" */
  char *older;     /* syntax of older versions, and what they are called now, a line each; "" */
  char *refusal;   /* the compiler did not take the spec: its message; "" */
  bool is_good;    /* every matcher has a hit, all hits are applied, and no problem was found */
};
/* Compiles the model with and without the spec as far as configurations. UNAVAILABLE: there is no
 * compiler. INVALID_SPEC: the model or the spec cannot be read, or the model does not compile. */
HONE_API hone_status hone_iree_verify(const char *spec, const char *model,
                                      const struct hone_iree_options *options,
                                      struct hone_iree_verification *out_verification);
HONE_API void hone_iree_verification_release(struct hone_iree_verification *verification);

/* The winners of runs that have tuned dispatches, as one spec; free(). NOT_FOUND: a run has no
 * winner. */
HONE_API hone_status hone_iree_export(struct hone_store *store, const int64_t *runs, size_t count,
                                      char **out_text);

struct hone_iree_imported {
  size_t count; /* of configurations that are in the store now */
  char *notes;  /* what was left out or carried over, a line each; "" */
};
/* Keeps the configurations of a spec in the store (NULL: the user's): tuning an operation that
 * their matchers match begins with them. `on`: a file with an operation, only for that; NULL: all.
 */
HONE_API hone_status hone_iree_import(const char *store, const char *spec, const char *on,
                                      struct hone_iree_imported *out_imported);
HONE_API void hone_iree_imported_release(struct hone_iree_imported *imported);

/* ---- IREE: models -------------------------------------------------------------------------------
 *
 * A model is any file that iree-compile takes. It is compiled once as it is, and taken apart into
 * its dispatches: the kernels that IREE has made of it, equal ones once.
 */

struct hone_iree_model_options {
  struct hone_iree_options iree; /* where IREE is, the target, flags, and what a space is made of */
  const char *function;          /* the one that is called; NULL: the only one */
  const char *const *inputs; /* as IREE's tools take them, "@x.npy", "4x4xf32=1"; made from the */
  size_t input_count;        /* function's signature where there are none */
  uint64_t seed;             /* of inputs that are made */
  const char *const *run_flags; /* more words for IREE's runtime, such as "--parameters=m.irpa" */
  size_t run_flag_count;
  const char *device; /* "local-sync", "cuda", "hip://0"; NULL: that of the target */
  const char *folder; /* where module, dumps and inputs are kept; NULL: nowhere */
  bool measure;       /* times are taken, where there is such a device */
  /* Called before each step; false ends it with CANCELLED. May be NULL. */
  bool (*progress)(void *data, const char *step, size_t done, size_t all);
  void *progress_data;
};
HONE_API void hone_iree_model_options_init(struct hone_iree_model_options *options);

struct hone_iree_dispatch_info { /* texts are never NULL unless that is said; "": not known */
  char *name;                    /* "main_dispatch_0_matmul_256x2048x512_f32" */
  char *executable;              /* "main_dispatch_0" */
  char *operation;               /* "contraction", "convolution", "attention", or what it is */
  char *layout;                  /* "mmt", "nhwc_hwcf" */
  char *sizes;                   /* "256x2048x512" */
  char *types;                   /* "f32xf32->f32" */
  char *pipeline;                /* that the compiler chose: "TileAndFuse" */
  char *configuration;           /* likewise, in short */
  char *compilation_info;        /* likewise, as the compiler writes it */
  uint64_t candidates;           /* legal configurations */
  char *why_not;                 /* why it cannot be tuned; NULL: it can */
  double time_ns;                /* of all its calls in one call of the model; NaN: not measured */
  uint64_t calls;                /* in one call of the model */
  double share;                  /* of the time of all dispatches, 0 to 1; NaN: not measured */
  char *file;                    /* its dump, if kept; "": there is none */
};
struct hone_iree_dispatches {
  struct hone_iree_dispatch_info *dispatches; /* longest first; else as in the model */
  size_t count;
  char *backend, *target; /* "rocm", "gfx942"; of a CPU "llvm-cpu" and its name */
  char *device;           /* that times are of */
  char *function;         /* likewise */
  double time_ns;         /* of the whole model; NaN: not measured */
  bool is_alone;          /* each dispatch was measured by itself, not within the model */
  char *why_untimed;      /* "": there are times, or none were wanted */
  char *module;           /* the untuned one, if kept; "" */
};
/* INVALID_SPEC: the model does not compile. INVALID_ARGUMENT: the target, the function or an input.
 * UNAVAILABLE: there is no compiler. A device that is not here is not a failure: see `why_untimed`.
 */
HONE_API hone_status hone_iree_dispatches(const char *model,
                                          const struct hone_iree_model_options *options,
                                          struct hone_iree_dispatches *out_dispatches);
HONE_API void hone_iree_dispatches_release(struct hone_iree_dispatches *dispatches);

/* ---- IREE: tuning a model -----------------------------------------------------------------------
 *
 * The dispatches that matter are tuned one by one, and combinations of their best configurations
 * then compete in the model itself. All that was made lies in one folder, so that the same call
 * continues where it was stopped, be it on another host.
 */

enum hone_iree_stage {
  HONE_IREE_STAGE_ALL,
  HONE_IREE_STAGE_DISPATCHES,
  HONE_IREE_STAGE_GENERATE,
  HONE_IREE_STAGE_BUILD,
  HONE_IREE_STAGE_SCREEN,
  HONE_IREE_STAGE_MODEL /* all but the final proof of the spec */
};

struct hone_iree_tune_options {
  /* `model.folder` NULL: in the cache, named by model, target, flags and inputs. The spec
   * `model.iree.starter` is merged behind what was found. */
  struct hone_iree_model_options model;
  /* Of every run; `budget_s` is for the searches of all dispatches together, 0: 150. */
  struct hone_tune_options tune;
  double share;              /* dispatches with less of the time are left alone: 0.05 */
  size_t top_dispatches;     /* at most that many of them; 0: all */
  unsigned model_candidates; /* best configurations of each that get a chance in the model: 3 */
  enum hone_iree_stage stop_after;
};
HONE_API void hone_iree_tune_options_init(struct hone_iree_tune_options *options);

struct hone_iree_tuned_dispatch { /* texts are never NULL; "": there is none */
  char *name, *executable, *operation;
  double share;               /* NaN: not measured */
  double before_ns, after_ns; /* of one call by itself: untuned, best */
  double speedup, low, high;  /* of the best over the compiler's choice; NaN: not measured */
  enum hone_verdict verdict;  /* of the dispatch by itself */
  char *configuration;        /* that the spec has for it, in short; "": the compiler's own */
  char *compilation_info;     /* the same as IREE writes it */
  char *why_not;              /* why it was not tuned, or why its configuration is not used */
  char *file;                 /* its dump */
  int64_t run;                /* 0: none */
  bool is_tuned, is_used;
};
struct hone_iree_tuned {
  struct hone_iree_tuned_dispatch *dispatches; /* the longest first */
  size_t count;
  int64_t run;                /* of the model; 0: it was not measured */
  double before_ns, after_ns; /* of the model */
  double speedup, low, high;
  enum hone_verdict verdict;
  char *sentence;      /* the verdict for a person; "" without one */
  char *spec;          /* the text of the tuning spec; "": nothing was found */
  size_t entry_count;  /* of it, without those of the starter */
  char *spec_path;     /* where it is kept */
  char *spec_flag;     /* of iree-compile, before a spec's name */
  char *compile_words; /* of iree-compile besides, for a shell */
  char *folder;
  char *stopped; /* "dispatches" ...: how far it went; "": all of it */
  char **notes;
  size_t note_count;
  bool interrupted, is_verified;
  double wall_s;
};
/* INVALID_SPEC: the model does not compile, or has no dispatch that could be tuned. UNAVAILABLE: an
 * executable of IREE's is needed and not here. The result is filled as far as it went also if it
 * fails. */
HONE_API hone_status hone_iree_tune(const char *model, const struct hone_iree_tune_options *options,
                                    struct hone_iree_tuned *out_tuned);
/* The same for dispatches that other programs dump, without a model: what is faster by itself is
 * taken. `command` is run once, or with the words of each line of `file` behind it; without
 * `command` each line is one. It is to leave dumps in $HONE_DUMP_DIR, which {dir} stands for too.
 * What one command has found is the starter of the next. */
HONE_API hone_status hone_iree_tune_commands(const char *command, const char *file,
                                             const struct hone_iree_tune_options *options,
                                             struct hone_iree_tuned *out_tuned);
HONE_API void hone_iree_tuned_release(struct hone_iree_tuned *tuned);
/* The same as JSON; free(). */
HONE_API char *hone_iree_tuned_json(const struct hone_iree_tuned *tuned);
/* What hone_iree_tune would do, without doing it: a text for people. free(). */
HONE_API hone_status hone_iree_tune_plan(const char *model,
                                         const struct hone_iree_tune_options *options,
                                         char **out_text);

#ifdef __cplusplus
}
#endif

#endif
