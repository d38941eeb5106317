/* What was asked for and what came of it is remembered by row. A search may ask for what another
 * one has asked for: it is told at once what is known, or later with all the others, and is asked
 * for something else. */
#include "search/several.h"

#include "base/hash.h"
#include "base/memory.h"
#include "hone.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

enum { FIRST_SLOTS = 256 };

struct known {
  bool is_told;
  struct hone__observation observation;
  double costs[HONE__MOST_SEARCHES];
};

struct hone__several {
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
static size_t bytes_of(const struct hone__several *several, const uint32_t *row)
{
  return (1 + hone_space_param_count(several->space, row[0])) * sizeof *row;
}

static size_t *find_slot(const struct hone__several *several, const uint32_t *row)
{
  size_t bytes = bytes_of(several, row), mask = several->slot_count - 1;
  size_t at = (size_t)hone__hash_bytes(0, row, bytes) & mask;

  while (several->slots[at] &&
         memcmp(several->rows + (several->slots[at] - 1) * several->width, row, bytes) != 0)
    at = (at + 1) & mask;
  return &several->slots[at];
}

static void make_slots(struct hone__several *several)
{
  size_t wanted = several->slot_count ? 2 * several->slot_count : FIRST_SLOTS;

  if (2 * (several->known_count + 1) <= several->slot_count) return;
  free(several->slots);
  several->slots = hone__alloc(wanted * sizeof *several->slots);
  several->slot_count = wanted;
  for (size_t i = 0; i < several->known_count; i++)
    *find_slot(several, several->rows + i * several->width) = i + 1;
}

static void make_room(struct hone__several *several)
{
  if (several->known_count < several->capacity) return;
  several->capacity = several->capacity ? 2 * several->capacity : FIRST_SLOTS / 2;
  several->known = hone__realloc(several->known, several->capacity * sizeof *several->known);
  several->rows =
      hone__realloc(several->rows, several->capacity * several->width * sizeof *several->rows);
}

/* What is known of a row; *out_is_new: nothing was, until now. */
static struct known *learn(struct hone__several *several, const uint32_t *row, bool *out_is_new)
{
  size_t *slot;

  make_slots(several);
  slot = find_slot(several, row);
  *out_is_new = !*slot;
  if (!*slot) {
    make_room(several);
    memcpy(several->rows + several->known_count * several->width, row, bytes_of(several, row));
    several->known[several->known_count++] = (struct known){0};
    *slot = several->known_count;
  }
  return &several->known[*slot - 1];
}

/* ---- Asking and telling ---- */

static void tell_one(struct hone__several *several, size_t search, const uint32_t *row,
                     const struct hone__observation *observation, const double *costs)
{
  struct hone__observation own = *observation;

  own.cost = costs[search];
  if (several->strategy->tell) several->strategy->tell(several->searches[search], row, &own);
}

/* One row that is new; false: this search has none now. */
static bool ask_one(struct hone__several *several, size_t search, uint32_t *row)
{
  bool is_new = false;

  while (several->strategy->ask(several->searches[search], 1, row)) {
    const struct known *known = learn(several, row, &is_new);
    if (is_new) return true;
    if (known->is_told) tell_one(several, search, row, &known->observation, known->costs);
  }
  return false;
}

size_t hone__several_ask(struct hone__several *several, size_t count, uint32_t *rows)
{
  size_t given = 0, without = 0;

  if (several->count == 1) return several->strategy->ask(several->searches[0], count, rows);
  while (given < count && without < several->count) {
    if (ask_one(several, several->turn, rows + given * several->width)) {
      given++;
      without = 0;
    } else {
      without++;
    }
    several->turn = (several->turn + 1) % several->count;
  }
  return given;
}

void hone__several_tell(struct hone__several *several, const uint32_t *row,
                        const struct hone__observation *observation, const double *costs)
{
  struct known *known;
  bool is_new;

  if (several->count > 1) {
    known = learn(several, row, &is_new);
    known->is_told = true;
    known->observation = *observation;
    memcpy(known->costs, costs, several->count * sizeof *costs);
  }
  for (size_t i = 0; i < several->count; i++)
    tell_one(several, i, row, observation, costs);
}

/* ---- Opening and closing ---- */

hone_status hone__several_open(const struct hone__strategy *strategy,
                               const struct hone__search_options *options, size_t count,
                               struct hone__several **out_several)
{
  struct hone__several *several = hone__alloc(sizeof *several);
  struct hone__search_options own = *options;
  hone_status status = NULL;

  assert(count >= 1 && count <= HONE__MOST_SEARCHES);
  *out_several = NULL;
  several->strategy = strategy;
  several->space = options->space;
  several->width = hone_space_width(options->space);
  for (size_t i = 0; i < count && !status; i++) {
    if (i) own.seed = hone__mix(options->seed + i);
    status = strategy->open(&own, &several->searches[i]);
    several->count += !status;
  }
  if (status)
    hone__several_close(several);
  else
    *out_several = several;
  return status;
}

void hone__several_keep(struct hone__several *several, size_t count)
{
  while (several->count > count)
    several->strategy->close(several->searches[--several->count]);
}

void hone__several_close(struct hone__several *several)
{
  if (!several) return;
  hone__several_keep(several, 0);
  free(several->rows);
  free(several->known);
  free(several->slots);
  free(several);
}
