/* search_state.h - the search of a tuning, which asking.c and supply.c ask for configurations: what
 * it begins with, and what it was told.
 */
#ifndef HONE_TUNE_SEARCH_STATE_H
#define HONE_TUNE_SEARCH_STATE_H

#include "tune/patience.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hone__first_rows { /* that a search begins with */
  uint32_t *rows;
  size_t count;
  const char *origins; /* "M=512 on c:0, ...": where they were best; of `before` */
};

struct hone__told;
struct hone__held_answers { /* for the search, the first first (held_answers.c) */
  bool are_held;
  struct hone__told *told;
  size_t count, capacity;
};

struct hone__search_set;
struct hone__search_state {
  struct hone__search_set *set; /* NULL: not opened yet */
  struct hone__patience patience;
  struct hone__first_rows first, before; /* given by a person; good in earlier runs */
  struct hone__held_answers held;
  uint64_t asked_before; /* candidates, in earlier sessions of the run */
  double told_ratio;     /* time / baseline of the best that the search was told of */
  double told_ns;        /* the best time that it was told of, of any device; INFINITY */
};

#endif
