/* ranked.h - the candidates of a tuning that work: the part that ranking.h orders. */
#ifndef HONE_TUNE_RANKED_H
#define HONE_TUNE_RANKED_H

#include "backend/task.h"
#include "base/digest.h"

enum hone__tried { HONE__UNTRIED, HONE__RACED, HONE__CONFIRMED };

struct hone__ranked { /* a candidate that works, as screening and then the race saw it */
  uint32_t *row;
  char *config;
  int64_t evaluation;
  double time_ns, baseline_ns;
  double sample_ns; /* what it takes to get one: of a program the whole run */
  double ratio;     /* of costs, candidate to baseline */
  double doubt;     /* |ln| that the ratio may be wrong by, because the baseline's time changed */
  double rank_ns, rank_baseline_ns; /* what the ratio of screening is made of */
  double taken_at;                  /* hone__clock; NaN: in an earlier session, or another run */
  size_t site;
  double cap_ns;  /* that it was measured under; NaN: none */
  bool is_slow;   /* it was not timed to the end */
  bool is_double; /* one with the same object stands before it */
  enum hone__tried tried;
  struct hone__energy energy;
  double values[HONE__MOST_OBJECTIVES]; /* less is better; NaN: none */
  bool leads;                           /* it goes before better ones: of the Pareto set */
  const char *suspicious;               /* as in its evaluation */
  char key[HONE__DIGEST_SIZE];          /* of measuring: equal ones are the same thing */
};

struct hone__ranking {
  struct hone__ranked *entries;
  size_t count, capacity;
  double best_ratio; /* time / baseline of the best so far; the baseline's own is 1 */
};

#endif
