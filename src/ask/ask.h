/* ask.h - inside a search that a host drives by ask and tell.
 *
 * A trial is a configuration with the result that was told for it. A ticket is one question about a
 * trial: each trial has one of its own, and the confirmation asks about the same trials again.
 * Trial 0 is the baseline. The functions of hone_search.h take the lock; those here expect that it
 * is held. */
#ifndef HONE_ASK_ASK_H
#define HONE_ASK_ASK_H

#include "backend/task.h"
#include "base/key_map.h"
#include "base/random.h"
#include "hone_search.h"
#include "search/search_set.h"
#include "session/stages.h"
#include "stats/standings.h"
#include "store/run_lock.h"
#include "store/store.h"
#include "tune/patience.h"

#include <pthread.h>

enum { HONE__ASK_BASELINE = 0, HONE__ASK_NO_TRIAL = UINT32_MAX };

struct hone__ask_trial {
  uint32_t *row;
  const char *config;
  bool is_told, is_reused, is_rejected;
  enum hone_outcome outcome;
  const char *evidence;
  double values[HONE_MOST_OBJECTIVES]; /* as told; NaN: none */
  double time_ns, energy_j;            /* NaN: none */
  struct hone_interval time;
  hone_ticket ticket; /* its own */
  int64_t evaluation; /* in the store; 0: none */
  int64_t asked;      /* number in the order of asking, from 1; the baseline has 0 */
};

struct hone__ask_ticket {
  uint32_t trial;
  enum hone_ticket_kind kind;
  uint32_t group; /* of the confirmation */
  bool is_told;
};

struct hone__ask_objective {
  const char *name;
  bool maximise;
  enum { HONE__ASK_TIME, HONE__ASK_ENERGY, HONE__ASK_METRIC, HONE__ASK_TOLD } source;
  const struct hone__formula *metric; /* of METRIC */
};

struct hone__ask_store {    /* ask_store.c */
  struct hone_store *store; /* NULL: none */
  struct hone__store_run_lock lock;
  struct hone__store_run_record run;
  struct hone__store_run_result result;
  bool has_begun; /* the run is being made: `run.id` is its number */
  double begun_at;
};

struct hone__ask_pairs {
  double *times_ns, *baselines_ns;
  size_t count, capacity;
};

struct hone__ask_confirmation { /* ask_confirm.c */
  bool is_under_way, is_complete;
  bool has_no_baseline; /* it failed */
  uint32_t *trials;     /* by entrant */
  size_t count;
  struct hone__standings standings;
  uint32_t group, row; /* numbers of the present ones, from 1 */
  size_t *order;       /* of the present row: entrant + 1, or 0 for the baseline */
  double *told;        /* by the same numbers: values of the row; NaN: none, or failed */
  double *times_ns;    /* likewise: times */
  size_t order_count, next, answered;
  struct hone__ask_pairs *pairs; /* by entrant: times of all rows */
  struct hone__random random;
  enum hone_verdict verdict;
  uint32_t winner; /* a trial, or NO_TRIAL */
  struct hone_interval speedup;
  const char *why;
};

struct hone_search {
  pthread_mutex_t lock;
  pthread_cond_t changed; /* a ticket was told */
  const struct hone_space *space;
  size_t width;
  struct hone__task task;
  struct hone__arena arena;
  struct hone__ask_objective objectives[HONE_MOST_OBJECTIVES];
  size_t objective_count;
  const struct hone__strategy *strategy;
  struct hone__search_set *set;
  struct hone__patience patience;
  struct hone__stages stages;
  const char *
      *rejections;   /* by index of the space: why the filter rejects it; NULL: not filtered */
  uint64_t admitted; /* configurations of the search; UINT64_MAX: not known */
  uint32_t *first;   /* rows to begin with */
  size_t first_count;
  uint64_t evaluations; /* at most */
  double margin;
  unsigned finalists, groups, rows;
  uint64_t seed;
  const char *device;
  const char *note; /* for the run; NULL: none */

