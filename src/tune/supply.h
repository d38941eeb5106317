/* supply.h - what screening has to build: the configurations that the search asks for, without
 * those that are known already.
 *
 *   hone__supply_open(&supply, tuning, underway)
 *   hone__supply_take while more is wanted; NULL: there is none until something is told
 *   hone__supply_drop when the rest is not wanted any more
 *   hone__supply_close
 *
 * Before the search is asked for the n-th configuration it is told the answers of a certain number
 * of those before, neither more nor less: which ones depends on n alone.
 */
#ifndef HONE_TUNE_SUPPLY_H
#define HONE_TUNE_SUPPLY_H

#include "tune/underway.h"

struct hone__supply {
  struct hone__tuning *tuning;
  struct hone__underway *underway; /* has all candidates that are taken */
  struct hone__candidate *aside;   /* taken, and put back to be the next; NULL: none */
  uint64_t asked, limit;
  uint64_t turn_began, turn_ends; /* numbers of candidates: where building has turns */
  bool builds;                    /* some were built, not only called otherwise */
  bool has_ended;                 /* by patience */
};

void hone__supply_open(struct hone__supply *supply, struct hone__tuning *tuning,
                       struct hone__underway *underway);
/* The search is told all that it was not told yet. */
void hone__supply_close(struct hone__supply *supply);
struct hone__candidate *hone__supply_take(struct hone__supply *supply);
void hone__supply_drop(struct hone__supply *supply); /* what was put aside */

/* How many will be asked for at most; 0: not known, since patience ends the search. */
uint64_t hone__supply_total(const struct hone__supply *supply);
/* Why it ended before the space was exhausted, if it did. */
void hone__supply_tell_end(const struct hone__supply *supply);

#endif
