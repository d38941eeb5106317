/* A hash table with open addressing. Equality is Python's: 1, 1.0 and True are one key, and NaN
 * equals nothing. */
#include "spec/yaml_keys.h"

#include <math.h>
#include <stdlib.h>

/* A file whose keys are chosen to collide must not cost quadratic time. */
enum { MOST_PROBES = 40 * HONE__YAML_MOST_NODES, FEWEST_SLOTS = 16 };

static void set_slots(struct hone__yaml_keys *keys, size_t slot_count)
{
  if (slot_count > keys->slots_taken) {
    keys->slots = hone__realloc(keys->slots, slot_count * sizeof *keys->slots);
    keys->slots_taken = slot_count;
  }
  keys->slot_count = slot_count;
  memset(keys->slots, 0, slot_count * sizeof *keys->slots);
}

void hone__yaml_keys_clear(struct hone__yaml_keys *keys)
{
  keys->count = 0;
  set_slots(keys, FEWEST_SLOTS); /* not the size of the largest mapping so far */
}

void hone__yaml_keys_release(struct hone__yaml_keys *keys)
{
  free(keys->items);
  free(keys->slots);
}

/* The slot that holds the key or that waits for it. */
static uint32_t *slot_of(struct hone__yaml_keys *keys, const struct hone__yaml_key *key)
{
  size_t mask = keys->slot_count - 1, i = key->hash & mask;

  for (; keys->slots[i] && keys->probes < MOST_PROBES; i = (i + 1) & mask, keys->probes++) {
    const struct hone__yaml_key *other = &keys->items[keys->slots[i] - 1];
    if (other->hash == key->hash && hone__value_equal(other->value, key->value)) break;
  }
  return &keys->slots[i];
}

static bool is_nan(struct hone_value value) /* such a key equals nothing, and has no slot */
{
  return value.type == HONE_FLOAT && isnan(value.real);
}

static void grow(struct hone__yaml_keys *keys)
{
  set_slots(keys, 2 * keys->slot_count);
  for (size_t i = 0; i < keys->count; i++)
    if (!is_nan(keys->items[i].value)) *slot_of(keys, &keys->items[i]) = (uint32_t)i + 1;
}

size_t hone__yaml_keys_find(struct hone__yaml_keys *keys, struct hone_value value)
{
  struct hone__yaml_key key = {value, hone__value_hash(value)};
  uint32_t slot = *slot_of(keys, &key);

  return slot ? slot - 1 : keys->count;
}

size_t hone__yaml_keys_add(struct hone__yaml_keys *keys, struct hone_value value)
{
  struct hone__yaml_key key = {value, hone__value_hash(value)};
  uint32_t *slot = is_nan(value) ? NULL : slot_of(keys, &key);

  if (slot && *slot && keys->probes < MOST_PROBES) return *slot - 1;
  HONE__GROW(keys->items, keys->count, keys->capacity);
  keys->items[keys->count++] = key;
  if (slot) *slot = (uint32_t)keys->count;
  if (2 * keys->count > keys->slot_count) grow(keys);
  return keys->count - 1;
}

void hone__yaml_keys_check(const struct hone__yaml_keys *keys, struct hone__yaml_text *text,
                           struct hone__place place)
{
  if (keys->probes >= MOST_PROBES)
    hone__yaml_stop(text, place, "too many keys or anchors up to here");
}
