/* features.h - configurations as points, so that a learner can tell how far apart two are.
 *
 * Each parameter name is one feature, and the group another: the place of the value in its list,
 * from 0 to 1. Values without an order (texts, bools) are either equal or not.
 */
#ifndef HONE_SEARCH_FEATURES_H
#define HONE_SEARCH_FEATURES_H

#include "hone.h"

struct hone_features {
  const struct hone_space *space;
  size_t count;
  bool *is_ordered;     /* by feature */
  uint32_t *slots;      /* by group and parameter: its feature */
  float *scales;        /* likewise: 1 / (values - 1) */
  size_t most_params;
};

void hone__features_open(struct hone_features *features, const struct hone_space *space);
void hone__features_release(struct hone_features *features);
/* `point` has room for `count` numbers. A parameter that the row's group does not have is at -1/2.
 */
void hone__features_of(const struct hone_features *features, const uint32_t *row, float *point);

#endif
