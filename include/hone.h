/* hone.h - Hone, the kernel autotuner, as a library.
 *
 *   #include <hone.h>
 *
 *   struct hone_spec *spec;
 *   struct hone_tuning *tuning;
 *   struct hone_value tile;
 *   hone_status status = hone_spec_open("gemm.yaml", &spec);
 *
 *   if (!status) status = hone_tune(spec, NULL, &tuning);
 *   if (status) {
 *     fprintf(stderr, "%s\n", hone_status_message(status));
 *   } else if (hone_tuning_value(tuning, 0, "TILE", &tile)) {
 *     printf("TILE=%lld is %.2f times as fast\n", (long long)tile.integer,
 *            hone_tuning_speedup(tuning, 0));
 *   }
 *
 * This header goes from what every program needs to what few need: errors and values, specs,
 * tuning, its options, progress, spaces, the store. docs/library.md has whole programs. Others:
 *
 *   hone_space.h    a space in depth: why, why not, derived values (included at the end)
 *   hone_sweep.h    plans, single trials, every configuration once (included at the end)
 *   hone_search.h   ask and tell, for programs that measure by themselves
 *   hone_kernel.h   kernels that are tuned when they are first called
 *   hone_results.h  runs in full: reports, rows, comparisons, lookups
 *   hone_export.h   results for other programs, wisdom files (hone_wisdom.h reads them), imports
 *   hone_iree.h     IREE's dispatches, models and tuning specs
 *   hone_replay.h   recordings of other tuners, and searches on them
 *   hone_cluster.h  hosts for workers: Slurm, ssh, Kubernetes
 *   hone_machine.h  devices, what is installed, the cache of builds, workers
 *   hone_sketch.h   a first spec for a source
 *   hone_text.h     text for terminals and shells
 *
 * OWNERSHIP. What a function stores through `out_x` belongs to the caller, who gives it to the
 * matching _free, and a text or an array to hone_free; each takes NULL. What an accessor returns
 * is lent until its owner is freed. Strings passed in are copied if they are kept. On failure
 * outputs are NULL or untouched, unless that is said. An index that is too high gives 0, NaN, NULL
 * or "".
 *
 * OPTIONS. A struct of options begins with its size. Its _init (in other languages its _fill, with
 * the size) sets all fields to their defaults: NULL, 0 and false where nothing else is said. A
 * program that was compiled with an older version has fewer fields; the library reads no more than
 * it has. A pointer to options may be NULL: all defaults.
 *
 * ERRORS. A hone_status is NULL when all is well; else it belongs to the caller: read its code and
 * message, then hone_status_free() it. The library prints nothing and ends no process, but for two
 * cases: a small allocation that fails, and an internal defect.
 *
 * THREADS. A spec and a space never change once they are made: any number of threads may ask them.
 * Other objects belong to one thread at a time. Any number of threads may tune at once, also with
 * one store; two that ask for the same run make it once. Their measurements disturb each other
 * unless they are on different devices. Nothing of the process is changed: no handler of a signal,
 * no variable of the environment, no folder. SIGPIPE is held back in the calling thread during a
 * call.
 *
 * PROCESSES. Kernels are built and run by workers, which are processes of the program `hone` of
 * the same version; see `hone_program` in struct hone_tune_options. Children of the calling
 * process are never touched; it must not wait for those of the library (wait, waitpid(-1)).
 *
 * MEMORY. The library gives jansson and libuv functions that end the process with a message where
 * there is no memory; they call what the program gave to jansson, else malloc. A program sets its
 * own functions for either before its first call of this library; free() must take what they give.
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

/* ---- Version --------------------------------------------------------------------------------- */

#define HONE_VERSION_MAJOR 0
#define HONE_VERSION_MINOR 1
#define HONE_VERSION_PATCH 0

HONE_API const char *hone_version(void);  /* of the library: "0.1.0" */
HONE_API const char *hone_revision(void); /* the git revision it was built from, or "unknown" */

/* ---- Errors ---------------------------------------------------------------------------------- */

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

/* Of NULL: HONE_OK and "". */
HONE_API enum hone_code hone_status_code(hone_status status);
HONE_API const char *hone_status_message(hone_status status);
HONE_API void hone_status_free(hone_status status);
HONE_API const char *hone_code_name(enum hone_code code);

/* Frees a text or an array that the library has given. */
HONE_API void hone_free(void *memory);

