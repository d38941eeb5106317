/* standings.h - candidates against the baseline: pairs in, verdicts out.
 *
 * A pair is two times taken back to back in one process. Pairs come in groups, one for each runner
 * process and device: layout and address randomisation are the same within a group, so that its
 * pairs are not independent. A claim of being faster therefore needs two proofs: over all pairs (a
 * sign test that may be looked at after every round), and over the medians of the groups (Student's
 * t), which requests more processes where processes differ.
 */
#ifndef HONE_STATS_STANDINGS_H
#define HONE_STATS_STANDINGS_H

#include "stats/statistics.h"

#include <stdbool.h>
#include <stdint.h>

enum hone__claim {
  HONE__CLAIM_OPEN,
  HONE__CLAIM_FASTER,    /* by more than the margin: proved */
  HONE__CLAIM_NOT_FASTER /* by more than the margin: proved */
};

struct hone__standings {
  double margin; /* 0.01: what counts as faster */
  double alpha;  /* of a wrong claim, over all entrants: 0.05 */
  size_t groups_wanted;
  double share; /* quantile of the logs by which entrants are ranked: 0.5 */
  struct hone__entrant {
    bool out;      /* no pairs are taken any more: beaten by others, or failed */
    bool failed;   /* its pairs count for nothing */
    double chance; /* of a wrong claim that it is faster: its part of alpha */
    enum hone__claim claim;
    double *logs; /* ln(reference / cost) */
    double *costs;
    uint32_t *groups;
    size_t count, capacity;
    size_t wins, losses; /* against the margin */
  } * entrants;
  size_t count, capacity;
};

/* With this many entrants, among whom alpha is shared out. */
void hone__standings_init(struct hone__standings *standings, size_t count, double margin);
/* One more, with its part of alpha: all parts together must not be more than that, but for those of
 * entrants that failed, which others may take over; with 0 it is never proved faster. Returns its
 * number. */
size_t hone__standings_enter(struct hone__standings *standings, double chance);
void hone__standings_release(struct hone__standings *standings);
/* A pair: what the baseline (in a race: the row) cost, and what the entrant did. Less is better. */
void hone__standings_add(struct hone__standings *standings, size_t entrant, uint32_t group,
                         double reference, double cost);
/* Forms the claims from what is there. */
void hone__standings_judge(struct hone__standings *standings);
/* Speed over the baseline, with an interval of 95 %, over pairs and over groups; NaN where there
 * are too few for one. */
struct hone__estimate hone__standings_speedup(const struct hone__standings *standings,
                                              size_t entrant);
/* How many groups its pairs are of. */
size_t hone__standings_groups(const struct hone__standings *standings, size_t entrant);
/* The entrant that ranks first of those who are in; or of all with this claim, beaten ones too. -1:
 * none. */
int hone__standings_leader(const struct hone__standings *standings, int claim);
/* Takes out who lost to the leader in every row by more than the margin, in as many groups as are
 * wanted. Pairs are row by row: the last rows of two that are in belong together. */
void hone__standings_drop_beaten(struct hone__standings *standings);
/* Leaves the better half in, at least `least`; who has no pairs yet stays. */
void hone__standings_halve(struct hone__standings *standings, size_t least);
size_t hone__standings_left(const struct hone__standings *standings);

#endif
