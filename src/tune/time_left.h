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
/* After `done` of `wanted` processes of a confirmation: each of the others is expected to take as
 * long as the last one, which began at this moment. */
void hone__tuning_expect_rounds(struct hone__tuning *tuning, unsigned done, unsigned wanted,
                                double began, double limit);

#endif
