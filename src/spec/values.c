#include "spec/values.h"

#include <math.h>
#include <stdlib.h>

static void grow_table(struct hone__values *values)
{
  values->table_size = values->table_size ? 4 * values->table_size : 64;
  free(values->table);
  values->table = hone__alloc(values->table_size * sizeof *values->table);
  for (size_t i = 0; i < values->count; i++) {
    size_t slot = hone__value_hash(values->items[i]) & (values->table_size - 1);
    while (values->table[slot])
      slot = (slot + 1) & (values->table_size - 1);
    values->table[slot] = (uint32_t)i + 1;
  }
}

static bool is_nan(struct hone_value value)
{
  return value.type == HONE_FLOAT && isnan(value.real);
}

/* The slot of an equal value, or the free one where it would be. */
static size_t find_slot(const struct hone__values *values, struct hone_value value)
{
  size_t slot = hone__value_hash(value) & (values->table_size - 1);

  for (; values->table[slot]; slot = (slot + 1) & (values->table_size - 1)) {
    struct hone_value found = values->items[values->table[slot] - 1];
    if (hone__value_equal(found, value) || (is_nan(found) && is_nan(value))) break;
  }
  return slot;
}

bool hone__values_find(const struct hone__values *values, struct hone_value value,
                       uint32_t *out_index)
{
  size_t slot;

  if (!values->table_size) return false;
  slot = find_slot(values, value);
  if (values->table[slot]) *out_index = values->table[slot] - 1;
  return values->table[slot] != 0;
}

static bool add_one(struct hone__values *values, struct hone_value value)
{
  size_t slot;

  if (2 * (values->count + 1) > values->table_size) grow_table(values);
  slot = find_slot(values, value);
  if (values->table[slot]) return true;
  if (values->count >= HONE__MOST_VALUES) return false;
  HONE__GROW(values->items, values->count, values->capacity);
  values->items[values->count++] = value;
  values->table[slot] = (uint32_t)values->count;
  return true;
}

bool hone__values_add(struct hone__values *values, struct hone_value value)
{
  if (value.type != HONE_LIST) return add_one(values, value);
  for (size_t i = 0; i < value.list->count; i++)
    if (!hone__values_add(values, value.list->items[i])) return false;
  return true;
}

void hone__values_release(struct hone__values *values)
{
  free(values->items);
  free(values->table);
  *values = (struct hone__values){0};
}
