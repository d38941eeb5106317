/* Iterated local search: the neighbours of a row (one knob of any other value) are tried in random
 * order, and the first that is better is the next row. Where none is, the search continues from the
 * best such end, with a few knobs changed at random; after some ends that were no better, from a
 * random row. Results that are known already cost nothing. */
#include "search/moves.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum {
  MOST_NEIGHBOURS = 4096,  /* of one row; more are sampled */
  MOST_PERTURBATIONS = 16, /* that may turn out to be known */
  LEAST_CHANGES = 2,
  MOST_CHANGES = 4, /* of a perturb */
  PATIENCE = 8      /* ends that are no better */
};

struct climb {
  struct hone__local_search local; /* first: it is asked and told */
  uint32_t end;         /* the best end since the last random row; HONE__NO_TRIAL: none yet */
  unsigned fruitless;   /* ends since then */
  uint32_t *neighbours; /* of the foothold, in random order */
  size_t count, capacity, next, seen;
  uint32_t *move;
};

/* ---- Neighbours ---- */

static uint32_t *neighbour_at(struct climb *search, size_t i)
{
  return search->neighbours + i * search->local.trail.width;
}

static void make_room(struct climb *search)
{
  if (search->count < search->capacity) return;
  search->capacity = search->capacity ? 2 * search->capacity : 32;
  search->neighbours =
      hone__realloc(search->neighbours,
                    search->capacity * search->local.trail.width * sizeof *search->neighbours);
}

/* Shuffles while it collects: the new one changes places with any, or, where they are too many,
 * replaces any or none. */
static bool add_neighbour(void *data, const uint32_t *row)
{
  struct climb *search = data;
  size_t bytes = search->local.trail.width * sizeof *row;
  size_t place = (size_t)hone__random_below(&search->local.trail.random, ++search->seen);

  if (search->count < MOST_NEIGHBOURS) {
    make_room(search);
    if (place < search->count)
      memcpy(neighbour_at(search, search->count), neighbour_at(search, place), bytes);
    search->count++;
  }
  if (place < search->count) memcpy(neighbour_at(search, place), row, bytes);
  return true;
}

static void look_around(void *state)
{
  struct climb *search = state;

  search->count = search->next = search->seen = 0;
  hone__nearby_rows(&search->local.trail,
                    hone__foothold_row(&search->local.foothold, &search->local.trail), HONE__NEARBY,
                    add_neighbour, search);
}

/* The next neighbour that is not known; what is known and better is climbed at once. */
static bool next_neighbour(struct climb *search, uint32_t *row)
{
  while (search->next < search->count) {
    const uint32_t *neighbour = neighbour_at(search, search->next++);
    uint32_t trial = hone__trail_find(&search->local.trail, neighbour);
    if (trial == HONE__NO_TRIAL) {
      memcpy(row, neighbour, search->local.trail.width * sizeof *row);
      return true;
    }
    if (hone__trail_cost(&search->local.trail, trial) <
        hone__trail_cost(&search->local.trail, search->local.foothold.trial)) {
      search->local.foothold.trial = trial;
      look_around(search);
    }
  }
  return false;
}

/* ---- Ends ---- */

static void reach_end(struct climb *search)
{
  uint32_t here = search->local.foothold.trial;

  search->fruitless++;
  if (here == HONE__NO_TRIAL || hone__trail_cost(&search->local.trail, here) >=
                                    hone__trail_cost(&search->local.trail, search->end))
    return;
  search->end = here;
  search->fruitless = 0;
}

static bool start_anew(struct climb *search, uint32_t *row)
{
  search->end = HONE__NO_TRIAL;
  search->local.foothold.trial = HONE__NO_TRIAL;
  search->count = search->next = 0;
  search->fruitless = 0;
  return hone__trail_draw(&search->local.trail, row);
}

/* Some knobs of the end changed; false: all that was tried is known. */
static bool perturb(struct climb *search, uint32_t *row)
{
  size_t bytes = search->local.trail.width * sizeof *row;

  for (unsigned i = 0; search->end != HONE__NO_TRIAL && i < MOST_PERTURBATIONS; i++) {
    uint64_t changes = LEAST_CHANGES + hone__random_below(&search->local.trail.random,
                                                          MOST_CHANGES - LEAST_CHANGES + 1);
    memcpy(row, hone__trail_row(&search->local.trail, search->end), bytes);
    while (changes--)
      if (hone__search_random_neighbour(&search->local.trail, row, search->move))
        memcpy(row, search->move, bytes);
    if (hone__trail_find(&search->local.trail, row) == HONE__NO_TRIAL) return true;
  }
  return false;
}

static bool propose(void *state, uint32_t *row)
{
  struct climb *search = state;

  if (hone__foothold_begin(&search->local.foothold, &search->local.trail, row)) return true;
  if (next_neighbour(search, row)) return true;
  if (search->local.foothold.starting) return perturb(search, row); /* meanwhile */
  reach_end(search);
  if (search->fruitless > PATIENCE || !perturb(search, row))
    if (!start_anew(search, row)) return false;
  hone__foothold_start(&search->local.foothold, &search->local.trail, row);
  return true;
}

/* ---- Begin and end ---- */

static hone_status open_climb(const struct hone__search_options *options, void **out_state)
{
  struct climb *search = hone__alloc(sizeof *search);

  hone__local_search_open(&search->local, options);
  search->local.propose = propose;
  search->local.arrive = look_around;
  search->move = hone__alloc(search->local.trail.width * sizeof *search->move);
  search->end = HONE__NO_TRIAL;
  *out_state = search;
  return NULL;
}

static void close_climb(void *state)
{
  struct climb *search = state;

  hone__local_search_release(&search->local);
  free(search->neighbours);
  free(search->move);
  free(search);
}

const struct hone__strategy hone__search_climb = {
    .name = "climb",
    .summary = "iterated local search; a neighbour differs in one knob",
    .learns = true,
    .open = open_climb,
    .ask = hone__local_search_ask,
    .tell = hone__local_search_tell,
    .close = close_climb,
};
