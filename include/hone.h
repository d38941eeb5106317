/* hone.h - Hone, the kernel autotuner, as a library.
 *
 * OWNERSHIP. What a function stores through `out_x` belongs to the caller, who gives it to the
 * matching _free; every _free takes NULL. What an accessor returns is lent until its owner is
 * freed. Strings passed in are copied if they are kept. On failure outputs are NULL or untouched.
 *
 * ERRORS. A hone_status is NULL when all is well; else it belongs to the caller: read its code and
 * message, then hone_status_free() it. The library prints nothing and ends no process, but for two
 * cases: a small allocation that fails, and an internal defect.
 *
 * MEMORY. So that no allocation fails unseen, the library gives jansson and libuv, which have one
 * allocator for the whole process, functions that end it with a message where there is no memory.
 * They take memory where it was taken before: from the functions that the program gave to jansson,
 * and else from malloc. A program that has functions of its own for either sets them before its
 * first call of this library, and free() must take what they give.
 *
 * THREADS. A spec and a space never change once they are made: any number of threads may ask them.
 * Other objects belong to one thread at a time.
 */
#ifndef HONE_H
#define HONE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(HONE_BUILDING_LIBRARY)
#define HONE_API __attribute__((visibility("default")))
#else
#define HONE_API
#endif

/* ---- Version ------------------------------------------------------------------------------- */

#define HONE_VERSION_MAJOR 0
#define HONE_VERSION_MINOR 1
#define HONE_VERSION_PATCH 0

HONE_API const char *hone_version(void);  /* "0.1.0" */
HONE_API const char *hone_revision(void); /* the git revision it was built from, or "unknown" */

/* ---- Status -------------------------------------------------------------------------------- */

#define HONE_CODES(X)                                                                              \
  X(OK, "ok")                                                                                      \
  X(INVALID_ARGUMENT, "invalid argument") /* the call is wrong: fix it */                          \
  X(INVALID_SPEC, "invalid spec")         /* the file is wrong: the message says where */          \
  X(IO, "input/output error")             /* operating system error */                             \
  X(NOT_FOUND, "not found")               /* the requested thing does not exist */                 \
  X(UNAVAILABLE, "unavailable") /* an optional part is missing: the message says how to get it */  \
  X(EXHAUSTED, "limit reached") /* a bound on memory or size was hit: raise it */                  \
  X(CANCELLED, "cancelled")     /* the caller asked for an end */

enum hone_code {
#define HONE__CODE_ENUM(id, text) HONE_##id,
  HONE_CODES(HONE__CODE_ENUM)
#undef HONE__CODE_ENUM
};

typedef struct hone_status_body *hone_status;

HONE_API enum hone_code hone_status_code(hone_status status);
HONE_API const char *hone_status_message(hone_status status);
HONE_API void hone_status_free(hone_status status);
HONE_API const char *hone_code_name(enum hone_code code);

/* ---- Values -------------------------------------------------------------------------------- */

enum hone_type { HONE_NONE, HONE_BOOL, HONE_INT, HONE_FLOAT, HONE_TEXT, HONE_LIST };

struct hone_value {
  enum hone_type type;
  union {
    int64_t integer; /* HONE_INT; HONE_BOOL as 0 or 1 */
    double real;
    const char *text;
    const struct hone_list *list;
  };
};

/* Writes a value as Python's str() does (True, 0.5, 1e-05), like snprintf: returns the length that
 * was needed. */
HONE_API size_t hone_value_print(struct hone_value value, char *buffer, size_t size);

/* ---- Progress and its end ---------------------------------------------------------------------
 */

/* What became of a candidate. A failure of a candidate is data, never a status.
 *   id, name, how often it is tried again, what caused it, in words */
