/* withdraw.h - removes candidates that fail after screening, and repairs their effects.
 *
 * A candidate that works in screening and fails later has affected others: they were cut off by its
 * time, or ranked behind it. It leaves the ranking with all that have the same object; the best is
 * searched for again; and those that ended as `slow` only because of it are measured again.
 */
#ifndef HONE_TUNE_WITHDRAW_H
#define HONE_TUNE_WITHDRAW_H

#include "tune/tuning.h"

/* The candidate's evaluation has the failure; `evaluation` is its number in the ranking. */
void hone__tuning_withdraw(struct hone__tuning *tuning, struct hone__candidate *candidate,
                           int64_t evaluation);
/* Measures again the candidates whose cap was too low, the most promising first. */
void hone__tuning_rescreen(struct hone__tuning *tuning);

/* Builds all that have no object yet, and waits: most of them are in the cache. */
void hone__candidates_fetch(struct hone__tuning *tuning, struct hone__candidate *const *candidates,
                            size_t count);

#endif
