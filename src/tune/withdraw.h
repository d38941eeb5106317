/* withdraw.h - what is found wrong after screening, and what it had pushed aside.
 *
 * A candidate that works in screening and fails later has been the measure of others: they were cut
 * off by its time, or stood behind it. So it leaves the ranking, with all that have the same
 * object; the best is sought anew; and those that ended as `slow` only because of it are measured
 * again.
 */
#ifndef HONE_TUNE_WITHDRAW_H
#define HONE_TUNE_WITHDRAW_H

#include "tune/tuning.h"

/* The candidate's evaluation says what it failed of; `evaluation` is its number in the ranking. */
void hone__tuning_withdraw(struct hone__tuning *tuning, struct hone__candidate *candidate,
                           int64_t evaluation);
/* Measures those again whose cap was too low by what is known now, the most promising ones first.
 */
void hone__tuning_rescreen(struct hone__tuning *tuning);

/* Builds all that have no object yet, and waits: most of them are in the cache. */
void hone__candidates_fetch(struct hone__tuning *tuning, struct hone__candidate *const *candidates,
                            size_t count);

#endif
