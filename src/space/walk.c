/* Between an index and a configuration: parameter by parameter along the group's route, each in the
 * diagram of its part. How many configurations the other parts still have tells how far one value
 * of this parameter reaches. */
#include "space/space.h"

#include <stdlib.h>

enum { FEW_PARTS = 64 };

/* How far the walk is in each part's diagram. */
struct walk {
  const struct hone__solved_group *group;
  uint32_t *nodes, few[FEW_PARTS];
  uint64_t product; /* configurations left, where that is known */
};

static void walk_begin(struct walk *walk, const struct hone__solved_group *group)
{
  walk->group = group;
  walk->nodes = group->part_count > FEW_PARTS ? hone__alloc(group->part_count * sizeof *walk->nodes)
                                              : walk->few;
  for (size_t i = 0; i < group->part_count; i++)
    walk->nodes[i] = group->parts[i].diagram->root;
  walk->product = group->legal;
}

static void walk_end(struct walk *walk)
{
  if (walk->nodes != walk->few) free(walk->nodes);
}

/* Configurations of all other parts, below what is decided; saturated. */
static uint64_t others(const struct walk *walk, uint32_t part)
{
  const struct hone__solved_group *group = walk->group;
  uint64_t product = 1;

  HONE__ASSERT_SLOW(part < group->part_count); /* and no node of a diagram is a dead end: */
  HONE__ASSERT_SLOW(group->parts[part].diagram->nodes[walk->nodes[part]].count > 0);
  if (group->legal != UINT64_MAX)
    return walk->product / group->parts[part].diagram->nodes[walk->nodes[part]].count;
  for (uint32_t i = 0; i < group->part_count; i++)
    if (i != part && __builtin_mul_overflow(
                         product, group->parts[i].diagram->nodes[walk->nodes[i]].count, &product))
      return UINT64_MAX;
  return product;
}

void hone__group_at(const struct hone__solved_group *group, uint64_t index, uint32_t *values)
{
  struct walk walk;

  HONE__ASSERT(index < group->legal);
  memset(values, 0, group->count * sizeof *values);
  walk_begin(&walk, group);
  for (size_t i = 0; i < group->route_length; i++) {
    const struct hone__stop *stop = &group->route[i];
    const struct hone__diagram *diagram = group->parts[stop->part].diagram;
    uint32_t *node = &walk.nodes[stop->part];
    uint64_t rest = others(&walk, stop->part);
    uint64_t rank = index / rest, remainder = index - rank * rest;
    values[stop->param] = hone__diagram_pick(diagram, *node, &rank, node);
    index = rank * rest + remainder;
    walk.product = rest * diagram->nodes[*node].count;
  }
  HONE__ASSERT_SLOW(index == 0 || group->legal == UINT64_MAX); /* every part of it was used up */
  walk_end(&walk);
}

static bool single_values_match(const struct hone__solved_group *group, const uint32_t *values)
{
  for (size_t i = 0; i < group->count; i++)
    if (values[i] >= group->domains[i].count) return false;
  return group->legal > 0;
}

bool hone__group_index_of(const struct hone__solved_group *group, const uint32_t *values,
                          uint64_t *out_index)
{
  struct walk walk;
  uint64_t index = 0, before, step;
  bool found = single_values_match(group, values);

  if (!found) return false;
  walk_begin(&walk, group);
  for (size_t i = 0; found && i < group->route_length; i++) {
    const struct hone__stop *stop = &group->route[i];
    const struct hone__diagram *diagram = group->parts[stop->part].diagram;
    uint32_t *node = &walk.nodes[stop->part];
    uint64_t rest = others(&walk, stop->part);
    found = hone__diagram_follow(diagram, *node, values[stop->param], &before, node);
    if (!found) break;
    if (__builtin_mul_overflow(before, rest, &step) || __builtin_add_overflow(index, step, &index))
      index = UINT64_MAX;
    walk.product = rest * diagram->nodes[*node].count;
  }
  walk_end(&walk);
  HONE__ASSERT(!found || index < group->legal || group->legal == UINT64_MAX);
  *out_index = index;
  return found;
}

bool hone__group_contains(const struct hone__solved_group *group, const uint32_t *values)
{
  if (!single_values_match(group, values)) return false;
  for (size_t i = 0; i < group->part_count; i++) {
    const struct hone__part *part = &group->parts[i];
    uint32_t node = part->diagram->root;
    uint64_t before;
    for (uint32_t k = 0; k < part->count; k++)
      if (!hone__diagram_follow(part->diagram, node, values[part->params[k]], &before, &node))
        return false;
  }
  return true;
}
