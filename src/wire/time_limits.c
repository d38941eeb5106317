#include "wire/time_limits.h"

#include <math.h>

static const struct hone__field fields[] = {
    HONE__REAL(struct hone__limits, written_bytes, HONE__OPTIONAL, -INFINITY, INFINITY),
    HONE__REAL(struct hone__limits, fill_ns, HONE__OPTIONAL, -INFINITY, INFINITY),
    HONE__REAL(struct hone__limits, peak_flops, HONE__OPTIONAL, -INFINITY, INFINITY),
};
static const struct hone__record_type limits_type =
    HONE__RECORD_TYPE("time limits", struct hone__limits, fields);

static double positive(double value)
{
  return isfinite(value) && value > 0 ? value : 0;
}

struct hone__limits hone__limits_read(const struct hone__packed *ready)
{
  struct hone__arena arena = {0};
  struct hone__limits read = {0};
  hone_status status = ready ? hone__unpack(ready, &limits_type, &arena, &read) : NULL;

  if (status) read = (struct hone__limits){0};
  hone_status_free(status);
  hone__arena_release(&arena);
  return (struct hone__limits){positive(read.written_bytes), positive(read.fill_ns),
                               positive(read.peak_flops)};
}