/* ---- Values ---------------------------------------------------------------------------------- */

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

/* ---- Specs: what the user wrote --------------------------------------------------------------
 *
 * A spec names a kernel, its parameters and their constraints; see hone-spec(5).
 */

struct hone_spec; /* opaque */

/* Loads and checks a file. All errors of a file are reported, each as "file:line:column: error:
 * ..." with the line itself: the status's message is the whole text, its code INVALID_SPEC. */
HONE_API hone_status hone_spec_open(const char *file, struct hone_spec **out_spec);
HONE_API void hone_spec_free(struct hone_spec *spec);

HONE_API const char *hone_spec_name(const struct hone_spec *spec);
HONE_API const char *hone_spec_warnings(const struct hone_spec *spec); /* "" if there are none */

/* A spec with sizes under `problem` has a problem for each combination of them; others have one.
 * Its name is "M=256 N=512", or "" without sizes. */
HONE_API size_t hone_spec_problem_count(const struct hone_spec *spec);
HONE_API const char *hone_spec_problem(const struct hone_spec *spec, size_t problem);

struct hone_iree_options; /* hone_iree.h */

struct hone_spec_options {
  size_t size; /* set by _init */
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
  const struct hone_iree_options *iree;      /* of .mlir files; NULL: defaults */
  /* One of several parts of the legal configurations, counted from 0: parts are disjoint, and
   * together they are the whole. A count of 0 or 1: all. */
  uint32_t part_index, part_count;
};
HONE_API void hone_spec_options_fill(struct hone_spec_options *options, size_t size);
static inline void hone_spec_options_init(struct hone_spec_options *options)
{
  hone_spec_options_fill(options, sizeof *options);
}

/* As hone_spec_open, with changes. */
HONE_API hone_status hone_spec_load(const struct hone_spec_options *options,
                                    struct hone_spec **out_spec);

HONE_API const char *hone_spec_file(const struct hone_spec *spec); /* the kernel, or NULL */
/* The first file as YAML, or the source that it is in; of an .mlir file what was made of it. */
HONE_API const char *hone_spec_text(const struct hone_spec *spec);
/* How many shapes (`shapes`, of the partition) there are: configurations of the outer loop. 1
 * without shapes. */
HONE_API hone_status hone_spec_shape_count(const struct hone_spec *spec, uint64_t *out_count);

/* ---- Tuning: the fastest configuration -------------------------------------------------------
 *
 * Candidates are built in parallel, their answers are checked, and they are timed in processes of
 * their own. The best ones are confirmed in pairs with the baseline. Each problem is a run, which
 * the store keeps: a finished run of the same problem, kernel, machine and options is the answer,
 * and an unfinished one is resumed.
 */

struct hone_tuning;          /* opaque: what came out */
struct hone_tune_options;    /* below */
struct hone_program_options; /* hone_sweep.h */

/* Failures of candidates are not failures of this call. Of several problems one may fail: then
 * there is a status, and *out_tuning has the others: free it in any case. `options` may be NULL. */
HONE_API hone_status hone_tune(const struct hone_spec *spec,
                               const struct hone_tune_options *options,
                               struct hone_tuning **out_tuning);
HONE_API void hone_tuning_free(struct hone_tuning *tuning);

HONE_API size_t hone_tuning_count(const struct hone_tuning *tuning); /* runs: one a problem */
/* An end was asked for before it was reached. What was measured is kept: the same call goes on. */
HONE_API bool hone_tuning_interrupted(const struct hone_tuning *tuning);
/* All came from the store: nothing was measured. */
HONE_API bool hone_tuning_answered(const struct hone_tuning *tuning);

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

/* How far a run is. */
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

/* The i-th run: its number in the store (`hone show 12`), and its problem ("M=256 N=512"). */
HONE_API int64_t hone_tuning_run(const struct hone_tuning *tuning, size_t i);
HONE_API const char *hone_tuning_problem(const struct hone_tuning *tuning, size_t i);
HONE_API enum hone_run_state hone_tuning_state(const struct hone_tuning *tuning, size_t i);
HONE_API enum hone_verdict hone_tuning_verdict(const struct hone_tuning *tuning, size_t i);
/* Why it has failed, or proved nothing: one sentence; "" where there is nothing to add. */
HONE_API const char *hone_tuning_why(const struct hone_tuning *tuning, size_t i);

