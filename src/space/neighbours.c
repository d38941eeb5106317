/* Configurations that differ in one parameter: the part that it is in is walked with that level
 * open. */
#include "space/space.h"

#include <stdlib.h>

/* The same parameters, in any order, each value found in the other group's domain. */
static bool translate(const struct hone__solved_group *from, const uint32_t *values,
                      const struct hone__solved_group *to, uint32_t *out_values,
                      int32_t *out_missing)
{
  int32_t missing = -1;

  if (from->count != to->count) return false;
  for (size_t i = 0; i < to->count; i++) {
    size_t k = 0;
    while (k < from->count && strcmp(from->domains[k].name, to->domains[i].name) != 0)
      k++;
    if (k == from->count) return false;
    if (from == to) {
      out_values[i] = values[i];
    } else if (values[k] >= from->domains[k].count ||
               !hone__domain_find(&to->domains[i], hone__domain_value(&from->domains[k], values[k]),
                                  &out_values[i])) {
      if (missing >= 0) return false;
      missing = (int32_t)i;
      out_values[i] = UINT32_MAX;
    }
  }
  *out_missing = missing;
  return true;
}

struct neighbourhood {
  const struct hone_space *space;
  const struct hone__solved_group *group;
  uint32_t *row;   /* of this group; being changed */
  int32_t missing; /* the parameter whose value this group does not have, or -1 */
  bool adjacent;
  hone_visit *visit;
  void *data;
};

static bool part_contains(const struct hone__part *part, uint32_t from_level, uint32_t node,
                          const uint32_t *values)
{
  uint64_t before;

  for (uint32_t k = from_level; k < part->count; k++)
    if (!hone__diagram_follow(part->diagram, node, values[part->params[k]], &before, &node))
      return false;
  return true;
}

/* All legal values of the part's `level`-th parameter, the others as they are. */
static bool change_level(struct neighbourhood *n, const struct hone__part *part, uint32_t level)
{
  uint32_t *values = n->row + 1, param = part->params[level], own = values[param];
  uint32_t node = part->diagram->root, child;
  uint64_t before, index;
  bool more = true, is_all = !n->group->excluded_count && n->space->legal == n->space->whole;

  for (uint32_t k = 0; k < level; k++)
    if (!hone__diagram_follow(part->diagram, node, values[part->params[k]], &before, &node))
      return true;
  for (uint32_t k = 0; more && k < part->diagram->nodes[node].width; k++) {
    uint32_t value = hone__diagram_value(part->diagram, node, k, &child);
    if (value == own) continue;
    if (n->adjacent && value != own + 1 && value + 1 != own) continue;
    values[param] = value;
    if (part_contains(part, level + 1, child, values) &&
        (is_all || hone_space_index_of(n->space, n->row, &index)))
      more = n->visit(n->data, n->row);
  }
  values[param] = own;
  return more;
}

static bool visit_neighbours(struct neighbourhood *n)
{
  const struct hone__solved_group *group = n->group;
  size_t broken = 0, which = 0;

  if (group->legal == 0) return true;
  for (size_t i = 0; i < group->part_count; i++) {
    if (part_contains(&group->parts[i], 0, group->parts[i].diagram->root, n->row + 1)) continue;
    broken++;
    which = i;
  }
  if (broken > 1) return true;
  for (uint32_t param = 0; param < group->count; param++) {
    if (n->missing >= 0 && param != (uint32_t)n->missing) continue;
    if (group->domains[param].count == 1) { /* it can only differ by what was requested */
      if (n->missing < 0 || broken || n->adjacent) continue;
      n->row[1 + param] = 0;
      if (hone_space_contains(n->space, n->row) && !n->visit(n->data, n->row)) return false;
    }
    for (size_t i = 0; i < group->part_count; i++)
      for (uint32_t level = 0; level < group->parts[i].count; level++)
        if (group->parts[i].params[level] == param && (!broken || which == i) &&
            !change_level(n, &group->parts[i], level))
          return false;
  }
  return true;
}

void hone_space_neighbours(const struct hone_space *space, const uint32_t *row, bool adjacent,
                           hone_visit *visit, void *data)
{
  struct neighbourhood n = {.space = space, .adjacent = adjacent, .visit = visit, .data = data};
  bool more = true;

  if (row[0] >= space->group_count) return;
  n.row = hone__alloc(space->width * sizeof *n.row);
  for (size_t g = 0; g < space->group_count && more; g++) {
    n.group = &space->groups[g];
    n.row[0] = (uint32_t)g;
    if (adjacent && g != row[0]) continue;
    if (translate(&space->groups[row[0]], row + 1, n.group, n.row + 1, &n.missing))
      more = visit_neighbours(&n);
  }
  free(n.row);
}
