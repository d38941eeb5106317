/* Forward selection: parameters are choices whose first value means "without". In the order of the
 * spec, each parameter's second value is added to what was chosen so far and kept if that is
 * better. Then the further values of each are tried in its place, and at last each choice is left
 * out once. One step depends on the one before, so one row is asked at a time. A row that fails
 * changes nothing: a good choice is never lost because of a bad one.
 */
#include "search/trail.h"

#include "space/space.h"

#include <stdlib.h>

static const double GAIN = 0.002; /* less is noise */

enum pass { ADD, REPLACE, LEAVE_OUT, PASSES };

struct greedy {
  struct hone__trail trail;
  uint32_t *base; /* chosen so far */
  double cost;
  enum pass pass;
  size_t knob;
  uint32_t value; /* the next of this knob */
};

static const uint32_t first_values[] = {[ADD] = 1, [REPLACE] = 2, [LEAVE_OUT] = 0};

static hone_status open_greedy(const struct hone__search_options *options, void **out_state)
{
  struct greedy *search = hone__alloc(sizeof *search);

  *search = (struct greedy){.cost = 1, .value = first_values[ADD]};
  hone__trail_open(&search->trail, options);
  search->base = hone__alloc((search->trail.width + 1) * sizeof *search->base);
  if (!hone_space_at(options->space, 0, search->base)) search->pass = PASSES;
  *out_state = search;
  return NULL;
}

/* After the last value of this pass comes the next knob, after the last knob the next pass. */
static void advance(struct greedy *search)
{
  const struct hone__solved_group *group = &search->trail.space->groups[search->base[0]];
  bool has_more = search->pass == REPLACE && search->knob < group->count &&
                  search->value + 1 < group->domains[search->knob].count;

  if (has_more) {
    search->value++;
    return;
  }
  if (++search->knob >= group->count) {
    search->knob = 0;
    search->pass++;
  }
  if (search->pass < PASSES) search->value = first_values[search->pass];
}

/* The next row; false: it is not one, or known. */
static bool make_row(const struct greedy *search, uint32_t *row)
{
  const struct hone__solved_group *group = &search->trail.space->groups[search->base[0]];

  if (search->knob >= group->count || search->value >= group->domains[search->knob].count)
    return false;
  memcpy(row, search->base, search->trail.width * sizeof *row);
  row[1 + search->knob] = search->value;
  return hone_space_contains(search->trail.space, row) &&
         hone__trail_find(&search->trail, row) == HONE__NO_TRIAL;
}

static size_t ask(void *state, size_t count, uint32_t *rows)
{
  struct greedy *search = state;
  size_t given = hone__trail_seeds(&search->trail, count, rows);

  if (given || !count || search->trail.told < search->trail.count) return given;
  while (search->pass < PASSES) {
    bool is_new = make_row(search, rows);
    advance(search);
    if (is_new) return hone__trail_ask(&search->trail, rows);
  }
  return 0;
}

static void tell(void *state, const uint32_t *row, const struct hone__observation *observation)
{
  struct greedy *search = state;
  uint32_t trial = hone__trail_tell(&search->trail, row, observation);
  const struct hone__trail_entry *entry = &search->trail.trials[trial];

  if (entry->state != HONE__TRAIL_WORKS || !(entry->cost < (1 - GAIN) * search->cost)) return;
  search->cost = entry->cost;
  memcpy(search->base, row, search->trail.width * sizeof *row);
}

static void close_greedy(void *state)
{
  struct greedy *search = state;

  hone__trail_release(&search->trail);
  free(search->base);
  free(search);
}

const struct hone__strategy hone__search_greedy = {
    .name = "greedy",
    .summary = "one choice after the other is added where it helps",
    .learns = true,
    .is_serial = true,
    .open = open_greedy,
    .ask = ask,
    .tell = tell,
    .close = close_greedy,
};
