/* underway.h - the candidates that are not recorded yet, in the order of the search.
 *
 *   hone__underway_add          has to be built
 *   hone__underway_make_ready   is built
 *   hone__underway_next         the next to be measured; hone__underway_measure takes it
 *   hone__underway_settle       its evaluation has the outcome
 *
 * A settled evaluation is in the store at once. If the search depends on when it receives answers
 * (hone__tuning_is_scheduled), candidates are recorded in the order of the search: a settled one
 * waits for those before it. What a search receives then does not depend on which was faster.
 */
#ifndef HONE_TUNE_UNDERWAY_H
#define HONE_TUNE_UNDERWAY_H

#include "tune/tuning.h"

/* Records it; false: there is more to do, and it will be settled again. */
typedef bool hone__tuning_candidate_finish(struct hone__candidate *candidate);

struct hone__underway {
  bool in_order;          /* recorded in the order of the search */
  bool measures_in_order; /* and also measured in that order */
  hone__tuning_candidate_finish *finish;
  struct hone__candidate *first, **last;
  uint64_t asked_before;    /* in earlier sessions of the run */
  uint64_t added, recorded; /* so far; dropped ones count as recorded */
  size_t ready, ready_bytes;
};

void hone__underway_open(struct hone__underway *underway, const struct hone__tuning *tuning,
                         hone__tuning_candidate_finish *finish);
/* Takes over the candidate. */
void hone__underway_add(struct hone__underway *underway, struct hone__candidate *candidate);
void hone__underway_make_ready(struct hone__underway *underway, struct hone__candidate *candidate);
/* True: it has to wait; others may go before it, unless they are measured in order. */
typedef bool hone__tuning_candidate_waits(void *data, struct hone__candidate *candidate);
struct hone__candidate *hone__underway_next(const struct hone__underway *underway,
                                            hone__tuning_candidate_waits *waits, void *data);
/* Whether an equal one, by the measure key, is on a device, or is earlier and waits to be checked.
 */
bool hone__underway_is_timing(const struct hone__underway *underway,
                              const struct hone__candidate *candidate);
/* Whether an equal one waits to be checked. */
bool hone__underway_has_unchecked(const struct hone__underway *underway,
                                  const struct hone__candidate *candidate);
void hone__underway_measure(struct hone__underway *underway, struct hone__candidate *candidate);
/* Writes it to the store; in order, records and frees it and those that waited for it. */
void hone__underway_settle(struct hone__underway *underway, struct hone__candidate *candidate);
/* Frees it without a record. */
void hone__underway_drop(struct hone__underway *underway, struct hone__candidate *candidate);
void hone__underway_drop_ready(struct hone__underway *underway);

#endif
