/* contest.h - candidates against the baseline in one process, row by row: what the race and the
 * confirmation share. */
#ifndef HONE_TUNE_CONTEST_H
#define HONE_TUNE_CONTEST_H

#include "base/random.h"
#include "exec/standings.h"
#include "tune/tuning.h"

struct hone_racer { /* entrant i of the standings is racers[i] */
  struct hone_candidate *candidate;
  int64_t evaluation;
  double *times_ns, *baselines_ns; /* of the confirmation */
  size_t count, capacity;
};

struct hone_contest {
  struct hone_tuning *tuning;
  struct hone_racer *racers; /* without the baseline */
  size_t count;
  struct hone_standings standings;
  bool racing;    /* else confirming */
  uint32_t group; /* of the next heat: its process */
  size_t pending; /* heats */
  size_t pairs;   /* that the last heats brought */
  bool failed;    /* someone left, so that a heat gave no times */
  bool devices_lost;
  struct hone_random random;
};

/* ---- heat.c ---- */
/* Sends rows of all that are in to a device; `restart`: in a new process. */
void hone__heat_start(struct hone_contest *contest, size_t site, unsigned rows, bool restart,
                      double budget_s);
void hone__heats_wait(struct hone_contest *contest);

/* ---- contest_verdict.c ---- */
/* After the confirmation: what it says of each goes into the store, and the run has its verdict. */
void hone__contest_conclude(struct hone_contest *contest);
/* The verdict of a run in which nobody takes part. */
void hone__contest_of_nobody(struct hone_tuning *tuning);

#endif
