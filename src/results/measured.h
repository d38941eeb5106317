/* measured.h - what a run measured of one configuration, and how far it can be relied on.
 *
 * Reports, tables, pages and exports take their figures, their order and their winner from here.
 * A confirmed figure is of the pairs of the confirmation alone; a figure of screening is of a few
 * samples, and is called so; a slow one is of a measurement that was cut off.
 */
#ifndef HONE_RESULTS_MEASURED_H
#define HONE_RESULTS_MEASURED_H

#include "hone_results.h"
#include "store/stored.h"

struct hone__measured {
  enum hone_basis basis;
  bool is_baseline, is_best;
  double time_ns, speedup, low, high; /* the interval: NaN unless it is confirmed */
  double screen_speedup;
  double baseline_ns; /* of the same pairs; NaN unless it is confirmed */
  uint64_t pairs, restarts, samples;
  /* Of itself. NONE: it is not confirmed, or it left the confirmation because another one was
   * better, with an interval above 1. */
  enum hone_verdict verdict;
};

struct hone__measured hone__measured_read(const struct hone__stored *stored,
                                          const struct hone__store_run_stored *run);

/* The configuration that the run recommends: the winner, or the baseline if no candidate is faster.
 * NULL: it has no verdict, and the first in the order is the best that there is. */
const char *hone__measured_best(const struct hone__store_run_stored *run);

/* Below 0: `a` comes first. What is recommended, then what is confirmed, what was screened and what
 * was cut off; confirmed ones by their speedup. 0: the values decide. */
int hone__measured_compare(const struct hone__measured *a, const struct hone__measured *b);

/* Gives the baseline the time of the pairs in which `best`, the first in the order, was confirmed.
 */
void hone__measured_settle(struct hone__measured *baseline, const struct hone__measured *best);

/* No other confirmed interval reaches that of the best: those that do are tied with it. */
bool hone__measured_is_tied(const struct hone__measured *best, const struct hone__measured *other);

#endif
