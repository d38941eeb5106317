/* All room is taken once, so that nothing is allocated for a question; the places from `count` on
 * are those that were freed. */
#include "search/prospects.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { WORK_OF_FINDING = 2000 }; /* a row, in multiplications, about */

void hone__prospects_open(struct hone__prospects *prospects, struct hone__trail *trail,
                          const struct hone__features *features, struct hone__gaussian *model,
                          const struct hone__lessons *lessons)
{
  size_t most = HONE__MOST_PROSPECTS, width = trail->width, count = features->count;

  *prospects = (struct hone__prospects){
      .trail = trail, .features = features, .model = model, .lessons = lessons};
  prospects->all = hone__alloc(most * sizeof *prospects->all);
  prospects->hashes = hone__alloc(most * sizeof *prospects->hashes);
  prospects->solutions = hone__alloc(most * HONE__GAUSSIAN_POINTS * sizeof *prospects->solutions);
  prospects->points = hone__alloc((most * count + 1) * sizeof *prospects->points);
  prospects->rows = hone__alloc(most * width * sizeof *prospects->rows);
  for (size_t i = 0; i < most; i++)
    prospects->all[i] =
        (struct hone__prospect){.solution = prospects->solutions + i * HONE__GAUSSIAN_POINTS,
                                .point = prospects->points + i * count,
                                .row = prospects->rows + i * width};
}

void hone__prospects_release(struct hone__prospects *prospects)
{
  free(prospects->all);
  free(prospects->hashes);
  free(prospects->solutions);
  free(prospects->points);
  free(prospects->rows);
  *prospects = (struct hone__prospects){0};
}

/* Equal hashes of different rows would cost one prospect, no more. */
static bool has(const struct hone__prospects *prospects, uint64_t hash)
{
  for (size_t i = 0; i < prospects->count; i++)
    if (prospects->hashes[i] == hash) return true;
  return false;
}

void hone__prospects_add(struct hone__prospects *prospects, const uint32_t *row)
{
  uint64_t hash = hone__trail_hash(prospects->trail, row);
  struct hone__prospect *prospect;

  prospects->model->work += WORK_OF_FINDING;
  if (prospects->count == HONE__MOST_PROSPECTS || has(prospects, hash) ||
      hone__trail_find(prospects->trail, row) != HONE__NO_TRIAL)
    return;
  HONE__ASSERT_SLOW(hone_space_contains(prospects->trail->space, row));
  prospect = &prospects->all[prospects->count];
  memcpy(prospect->row, row, prospects->trail->width * sizeof *row);
  hone__features_of(prospects->features, row, prospect->point);
  prospect->squares = hone__gaussian_solve(prospects->model, prospect->point, 0, prospects->known,
                                           prospect->solution);
  prospect->expected =
      prospects->lessons ? hone__lessons_expect(prospects->lessons, row, prospect->point) : 0;
  prospect->merit = 0;
  prospects->hashes[prospects->count++] = hash;
}

/* The last one takes its place. */
void hone__prospects_remove(struct hone__prospects *prospects, size_t which)
{
  struct hone__prospect gone;
  size_t last;

  HONE__ASSERT(which < prospects->count);
  gone = prospects->all[which];
  last = --prospects->count;
  prospects->all[which] = prospects->all[last];
  prospects->all[last] = gone;
  prospects->hashes[which] = prospects->hashes[last];
}

void hone__prospects_update(struct hone__prospects *prospects, bool anew)
{
  size_t known = anew ? 0 : prospects->known;

  for (size_t i = prospects->count; i-- > 0;) {
    struct hone__prospect *prospect = &prospects->all[i];
    if (hone__trail_find(prospects->trail, prospect->row) != HONE__NO_TRIAL) {
      hone__prospects_remove(prospects, i);
      continue;
    }
    if (anew) prospect->squares = 0;
    prospect->squares += hone__gaussian_solve(prospects->model, prospect->point, known,
                                              prospects->model->count, prospect->solution);
  }
  prospects->known = prospects->model->count;
}

/* The worst of three that chance names, again and again: some of the others stay for what the model
 * does not know. */
void hone__prospects_thin(struct hone__prospects *prospects, size_t most,
                          struct hone__random *random)
{
  while (prospects->count > most) {
    size_t worst = (size_t)hone__random_below(random, prospects->count);
    for (int i = 0; i < 2; i++) {
      size_t other = (size_t)hone__random_below(random, prospects->count);
      if (prospects->all[other].merit < prospects->all[worst].merit) worst = other;
    }
    hone__prospects_remove(prospects, worst);
  }
}
