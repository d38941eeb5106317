/* One array of values, and a table of numbers by content. */
#include "space/states.h"
#include "base/hash.h"

#include <stdlib.h>

static uint64_t hash_values(const struct hone_value *values, uint32_t count)
{
  uint64_t hash = 7;

  for (uint32_t i = 0; i < count; i++)
    hash = hone__hash_add(hash, (uint64_t)values[i].integer * 8 + values[i].type);
  return hone__mix(hash);
}

static bool same_values(const struct hone_value *a, const struct hone_value *b, uint32_t count)
{
  for (uint32_t i = 0; i < count; i++)
    if (a[i].integer != b[i].integer || a[i].type != b[i].type) return false;
  return true;
}

static hone_status grow(struct hone__states *states, struct hone__budget *budget)
{
  size_t size = states->table_size ? 4 * states->table_size : 256, item;
  uint32_t *table;
  hone_status status;

  if (2 * (states->count + 1) > states->table_size) {
    status = hone__budget_take(budget, (size - states->table_size) * sizeof *table);
    if (status) return status;
    table = hone__alloc(size * sizeof *table);
    for (size_t i = 0; i < states->count; i++) {
      uint64_t hash = hash_values(states->values + i * states->width, states->width);
      size_t slot = hash & (size - 1);
      while (table[slot])
        slot = (slot + 1) & (size - 1);
      table[slot] = (uint32_t)i + 1;
    }
    free(states->table);
    states->table = table;
    states->table_size = size;
  }
  item = (states->width ? states->width : 1) * sizeof *states->values;
  return hone__budget_reserve(budget, &states->values, &states->capacity, states->count + 1, item);
}

hone_status hone__states_find(struct hone__states *states, struct hone__budget *budget,
                              const struct hone_value *values, uint32_t *out_number, bool *out_new)
{
  size_t slot;
  hone_status status;

  if (2 * (states->count + 1) > states->table_size || states->count == states->capacity) {
    status = grow(states, budget);
    if (status) return status;
  }
  /* A free slot ends every look-up. */
  HONE__ASSERT_SLOW(states->count < states->table_size && states->count < states->capacity);
  slot = hash_values(values, states->width) & (states->table_size - 1);
  for (; states->table[slot]; slot = (slot + 1) & (states->table_size - 1)) {
    uint32_t id = states->table[slot] - 1;
    if (same_values(states->values + (size_t)id * states->width, values, states->width)) {
      *out_number = id;
      *out_new = false;
      return NULL;
    }
  }
  memcpy(states->values + states->count * states->width, values, states->width * sizeof *values);
  states->table[slot] = (uint32_t)++states->count;
  *out_number = (uint32_t)states->count - 1;
  *out_new = true;
  return NULL;
}

void hone__states_release(struct hone__states *states, struct hone__budget *budget)
{
  size_t item = (states->width ? states->width : 1) * sizeof *states->values;

  hone__budget_give(budget, states->capacity * item + states->table_size * sizeof *states->table);
  free(states->values);
  free(states->table);
  *states = (struct hone__states){0};
}
