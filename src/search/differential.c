/* Differential evolution (best/1/bin) on value indices: the best known is moved by the difference
 * of two members, mixed with a third, the target, knob by knob, rounded and made legal. The result
 * takes the place of its target if it is better. Differences are taken within a group: others have
 * other knobs. Targets take turns, so that any number of results may be under way. */
#include "search/moves.h"

#include "base/memory.h"
#include "space/space.h"

#include <stdlib.h>
#include <string.h>

static const double WEIGHT = 0.7, CROSSOVER = 0.6;
enum {
  MOST_MEMBERS = 26,
  MOST_VECTORS = 40, /* that may turn out to be known, until a random row is requested */
  TAME_VECTORS = 3,  /* after that many, one knob is changed as well */
  NO_TARGET = UINT8_MAX
};

struct differential {
  struct hone__trail trail;
  struct hone__search_options options;
  uint32_t members[MOST_MEMBERS]; /* trials */
  size_t count, founders;         /* founders: how many were requested to begin with */
  size_t turn;
  unsigned hopeless; /* attempts that are left out: nearly all is known */
  uint32_t *move;
  uint8_t *targets; /* by trial: whose place it may take */
  uint32_t target_capacity;
};

static hone_status open_differential(const struct hone__search_options *options, void **out_state)
{
  struct differential *search = hone__alloc(sizeof *search);

  search->options = *options;
  hone__trail_open(&search->trail, options);
  search->move = hone__alloc(search->trail.width * sizeof *search->move);
  *out_state = search;
  return NULL;
}

/* ---- Vectors ---- */

static uint32_t group_of(const struct differential *search, size_t member)
{
  return hone__trail_row(&search->trail, search->members[member])[0];
}

static size_t best_of_group(const struct differential *search, uint32_t group)
{
  size_t best = MOST_MEMBERS;

  for (size_t i = 0; i < search->count; i++)
    if (group_of(search, i) == group &&
        (best == MOST_MEMBERS || hone__trail_cost(&search->trail, search->members[i]) <
                                     hone__trail_cost(&search->trail, search->members[best])))
      best = i;
  return best;
}

/* A random member of the group but for two; MOST_MEMBERS: there is none. */
static size_t other_of_group(struct differential *search, uint32_t group, size_t a, size_t b)
{
  size_t found = MOST_MEMBERS, seen = 0;

  for (size_t i = 0; i < search->count; i++)
    if (i != a && i != b && group_of(search, i) == group &&
        hone__random_below(&search->trail.random, ++seen) == 0)
      found = i;
  return found;
}

static uint32_t moved_value(const uint32_t *best, const uint32_t *a, const uint32_t *b, size_t i,
                            uint32_t count)
{
  double moved = round(best[i] + WEIGHT * ((double)a[i] - b[i]));

  return (uint32_t)fmin(fmax(moved, 0), count - 1.0);
}

static bool make_vector(struct differential *search, size_t target, uint32_t *row)
{
  struct hone__trail *trail = &search->trail;
  uint32_t group = group_of(search, target);
  const struct hone__solved_group *solved = &trail->space->groups[group];
  const uint32_t *best, *from, *to;
  size_t a = other_of_group(search, group, target, target), b, sure;

  if (a == MOST_MEMBERS || solved->count == 0) return false;
  b = other_of_group(search, group, target, a);
  best = hone__trail_row(trail, search->members[best_of_group(search, group)]);
  to = hone__trail_row(trail, search->members[a]);
  from = hone__trail_row(trail, search->members[b == MOST_MEMBERS ? target : b]);
  memcpy(row, hone__trail_row(trail, search->members[target]), trail->width * sizeof *row);
  sure = 1 + (size_t)hone__random_below(&trail->random, solved->count);
  for (size_t i = 1; i <= solved->count; i++)
    if (i == sure || hone__random_real(&trail->random) < CROSSOVER)
      row[i] = moved_value(best, to, from, i, solved->domains[i - 1].count);
  return hone__moves_repair(trail, row);
}

/* ---- Asking and telling ---- */

static bool propose_initial(struct differential *search, uint32_t *row)
{
  return (search->founders++ == 0 && hone__unknown_middle(&search->trail, row)) ||
         hone__trail_draw(&search->trail, row);
}

/* The next trial belongs to this member. */
static void aim(struct differential *search, size_t target)
{
  uint32_t trial = search->trail.count, old = search->target_capacity;

  if (trial >= old) {
    search->target_capacity = 2 * trial + MOST_MEMBERS;
    search->targets = hone__realloc(search->targets, search->target_capacity);
    memset(search->targets + old, NO_TARGET, search->target_capacity - old);
  }
  search->targets[trial] = (uint8_t)target;
}

static bool propose(void *state, uint32_t *row)
{
  struct differential *search = state;

  if (search->founders < hone__population_size(&search->trail, &search->options, MOST_MEMBERS))
    return propose_initial(search, row);
  for (unsigned i = search->hopeless; search->count && i < MOST_VECTORS; i++) {
    size_t target = search->turn++ % search->count;
    if (!make_vector(search, target, row)) continue;
    if (i >= TAME_VECTORS && hone__search_random_neighbour(&search->trail, row, search->move))
      memcpy(row, search->move, search->trail.width * sizeof *row);
    if (hone__trail_find(&search->trail, row) != HONE__NO_TRIAL) continue;
    aim(search, target);
    search->hopeless /= 2;
    return true;
  }
  search->hopeless = (search->hopeless + MOST_VECTORS) / 2;
  return false;
}

static size_t ask(void *state, size_t count, uint32_t *rows)
{
  struct differential *search = state;

  return hone__moves_ask(&search->trail, propose, search, count, rows);
}

/* A trial that belongs to no member is a founder, or replaces the worst member. */
static size_t place_of(const struct differential *search, uint32_t trial)
{
  const struct hone__trail *trail = &search->trail;
  size_t worst = 0;

  if (trial < search->target_capacity && search->targets[trial] != NO_TARGET)
    return search->targets[trial];
  if (search->count < hone__population_size(trail, &search->options, MOST_MEMBERS))
    return search->count;
  for (size_t i = 1; i < search->count; i++)
    if (hone__trail_cost(trail, search->members[i]) >
        hone__trail_cost(trail, search->members[worst]))
      worst = i;
  return worst;
}

static void tell(void *state, const uint32_t *row, const struct hone__observation *observation)
{
  struct differential *search = state;
  struct hone__trail *trail = &search->trail;
  uint32_t told = trail->told, trial = hone__trail_tell(trail, row, observation);
  double cost = hone__trail_cost(trail, trial);
  size_t place;

  if (trail->told == told || isinf(cost)) return; /* it was told before, or failed */
  place = place_of(search, trial);
  if (place < search->count && cost > hone__trail_cost(trail, search->members[place])) return;
  search->count += place == search->count;
  search->members[place] = trial;
}

static void close_differential(void *state)
{
  struct differential *search = state;

  hone__trail_release(&search->trail);
  free(search->targets);
  free(search->move);
  free(search);
}

const struct hone__strategy hone__search_differential = {
    .name = "differential",
    .summary = "differential evolution on the positions of values in their lists",
    .learns = true,
    .open = open_differential,
    .ask = ask,
    .tell = tell,
    .close = close_differential,
};
