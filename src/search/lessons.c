/* The first rows cover the sources: each is the one that makes the sum, over the sources, of the
 * best that any row so far has there smallest. A device is likely to be similar to one of the
 * others; which one is not known yet. */
#include "search/lessons.h"

#include "base/elementary.h"
#include "base/memory.h"
#include "search/bend.h"
#include "search/chosen.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  FEWEST = 4,       /* rows that make a lesson */
  RANKED = 24,      /* the best of a source, which the first rows are chosen from */
  MODEL_BEST = 120, /* points of its model: the best, and others from all ranks */
  MODEL_OTHERS = 80
};
static const double LEAST_UNIT = 0.02;
static const float LEAST_GAIN = 0.01f; /* of one more first row, summed over the sources */

void hone__lessons_open(struct hone__lessons *lessons, const struct hone_space *space)
{
  *lessons = (struct hone__lessons){.space = space};
  hone__features_open(&lessons->features, space);
}

static void release_lesson(struct hone__lesson *lesson)
{
  hone__gaussian_release(&lesson->model);
  free(lesson->known);
  free(lesson->ranked);
  free(lesson->weights);
  *lesson = (struct hone__lesson){0};
}

void hone__lessons_release(struct hone__lessons *lessons)
{
  for (size_t i = 0; i < lessons->count; i++)
    release_lesson(&lessons->all[i]);
  hone__features_release(&lessons->features);
  *lessons = (struct hone__lessons){0};
}

/* ---- Making one ---- */

static int by_target(const void *a, const void *b)
{
  const struct hone__lesson_entry *x = a, *y = b;

  if (x->target != y->target) return x->target < y->target ? -1 : 1;
  return (x->index > y->index) - (x->index < y->index);
}

static int by_index(const void *a, const void *b)
{
  const struct hone__lesson_entry *x = a, *y = b;

  return (x->index > y->index) - (x->index < y->index);
}

/* By index, and of each the best first. */
static int by_row(const void *a, const void *b)
{
  int order = by_index(a, b);

  return order ? order : by_target(a, b);
}

/* A source with more parameters has a row of this space several times: its best counts. */
static void keep_best_of_each(struct hone__lesson *lesson)
{
  size_t kept = 0;

  qsort(lesson->known, lesson->count, sizeof *lesson->known, by_row);
  for (size_t i = 0; i < lesson->count; i++)
    if (!kept || lesson->known[kept - 1].index != lesson->known[i].index)
      lesson->known[kept++] = lesson->known[i];
  lesson->count = kept;
}

/* Those that are legal here, with the logarithm of their costs; INFINITY: it failed. */
static void take_rows(const struct hone_space *space, struct hone__lesson *lesson,
                      const uint32_t *rows, const double *costs, size_t count)
{
  size_t width = hone_space_width(space);

  lesson->known = hone__alloc((count + 1) * sizeof *lesson->known);
  for (size_t i = 0; i < count; i++) {
    struct hone__lesson_entry *entry = &lesson->known[lesson->count];
    if (!hone_space_index_of(space, rows + i * width, &entry->index)) continue;
    entry->target = isfinite(costs[i]) ? (float)hone__log(fmax(costs[i], 1e-300)) : INFINITY;
    lesson->count++;
  }
}

/* Sorted by cost; false: too few work. */
static bool set_scale(struct hone__lesson *lesson)
{
  float origin, unit, most = (float)HONE__FARTHEST;
  size_t working = 0;

  qsort(lesson->known, lesson->count, sizeof *lesson->known, by_target);
  while (working < lesson->count && isfinite(lesson->known[working].target))
    working++;
  if (working < FEWEST) return false;
  origin = lesson->known[0].target;
  unit = (float)fmax(lesson->known[working / 2].target - origin, LEAST_UNIT);
  for (size_t i = 0; i < lesson->count; i++) {
    float target = (lesson->known[i].target - origin) / unit;
    lesson->known[i].target = hone__bend(i < working && target < most ? target : most);
  }
  lesson->unit = unit;
  lesson->ranked_count = working < RANKED ? working : RANKED;
  return true;
}

static void add_point(struct hone__lessons *lessons, struct hone__lesson *lesson,
                      const struct hone__lesson_entry *entry, uint32_t *row,
                      struct hone__feature *point)
{
  hone_space_at(lessons->space, entry->index, row);
  hone__features_of(&lessons->features, row, point);
  hone__gaussian_add(&lesson->model, point, entry->target, 0);
}

static void make_model(struct hone__lessons *lessons, struct hone__lesson *lesson)
{
  uint32_t *row = hone__alloc(hone_space_width(lessons->space) * sizeof *row);
  struct hone__feature *point = hone__alloc((lessons->features.count + 1) * sizeof *point);
  size_t best = lesson->count < MODEL_BEST ? lesson->count : MODEL_BEST,
         rest = lesson->count - best, others = rest < MODEL_OTHERS ? rest : MODEL_OTHERS;
  struct hone__random random = {.state = lesson->count};

  hone__gaussian_open(&lesson->model, &lessons->features);
  for (size_t i = 0; i < best; i++)
    add_point(lessons, lesson, &lesson->known[i], row, point);
  for (size_t i = 0; i < others; i++)
    add_point(lessons, lesson, &lesson->known[best + i * rest / others], row, point);
  hone__gaussian_begin_learning(&lesson->model, &random);
  hone__gaussian_learn(&lesson->model, &random, UINT64_MAX / 2);
  hone__gaussian_settle(&lesson->model);
  lesson->weights = hone__alloc(lesson->model.count * sizeof *lesson->weights);
  hone__gaussian_weights(&lesson->model, lesson->weights);
  free(point);
  free(row);
}

