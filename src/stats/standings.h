/* standings.h - compares candidates with the baseline: takes pairs, gives verdicts.
 *
 * A pair is two times taken back to back in one process. Pairs come in groups, one for each runner
 * process and device: layout and address randomisation are the same within a group, so its pairs
 * are not independent. A claim of being faster therefore needs two proofs: over all pairs (a sign
 * test that may be evaluated after every round), and over the medians of the groups (Student's t),
 * which requires more processes if processes differ.
 */
#ifndef HONE_STATS_STANDINGS_H
#define HONE_STATS_STANDINGS_H

#include "stats/statistics.h"

#include "hone.h"

#include <stdbool.h>
#include <stdint.h>

enum { HONE__MOST_PAIRS = 240 }; /* of an entrant: more would not decide it */

enum hone__claim {
  HONE__CLAIM_OPEN,
  HONE__CLAIM_FASTER,    /* by more than the margin: proved */
  HONE__CLAIM_NOT_FASTER /* by more than the margin: proved */
};

struct hone__standings {
  double margin; /* 0.01: the least speedup that counts as faster */
  double alpha;  /* probability of a wrong claim over all entrants: 0.05 */
  size_t groups_wanted;
  double share; /* quantile of the logs that ranks entrants: 0.5 */
  struct hone__entrant {
    bool out;      /* no more pairs are taken: beaten by others, or failed */
    bool failed;   /* its pairs are ignored */
    bool is_open;  /* it went out before it was decided */
    double chance; /* its share of alpha: probability of a wrong claim that it is faster */
    enum hone__claim claim;
    double *logs; /* ln(reference / cost) */
    double *costs;
    uint32_t *groups;
    size_t count, capacity;
    size_t wins, losses; /* relative to the margin */
  } * entrants;
  size_t count, capacity;
};

/* Starts with this many entrants, which share alpha. */
void hone__standings_init(struct hone__standings *standings, size_t count, double margin);
/* Adds an entrant with its share of alpha, and returns its number. The sum of all shares must not
 * exceed alpha, but the shares of failed entrants may be reused. An entrant with 0 is never proved
 * faster. */
size_t hone__standings_enter(struct hone__standings *standings, double chance);
void hone__standings_release(struct hone__standings *standings);
/* Adds a pair: the cost of the baseline (in a race: of the row) and of the entrant. Lower is
 * better. */
void hone__standings_add(struct hone__standings *standings, size_t entrant, uint32_t group,
                         double reference, double cost);
/* Updates the claims from the pairs so far. */
void hone__standings_judge(struct hone__standings *standings);
/* Speedup over the baseline, with a 95 % interval over pairs and over groups; NaN if there are too
 * few. */
struct hone__estimate hone__standings_speedup(const struct hone__standings *standings,
                                              size_t entrant);
/* How many groups its pairs belong to. */
size_t hone__standings_groups(const struct hone__standings *standings, size_t entrant);
/* The first-ranked entrant that is still in, or of all with this claim, including beaten ones. -1:
 * none. */
int hone__standings_leader(const struct hone__standings *standings, int claim);
/* Drops the entrants that lost to the leader in every row by more than `by`, in at least this many
 * groups and rows. Pairs are added row by row: the last rows of two entrants still in correspond.
 */
void hone__standings_drop_beaten(struct hone__standings *standings, double by, size_t groups,
                                 size_t rows);
/* If the leader has won every pair by far, drops those that are proved not to be better than it by
 * more than the margin: in at least this many groups. */
void hone__standings_drop_ties(struct hone__standings *standings, size_t groups);
/* Those that were dropped come back: the one that they were compared with has failed. */
void hone__standings_readmit(struct hone__standings *standings);
/* Keeps the better half, or `least`, if that is little more; an entrant without pairs stays. */
void hone__standings_halve(struct hone__standings *standings, size_t least);
size_t hone__standings_left(const struct hone__standings *standings);
/* Of these, the leader and those that are behind it by the margin at most, so far. */
size_t hone__standings_close(const struct hone__standings *standings);

/* ---- Verdicts ---- */

/* More pairs would not change what is known of it. */
bool hone__entrant_is_decided(const struct hone__entrant *entrant);
bool hone__standings_are_decided(const struct hone__standings *standings);
/* More pairs would not change the result: all are decided; or the leader is proved faster, and each
 * of the others is decided, or proved not to be better than the leader by more than the margin. */
bool hone__standings_are_settled(const struct hone__standings *standings);
/* It has pairs that count. */
bool hone__entrant_is_confirmed(const struct hone__entrant *entrant);
enum hone_verdict hone__entrant_verdict(const struct hone__entrant *entrant);
/* Every entrant is decided, or beaten by one that is, and at least one is proved not to be faster.
 */
bool hone__standings_none_is_faster(const struct hone__standings *standings);
/* Its pairs point one way, and as many again of the same kind, or a dozen in all, would prove it to
 * be faster: to end now would waste them. */
bool hone__entrant_is_on_course(const struct hone__entrant *entrant);
/* Each of those still in has won every pair by far, and has enough of them for the sign test: only
 * groups are missing, and a few pairs of each suffice. */
bool hone__standings_are_clear(const struct hone__standings *standings);
/* The first of the undecided may or may not be faster by more than the margin. */
bool hone__standings_are_within_noise(const struct hone__standings *standings);
/* The first of those still in; otherwise the first of those proved not to be faster. -1: none. */
int hone__standings_best(const struct hone__standings *standings);

#endif
