/* A genetic algorithm in steady state: the best that are known are the population, sorted. Two of
 * them, the better the likelier, are crossed at one point; the child is made legal, now and then
 * changed in one knob, and takes the place of the worst if it is better. So nothing good is lost,
 * and any number of children may be under way. Parents are of one group: others have other knobs.
 */
#include "search/moves.h"

#include "base/elementary.h"
#include "base/memory.h"
#include "space/space.h"

#include <stdlib.h>
#include <string.h>

static const double MUTATION_CHANCE = 1.0 / 55; /* and the size are Kernel Tuner's defaults */
static const double PREFERENCE = 2.5;           /* for the better: of a beta distribution */
enum {
  MOST_MEMBERS = 26,
  MOST_CHILDREN = 40, /* that may turn out to be known, until a random row is requested */
  TAME_CHILDREN = 4   /* after that many, they are changed more and more */
};

struct genetic {
  struct hone__trail trail;
  struct hone__search_options options;
  uint32_t members[MOST_MEMBERS]; /* trials; the best first */
  size_t count, founders;         /* founders: how many were requested to begin with */
  unsigned hopeless;              /* attempts that are left out: nearly all is known */
  uint32_t *move;
};

static hone_status open_genetic(const struct hone__search_options *options, void **out_state)
{
  struct genetic *search = hone__alloc(sizeof *search);

  search->options = *options;
  hone__trail_open(&search->trail, options);
  search->move = hone__alloc(search->trail.width * sizeof *search->move);
  *out_state = search;
  return NULL;
}

/* ---- Children ---- */

static uint32_t choose_parent(struct genetic *search)
{
  double chance = hone__random_real(&search->trail.random);

  HONE__ASSERT(search->count > 0 && search->count <= MOST_MEMBERS && chance < 1);
  return search
      ->members[(size_t)((1 - hone__power(1 - chance, 1 / PREFERENCE)) * (double)search->count)];
}

/* Of the same group as the first; the first itself if there is no other. */
static uint32_t choose_partner(struct genetic *search, uint32_t first)
{
  uint32_t group = hone__trail_row(&search->trail, first)[0];

  for (unsigned i = 0; i < MOST_MEMBERS; i++) {
    uint32_t second = choose_parent(search);
    if (second != first && hone__trail_row(&search->trail, second)[0] == group) return second;
  }
  return first;
}

static void mutate(struct genetic *search, uint32_t *row)
{
  if (hone__search_random_neighbour(&search->trail, row, search->move))
    memcpy(row, search->move, search->trail.width * sizeof *row);
}

static bool make_child(struct genetic *search, unsigned attempt, uint32_t *row)
{
  struct hone__trail *trail = &search->trail;
  uint32_t first = choose_parent(search), second = choose_partner(search, first);
  size_t knobs = trail->space->groups[hone__trail_row(trail, first)[0]].count;
  size_t point = knobs < 2 ? 1 : 2 + (size_t)hone__random_below(&trail->random, knobs - 1);

  memcpy(row, hone__trail_row(trail, first), trail->width * sizeof *row);
  memcpy(row + point, hone__trail_row(trail, second) + point, (trail->width - point) * sizeof *row);
  if (!hone__moves_repair(trail, row)) return false;
  if (hone__random_real(&trail->random) < MUTATION_CHANCE) mutate(search, row);
  for (unsigned i = TAME_CHILDREN; i < attempt; i += TAME_CHILDREN)
    mutate(search, row);
  return true;
}

/* ---- Asking and telling ---- */

static bool propose_initial(struct genetic *search, uint32_t *row)
{
  return (search->founders++ == 0 && hone__unknown_middle(&search->trail, row)) ||
         hone__trail_draw(&search->trail, row);
}

static bool propose(void *state, uint32_t *row)
{
  struct genetic *search = state;

  if (search->founders < hone__population_size(&search->trail, &search->options, MOST_MEMBERS))
    return propose_initial(search, row);
  for (unsigned i = search->hopeless; search->count && i < MOST_CHILDREN; i++) {
    if (!make_child(search, i, row)) continue;
    if (hone__trail_find(&search->trail, row) != HONE__NO_TRIAL) continue;
    search->hopeless /= 2;
    return true;
  }
  search->hopeless = (search->hopeless + MOST_CHILDREN) / 2;
  return false;
}

static size_t ask(void *state, size_t count, uint32_t *rows)
{
  struct genetic *search = state;

  return hone__moves_ask(&search->trail, propose, search, count, rows);
}

static void tell(void *state, const uint32_t *row, const struct hone__observation *observation)
{
  struct genetic *search = state;
  struct hone__trail *trail = &search->trail;
  size_t size = hone__population_size(trail, &search->options, MOST_MEMBERS), place;
  uint32_t told = trail->told, trial = hone__trail_tell(trail, row, observation);
  double cost = hone__trail_cost(trail, trial);

  if (trail->told == told || isinf(cost)) return; /* it was told before, or failed */
  if (search->count > size) search->count = size;
  for (place = search->count; place > 0; place--)
    if (hone__trail_cost(trail, search->members[place - 1]) <= cost) break;
  if (place >= size) return;
  search->count += search->count < size;
  HONE__ASSERT(place < search->count && search->count <= MOST_MEMBERS);
  memmove(search->members + place + 1, search->members + place,
          (search->count - place - 1) * sizeof *search->members);
  search->members[place] = trial;
}

static void close_genetic(void *state)
{
  struct genetic *search = state;

  hone__trail_release(&search->trail);
  free(search->move);
  free(search);
}

const struct hone__strategy hone__search_genetic = {
    .name = "genetic",
    .summary = "genetic algorithm with one-point crossover of the best",
    .learns = true,
    .open = open_genetic,
    .ask = ask,
    .tell = tell,
    .close = close_genetic,
};
