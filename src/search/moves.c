/* A row is repaired by its nearest legal neighbour. Where it has none, the diagrams lead from knob
 * to knob, each as near as the ones before allow, which always ends at a legal row. */
#include "search/moves.h"

#include "base/memory.h"
#include "space/space.h"

#include <stdlib.h>
#include <string.h>

size_t hone__moves_ask(struct hone__trail *trail, hone__propose *propose, void *search,
                       size_t count, uint32_t *rows)
{
  size_t given = hone__trail_seeds(trail, count, rows);

  for (; given < count && !hone__trail_is_complete(trail); given++) {
    uint32_t *row = rows + given * trail->width;
    if (propose(search, row) && hone__trail_ask(trail, row)) continue;
    if (!hone__trail_draw(trail, row) || !hone__trail_ask(trail, row)) break;
  }
  HONE__ASSERT(given <= count && given <= trail->count);
  return given;
}

bool hone__unknown_middle(const struct hone__trail *trail, uint32_t *row)
{
  return hone__middle_row(trail->space, HONE__MIDDLE_LOWER, row) &&
         hone__trail_find(trail, row) == HONE__NO_TRIAL;
}

/* ---- Making a row legal ---- */

struct nearest {
  struct hone__trail *trail;
  const uint32_t *wanted;
  uint32_t *row, steps;
  size_t ties;
};

static uint32_t steps_between(const uint32_t *a, const uint32_t *b, size_t knobs)
{
  uint32_t steps = 0;

  for (size_t i = 1; i <= knobs; i++)
    steps += a[i] < b[i] ? b[i] - a[i] : a[i] - b[i];
  return steps;
}

static bool keep_nearest(void *data, const uint32_t *row)
{
  struct nearest *nearest = data;
  size_t width = nearest->trail->width;
  uint32_t steps = steps_between(row, nearest->wanted, nearest->trail->space->groups[row[0]].count);

  if (row[0] != nearest->wanted[0] || (nearest->ties && steps > nearest->steps)) return true;
  if (!nearest->ties || steps < nearest->steps) nearest->ties = 0;
  nearest->steps = steps;
  if (hone__random_below(&nearest->trail->random, ++nearest->ties) == 0)
    memcpy(nearest->row, row, width * sizeof *row);
  return true;
}

/* The values of a node rise. */
static uint32_t nearest_value(const struct hone__diagram *diagram, uint32_t node, uint32_t wanted,
                              uint32_t *out_child)
{
  uint32_t low = 0, high = diagram->nodes[node].width - 1, value, below, child;

  HONE__ASSERT_SLOW(diagram->nodes[node].width > 0);
  while (low < high) { /* the first that is not below, or the last of all */
    uint32_t half = low + (high - low) / 2;
    if (hone__diagram_value(diagram, node, half, &child) < wanted)
      low = half + 1;
    else
      high = half;
  }
  value = hone__diagram_value(diagram, node, low, out_child);
  if (low == 0 || value <= wanted) return value;
  below = hone__diagram_value(diagram, node, low - 1, &child);
  if (wanted - below > value - wanted) return value;
  *out_child = child;
  return below;
}

static void follow_diagrams(const struct hone__solved_group *group, uint32_t *values)
{
  for (size_t i = 0; i < group->part_count; i++) {
    const struct hone__part *part = &group->parts[i];
    uint32_t node = part->diagram->root;
    for (uint32_t level = 0; level < part->count; level++) {
      uint32_t *value = &values[part->params[level]];
      *value = nearest_value(part->diagram, node, *value, &node);
    }
  }
}