#define HONE_OUTCOMES(X)                                                                           \
  X(OK, "ok", 0, NOBODY, "measured")                                                               \
  X(SLOW, "slow", 0, NOBODY, "slower than the cap; timing stopped early")                          \
  X(INVALID, "invalid", 0, CANDIDATE, "a constraint rejects it")                                   \
  X(COMPILE_ERROR, "compile_error", 0, CANDIDATE, "the compiler rejected it")                      \
  X(COMPILE_TIMEOUT, "compile_timeout", 0, CANDIDATE, "the compiler took too long")                \
  X(COMPILE_CRASH, "compile_crash", 1, CANDIDATE, "the compiler crashed")                          \
  X(COMPILE_OOM, "compile_oom", 1, CANDIDATE, "the compiler ran out of memory")                    \
  X(NOT_APPLIED, "not_applied", 0, CANDIDATE, "its configuration did not take effect")             \
  X(LAUNCH_FAILURE, "launch_failure", 0, CANDIDATE, "it could not be loaded or launched")          \
  X(DEVICE_FAULT, "device_fault", 1, CANDIDATE, "it corrupted the device context")                 \
  X(WRONG_RESULT, "wrong_result", 0, CANDIDATE, "its answer is wrong")                             \
  X(NONDETERMINISTIC, "nondeterministic", 0, CANDIDATE,                                            \
    "its answer is wrong and varies between calls")                                                \
  X(NO_RESULT, "no_result", 0, CANDIDATE, "it ended without reporting a time")                     \
  X(BAD_RESULT, "bad_result", 0, CANDIDATE, "its output holds no valid time")                      \
  X(HANG, "hang", 0, CANDIDATE, "it did not finish in time")                                       \
  X(OOM_DEVICE, "oom_device", 1, CANDIDATE, "it ran out of device memory")                         \
  X(OOM_HOST, "oom_host", 0, CANDIDATE, "it ran out of memory")                                    \
  X(CRASH, "crash", 1, CANDIDATE, "it was killed by a signal, or exited without an answer")        \
  X(KILLED, "killed", 3, NOBODY, "another process killed it")                                      \
  X(WORKER_LOST, "worker_lost", 3, HOST, "its worker ended")                                       \
  X(NOT_BUILT, "not_built", 0, HOST, "it cannot be built on this host")                            \
  X(DEVICE_BAD, "device_bad", 0, DEVICE, "the baseline fails on this device")                      \
  X(PROTOCOL, "protocol", 1, CANDIDATE, "the reply was not valid")                                 \
  X(DISK_FULL, "disk_full", 0, RUN, "no disk space was left")                                      \
  X(INTERRUPTED, "interrupted", 0, RUN, "the run was stopped before it finished")

enum hone_outcome {
#define HONE__OUTCOME_PUBLIC(id, name, retries, blame, text) HONE_OUTCOME_##id,
  HONE_OUTCOMES(HONE__OUTCOME_PUBLIC)
#undef HONE__OUTCOME_PUBLIC
      HONE_OUTCOME_COUNT
};
HONE_API const char *hone_outcome_name(enum hone_outcome outcome); /* "compile_error" */

/* What happens while something takes long: for a status line and a log. Texts are lent during the
 * call; fields that an event does not name are 0, NULL or NaN. Newer versions add fields at the
 * end. */
enum hone_event_kind {
  HONE_EVENT_PHASE,    /* text: "baseline", "screen", "race", "confirm"; a new problem begins with
                          "start" and its name in `config` */
  HONE_EVENT_PROGRESS, /* the counts changed; at most ten a second. Of a space that is solved: text
                          and elapsed_s alone */
  HONE_EVENT_BEST,    /* a new best of the search so far: config, time_ns, speedup (of screening) */
  HONE_EVENT_FAILURE, /* a candidate failed: config, outcome, evidence, command */
  HONE_EVENT_NOTE,    /* text: something worth a line (a worker was restarted ...) */
  HONE_EVENT_WARNING, /* text: drift, contention ... */
  HONE_EVENT_RESULT   /* a candidate works: config, outcome, time_ns, speedup; of a sweep also
                         evidence: what its program wrote */
};
struct hone_event {
  enum hone_event_kind kind;
  enum hone_outcome outcome; /* of a candidate */
  const char *text, *config, *evidence, *command;
  double time_ns, baseline_ns, speedup;
  /* progress */
  const char *phase;
  uint64_t done, total;              /* candidates; total 0: not known */
  uint64_t ok, slow, failed, reused; /* of done; `reused` came from the store */
  uint64_t built, building, measuring, workers;
  double rate, elapsed_s, eta_s; /* per second; eta NaN: not known */
  double best_speedup;           /* of screening; NaN: none yet */
  const char *best_config;       /* or NULL */
  uint64_t
      patience; /* the search ends after that many more without a gain; 0: it does not end so */
};

/* False asks for an end, as one hone_cancel_request does. */
typedef bool hone_progress(void *data, const struct hone_event *event);

