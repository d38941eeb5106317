/* A list with more than a few values has a hash table, so that finding a value never scans it. */
#include "space/domain.h"

#include <math.h>

enum { SHORT_LIST = 12 };

static void make_table(struct hone__domain *domain, struct hone__arena *arena)
{
  uint32_t size = 32;

  while (size < 2 * domain->count)
    size *= 2;
  domain->table = hone__arena_alloc(arena, size * sizeof *domain->table);
  domain->table_size = size;
  for (uint32_t i = 0; i < domain->count; i++) {
    uint32_t slot = (uint32_t)hone__value_hash(domain->values[i]) & (size - 1);
    while (domain->table[slot])
      slot = (slot + 1) & (size - 1);
    domain->table[slot] = i + 1;
  }
}

void hone__domain_init_list(struct hone__domain *domain, const struct hone_value *values,
                            uint32_t count, struct hone__arena *arena)
{
  domain->is_range = false;
  domain->values = values;
  domain->count = count;
  domain->types = 0;
  for (uint32_t i = 0; i < count; i++)
    domain->types |= (uint8_t)(1u << values[i].type);
  domain->ascending = !(domain->types & ~(HONE__T_INT | HONE__T_FLOAT));
  for (uint32_t i = 1; i < count && domain->ascending; i++)
    domain->ascending = hone__value_compare(values[i - 1], values[i]) == -1;
  if (count > SHORT_LIST) make_table(domain, arena);
}

void hone__domain_init_range(struct hone__domain *domain, struct hone__range range)
{
  HONE__ASSERT(range.step != 0 && range.count <= UINT32_MAX);
  domain->is_range = true;
  domain->range = range;
  domain->count = (uint32_t)range.count;
  domain->types = HONE__T_INT;
  domain->ascending = range.step > 0;
}

static bool find_in_range(const struct hone__domain *domain, struct hone_value value,
                          uint32_t *out_index)
{
  int64_t integer, offset;

  if (value.type == HONE_FLOAT) {
    if (!hone__real_is_int(value.real, &integer)) return false;
  } else if (value.type == HONE_INT || value.type == HONE_BOOL) {
    integer = value.integer;
  } else {
    return false;
  }
  if (__builtin_sub_overflow(integer, domain->range.start, &offset)) return false;
  if (offset == INT64_MIN) return false; /* no range is that long */
  if (offset % domain->range.step != 0) return false;
  offset /= domain->range.step;
  if (offset < 0 || offset >= (int64_t)domain->count) return false;
  *out_index = (uint32_t)offset;
  return true;
}

bool hone__domain_find(const struct hone__domain *domain, struct hone_value value,
                       uint32_t *out_index)
{
  if (domain->is_range) return find_in_range(domain, value, out_index);
  if (!domain->table) {
    for (uint32_t i = 0; i < domain->count; i++) {
      if (hone__value_equal(domain->values[i], value)) {
        *out_index = i;
        return true;
      }
    }
    return false;
  }
  for (uint32_t slot = (uint32_t)hone__value_hash(value) & (domain->table_size - 1);
       domain->table[slot]; slot = (slot + 1) & (domain->table_size - 1)) {
    uint32_t index = domain->table[slot] - 1;
    if (hone__value_equal(domain->values[index], value)) {
      *out_index = index;
      return true;
    }
  }
  return false;
}

static struct hone__bounds range_bounds(const struct hone__domain *domain, uint32_t first,
                                        uint32_t last)
{
  int64_t a = hone__domain_value(domain, first).integer;
  int64_t b = hone__domain_value(domain, last).integer;

  return (struct hone__bounds){.kind = HONE__BOUNDS_INT,
                               .lo = a < b ? a : b,
                               .hi = a < b ? b : a,
                               .factor =
                                   hone__common_factor(domain->range.step, domain->range.start)};
}

struct hone__bounds hone__domain_bounds(const struct hone__domain *domain, uint32_t first,
                                        uint32_t last)
{
  struct hone__bounds bounds = {.kind = HONE__BOUNDS_INT};
  double low = INFINITY, high = -INFINITY;

  HONE__ASSERT_SLOW(first <= last && last < domain->count);
  if (first == last) return hone__bounds_exact(hone__domain_value(domain, first));
  if (domain->is_range) return range_bounds(domain, first, last);
  if (domain->types & ~HONE__T_NUMBER) return (struct hone__bounds){.kind = HONE__BOUNDS_ANY};
  if (domain->types & HONE__T_FLOAT) {
    for (uint32_t i = first; i <= last; i++) {
      struct hone_value v = domain->values[i];
      double x = v.type == HONE_FLOAT ? v.real : (double)v.integer;
      if (isnan(x) || fabs(x) > 9e15) return (struct hone__bounds){.kind = HONE__BOUNDS_ANY};
      low = fmin(low, x);
      high = fmax(high, x);
    }
    return (struct hone__bounds){.kind = HONE__BOUNDS_REAL, .low = low, .high = high};
  }
  bounds.lo = INT64_MAX;
  bounds.hi = INT64_MIN;
  for (uint32_t i = first; i <= last; i++) {
    int64_t x = domain->values[i].integer;
    if (x < bounds.lo) bounds.lo = x;
    if (x > bounds.hi) bounds.hi = x;
    bounds.factor = hone__common_factor(bounds.factor, x);
  }
  return bounds;
}
