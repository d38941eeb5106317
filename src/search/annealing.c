/* Simulated annealing after Kernel Tuner, with its temperatures and its way of accepting. A move is
 * any other value of one knob (with a chance of 0.2) or else one step of any knobs. Better is
 * always accepted, worse with a chance that falls with the temperature, which falls with the number
 * of evaluations. Moves to what is known cost nothing; many of them in a row are a dead end, left
 * for a random row. Where Kernel Tuner begins anywhere, this begins in the middle, which is worth
 * much with few evaluations; and where that stops, at the lowest temperature, this heats up again
 * at a random row: it is the caller who stops. */
#include "search/moves.h"

#include "base/elementary.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static const double HOT = 0.1, COLD = 1e-4, COOLING = 0.9975, CHANGE_CHANCE = 0.2;
enum { MOST_STUCK = 100 };

struct annealing {
  struct hone__trail trail;
  uint32_t *position;
  double cost; /* of the position; infinite: it failed, or is not known yet */
  bool has_begun;
  double pace;     /* how much of the schedule an evaluation takes, in factors of COOLING */
  uint32_t heated; /* how many were told when the temperature was highest */
  unsigned stuck;  /* moves to what is known, in a row */
};

static hone_status open_annealing(const struct hone__search_options *options, void **out_state)
{
  struct annealing *search = hone__alloc(sizeof *search);
  double steps = ceil(hone__log(COLD) / hone__log(COOLING));
  double evaluations = options->evaluations ? (double)options->evaluations : steps;
  double configurations = (double)hone_space_count(options->space);

  hone__trail_open(&search->trail, options);
  search->position = hone__alloc(search->trail.width * sizeof *search->position);
  search->cost = INFINITY;
  search->pace = steps / fmax(fmin(evaluations, configurations), 1);
  *out_state = search;
  return NULL;
}

static double temperature(const struct annealing *search)
{
  HONE__ASSERT(search->heated <= search->trail.told);
  return HOT * hone__power(COOLING, search->pace * (search->trail.told - search->heated));
}

static bool is_accepted(struct annealing *search, double cost)
{
  double worse;

  if (isinf(search->cost)) return true;
  if (isinf(cost)) return false;
  if (cost < search->cost) return true;
  worse = (cost - search->cost) / (search->cost != 0 ? fabs(search->cost) : 1e-20);
  return hone__exp(-worse / temperature(search)) > hone__random_real(&search->trail.random);
}

static void consider(struct annealing *search, uint32_t trial)
{
  double cost = hone__trail_cost(&search->trail, trial);

  if (search->trail.trials[trial].state == HONE__TRAIL_ASKED || !is_accepted(search, cost)) return;
  memcpy(search->position, hone__trail_row(&search->trail, trial),
         search->trail.width * sizeof *search->position);
  search->cost = cost;
}

static bool make_move(struct annealing *search, uint32_t *row)
{
  if (hone__random_real(&search->trail.random) < CHANGE_CHANCE)
    return hone__search_random_neighbour(&search->trail, search->position, row);
  return hone__search_random_adjacent(&search->trail, search->position, row);
}

static bool begin_at(struct annealing *search, const uint32_t *row)
{
  memcpy(search->position, row, search->trail.width * sizeof *row);
  search->cost = INFINITY;
  search->stuck = 0;
  return true;
}

/* At the middle, unless one of the seeds works; then it is a move. */
static bool begin(struct annealing *search, uint32_t *row)
{
  search->has_begun = true;
  if (!hone__unknown_middle(&search->trail, row) && !hone__trail_draw(&search->trail, row))
    return false;
  return !isinf(search->cost) || begin_at(search, row);
}

static bool begin_anew(struct annealing *search, uint32_t *row)
{
  return hone__trail_draw(&search->trail, row) && begin_at(search, row);
}

static bool propose(void *state, uint32_t *row)
{
  struct annealing *search = state;

  if (!search->has_begun) return begin(search, row);
  if (temperature(search) <= COLD) {
    search->heated = search->trail.told;
    return begin_anew(search, row);
  }
  while (search->stuck <= MOST_STUCK) {
    uint32_t trial;
    if (!make_move(search, row)) break;
    trial = hone__trail_find(&search->trail, row);
    search->stuck = trial == HONE__NO_TRIAL ? 0 : search->stuck + 1;
    if (trial == HONE__NO_TRIAL) return true;
    consider(search, trial);
  }
  return begin_anew(search, row);
}

static size_t ask(void *state, size_t count, uint32_t *rows)
{
  struct annealing *search = state;

  return hone__moves_ask(&search->trail, propose, search, count, rows);
}

static void tell(void *state, const uint32_t *row, const struct hone__observation *observation)
{
  struct annealing *search = state;

  consider(search, hone__trail_tell(&search->trail, row, observation));
}

static void close_annealing(void *state)
{
  struct annealing *search = state;

  hone__trail_release(&search->trail);
  free(search->position);
  free(search);
}

const struct hone__strategy hone__search_annealing = {
    .name = "annealing",
    .summary = "simulated annealing with the defaults of Kernel Tuner",
    .learns = true,
    .open = open_annealing,
    .ask = ask,
    .tell = tell,
    .close = close_annealing,
};
