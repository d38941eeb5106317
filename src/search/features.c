/* Which features there are is settled once, from the lists of the space; a row is then a look-up in
 * the slots of its group. Parameters of the same name in several groups are one feature. */
#include "search/features.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static const float ABSENT = -0.5f;
/* Longer lists are not looked through: their places must do. */
enum { FEWEST_HALVED = 5, MOST_HALVED = 4096 };

static bool is_positive_integer(struct hone_value value)
{
  return value.type == HONE_INT && value.integer > 0;
}

static float halvings(struct hone_value value)
{
  return (float)__builtin_ctzll((uint64_t)value.integer);
}

/* True if the values of a list are distinguished by how often they can be halved, and not just by
 * their places. */
static bool has_halvings(const struct hone_space *space, size_t group, size_t param,
                         struct hone__feature_slot *slot)
{
  uint32_t count = hone_space_value_count(space, group, param);
  float most = 0, last = -1;
  bool rises = true;

  if (count < FEWEST_HALVED || count > MOST_HALVED) return false;
  slot->least = 64;
  for (uint32_t i = 0; i < count; i++) {
    struct hone_value value = hone_space_value(space, group, param, i);
    float times;
    if (!is_positive_integer(value)) return false;
    times = halvings(value);
    rises = rises && times > last;
    last = times;
    if (times > most) most = times;
    if (times < slot->least) slot->least = times;
  }
  slot->range = most - slot->least;
  return slot->range > 0 && !rises;
}

static bool has_order(const struct hone_space *space, size_t group, size_t param)
{
  uint32_t last = hone_space_value_count(space, group, param) - 1;
  enum hone_type first_type = hone_space_value(space, group, param, 0).type;
  enum hone_type last_type = hone_space_value(space, group, param, last).type;

  return first_type != HONE_TEXT && last_type != HONE_TEXT && first_type != HONE_BOOL;
}

struct naming { /* while features are found */
  struct hone__features *features;
  const char **names; /* by feature */
};

/* The feature of a name, which may be new; feature 0 is the group. */
static uint32_t feature_of(struct naming *naming, const char *name, enum hone__feature_kind kind)
{
  struct hone__features *features = naming->features;
  bool is_halving = kind == HONE__FEATURE_HALVING;

  for (size_t i = 1; i < features->count; i++)
    if ((features->kinds[i] == HONE__FEATURE_HALVING) == is_halving &&
        strcmp(naming->names[i], name) == 0) {
      if (kind == HONE__FEATURE_KIND) features->kinds[i] = kind;
      return (uint32_t)i;
    }
  naming->names[features->count] = name;
  features->kinds[features->count] = kind;
  return (uint32_t)features->count++;
}

static void add_param(struct naming *naming, size_t group, size_t param)
{
  struct hone__features *features = naming->features;
  const struct hone_space *space = features->space;
  const char *name = hone_space_param_name(space, group, param);
  uint32_t count = hone_space_value_count(space, group, param);
  struct hone__feature_slot *slot = &features->slots[group * features->most_params + param];

  if (!count || (count == 1 && hone_space_group_count(space) == 1)) return; /* always the same */
  slot->place = feature_of(
      naming, name, has_order(space, group, param) ? HONE__FEATURE_PLACE : HONE__FEATURE_KIND);
  slot->scale = count > 1 ? 1 / (float)(count - 1) : 0;
  if (has_halvings(space, group, param, slot))
    slot->halving = feature_of(naming, name, HONE__FEATURE_HALVING);
}

void hone__features_open(struct hone__features *features, const struct hone_space *space)
{
  size_t groups = hone_space_group_count(space), all = 1;
  struct naming naming = {.features = features};

  *features = (struct hone__features){.space = space, .count = 1};
  for (size_t g = 0; g < groups; g++) {
    size_t params = hone_space_param_count(space, g);
    if (params > features->most_params) features->most_params = params;
    all += 2 * params;
  }
  naming.names = hone__alloc(all * sizeof *naming.names);
  features->kinds = hone__alloc(all * sizeof *features->kinds);
  features->kinds[0] = HONE__FEATURE_KIND;
  features->slots = hone__alloc((groups * features->most_params + 1) * sizeof *features->slots);
  for (size_t g = 0; g < groups; g++)
    for (size_t i = 0; i < hone_space_param_count(space, g); i++)
      add_param(&naming, g, i);
  free(naming.names);
}

void hone__features_release(struct hone__features *features)
{
  free(features->kinds);
  free(features->slots);
  *features = (struct hone__features){0};
}

static float halving_of(const struct hone__features *features, const uint32_t *row, size_t param,
                        const struct hone__feature_slot *slot)
{
  struct hone_value value = hone_space_value(features->space, row[0], param, row[1 + param]);

  return (halvings(value) - slot->least) / slot->range;
}

void hone__features_of(const struct hone__features *features, const uint32_t *row, float *point)
{
  const struct hone__feature_slot *slots = features->slots + row[0] * features->most_params;
  size_t params = hone_space_param_count(features->space, row[0]);

  for (size_t i = 1; i < features->count; i++)
    point[i] = features->kinds[i] == HONE__FEATURE_HALVING ? 0 : ABSENT;
  point[0] = (float)row[0];
  for (size_t i = 0; i < params; i++) {
    if (slots[i].place) point[slots[i].place] = (float)row[1 + i] * slots[i].scale;
    if (slots[i].halving) point[slots[i].halving] = halving_of(features, row, i, &slots[i]);
  }
}
