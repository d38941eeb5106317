/* likeness.h - how alike two points are, from 0 to 1.
 *
 * A feature makes two points alike by exp(-distance): its places add the slope for every unit of
 * difference and a step for any, and so do its halvings. The points' likeness is a mixture over the
 * features: the mean of them (what each does by itself), the mean of the products of two (what
 * pairs do together) and the product of all. Slopes and shares of the mixture are made of scales,
 * which a model learns.
 *
 * exp is its own, so that all machines make the same of the same points; of short lists it is
 * looked up.
 */
#ifndef HONE_SEARCH_LIKENESS_H
#define HONE_SEARCH_LIKENESS_H

#include "base/random.h"
#include "search/features.h"

struct hone__likeness {
  const struct hone__features *of;
  size_t count; /* features */
  struct hone__likeness_part {
    const struct hone__feature_kind *kind;
    float slope, halving_slope, step;
    float *table; /* by two codes; NULL: there are too many */
  } * parts;      /* by feature */
  double *scales; /* of places, of halvings, and two of the mixture */
  size_t scale_count;
  float sums, pairs, product; /* weights of the mixture, for the sums over parts and pairs */
};

void hone__likeness_open(struct hone__likeness *likeness, const struct hone__features *features);
void hone__likeness_release(struct hone__likeness *likeness);

/* Of a point to each of `count` others, which follow one another. */
void hone__likeness_of(const struct hone__likeness *likeness, const struct hone__feature *point,
                       const struct hone__feature *others, size_t count, float *out_likenesses);

void hone__likeness_set(struct hone__likeness *likeness, const double *scales);
/* Other scales: all a little, or one of them more. */
void hone__likeness_vary(struct hone__likeness *likeness, struct hone__random *random);
/* How unusual the scales are: half the sum of their squared deviations. */
double hone__likeness_oddity(const struct hone__likeness *likeness);

#endif
