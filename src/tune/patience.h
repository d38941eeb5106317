/* patience.h - when a search has gone on for long enough without a gain.
 *
 *   hone__patience_open(&patience, 150, 0.5);   ends after max(150, half of all) without a gain
 *   hone__patience_note(&patience, costs, 1);   of every evaluation, in their order
 *   hone__patience_left(&patience)              0: it is over
 *
 * { 0 } has no end. A gain is a cost below the best one by more than half a percent: less than that
 * is what chance brings. Of several costs each has a best one of its own.
 */
#ifndef HONE_TUNE_PATIENCE_H
#define HONE_TUNE_PATIENCE_H

#include <stddef.h>
#include <stdint.h>

enum { HONE__PATIENCE_COSTS = 4 };

struct hone__patience {
  uint64_t least;                    /* evaluations; 0: without end */
  double share;                      /* of all evaluations, if that is more */
  double best[HONE__PATIENCE_COSTS]; /* of each cost, when it last was a gain */
  uint64_t evaluated, gained_at;
};

void hone__patience_open(struct hone__patience *patience, uint64_t least, double share);
/* Relative to the baseline, whose own are 1; NaN: it failed. */
void hone__patience_note(struct hone__patience *patience, const double *costs, size_t count);
/* Evaluations without a gain until it is over; UINT64_MAX: without end. */
uint64_t hone__patience_left(const struct hone__patience *patience);
/* Evaluations since the last gain. */
uint64_t hone__patience_used(const struct hone__patience *patience);

#endif
