/* What was requested and what came of it is remembered by row. A search may request what another
 * one has requested: it is told at once what is known, or later with all the others, and is asked
 * for something else. */
#include "search/search_set.h"

#include "base/hash.h"
#include "base/memory.h"
#include "hone.h"

#include <math.h>
#include <stdlib.h>

enum { FIRST_SLOTS = 256 };

struct known {
  bool is_told;
  struct hone__observation observation;
  double costs[HONE__MOST_SEARCHES];
};

struct hone__search_set {
  const struct hone__strategy *strategy;
  const struct hone_space *space;
  void *searches[HONE__MOST_SEARCHES];
  size_t count, turn; /* whose turn it is */
  size_t width;
  uint32_t *rows; /* of all that are known */
  struct known *known;
  size_t known_count, capacity;
  size_t *slots; /* by hash of the row: number + 1; 0 is free */
  size_t slot_count;
};

/* ---- What is known ---- */

/* Of a group with fewer parameters than others the rest of a row says nothing. */
static size_t bytes_of(const struct hone__search_set *set, const uint32_t *row)
{
  return (1 + hone_space_param_count(set->space, row[0])) * sizeof *row;
}

static size_t *find_slot(const struct hone__search_set *set, const uint32_t *row)
{
  size_t bytes = bytes_of(set, row), mask = set->slot_count - 1;
  size_t at = (size_t)hone__hash_bytes(0, row, bytes) & mask;

  while (set->slots[at] && memcmp(set->rows + (set->slots[at] - 1) * set->width, row, bytes) != 0)
    at = (at + 1) & mask;
  return &set->slots[at];
}

static void make_slots(struct hone__search_set *set)
{
  size_t wanted = set->slot_count ? 2 * set->slot_count : FIRST_SLOTS;

  if (2 * (set->known_count + 1) <= set->slot_count) return;
  free(set->slots);
  set->slots = hone__alloc(wanted * sizeof *set->slots);
  set->slot_count = wanted;
  for (size_t i = 0; i < set->known_count; i++)
    *find_slot(set, set->rows + i * set->width) = i + 1;
}

static void make_room(struct hone__search_set *set)
{
  if (set->known_count < set->capacity) return;
  set->capacity = set->capacity ? 2 * set->capacity : FIRST_SLOTS / 2;
  set->known = hone__realloc(set->known, set->capacity * sizeof *set->known);
  set->rows = hone__realloc(set->rows, set->capacity * set->width * sizeof *set->rows);
}

/* What is known of a row; *out_is_new: nothing was, until now. */
static struct known *learn(struct hone__search_set *set, const uint32_t *row, bool *out_is_new)
{
  size_t *slot;

  make_slots(set);
  slot = find_slot(set, row);
  *out_is_new = !*slot;
  if (!*slot) {
    make_room(set);
    memcpy(set->rows + set->known_count * set->width, row, bytes_of(set, row));
    set->known[set->known_count++] = (struct known){0};
    *slot = set->known_count;
  }
  return &set->known[*slot - 1];
}

/* ---- Asking and telling ---- */

static void tell_one(struct hone__search_set *set, size_t search, const uint32_t *row,
                     const struct hone__observation *observation, const double *costs)
{
  struct hone__observation own = *observation;

  own.cost = costs[search];
  if (set->strategy->tell) set->strategy->tell(set->searches[search], row, &own);
}

/* One row that is new; false: this search has none now. */
static bool ask_one(struct hone__search_set *set, size_t search, uint32_t *row)
{
  bool is_new = false;

  while (set->strategy->ask(set->searches[search], 1, row)) {
    const struct known *known = learn(set, row, &is_new);
    if (is_new) return true;
    if (known->is_told) tell_one(set, search, row, &known->observation, known->costs);
  }
  return false;
}

static bool all_are_legal(const struct hone__search_set *set, const uint32_t *rows, size_t count)
{
  for (size_t i = 0; i < count; i++)
    if (!hone_space_contains(set->space, rows + i * set->width)) return false;
  return true;
}

static size_t ask_alone(struct hone__search_set *set, size_t count, uint32_t *rows)
{
  size_t given = set->strategy->ask(set->searches[0], count, rows);

  HONE__ASSERT(given <= count);
  HONE__ASSERT_SLOW(all_are_legal(set, rows, given));
  return given;
}

size_t hone__search_set_ask(struct hone__search_set *set, size_t count, uint32_t *rows)
{
  size_t given = 0, without = 0;

  if (set->count == 1) return ask_alone(set, count, rows);
  HONE__ASSERT(set->turn < set->count);
  while (given < count && without < set->count) {
    if (ask_one(set, set->turn, rows + given * set->width)) {
      given++;
      without = 0;
    } else {
      without++;
    }
    set->turn = (set->turn + 1) % set->count;
  }
  HONE__ASSERT_SLOW(all_are_legal(set, rows, given));
  return given;
}

void hone__search_set_tell(struct hone__search_set *set, const uint32_t *row,
                           const struct hone__observation *observation, const double *costs)
{
  struct known *known;
  bool is_new;

  if (set->count > 1) {
    known = learn(set, row, &is_new);
    known->is_told = true;
    known->observation = *observation;
    memcpy(known->costs, costs, set->count * sizeof *costs);
  }
  for (size_t i = 0; i < set->count; i++)
    tell_one(set, i, row, observation, costs);
}

/* ---- Opening and closing ---- */

hone_status hone__search_set_open(const struct hone__strategy *strategy,
                                  const struct hone__search_options *options, size_t count,
                                  struct hone__search_set **out_set)
{
  struct hone__search_set *set = hone__alloc(sizeof *set);
  struct hone__search_options own = *options;
  hone_status status = NULL;

  HONE__ASSERT(count >= 1 && count <= HONE__MOST_SEARCHES);
  *out_set = NULL;
  set->strategy = strategy;
  set->space = options->space;
  set->width = hone_space_width(options->space);
  for (size_t i = 0; i < count && !status; i++) {
    if (i) own.seed = hone__mix(options->seed + i);
    status = strategy->open(&own, &set->searches[i]);
    set->count += !status;
  }
  if (status)
    hone__search_set_close(set);
  else
    *out_set = set;
  return status;
}

double hone__search_set_missing(struct hone__search_set *set, double margin)
{
  return set->strategy->missing ? set->strategy->missing(set->searches[0], margin) : NAN;
}

void hone__search_set_keep(struct hone__search_set *set, size_t count)
{
  while (set->count > count)
    set->strategy->close(set->searches[--set->count]);
  if (set->turn >= set->count) set->turn = 0;
}

void hone__search_set_close(struct hone__search_set *set)
{
  if (!set) return;
  hone__search_set_keep(set, 0);
  free(set->rows);
  free(set->known);
  free(set->slots);
  free(set);
}
