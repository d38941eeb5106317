/* statistics.h - what samples say: medians, intervals, and when enough is enough.
 *
 * Comparisons are made on pairs taken back to back: d = ln(baseline / candidate). Their median
 * needs no normality, its interval comes from order statistics, and the decision is a sign test
 * whose evidence may be looked at after every pair (an e-process; Ville's inequality).
 */
#ifndef HONE_STATS_STATISTICS_H
#define HONE_STATS_STATISTICS_H

#include <stddef.h>
#include <stdint.h>

double hone__median(const double *values, size_t count); /* NaN of none */
double hone__quantile(const double *values, size_t count, double share);

struct hone__estimate {
  double value, low, high; /* low and high are -+INFINITY where there are too few values */
};
/* The median with its interval of at least this confidence. */
struct hone__estimate hone__median_interval(const double *values, size_t count, double confidence);

/* An interval is told only if it covers this many processes: layout and pages differ between them,
 * and pairs of one process cannot show by how much. */
enum { HONE__LEAST_RESTARTS = 3 };
/* The bound of an interval that was made from that many processes, or NaN. */
double hone__covering_bound(double bound, int64_t restarts);

/* ln of the e-value of `wins` in `trials` fair coin tosses. */
double hone__sign_evidence(size_t wins, size_t trials);

/* Of a few values that may differ more than their own noise explains: the mean, less or plus what
 * Student's t allows at this one-sided chance; -+INFINITY of fewer than two. */
double hone__mean_bound(const double *values, size_t count, double chance, int side);

/* The chance of at most this many wins in `trials` fair coin tosses. */
double hone__sign_chance(size_t wins, size_t trials);

#endif
