/* supply.h - what screening has to build: the configurations that the search asks for, without
 * those that are known already.
 *
 *   hone__supply_open(&supply, tuning)
 *   hone__supply_take while more is wanted; NULL: there is none until something is told
 *   hone__supply_drop when the rest is not wanted any more
 */
#ifndef HONE_TUNE_SUPPLY_H
#define HONE_TUNE_SUPPLY_H

#include "tune/tuning.h"

struct hone_supply {
  struct hone_tuning *tuning;
  struct hone_candidate *aside; /* taken, and put back to be the next; NULL: none */
  uint64_t asked, limit;
  bool is_dry; /* the last one that was wanted was not there; who tells something sets it back */
};

void hone__supply_open(struct hone_supply *supply, struct hone_tuning *tuning);
struct hone_candidate *hone__supply_take(struct hone_supply *supply);
void hone__supply_drop(struct hone_supply *supply); /* what was put aside */
/* Nothing new shall be begun. */
bool hone__supply_is_over(const struct hone_supply *supply);

/* What a person may count on; 0: nobody knows when patience ends. */
uint64_t hone__supply_total(const struct hone_supply *supply);
/* Why it ended before the space was exhausted, if it did. */
void hone__supply_tell_end(const struct hone_supply *supply);

#endif
