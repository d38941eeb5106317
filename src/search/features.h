/* features.h - configurations as points, so that a learner can tell how far apart two are.
 *
 * A parameter is a feature by the place of its value in its list, from 0 to 1. Lists of numbers
 * that are not all powers of two have one more: how often their value can be halved (from 0 to 1
 * within the list), since 64 is often more like 128 than like 72. The group is a feature too.
 * Values without an order (texts, bools) are either equal or not.
 */
#ifndef HONE_SEARCH_FEATURES_H
#define HONE_SEARCH_FEATURES_H

#include "hone.h"

enum hone__feature_kind {
  HONE__FEATURE_PLACE,
  HONE__FEATURE_KIND,   /* a value without an order */
  HONE__FEATURE_HALVING /* of a value whose place is a feature already */
};

struct hone__features {
  const struct hone_space *space;
  size_t count;
  enum hone__feature_kind *kinds; /* by feature */
  struct hone__feature_slot {     /* by group and parameter */
    uint32_t place, halving;      /* features; 0: none */
    float scale;                  /* 1 / (values - 1) */
    float least, range;           /* of halvings */
  } * slots;
  size_t most_params;
};

void hone__features_open(struct hone__features *features, const struct hone_space *space);
void hone__features_release(struct hone__features *features);
/* `point` has room for `count` numbers. A parameter that the row's group does not have is at -1/2.
 */
void hone__features_of(const struct hone__features *features, const uint32_t *row, float *point);

#endif