/* Ends what was started with it. A first request lets work end in good order: what was measured is
 * kept, and the best candidate is confirmed if that takes little time; a second one ends it at
 * once. Requests may come from any thread and from handlers of signals. It must outlive the call
 * that it was given to, and serves any number of them. */
struct hone_cancel; /* opaque */
HONE_API struct hone_cancel *hone_cancel_new(void);
HONE_API void hone_cancel_request(struct hone_cancel *cancel);
HONE_API void hone_cancel_free(struct hone_cancel *cancel);

/* ---- Spec: what the user wrote --------------------------------------------------------------- */

struct hone_spec; /* opaque: a loaded spec; see hone-spec(5) */

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

struct hone_spec_options {
  /* YAML files, or kernel sources with annotations; "-": standard input; or one .mlir file, or one
   * recording (.json, .json.gz) */
  const char *const *files;
  size_t file_count;
  const char *const *params; /* "NAME:VALUE" or "NAME:[A,B]": replace or add a parameter */
  size_t param_count;
  const char *const *filters; /* "NAME=VALUE": keep these values only */
  size_t filter_count;
  const char *const *shapes; /* YAML files whose mesh is an outer loop */
  size_t shape_count;
  uint32_t partition_index, partition_count; /* which part of the shapes; 0 of 1 is all */
  struct hone_iree_options iree;             /* of .mlir files */
};
HONE_API void hone_spec_options_init(struct hone_spec_options *options);

/* Loads and checks. All errors of a file are reported, each as "file:line:column: error: ..." with
 * the line itself: the status's message is the whole text, its code INVALID_SPEC. */
HONE_API hone_status hone_spec_load(const struct hone_spec_options *options,
                                    struct hone_spec **out_spec);
HONE_API void hone_spec_free(struct hone_spec *spec);

HONE_API const char *hone_spec_name(const struct hone_spec *spec);
HONE_API const char *hone_spec_file(const struct hone_spec *spec); /* the kernel, or NULL */
/* The first file as YAML, or the source that it is in; of an .mlir file what was made of it. */
HONE_API const char *hone_spec_text(const struct hone_spec *spec);
HONE_API const char *hone_spec_warnings(const struct hone_spec *spec); /* "" if there are none */

/* A spec with sizes under `problem` has a space for each combination of them; others have one. */
HONE_API size_t hone_spec_problem_count(const struct hone_spec *spec);
/* "M=256 N=512"; "" without sizes. Lent. */
HONE_API const char *hone_spec_problem(const struct hone_spec *spec, size_t problem);
/* How many shapes (`shapes`, of the partition) there are: configurations of the outer loop. 1
 * without shapes. */
HONE_API hone_status hone_spec_shape_count(const struct hone_spec *spec, uint64_t *out_count);

/* ---- Space: the legal configurations --------------------------------------------------------- */

struct hone_space; /* opaque: solved, never changes; its spec must outlive it */

enum hone_solver { HONE_SOLVER_NATIVE, HONE_SOLVER_Z3 };

#define HONE_ALL_SHAPES UINT64_MAX

struct hone_space_options {
  enum hone_solver solver;
  size_t problem;    /* which of the spec's problems */
  const char *sizes; /* "M=256,N=64": sizes to use instead of the problem's; NULL: none */
  /* "cache_bytes=65536,...": values of device.*; the first may be the name of a kind of GPU, such
   * as "sm_90". NULL: this machine's. hone_spec_device_values finds those of a spec's GPU. */
  const char *device;
  /* Why no more is known of device.*, for messages; NULL: what `device` does not give is this
   * machine's. */
  const char *device_gap;
  size_t memory_bytes; /* bound on what solving may hold; default 1 GiB */
  bool unique;         /* drop configurations that an earlier group already has */
  uint64_t shape;      /* one shape of the partition alone; default HONE_ALL_SHAPES */
  /* Called now and then while building takes long; false stops it with CANCELLED, as a request
   * does. May be NULL, and are not used after the build. */
  hone_progress *progress;
  void *progress_data;
  const struct hone_cancel *cancel;
};
HONE_API void hone_space_options_init(struct hone_space_options *options);

/* EXHAUSTED: the memory bound was reached. A space without any legal configuration is not a
 * failure: its count is 0. INVALID_SPEC: an expression faults (divides by zero ...) for a
 * configuration that no other constraint rejects. */
