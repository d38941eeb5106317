/* standings.h - candidates against the baseline: pairs in, verdicts out.
 *
 * A pair is two times taken back to back in one process. Pairs come in groups, one for each runner
 * process and device: layout and address randomisation are the same within a group, so that a claim
 * must hold in all of them.
 */
#ifndef HONE_EXEC_STANDINGS_H
#define HONE_EXEC_STANDINGS_H

#include "exec/statistics.h"

#include <stdbool.h>
#include <stdint.h>

enum hone_claim {
  HONE_CLAIM_OPEN,
  HONE_CLAIM_FASTER,     /* by more than the margin: proved, and no group contradicts */
  HONE_CLAIM_NOT_FASTER, /* by more than the margin: proved */
  HONE_CLAIM_MIXED       /* faster over all, but a group contradicts beyond chance */
};

struct hone_standings {
  double margin; /* 0.01: what counts as faster */
  double alpha;  /* of a wrong claim, over all entrants: 0.05 */
  size_t groups_wanted;
  double share; /* quantile of the logs by which entrants are ranked: 0.5 */
  struct hone_entrant {
    bool out; /* beaten by others: no pairs are taken any more */
    enum hone_claim claim;
    double *logs; /* ln(reference / cost) */
    double *costs;
    uint32_t *groups;
    size_t count, capacity;
    size_t wins, losses; /* against the margin */
  } * entrants;
  size_t count;
};

void hone__standings_init(struct hone_standings *standings, size_t count, double margin);
void hone__standings_release(struct hone_standings *standings);
/* A pair: what the baseline (in a race: the row) cost, and what the entrant did. Less is better. */
void hone__standings_add(struct hone_standings *standings, size_t entrant, uint32_t group,
                         double reference, double cost);
/* Forms the claims from what is there. */
void hone__standings_judge(struct hone_standings *standings);
/* Speed over the baseline, with an interval that holds for all entrants at once and covers the
 * medians of the groups; NaN where there are too few pairs for one. */
struct hone_estimate hone__standings_speedup(const struct hone_standings *standings,
                                             size_t entrant);
/* The entrant that ranks first, of those with this claim (-1: of all); -1: none. */
int hone__standings_leader(const struct hone_standings *standings, int claim);
/* Takes out who lost to the leader in every one of at least `rows` rows by more than the margin.
 * Entrants' pairs are row by row, so that the last rows of two that are in belong together. */
void hone__standings_drop_beaten(struct hone_standings *standings, size_t rows);
/* Leaves the better half in, at least `least`. */
void hone__standings_halve(struct hone_standings *standings, size_t least);
size_t hone__standings_left(const struct hone_standings *standings);

#endif
