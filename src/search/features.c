#include "search/features.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static const float ABSENT = -0.5f;

/* The feature of a name, which may be new. Feature 0 is the group. */
static uint32_t feature_of(struct hone_features *features, const char **names, const char *name)
{
  for (size_t i = 1; i < features->count; i++)
    if (strcmp(names[i], name) == 0) return (uint32_t)i;
  names[features->count] = name;
  features->is_ordered[features->count] = true;
  return (uint32_t)features->count++;
}

static bool has_order(const struct hone_space *space, size_t group, size_t param)
{
  uint32_t count = hone_space_value_count(space, group, param);
  enum hone_type first = hone_space_value(space, group, param, 0).type;
  enum hone_type last = hone_space_value(space, group, param, count - 1).type;

  return first != HONE_TEXT && first != HONE_BOOL && last != HONE_TEXT && last != HONE_BOOL;
}

static void add_group(struct hone_features *features, const char **names, size_t group)
{
  const struct hone_space *space = features->space;

  for (size_t i = 0; i < hone_space_param_count(space, group); i++) {
    uint32_t count = hone_space_value_count(space, group, i);
    size_t at = group * features->most_params + i;
    features->slots[at] = feature_of(features, names, hone_space_param_name(space, group, i));
    features->scales[at] = count > 1 ? 1 / (float)(count - 1) : 0;
    if (count && !has_order(space, group, i)) features->is_ordered[features->slots[at]] = false;
  }
}

void hone__features_open(struct hone_features *features, const struct hone_space *space)
{
  size_t groups = hone_space_group_count(space), all = 1;
  const char **names;

  *features = (struct hone_features){.space = space, .count = 1};
  for (size_t g = 0; g < groups; g++) {
    size_t params = hone_space_param_count(space, g);
    if (params > features->most_params) features->most_params = params;
    all += params;
  }
  names = hone__alloc(all * sizeof *names);
  features->is_ordered = hone__alloc(all * sizeof *features->is_ordered);
  features->slots = hone__alloc((groups * features->most_params + 1) * sizeof *features->slots);
  features->scales = hone__alloc((groups * features->most_params + 1) * sizeof *features->scales);
  for (size_t g = 0; g < groups; g++)
    add_group(features, names, g);
  free(names);
}

void hone__features_release(struct hone_features *features)
{
  free(features->is_ordered);
  free(features->slots);
  free(features->scales);
  *features = (struct hone_features){0};
}

void hone__features_of(const struct hone_features *features, const uint32_t *row, float *point)
{
  size_t first = row[0] * features->most_params;
  size_t params = hone_space_param_count(features->space, row[0]);

  for (size_t i = 1; i < features->count; i++)
    point[i] = ABSENT;
  point[0] = (float)row[0];
  for (size_t i = 0; i < params; i++)
    point[features->slots[first + i]] = (float)row[1 + i] * features->scales[first + i];
}
