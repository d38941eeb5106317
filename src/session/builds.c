#include "session/builds.h"

#include "base/memory.h"
#include "session/knobs.h"

#include <stdlib.h>
#include <string.h>

static const size_t MOST_BYTES = (size_t)128 << 20;

static void drop(struct hone__builds *builds, struct hone__built *built)
{
  builds->kept_bytes -= built->size;
  free(built->bytes);
  free(built->deps);
  hone__arena_release(&built->arena);
  *built = (struct hone__built){0};
}

static struct hone__built *drop_oldest(struct hone__builds *builds)
{
  struct hone__built *oldest = &builds->kept[builds->kept_oldest];

  builds->kept_oldest = (builds->kept_oldest + 1) % builds->kept_count;
  drop(builds, oldest);
  return oldest;
}

struct hone__built *hone__builds_place(struct hone__builds *builds, size_t most, size_t size)
{
  struct hone__built *place;

  if (builds->kept_count == most || (builds->kept_count && builds->kept_bytes + size > MOST_BYTES))
    place = drop_oldest(builds);
  else {
    HONE__GROW(builds->kept, builds->kept_count, builds->kept_capacity);
    place = &builds->kept[builds->kept_count++];
  }
  *place = (struct hone__built){.size = size};
  builds->kept_bytes += size;
  return place;
}

const struct hone__built *hone__builds_find(const struct hone__builds *builds, const char *key)
{
  for (size_t i = 0; i < builds->kept_count; i++)
    if (builds->kept[i].bytes && strcmp(builds->kept[i].key, key) == 0) return &builds->kept[i];
  return NULL;
}

void hone__builds_release(struct hone__builds *builds)
{
  for (size_t i = 0; i < builds->kept_count; i++)
    drop(builds, &builds->kept[i]);
  free(builds->kept);
  hone__session_knobs_free(builds->knobs);
  free(builds->failing.kind);
}
