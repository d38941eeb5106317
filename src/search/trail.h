/* trail.h - what a search has requested and was told: the memory that most strategies share.
 *
 *   hone__trail_open(&trail, options);
 *   given = hone__trail_seeds(&trail, count, rows);       in ask: seeds go first
 *   while (given < count && propose(search, row))         the strategy's own
 *     if (hone__trail_ask(&trail, row)) given++;          false: it was requested before
 *   trial = hone__trail_tell(&trail, row, observation);   in tell
 *   hone__trail_release(&trail);
 */
#ifndef HONE_SEARCH_TRAIL_H
#define HONE_SEARCH_TRAIL_H

#include "base/random.h"
#include "search/seeds.h"
#include "search/shuffle.h"

#include <math.h>

enum hone__trail_state {
  HONE__TRAIL_ASKED, /* nothing is known yet */
  HONE__TRAIL_WORKS,
  HONE__TRAIL_FAILED
};

struct hone__trail_entry {
  enum hone__trail_state state;
  double cost;   /* NaN unless it works */
  double share;  /* of a budget in time, that it took; NaN: not known */
  bool is_aside; /* known, so not requested again, but no evidence: it was chosen for what turned
                    out to be wrong */
};

enum { HONE__NO_TRIAL = UINT32_MAX };
enum { HONE__NEARBY = 1024 }; /* values looked at around a row, where little else is done */

struct hone__trail {
  const struct hone_space *space;
  size_t width;
  struct hone__random random;
  struct hone__seeds seeds;
  struct hone__shuffle shuffle;
  uint64_t draws;                   /* in a space too large to be shuffled */
  struct hone__trail_entry *trials; /* in the order of asking */
  uint32_t *rows;                   /* width numbers a trial */
  uint32_t count, trial_capacity;
  uint32_t *slots; /* by hash of the row: trial + 1; 0 is free */
  size_t slot_count;
  uint32_t told, working, failed;
  uint32_t best;   /* of those that work; HONE__NO_TRIAL: none does */
  double spent;    /* of a budget in time: the shares of all that told theirs */
  uint32_t shares; /* how many did */
};

void hone__trail_open(struct hone__trail *trail, const struct hone__search_options *options);
void hone__trail_release(struct hone__trail *trail);

size_t hone__trail_seeds(struct hone__trail *trail, size_t count, uint32_t *rows);
/* The trial of a row; HONE__NO_TRIAL: it was neither asked for nor told of. */
uint32_t hone__trail_find(const struct hone__trail *trail, const uint32_t *row);
/* Marks it as asked for; false: it was known already. The row must be legal. */
bool hone__trail_ask(struct hone__trail *trail, const uint32_t *row);
uint32_t hone__trail_tell(struct hone__trail *trail, const uint32_t *row,
                          const struct hone__observation *observation);
const uint32_t *hone__trail_row(const struct hone__trail *trail, uint32_t trial);
uint64_t hone__trail_hash(const struct hone__trail *trail, const uint32_t *row);
/* A random legal row that is not known yet (it is not marked); false: there is none left. */
bool hone__trail_draw(struct hone__trail *trail, uint32_t *row);
/* Of so many of these, the one that is farthest from all that are known. */
bool hone__trail_draw_far(struct hone__trail *trail, unsigned draws, uint32_t *row);
/* All legal configurations were requested. */
bool hone__trail_is_complete(const struct hone__trail *trail);

/* ---- Rows near others ---- */

/* The legal row nearest the middle of every parameter's list (the distance is the sum over the
 * parameters of steps by list length). A list of even length has two middle values. False: empty
 * space. */
enum hone__middle { HONE__MIDDLE_LOWER, HONE__MIDDLE_UPPER };
bool hone__middle_row(const struct hone_space *space, enum hone__middle which, uint32_t *row);
/* The lower one of one group. False: it has none of its own. */
bool hone__middle_of_group(const struct hone_space *space, size_t group, uint32_t *row);
/* That of those whose knob has this value. False: there are none. */
bool hone__middle_with(const struct hone_space *space, size_t group, size_t knob, uint32_t value,
                       uint32_t *row);
/* Visits the legal rows that differ from a row by one step of one knob, until visit says false; the
 * row itself need not be legal. */
void hone__adjacent_rows(struct hone__trail *trail, const uint32_t *row, hone_visit *visit,
                         void *data);
/* The same of any other value of one knob, as hone_space_neighbours, but where lists have more than
 * `most` values altogether only about that many are looked at, of the row's group. */
void hone__nearby_rows(struct hone__trail *trail, const uint32_t *row, size_t most,
                       hone_visit *visit, void *data);
/* A random legal neighbour: one knob of any other value, each equally likely (but for lists of
 * thousands of values). False: none was found. */
bool hone__search_random_neighbour(struct hone__trail *trail, const uint32_t *row,
                                   uint32_t *out_row);
/* A random legal row within one step of every knob (any number of knobs differ, at least one).
 * False: none was found. */
bool hone__search_random_adjacent(struct hone__trail *trail, const uint32_t *row,
                                  uint32_t *out_row);

#endif
