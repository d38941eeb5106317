/* quick.h - the bound of a quick run: at most 1.5 times its screening, and a second.
 *
 * Its screening is the time from the start of the run until the last candidate was screened. When
 * that is known, hone__quick_begin sets the moment from which on nothing is waited for
 * (control.cut_at). What is proved until then is the verdict. The calls of one winner, all
 * compared, and the end of the workers are part of the time.
 */
#ifndef HONE_TUNE_QUICK_H
#define HONE_TUNE_QUICK_H

#include "tune/contest.h"

/* To be called when screening has ended: a quick run has a bound from here on. Does nothing for
 * other runs, for one that the user has interrupted, and in a second call. */
void hone__quick_begin(struct hone__tuning *tuning);
bool hone__quick_is_bounded(const struct hone__tuning *tuning);
/* True if a step of so many seconds leaves enough time for the proof, or there is no bound. */
bool hone__quick_has_time(const struct hone__tuning *tuning, double seconds);

/* ---- Within the bound; call only if it is bounded ---- */
/* As many finalists as can be confirmed until `until`, one at least. */
size_t hone__quick_finalists(const struct hone__tuning *tuning, size_t most, double until);
/* Seconds for a race before so many are confirmed. */
double hone__quick_race_s(const struct hone__tuning *tuning, size_t finalists, double until);
/* Seconds for the calls of the winner that are kept for the end. */
double hone__quick_proof_s(const struct hone__tuning *tuning);
/* Another round may be over in time. */
bool hone__quick_has_round(const struct hone__contest *contest);
/* Seconds for its rows; `done` rounds are over. */
double hone__quick_rows_s(const struct hone__contest *contest, unsigned done);
/* Why the verdict is open, and what continues the run. */
const char *hone__quick_reason(void);

#endif
