/* hone_search.h - spaces, searches and statistics for a program that builds and measures by itself.
 *
 * hone_tune (hone.h) builds, runs and times kernels. A host that already has its own way to do that
 * (a compiler, a service, a simulator) uses this header instead. The host asks for a configuration,
 * measures it in its own way, and tells the result. Hone contributes the space, the search, the
 * store and the verdict:
 *
 *   hone_spec_parse, or a draft     what can be chosen, and what is legal
 *   hone_space_build                (hone.h) the legal configurations
 *   hone_search_open                a search, continued from the store if there is one
 *   while a ticket is given:
 *     hone_search_ask               a ticket; hone_search_value reads its configuration
 *     hone_search_tell              what became of it
 *   hone_search_confirm             then ask and tell again: the best against the baseline
 *   hone_search_verdict, _winner, _speedup
 *   hone_search_free
 *
 * Ownership, errors and statuses are those of hone.h. docs/library.md has a complete program.
 *
 * THREADS. Any number of threads may use one search at the same time: every call is atomic. A draft
 * belongs to one thread at a time. What an accessor lends stays valid until the search is freed.
 */
#ifndef HONE_SEARCH_H
#define HONE_SEARCH_H

#include "hone.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Specs without files --------------------------------------------------------------------- */

/* A spec from text in memory: YAML, or, if `name` ends as a kernel's source does (".c", ".cu" ...),
 * a source with annotations. Messages begin with "name:line:column:" as those of hone_spec_load;
 * relative file names in the text are looked up in the folder of `name`. `options` may be NULL; its
 * params, filters and shapes apply, and its `files` must be empty. MLIR and recordings are loaded
 * from files only. */
HONE_API hone_status hone_spec_parse(const char *text, size_t length, const char *name,
                                     const struct hone_spec_options *options,
                                     struct hone_spec **out_spec);

/* A spec that is made in code. Parts are added in any order and are checked by hone_draft_build.
 * Values stay what they are: a text "2 * 8" is not computed, and 1.0 stays a float. */
struct hone_draft; /* opaque */

HONE_API struct hone_draft *hone_draft_new(const char *name); /* of the kernel */
HONE_API void hone_draft_free(struct hone_draft *draft);

/* A parameter and its values, which must differ from each other: 1, 1.0 and True are equal. Lists
 * are not values. A name that begins with `$` is a runtime parameter. */
HONE_API void hone_draft_param(struct hone_draft *draft, const char *name,
                               const struct hone_value *values, size_t count);
HONE_API void hone_draft_ints(struct hone_draft *draft, const char *name, const int64_t *values,
                              size_t count);
HONE_API void hone_draft_texts(struct hone_draft *draft, const char *name,
                               const char *const *values, size_t count);
/* A size of the problem; several values give several problems. */
HONE_API void hone_draft_size(struct hone_draft *draft, const char *name,
                              const struct hone_value *values, size_t count);
/* Expressions as in hone-spec(5): "M % BM == 0". */
HONE_API void hone_draft_constraint(struct hone_draft *draft, const char *expression);
HONE_API void hone_draft_derived(struct hone_draft *draft, const char *name,
                                 const char *expression);
HONE_API void hone_draft_metric(struct hone_draft *draft, const char *name, const char *expression);
/* "time", "energy" or a metric; up to three, the first counts most. */
HONE_API void hone_draft_objective(struct hone_draft *draft, const char *name, bool maximise);
/* Any other key of hone-spec(5) with its value as YAML: "baseline", "{BM: 32, ALGO: direct}". */
HONE_API void hone_draft_setting(struct hone_draft *draft, const char *key, const char *yaml);

/* The draft as YAML; lent until the next change of the draft. */
HONE_API const char *hone_draft_yaml(struct hone_draft *draft);
/* INVALID_ARGUMENT: a value or a name cannot be kept exactly, or is there twice. INVALID_SPEC: as
 * hone_spec_load; lines are those of hone_draft_yaml. The draft may be changed and built again. */
HONE_API hone_status hone_draft_build(struct hone_draft *draft,
                                      const struct hone_spec_options *options,
                                      struct hone_spec **out_spec);

