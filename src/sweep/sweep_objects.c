/* The bytes of a sweep's binaries. Binaries that do not fit are dropped: the cache has them, or
 * they are built again when needed.
 */
#include "sweep/sweep.h"

#include "store/cache.h"

#include <stdlib.h>

static const size_t MOST_BYTES = (size_t)64 << 20;

void hone__sweep_drop(struct hone__sweep *sweep, struct hone__sweep_build *build)
{
  if (!build->is_here) return;
  sweep->bytes_here -= build->size;
  free(build->bytes);
  build->bytes = NULL;
  build->is_here = false;
}

static void take(struct hone__sweep *sweep, struct hone__sweep_build *build, void *bytes,
                 size_t size)
{
  hone__sweep_drop(sweep, build);
  build->bytes = bytes;
  build->size = size;
  build->is_here = true;
  sweep->bytes_here += size;
}

/* Most lists of included files are equal to that of the build before. */
static const char *keep_deps(struct hone__sweep *sweep, const struct hone__sweep_build *build,
                             const char *deps)
{
  const char *before = build > sweep->builds ? build[-1].deps : NULL;

  if (!deps || (before && strcmp(before, deps) == 0)) return deps ? before : NULL;
  return hone__arena_strdup(&sweep->session.arena, deps);
}

void hone__sweep_keep(struct hone__sweep *sweep, struct hone__sweep_build *build,
                      struct hone__candidate *built, bool now)
{
  struct hone__arena *arena = &sweep->session.arena;
  const struct hone__evaluation *evaluation = &built->evaluation;

  build->succeeded = true;
  memcpy(build->object, built->object, sizeof build->object);
  build->size = built->size;
  if (!build->deps) build->deps = keep_deps(sweep, build, evaluation->deps);
  if (!now) {
    build->compile_s = evaluation->compile_s;
    build->cached = evaluation->cached;
    if (evaluation->warnings) build->warnings = hone__arena_strdup(arena, evaluation->warnings);
  }
  if (!now && built->size && sweep->bytes_here + built->size > MOST_BYTES) return;
  take(sweep, build, built->bytes, built->size);
  built->bytes = NULL;
}

bool hone__sweep_fetch(struct hone__sweep *sweep, struct hone__sweep_build *build)
{
  char *bytes = NULL;
  size_t size = 0;
  hone_status status;

  if (build->is_here) return true;
  status = hone__cache_get("objects", build->object, &bytes, &size);
  if (!status && size == build->size)
    take(sweep, build, bytes, size);
  else
    free(bytes);
  hone_status_free(status);
  return build->is_here;
}
