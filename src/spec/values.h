/* values.h - a list of distinct values, in the order in which they came. */
#ifndef HONE_SPEC_VALUES_H
#define HONE_SPEC_VALUES_H

#include "spec/value.h"

struct hone__values { /* { 0 } is empty */
  struct hone_value *items;
  size_t count, capacity;
  uint32_t *table; /* index + 1 */
  size_t table_size;
};

enum { HONE__MOST_VALUES = 1 << 22 };

/* Adds a value that is not there yet; the elements of a list one by one. Equal values are one, as
 * in Python: 1, 1.0 and True are equal, and the first stays. False beyond HONE__MOST_VALUES. */
bool hone__values_add(struct hone__values *values, struct hone_value value);
/* Where a value stands, that of an equal one too. */
bool hone__values_find(const struct hone__values *values, struct hone_value value,
                       uint32_t *out_index);
void hone__values_release(struct hone__values *values);

#endif
