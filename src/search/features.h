/* features.h - configurations as points, so that a learner can tell how far apart two are.
 *
 * A point has a feature for each parameter: the place of its value in its list, from 0 to 1. Lists
 * of numbers that are not all powers of two also have how often their value can be halved (from 0
 * to 1 within the list), since 64 is often more like 128 than like 72. Values without an order
 * (texts, bools) are either equal or not. In a space of several groups the group is a feature, too.
 * The values of short lists have codes, so that what a learner makes of two of them can be looked
 * up in a table.
 */
#ifndef HONE_SEARCH_FEATURES_H
#define HONE_SEARCH_FEATURES_H

#include "hone.h"

enum { HONE__MOST_CODES = 64 }; /* of a feature that has a table */

struct hone__feature {
  float place, halving;
  uint32_t code; /* 0: the parameter is not of this group */
};

struct hone__features {
  const struct hone_space *space;
  size_t count;
  struct hone__feature_kind { /* by feature */
    const char *name;
    bool has_order, has_halvings;
    uint64_t codes;               /* so many, from 0 on */
    struct hone__feature *values; /* by code; NULL: there are too many */
  } * kinds;
  struct hone__feature_slot { /* by group and parameter */
    uint32_t feature;         /* 1 is the first; 0: none */
    uint32_t code;            /* of its first value */
    bool has_halvings;
    float scale;        /* 1 / (values - 1) */
    float least, range; /* of halvings */
  } * slots;
  size_t most_params;
};

void hone__features_open(struct hone__features *features, const struct hone_space *space);
void hone__features_release(struct hone__features *features);
/* `point` has room for `count` features. A parameter that the row's group does not have is at -1/2.
 */
void hone__features_of(const struct hone__features *features, const uint32_t *row,
                       struct hone__feature *point);

#endif
