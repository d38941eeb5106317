/* ranking.h - all candidates that work, as screening saw them, in `ranking` of a tuning.
 *
 *   hone__ranking_add for each, in any order
 *   hone__ranking_choose: those who take part in the contest come first
 *   hone__ranking_row_s: how long they take
 */
#ifndef HONE_TUNE_RANKING_H
#define HONE_TUNE_RANKING_H

#include "tune/tuning.h"

/* It is ranked by the ratio of what these two times cost, and left out if there is none. */
void hone__ranking_add(struct hone_tuning *tuning, const uint32_t *row,
                       const struct hone_evaluation *evaluation, double time_ns,
                       double baseline_ns);
/* Puts those first who take part, the best of them before all; how many. More than the finalists
 * are as many as `rows` rows of them fit into `race_s`. */
size_t hone__ranking_choose(struct hone_tuning *tuning, unsigned rows, double race_s);
/* Seconds that one row of this many and the baseline takes, by what screening saw. */
double hone__ranking_row_s(const struct hone_tuning *tuning, size_t count);

#endif