/* ---- Stages: what a host adds to a search ------------------------------------------------------
 *
 * The same callbacks serve hone_search_open and hone_tune (struct hone_tune_options, `stages`).
 * They are called from the thread that calls the library, never two at once for one search, and
 * must not call functions of that search.
 */

struct hone_candidate; /* opaque: a configuration on its way; valid during the call */

HONE_API const char *hone_candidate_config(const struct hone_candidate *candidate); /* "BM=64" */
HONE_API const struct hone_space *hone_candidate_space(const struct hone_candidate *candidate);
HONE_API const uint32_t *hone_candidate_row(const struct hone_candidate *candidate);
/* Of screening; NaN before it. */
HONE_API double hone_candidate_time_ns(const struct hone_candidate *candidate);
HONE_API double hone_candidate_baseline_ns(const struct hone_candidate *candidate);
/* A parameter, a derived value, a size of the problem, and after the build "built.registers" and
 * the like. False: there is none of this name. A text is valid during the call. */
HONE_API bool hone_candidate_value(const struct hone_candidate *candidate, const char *name,
                                   struct hone_value *out_value);

/* Whether a candidate goes on, after this stage:
 *   HONE_STAGE_GENERATE   before it is built, or given to the host
 *   HONE_STAGE_BUILD      after its build, before it is timed; of hone_tune only
 *   HONE_STAGE_SCREEN     before it can become a finalist
 * If it does not, `*out_reason` may be set to a text, which is copied. A rejected candidate is kept
 * in the store as `invalid` with the reason and counts for no budget; one that is rejected after
 * screening keeps its time, and the reason is in the run's log. The run's notes count both. The
 * baseline is compared with, whatever a filter says of it. hone_search_open asks about all
 * configurations of a space of up to 65536 at once: then it knows whether one or none is left. */
typedef bool hone_filter(void *data, enum hone_stage stage, const struct hone_candidate *candidate,
                         const char **out_reason);
/* The lower, the better. At HONE_STAGE_GENERATE: what a model expects, see `keep`. At
 * HONE_STAGE_SCREEN: who becomes a finalist; NaN leaves a candidate in the order of its time. */
typedef double hone_rank(void *data, enum hone_stage stage, const struct hone_candidate *candidate);

/* Callbacks are not part of what identifies a run: with them hone_tune continues an unfinished run,
 * but a finished one does not answer. */
struct hone_stages {
  size_t size;         /* set by hone_stages_init */
  hone_filter *filter; /* NULL: all go on */
  hone_rank *rank;     /* NULL: Hone's own order */
  /* With a rank: the search consists of the best `keep` configurations that the filter admits, or
   * of the best `keep_share` of them (at least one), in the order of their ranks. The filter is
   * then called once for each configuration and the rank once for each that is admitted; the space
   * must have at most a million. 0: all, in the order of the strategy. */
  uint64_t keep;
  double keep_share;
  void *data; /* for the callbacks */
};
HONE_API void hone_stages_fill(struct hone_stages *stages, size_t size);
static inline void hone_stages_init(struct hone_stages *stages)
{
  hone_stages_fill(stages, sizeof *stages);
}

/* ---- Search: ask and tell ----------------------------------------------------------------------
 */

struct hone_search; /* opaque; its space must outlive it */

/* One question of a search: a number, so that an old one is an error and not a crash. 0 is not a
 * ticket. */
typedef uint64_t hone_ticket;

struct hone_objective {
  const char *name; /* "time": nanoseconds; "energy": joules; a metric of the spec; or any name */
  bool maximise;
};
#define HONE_MOST_OBJECTIVES 3

