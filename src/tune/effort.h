/* effort.h - how long a search runs without a budget.
 *
 * If options or spec give a budget, only the budget ends the search, unless an effort is given too.
 * Without a budget the effort is normal: the search ends after a while without a gain. Small
 * spaces, and strategies that do not learn, are searched completely.
 */
#ifndef HONE_TUNE_EFFORT_H
#define HONE_TUNE_EFFORT_H

#include "tune/tuning.h"

/* Call after budget and strategy are settled. */
void hone__effort_settle(struct hone__tuning *tuning);

/* "normal" for a run that has an effort; otherwise "". */
const char *hone__effort_name(const struct hone__tuning *tuning);

/* ": ends after 150 configurations without a gain"; nothing if the space is searched completely. */
void hone__effort_describe(const struct hone__tuning *tuning, struct hone__text *text);

/* Reports that the budget covers the whole space, if it does. */
void hone__effort_report_cover(struct hone__tuning *tuning);

/* Reports and stores why the search ended before the space was exhausted, how to continue, and what
 * the search expects to have left. */
enum hone__effort_end { HONE__END_BY_PATIENCE, HONE__END_BY_COUNT, HONE__END_BY_TIME };
void hone__effort_report_end(struct hone__tuning *tuning, enum hone__effort_end end);

#endif
