/* contest.h - candidates against the baseline in one process, row by row: what the race and the
 * confirmation share.
 *
 * The race chooses from the ranking who is confirmed; the confirmation proves. In both a
 * racer may turn out not to work: then the race chooses anew, as if it had never been there. */
#ifndef HONE_TUNE_CONTEST_H
#define HONE_TUNE_CONTEST_H

#include "base/random.h"
#include "stats/standings.h"
#include "tune/ranking.h"
#include "tune/tuning.h"

struct hone__racer {
  struct hone__candidate *candidate;
  int64_t evaluation;
  bool is_open;                    /* it left the confirmation undecided */
  bool is_proved;                  /* its answers to many calls were compared (proof.c) */
  double sample_ns;                /* what it takes to get one */
  double *times_ns, *baselines_ns; /* of the confirmation */
  size_t count, capacity;
};

struct hone__entrants {        /* those that are timed together; the baseline is always one more */
  struct hone__racer **racers; /* entrant i of the standings is racers[i] */
  size_t count, capacity;
  struct hone__standings standings;
  bool is_race;   /* else it is the confirmation */
  uint32_t group; /* of the next round: its process */
};

struct hone__contest {
  struct hone__tuning *tuning;
  struct hone__entrants finals;
  struct hone__random random;
  double until;     /* hone__clock: the end of the time for all of it */
  size_t pending;   /* rounds without a reply */
  size_t pairs;     /* that the last rounds brought */
  bool failed;      /* a racer failed, so that a round gave no times */
  const char *loss; /* why a round gave no times, if no racer failed; NULL */
  bool is_lost;     /* confirming ended because of it */
  bool is_late;     /* confirming ended because its time was over */
  unsigned extras;  /* how often more finalists were taken, where none of the first looked faster */
  double extra_until; /* hone__clock: the end of the time for these */
};

/* ---- contest.c ---- */
/* A finalist, with its part of the chance of a wrong claim. */
void hone__contest_enter(struct hone__contest *contest, struct hone__racer *racer, double chance);

/* ---- round.c ---- */
/* One round on every device: rows of all racers that are in. A round of the confirmation is a new
 * process. False: it gave no times, although no racer failed in it. */
bool hone__rounds_run(struct hone__contest *contest, struct hone__entrants *field, unsigned rows,
                      double budget_s);

/* A racer turned out not to work on this device: it is out, and withdrawn. */
void hone__racer_fail(struct hone__contest *contest, struct hone__entrants *field, size_t entrant,
                      size_t site, const struct hone__run_part *part);

/* ---- proof.c ---- */
/* Has the one that would win answer many calls, all of which are compared. False: it failed, and
 * another would win now. */
bool hone__contest_prove(struct hone__contest *contest);
/* Without a confirmation: the same of the best in screening, and of the next one if that fails. */
void hone__contest_prove_best(struct hone__contest *contest);

/* ---- contest.c ---- */
/* In how many processes at least a finalist is confirmed; by the first device. */
unsigned hone__contest_restarts(const struct hone__tuning *tuning);

/* ---- race.c ---- */
/* The best of those that may take part, at most pick->places; `out_racers` has room for them, and
 * they belong to the caller. Who fails is withdrawn, and others take its place. */
size_t hone__race(struct hone__contest *contest, const struct hone__pick *pick,
                  struct hone__racer **out_racers);
struct hone__racer *hone__racer_make(struct hone__tuning *tuning,
                                     const struct hone__ranked *ranked);
void hone__racer_free(struct hone__racer *racer);
void hone__field_release(struct hone__entrants *field);
bool hone__contest_in_time(const struct hone__contest *contest, double until);

/* ---- contest_verdict.c ---- */
/* After the confirmation: what it says of each goes into the store, and the run has its verdict. */
void hone__contest_conclude(struct hone__contest *contest);
/* The verdict of a run without candidates that may take part. */
void hone__contest_without_candidates(struct hone__tuning *tuning);

#endif
