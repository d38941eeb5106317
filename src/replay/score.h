/* score.h - how good a search was: the metric of Willemsen et al., "A methodology for comparing
 * optimization algorithms for auto-tuning" (2024).
 *
 * What random search is expected to have found after so much time is computed, not drawn. P is how
 * far a search is from there to the optimum, over the time that random search needs for 95 % of the
 * way from the median to the optimum: 0 is as random, 1 the optimum at once, below 0 worse.
 */
#ifndef HONE_REPLAY_SCORE_H
#define HONE_REPLAY_SCORE_H

#include "replay/recording.h"

enum { HONE__SCORE_POINTS = 200 };

struct hone__score_scale { /* of one recording */
  double *descending_ms;   /* working times, slowest first */
  size_t count;
  double best_ms, median_ms;
  double evaluation_s;             /* the median cost of an evaluation */
  uint64_t first, last;            /* evaluations of random search at 1 % and at 95 % of the way */
  double at_s[HONE__SCORE_POINTS]; /* where a run is looked at; the last one is the budget */
};

struct hone__replay_step { /* of a run: one evaluation */
  double at_s;             /* when it was done */
  double time_ms;          /* NaN: it failed */
};

/* At least one configuration of the recording works. */
void hone__score_scale(const struct hone__recording *recording,
                       struct hone__score_scale *out_scale);
void hone__score_scale_release(struct hone__score_scale *scale);

/* Points from `first_s` to `last_s`, for figures over another time than that of the metric. */
void hone__score_points(double first_s, double last_s, double *out_points);

/* The best so far at each of the points; before the first one works, what random search has, or the
 * median, whichever is worse. Times of steps are multiplied by `stretch`. */
void hone__score_curve(const struct hone__score_scale *scale, const double *points,
                       const struct hone__replay_step *steps, size_t count, double stretch,
                       double *out_curve);
/* P of the mean of curves; NaN: random search has nothing left to find at any point. */
double hone__score(const struct hone__score_scale *scale, const double *points,
                   const double *mean_curve);

#endif
