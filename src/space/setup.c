/* The problem and the device of one build. */
#include "space/space.h"

#include "base/clock.h"
#include "hone_text.h"
#include "space/device_model.h"

#include <stdlib.h>

static hone_status bad_pair(const char *text)
{
  return hone__error(HONE_INVALID_ARGUMENT, "bad problem '%s': expected NAME=VALUE,NAME=VALUE",
                     text);
}

static bool lookup(const struct hone__problem *pairs, const char *name,
                   struct hone_value *out_value)
{
  for (size_t i = 0; i < pairs->count; i++) {
    if (strcmp(pairs->names[i], name) != 0) continue;
    *out_value = pairs->values[i];
    return true;
  }
  return false;
}

/* "A=1,B=2" as names and values. */
static hone_status read_pairs(struct hone__arena *arena, const char *text,
                              struct hone__problem *out_pairs)
{
  struct hone_value ignored;
  size_t room = 1;

  for (const char *p = text; *p; p++)
    room += *p == ',';
  out_pairs->names = hone__arena_alloc(arena, room * sizeof *out_pairs->names);
  out_pairs->values = hone__arena_alloc(arena, room * sizeof *out_pairs->values);
  out_pairs->count = 0;
  while (*text) {
    size_t length = strcspn(text, ","), name = strcspn(text, "=,");
    if (name == 0 || name >= length) return bad_pair(text);
    out_pairs->names[out_pairs->count] = hone__arena_strndup(arena, text, name);
    if (lookup(out_pairs, out_pairs->names[out_pairs->count], &ignored))
      return hone__error(HONE_INVALID_ARGUMENT, "'%s' is given twice",
                         out_pairs->names[out_pairs->count]);
    out_pairs->values[out_pairs->count++] =
        hone__evaluate_word(arena, hone__arena_strndup(arena, text + name + 1, length - name - 1));
    text += length;
    if (*text) text++;
  }
  return NULL;
}

static hone_status apply_sizes(struct hone__setup *setup, const char *text)
{
  struct hone__problem given;
  struct hone_value *values;
  hone_status status = read_pairs(setup->arena, text, &given);

  if (status) return status;
  for (size_t i = 0; i < given.count; i++) {
    struct hone_nearest nearest = {.word = given.names[i]};
    struct hone_value ignored;
    if (lookup(&setup->sizes, given.names[i], &ignored)) continue;
    for (size_t k = 0; k < setup->sizes.count; k++)
      hone_nearest_try(&nearest, setup->sizes.names[k]);
    return hone__error(HONE_INVALID_ARGUMENT, "the spec's problem has no size '%s'%s%s%s",
                       given.names[i], nearest.best ? "; did you mean '" : "",
                       nearest.best ? nearest.best : "", nearest.best ? "'?" : "");
  }
  values = hone__arena_alloc(setup->arena, (setup->sizes.count + 1) * sizeof *values);
  for (size_t i = 0; i < setup->sizes.count; i++)
    if (!lookup(&given, setup->sizes.names[i], &values[i])) values[i] = setup->sizes.values[i];
  setup->sizes.values = values;
  return NULL;
}

/* By now a name is that of a model: devices that are here came as their values. */
static hone_status read_device(struct hone__setup *setup, const char *text)
{
  hone_status status = hone__space_device_read(setup->arena, text, &setup->device);

  if (status || !setup->device.name || hone__space_device_model_find(setup->device.name))
    return status;
  return hone__error(HONE_INVALID_ARGUMENT,
                     "bad device '%s': expected NAME=VALUE,..., or a kind of GPU: %s",
                     setup->device.name, hone__space_device_models());
}

hone_status hone__setup_init(struct hone__setup *setup, const struct hone_spec *spec,
                             const struct hone_space_options *options, struct hone__arena *arena)
{
  hone_status status = NULL;

  *setup = (struct hone__setup){.spec = spec, .options = options, .arena = arena};
  if (options->problem >= spec->problem_count)
    return hone__error(HONE_INVALID_ARGUMENT, "no problem %zu: the spec has %zu", options->problem,
                       spec->problem_count);
  setup->sizes = spec->problems[options->problem];
  setup->limits = (struct hone__solve_limits){.memory_bytes = options->memory_bytes,
                                              .progress = options->progress,
                                              .progress_data = options->progress_data,
                                              .cancel = options->cancel,
                                              .started = hone__clock()};
  if (options->sizes) status = apply_sizes(setup, options->sizes);
  return status || !options->device ? status : read_device(setup, options->device);
}

bool hone__setup_lookup(void *data, const char *name, struct hone_value *out_value)
{
  const struct hone__setup *setup = data;
  const char *prefix = "device.";

  if (!hone__starts_with(name, prefix)) return lookup(&setup->sizes, name, out_value);
  name += strlen(prefix);
  if (hone__space_device_value(&setup->device, name, out_value)) return true;
  return !setup->device.name && !setup->options->device_gap &&
         hone__space_host_value(name, out_value);
}