HONE_API hone_status hone_space_build(const struct hone_spec *spec,
                                      const struct hone_space_options *options,
                                      struct hone_space **out_space);
HONE_API void hone_space_free(struct hone_space *space);

/* How many. Beyond 2^64 - 1 the number saturates; the text is always exact. */
HONE_API uint64_t hone_space_count(const struct hone_space *space);
HONE_API const char *hone_space_count_text(const struct hone_space *space);
HONE_API const char *hone_space_cartesian_text(const struct hone_space *space);

/* Configurations are rows of value indices, hone_space_width() numbers each, owned by the caller:
 * row[0] is the group, row[1 + i] the index of the value of the group's i-th parameter. A group,
 * parameter or value that is not there gives 0, NULL or None; rows given to the functions below
 * must be rows of this space. */
HONE_API size_t hone_space_width(const struct hone_space *space);
HONE_API size_t hone_space_group_count(const struct hone_space *space);
/* The name of the alternative that it stands for; NULL: it has none. */
HONE_API const char *hone_space_group_name(const struct hone_space *space, size_t group);
HONE_API size_t hone_space_param_count(const struct hone_space *space, size_t group);
HONE_API const char *hone_space_param_name(const struct hone_space *space, size_t group,
                                           size_t param);
HONE_API bool hone_space_param_is_runtime(const struct hone_space *space, size_t group,
                                          size_t param); /* written `$name` */
HONE_API uint32_t hone_space_value_count(const struct hone_space *space, size_t group,
                                         size_t param);
HONE_API struct hone_value hone_space_value(const struct hone_space *space, size_t group,
                                            size_t param, uint32_t index);
/* Derived values of a configuration, in the order of the spec; false: it faults there. */
HONE_API size_t hone_space_derived_count(const struct hone_space *space);
HONE_API const char *hone_space_derived_name(const struct hone_space *space, size_t derived);
HONE_API bool hone_space_derived(const struct hone_space *space, const uint32_t *row,
                                 size_t derived, struct hone_value *out_value);

/* Texts of a configuration (`texts` of the spec), like snprintf: the length that was needed, or
 * HONE_NO_TEXT where the row's group does not have this text, or an expression in it faults. */
#define HONE_NO_TEXT SIZE_MAX
HONE_API size_t hone_space_text_count(const struct hone_space *space);
HONE_API const char *hone_space_text_name(const struct hone_space *space, size_t text);
HONE_API size_t hone_space_print_text(const struct hone_space *space, const uint32_t *row,
                                      size_t text, char *buffer, size_t size);

/* The i-th legal configuration, in mesh order: groups in file order, the last parameter fastest.
 * False if there are not that many. */
HONE_API bool hone_space_at(const struct hone_space *space, uint64_t index, uint32_t *row);
/* Its inverse; false if the row is not legal. */
HONE_API bool hone_space_index_of(const struct hone_space *space, const uint32_t *row,
                                  uint64_t *out_index);
HONE_API bool hone_space_contains(const struct hone_space *space, const uint32_t *row);

/* `count` different legal configurations, each set equally likely, in random order; fewer only if
 * there are not that many. The same seed gives the same rows. `rows` has room for count * width. */
HONE_API hone_status hone_space_sample(const struct hone_space *space, size_t count, uint64_t seed,
                                       uint32_t *rows, size_t *out_count);

/* Calls `visit` with each legal configuration that differs from `row` in the value of exactly one
 * parameter (`adjacent`: by one step in its list). `row` itself need not be legal. Stops when visit
 * says false. */
typedef bool hone_visit(void *data, const uint32_t *row);
HONE_API void hone_space_neighbours(const struct hone_space *space, const uint32_t *row,
                                    bool adjacent, hone_visit *visit, void *data);
/* All legal configurations, in mesh order, from the `first` on. */
HONE_API void hone_space_each(const struct hone_space *space, uint64_t first, hone_visit *visit,
                              void *data);

/* Up to `count` of them in the order in which a search requests them: "exhaustive" is mesh order,
 * "random" a shuffle by the seed, "ordered" goes by the keys of the spec (`order`); the others
 * (hone_strategy_name) learn from results, and show here what they request without any. */
HONE_API hone_status hone_space_search(const struct hone_space *space, const char *strategy,
                                       uint64_t seed, uint64_t count, hone_visit *visit,
                                       void *data);

