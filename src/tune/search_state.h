/* search_state.h - the search of a tuning: its first configurations, and the answers it received.
 * asking.c and supply.c take configurations from it.
 */
#ifndef HONE_TUNE_SEARCH_STATE_H
#define HONE_TUNE_SEARCH_STATE_H

#include "tune/patience.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hone__first_rows { /* the first configurations of a search */
  uint32_t *rows;
  size_t count;
  const char *origins; /* of `before`: "M=512 on c:0, ...", where they were best */
  size_t lessons;      /* of `before`: runs that teach the search what else they measured */
};

struct hone__held_answer;
struct hone__held_answers { /* a queue of answers for the search (held_answers.c) */
  bool are_held;
  struct hone__held_answer *items;
  size_t count, capacity;
};

struct hone__search_set;
struct hone__lessons;
struct hone__tuning_search {
  struct hone__search_set *set; /* NULL: not opened yet */
  struct hone__patience patience;
  struct hone__first_rows first, before; /* given by the user; best in earlier runs */
  struct hone__lessons *lessons;         /* of recordings and runs; NULL: none */
  struct hone__held_answers held;
  uint64_t asked_before; /* candidates in earlier sessions of the run */
  double passed_ratio;   /* time / baseline of the best candidate passed to the search */
  double began;          /* when it was opened */
  double asked_from;     /* when the baseline was measured */
  double measured_s;     /* devices' seconds for `measured` candidates */
  uint64_t measured;
  double passed_ns; /* the best time passed to the search, on any device; INFINITY */
};

#endif
