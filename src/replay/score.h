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

enum { HONE_SCORE_POINTS = 200 };

struct hone_score_scale { /* of one recording */
  double *descending_ms;  /* working times, slowest first */
  size_t count;
  double best_ms, median_ms;
  double evaluation_s;            /* the median cost of an evaluation */
  uint64_t first, last;           /* evaluations of random search at 1 % and at 95 % of the way */
  double at_s[HONE_SCORE_POINTS]; /* where a run is looked at; the last one is the budget */
};

struct hone_step { /* of a run: one evaluation */
  double at_s;     /* when it was done */
  double time_ms;  /* NaN: it failed */
};

void hone__score_scale(const struct hone_recording *recording, struct hone_score_scale *out_scale);
void hone__score_scale_release(struct hone_score_scale *scale);

/* The best so far at each point; before the first one works, what random search has, or the median,
 * whichever is worse. */
void hone__score_curve(const struct hone_score_scale *scale, const struct hone_step *steps,
                       size_t count, double *out_curve);
/* P of the mean of curves. */
double hone__score(const struct hone_score_scale *scale, const double *mean_curve);

#endif
