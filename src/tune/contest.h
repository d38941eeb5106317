/* contest.h - times candidates against the baseline in one process, row by row: common to the race
 * and the confirmation.
 *
 * The race chooses the finalists from the ranking; the confirmation proves which are faster. In
 * both a racer may turn out not to work: then the race chooses again without it.
 */
#ifndef HONE_TUNE_CONTEST_H
#define HONE_TUNE_CONTEST_H

#include "base/random.h"
#include "stats/standings.h"
#include "tune/contest_time.h"
#include "tune/ranking.h"
#include "tune/tuning.h"

struct hone__racer {
  struct hone__candidate *candidate;
  int64_t evaluation;
  bool is_proved;                  /* its answers to many calls were compared (proof.c) */
  double sample_ns;                /* the time it takes to get one */
  double *times_ns, *baselines_ns; /* of the confirmation */
  size_t *sites;                   /* where these were taken */
  size_t count, capacity;
};

struct hone__entrants {        /* candidates timed together; the baseline is always one more */
  struct hone__racer **racers; /* entrant i of the standings is racers[i] */
  size_t count, capacity;
  struct hone__standings standings;
  bool is_race;   /* otherwise the confirmation */
  uint32_t group; /* group of the next round: its process */
};

struct hone__contest {
  struct hone__tuning *tuning;
  struct hone__entrants finals;
  struct hone__random random;
  double until;     /* by the session's clock: the end of the whole */
  double end;       /* the same: the end of the budget, also for a leader about to be proved */
  size_t pending;   /* rounds without a reply */
  size_t pairs;     /* pairs from the last rounds */
  bool failed;      /* a racer failed, so a round gave no times */
  const char *loss; /* why a round gave no times although no racer failed; NULL */
  bool is_lost;     /* the confirmation ended because of `loss` */
  bool is_late;     /* the confirmation ended because its time was over */
  unsigned extras; /* how often more finalists were added because none of the first looked faster */
  unsigned late;   /* rounds after the time was over, for a leader whose pairs point one way */
  double extra_until; /* by the session's clock: the end of the time for these */
};

/* ---- contest.c ---- */
/* Adds a finalist, with its share of the probability of a wrong claim. */
void hone__contest_enter(struct hone__contest *contest, struct hone__racer *racer, double chance);

/* ---- counters.c ---- */
/* Reports what a profiler counts in a call of the baseline and of the winner, which may be NULL, if
 * that is asked for; candidates get what was counted. False: nothing was. */
bool hone__contest_count(struct hone__contest *contest, struct hone__candidate *winner);
/* The values of one call, in the log of Nsight Compute: time, bytes of memory, shares in percent of
 * memory, multiprocessors, warps and tensor cores, all floating-point operations, those of tensor
 * cores. NaN: not known. False: there are none. */
bool hone__counters_read(const char *log, size_t size, double *values);

/* ---- round.c ---- */
/* Runs one round on every device: rows of all racers still in. A round of the confirmation uses a
 * new process. False: it gave no times although no racer failed in it. */
bool hone__rounds_run(struct hone__contest *contest, struct hone__entrants *field, unsigned rows,
                      double budget_s);

/* A racer does not work on this device: it is out, and withdrawn. */
void hone__racer_fail(struct hone__contest *contest, struct hone__entrants *field, size_t entrant,
                      size_t site, const struct hone__run_part *part);

/* ---- proof.c ---- */
/* Runs many calls of the leading candidate and compares all answers. False: it failed, and another
 * one leads now. */
bool hone__contest_prove(struct hone__contest *contest);
/* Without a confirmation: does the same for the best of screening, and for the next one if that
 * fails. */
void hone__contest_prove_best(struct hone__contest *contest);

/* ---- race.c ---- */
/* The best candidates, at most pick->places; `out_racers` has room for them, and the caller owns
 * them. Those that fail are withdrawn and replaced. */
size_t hone__race(struct hone__contest *contest, const struct hone__pick *pick,
                  struct hone__racer **out_racers);
struct hone__racer *hone__racer_make(struct hone__tuning *tuning,
                                     const struct hone__ranked *ranked);
void hone__racer_free(struct hone__racer *racer);
void hone__tuning_field_release(struct hone__entrants *field);
bool hone__contest_in_time(const struct hone__contest *contest, double until);

/* ---- contest_verdict.c ---- */
/* After the confirmation: stores the result of each finalist and sets the verdict of the run. */
void hone__contest_conclude(struct hone__contest *contest);
/* The verdict of a run without eligible candidates. */
void hone__contest_without_candidates(struct hone__tuning *tuning);
/* After the verdict, if it is asked for: a profiler takes seconds, and may fail. `winner`: an
 * entrant of the finals; -1: none. */
void hone__contest_add_counters(struct hone__contest *contest, int winner);

#endif
