/* hone.h - Hone, the kernel autotuner, as a library.
 *
 * OWNERSHIP. What a function stores through `out_x` belongs to the caller, who gives it to the
 * matching _free; every _free takes NULL. What an accessor returns is lent until its owner is
 * freed. Strings passed in are copied if they are kept. On failure outputs are NULL or untouched.
 *
 * ERRORS. A hone_status is NULL when all is well; else it belongs to the caller: read its code and
 * message, then hone_status_free() it. The library prints nothing and ends no process, but for two
 * cases: a small allocation that fails, and a defect of its own.
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
  X(IO, "input/output error")             /* the machine said no */                                \
  X(NOT_FOUND, "not found")               /* what was asked for is not there */                    \
  X(UNAVAILABLE, "unavailable") /* an optional part is missing: the message says how to get it */  \
  X(EXHAUSTED, "limit reached") /* a bound on memory or size was hit: raise it */                  \
  X(CANCELLED, "cancelled")     /* a progress callback said stop */

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

/* ---- Spec: what the user wrote --------------------------------------------------------------- */

struct hone_spec; /* opaque: a loaded spec; see hone-spec(5) */

struct hone_spec_options {
  const char *const
      *files; /* YAML files, or kernel sources with annotations; "-": standard input */
  size_t file_count;
  const char *const *params; /* "NAME:VALUE" or "NAME:[A,B]": replace or add a parameter */
  size_t param_count;
  const char *const *filters; /* "NAME=VALUE": keep these values only */
  size_t filter_count;
  const char *const *shapes; /* YAML files whose mesh is an outer loop */
  size_t shape_count;
  uint32_t partition_index, partition_count; /* which part of the shapes; 0 of 1 is all */
};
HONE_API void hone_spec_options_init(struct hone_spec_options *options);

/* Loads and checks. All errors of a file are reported, each as "file:line:column: error: ..." with
 * the line itself: the status's message is the whole text, its code INVALID_SPEC. */
HONE_API hone_status hone_spec_load(const struct hone_spec_options *options,
                                    struct hone_spec **out_spec);
HONE_API void hone_spec_free(struct hone_spec *spec);

HONE_API const char *hone_spec_name(const struct hone_spec *spec);
HONE_API const char *hone_spec_file(const struct hone_spec *spec);     /* the kernel, or NULL */
HONE_API const char *hone_spec_warnings(const struct hone_spec *spec); /* "" if there are none */

/* A spec with sizes under `problem` has a space for each combination of them; others have one. */
HONE_API size_t hone_spec_problem_count(const struct hone_spec *spec);
/* "M=256 N=512"; "" without sizes. Lent. */
HONE_API const char *hone_spec_problem(const struct hone_spec *spec, size_t problem);

/* ---- Space: the legal configurations --------------------------------------------------------- */

struct hone_space; /* opaque: solved, never changes; its spec must outlive it */

enum hone_solver { HONE_SOLVER_NATIVE, HONE_SOLVER_Z3 };

struct hone_space_options {
  enum hone_solver solver;
  size_t problem;      /* which of the spec's problems */
  const char *sizes;   /* "M=256,N=64": sizes to use instead of the problem's; NULL: none */
  const char *device;  /* "cache_bytes=65536,...": values of device.*; NULL: this machine's */
  size_t memory_bytes; /* bound on what solving may hold; default 1 GiB */
  bool unique;         /* drop configurations that an earlier group has already */
  /* Called now and then while building takes long; false stops it with CANCELLED. May be NULL; it
   * is not called after the build. */
  bool (*progress)(void *data, const char *what, double seconds);
  void *progress_data;
};
HONE_API void hone_space_options_init(struct hone_space_options *options);

/* EXHAUSTED: the memory bound was reached. A space without any legal configuration is no failure:
 * its count is 0. INVALID_SPEC: an expression faults (divides by zero ...) for a configuration that
 * no other constraint rejects. */
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

enum hone_verdict { HONE_HOLDS, HONE_FAILS, HONE_FAULTS_THERE, HONE_DOES_NOT_APPLY };

