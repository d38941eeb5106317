/* Samples are drawn, not measured: which one, and how far beside it, depends on the configuration,
 * the seed and the sample's number alone. */
#include "backend/sim/sim_object.h"

#include "base/hash.h"
#include "base/normal.h"
#include "base/random.h"
#include "wire/record.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_SAMPLES = 1000 }; /* in an object */

bool hone__sim_fails_early(enum hone_outcome outcome)
{
  return (outcome >= HONE_OUTCOME_INVALID && outcome <= HONE_OUTCOME_NOT_APPLIED) ||
         outcome == HONE_OUTCOME_NOT_BUILT;
}

struct written { /* what an object is made of */
  const char *config, *outcome;
  double time_ms;
  double *samples_ms;
  size_t samples_ms_count;
};

static const struct hone__field written_fields[] = {
    HONE__TEXT(struct written, config, HONE__NEEDED),
    HONE__TEXT(struct written, outcome, HONE__NEEDED),
    HONE__REAL(struct written, time_ms, HONE__OPTIONAL, -INFINITY, INFINITY),
    HONE__REALS(struct written, samples_ms, HONE__SENT),
};
static const struct hone__record_type written_type =
    HONE__RECORD_TYPE("recorded configuration", struct written, written_fields);

void hone__sim_object_write(const char *config, const struct hone__recorded *recorded,
                            struct hone__text *out_text)
{
  size_t count = recorded->samples_ms ? recorded->sample_count : 0;
  double samples[MOST_SAMPLES];
  struct written written = {.config = config,
                            .outcome = hone_outcome_name(recorded->outcome),
                            .time_ms = isfinite(recorded->time_ms) ? recorded->time_ms : NAN,
                            .samples_ms = samples};
  struct hone__packed *packed;

  for (size_t i = 0; i < count && i < MOST_SAMPLES; i++)
    if (isfinite(recorded->samples_ms[i]))
      samples[written.samples_ms_count++] = recorded->samples_ms[i];
  packed = hone__pack(&written_type, &written);
  hone__packed_print(packed, out_text);
  hone__packed_drop(packed);
}

static bool is_time(double ms)
{
  return isfinite(ms) && ms > 0;
}

/* Samples that are not times are left out. */
static bool take(const struct written *written, struct hone__sim_object *object)
{
  object->time_ms = isnan(written->time_ms) ? 0 : written->time_ms;
  object->key = hone__mix(hone__hash_bytes(0, written->config, strlen(written->config)));
  object->samples_ms = hone__alloc((written->samples_ms_count + 1) * sizeof *object->samples_ms);
  for (size_t i = 0; i < written->samples_ms_count; i++)
    if (is_time(written->samples_ms[i]))
      object->samples_ms[object->sample_count++] = written->samples_ms[i];
  if (!hone__outcome_parse(written->outcome, &object->outcome)) return false;
  return !hone__outcome_works(object->outcome) || is_time(object->time_ms) || object->sample_count;
}

bool hone__sim_object_read(const void *bytes, size_t size, struct hone__sim_object *out_object)
{
  struct hone__packed *packed = bytes ? hone__packed_parse(bytes, size) : NULL;
  struct hone__arena arena = {0};
  struct written written;
  hone_status status = packed ? hone__unpack(packed, &written_type, &arena, &written) : NULL;
  bool ok = packed && !status;

  *out_object = (struct hone__sim_object){0};
  if (ok) ok = take(&written, out_object);
  hone_status_free(status);
  hone__arena_release(&arena);
  hone__packed_drop(packed);
  return ok;
}

void hone__sim_object_release(struct hone__sim_object *object)
{
  free(object->samples_ms);
  *object = (struct hone__sim_object){0};
}

/* ---- Samples ---- */

/* Strictly between 0 and 1. */
static double share(struct hone__random *random)
{
  return ((double)(hone__random_u64(random) >> 12) + 0.5) * 0x1p-52;
}

double hone__sim_sample_ns(const struct hone__sim_object *object, double noise, uint64_t seed,
                           uint64_t number)
{
  struct hone__random random = {.state = object->key ^ hone__mix(seed + 1) ^ hone__mix(~number)};
  double ms = object->time_ms;

  if (object->sample_count)
    ms = object->samples_ms[hone__random_below(&random, object->sample_count)];
  if (noise > 0) ms *= exp(noise * hone__normal_quantile(share(&random)));
  return 1e6 * ms;
}
