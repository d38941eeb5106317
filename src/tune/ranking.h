/* ranking.h - all candidates that work, as screening and the race saw them, in `ranking` of a
 * tuning.
 *
 *   hone__ranking_add for each, in any order
 *   hone__ranking_order: the best come first, by the readings of the baseline next to them
 *   hone__ranking_pick: who takes part in the contest; again when some of them failed
 *   hone__ranking_find, _remove: by the number of the evaluation, since places change
 */
#ifndef HONE_TUNE_RANKING_H
#define HONE_TUNE_RANKING_H

#include "tune/tuning.h"

enum { HONE__MOST_RACERS = 64 };

struct hone__ranked_time { /* what a candidate is ranked by: the ratio of what these two cost */
  double time_ns, baseline_ns;
  double at; /* NaN: the baseline's time is right as it is */
  size_t site;
};
/* Left out if there is no ratio. */
void hone__ranking_add(struct hone__tuning *tuning, const uint32_t *row,
                       const struct hone__evaluation *evaluation,
                       const struct hone__ranked_time *time);
/* Makes the ratios of screening anew from all readings, and sorts by them. */
void hone__ranking_order(struct hone__tuning *tuning);

struct hone__pick {
  size_t places; /* more than these as far as `rows` rows of all fit into `race_s` */
  unsigned rows;
  double race_s;
  bool promising; /* only those that may be faster than the baseline by more than the margin */
};
/* The places in the ranking of those who take part, the best first; how many, HONE__MOST_RACERS at
 * most. Who was confirmed is none of them. */
size_t hone__ranking_pick(const struct hone__tuning *tuning, const struct hone__pick *pick,
                          size_t *out_at);
/* Those that may be faster than the baseline by more than the margin, and were not confirmed. */
size_t hone__ranking_promising(const struct hone__tuning *tuning);
/* Seconds that one row of these and the baseline takes, by what screening saw. */
double hone__ranking_row_s(const struct hone__tuning *tuning, const size_t *at, size_t count);

/* What it cost in screening, as a multiple of the baseline: of medians, as when it was found. */
double hone__ranking_screened(const struct hone__tuning *tuning, const struct hone__ranked *ranked);
/* The one that a report calls the best in screening. NULL: there is none. */
const struct hone__ranked *hone__ranking_best_screened(const struct hone__tuning *tuning);

struct hone__ranked *hone__ranking_find(struct hone__tuning *tuning, int64_t evaluation);
void hone__ranking_remove(struct hone__tuning *tuning, int64_t evaluation);

#endif
