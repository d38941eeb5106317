/* plausible.h - whether a time is plausible.
 *
 * A result is SUSPICIOUS if it is faster than its machine: its answer could not even be written in
 * that time, its metric is above the peak, or it is more than 100 times as fast as the baseline. It
 * may still be right, so it is not a failure: it is measured again with every answer compared,
 * marked, and not exported unless the user insists. All bounds are generous, because marks that are
 * sometimes wrong would be ignored.
 */
#ifndef HONE_SESSION_PLAUSIBLE_H
#define HONE_SESSION_PLAUSIBLE_H

#include "base/text.h"
#include "wire/time_limits.h"

#include <stdbool.h>

struct hone__claimed { /* for one configuration */
  double time_ns;
  double baseline_ns; /* NaN: there is none */
  double flops;       /* per second, from a metric; NaN: no metric gives it */
};

/* Adds why this is not plausible; false: it is. */
bool hone__session_is_suspicious(const struct hone__limits *limits,
                                 const struct hone__claimed *claimed, struct hone__text *why);

/* The FLOP/s claimed by a metric of this name and value, such as "GFLOP/s"; NaN: not such a metric.
 */
double hone__flops_of_metric(const char *name, double value);

#endif
