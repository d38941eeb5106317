/* moves.h - what the strategies that move through the space share: how they answer when they know
 * no move, how an illegal row is made legal, and where a local search stands.
 *
 *   given = hone__moves_ask(&trail, propose, search, count, rows);   in ask
 */
#ifndef HONE_SEARCH_MOVES_H
#define HONE_SEARCH_MOVES_H

#include "search/trail.h"

/* A legal row that is not known yet; false: no move leads to one. It must come to an end. */
typedef bool hone__propose(void *search, uint32_t *row);
/* Seeds, then what is proposed, random rows where nothing is; 0: all were requested. */
size_t hone__moves_ask(struct hone__trail *trail, hone__propose *propose, void *search,
                       size_t count, uint32_t *rows);

/* Infinite: it failed, or is not known yet. */
static inline double hone__trail_cost(const struct hone__trail *trail, uint32_t trial)
{
  return trial != HONE__NO_TRIAL && trail->trials[trial].state == HONE__TRAIL_WORKS
             ? trail->trials[trial].cost
             : INFINITY;
}

/* The middle of the space; false: it is known already. */
bool hone__unknown_middle(const struct hone__trail *trail, uint32_t *row);

/* Makes a row of values of its group legal: one knob is changed, by few steps, or else some knobs
 * by one step, or else what the row's first knobs leave. False: the group is empty. */
bool hone__moves_repair(struct hone__trail *trail, uint32_t *row);

/* How many of a population's size there is time for: at most a sixth of what will be evaluated. */
size_t hone__population_size(const struct hone__trail *trail,
                             const struct hone__search_options *options, size_t most);

struct hone__foothold {
  uint32_t trial;  /* HONE__NO_TRIAL: nowhere yet */
  uint32_t *start; /* where it continues, whatever it costs, once that is told */
  bool starting;
  bool has_begun;
};
void hone__foothold_open(struct hone__foothold *foothold, const struct hone__trail *trail);
void hone__foothold_release(struct hone__foothold *foothold);
/* Continues from a row that is about to be requested. */
void hone__foothold_start(struct hone__foothold *foothold, const struct hone__trail *trail,
                          const uint32_t *row);
/* The first time, the middle: it is the start unless the seeds gave one. False: it is known. */
bool hone__foothold_begin(struct hone__foothold *foothold, const struct hone__trail *trail,
                          uint32_t *row);
/* True: it stands elsewhere now, at the start or at something better. */
bool hone__foothold_tell(struct hone__foothold *foothold, const struct hone__trail *trail,
                         uint32_t trial);
const uint32_t *hone__foothold_row(const struct hone__foothold *foothold,
                                   const struct hone__trail *trail);

/* A local search: the first member of its state. `ask` and `tell` are the strategy's. */
struct hone__local_search {
  struct hone__trail trail;
  struct hone__foothold foothold;
  hone__propose *propose;
  void (*arrive)(void *search); /* it stands elsewhere now */
};
void hone__local_search_open(struct hone__local_search *search,
                             const struct hone__search_options *options);
void hone__local_search_release(struct hone__local_search *search);
size_t hone__local_search_ask(void *state, size_t count, uint32_t *rows);
void hone__local_search_tell(void *state, const uint32_t *row,
                             const struct hone__observation *observation);

#endif
