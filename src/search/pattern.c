/* Pattern search: knob after knob, up and down by a step, from the middle of the space. What is
 * better is where the search stands. Steps begin at half of each list and are halved when none
 * helps; at the end all pairs of knobs are moved by one step each, which leads along the edge of a
 * constraint, and then the search starts again at a random row. Knobs come in random order. */
#include "search/moves.h"
#include "search/steps.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_MOVES = 4096 }; /* without success, until a random row is requested in between */

struct pattern {
  struct hone__local_search local; /* first: it is asked and told */
  uint32_t *order;                 /* of the knobs */
  size_t knobs;
  unsigned halvings;    /* of the steps */
  size_t tried, cursor; /* steps of single knobs since the last success; where in their round */
  size_t pair;          /* the next pair */
};

static const struct hone__solved_group *group_here(const struct pattern *search)
{
  return &search->local.trail.space
              ->groups[hone__foothold_row(&search->local.foothold, &search->local.trail)[0]];
}

static void shuffle_knobs(struct pattern *search)
{
  search->knobs = group_here(search)->count;
  for (size_t i = 0; i < search->knobs; i++) {
    size_t place = (size_t)hone__random_below(&search->local.trail.random, i + 1);
    search->order[i] = search->order[place];
    search->order[place] = (uint32_t)i;
  }
}

/* ---- Moves ---- */

static bool single_step(struct pattern *search, uint32_t *row)
{
  size_t place = search->cursor++ % (2 * search->knobs);
  uint32_t knob = search->order[place / 2];
  const struct hone__solved_group *group = group_here(search);

  search->tried++;
  return hone__step_make(group, row, knob, place % 2,
                         hone__step_length(&group->domains[knob], search->halvings));
}

static bool pair_step(struct pattern *search, uint32_t *row)
{
  const struct hone__solved_group *group = group_here(search);
  size_t signs = search->pair % 4, pair = search->pair / 4, first = 0, others = search->knobs - 1;

  search->pair++;
  for (; pair >= others; others--) {
    pair -= others;
    first++;
  }
  return hone__step_make(group, row, search->order[first], signs & 1, 1) &&
         hone__step_make(group, row, search->order[first + 1 + pair], signs & 2, 1);
}

/* The next move, which may be illegal; false: there are no more. */
static bool next_move(struct pattern *search, uint32_t *row, bool *out_moves)
{
  memcpy(row, hone__foothold_row(&search->local.foothold, &search->local.trail),
         search->local.trail.width * sizeof *row);
  if (search->tried >= 2 * search->knobs &&
      !hone__steps_are_smallest(group_here(search), search->halvings)) {
    search->halvings++;
    search->tried = 0;
  }
  if (search->tried < 2 * search->knobs)
    *out_moves = single_step(search, row);
  else if (search->pair < 2 * search->knobs * (search->knobs ? search->knobs - 1 : 0))
    *out_moves = pair_step(search, row);
  else
    return false;
  return true;
}

/* ---- Asking and telling ---- */

/* From here the same steps again: what was a success often is one more. */
static void stand_here(void *state)
{
  struct pattern *search = state;

  if (group_here(search)->count != search->knobs) shuffle_knobs(search);
  search->tried = 0;
  search->pair = 0;
}

static bool start_anew(struct pattern *search, uint32_t *row)
{
  search->local.foothold.trial = HONE__NO_TRIAL;
  search->halvings = 0;
  search->knobs = SIZE_MAX; /* in a new order */
  if (!hone__trail_draw(&search->local.trail, row)) return false;
  hone__foothold_start(&search->local.foothold, &search->local.trail, row);
  return true;
}

static bool propose(void *state, uint32_t *row)
{
  struct pattern *search = state;
  unsigned in_vain = 0;
  bool moves;

  if (hone__foothold_begin(&search->local.foothold, &search->local.trail, row)) return true;
  while (search->local.foothold.trial != HONE__NO_TRIAL && next_move(search, row, &moves)) {
    uint32_t trial;
    if (in_vain++ == MOST_MOVES) return false;
    if (!moves || !hone_space_contains(search->local.trail.space, row)) continue;
    trial = hone__trail_find(&search->local.trail, row);
    if (trial == HONE__NO_TRIAL) return true;
    if (hone__foothold_tell(&search->local.foothold, &search->local.trail, trial))
      stand_here(search);
  }
  if (search->local.foothold.starting) return false;
  return start_anew(search, row);
}

/* ---- Begin and end ---- */

static hone_status open_pattern(const struct hone__search_options *options, void **out_state)
{
  struct pattern *search = hone__alloc(sizeof *search);

  hone__local_search_open(&search->local, options);
  search->local.propose = propose;
  search->local.arrive = stand_here;
  search->order = hone__alloc(search->local.trail.width * sizeof *search->order);
  *out_state = search;
  return NULL;
}

static void close_pattern(void *state)
{
  struct pattern *search = state;

  hone__local_search_release(&search->local);
  free(search->order);
  free(search);
}

const struct hone__strategy hone__search_pattern = {
    .name = "pattern",
    .summary = "steps of one knob from the middle, halved when none helps, then steps of pairs",
    .learns = true,
    .open = open_pattern,
    .ask = hone__local_search_ask,
    .tell = hone__local_search_tell,
    .close = close_pattern,
};
