/* taken.h - the samples behind a row: what a change between two runs is judged by.
 *
 * Samples of one process share its layout and its pages, so that processes are the units: `logs`
 * has the logarithm of each process's median. Without a confirmation there is one process.
 */
#ifndef HONE_RESULTS_TAKEN_H
#define HONE_RESULTS_TAKEN_H

#include "base/memory.h"
#include "hone_results.h"
#include "stats/statistics.h"

struct hone__taken {
  double *logs; /* ln of the median in ns, one for each process */
  size_t process_count;
  double *times_ns;
  size_t time_count;
};

/* The change from `first` to `second`: ln(second / first) with a 95 % interval; -+INFINITY where
 * there are too few samples for one. */
struct hone__estimate hone__taken_difference(const struct hone__taken *first,
                                             const struct hone__taken *second);

/* SAME: the whole interval is within the margin. FASTER and SLOWER: it does not hold "no change".
 */
enum hone_change hone__taken_judge(const struct hone__estimate *difference, double margin);

#endif
