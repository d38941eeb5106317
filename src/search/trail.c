/* Rows are hashed into a table of trial numbers; memory grows with what was requested, not with the
 * space. */
#include "search/trail.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_SLOTS = 256 };

void hone__trail_open(struct hone__trail *trail, const struct hone__search_options *options)
{
  *trail = (struct hone__trail){.space = options->space,
                                .width = hone_space_width(options->space),
                                .random = {.state = hone__mix(options->seed)},
                                .slot_count = FIRST_SLOTS,
                                .best = HONE__NO_TRIAL};
  trail->slots = hone__alloc(trail->slot_count * sizeof *trail->slots);
  hone__seeds_open(&trail->seeds, options);
  hone__shuffle_open(&trail->shuffle, hone_space_count(options->space), options->seed);
}

void hone__trail_release(struct hone__trail *trail)
{
  hone__seeds_release(&trail->seeds);
  free(trail->trials);
  free(trail->rows);
  free(trail->slots);
  *trail = (struct hone__trail){0};
}

/* ---- The table ---- */

const uint32_t *hone__trail_row(const struct hone__trail *trail, uint32_t trial)
{
  HONE__ASSERT_SLOW(trial < trail->count);
  return trail->rows + trial * trail->width;
}

/* Not all groups fill a row. */
static size_t used_of(const struct hone__trail *trail, const uint32_t *row)
{
  return 1 + hone_space_param_count(trail->space, row[0]);
}

uint64_t hone__trail_hash(const struct hone__trail *trail, const uint32_t *row)
{
  size_t used = used_of(trail, row);
  uint64_t hash = 0;

  for (size_t i = 0; i < used; i++)
    hash = hone__mix(hash ^ row[i]);
  return hash;
}

/* The row's own slot, or the free one where it belongs. */
static size_t slot_of(const struct hone__trail *trail, const uint32_t *row)
{
  size_t bytes = used_of(trail, row) * sizeof *row, mask = trail->slot_count - 1;
  size_t slot = hone__trail_hash(trail, row) & mask;

  for (; trail->slots[slot]; slot = (slot + 1) & mask)
    if (memcmp(hone__trail_row(trail, trail->slots[slot] - 1), row, bytes) == 0) break;
  return slot;
}

static void grow_slots(struct hone__trail *trail)
{
  free(trail->slots);
  trail->slot_count *= 2;
  trail->slots = hone__alloc(trail->slot_count * sizeof *trail->slots);
  for (uint32_t i = 0; i < trail->count; i++)
    trail->slots[slot_of(trail, hone__trail_row(trail, i))] = i + 1;
}

static void grow_trials(struct hone__trail *trail)
{
  uint32_t capacity = trail->trial_capacity ? 2 * trail->trial_capacity : FIRST_SLOTS / 2;

  trail->trials = hone__realloc(trail->trials, capacity * sizeof *trail->trials);
  trail->rows = hone__realloc(trail->rows, capacity * trail->width * sizeof *trail->rows);
  trail->trial_capacity = capacity;
}

uint32_t hone__trail_find(const struct hone__trail *trail, const uint32_t *row)
{
  uint32_t held = trail->slots[slot_of(trail, row)];

  return held ? held - 1 : HONE__NO_TRIAL;
}

bool hone__trail_ask(struct hone__trail *trail, const uint32_t *row)
{
  HONE__ASSERT(row[0] < hone_space_group_count(trail->space));
  if (hone__trail_find(trail, row) != HONE__NO_TRIAL) return false;
  if (trail->count == trail->trial_capacity) grow_trials(trail);
  if (2 * (size_t)trail->count >= trail->slot_count) grow_slots(trail);
  HONE__ASSERT(trail->count < trail->slot_count); /* a free slot ends every look-up */
  memcpy(trail->rows + trail->count * trail->width, row, trail->width * sizeof *row);
  trail->trials[trail->count] =
      (struct hone__trail_entry){.state = HONE__TRAIL_ASKED, .cost = NAN, .share = NAN};
  trail->slots[slot_of(trail, row)] = ++trail->count;
  return true;
}

/* ---- Answers ---- */

static void count_answer(struct hone__trail *trail, struct hone__trail_entry *trial, double share)
{
  trail->told++;
  trail->working += trial->state == HONE__TRAIL_WORKS;
  trail->failed += trial->state == HONE__TRAIL_FAILED;
  HONE__ASSERT(trail->told <= trail->count && trail->told == trail->working + trail->failed);
  if (!isfinite(share) || share < 0) return;
  trial->share = share;
  trail->spent += share;
  trail->shares++;
}

/* The first answer counts. */
uint32_t hone__trail_tell(struct hone__trail *trail, const uint32_t *row,
                          const struct hone__observation *observation)
{
  struct hone__trail_entry *trial;
  uint32_t which;

  hone__trail_ask(trail, row);
  which = hone__trail_find(trail, row);
  HONE__ASSERT(which < trail->count);
  trial = &trail->trials[which];
  if (trial->state != HONE__TRAIL_ASKED) return which;
  trial->state = hone__outcome_works(observation->outcome) && isfinite(observation->cost)
                     ? HONE__TRAIL_WORKS
                     : HONE__TRAIL_FAILED;
  trial->cost = trial->state == HONE__TRAIL_WORKS ? observation->cost : NAN;
  count_answer(trail, trial, observation->share);
  if (trial->state == HONE__TRAIL_WORKS &&
      (trail->best == HONE__NO_TRIAL || trial->cost < trail->trials[trail->best].cost))
    trail->best = which;
  HONE__ASSERT((trail->best == HONE__NO_TRIAL) == !trail->working);
  return which;
}

/* ---- New rows ---- */

size_t hone__trail_seeds(struct hone__trail *trail, size_t count, uint32_t *rows)
{
  size_t given = 0;

  while (given < count && hone__seeds_ask(&trail->seeds, 1, rows + given * trail->width))
    given += hone__trail_ask(trail, rows + given * trail->width);
  return given;
}

bool hone__trail_is_complete(const struct hone__trail *trail)
{
  return trail->count >= hone_space_count(trail->space);
}

/* Beyond 2^64 there are no indices; nor is there any danger of drawing one twice for long. */
static bool draw_large(struct hone__trail *trail, uint32_t *row)
{
  size_t count;

  do {
    hone_status status = hone_space_sample(
        trail->space, 1, trail->shuffle.seed ^ hone__mix(++trail->draws), row, &count);
    if (status) hone_status_free(status);
    if (status || !count) return false;
  } while (hone__trail_find(trail, row) != HONE__NO_TRIAL);
  return true;
}

/* A row that was drawn and then not asked for comes again only after all others. */
bool hone__trail_draw(struct hone__trail *trail, uint32_t *row)
{
  uint64_t count = hone_space_count(trail->space), index;

  if (hone__trail_is_complete(trail)) return false;
  if (count == UINT64_MAX) return draw_large(trail, row);
  for (;;) {
    if (!hone__shuffle_next(&trail->shuffle, &index)) {
      trail->shuffle.next = 0; /* some were passed over */
      continue;
    }
    hone_space_at(trail->space, index, row);
    if (hone__trail_find(trail, row) == HONE__NO_TRIAL) return true;
  }
}
