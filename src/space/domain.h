/* domain.h - the values that one parameter may take, in the user's order.
 *
 * A range stays a range: nothing of it is stored, however long it is.
 */
#ifndef HONE_SPACE_DOMAIN_H
#define HONE_SPACE_DOMAIN_H

#include "space/bounds.h"
#include "spec/evaluate.h"

struct hone__domain {
  const char *name; /* without `$` */
  bool runtime;     /* written `$name` */
  bool is_range;
  bool ascending; /* numbers only, each greater than the one before */
  uint8_t types;  /* of its values, a set */
  uint32_t count;
  struct hone__range range;
  const struct hone_value *values;
  uint32_t *table; /* long lists: a hash table of index + 1 */
  uint32_t table_size;
};

/* The values must be distinct and outlive the domain; `arena` holds the table. */
void hone__domain_init_list(struct hone__domain *domain, const struct hone_value *values,
                            uint32_t count, struct hone__arena *arena);
void hone__domain_init_range(struct hone__domain *domain, struct hone__range range);

static inline struct hone_value hone__domain_value(const struct hone__domain *domain,
                                                   uint32_t index)
{
  if (domain->is_range) return hone__int(domain->range.start + (int64_t)index * domain->range.step);
  return domain->values[index];
}

bool hone__domain_find(const struct hone__domain *domain, struct hone_value value,
                       uint32_t *out_index);

/* Bounds of the values first..last. */
struct hone__bounds hone__domain_bounds(const struct hone__domain *domain, uint32_t first,
                                        uint32_t last);

#endif