/* "BM=64,BN=32" as a row: of the groups with these parameters the first in which it is legal, or
 * else the one that fits best. Every parameter with more than one value must be given. NOT_FOUND or
 * INVALID_ARGUMENT say what is unknown or missing. */
HONE_API hone_status hone_space_parse(const struct hone_space *space, const char *text,
                                      uint32_t *row);

/* kbench's name of a configuration, "stem/NAME=VALUE/...", like snprintf. */
HONE_API size_t hone_space_print_spec(const struct hone_space *space, const uint32_t *row,
                                      char *buffer, size_t size);

/* ---- Why, and why not ------------------------------------------------------------------------ */

HONE_API size_t hone_space_constraint_count(const struct hone_space *space);
HONE_API const char *hone_space_constraint(const struct hone_space *space, size_t constraint);

enum hone_constraint_state {
  HONE_HOLDS,
  HONE_FAILS,
  HONE_FAULTS_THERE,
  HONE_DOES_NOT_APPLY,
  HONE_AFTER_BUILD /* it names what a build costs (built.x) */
};

struct hone_explanation {
  bool legal;
  size_t group; /* whose parameters were used */
  struct hone_reason {
    enum hone_constraint_state state;
    const char
        *constraint;    /* the text of the spec; NULL: a value that its parameter does not have */
    const char *values; /* "BM=96, M=256": the names in it; or what is wrong with the value */
  } * reasons;
  size_t reason_count;
};
/* Each constraint on the configuration "BM=96,BN=32", which need not be legal, nor its values among
 * those of the parameters. */
HONE_API hone_status hone_space_explain(const struct hone_space *space, const char *text,
                                        struct hone_explanation **out_explanation);
HONE_API void hone_explanation_free(struct hone_explanation *explanation);

struct hone_constraint_stats {
  const char *constraint;
  double alone; /* share of the Cartesian product that it rejects by itself */
  double last;  /* share that it rejects and no other constraint does */
};
/* One entry for each constraint; a share is NaN where a constraint faults without the others. The
 * caller frees the array with free(). */
HONE_API hone_status hone_space_stats(const struct hone_space *space,
                                      struct hone_constraint_stats **out_stats);

/* Of a space without legal configurations: a set of constraints that cannot hold together, as
 * numbers of constraints; a smallest one where that takes little solving, else one that
 * dropping single constraints did not make smaller. The caller frees it with free(). */
HONE_API hone_status hone_space_conflict(const struct hone_space *space, size_t **out_constraints,
                                         size_t *out_count);

/* How it was solved: for summaries and for the curious. */
struct hone_space_info {
  size_t components;        /* independent parts, over all groups */
  size_t largest_component; /* parameters in the largest */
  uint64_t nodes;           /* of all diagrams */
  size_t bytes;             /* that the solved space holds */
  double build_seconds;
  bool mesh_order; /* false: a component is too large to be put in mesh order, so that
                      indices follow the solver's own order */
};
HONE_API void hone_space_info(const struct hone_space *space, struct hone_space_info *out_info);

/* True if the second solver was found; else `*out_advice` says how to get it. */
HONE_API bool hone_solver_available(enum hone_solver solver, const char **out_advice);

/* ---- What tuning says ------------------------------------------------------------------------
 *
 * Values are for programs. Their names are for people, and are in the store and in JSON.
 */

/* Of a run, and of each candidate that was confirmed. */
#define HONE_VERDICTS(X)                                                                           \
  X(NONE, "")                         /* none was reached */                                       \
  X(IMPROVED, "IMPROVED")             /* a candidate was proved to be faster */                    \
  X(NO_IMPROVEMENT, "NO IMPROVEMENT") /* none is faster by more than the margin */                 \
  X(INCONCLUSIVE, "INCONCLUSIVE")     /* the measurements do not tell */

enum hone_verdict {
#define HONE__VERDICT_ENUM(id, name) HONE_VERDICT_##id,
  HONE_VERDICTS(HONE__VERDICT_ENUM)
#undef HONE__VERDICT_ENUM
};
HONE_API const char *hone_verdict_name(enum hone_verdict verdict); /* "NO IMPROVEMENT" */

/* How far a run of the store is. */
#define HONE_RUN_STATES(X)                                                                         \
  X(NONE, "") /* it is not a run but a file */                                                     \
  X(RUNNING, "running")                                                                            \
  X(FINISHED, "finished")                                                                          \
  X(INTERRUPTED, "interrupted") /* by a signal, or its process has ended */                        \
  X(FAILED, "failed")

