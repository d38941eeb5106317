/* A space of given rows: one part of all parameters that have a choice, and the rows' diagram. */
#include "space/space.h"

#include <stdlib.h>

static void drop_parts(struct hone_solved_group *group)
{
  for (size_t i = 0; i < group->part_count; i++)
    hone__diagram_free(group->parts[i].diagram);
  group->part_count = 0;
  free(group->excluded);
  group->excluded = NULL;
  group->excluded_count = 0;
}

static uint32_t *choices(struct hone_arena *arena, const struct hone_solved_group *group,
                         uint32_t *out_count)
{
  uint32_t *params = hone__arena_alloc(arena, (group->count + 1) * sizeof *params);

  *out_count = 0;
  for (uint32_t i = 0; i < group->count; i++)
    if (group->domains[i].count > 1) params[(*out_count)++] = i;
  return params;
}

/* The rows without the columns of parameters that have one value. */
static hone_status pack(const uint32_t *rows, size_t count, size_t width,
                        const struct hone_part *part, uint32_t **out_packed)
{
  uint32_t *packed = malloc((count * part->count + 1) * sizeof *packed);

  *out_packed = packed;
  if (!packed) return hone__error(HONE_EXHAUSTED, "no memory for %zu configurations", count);
  for (size_t row = 0; row < count; row++)
    for (uint32_t i = 0; i < part->count; i++)
      packed[row * part->count + i] = rows[row * width + part->params[i]];
  return NULL;
}

static void make_route(struct hone_arena *arena, struct hone_solved_group *group)
{
  const struct hone_part *part = &group->parts[0];
  struct hone_stop *route = hone__arena_alloc(arena, (group->count + 1) * sizeof *route);

  group->route = route;
  group->route_length = group->part_count ? part->count : 0;
  for (uint32_t i = 0; i < group->route_length; i++)
    route[i] = (struct hone_stop){.param = part->params[i], .before = (int32_t)i - 1};
}

static void set_count(struct hone_space *space, size_t count)
{
  struct hone_bignum legal = {0};

  hone__bignum_add_u64(&legal, count);
  free(space->legal_text);
  space->legal_text = hone__bignum_text(&legal);
  space->legal_real = (double)count;
  space->legal = space->groups[0].legal = count;
  hone__bignum_release(&legal);
}

hone_status hone__space_restrict(struct hone_space *space, const uint32_t *rows, size_t count)
{
  struct hone_solved_group *group = &space->groups[0];
  struct hone_part part = {0};
  uint32_t *packed = NULL;
  hone_status status;

  if (space->group_count != 1) HONE_BUG("only a space of one group can be restricted");
  part.params = choices(&space->arena, group, &part.count);
  status = pack(rows, count, group->count, &part, &packed);
  if (!status) status = hone__diagram_from_rows(packed, count, part.count, &part.diagram);
  free(packed);
  if (status) return status;
  drop_parts(group);
  if (!group->parts) group->parts = hone__alloc(sizeof *group->parts);
  if (part.count && count)
    group->parts[group->part_count++] = part;
  else
    hone__diagram_free(part.diagram);
  group->mesh_order = true;
  make_route(&space->arena, group);
  set_count(space, count);
  return NULL;
}