struct hone_search_options {
  size_t size; /* set by hone_search_options_init */
  /* What the search is called in the store. With the problem, the device, the space, the baseline
   * and the objectives it identifies a run that is continued. */
  const char *name;     /* NULL: that of the spec */
  const char *problem;  /* "M=256 N=512"; NULL: that of the space */
  const char *device;   /* what the host measures on, in its own words; NULL: "host" */
  const char *store;    /* file; "": $HONE_STORE, else in the user's data folder; NULL: none */
  bool fresh;           /* a new run: nothing that was told before counts */
  const char *strategy; /* hone_strategy_name; NULL: the spec's, else "auto" */
  uint64_t seed;        /* 0: the spec's, else 42 */
  uint64_t evaluations; /* at most; 0: the spec's, else all configurations */
  uint64_t patience;    /* ends after that many without a gain; 0: does not */
  const char *const *seed_configs; /* "BM=64,BN=32": the search begins with them */
  size_t seed_config_count;
  const char *baseline; /* "BM=32,BN=32"; NULL: the spec's, else the first configuration */
  /* NULL: those of the spec, else time. The verdict is about the first. */
  const struct hone_objective *objectives;
  size_t objective_count;
  const struct hone_stages *stages; /* NULL: none */
  /* Of the confirmation: */
  double margin;      /* what counts as faster: 0.01 */
  unsigned finalists; /* default 4 */
  unsigned groups;    /* at least; default 3 */
  unsigned rows;      /* of a group; default 6 */
};
HONE_API void hone_search_options_fill(struct hone_search_options *options, size_t size);
static inline void hone_search_options_init(struct hone_search_options *options)
{
  hone_search_options_fill(options, sizeof *options);
}

/* NOT_FOUND: the space has no configuration, or the filter rejects them all. INVALID_ARGUMENT: a
 * seed configuration or the baseline is not legal; the message names the parameter or constraint.
 * UNAVAILABLE: another search of this run is open, in this process or in another. */
HONE_API hone_status hone_search_open(const struct hone_space *space,
                                      const struct hone_search_options *options,
                                      struct hone_search **out_search);
/* Finishes the run in the store, as hone_search_finish. */
HONE_API void hone_search_free(struct hone_search *search);

/* The next configuration to measure; the baseline is the first. Any number of tickets may be open
 * at once, but a search learns from answers: the fewer, the better. `*out_ticket` is 0 if there is
 * none: for ever if hone_search_done, else until an open ticket is told. */
HONE_API hone_status hone_search_ask(struct hone_search *search, hone_ticket *out_ticket);
/* The same, but waits until other threads have told their tickets. A thread that has open tickets
 * itself must not wait. */
HONE_API hone_status hone_search_wait(struct hone_search *search, hone_ticket *out_ticket);

enum hone_ticket_kind {
  HONE_TICKET_NONE,      /* no such ticket */
  HONE_TICKET_BASELINE,  /* what others are compared with */
  HONE_TICKET_CANDIDATE, /* of the search */
  HONE_TICKET_CONFIRM    /* the baseline or a finalist once more, for the verdict */
};
HONE_API enum hone_ticket_kind hone_search_kind(struct hone_search *search, hone_ticket ticket);
/* The configuration of a ticket, told or not; NULL and false where there is no such ticket or name.
 * Values are parameters, derived values and sizes; a parameter that the configuration does not have
 * (of another alternative of the spec) is not a name of it. */
HONE_API const char *hone_search_config(struct hone_search *search, hone_ticket ticket);
HONE_API const uint32_t *hone_search_row(struct hone_search *search, hone_ticket ticket);
HONE_API bool hone_search_value(struct hone_search *search, hone_ticket ticket, const char *name,
                                struct hone_value *out_value);
/* Of a ticket of the confirmation: its group, from 1 on. Tickets of one group may share a process;
 * another group needs a new one, if memory layout or warm-up can change the times. Else 0. */
HONE_API uint32_t hone_search_group(struct hone_search *search, hone_ticket ticket);

struct hone_measurement {
  size_t size;               /* set by hone_measurement_init */
  enum hone_outcome outcome; /* default HONE_OUTCOME_OK */
  const double *times_ns;    /* samples, each finite and above 0; their median is the time */
  size_t time_count;
  double energy_j; /* of a call; NaN: not measured */
  /* One for each objective, in their order. NaN, or no values at all: it follows from the times,
   * the energy and the metrics of the spec. */
  const double *values;
  size_t value_count;
  const char *evidence; /* of a failure: what a person has to know; may be NULL */
};
HONE_API void hone_measurement_fill(struct hone_measurement *measurement, size_t size);
static inline void hone_measurement_init(struct hone_measurement *measurement)
{
  hone_measurement_fill(measurement, sizeof *measurement);
}