enum hone_run_state {
#define HONE__RUN_STATE_ENUM(id, name) HONE_RUN_##id,
  HONE_RUN_STATES(HONE__RUN_STATE_ENUM)
#undef HONE__RUN_STATE_ENUM
};
HONE_API const char *hone_run_state_name(enum hone_run_state state); /* "finished" */

/* A failure in kbench's words. */
#define HONE_FAILURE_TYPES(X)                                                                      \
  X(BUILD, "build")                                                                                \
  X(TIMEOUT, "timeout")                                                                            \
  X(EXECUTION, "execution")

enum hone_failure_type {
#define HONE__FAILURE_TYPE_ENUM(id, name) HONE_FAILURE_##id,
  HONE_FAILURE_TYPES(HONE__FAILURE_TYPE_ENUM)
#undef HONE__FAILURE_TYPE_ENUM
};
HONE_API const char *hone_failure_type_name(enum hone_failure_type type); /* "build" */

/* ---- Tuning -------------------------------------------------------------------------------- */

enum hone_stage { HONE_STAGE_ALL, HONE_STAGE_GENERATE, HONE_STAGE_BUILD, HONE_STAGE_SCREEN };

/* How programs are built and run: what a command line adds to the spec. NULL and 0: nothing. */
struct hone_program_options {
  const char *build_opts; /* words, before all other options of the compiler */
  const char *debug_level, *optimization, *march, *target_accelerator;
  bool disable_warnings, experimental_kernels;
  const char *exec_prefix, *exec_suffix; /* words around the program */
  unsigned mpirun_np;                    /* 0 and 1: without mpirun */
  const char *profile;                   /* ncu, ncu-single, rocm, rocprof-compute */
  const char *mode; /* "process" or "library"; NULL: the spec's, else what suits the language */
};

/* How long to search where no budget is given: until nothing was gained for a while. */
enum hone_search_effort {
  HONE_EFFORT_AUTO, /* the spec's, else without a budget normal */
  HONE_EFFORT_QUICK,
  HONE_EFFORT_NORMAL,
  HONE_EFFORT_THOROUGH
};

struct hone_tune_options {
  const char *store;         /* file; NULL: $HONE_STORE, else in the user's data folder */
  const char *problem_sizes; /* "M=256": instead of the problem's; NULL */
  const size_t *problems;    /* numbers of the spec's problems; NULL: all */
  size_t problem_count;
  const char *devices; /* "c:0,c:1", "cuda:all"; NULL: one device, all CPUs */
  const char *device;  /* values of device.*, as in hone_space_options; the first may be a kind of
                          GPU ("sm_90"), which is then built for, or a device; NULL: what is used */
  const char *const
      *workers; /* command prefixes, "ssh host"; one worker each and device; none: local */
  size_t worker_count;
  /* File of the program `hone`, which is started as worker; NULL: $HONE_PROGRAM, else that of this
   * installation, else the one in PATH. It must be of this version. */
  const char *hone_program;
  unsigned builders;    /* compilers at once; 0: as many as CPUs */
  bool overlap;         /* build while measuring even where cores are few */
  const char *strategy; /* NULL: the spec's, else auto */
  uint64_t evaluations; /* at most; 0: the spec's, else as the effort has it */
  double budget_s;      /* likewise; of searching, from the start of the run to the last candidate:
                           race and confirmation come after it */
  enum hone_search_effort effort;
  uint64_t patience; /* candidates without a gain after which it ends; 0: as the effort has it */
  const char *const *seed_configs; /* "BM=64,BN=32": the search begins with them */
  size_t seed_config_count;
  bool no_warm_start; /* do not begin with what was best in earlier runs of the kernel */
  uint64_t seed;
  bool seed_given;
  bool fresh;       /* measure again: a new run, which takes no times of earlier ones */
  bool no_wait;     /* fail if another process makes this run just now; else wait for it */
  bool no_check;    /* do not check answers */
  bool keep_slower; /* finalists that look slower than the baseline are confirmed and listed too */
  bool no_confirm;  /* end after the race: no verdict */
  unsigned top;     /* finalists; default 8 */
  unsigned screen_samples; /* default 3 */
  bool no_cap;             /* do not stop timing slow candidates early */
  double margin;           /* what counts as faster: 0.01 */
  double timeout_s;        /* of a candidate's first call; 0: the spec's, else from the baseline;
                              INFINITY: none */
  size_t memory_bytes;     /* that a candidate may take; 0: half of the machine's */
  enum hone_stage stop_after;
  struct hone_program_options program;
  const char *output_dir;  /* hone_sweep: programs work in its folders out_0, out_1 ..., which stay
                              (of several problems or shapes: in a folder of each within it); NULL:
                              in folders that are removed */
  bool run_only;           /* hone_sweep: builds, and compilers' errors, come from the cache; it
                              fails before any run if one is not there */
  bool keep_going;         /* hone_tune: do not stop when the first ten builds fail alike */
  bool verbose;            /* hone_try: all that a compiler printed, not only its first error */
  const char *command;     /* how a person would start this again; kept with the run */
  const char *run_options; /* what `hone run FILE` needs besides to see the same; or NULL */
  hone_progress *progress; /* may be NULL */
  void *progress_data;
  const struct hone_cancel *cancel; /* may be NULL */
};
HONE_API void hone_tune_options_init(struct hone_tune_options *options);

