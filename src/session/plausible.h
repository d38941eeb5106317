/* plausible.h - whether a time can be true.
 *
 * A result is SUSPICIOUS where it is faster than its machine: its answer could not even be written
 * in that time, its metric is beyond the peak, or it is more than 100 times as fast as the
 * baseline. It may be right all the same, so that it is no failure: it is measured again with every
 * answer compared, marked, and not exported unless a person insists. All bounds are generous, for a
 * mark that is wrong now and then is soon ignored.
 */
#ifndef HONE_SESSION_PLAUSIBLE_H
#define HONE_SESSION_PLAUSIBLE_H

#include "base/text.h"
#include "wire/time_limits.h"

#include <stdbool.h>

struct hone__claimed { /* of one configuration */
  double time_ns;
  double baseline_ns; /* NaN: there is none */
  double flops;       /* a second, by a metric; NaN: none says so */
};

/* Adds why this cannot be believed; false: it can. */
bool hone__is_suspicious(const struct hone__limits *limits, const struct hone__claimed *claimed,
                         struct hone__text *why);

/* What a metric of this name and value claims, as "GFLOP/s" does; NaN: it is about something else.
 */
double hone__flops_of_metric(const char *name, double value);

#endif
