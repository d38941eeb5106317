/* patience.h - ends a search after enough evaluations without a gain.
 *
 *   hone__patience_open(&patience, 150, 0.5);   ends after max(150, half of all) without a gain
 *   hone__patience_note(&patience, costs, 1);   for every evaluation, in order
 *   hone__patience_left(&patience)              0: it is over
 *
 * { 0 } never ends. A gain is a cost more than half a percent below the best: less is noise. Each
 * of several costs has its own best.
 */
#ifndef HONE_TUNE_PATIENCE_H
#define HONE_TUNE_PATIENCE_H

#include <stddef.h>
#include <stdint.h>

enum { HONE__PATIENCE_COSTS = 4 };

struct hone__patience {
  uint64_t least;                    /* evaluations; 0: no limit */
  double share;                      /* of all evaluations, if that is more */
  double best[HONE__PATIENCE_COSTS]; /* of each cost, at its last gain */
  uint64_t evaluated, gained_at;
};

void hone__patience_open(struct hone__patience *patience, uint64_t least, double share);
/* Costs relative to the baseline's, which are 1; NaN: it failed. */
void hone__patience_note(struct hone__patience *patience, const double *costs, size_t count);
/* Evaluations without a gain that are left; UINT64_MAX: no limit. */
uint64_t hone__patience_left(const struct hone__patience *patience);
/* Evaluations since the last gain. */
uint64_t hone__patience_used(const struct hone__patience *patience);

#endif
