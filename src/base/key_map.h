/* key_map.h - from texts to numbers: which keys were seen, and where. */
#ifndef HONE_BASE_KEY_MAP_H
#define HONE_BASE_KEY_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hone__key_map { /* { 0 } is empty */
  struct hone__key_entry {
    char *key; /* NULL: a free place */
    int64_t value;
  } * entries;
  size_t count, capacity; /* capacity: a power of two, or 0 */
};

/* Adds the key, which is copied, or replaces its value. */
void hone__key_map_set(struct hone__key_map *map, const char *key, int64_t value);
/* False, and the value stays as it is: there is no such key. */
bool hone__key_map_find(const struct hone__key_map *map, const char *key, int64_t *out_value);
bool hone__key_map_has(const struct hone__key_map *map, const char *key);
void hone__key_map_release(struct hone__key_map *map); /* empty again */

#endif
