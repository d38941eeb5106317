/* statistics.h - statistics of samples: medians, intervals, and when there is enough evidence.
 *
 * Comparisons are made on pairs taken back to back: d = ln(baseline / candidate). Their median
 * needs no normality, its interval comes from order statistics, and the decision is a sign test
 * whose evidence may be evaluated after every pair (an e-process; Ville's inequality).
 */
#ifndef HONE_STATS_STATISTICS_H
#define HONE_STATS_STATISTICS_H

#include <stddef.h>
#include <stdint.h>

double hone__median(const double *values, size_t count); /* NaN if there are none */
double hone__quantile(const double *values, size_t count, double share);

struct hone__estimate {
  double value, low, high; /* low and high are -+INFINITY if there are too few values */
};
/* The median and an interval of at least this confidence. */
struct hone__estimate hone__median_interval(const double *values, size_t count, double confidence);

/* An interval is reported only if it covers this many processes: layout and pages differ between
 * processes, and pairs of one process cannot show by how much. */
enum { HONE__LEAST_RESTARTS = 2 };
/* The bound of an interval made from that many processes, or NaN. */
double hone__covering_bound(double bound, int64_t restarts);

/* ln of the e-value of `wins` in `trials` tosses of a coin that is fair, or falls rarely on wins:
 * all more frequent ones are equally likely instead. */
double hone__sign_evidence(size_t wins, size_t trials);

/* For a few values that may differ by more than their own noise: the mean, minus or plus the margin
 * of Student's t at this one-sided probability; -+INFINITY for fewer than two. */
double hone__mean_bound(const double *values, size_t count, double chance, int side);

/* The difference of the means, second less first, of two independent groups of values whose noise
 * may differ (Welch); -+INFINITY for fewer than two values in one of them. */
struct hone__estimate hone__welch_interval(const double *first, size_t first_count,
                                           const double *second, size_t second_count,
                                           double confidence);

/* The probability of at most this many wins in `trials` fair coin tosses. */
double hone__sign_chance(size_t wins, size_t trials);

#endif
