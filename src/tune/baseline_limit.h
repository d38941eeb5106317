/* baseline_limit.h - a budget bounds the first readings of the baseline, too.
 *
 *   hone__baseline_limit_begin(&limit, tuning)   before the first readings
 *   hone__baseline_limit_end(&limit)             after them
 *
 * A little after the end of a given budget the readings are given up. Without a budget nothing is
 * limited.
 */
#ifndef HONE_TUNE_BASELINE_LIMIT_H
#define HONE_TUNE_BASELINE_LIMIT_H

#include "tune/tuning.h"

struct hone__baseline_limit {
  struct hone__tuning *tuning;
  double stop_at; /* of the search, as it was */
};

void hone__baseline_limit_begin(struct hone__baseline_limit *limit, struct hone__tuning *tuning);
void hone__baseline_limit_end(struct hone__baseline_limit *limit);

/* Seconds for the samples of one reading; 0: no limit. At least one sample is taken. */
double hone__baseline_limit_samples_s(const struct hone__tuning *tuning);
/* True if the budget has ended: nothing is begun any more. */
bool hone__baseline_limit_is_over(const struct hone__tuning *tuning);
/* True if the budget ended before the baseline was timed. */
bool hone__baseline_limit_was_met(const struct hone__tuning *tuning);
/* True if there is no time for another reading, or no need: nothing was compared with it. */
bool hone__baseline_limit_is_near(const struct hone__tuning *tuning);
/* Warns if the budget is too short for a verdict, because calls of the baseline take long. */
void hone__baseline_limit_warn(struct hone__tuning *tuning);
/* Why no candidate was measured in the budget. Lives as long as the session. */
const char *hone__baseline_limit_reason(struct hone__tuning *tuning);

#endif
