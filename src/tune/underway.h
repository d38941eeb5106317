/* underway.h - the candidates that were asked for and are not recorded yet, in the order in which
 * they were asked for.
 *
 *   hone__underway_add          it was asked for, and has to be built
 *   hone__underway_make_ready   it is built
 *   hone__underway_next         the one to be measured next; hone__underway_measure takes it
 *   hone__underway_settle       its evaluation says what became of it
 *
 * An evaluation is in the store as soon as it is settled. Where it matters what the search was told
 * when (hone__tuning_is_scheduled), candidates are recorded in the order of asking: one that is
 * settled waits for those before it. So what a search is told does not depend on who was faster.
 */
#ifndef HONE_TUNE_UNDERWAY_H
#define HONE_TUNE_UNDERWAY_H

#include "tune/tuning.h"

/* Records it; false: there is more to do, and it will be settled again. */
typedef bool hone__candidate_finish(struct hone__candidate *candidate);

struct hone__underway {
  bool in_order;          /* they are recorded in the order of asking */
  bool measures_in_order; /* and measured in that order, too */
  hone__candidate_finish *finish;
  struct hone__candidate *first, **last;
  uint64_t asked_before;    /* in earlier sessions of the run */
  uint64_t added, recorded; /* so far; dropped ones count as recorded */
  size_t ready, ready_bytes;
};

void hone__underway_open(struct hone__underway *underway, const struct hone__tuning *tuning,
                         hone__candidate_finish *finish);
/* The candidate belongs to it from now on. */
void hone__underway_add(struct hone__underway *underway, struct hone__candidate *candidate);
void hone__underway_make_ready(struct hone__underway *underway, struct hone__candidate *candidate);
/* True: it has to wait; others may go before it, unless they are measured in order. */
typedef bool hone__candidate_waits(void *data, struct hone__candidate *candidate);
struct hone__candidate *hone__underway_next(const struct hone__underway *underway,
                                            hone__candidate_waits *waits, void *data);
/* An equal one, by the measure key, has a device, or was asked for before and waits to be checked.
 */
bool hone__underway_is_timing(const struct hone__underway *underway,
                              const struct hone__candidate *candidate);
/* An equal one waits to be checked. */
bool hone__underway_has_unchecked(const struct hone__underway *underway,
                                  const struct hone__candidate *candidate);
void hone__underway_measure(struct hone__underway *underway, struct hone__candidate *candidate);
/* Puts it into the store; records it when its turn comes, and those that waited for it, and frees
 * them. */
void hone__underway_settle(struct hone__underway *underway, struct hone__candidate *candidate);
/* Without any record. */
void hone__underway_drop(struct hone__underway *underway, struct hone__candidate *candidate);
void hone__underway_drop_ready(struct hone__underway *underway);

#endif