bool hone__moves_repair(struct hone__trail *trail, uint32_t *row)
{
  const struct hone__solved_group *group = &trail->space->groups[row[0]];
  struct nearest nearest = {.trail = trail, .wanted = row};
  size_t bytes = trail->width * sizeof *row;
  bool found;

  HONE__ASSERT(row[0] < trail->space->group_count);
  if (hone_space_contains(trail->space, row)) return true;
  if (group->legal == 0) return false;
  nearest.row = hone__alloc(bytes);
  hone__adjacent_rows(trail, row, keep_nearest, &nearest); /* fewer to look at */
  if (!nearest.ties) hone__nearby_rows(trail, row, HONE__NEARBY, keep_nearest, &nearest);
  found = nearest.ties > 0 || hone__search_random_adjacent(trail, row, nearest.row);
  if (found) memcpy(row, nearest.row, bytes);
  free(nearest.row);
  if (!found) follow_diagrams(group, row + 1);
  return found || hone_space_contains(trail->space, row);
}

/* ---- Populations ---- */

enum { LEAST_POPULATION = 4, ENOUGH_SHARES = 3 };

size_t hone__population_size(const struct hone__trail *trail,
                             const struct hone__search_options *options, size_t most)
{
  double evaluations = (double)options->evaluations;

  if (trail->shares >= ENOUGH_SHARES && trail->spent > 0) {
    double in_time = trail->shares / trail->spent;
    if (evaluations == 0 || in_time < evaluations) evaluations = in_time;
  }
  if (evaluations == 0 || evaluations / 6 >= (double)most) return most;
  return evaluations / 6 > LEAST_POPULATION ? (size_t)(evaluations / 6) : LEAST_POPULATION;
}

/* ---- Where a local search stands ---- */

void hone__foothold_open(struct hone__foothold *foothold, const struct hone__trail *trail)
{
  *foothold = (struct hone__foothold){.trial = HONE__NO_TRIAL};
  foothold->start = hone__alloc(trail->width * sizeof *foothold->start);
}

void hone__foothold_release(struct hone__foothold *foothold)
{
  free(foothold->start);
}

void hone__foothold_start(struct hone__foothold *foothold, const struct hone__trail *trail,
                          const uint32_t *row)
{
  memcpy(foothold->start, row, trail->width * sizeof *row);
  foothold->starting = true;
}

bool hone__foothold_begin(struct hone__foothold *foothold, const struct hone__trail *trail,
                          uint32_t *row)
{
  bool is_first = !foothold->has_begun;

  foothold->has_begun = true;
  if (!is_first || !hone__unknown_middle(trail, row)) return false;
  if (foothold->trial == HONE__NO_TRIAL) hone__foothold_start(foothold, trail, row);
  return true;
}

const uint32_t *hone__foothold_row(const struct hone__foothold *foothold,
                                   const struct hone__trail *trail)
{
  return hone__trail_row(trail, foothold->trial);
}

bool hone__foothold_tell(struct hone__foothold *foothold, const struct hone__trail *trail,
                         uint32_t trial)
{
  double cost = hone__trail_cost(trail, trial);
  bool starts = foothold->starting && hone__trail_find(trail, foothold->start) == trial;

  HONE__ASSERT(trial < trail->count);
  if (starts) foothold->starting = false;
  if (isinf(cost) || (!starts && !(cost < hone__trail_cost(trail, foothold->trial)))) return false;
  foothold->trial = trial;
  return true;
}

/* ---- A local search ---- */

void hone__local_search_open(struct hone__local_search *search,
                             const struct hone__search_options *options)
{
  hone__trail_open(&search->trail, options);
  hone__foothold_open(&search->foothold, &search->trail);
}

void hone__local_search_release(struct hone__local_search *search)
{
  hone__foothold_release(&search->foothold);
  hone__trail_release(&search->trail);
}

size_t hone__local_search_ask(void *state, size_t count, uint32_t *rows)
{
  struct hone__local_search *search = state;

  return hone__moves_ask(&search->trail, search->propose, search, count, rows);
}

void hone__local_search_tell(void *state, const uint32_t *row,
                             const struct hone__observation *observation)
{
  struct hone__local_search *search = state;
  uint32_t trial = hone__trail_tell(&search->trail, row, observation);

  if (hone__foothold_tell(&search->foothold, &search->trail, trial)) search->arrive(search);
}