/* Configurations as text: "BM=64,BN=32". The winner is proved to be faster than the baseline if the
 * verdict is IMPROVED; else it is the best of those that were confirmed, or "". */
HONE_API const char *hone_tuning_winner(const struct hone_tuning *tuning, size_t i);
HONE_API const char *hone_tuning_baseline(const struct hone_tuning *tuning, size_t i);
/* The winner's parameters, in the order of the spec. */
HONE_API size_t hone_tuning_param_count(const struct hone_tuning *tuning, size_t i);
HONE_API const char *hone_tuning_param_name(const struct hone_tuning *tuning, size_t i,
                                            size_t param);
HONE_API struct hone_value hone_tuning_param_value(const struct hone_tuning *tuning, size_t i,
                                                   size_t param);
/* By name; false: there is no winner, or it has no such parameter. */
HONE_API bool hone_tuning_value(const struct hone_tuning *tuning, size_t i, const char *name,
                                struct hone_value *out_value);

/* Of the winner over the baseline: 2 is twice as fast. The truth lies between low and high with a
 * confidence of 95 %. NaN: nothing was confirmed. */
HONE_API double hone_tuning_speedup(const struct hone_tuning *tuning, size_t i);
HONE_API double hone_tuning_speedup_low(const struct hone_tuning *tuning, size_t i);
HONE_API double hone_tuning_speedup_high(const struct hone_tuning *tuning, size_t i);
/* The time of one call, confirmed: of the winner, and of the baseline beside it. */
HONE_API double hone_tuning_time_ns(const struct hone_tuning *tuning, size_t i);
HONE_API double hone_tuning_baseline_ns(const struct hone_tuning *tuning, size_t i);

/* ---- Progress and its end --------------------------------------------------------------------
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

/* The stages of a run, as events and stored samples name them. */
#define HONE_PHASES(X)                                                                             \
  X(NONE, "")                                                                                      \
  X(START, "start")       /* a problem begins */                                                   \
  X(WAITING, "waiting")   /* for another process that tunes the same */                            \
  X(BASELINE, "baseline") /* the baseline is measured */                                           \
  X(BUILD, "build")       /* candidates are built, and not measured yet */                         \
  X(RUN, "run")           /* the instances of a sweep run */                                       \
  X(SCREEN, "screen")     /* candidates are measured with a few samples */                         \
  X(CHECK, "check")       /* a candidate that would lead is run again */                           \
  X(RACE, "race")         /* the best are compared */                                              \
  X(CONFIRM, "confirm")   /* the finalists are confirmed */

enum hone_phase {
#define HONE__PHASE_ENUM(id, name) HONE_PHASE_##id,
  HONE_PHASES(HONE__PHASE_ENUM)
#undef HONE__PHASE_ENUM
};

/* What happens while something takes long: for a status line and a log. Texts are lent during the
 * call; fields that an event does not name are 0, NULL or NaN. Newer versions add fields at the
 * end. */
