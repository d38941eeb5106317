/* Learns from scratch: some configurations at random, then always the one that the model expects
 * most of. */
#include "search/learner.h"
#include "search/moves.h"

#include "base/memory.h"

#include <stdlib.h>

enum { FIRST = 8 }; /* at random */

struct surrogate {
  struct hone__trail trail;
  struct hone__learner learner;
};

static hone_status open_surrogate(const struct hone__search_options *options, void **out_state)
{
  struct surrogate *search = hone__alloc(sizeof *search);

  hone__trail_open(&search->trail, options);
  hone__learner_open(&search->learner, &search->trail, options->seed, options->lessons);
  *out_state = search;
  return NULL;
}

static bool propose(void *state, uint32_t *row)
{
  struct surrogate *search = state;

  if (search->trail.count < FIRST || !search->trail.working) return false; /* any will do */
  hone__learner_follow(&search->learner);
  return hone__learner_best(&search->learner, HONE__LEARNER_GAIN, row);
}

static size_t ask(void *state, size_t count, uint32_t *rows)
{
  struct surrogate *search = state;

  return hone__moves_ask(&search->trail, propose, search, count, rows);
}

static void tell(void *state, const uint32_t *row, const struct hone__observation *observation)
{
  struct surrogate *search = state;

  hone__trail_tell(&search->trail, row, observation);
}

static void close_surrogate(void *state)
{
  struct surrogate *search = state;

  hone__learner_release(&search->learner);
  hone__trail_release(&search->trail);
  free(search);
}

const struct hone__strategy hone__search_surrogate = {
    .name = "surrogate",
    .summary = "a model of the measured times selects the next candidate, after a random start",
    .learns = true,
    .uses_lessons = true,
    .open = open_surrogate,
    .ask = ask,
    .tell = tell,
    .close = close_surrogate,
};
