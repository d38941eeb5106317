/* ranked.h - the working candidates of a tuning, which ranking.h orders. */
#ifndef HONE_TUNE_RANKED_H
#define HONE_TUNE_RANKED_H

#include "backend/task.h"
#include "base/digest.h"

enum hone__tried { HONE__UNTRIED, HONE__RACED, HONE__CONFIRMED };

struct hone__ranked { /* a working candidate, as measured in screening and then in the race */
  uint32_t *row;
  char *config;
  int64_t evaluation;
  double time_ns, baseline_ns;
  double sample_ns; /* the time it takes to get one: for a program the whole run */
  double ratio;     /* cost of the candidate / cost of the baseline */
  double host_rank; /* by the host: the lowest first; NaN: none */
  double doubt;     /* possible error of the ratio, as |ln|, because the baseline's time changed */
  double rank_ns, rank_baseline_ns; /* the times that the ratio of screening is made of */
  double taken_at; /* by the session's clock; NaN: in an earlier session, or another run */
  size_t site;
  double cap_ns;  /* the cap when it was measured; NaN: none */
  bool is_slow;   /* it was not timed to the end */
  bool is_double; /* an equal object is ranked before it */
  enum hone__tried tried;
  struct hone__task_energy energy;
  double values[HONE__MOST_OBJECTIVES]; /* lower is better; NaN: none */
  bool leads;                           /* a member of the Pareto set: ranked before better ones */
  const char *suspicious;               /* as in its evaluation */
  char key[HONE__DIGEST_SIZE];          /* measure key: equal for equal objects */
};

struct hone__ranking {
  struct hone__ranked *entries;
  size_t count, capacity;
  double best_ratio; /* time / baseline of the best so far; 1 for the baseline */
};

#endif
