/* Rows near others. The middle is a shortest path through each part's diagram. A random step is
 * drawn by trial and error, part by part, which makes all legal ones equally likely; where they are
 * too rare for that, the diagram leads the way. All of it is bounded. */
#include "search/trail.h"

#include "base/memory.h"
#include "space/space.h"

#include <stdlib.h>
#include <string.h>

/* ---- The middle ---- */

static const double LEAN = 1e-3;

struct middle_path { /* to the end of a part's diagram, by node */
  float *distance;   /* negative: not known yet */
  uint32_t *value;
};

struct middle_search {
  const struct hone__solved_group *group;
  const struct hone__part *part;
  double lean; /* steps beyond the middle: which of two values is nearer */
  struct pin { /* a knob that must have this value; NO_PIN: none must */
    uint32_t param, value;
  } pin;
  struct middle_path path;
};
static const struct pin NO_PIN = {UINT32_MAX, 0};

static double from_middle(const struct middle_search *search, uint32_t param, uint32_t value)
{
  double count = search->group->domains[param].count;

  if (param == search->pin.param && value != search->pin.value) return INFINITY;
  return fabs(value - (count - 1) / 2 - search->lean) / count;
}

/* Of a node whose values all lead to the same one: the place of the value nearest the middle. */
static uint32_t nearest_place(const struct middle_search *search, uint32_t node, uint32_t param)
{
  const struct hone__diagram *diagram = search->part->diagram;
  uint32_t low = 0, high = diagram->nodes[node].width - 1, child;
  uint32_t middle = search->group->domains[param].count / 2;

  while (low < high) { /* the first that is not below the middle, or the last of all */
    uint32_t half = low + (high - low) / 2;
    if (hone__diagram_value(diagram, node, half, &child) < middle)
      low = half + 1;
    else
      high = half;
  }
  if (low == 0) return 0;
  return from_middle(search, param, hone__diagram_value(diagram, node, low - 1, &child)) <=
                 from_middle(search, param, hone__diagram_value(diagram, node, low, &child))
             ? low - 1
             : low;
}

static double middle_distance(struct middle_search *search, uint32_t node, uint32_t level)
{
  const struct hone__diagram *diagram = search->part->diagram;
  const struct hone__diagram_node *n = &diagram->nodes[node];
  uint32_t param, first = 0, last = n->width;
  double best = INFINITY;

  if (level == search->part->count) return 0;
  if (search->path.distance[node] >= 0) return search->path.distance[node];
  param = search->part->params[level];
  if (n->fan != HONE__FAN_EDGES && param != search->pin.param) {
    first = nearest_place(search, node, param);
    last = first + 1;
  }
  for (uint32_t k = first; k < last; k++) {
    uint32_t child, value = hone__diagram_value(diagram, node, k, &child);
    double distance = from_middle(search, param, value) + middle_distance(search, child, level + 1);
    if (distance >= best) continue;
    best = distance;
    search->path.value[node] = value;
  }
  search->path.distance[node] = (float)best;
  return best;
}

static double middle_of_part(const struct hone__solved_group *group, const struct hone__part *part,
                             enum hone__middle which, struct pin pin, uint32_t *values)
{
  struct middle_search search = {
      .group = group, .part = part, .lean = which == HONE__MIDDLE_UPPER ? LEAN : -LEAN, .pin = pin};
  uint32_t node = part->diagram->root;
  uint64_t before;
  double distance;

  search.path.distance = hone__alloc(part->diagram->node_count * sizeof *search.path.distance);
  search.path.value = hone__alloc(part->diagram->node_count * sizeof *search.path.value);
  for (uint32_t i = 0; i < part->diagram->node_count; i++)
    search.path.distance[i] = -1;
  distance = middle_distance(&search, node, 0);
  for (uint32_t level = 0; isfinite(distance) && level < part->count; level++) {
    uint32_t value = values[part->params[level]] = search.path.value[node];
    if (!hone__diagram_follow(part->diagram, node, value, &before, &node)) break;
  }
  free(search.path.distance);
  free(search.path.value);
  return distance;
}

static double middle_of_group(const struct hone_space *space, size_t g, enum hone__middle which,
                              struct pin pin, uint32_t *row)
{
  const struct hone__solved_group *group = &space->groups[g];
  double distance = 0;

  if (group->legal == 0) return INFINITY;
  memset(row, 0, space->width * sizeof *row);
  row[0] = (uint32_t)g;
  for (size_t i = 0; i < group->part_count; i++)
    distance += middle_of_part(group, &group->parts[i], which, pin, row + 1);
  if (!isfinite(distance)) return INFINITY;
  return hone_space_contains(space, row) ? distance : INFINITY; /* another group may have it */
}

bool hone__middle_of_group(const struct hone_space *space, size_t group, uint32_t *row)
{
  return isfinite(middle_of_group(space, group, HONE__MIDDLE_LOWER, NO_PIN, row));
}

bool hone__middle_with(const struct hone_space *space, size_t group, size_t knob, uint32_t value,
                       uint32_t *row)
{
  const struct pin pin = {(uint32_t)knob, value};

  return isfinite(middle_of_group(space, group, HONE__MIDDLE_LOWER, pin, row));
}