/* What became of a ticket. It is in the store when the call returns. NOT_FOUND: no such ticket.
 * INVALID_ARGUMENT: it was told before, or an objective has no value. IO: the store does not take
 * it. After a failure the ticket is as it was.
 * A failure that is not the candidate's fault (`worker_lost` ...) is asked again only by a search
 * that continues this run. */
HONE_API hone_status hone_search_tell(struct hone_search *search, hone_ticket ticket,
                                      const struct hone_measurement *measurement);

/* ---- What a search knows ---- */

enum hone_search_end {
  HONE_END_NONE,        /* it goes on */
  HONE_END_SPACE,       /* all configurations are known */
  HONE_END_EVALUATIONS, /* as many as the options say */
  HONE_END_PATIENCE,    /* no gain for as long as the options say */
  HONE_END_ONE,         /* only one configuration is admitted: there is nothing to measure */
  HONE_END_CONFIRMED    /* the confirmation has its verdict */
};
HONE_API enum hone_search_end hone_search_end(struct hone_search *search);
HONE_API bool hone_search_done(struct hone_search *search); /* no ticket will be given any more */

HONE_API uint64_t hone_search_count(struct hone_search *search);    /* told, without the baseline */
HONE_API uint64_t hone_search_failures(struct hone_search *search); /* of these */
HONE_API uint64_t hone_search_reused(struct hone_search *search);   /* of these: from the store */
HONE_API uint64_t hone_search_rejected(struct hone_search *search); /* by the host's filter */
HONE_API int64_t hone_search_run(struct hone_search *search); /* number in the store; 0: none yet */

/* Tickets of results, for the functions above and below. `index` counts to hone_search_count. */
HONE_API hone_ticket hone_search_at(struct hone_search *search, uint64_t index);
HONE_API hone_ticket hone_search_baseline(struct hone_search *search);
/* By the first objective, the baseline included; 0: nothing works yet. */
HONE_API hone_ticket hone_search_best(struct hone_search *search);
/* What no other result beats in every objective, best by the first objective first: up to `room` of
 * them; returns how many there are. */
HONE_API size_t hone_search_pareto(struct hone_search *search, hone_ticket *tickets, size_t room);

/* False: it is not told yet. */
HONE_API bool hone_search_outcome(struct hone_search *search, hone_ticket ticket,
                                  enum hone_outcome *out_outcome);
/* The value of an objective as it was told; NaN: none. */
HONE_API double hone_search_objective(struct hone_search *search, hone_ticket ticket,
                                      size_t objective);
struct hone_interval {
  double value, low, high; /* NaN: not known */
};
/* The median of its times and an interval of 95 %; low and high are NaN with too few samples. */
HONE_API struct hone_interval hone_search_time(struct hone_search *search, hone_ticket ticket);

/* ---- Proof: the best against the baseline ---- */

/* Begins the confirmation: from now on hone_search_ask gives the baseline and the finalists, row by
 * row, each row in random order, and hone_search_tell adds their times to the proof. It ends by
 * itself: hone_search_done. No other ticket may be open. NOT_FOUND: no candidate works, or the
 * baseline does not. Afterwards this object searches no further, but may confirm again. */
HONE_API hone_status hone_search_confirm(struct hone_search *search);
/* Of the last confirmation, in this or in an earlier process; HONE_VERDICT_NONE: there is none. */
HONE_API enum hone_verdict hone_search_verdict(struct hone_search *search);
/* The proved best: of IMPROVED a candidate, of NO IMPROVEMENT the baseline; else 0. */
HONE_API hone_ticket hone_search_winner(struct hone_search *search);
/* Of the winner, or else of the best finalist, over the baseline. */
HONE_API struct hone_interval hone_search_speedup(struct hone_search *search);
/* One sentence on an INCONCLUSIVE verdict; "" where there is nothing to say. */
HONE_API const char *hone_search_why(struct hone_search *search);

/* Writes to the store that the run is over: finished if the search is done, else interrupted. What
 * is told later continues it. Nothing happens without a store. */
HONE_API hone_status hone_search_finish(struct hone_search *search);

#ifdef __cplusplus
}
#endif

#endif
