/* Rows that differ in one knob. Lists may be long, up to millions of values: then each knob has a
 * share of what may be looked at, half of it for the values around its own and half for any. */
#include "search/trail.h"

#include "base/memory.h"
#include "space/space.h"

#include <stdlib.h>
#include <string.h>

struct looking {
  struct hone__trail *trail;
  uint32_t *row; /* being changed */
  hone_visit *visit;
  void *data;
};

static uint32_t *copy_row(const struct hone__trail *trail, const uint32_t *row)
{
  uint32_t *copy = hone__alloc(trail->width * sizeof *copy);

  memcpy(copy, row, trail->width * sizeof *copy);
  return copy;
}

/* False: no more are wanted. */
static bool look_at(struct looking *looking, size_t knob, uint32_t value)
{
  uint32_t *place = &looking->row[1 + knob], own = *place;
  bool more = true;

  *place = value;
  if (hone_space_contains(looking->trail->space, looking->row))
    more = looking->visit(looking->data, looking->row);
  *place = own;
  return more;
}

static bool look_around(struct looking *looking, size_t knob, uint32_t count, uint32_t reach)
{
  uint32_t own = looking->row[1 + knob];
  bool more = true;

  for (uint32_t step = 1; more && step <= reach; step++) {
    if (step <= own) more = look_at(looking, knob, own - step);
    if (more && step < count - own) more = look_at(looking, knob, own + step);
  }
  return more;
}

static bool look_anywhere(struct looking *looking, size_t knob, uint32_t count, size_t tries)
{
  uint32_t own = looking->row[1 + knob];
  bool more = true;

  for (; more && tries; tries--) {
    uint32_t value = (uint32_t)hone__random_below(&looking->trail->random, count - 1);
    more = look_at(looking, knob, value + (value >= own));
  }
  return more;
}

void hone__adjacent_rows(struct hone__trail *trail, const uint32_t *row, hone_visit *visit,
                         void *data)
{
  const struct hone__solved_group *group = &trail->space->groups[row[0]];
  struct looking looking = {trail, copy_row(trail, row), visit, data};

  for (size_t i = 0; i < group->count; i++)
    if (!look_around(&looking, i, group->domains[i].count, 1)) break;
  free(looking.row);
}

/* Values of all lists that a neighbour may have. */
static uint64_t count_values(const struct hone_space *space, size_t width)
{
  uint64_t count = 0;

  for (size_t g = 0; g < space->group_count; g++)
    for (size_t i = 0; space->groups[g].count == width && i < width; i++)
      count += space->groups[g].domains[i].count;
  return count;
}

void hone__nearby_rows(struct hone__trail *trail, const uint32_t *row, size_t most,
                       hone_visit *visit, void *data)
{
  const struct hone__solved_group *group = &trail->space->groups[row[0]];
  struct looking looking = {trail, NULL, visit, data};
  size_t share = group->count ? most / group->count : 0;
  bool more = true;

  if (count_values(trail->space, group->count) <= most) {
    hone_space_neighbours(trail->space, row, false, visit, data);
    return;
  }
  looking.row = copy_row(trail, row);
  for (size_t i = 0; more && i < group->count; i++) {
    uint32_t count = group->domains[i].count;
    bool is_long = count > share + 1;
    uint32_t reach = is_long ? (uint32_t)(share / 4 + 1) : count;
    more = look_around(&looking, i, count, reach);
    if (more && is_long) more = look_anywhere(&looking, i, count, share / 2);
  }
  free(looking.row);
}
