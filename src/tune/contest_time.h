/* contest_time.h - the time of race and confirmation: what is expected, and what is allowed.
 *
 * A budget bounds the whole run. The search therefore ends when only the time is left that race and
 * confirmation are expected to need; the expectation is renewed with every result of the search.
 * Race and confirmation then use what is left: they start with fewer finalists if time is short,
 * and end, with whatever is proved, when it is over.
 */
#ifndef HONE_TUNE_CONTEST_TIME_H
#define HONE_TUNE_CONTEST_TIME_H

#include "tune/tuning.h"

/* The least number of processes in which a finalist is confirmed; depends on the first device. */
unsigned hone__contest_restarts(const struct hone__tuning *tuning);
/* True if processes differ little from each other: a device's, or those of a program. */
bool hone__contest_has_equal_processes(const struct hone__tuning *tuning);
/* Rows of one process, if a row takes so long: enough to characterise the process, and to make one
 * disturbance irrelevant. */
unsigned hone__contest_rows(const struct hone__tuning *tuning, double row_s);
/* Rows of a rung of the race. */
unsigned hone__contest_race_rows(const struct hone__tuning *tuning);

/* Seconds until a process is ready, and those for a row of so many finalists and the baseline: the
 * best are about as fast as the best so far. */
double hone__contest_start_s(const struct hone__tuning *tuning);
double hone__contest_row_s(const struct hone__tuning *tuning, size_t finalists);
/* The least seconds for a confirmation, if a row takes so long. */
double hone__contest_least_s(const struct hone__tuning *tuning, double row_s);
/* True if there will be a contest, and the baseline's time is known. */
bool hone__contest_is_foreseen(const struct hone__tuning *tuning);
/* Seconds for race and confirmation, estimated from what is known so far; at most half of the
 * budget. */
double hone__contest_expected_s(const struct hone__tuning *tuning);
/* The same as it usually goes, for those who wait: finalists that are beaten leave early. */
double hone__contest_likely_s(const struct hone__tuning *tuning);
/* Sets the end of the search: the end of the budget less what is expected. */
void hone__contest_reserve(struct hone__tuning *tuning);
/* The seconds that a caller allows for race and confirmation, from now on; INFINITY: no limit. */
double hone__contest_limit_s(const struct hone__tuning *tuning);
/* The end of race and confirmation by the session's clock; INFINITY. Call when the search has
 * ended. */
double hone__contest_end(const struct hone__tuning *tuning);

#endif
