/* Which features there are is settled once, from the lists of the space; a row is then a look-up in
 * the slots of its group. Parameters of the same name in several groups are one feature, with codes
 * for the values of all of their lists. */
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

/* The feature of a name, which may be new. */
static uint32_t feature_of(struct hone__features *features, const char *name)
{
  for (size_t i = 0; i < features->count; i++)
    if (strcmp(features->kinds[i].name, name) == 0) return (uint32_t)i;
  features->kinds[features->count] =
      (struct hone__feature_kind){.name = name, .has_order = true, .codes = 1};
  return (uint32_t)features->count++;
}

static void add_param(struct hone__features *features, size_t group, size_t param)
{
  const struct hone_space *space = features->space;
  uint32_t count = hone_space_value_count(space, group, param), feature;
  struct hone__feature_slot *slot = &features->slots[group * features->most_params + param];
  struct hone__feature_kind *kind;

  if (!count || (count == 1 && hone_space_group_count(space) == 1)) return; /* always the same */
  feature = feature_of(features, hone_space_param_name(space, group, param));
  kind = &features->kinds[feature];
  slot->feature = feature + 1;
  slot->scale = count > 1 ? 1 / (float)(count - 1) : 0;
  slot->has_halvings = has_halvings(space, group, param, slot);
  slot->code = (uint32_t)kind->codes;
  kind->codes += count;
  kind->has_halvings = kind->has_halvings || slot->has_halvings;
  kind->has_order = kind->has_order && has_order(space, group, param);
}

/* No parameter has this name. */
static const char GROUP[] = "";

static void add_group(struct hone__features *features, size_t groups)
{
  struct hone__feature_kind *kind;

  if (groups < 2) return;
  kind = &features->kinds[feature_of(features, GROUP)];
  kind->has_order = false;
  kind->codes = groups;
}

static struct hone__feature feature_at(const struct hone__features *features, size_t group,
                                       size_t param, uint32_t value)
{
  const struct hone__feature_slot *slot = &features->slots[group * features->most_params + param];
  struct hone__feature feature = {.place = (float)value * slot->scale, .code = slot->code + value};

  if (slot->has_halvings)
    feature.halving =
        (halvings(hone_space_value(features->space, group, param, value)) - slot->least) /
        slot->range;
  return feature;
}

static void list_values(struct hone__features *features, size_t group, size_t param)
{
  const struct hone__feature_slot *slot = &features->slots[group * features->most_params + param];
  struct hone__feature *values = slot->feature ? features->kinds[slot->feature - 1].values : NULL;
  uint32_t count = hone_space_value_count(features->space, group, param);

  for (uint32_t i = 0; values && i < count; i++)
    values[slot->code + i] = feature_at(features, group, param, i);
}

static void make_room_for_values(struct hone__features *features)
{
  for (size_t i = 0; i < features->count; i++) {
    struct hone__feature_kind *kind = &features->kinds[i];
    if (kind->codes > HONE__MOST_CODES) continue;
    kind->values = hone__alloc(kind->codes * sizeof *kind->values);
    kind->values[0].place = ABSENT;
    for (uint32_t k = 0; kind->name == GROUP && k < kind->codes; k++)
      kind->values[k] = (struct hone__feature){.place = (float)k, .code = k};
  }
}

typedef void visit_param(struct hone__features *features, size_t group, size_t param);

static void visit_params(struct hone__features *features, size_t groups, visit_param *visit)
{
  for (size_t g = 0; g < groups; g++)
    for (size_t i = 0; i < hone_space_param_count(features->space, g); i++)
      visit(features, g, i);
}

void hone__features_open(struct hone__features *features, const struct hone_space *space)
{
  size_t groups = hone_space_group_count(space), all = 1;

  *features = (struct hone__features){.space = space};
  for (size_t g = 0; g < groups; g++) {
    size_t params = hone_space_param_count(space, g);
    if (params > features->most_params) features->most_params = params;
    all += params;
  }
  features->kinds = hone__alloc(all * sizeof *features->kinds);
  features->slots = hone__alloc((groups * features->most_params + 1) * sizeof *features->slots);
  add_group(features, groups);
  visit_params(features, groups, add_param);
  make_room_for_values(features);
  visit_params(features, groups, list_values);
}

void hone__features_release(struct hone__features *features)
{
  for (size_t i = 0; i < features->count; i++)
    free(features->kinds[i].values);
  free(features->kinds);
  free(features->slots);
  *features = (struct hone__features){0};
}

void hone__features_of(const struct hone__features *features, const uint32_t *row,
                       struct hone__feature *point)
{
  const struct hone__feature_slot *slots = features->slots + row[0] * features->most_params;
  size_t params = hone_space_param_count(features->space, row[0]);

  for (size_t i = 0; i < features->count; i++)
    point[i] = (struct hone__feature){.place = ABSENT};
  if (features->count && features->kinds[0].name == GROUP)
    point[0] = (struct hone__feature){.place = (float)row[0], .code = row[0]};
  for (size_t i = 0; i < params; i++)
    if (slots[i].feature) point[slots[i].feature - 1] = feature_at(features, row[0], i, row[1 + i]);
}
