/* An index of a space is an index of one of its groups, without what --unique excludes; a part of a
 * space is a run of its indices. */
#include "space/space.h"

#include <stdlib.h>

/* The local index of the i-th configuration that is not excluded. */
static uint64_t skip_excluded(const struct hone__solved_group *group, uint64_t index)
{
  size_t low = 0, high = group->excluded_count;

  while (low < high) { /* the number of excluded ones before it */
    size_t middle = low + (high - low) / 2;
    if (group->excluded[middle] - middle <= index)
      low = middle + 1;
    else
      high = middle;
  }
  return index + low;
}

static size_t excluded_before(const struct hone__solved_group *group, uint64_t index,
                              bool *out_excluded)
{
  size_t low = 0, high = group->excluded_count;

  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (group->excluded[middle] < index)
      low = middle + 1;
    else
      high = middle;
  }
  *out_excluded = low < group->excluded_count && group->excluded[low] == index;
  return low;
}

bool hone__space_whole_at(const struct hone_space *space, uint64_t index, uint32_t *row)
{
  if (index >= space->whole) return false;
  for (size_t g = 0; g < space->group_count; g++) {
    const struct hone__solved_group *group = &space->groups[g];
    uint64_t count = group->legal - group->excluded_count;
    if (index >= count && group->legal != UINT64_MAX) {
      index -= count;
      continue;
    }
    row[0] = (uint32_t)g;
    hone__group_at(group, skip_excluded(group, index), row + 1);
    return true;
  }
  return false;
}

bool hone_space_at(const struct hone_space *space, uint64_t index, uint32_t *row)
{
  return index < space->legal && hone__space_whole_at(space, space->first + index, row);
}

static bool whole_index_of(const struct hone_space *space, const uint32_t *row, uint64_t *out_index)
{
  const struct hone__solved_group *group;
  uint64_t index;
  bool excluded;

  if (row[0] >= space->group_count) return false;
  group = &space->groups[row[0]];
  if (!hone__group_index_of(group, row + 1, &index)) return false;
  index -= excluded_before(group, index, &excluded);
  if (excluded) return false;
  if (__builtin_add_overflow(index, group->offset, out_index)) *out_index = UINT64_MAX;
  return true;
}

static bool is_part(const struct hone_space *space)
{
  return space->legal != space->whole;
}

bool hone_space_index_of(const struct hone_space *space, const uint32_t *row, uint64_t *out_index)
{
  if (!whole_index_of(space, row, out_index)) return false;
  if (!is_part(space)) return true;
  if (*out_index < space->first || *out_index - space->first >= space->legal) return false;
  *out_index -= space->first;
  return true;
}

bool hone__space_is_legal(const struct hone_space *space, const uint32_t *row)
{
  const struct hone__solved_group *group;
  uint64_t index;

  if (row[0] >= space->group_count) return false;
  group = &space->groups[row[0]];
  if (group->excluded_count) return whole_index_of(space, row, &index);
  return hone__group_contains(group, row + 1);
}

bool hone_space_contains(const struct hone_space *space, const uint32_t *row)
{
  uint64_t index;

  return is_part(space) ? hone_space_index_of(space, row, &index)
                        : hone__space_is_legal(space, row);
}

/* ---- All of them, in order ---- */

struct odometer {
  const struct hone__solved_group *group;
  uint32_t *place; /* which of its node's values each stop has */
  uint32_t *below; /* the node below each stop */
};

static uint32_t odometer_node(const struct odometer *o, size_t stop)
{
  const struct hone__stop *s = &o->group->route[stop];
  return s->before < 0 ? o->group->parts[s->part].diagram->root : o->below[s->before];
}

static void odometer_set(struct odometer *o, size_t stop, uint32_t *values)
{
  const struct hone__stop *s = &o->group->route[stop];
  values[s->param] = hone__diagram_value(o->group->parts[s->part].diagram, odometer_node(o, stop),
                                         o->place[stop], &o->below[stop]);
}

/* The next configuration: the last stop that can continues, those after it restart. */
static bool odometer_next(struct odometer *o, uint32_t *values)
{
  size_t stop = o->group->route_length;

  while (stop-- > 0) {
    const struct hone__diagram *diagram = o->group->parts[o->group->route[stop].part].diagram;
    if (o->place[stop] + 1 < diagram->nodes[odometer_node(o, stop)].width) break;
  }
  if (stop == SIZE_MAX) return false;
  HONE__ASSERT_SLOW(stop < o->group->route_length);
  o->place[stop]++;
  odometer_set(o, stop, values);
  for (stop++; stop < o->group->route_length; stop++) {
    o->place[stop] = 0;
    odometer_set(o, stop, values);
  }
  return true;
}

/* Sets the odometer to a configuration that is known to be legal. */
static void odometer_seek(struct odometer *o, const uint32_t *values)
{
  for (size_t stop = 0; stop < o->group->route_length; stop++) {
    const struct hone__stop *s = &o->group->route[stop];
    const struct hone__diagram *diagram = o->group->parts[s->part].diagram;
    uint32_t node = odometer_node(o, stop), low = 0, high = diagram->nodes[node].width, child,
             found;
    while (high - low > 1) {
      uint32_t middle = low + (high - low) / 2;
      if (hone__diagram_value(diagram, node, middle, &child) <= values[s->param])
        low = middle;
      else
        high = middle;
    }
    o->place[stop] = low;
    found = hone__diagram_value(diagram, node, low, &o->below[stop]);
    HONE__ASSERT_SLOW(found == values[s->param]);
    (void)found;
  }
}

static bool visit_group(const struct hone__solved_group *group, uint64_t first, uint32_t *row,
                        hone_visit *visit, void *data)
{
  struct odometer o = {.group = group};
  uint64_t index = first;
  size_t excluded;
  bool more = true, is_excluded;

  o.place = hone__alloc(2 * (group->route_length + 1) * sizeof *o.place);
  o.below = o.place + group->route_length + 1;
  hone__group_at(group, first, row + 1);
  odometer_seek(&o, row + 1);
  excluded = excluded_before(group, first, &is_excluded);
  do {
    if (excluded < group->excluded_count && group->excluded[excluded] == index)
      excluded++;
    else
      more = visit(data, row);
    index++;
  } while (more && odometer_next(&o, row + 1));
  free(o.place);
  return more;
}

struct part_walk { /* ends with the part */
  uint64_t left;
  hone_visit *visit;
  void *data;
};

static bool visit_part(void *data, const uint32_t *row)
{
  struct part_walk *walk = data;

  return walk->left-- > 0 && walk->visit(walk->data, row) && walk->left > 0;
}

static void visit_whole(const struct hone_space *space, uint64_t first, hone_visit *visit,
                        void *data)
{
  uint32_t *row = hone__alloc(space->width * sizeof *row);
  bool more = true;

  for (size_t g = 0; g < space->group_count && more; g++) {
    const struct hone__solved_group *group = &space->groups[g];
    uint64_t count = group->legal - group->excluded_count;
    if (first >= count && group->legal != UINT64_MAX) {
      first -= count;
      continue;
    }
    row[0] = (uint32_t)g;
    more = visit_group(group, skip_excluded(group, first), row, visit, data);
    first = 0;
  }
  free(row);
}

void hone_space_each(const struct hone_space *space, uint64_t first, hone_visit *visit, void *data)
{
  struct part_walk walk = {.visit = visit, .data = data};

  if (!is_part(space)) {
    visit_whole(space, first, visit, data);
  } else if (first < space->legal) {
    walk.left = space->legal - first;
    visit_whole(space, space->first + first, visit_part, &walk);
  }
}