bool hone__lessons_add(struct hone__lessons *lessons, const uint32_t *rows, const double *costs,
                       size_t count)
{
  struct hone__lesson *lesson = &lessons->all[lessons->count];
  bool enough;

  if (lessons->count == HONE__MOST_LESSONS) return false;
  take_rows(lessons->space, lesson, rows, costs, count);
  enough = 2 * lesson->count >= count;
  keep_best_of_each(lesson);
  if (!enough || !set_scale(lesson)) {
    release_lesson(lesson);
    return false;
  }
  lesson->ranked = hone__alloc(lesson->ranked_count * sizeof *lesson->ranked);
  for (size_t i = 0; i < lesson->ranked_count; i++)
    lesson->ranked[i] = lesson->known[i].index;
  make_model(lessons, lesson);
  qsort(lesson->known, lesson->count, sizeof *lesson->known, by_index);
  lessons->unit += (lesson->unit - lessons->unit) / (double)++lessons->count;
  return true;
}

/* ---- What they say ---- */

static float predict(const struct hone__lesson *lesson, const struct hone__feature *point)
{
  const struct hone__gaussian *model = &lesson->model;
  float sum = (float)model->taught.mean, likenesses[HONE__GAUSSIAN_POINTS];

  hone__likeness_of(&model->likeness, point, model->points, model->count, likenesses);
  for (size_t i = 0; i < model->count; i++)
    sum += lesson->weights[i] * likenesses[i];
  return sum;
}

static float target_of(const struct hone__lesson *lesson, uint64_t index,
                       const struct hone__feature *point)
{
  const struct hone__lesson_entry wanted = {.index = index};
  const struct hone__lesson_entry *found =
      bsearch(&wanted, lesson->known, lesson->count, sizeof wanted, by_index);

  return found ? found->target : predict(lesson, point);
}

float hone__lessons_expect(const struct hone__lessons *lessons, const uint32_t *row,
                           const struct hone__feature *point)
{
  uint64_t index = UINT64_MAX;
  float sum = 0;

  hone_space_index_of(lessons->space, row, &index);
  for (size_t i = 0; i < lessons->count; i++)
    sum += target_of(&lessons->all[i], index, point);
  return lessons->count ? sum / (float)lessons->count : 0;
}

/* ---- The first rows ---- */

struct cover { /* by row that may be chosen, and source */
  const struct hone__lessons *lessons;
  uint64_t indices[HONE__MOST_LESSONS * RANKED];
  float targets[HONE__MOST_LESSONS * RANKED][HONE__MOST_LESSONS];
  size_t count;
  float best[HONE__MOST_LESSONS]; /* by source: of what is chosen */
};

static void fill_cover(struct cover *cover, uint32_t *row, struct hone__feature *point)
{
  const struct hone__lessons *lessons = cover->lessons;

  for (size_t i = 0; i < lessons->count; i++)
    for (size_t k = 0; k < lessons->all[i].ranked_count; k++) {
      uint64_t index = cover->indices[cover->count] = lessons->all[i].ranked[k];
      hone_space_at(lessons->space, index, row);
      hone__features_of(&lessons->features, row, point);
      for (size_t j = 0; j < lessons->count; j++)
        cover->targets[cover->count][j] = target_of(&lessons->all[j], index, point);
      cover->count++;
    }
  for (size_t i = 0; i < lessons->count; i++)
    cover->best[i] = hone__bend(HONE__FARTHEST);
}

/* The row that gains most; SIZE_MAX: none gains anything. */
static size_t choose_row(const struct cover *cover)
{
  float most = LEAST_GAIN;
  size_t found = SIZE_MAX;

  for (size_t i = 0; i < cover->count; i++) {
    float gain = 0;
    for (size_t j = 0; j < cover->lessons->count; j++)
      gain += fmaxf(cover->best[j] - cover->targets[i][j], 0);
    if (gain <= most) continue;
    most = gain;
    found = i;
  }
  return found;
}

size_t hone__lessons_first(const struct hone__lessons *lessons, size_t most, uint32_t *rows)
{
  size_t width = hone_space_width(lessons->space), given = 0, found;
  struct cover *cover = hone__alloc(sizeof *cover);
  struct hone__feature *point = hone__alloc((lessons->features.count + 1) * sizeof *point);

  cover->lessons = lessons;
  if (most) fill_cover(cover, rows, point);
  while (given < most && (found = choose_row(cover)) != SIZE_MAX) {
    hone_space_at(lessons->space, cover->indices[found], rows + given++ * width);
    for (size_t j = 0; j < lessons->count; j++)
      cover->best[j] = fminf(cover->best[j], cover->targets[found][j]);
  }
  free(point);
  free(cover);
  return given;
}