struct hone_tune_result {
  int64_t *runs; /* their numbers in the store, one a problem; free() */
  size_t run_count;
  bool interrupted; /* a request ended it; what was measured is kept */
  bool answered;    /* all came from the store: nothing was measured */
};
/* Tunes each problem. Failures of candidates are not failures of this call. Of runs that request
 * the same (problem, kernel, machine and options) the newest counts: a finished one is the answer,
 * an unfinished one is resumed; `fresh` always makes a new one. */
HONE_API hone_status hone_tune(const struct hone_spec *spec,
                               const struct hone_tune_options *options,
                               struct hone_tune_result *out_result);

/* Builds and runs every configuration of each problem and shape once, in the programs' own way of
 * measuring, and ranks nothing: there is no baseline, no cap and no verdict. A run a problem and
 * shape; an interrupted one continues where it was, a finished one is measured again. Default
 * timeout: 120 s. */
HONE_API hone_status hone_sweep(const struct hone_spec *spec,
                                const struct hone_tune_options *options,
                                struct hone_tune_result *out_result);
/* The commands that hone_sweep would run, one a line: every build once, then every run. free(). */
HONE_API hone_status hone_sweep_commands(const struct hone_spec *spec,
                                         const struct hone_tune_options *options, char **out_text);

/* What hone_tune would do, without doing it: a text for people. free(). */
HONE_API hone_status hone_tune_plan(const struct hone_spec *spec,
                                    const struct hone_tune_options *options, char **out_text);
/* The same as an object of JSON, or an array of them for several problems. free(). */
HONE_API hone_status hone_tune_plan_json(const struct hone_spec *spec,
                                         const struct hone_tune_options *options, char **out_json);

/* Builds, checks and times one configuration of one problem, in several processes; all that is
 * worth knowing comes as text. `*out_works`: it was measured, and its answer agrees with what it
 * was compared with, if there is anything. Nothing is stored. */
HONE_API hone_status hone_try(const struct hone_spec *spec, const struct hone_tune_options *options,
                              const char *config, char **out_text, bool *out_works);
/* The same as JSON, with every sample; free(). hone-run(1) has its keys. */
HONE_API hone_status hone_try_json(const struct hone_spec *spec,
                                   const struct hone_tune_options *options, const char *config,
                                   char **out_json, bool *out_works);

/* ---- Runs: what the store remembers ---------------------------------------------------------- */

struct hone_store; /* opaque */

HONE_API hone_status hone_store_open(const char *path,
                                     struct hone_store **out_store); /* NULL: as above */
HONE_API void hone_store_close(struct hone_store *store);
HONE_API const char *hone_store_file(const struct hone_store *store);

struct hone_run_summary {
  int64_t run;
  enum hone_run_state state;
  enum hone_verdict verdict;
  const char *name, *problem, *spec, *winner, *started; /* NULL where unknown */
  const char *strategy;
  bool is_sweep; /* it is a run of hone_sweep */
  double speedup;
  uint64_t evaluations, failures;
  double wall_s;
};
/* Newest first; free the array with hone_runs_free. */
HONE_API hone_status hone_store_runs(struct hone_store *store, struct hone_run_summary **out_runs,
                                     size_t *out_count);
