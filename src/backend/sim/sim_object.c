/* Samples are drawn, not measured: which one, and how far beside it, depends on the configuration,
 * the seed and the sample's number alone. */
#include "backend/sim/sim_object.h"

#include "wire/message_text.h"
#include "base/hash.h"
#include "base/normal.h"
#include "base/random.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_SAMPLES = 1000 }; /* in an object */

bool hone__sim_fails_early(enum hone__outcome outcome)
{
  return (outcome >= HONE__OUTCOME_INVALID && outcome <= HONE__OUTCOME_NOT_APPLIED) ||
         outcome == HONE__OUTCOME_NOT_BUILT;
}

void hone__sim_object_write(const char *config, const struct hone__recorded *recorded,
                            struct hone__text *out_text)
{
  size_t count = recorded->samples_ms ? recorded->sample_count : 0;
  json_t *samples = json_array(), *object;
  char *text;

  for (size_t i = 0; i < count && i < MOST_SAMPLES; i++)
    json_array_append_new(samples, json_real(recorded->samples_ms[i]));
  object = json_pack("{s:s, s:s, s:o}", "config", config, "outcome",
                     hone__outcome_name(recorded->outcome), "samples_ms", samples);
  if (isfinite(recorded->time_ms))
    json_object_set_new(object, "time_ms", json_real(recorded->time_ms));
  text = json_dumps(object, JSON_COMPACT | JSON_SORT_KEYS);
  hone__text_add(out_text, text ? text : "");
  free(text);
  json_decref(object);
}

static bool is_time(double ms)
{
  return isfinite(ms) && ms > 0;
}

/* Samples that are no times are left out. */
static void read_samples(const json_t *list, struct hone__sim_object *object)
{
  object->samples_ms = hone__alloc((json_array_size(list) + 1) * sizeof *object->samples_ms);
  for (size_t i = 0; i < json_array_size(list); i++) {
    double ms = json_number_value(json_array_get(list, i));
    if (is_time(ms)) object->samples_ms[object->sample_count++] = ms;
  }
}

bool hone__sim_object_read(const void *bytes, size_t size, struct hone__sim_object *out_object)
{
  json_t *json = bytes ? json_loadb(bytes, size, 0, NULL) : NULL;
  const char *config = hone__message_text(json, "config");
  bool ok;

  *out_object =
      (struct hone__sim_object){.time_ms = json_number_value(json_object_get(json, "time_ms")),
                                .key = hone__mix(hone__hash_bytes(0, config, strlen(config)))};
  ok = json && hone__outcome_parse(hone__message_text(json, "outcome"), &out_object->outcome);
  read_samples(json_object_get(json, "samples_ms"), out_object);
  if (ok && hone__outcome_works(out_object->outcome))
    ok = is_time(out_object->time_ms) || out_object->sample_count;
  json_decref(json);
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