enum hone_event_kind {
  HONE_EVENT_PHASE,    /* phase_id; text: its name. A new problem begins with HONE_PHASE_START and
                          its name in `config` */
  HONE_EVENT_PROGRESS, /* the counts changed; at most ten a second. Of a space that is solved: text
                          and elapsed_s alone */
  HONE_EVENT_BEST,    /* a new best of the search so far: config, time_ns, speedup (of screening) */
  HONE_EVENT_FAILURE, /* a candidate failed: config, outcome, evidence, command */
  HONE_EVENT_NOTE,    /* text: something worth a line (a worker was restarted ...) */
  HONE_EVENT_WARNING, /* text: drift, contention ... */
  HONE_EVENT_RESULT,  /* a candidate works: config, outcome, time_ns, speedup; of a sweep also
                         evidence: what its program wrote */
  HONE_EVENT_END      /* a problem is done, and `run` can be read in the store; config: its name;
                         reused 1: nothing was measured, the store has known it */
};
struct hone_event {
  enum hone_event_kind kind;
  enum hone_outcome outcome; /* of a candidate */
  const char *text, *config, *evidence, *command;
  double time_ns, baseline_ns, speedup;
  /* progress */
  const char *phase;                 /* the name of phase_id, or NULL */
  uint64_t done, total;              /* candidates; total 0: not known */
  uint64_t ok, slow, failed, reused; /* of done; `reused` came from the store */
  uint64_t built, building, measuring, workers;
  double rate, elapsed_s, eta_s; /* per second; eta: until the last problem has its verdict, NaN:
                                    not known */
  double best_speedup;           /* of screening; NaN: none yet */
  const char *best_config;       /* or NULL */
  uint64_t
      patience; /* the search ends after that many more without a gain; 0: it does not end so */
  enum hone_phase phase_id;
  uint64_t workers_away;           /* of workers: lost, or not there yet, while others work */
  uint64_t problem, problem_count; /* this one, from 1, of so many of the call; 0: not known */
  int64_t run;                     /* its number in the store; of HONE_EVENT_END */
  double idle; /* share of the devices' time in screening in which they ran nothing; NaN: none */
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

/* ---- Options of tuning ----------------------------------------------------------------------- */

/* How long to search where no budget is given: until nothing was gained for a while. */
enum hone_search_effort {
  HONE_EFFORT_AUTO, /* the spec's, else without a budget normal */
  HONE_EFFORT_QUICK,
  HONE_EFFORT_NORMAL,
  HONE_EFFORT_THOROUGH
};

/* What a front end keeps with a run for those who read it later. Texts or NULL. */
struct hone_run_note {
  const char *origin;    /* what asked for it: `hone show` prints it */
  const char *run_words; /* the words that `hone run FILE` needs besides to see the same spec */
};

/* Which devices share a run. Devices are of one kind if model, driver, clocks and memory are the
 * same. */
enum hone_per_device {
  HONE_PER_DEVICE_KIND, /* those of one kind; the others have a run of their own */
  HONE_PER_DEVICE_EACH, /* none: each device has its own run */
  HONE_PER_DEVICE_NONE  /* all: one winner, by the ratio to each device's own baseline */
};

enum hone_stage { HONE_STAGE_ALL, HONE_STAGE_GENERATE, HONE_STAGE_BUILD, HONE_STAGE_SCREEN };

struct hone_tune_options {
  size_t size;               /* set by _init */
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
  double budget_s;      /* likewise; of the whole run, with its verdict. The search gets what race
                           and confirmation are expected not to need */
  enum hone_search_effort effort;
  uint64_t patience; /* candidates without a gain after which it ends; 0: as the effort has it */
  const char *const *seed_configs; /* "BM=64,BN=32": the search begins with them */
  size_t seed_config_count;
  bool no_warm_start; /* do not begin with what was best in earlier runs of the kernel, nor learn
                         from them */
  uint64_t seed;
  bool seed_given;
  bool fresh;       /* measure again: a new run, which takes no times of earlier ones */
  bool no_wait;     /* fail if another process makes this run just now; else wait for it */
  bool no_check;    /* do not check answers */
  bool keep_slower; /* finalists that look slower than the baseline are confirmed and listed too */
  bool no_confirm;  /* end after the race: no verdict */
  bool counters;    /* of the hardware, for the baseline and the winner */
  unsigned top;     /* finalists; 0: 8, after a quick search 3 */
  unsigned screen_samples; /* default 3 */
  bool no_cap;             /* do not stop timing slow candidates early */
  double margin;           /* what counts as faster: 0.01 */
  double timeout_s;        /* of a candidate's first call; 0: the spec's, else from the baseline;
                              INFINITY: none */
  size_t memory_bytes;     /* that a candidate may take; 0: half of the machine's */
  enum hone_stage stop_after;
  const struct hone_program_options *program; /* hone_sweep.h; or NULL */
  const char *output_dir; /* hone_sweep: programs work in its folders out_0, out_1 ..., which stay
                             (of several problems or shapes: in a folder of each within it); NULL:
                             in folders that are removed */
  bool run_only;          /* hone_sweep: builds, and compilers' errors, come from the cache; it
                             fails before any run if one is not there */
  bool keep_going;        /* hone_tune: do not stop when the first ten builds fail alike */
  bool verbose;           /* hone_try: all that a compiler printed, not only its first error */
  const char *cache;      /* folder of builds; NULL: $HONE_CACHE, else the user's */
  const struct hone_run_note *note; /* or NULL */
  hone_progress *progress;          /* may be NULL */
  void *progress_data;
  const struct hone_cancel *cancel; /* may be NULL */
  const struct hone_stages *stages; /* the host's filter and rank, see hone_search.h; or NULL */
  bool lookup; /* measure nothing: NOT_FOUND if the store has no finished run of the problem */
  /* For callers of several runs that share a time: at most so long for searching, and for race and
   * confirmation. Unlike budget_s they are not part of what a run is known by; 0: no limit */
  double search_limit_s, confirm_limit_s;
  /* Recordings (hone_replay.h) of this kernel on other devices or for other sizes, folders of them,
   * or stores: the search begins with what was best there, and expects similar times. Of a wisdom
   * file it begins with the winners. None: it learns from earlier runs in its own store. */
  const char *const *learn_from;
  size_t learn_from_count;
  /* Seconds since 1970 (CLOCK_REALTIME): the runs of all problems end before it, with their
   * verdicts, but for the job in flight; each gets its share of the time that is left. Like the
   * limits above it is not part of what a run is known by. 0: none */
  double deadline;
  bool lock_clocks; /* keep the clocks of GPUs at one frequency where that is permitted; they are
                       released at the end, and by the next worker if this one is killed */
  const char *const *worker_names; /* of `workers`: shown in place of the prefixes; or NULL */
  enum hone_per_device per_device; /* a problem may have several runs, one for each kind */
  /* Confirmation goes on until its evidence suffices: for all of confirm_limit_s, and for what the
   * search has left of search_limit_s; otherwise it ends earlier where it gets nowhere. */
  bool confirm_in_full;
  uint64_t processes; /* hone_try: at most so many measure it one after another; 0: ten */
  /* Builders on other hosts instead of on this one: a command prefix for each, as in `workers`, and
   * the name of its host. They are sent the files that they need. */
  const char *const *host_builders, *const *host_builder_names;
  size_t host_builder_count;
};
HONE_API void hone_tune_options_fill(struct hone_tune_options *options, size_t size);
static inline void hone_tune_options_init(struct hone_tune_options *options)
{
  hone_tune_options_fill(options, sizeof *options);
}

/* ---- Spaces: the legal configurations --------------------------------------------------------
 *
 *   struct hone_space *space;
 *   uint32_t *row;
 *
 *   status = hone_space_build(spec, NULL, &space);
 *   row = malloc(hone_space_width(space) * sizeof *row);
 *   for (uint64_t i = 0; hone_space_at(space, i, row); i++)
 *     ...
 */

struct hone_space; /* opaque: solved; its spec must outlive it */

enum hone_solver { HONE_SOLVER_NATIVE, HONE_SOLVER_Z3 };
/* True if the second solver was found; else `*out_advice` says how to get it. */
HONE_API bool hone_solver_available(enum hone_solver solver, const char **out_advice);

#define HONE_ALL_SHAPES UINT64_MAX

struct hone_space_options {
  size_t size; /* set by _init */
  enum hone_solver solver;
  size_t problem;    /* which of the spec's problems */
  const char *sizes; /* "M=256,N=64": sizes to use instead of the problem's; NULL: none */
  /* "cache_bytes=65536,...": values of device.*; the first may be the name of a kind of GPU, such
   * as "sm_90". NULL: this machine's. hone_spec_device_values finds those of a spec's GPU. */
  const char *device;
  /* Why no more is known of device.*, for messages; NULL: what `device` does not give is this
   * machine's. */
  const char *device_gap;
  size_t memory_bytes; /* bound on what solving may hold, and on its work; default 1 GiB */
  bool unique;         /* drop configurations that an earlier group already has */
  uint64_t shape;      /* one shape of the partition alone; default HONE_ALL_SHAPES */
  /* Called now and then while building takes long; false stops it with CANCELLED, as a request
   * does. May be NULL, and are not used after the build. */
  hone_progress *progress;
  void *progress_data;
  const struct hone_cancel *cancel;
};
HONE_API void hone_space_options_fill(struct hone_space_options *options, size_t size);
static inline void hone_space_options_init(struct hone_space_options *options)
{
  hone_space_options_fill(options, sizeof *options);
}

/* EXHAUSTED: the bound on memory and work was reached. A space without any legal configuration is
 * not a failure: its count is 0. INVALID_SPEC: an expression faults (divides by zero ...) for a
 * configuration that no other constraint rejects. `options` may be NULL. */
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

/* "BM=64,BN=32" as a row: of the groups with these parameters the first in which it is legal, or
 * else the one that fits best. Every parameter with more than one value must be given. NOT_FOUND or
 * INVALID_ARGUMENT say what is unknown or missing. */
HONE_API hone_status hone_space_parse(const struct hone_space *space, const char *text,
                                      uint32_t *row);

/* ---- The store: runs of the past ------------------------------------------------------------- */

struct hone_store; /* opaque */

/* `path` NULL: $HONE_STORE, else in the user's data folder. */
HONE_API hone_status hone_store_open(const char *path, struct hone_store **out_store);
HONE_API void hone_store_free(struct hone_store *store);
HONE_API const char *hone_store_file(const struct hone_store *store);

/* Copies the runs of the store `from` into the store `into`, which is made if it is not there. Runs
 * get other numbers. A run that `into` has already is not copied again, but one that has gone on
 * since then is replaced. */
HONE_API hone_status hone_store_merge(const char *into, const char *from, uint64_t *out_added,
                                      uint64_t *out_known);
/* Is this file a store, by its first bytes? */
HONE_API bool hone_store_is_store(const char *path);

struct hone_run_list; /* opaque: newest first */
struct hone_run;      /* opaque: one of it; texts are NULL where unknown */
HONE_API hone_status hone_store_runs(struct hone_store *store, struct hone_run_list **out_list);
HONE_API size_t hone_run_list_count(const struct hone_run_list *list);
HONE_API const struct hone_run *hone_run_list_at(const struct hone_run_list *list, size_t i);
HONE_API void hone_run_list_free(struct hone_run_list *list);
/* Deletes these runs of the store (NULL: the user's) with all that was measured in them. The caller
 * leaves out those that are still made. INVALID_ARGUMENT: one of them is saved under a name, and
 * nothing is deleted. */
HONE_API hone_status hone_store_delete_runs(const char *path, const int64_t *runs, size_t count);

/* Runs under a name, to compare later ones with. A name stands for runs of any number of kernels
 * and problems: saving replaces those of the same kernel and problem (`*out_replaced`: how many;
 * may be NULL) and leaves the others. INVALID_ARGUMENT: a name that may be taken for a file or a
 * run. `path` as in hone_store_open. */
HONE_API hone_status hone_store_save_baseline(const char *path, const char *name,
                                              const int64_t *runs, size_t count,
                                              size_t *out_replaced);
/* Whether it may be such a name. */
HONE_API hone_status hone_baseline_name_check(const char *name);
/* The runs stay. NOT_FOUND: there is no such name. */
HONE_API hone_status hone_store_forget_baseline(const char *path, const char *name);
struct hone_baseline_list; /* opaque: names and runs, in their order */
HONE_API hone_status hone_store_baselines(struct hone_store *store,
                                          struct hone_baseline_list **out_list);
HONE_API void hone_baseline_list_free(struct hone_baseline_list *list);
HONE_API size_t hone_baseline_list_count(const struct hone_baseline_list *list);
HONE_API const char *hone_baseline_list_name(const struct hone_baseline_list *list, size_t i);
HONE_API int64_t hone_baseline_list_run(const struct hone_baseline_list *list, size_t i);

/* One of the list. */
HONE_API int64_t hone_run_number(const struct hone_run *run);
HONE_API enum hone_run_state hone_run_state(const struct hone_run *run);
HONE_API enum hone_verdict hone_run_verdict(const struct hone_run *run);
HONE_API const char *hone_run_name(const struct hone_run *run);
HONE_API const char *hone_run_problem(const struct hone_run *run);
HONE_API const char *hone_run_spec(const struct hone_run *run);
HONE_API const char *hone_run_winner(const struct hone_run *run);
HONE_API const char *hone_run_started(const struct hone_run *run);
HONE_API const char *hone_run_strategy(const struct hone_run *run);
/* Which part of the legal configurations it searches, "2/3"; NULL: all. */
HONE_API const char *hone_run_part(const struct hone_run *run);
/* Equal for runs that tune the same kernel and problem on the same machine. */
HONE_API const char *hone_run_subject(const struct hone_run *run);
HONE_API const char *hone_run_command(const struct hone_run *run); /* that made it */
HONE_API bool hone_run_is_sweep(const struct hone_run *run);
HONE_API double hone_run_speedup(const struct hone_run *run);
HONE_API uint64_t hone_run_evaluations(const struct hone_run *run);
HONE_API uint64_t hone_run_failures(const struct hone_run *run);
HONE_API double hone_run_wall_s(const struct hone_run *run);

#ifdef __cplusplus
}
#endif

#include "hone_space.h"
#include "hone_sweep.h"

#endif
