/* supply.h - the configurations that screening has to build: those from the search, without those
 * already known.
 *
 *   hone__supply_open(&supply, tuning, underway)
 *   hone__supply_take while more is wanted; NULL: none until the search gets an answer
 *   hone__supply_drop when the rest is no longer wanted
 *   hone__supply_close
 *
 * Before the search gives the n-th configuration it has received the answers of a fixed set of
 * those before, which depends on n alone.
 */
#ifndef HONE_TUNE_SUPPLY_H
#define HONE_TUNE_SUPPLY_H

#include "tune/underway.h"

struct hone__supply {
  struct hone__tuning *tuning;
  struct hone__underway *underway; /* holds all candidates taken */
  struct hone__candidate *aside;   /* put back, to be taken next; NULL: none */
  uint64_t asked, limit;
  uint64_t turn_began, turn_ends; /* numbers of candidates, when building takes turns */
  bool builds;                    /* some were built, not only called with other values */
  bool has_ended;                 /* patience ended it */
};

void hone__supply_open(struct hone__supply *supply, struct hone__tuning *tuning,
                       struct hone__underway *underway);
/* Passes all remaining answers to the search. */
void hone__supply_close(struct hone__supply *supply);
struct hone__candidate *hone__supply_take(struct hone__supply *supply);
void hone__supply_drop(struct hone__supply *supply); /* the candidate that was set aside */

/* The most configurations that will be taken; 0: not known, because patience ends the search. */
uint64_t hone__supply_total(const struct hone__supply *supply);
/* Reports why it ended before the space was exhausted, if it did. */
void hone__supply_report_end(const struct hone__supply *supply);

#endif
