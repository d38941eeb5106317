/* The places are a table with open addressing, at most half full: 0, or the index of a pair + 1. */
#include "base/pairs.h"

#include "base/hash.h"
#include "base/memory.h"

#include <stdlib.h>

enum { FIRST_PLACES = 32 };

/* The place of the name, or the empty one where it would be. */
static uint32_t *place_of(const struct hone__pairs *pairs, const char *name)
{
  size_t at = hone__hash_bytes(0, name, strlen(name)) & (pairs->place_count - 1);

  while (pairs->places[at] && strcmp(pairs->data[pairs->places[at] - 1].name, name) != 0)
    at = (at + 1) & (pairs->place_count - 1);
  return &pairs->places[at];
}

static void note(struct hone__pairs *pairs, size_t index)
{
  uint32_t *place = place_of(pairs, pairs->data[index].name);

  if (!*place) *place = (uint32_t)index + 1;
}

static void make_places(struct hone__pairs *pairs)
{
  if (2 * (pairs->count + 1) <= pairs->place_count) return;
  free(pairs->places);
  pairs->place_count = pairs->place_count ? 2 * pairs->place_count : FIRST_PLACES;
  pairs->places = hone__alloc(pairs->place_count * sizeof *pairs->places);
  for (size_t i = 0; i < pairs->count; i++)
    note(pairs, i);
}

void hone__pairs_add(struct hone__pairs *pairs, const char *name, const char *value)
{
  make_places(pairs);
  HONE__GROW(pairs->data, pairs->count, pairs->capacity);
  pairs->data[pairs->count] = (struct hone__name_value){hone__strdup(name), hone__strdup(value)};
  note(pairs, pairs->count++);
}

static uint32_t index_of(const struct hone__pairs *pairs, const char *name)
{
  return pairs->count ? *place_of(pairs, name) : 0;
}

const char *hone__pairs_find(const struct hone__pairs *pairs, const char *name)
{
  uint32_t index = index_of(pairs, name);

  return index ? pairs->data[index - 1].value : NULL;
}

void hone__pairs_set(struct hone__pairs *pairs, const char *name, const char *value)
{
  uint32_t index = index_of(pairs, name);
  char *copy;

  if (!index) {
    hone__pairs_add(pairs, name, value);
    return;
  }
  copy = hone__strdup(value); /* which may be the old one */
  free((char *)(uintptr_t)pairs->data[index - 1].value);
  pairs->data[index - 1].value = copy;
}

void hone__pairs_add_all(struct hone__pairs *pairs, const struct hone__name_value *data,
                         size_t count)
{
  for (size_t i = 0; i < count; i++)
    hone__pairs_add(pairs, data[i].name, data[i].value);
}

void hone__pairs_release(struct hone__pairs *pairs)
{
  for (size_t i = 0; i < pairs->count; i++) {
    free((char *)(uintptr_t)pairs->data[i].name);
    free((char *)(uintptr_t)pairs->data[i].value);
  }
  free(pairs->data);
  free(pairs->places);
  *pairs = (struct hone__pairs){0};
}
