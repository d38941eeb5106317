/* ranking.h - all working candidates, as measured in screening and the race, in `ranking` of a
 * tuning.
 *
 *   hone__ranking_add for each, in any order
 *   hone__ranking_order: sorts the best first, by the baseline readings closest to them in time
 *   hone__ranking_pick: the participants of the contest; call again when some of them failed
 *   hone__ranking_find, _remove: by the number of the evaluation, because places change
 */
#ifndef HONE_TUNE_RANKING_H
#define HONE_TUNE_RANKING_H

#include "tune/tuning.h"

enum { HONE__MOST_RACERS = 64 };

struct hone__ranked_time { /* a candidate is ranked by the ratio of these two */
  double time_ns, baseline_ns;
  double at; /* NaN: the baseline's time needs no correction */
  size_t site;
};
/* Ignored if there is no ratio. */
void hone__ranking_add(struct hone__tuning *tuning, const uint32_t *row,
                       const struct hone__evaluation *evaluation,
                       const struct hone__ranked_time *time);
/* Recomputes the ratios of screening from all readings, and sorts by them. */
void hone__ranking_order(struct hone__tuning *tuning);

struct hone__pick {
  size_t places; /* more than this if `rows` rows of all fit into `race_s` */
  unsigned rows;
  double race_s;
  bool promising; /* only those that may be faster than the baseline by more than the margin */
};
/* The places in the ranking of the participants, the best first; returns their number, at most
 * HONE__MOST_RACERS. Confirmed candidates are excluded. */
size_t hone__ranking_pick(const struct hone__tuning *tuning, const struct hone__pick *pick,
                          size_t *out_at);
/* How many may be faster than the baseline by more than the margin, and are not confirmed. */
size_t hone__ranking_promising(const struct hone__tuning *tuning);
/* Seconds for one row of these and the baseline, estimated from screening. */
double hone__ranking_row_s(const struct hone__tuning *tuning, const size_t *at, size_t count);

/* Its cost in screening as a multiple of the baseline's, from medians. */
double hone__ranking_screened(const struct hone__tuning *tuning, const struct hone__ranked *ranked);
/* The best in screening, for reports. NULL: there is none. */
const struct hone__ranked *hone__ranking_best_screened(const struct hone__tuning *tuning);

struct hone__ranked *hone__ranking_find(struct hone__tuning *tuning, int64_t evaluation);
void hone__ranking_remove(struct hone__tuning *tuning, int64_t evaluation);

#endif