bool hone__middle_row(const struct hone_space *space, enum hone__middle which, uint32_t *row)
{
  uint32_t *found = hone__alloc(space->width * sizeof *found);
  double distance, best = INFINITY;

  for (size_t g = 0; g < space->group_count; g++) {
    distance = middle_of_group(space, g, which, NO_PIN, found);
    if (distance >= best) continue;
    best = distance;
    memcpy(row, found, space->width * sizeof *row);
  }
  free(found);
  return isfinite(best) || hone_space_at(space, 0, row);
}

/* ---- One knob of any other value ---- */

enum { MOST_GUESSES = 16 };

struct reservoir {
  struct hone__random *random;
  size_t width, seen;
  uint32_t *row;
};

static bool keep_one(void *data, const uint32_t *row)
{
  struct reservoir *reservoir = data;

  if (hone__random_below(reservoir->random, ++reservoir->seen) == 0)
    memcpy(reservoir->row, row, reservoir->width * sizeof *row);
  return true;
}

static bool one_knob(struct hone__trail *trail, const uint32_t *row, bool adjacent,
                     uint32_t *out_row)
{
  struct reservoir reservoir = {.random = &trail->random, .width = trail->width, .row = out_row};

  if (adjacent)
    hone__adjacent_rows(trail, row, keep_one, &reservoir);
  else
    hone__nearby_rows(trail, row, HONE__NEARBY, keep_one, &reservoir);
  return reservoir.seen > 0;
}

/* Any knob and value, until they are legal; false: not soon. */
static bool guess_neighbour(struct hone__trail *trail, const uint32_t *row, uint32_t *out_row)
{
  const struct hone__solved_group *group = &trail->space->groups[row[0]];
  uint64_t all = 0;

  for (size_t i = 0; i < group->count; i++)
    all += group->domains[i].count - 1;
  memcpy(out_row, row, trail->width * sizeof *row);
  for (unsigned i = 0; all && i < MOST_GUESSES; i++) {
    uint64_t place = hone__random_below(&trail->random, all);
    size_t knob = 0;
    for (; place >= group->domains[knob].count - 1; knob++)
      place -= group->domains[knob].count - 1;
    out_row[1 + knob] = (uint32_t)place + (place >= row[1 + knob]);
    if (hone_space_contains(trail->space, out_row)) return true;
    out_row[1 + knob] = row[1 + knob];
  }
  return false;
}

/* Rows of other groups may be neighbours, too; they are all looked at. */
bool hone__search_random_neighbour(struct hone__trail *trail, const uint32_t *row,
                                   uint32_t *out_row)
{
  return (trail->space->group_count == 1 && guess_neighbour(trail, row, out_row)) ||
         one_knob(trail, row, false, out_row);
}

/* ---- One step of any knobs ---- */

enum {
  MOST_TRIES = 128, /* of a part */
  MOST_WALKS = 8,   /* led by the diagram */
  MOST_ROWS = 16    /* that may be the row itself, or another group's */
};

/* Only values that the diagram has at this node (`led`), or any of the list; UINT32_MAX: none. */
static uint32_t step_value(struct hone__random *random, const struct hone__diagram *diagram,
                           uint32_t node, uint32_t own, uint32_t count, bool led)
{
  uint32_t from = own ? own - 1 : 0, to = own + 1 < count ? own + 1 : count - 1;
  uint32_t found = UINT32_MAX, seen = 0, child;
  uint64_t before;

  if (!led) return from + (uint32_t)hone__random_below(random, to - from + 1);
  for (uint32_t value = from; value <= to; value++)
    if (hone__diagram_follow(diagram, node, value, &before, &child) &&
        hone__random_below(random, ++seen) == 0)
      found = value;
  return found;
}

static bool try_part(struct hone__trail *trail, const struct hone__solved_group *group,
                     const struct hone__part *part, const uint32_t *row, bool led,
                     uint32_t *out_row)
{
  uint32_t node = part->diagram->root;
  uint64_t before;

  for (uint32_t level = 0; level < part->count; level++) {
    uint32_t param = part->params[level];
    uint32_t value = step_value(&trail->random, part->diagram, node, row[1 + param],
                                group->domains[param].count, led);
    if (!hone__diagram_follow(part->diagram, node, value, &before, &node)) return false;
    out_row[1 + param] = value;
  }
  return true;
}

static bool step_part(struct hone__trail *trail, const struct hone__solved_group *group,
                      const struct hone__part *part, const uint32_t *row, uint32_t *out_row)
{
  for (unsigned i = 0; i < MOST_TRIES + MOST_WALKS; i++)
    if (try_part(trail, group, part, row, i >= MOST_TRIES, out_row)) return true;
  for (uint32_t level = 0; level < part->count; level++) /* it stays as it is */
    out_row[1 + part->params[level]] = row[1 + part->params[level]];
  return false;
}

bool hone__search_random_adjacent(struct hone__trail *trail, const uint32_t *row, uint32_t *out_row)
{
  const struct hone__solved_group *group = &trail->space->groups[row[0]];
  size_t bytes = trail->width * sizeof *row;
  bool found = true;

  for (unsigned i = 0; i < MOST_ROWS && found; i++) {
    found = false;
    memcpy(out_row, row, bytes);
    for (size_t k = 0; k < group->part_count; k++)
      found |= step_part(trail, group, &group->parts[k], row, out_row);
    if (memcmp(out_row, row, bytes) != 0 && hone_space_contains(trail->space, out_row)) return true;
  }
  return one_knob(trail, row, true, out_row);
}
