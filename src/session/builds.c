#include "session/builds.h"

#include "session/knobs.h"

#include <stdlib.h>

void hone__builds_release(struct hone__builds *builds)
{
  for (size_t i = 0; i < HONE__BUILDS_KEPT; i++) {
    free(builds->kept[i].bytes);
    free(builds->kept[i].deps);
    hone__arena_release(&builds->kept[i].arena);
  }
  hone__knobs_free(builds->knobs);
  free(builds->failing.kind);
}
