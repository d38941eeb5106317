/* Open addressing; never more than two thirds full. */
#include "base/key_map.h"

#include "base/hash.h"
#include "base/memory.h"
#include "base/status.h"

#include <stdlib.h>

/* Where the key is, or the free place where it belongs. */
static struct hone__key_entry *place_of(const struct hone__key_map *map, const char *key)
{
  size_t mask = map->capacity - 1, at = hone__hash_bytes(1, key, strlen(key)) & mask;

  while (map->entries[at].key && strcmp(map->entries[at].key, key) != 0)
    at = (at + 1) & mask;
  return &map->entries[at];
}

static void grow(struct hone__key_map *map)
{
  struct hone__key_map larger = {.count = map->count,
                                 .capacity = map->capacity ? 2 * map->capacity : 64};

  larger.entries = hone__alloc(larger.capacity * sizeof *larger.entries);
  for (size_t i = 0; i < map->capacity; i++)
    if (map->entries[i].key) *place_of(&larger, map->entries[i].key) = map->entries[i];
  free(map->entries);
  *map = larger;
}

void hone__key_map_set(struct hone__key_map *map, const char *key, int64_t value)
{
  struct hone__key_entry *entry;

  if (3 * (map->count + 1) > 2 * map->capacity) grow(map);
  HONE__ASSERT_SLOW(map->count < map->capacity); /* a free place ends every look-up */
  entry = place_of(map, key);
  if (!entry->key) {
    entry->key = hone__strdup(key);
    map->count++;
  }
  entry->value = value;
}

bool hone__key_map_find(const struct hone__key_map *map, const char *key, int64_t *out_value)
{
  const struct hone__key_entry *entry = map->capacity ? place_of(map, key) : NULL;

  if (!entry || !entry->key) return false;
  *out_value = entry->value;
  return true;
}

bool hone__key_map_has(const struct hone__key_map *map, const char *key)
{
  int64_t value;

  return hone__key_map_find(map, key, &value);
}

void hone__key_map_release(struct hone__key_map *map)
{
  for (size_t i = 0; i < map->capacity; i++)
    free(map->entries[i].key);
  free(map->entries);
  *map = (struct hone__key_map){0};
}
