#include "search/middles.h"

#include "base/memory.h"
#include "space/space.h"
#include "spec/program.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_GROUPS = 8, MOST_TEXTS = 8, MOST_LEARNED = 8 };

static uint32_t *row_at(const struct hone__middles *middles, size_t i)
{
  return middles->rows + i * middles->width;
}

/* ---- Texts ---- */

static bool has_value(const struct hone__middles *middles, const struct hone__trail *trail,
                      size_t knob, uint32_t value)
{
  for (uint32_t i = 0; i < trail->count; i++)
    if (hone__trail_row(trail, i)[1 + knob] == value) return true;
  for (size_t i = 0; i < middles->count; i++)
    if (row_at(middles, i)[1 + knob] == value) return true;
  return false;
}

/* One step from the middle of the space; `row` is room for it. */
static bool is_near(const struct hone__middles *middles, const struct hone_space *space,
                    size_t knob, uint32_t value, uint32_t *row)
{
  memcpy(row, middles->rows, middles->width * sizeof *row);
  row[1 + knob] = value;
  return hone_space_contains(space, row);
}

/* Of one knob, in a space of one group. */
static void find_texts(struct hone__middles *middles, const struct hone__trail *trail, size_t knob)
{
  const struct hone__domain *domain = &trail->space->groups[0].domains[knob];

  if (!(domain->types & HONE__T_TEXT) || domain->count > MOST_TEXTS) return;
  for (uint32_t value = 0; value < domain->count; value++) {
    uint32_t *row = row_at(middles, middles->count);
    if (middles->count > MOST_TEXTS || has_value(middles, trail, knob, value) ||
        is_near(middles, trail->space, knob, value, row))
      continue;
    middles->count += hone__middle_with(trail->space, 0, knob, value, row);
  }
}

/* ---- All ---- */

static void find_groups(struct hone__middles *middles, const struct hone_space *space)
{
  if (space->group_count > MOST_GROUPS) return;
  for (size_t i = 0; i < space->group_count; i++)
    middles->count += hone__middle_of_group(space, i, row_at(middles, middles->count));
}

void hone__middles_find(struct hone__middles *middles, const struct hone__trail *trail)
{
  const struct hone_space *space = trail->space;
  size_t most = 3 + (MOST_GROUPS > MOST_TEXTS ? MOST_GROUPS : MOST_TEXTS);

  *middles = (struct hone__middles){.width = trail->width};
  middles->rows = hone__alloc(most * trail->width * sizeof *middles->rows);
  middles->count = hone__middle_row(space, HONE__MIDDLE_LOWER, middles->rows);
  if (!middles->count) return;
  middles->count += hone__middle_row(space, HONE__MIDDLE_UPPER, row_at(middles, 1));
  if (space->group_count > 1) find_groups(middles, space);
  for (size_t knob = 0; space->group_count == 1 && knob < space->groups[0].count; knob++)
    find_texts(middles, trail, knob);
}

/* After the first, the middle: what others teach may be wrong, and little is lost by looking. */
static void add_second(struct hone__middles *middles, const struct hone_space *space)
{
  uint32_t *last = row_at(middles, middles->count), *second = row_at(middles, 1);
  size_t bytes = middles->width * sizeof *last;

  if (!hone__middle_row(space, HONE__MIDDLE_LOWER, last)) return;
  for (size_t i = middles->count++; i > 1; i--)
    memcpy(row_at(middles, i), row_at(middles, i - 1), bytes);
  hone__middle_row(space, HONE__MIDDLE_LOWER, second);
}

void hone__middles_learn(struct hone__middles *middles, const struct hone__lessons *lessons)
{
  *middles = (struct hone__middles){.width = hone_space_width(lessons->space)};
  middles->rows = hone__alloc((MOST_LEARNED + 1) * middles->width * sizeof *middles->rows);
  middles->count = hone__lessons_first(lessons, MOST_LEARNED, middles->rows);
  middles->is_learned = true;
  if (middles->count) add_second(middles, lessons->space);
}

bool hone__middles_is_own(const struct hone__middles *middles, size_t i)
{
  return !middles->is_learned || i == 1;
}

void hone__middles_release(struct hone__middles *middles)
{
  free(middles->rows);
  *middles = (struct hone__middles){0};
}

bool hone__middles_next(struct hone__middles *middles, const struct hone__trail *trail,
                        uint32_t *row)
{
  while (middles->next < middles->count) {
    memcpy(row, row_at(middles, middles->next++), middles->width * sizeof *row);
    if (hone__trail_find(trail, row) == HONE__NO_TRIAL) return true;
  }
  return false;
}
