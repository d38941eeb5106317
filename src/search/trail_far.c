/* Rows far from those that are known. Of some random ones, that is the one whose nearest known row
 * is farthest away: where a search knows only a few, one that differs in most knobs says most. */
#include "search/trail.h"

#include "base/memory.h"
#include "space/space.h"

#include <stdlib.h>
#include <string.h>

/* Of the known rows the last ones: a search that continues with many must not take long. */
enum { MOST_COMPARED = 64 };

/* Of two different values, however near. */
static const double OTHER_VALUE = 0.3;

/* The sum over the knobs of how far apart the values are, by list length. Rows of different groups
 * differ in everything. */
static double distance_of(const struct hone__trail *trail, const uint32_t *row,
                          const uint32_t *other)
{
  const struct hone__solved_group *group = &trail->space->groups[row[0]];
  double sum = 0;

  if (row[0] != other[0]) return (1 + OTHER_VALUE) * (double)trail->width;
  for (size_t i = 1; i <= group->count; i++) {
    uint32_t steps = row[i] > other[i] ? row[i] - other[i] : other[i] - row[i];
    if (steps) sum += OTHER_VALUE + (double)steps / (group->domains[i - 1].count - 1);
  }
  return sum;
}

static double distance_to_known(const struct hone__trail *trail, const uint32_t *row)
{
  uint32_t first = trail->count > MOST_COMPARED ? trail->count - MOST_COMPARED : 0;
  double least = INFINITY;

  for (uint32_t i = first; i < trail->count; i++)
    if (!trail->trials[i].is_aside)
      least = fmin(least, distance_of(trail, row, hone__trail_row(trail, i)));
  return least;
}

bool hone__trail_draw_far(struct hone__trail *trail, unsigned draws, uint32_t *row)
{
  uint32_t *drawn = hone__alloc(trail->width * sizeof *drawn);
  double farthest = -1;

  for (unsigned i = 0; i < draws && hone__trail_draw(trail, drawn); i++) {
    double distance = distance_to_known(trail, drawn);
    if (distance <= farthest) continue;
    farthest = distance;
    memcpy(row, drawn, trail->width * sizeof *row);
  }
  free(drawn);
  return farthest >= 0;
}
