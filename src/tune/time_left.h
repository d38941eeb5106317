/* time_left.h - how long a command will still take: the rest of the search, race and confirmation,
 * and the problems after this one. For the status line; nothing else depends on it.
 */
#ifndef HONE_TUNE_TIME_LEFT_H
#define HONE_TUNE_TIME_LEFT_H

#include "tune/tuning.h"

/* Seconds until the verdict of the last problem; NaN: not known yet. */
double hone__tuning_time_left_s(const struct hone__tuning *tuning);
/* When a race or a confirmation begins: it is expected to take as long as such things do, and ends
 * by `limit`. */
void hone__tuning_expect_contest(struct hone__tuning *tuning, double limit);
struct hone__tuning_last_round { /* of a confirmation, which has just ended */
  double began;
  size_t measured, left, close;       /* candidates: in it, still in, and not beaten so far */
  unsigned full_rounds, close_rounds; /* to come: with all that are still in, and without others */
};

/* A candidate is expected to take as long in a round as it did in the last one. */
void hone__tuning_expect_rounds(struct hone__tuning *tuning,
                                const struct hone__tuning_last_round *last, double limit);

#endif