struct hone_explanation {
  bool legal;
  size_t group; /* whose parameters were used */
  struct hone_reason {
    enum hone_verdict verdict;
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

/* ---- Tuning -------------------------------------------------------------------------------- */

enum hone_stage { HONE_STAGE_ALL, HONE_STAGE_GENERATE, HONE_STAGE_BUILD, HONE_STAGE_SCREEN };

/* What happens while hone_tune works: for a status line and a log. Texts are lent during the call.
 */
enum hone_event_kind {
  HONE_EVENT_PHASE,    /* text: "baseline", "screen", "race", "confirm"; a new problem begins with
                          "start" and its name in `config` */
  HONE_EVENT_PROGRESS, /* the counts changed; at most ten a second */
  HONE_EVENT_BEST,    /* a new best of the search so far: config, time_ns, speedup (of screening) */
  HONE_EVENT_FAILURE, /* a candidate failed: config, text is its class, evidence, command */
  HONE_EVENT_NOTE,    /* text: something worth a line (a worker was restarted ...) */
  HONE_EVENT_WARNING, /* text: drift, contention ... */
  HONE_EVENT_RESULT   /* a candidate works: config, text is its class, time_ns, speedup */
};
struct hone_event {
  enum hone_event_kind kind;
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
};

struct hone_tune_options {
  const char *store;         /* file; NULL: $HONE_STORE, else in the user's data folder */
  const char *problem_sizes; /* "M=256": instead of the problem's; NULL */
  const size_t *problems;    /* numbers of the spec's problems; NULL: all */
  size_t problem_count;
  const char *devices; /* "c:0,c:1"; NULL: one device, all CPUs */
  const char *const
      *workers; /* command prefixes, "ssh host"; one worker each and device; none: local */
  size_t worker_count;
  unsigned builders;    /* compilers at once; 0: as many as CPUs */
  bool overlap;         /* build while measuring even where cores are few */
  const char *strategy; /* NULL: the spec's, else auto */
  uint64_t evaluations; /* at most; 0: the spec's, else no limit */
  double budget_s;      /* likewise */
  uint64_t seed;
  bool seed_given;
  bool fresh;       /* measure anew what the store has */
  bool no_check;    /* do not compare answers */
  bool keep_slower; /* finalists that look slower than the baseline are confirmed and listed too */
  bool no_confirm;  /* end after the race: no verdict */
  unsigned top;     /* finalists; default 8 */
  unsigned screen_samples; /* default 3 */
  bool no_cap;             /* time hopeless candidates to the end too */
  double margin;           /* what counts as faster: 0.01 */
  double timeout_s;        /* of a candidate's first call; 0: the spec's, else from the baseline */
  size_t memory_bytes;     /* that a candidate may take; 0: half of the machine's */
  enum hone_stage stop_after;
  bool handle_signals;     /* INT, TERM, HUP end the run in good order; a second one at once */
  const char *command;     /* how a person would start this again; kept with the run */
  const char *run_options; /* what `hone run FILE` needs besides to see the same; or NULL */
  void (*event)(void *data, const struct hone_event *event); /* may be NULL */
  void *event_data;
};
HONE_API void hone_tune_options_init(struct hone_tune_options *options);

struct hone_tune_result {
  int64_t *runs; /* their numbers in the store, one a problem; free() */
  size_t run_count;
  bool interrupted; /* a signal ended it; what was measured is kept */
  bool answered;    /* all came from the store: nothing was measured */
};
/* Tunes each problem. Whatever candidates do is no failure of this. */
HONE_API hone_status hone_tune(const struct hone_spec *spec,
                               const struct hone_tune_options *options,
                               struct hone_tune_result *out_result);

/* What hone_tune would do, without doing it: a text for people. free(). */
HONE_API hone_status hone_tune_plan(const struct hone_spec *spec,
                                    const struct hone_tune_options *options, char **out_text);

/* Builds, checks and times one configuration of one problem; all that is worth knowing comes as
 * text. `*out_works`: its answer is right. Nothing is stored. */
HONE_API hone_status hone_try(const struct hone_spec *spec, const struct hone_tune_options *options,
                              const char *config, char **out_text, bool *out_works);

/* ---- Runs: what the store remembers ---------------------------------------------------------- */

struct hone_store; /* opaque */

HONE_API hone_status hone_store_open(const char *path,
                                     struct hone_store **out_store); /* NULL: as above */
HONE_API void hone_store_close(struct hone_store *store);
HONE_API const char *hone_store_file(const struct hone_store *store);

struct hone_run_summary {
  int64_t run;
  const char *name, *problem, *spec, *state, *verdict, *winner, *started; /* NULL where unknown */
  double speedup;
  uint64_t evaluations, failures;
  double wall_s;
};
/* Newest first; free the array with hone_runs_free. */
HONE_API hone_status hone_store_runs(struct hone_store *store, struct hone_run_summary **out_runs,
                                     size_t *out_count);
HONE_API void hone_runs_free(struct hone_run_summary *runs, size_t count);

/* One run in full, as `hone tune` prints it at its end and `hone show RUN` later. Texts are "" and
 * numbers NaN where there is nothing. */
struct hone_report {
  int64_t run;
  const char *name, *problem, *spec, *state; /* running, finished, interrupted, failed */
  const char *verdict;                       /* IMPROVED, NO IMPROVEMENT, INCONCLUSIVE, or "" */
  const char *sentence;                      /* the verdict for a person */
  const char *command, *environment, *fingerprint, *space, *strategy, *started;
  uint64_t seed;
  bool checked;
  double wall_s, drift, confidence;
  struct hone_report_row {
    const char *config;
    bool is_baseline, is_winner, confirmed;
    const char *outcome, *device, *verdict;
    double time_ns;            /* confirmed: of confirmation samples alone; else of screening */
    double speedup, low, high; /* over the baseline; low and high of confirmation only */
    double screen_speedup;
    uint64_t pairs, restarts, samples;
    double compile_s;
    const char *command;        /* that shows it by itself: hone run ... */
    const char **metric_values; /* as texts, one for each of metric_names */
  } * rows;                     /* baseline first, then the best first; working candidates only */
  size_t row_count;
  const char **metric_names;
  size_t metric_count;
  struct hone_report_failure {
    const char *outcome, *text; /* the class, and what it means */
    uint64_t count;
    const char *config, *evidence, *command; /* of one example */
  } * failures;                              /* most frequent first */
  size_t failure_count;
  uint64_t evaluations, ok, slow, failed, reused, same_object, compiled, cached;
  const char **notes;
  size_t note_count;
  const char **log; /* "2026-11-15 10:00:00 text" */
  size_t log_count;
};
/* `run` 0: the newest. NOT_FOUND if there is none. */
HONE_API hone_status hone_report_load(struct hone_store *store, int64_t run,
                                      struct hone_report **out_report);
HONE_API void hone_report_free(struct hone_report *report);
/* The report as JSON, with every evaluation and its raw samples; free(). */
HONE_API hone_status hone_report_json(struct hone_store *store, int64_t run, char **out_json);

/* ---- Cache of builds ------------------------------------------------------------------------- */

struct hone_cache_info {
  const char *folder; /* lent for ever */
  struct hone_cache_kind {
    const char *name; /* builds, objects, references */
    uint64_t files, bytes, damaged;
  } kinds[3];
};
/* `verify` reads every file and counts damaged ones. */
HONE_API hone_status hone_cache_info(bool verify, struct hone_cache_info *out_info);
/* Removes damaged files, and the longest unused until at most `bytes` are left. */
HONE_API hone_status hone_cache_prune(uint64_t bytes, uint64_t *out_files, uint64_t *out_bytes);
HONE_API hone_status hone_cache_clear(uint64_t *out_files, uint64_t *out_bytes);

/* ---- Workers --------------------------------------------------------------------------------- */

/* `hone worker`: speaks frames on standard input and output until its driver is gone; returns the
 * exit status. `role` is "build" or "run"; `runner` is for the worker's own use. */
HONE_API int hone_worker_main(const char *role, const char *device, bool runner);

#ifdef __cplusplus
}
#endif

#endif