HONE_API void hone_runs_free(struct hone_run_summary *runs, size_t count);

/* ---- Cache of builds ------------------------------------------------------------------------- */

struct hone_cache_info {
  const char *folder; /* lent for ever */
  struct hone_cache_kind {
    const char *name; /* builds, objects, references, iree */
    uint64_t files, bytes, damaged;
  } kinds[4];
};
/* `verify` reads every file and counts damaged ones. */
HONE_API hone_status hone_cache_info(bool verify, struct hone_cache_info *out_info);
/* Removes damaged files, and the longest unused until at most `bytes` are left. */
HONE_API hone_status hone_cache_prune(uint64_t bytes, uint64_t *out_files, uint64_t *out_bytes);
HONE_API hone_status hone_cache_clear(uint64_t *out_files, uint64_t *out_bytes);

/* ---- This machine ------------------------------------------------------------------------------
 */

struct hone_device_fact {
  const char *name;  /* "shared_bytes" */
  const char *value; /* as text: "49152" */
  const char *json;  /* as JSON: a number, a text in quotes, a list ... */
};
struct hone_device {
  const char *backend;                  /* "cuda" */
  const char *device;                   /* "cuda:0": for --devices */
  const char *name;                     /* "NVIDIA H200" */
  const char *kind;                     /* "cpu", "gpu", "accelerator"; "" if it is not known */
  const struct hone_device_fact *facts; /* limits, sizes ...: what device.* may name, and more */
  size_t fact_count;
};
struct hone_no_device { /* a backend without any */
  const char *backend;
  const char *reason; /* and how to get some */
};
struct hone_device_list { /* owned by the library */
  const struct hone_device *devices;
  size_t count;
  const struct hone_no_device *missing;
  size_t missing_count;
};
/* What kernels can be measured on here. Device libraries are asked in separate processes, once
 * for the life of this one; it may take seconds. `backend`: of this one alone; NULL: of all.
 * NOT_FOUND: there is no such backend. That it has no devices is not a failure. */
HONE_API hone_status hone_devices(const char *backend, struct hone_device_list **out_list);
HONE_API void hone_device_list_free(struct hone_device_list *list);

struct hone_device_values { /* for struct hone_space_options; lent to it */
  char *device, *device_gap;
};
/* What device.* means for a spec whose kernels run on GPUs: the values of the first device of
 * `devices` ("cuda:1"; NULL: the first there is), with those of `given` ("shared_bytes=1000",
 * "sm_90,sm_count=20", "cuda:1"; NULL) in their place. Of other specs: `given`. Devices are asked
 * only where an expression of the spec names device.*. NOT_FOUND: no such device. */
HONE_API hone_status hone_spec_device_values(const struct hone_spec *spec, const char *devices,
                                             const char *given,
                                             struct hone_device_values *out_values);
HONE_API void hone_device_values_release(struct hone_device_values *values);

struct hone_fact {
  const char *part;   /* "hone", "machine", "c", "iree", "gpu", "opencl", "cuda" */
  const char *name;   /* of what was searched */
  const char *value;  /* what was found; "" if nothing */
  bool is_missing;    /* then `advice` says what it is for, or how to get it */
  const char *advice; /* or "" */
};
struct hone_checkup { /* facts in the order of their parts; owned by the library */
  const struct hone_fact *facts;
  size_t count;
};
/* What Hone finds here: places, compilers, isolation, solvers, IREE and its devices, GPUs, and the
 * libraries of OpenCL and CUDA. Starts their tools to ask them, seconds at most. `iree_dir` as in
 * struct hone_iree_options. What is missing is a fact, not a failure. */
HONE_API void hone_doctor(const char *iree_dir, struct hone_checkup **out_checkup);
HONE_API void hone_checkup_free(struct hone_checkup *checkup);

/* ---- Workers --------------------------------------------------------------------------------- */

/* `hone worker`: exchanges frames on standard input and output until its driver ends; returns the
 * exit status. `role` is "build" or "run"; `runner` is for internal use. */
HONE_API int hone_worker_main(const char *role, const char *device, bool runner);
/* The file that this process runs: `hone_program` of a program whose main calls hone_worker_main
 * when it is started with the word "worker". free(). */
HONE_API char *hone_own_program(void);

#ifdef __cplusplus
}
#endif

#endif
