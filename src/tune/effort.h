/* effort.h - how far a search goes where no budget is given.
 *
 * A budget that is given, by the options or the spec, is kept to and nothing else ends the search,
 * unless an effort is given too. Without, the effort is normal: it goes on until nothing was gained
 * for a while, but for small spaces and for strategies that do not learn, which go through all.
 */
#ifndef HONE_TUNE_EFFORT_H
#define HONE_TUNE_EFFORT_H

#include "tune/tuning.h"

/* Once budget and strategy are settled. */
void hone__effort_settle(struct hone__tuning *tuning);

/* "normal", of a run that has one; else "". */
const char *hone__effort_name(const struct hone__tuning *tuning);

/* ": ends after 150 configurations without a gain"; nothing if it goes through all. */
void hone__effort_describe(const struct hone__tuning *tuning, struct hone__text *text);

/* Why it ended before the space was exhausted, and what goes on: told, and kept with the run. */
enum hone__search_end { HONE__END_BY_PATIENCE, HONE__END_BY_COUNT, HONE__END_BY_TIME };
void hone__effort_tell_end(struct hone__tuning *tuning, enum hone__search_end end);

#endif