  struct hone__ask_trial *trials;
  size_t trial_count, trial_capacity;
  struct hone__ask_ticket *tickets;
  size_t ticket_count, ticket_capacity;
  struct hone__key_map by_config; /* configuration -> trial */
  uint32_t *told;                 /* trials in the order in which they were told */
  size_t told_count, told_capacity;
  uint64_t open; /* candidates of the search that are asked and not told */
  uint64_t failures, reused, asked;
  bool baseline_is_asked;
  uint32_t only; /* the only trial that is left; NO_TRIAL: there are others, or none */
  double reference[HONE_MOST_OBJECTIVES]; /* costs of the search are relative to these; NaN: none */
  bool is_exhausted;                      /* the strategy has nothing more */
  struct hone__ask_store kept;
  struct hone__ask_confirmation confirmation;
};

/* ---- ask_tickets.c ---- */
/* Adds a trial with its ticket; the row is copied. */
uint32_t hone__ask_add_trial(struct hone_search *search, const uint32_t *row, const char *config);
hone_ticket hone__ask_add_ticket(struct hone_search *search, uint32_t trial,
                                 enum hone_ticket_kind kind, uint32_t group);
struct hone__ask_ticket *hone__ask_ticket_at(struct hone_search *search, hone_ticket ticket);
/* The value of an objective: lower is better. NaN: none. */
double hone__ask_cost(const struct hone_search *search, const struct hone__ask_trial *trial,
                      size_t objective);
/* The trial with the lowest cost by the first objective; NO_TRIAL: none works. */
uint32_t hone__ask_best(const struct hone_search *search);

/* ---- ask_next.c ---- */
hone_status hone__ask_next(struct hone_search *search, hone_ticket *out_ticket);
enum hone_search_end hone__ask_end(const struct hone_search *search);

/* ---- ask_tell.c ---- */
/* Values of a measurement for a row; INVALID_ARGUMENT names what is wrong. */
struct hone__ask_result {
  enum hone_outcome outcome;
  double time_ns, energy_j;
  double values[HONE_MOST_OBJECTIVES];
};
hone_status hone__ask_measure(const struct hone_search *search, const uint32_t *row,
                              const struct hone_measurement *measurement,
                              struct hone__ask_result *out_result);
/* Counts a trial that has its result, and passes it to the strategy. */
void hone__ask_learn(struct hone_search *search, uint32_t trial);
/* The result of a failure without measurement; the evidence is copied. */
void hone__ask_set_failure(struct hone_search *search, uint32_t trial, enum hone_outcome outcome,
                           const char *evidence);

/* ---- ask_confirm.c ---- */
hone_status hone__ask_confirm_next(struct hone_search *search, hone_ticket *out_ticket);
hone_status hone__ask_confirm_tell(struct hone_search *search, struct hone__ask_ticket *ticket,
                                   const struct hone__ask_result *result, const char *evidence);
void hone__ask_confirm_release(struct hone_search *search);
/* A finalist's number in the standings plus one; 0: it is not one. */
size_t hone__ask_entrant(const struct hone__ask_confirmation *confirmation, uint32_t trial);

/* ---- ask_verdict.c ---- */
/* Ends the confirmation: stores the finalists and the verdict. */
hone_status hone__ask_conclude(struct hone_search *search);

/* ---- ask_store.c ---- */
/* Opens the store of the options, takes the run's lock, and loads what was told before. */
hone_status hone__ask_store_open(struct hone_search *search,
                                 const struct hone_search_options *options);
/* Makes the run, or opens it again, unless that was done: it has no verdict from here on. */
hone_status hone__ask_store_begin(struct hone_search *search);
/* Writes a trial; `times_ns` may be NULL. */
hone_status hone__ask_store_put(struct hone_search *search, uint32_t trial, enum hone_phase phase,
                                const double *times_ns, size_t count);
/* Adds a line to the run's log: "config is not a finalist: why". */
hone_status hone__ask_store_log(struct hone_search *search, const char *config, const char *why);
hone_status hone__ask_store_finish(struct hone_search *search);
void hone__ask_store_release(struct hone_search *search);

#endif
