/* The model takes in every trial, until there are too many for it: then it restarts with the
 * best and some of the others. It learns again whenever its points are two fifths more. Prospects
 * are the neighbours of the leaders, pairs of changes of the best, some at random, and the
 * neighbours of the most promising one. */
#include "search/learner.h"

#include "base/elementary.h"
#include "base/memory.h"
#include "base/normal.h"
#include "base/sorting.h"
#include "search/bend.h"
#include "search/chosen.h"

#include <stdlib.h>
#include <string.h>

enum {
  LEADERS = 4, /* whose neighbours are prospects */
  NEIGHBOURS = 400,
  PAIRS = 150,     /* prospects that differ in two knobs from the best */
  DRAWN = 250,     /* prospects of any kind, once enough is known */
  DRAWN_EACH = 24, /* and each time */
  DRAWN_FROM = 12, /* trials on */
  MOST_KEPT = 600, /* prospects */
  KEPT_ANEW = 300, /* when all their solutions are made again */
  BEST_KEPT = 2,   /* of the points, when there are too many: one in that many is kept */
  OTHERS_KEPT = 5,
  USUAL_FEATURES = 40, /* with more of them a model has fewer points, to cost no more */
  LEAST_POINTS = 64,
  FIRST_LESSON = 4,
  OWN_SCALE_FROM = 20, /* trials that work, of a search that was taught */
  WEIGHED = 10,        /* forecasts for single rows, about */
  WORK_TO_OPEN = 1000000,
  WORK_OF_CLIMBING = 1000000, /* for the neighbours of one prospect */
  WORK_OF_RANKING = 500,      /* a trial */
  LEARNING_AT_ONCE = 4000000, /* work, in one question */
};
static const double LEAST_UNIT = 0.02;

void hone__learner_open(struct hone__learner *learner, struct hone__trail *trail, uint64_t seed,
                        const struct hone__lessons *lessons)
{
  *learner = (struct hone__learner){.trail = trail,
                                    .lessons = lessons,
                                    .random = {.state = hone__mix(seed ^ 0x1ea12e7)},
                                    .unit = 1,
                                    .learn_at = FIRST_LESSON,
                                    .widened = HONE__NO_TRIAL};
  hone__features_open(&learner->features, trail->space);
  hone__gaussian_open(&learner->model, &learner->features);
  hone__prospects_open(&learner->prospects, trail, &learner->features, &learner->model, lessons);
  learner->trials = hone__alloc(HONE__GAUSSIAN_POINTS * sizeof *learner->trials);
  learner->is_guess = hone__alloc(HONE__GAUSSIAN_POINTS * sizeof *learner->is_guess);
  learner->point = hone__alloc((learner->features.count + 1) * sizeof *learner->point);
  learner->rows = hone__alloc(2 * trail->width * sizeof *learner->rows);
}

void hone__learner_release(struct hone__learner *learner)
{
  hone__prospects_release(&learner->prospects);
  hone__gaussian_release(&learner->model);
  hone__features_release(&learner->features);
  free(learner->trials);
  free(learner->is_guess);
  free(learner->is_expanded);
  free(learner->point);
  free(learner->rows);
  *learner = (struct hone__learner){0};
}

/* ---- Targets ---- */

/* A cost of 0 or less is better than any; it has no logarithm. */
static double log_cost(const struct hone__trail_entry *trial)
{
  return hone__log(fmax(trial->cost, 1e-300));
}

static float target_of(const struct hone__learner *learner, const struct hone__trail_entry *trial)
{
  if (trial->state == HONE__TRAIL_FAILED) return (float)learner->worst;
  return hone__bend(fmin((log_cost(trial) - learner->origin) / learner->unit, HONE__FARTHEST));
}

/* The scale goes by what the model has; false: too little to make one. A search that was taught has
 * seen little but good rows: at first its scale is that of the lessons. */
static bool find_scale(struct hone__learner *learner)
{
  double costs[HONE__GAUSSIAN_POINTS];
  size_t count = 0;

  for (size_t i = 0; i < learner->model.count; i++) {
    const struct hone__trail_entry *trial = &learner->trail->trials[learner->trials[i]];
    if (trial->state == HONE__TRAIL_WORKS) costs[count++] = log_cost(trial);
  }
  if (count == 0) return false;
  qsort(costs, count, sizeof *costs, hone__by_number);
  learner->origin = costs[0];
  learner->unit = fmax(costs[(count - 1) / 2] - costs[0], LEAST_UNIT);
  if (learner->lessons && count < OWN_SCALE_FROM)
    learner->unit = fmax(learner->unit, learner->lessons->unit);
  learner->has_scale = count > 1;
  return true;
}

static void set_target(struct hone__learner *learner, size_t point)
{
  const struct hone__trail_entry *trial = &learner->trail->trials[learner->trials[point]];
  float target;

  if (trial->state == HONE__TRAIL_ASKED) return; /* still a guess */
  target = target_of(learner, trial);
  learner->model.targets[point] = target;
  learner->is_guess[point] = false;
  if (trial->share > 0)
    hone__gaussian_set_price(&learner->model, point, (float)hone__log(trial->share));
  if (target > learner->worst) learner->worst = target;
}

static void scale_anew(struct hone__learner *learner)
{
  if (!find_scale(learner)) return;
  learner->worst = learner->has_scale ? -INFINITY : 1; /* of one alone: what fails is worse */
  for (size_t i = 0; i < learner->model.count; i++)
    if (learner->trail->trials[learner->trials[i]].state == HONE__TRAIL_WORKS)
      set_target(learner, i);
  for (size_t i = 0; i < learner->model.count; i++)
    if (learner->trail->trials[learner->trials[i]].state == HONE__TRAIL_FAILED)
      set_target(learner, i);
}

double hone__learner_best_target(const struct hone__learner *learner)
{
  double best = INFINITY;

  for (size_t i = 0; i < learner->model.count; i++)
    if (!learner->is_guess[i] && learner->model.targets[i] < best) best = learner->model.targets[i];
  return best;
}

/* ---- Points ---- */

static void add_point(struct hone__learner *learner, uint32_t trial)
{
  size_t point = learner->model.count;
  struct hone__forecast guess;

  guess = hone__learner_forecast(learner, hone__trail_row(learner->trail, trial));
  hone__gaussian_add(&learner->model, learner->point, (float)guess.mean, learner->expected);
  learner->trials[point] = trial;
  learner->is_guess[point] = true;
  set_target(learner, point);
}

struct rank {
  double cost;
  uint32_t trial;
};

static int by_cost(const void *a, const void *b)
{
  const struct rank *x = a, *y = b;

  if (x->cost != y->cost) return x->cost < y->cost ? -1 : 1;
  return (x->trial > y->trial) - (x->trial < y->trial);
}

static struct rank *rank_trials(const struct hone__trail *trail, uint32_t *out_count)
{
  struct rank *ranks = hone__alloc((trail->count + 1) * sizeof *ranks);
  uint32_t count = 0;

  for (uint32_t i = 0; i < trail->count; i++) {
    const struct hone__trail_entry *trial = &trail->trials[i];
    if (trial->is_aside) continue;
    ranks[count].trial = i;
    ranks[count++].cost = trial->state == HONE__TRAIL_WORKS ? trial->cost : INFINITY;
  }
  qsort(ranks, count, sizeof *ranks, by_cost);
  *out_count = count;
  return ranks;
}

static uint32_t most_points(const struct hone__learner *learner)
{
  size_t features = learner->features.count;
  size_t most = (size_t)HONE__GAUSSIAN_POINTS * USUAL_FEATURES / features;

  if (features <= USUAL_FEATURES) return HONE__GAUSSIAN_POINTS;
  return most > LEAST_POINTS ? (uint32_t)most : LEAST_POINTS;
}

/* More trials than a model can hold: the best, and some of the others. */
static void choose_points(struct hone__learner *learner)
{
  const struct hone__trail *trail = learner->trail;
  uint32_t count, best = most_points(learner) / BEST_KEPT;
  uint32_t kept = best + most_points(learner) / OTHERS_KEPT;
  struct rank *ranks = rank_trials(trail, &count);

  HONE__ASSERT(kept <= count); /* there are more than a model can hold */
  learner->model.work += WORK_OF_RANKING * (uint64_t)trail->count;
  for (uint32_t i = best; i < kept; i++) {
    uint32_t other = i + (uint32_t)hone__random_below(&learner->random, count - i);
    struct rank held = ranks[i];
    ranks[i] = ranks[other];
    ranks[other] = held;
  }
  hone__gaussian_clear(&learner->model);
  for (uint32_t i = 0; i < kept; i++)
    add_point(learner, ranks[i].trial);
  free(ranks);
  learner->learn_at = learner->model.count;
  learner->is_other = true;
}

static void take_in_trail(struct hone__learner *learner)
{
  const struct hone__trail *trail = learner->trail;

  for (size_t i = 0; i < learner->model.count; i++)
    if (learner->is_guess[i]) set_target(learner, i);
  if (learner->model.count + (trail->count - learner->seen) >= most_points(learner))
    choose_points(learner);
  else
    for (uint32_t i = learner->seen; i < trail->count; i++)
      if (!trail->trials[i].is_aside) add_point(learner, i);
  learner->seen = trail->count;
}

uint64_t hone__learner_first_work(const struct hone__trail *trail)
{
  uint64_t features = 2 * trail->width, count = trail->count;

  if (count > HONE__GAUSSIAN_POINTS) count = HONE__GAUSSIAN_POINTS;
  return WORK_TO_OPEN + count * count * (count + 8 * features) +
         hone__gaussian_learning_work(count, features);
}

uint64_t hone__learner_next_work(const struct hone__learner *learner)
{
  uint64_t features = learner->features.count, prospects = learner->prospects.count;
  uint64_t fresh = learner->trail->count - learner->seen, count = learner->model.count + fresh,
           work;

  work = count >= most_points(learner) ? WORK_OF_RANKING * (uint64_t)learner->trail->count : 0;
  if (work) fresh = count = most_points(learner);
  work += fresh * count * (count + 8 * features) + WEIGHED * count * count;
  work += prospects * (2 * count + fresh * (count + 4 * features)) + WORK_OF_CLIMBING;
  if (count < learner->learn_at) return work;
  return work + hone__gaussian_learning_work(count, features) +
         prospects * count * (count / 2 + 4 * features);
}

void hone__learner_follow(struct hone__learner *learner)
{
  struct hone__gaussian *model = &learner->model;
  bool begins;

  take_in_trail(learner);
  begins = model->count >= learner->learn_at;
  if (begins || !learner->has_scale) scale_anew(learner);
  if (begins) {
    hone__gaussian_begin_learning(model, &learner->random);
    learner->learn_at = model->count + 1 + model->count * 2 / 5;
  }
  if (hone__gaussian_learn(model, &learner->random, LEARNING_AT_ONCE)) learner->is_other = true;
  hone__gaussian_settle(model);
  if (learner->lessons) model->is_own = hone__random_real(&learner->random) < HONE__UNTAUGHT_SHARE;
}

/* ---- Forecasts ---- */

struct hone__forecast hone__learner_forecast(struct hone__learner *learner, const uint32_t *row)
{
  float solution[HONE__GAUSSIAN_POINTS], squares;

  hone__features_of(&learner->features, row, learner->point);
  squares =
      hone__gaussian_solve(&learner->model, learner->point, 0, learner->model.count, solution);
  learner->expected =
      learner->lessons ? hone__lessons_expect(learner->lessons, row, learner->point) : 0;
  return hone__gaussian_forecast(&learner->model, solution, squares, learner->expected);
}

/* How much better than the best it may be; what may be better is worth its price. */
static double novelty_of(const struct hone__forecast *forecast, double best)
{
  double merit = best + HONE__NOVELTY * forecast->deviation - forecast->mean;

  return merit > 0 ? merit * hone__exp(-HONE__THRIFT * forecast->price) : merit;
}

static double merit_of(const struct hone__forecast *forecast, double best,
                       enum hone__learner_aim aim)
{
  double deviation = forecast->deviation, z = (best - forecast->mean) / deviation;

  if (aim == HONE__LEARNER_NOVELTY) return novelty_of(forecast, best);
  if (z < -6) return 1e-12 * hone__exp(-forecast->mean); /* hardly any: the order is what counts */
  return deviation * (z * hone__normal_share_below(z) + hone__normal_density(z));
}

/* ---- Prospects ---- */

static bool add_prospect(void *data, const uint32_t *row)
{
  struct hone__learner *learner = data;

  hone__prospects_add(&learner->prospects, row);
  return learner->prospects.count < HONE__MOST_PROSPECTS;
}

static void make_room_for_flags(struct hone__learner *learner)
{
  uint32_t room = learner->trail->trial_capacity;

  if (room == learner->expanded_room) return;
  learner->is_expanded = hone__realloc(learner->is_expanded, room * sizeof *learner->is_expanded);
  memset(learner->is_expanded + learner->expanded_room, 0,
         (room - learner->expanded_room) * sizeof *learner->is_expanded);
  learner->expanded_room = room;
}

/* The best trials of the model, best first. */
static size_t find_leaders(const struct hone__learner *learner, uint32_t *out_trials)
{
  double costs[LEADERS];
  size_t count = 0;

  for (size_t i = 0; i < learner->model.count; i++) {
    const struct hone__trail_entry *trial = &learner->trail->trials[learner->trials[i]];
    size_t place = count;
    if (trial->state != HONE__TRAIL_WORKS) continue;
    while (place > 0 && costs[place - 1] > trial->cost)
      place--;
    if (place == LEADERS) continue;
    if (count < LEADERS) count++;
    for (size_t k = count - 1; k > place; k--) {
      costs[k] = costs[k - 1];
      out_trials[k] = out_trials[k - 1];
    }
    costs[place] = trial->cost;
    out_trials[place] = learner->trials[i];
  }
  return count;
}

static void expand_leaders(struct hone__learner *learner)
{
  uint32_t leaders[LEADERS];
  size_t count = find_leaders(learner, leaders);

  make_room_for_flags(learner);
  for (size_t i = 0; i < count; i++) {
    if (learner->is_expanded[leaders[i]]) continue;
    learner->is_expanded[leaders[i]] = true;
    hone__nearby_rows(learner->trail, hone__trail_row(learner->trail, leaders[i]), NEIGHBOURS,
                      add_prospect, learner);
  }
}

static void widen_best(struct hone__learner *learner)
{
  struct hone__trail *trail = learner->trail;
  uint32_t *once = learner->rows, *twice = learner->rows + trail->width;

  if (trail->best == HONE__NO_TRIAL || trail->best == learner->widened) return;
  learner->widened = trail->best;
  for (int i = 0; i < PAIRS; i++) {
    if (!hone__search_random_neighbour(trail, hone__trail_row(trail, trail->best), once)) return;
    if (hone__search_random_neighbour(trail, once, twice))
      hone__prospects_add(&learner->prospects, twice);
  }
}

/* What lessons think best, once. */
static void add_ranked(struct hone__learner *learner)
{
  const struct hone__lessons *lessons = learner->lessons;

  if (!lessons || learner->has_ranked) return;
  learner->has_ranked = true;
  for (size_t i = 0; i < lessons->count; i++)
    for (size_t k = 0; k < lessons->all[i].ranked_count; k++)
      if (hone_space_at(lessons->space, lessons->all[i].ranked[k], learner->rows))
        hone__prospects_add(&learner->prospects, learner->rows);
}

static void draw_prospects(struct hone__learner *learner)
{
  uint32_t *row = learner->rows;
  int wanted = learner->has_drawn ? DRAWN_EACH : DRAWN;

  if (learner->trail->count < DRAWN_FROM && learner->prospects.count) return;
  learner->has_drawn = learner->trail->count >= DRAWN_FROM;
  for (int i = 0; i < wanted && hone__trail_draw(learner->trail, row); i++)
    hone__prospects_add(&learner->prospects, row);
}

/* Those from `first` on; returns the best of these and of `found`, whose merit is known. */
static size_t weigh_prospects(struct hone__learner *learner, enum hone__learner_aim aim,
                              size_t first, size_t found)
{
  struct hone__prospects *prospects = &learner->prospects;
  double best = hone__learner_best_target(learner);

  for (size_t i = first; i < prospects->count; i++) {
    struct hone__prospect *prospect = &prospects->all[i];
    struct hone__forecast forecast = hone__gaussian_forecast(&learner->model, prospect->solution,
                                                             prospect->squares, prospect->expected);
    prospect->merit = merit_of(&forecast, best, aim);
    if (prospect->merit > prospects->all[found].merit) found = i;
  }
  return found;
}

/* A solution costs the square of the model's points: with more of them, fewer neighbours. */
static unsigned neighbours_to_climb(const struct hone__learner *learner)
{
  uint64_t count = learner->model.count + 1, features = learner->features.count;
  uint64_t most = WORK_OF_CLIMBING / (count * count / 2 + 4 * count * features);

  return most < HONE__CLIMB_NEIGHBOURS ? (unsigned)most : HONE__CLIMB_NEIGHBOURS;
}

/* To a neighbour of more merit, again and again. */
static size_t climb(struct hone__learner *learner, enum hone__learner_aim aim, size_t found)
{
  struct hone__prospects *prospects = &learner->prospects;
  struct hone__trail *trail = learner->trail;
  uint32_t *here = learner->rows, *there = learner->rows + trail->width;
  unsigned neighbours = neighbours_to_climb(learner);

  for (unsigned i = 0; i < HONE__CLIMBS; i++) {
    size_t first = prospects->count, last = found;
    memcpy(here, prospects->all[found].row, trail->width * sizeof *here);
    for (unsigned k = 0; k < neighbours; k++)
      if (hone__search_random_neighbour(trail, here, there)) hone__prospects_add(prospects, there);
    found = weigh_prospects(learner, aim, first, found);
    if (found == last) break;
  }
  return found;
}

static void find_prospects(struct hone__learner *learner)
{
  struct hone__prospects *prospects = &learner->prospects;

  if (learner->is_other) hone__prospects_thin(prospects, KEPT_ANEW, &learner->random);
  hone__prospects_update(prospects, learner->is_other);
  learner->is_other = false;
  expand_leaders(learner);
  widen_best(learner);
  draw_prospects(learner);
  add_ranked(learner);
}

bool hone__learner_best(struct hone__learner *learner, enum hone__learner_aim aim, uint32_t *row)
{
  struct hone__prospects *prospects = &learner->prospects;
  size_t found;

  find_prospects(learner);
  if (!prospects->count) return false;
  found = climb(learner, aim, weigh_prospects(learner, aim, 0, 0));
  HONE__ASSERT(found < prospects->count);
  memcpy(row, prospects->all[found].row, learner->trail->width * sizeof *row);
  hone__prospects_remove(prospects, found);
  hone__prospects_thin(prospects, MOST_KEPT, &learner->random);
  return true;
}

/* The target of what costs less than the best by this share of it. */
static double better_target(const struct hone__learner *learner, double margin)
{
  double best = hone__unbend(hone__learner_best_target(learner));

  return hone__bend(best + hone__log(1 - margin) / learner->unit);
}

/* As if each were on its own, though the best of them are neighbours and mostly fail together; and
 * the model may be wrong altogether. So it is corrected by how often it was right. */
double hone__learner_missing(struct hone__learner *learner, double margin)
{
  struct hone__prospects *prospects = &learner->prospects;
  double best = better_target(learner, margin), none = 1;

  if (!learner->has_scale || !prospects->count) return NAN;
  hone__prospects_update(prospects, learner->is_other);
  learner->is_other = false;
  for (size_t i = 0; i < prospects->count; i++) {
    struct hone__prospect *prospect = &prospects->all[i];
    struct hone__forecast forecast = hone__gaussian_forecast(&learner->model, prospect->solution,
                                                             prospect->squares, prospect->expected);
    none *= 1 - hone__normal_share_below((best - forecast.mean) / forecast.deviation);
  }
  return HONE__MISSING_LEAST + HONE__MISSING_SHARE * sqrt(sqrt(sqrt(1 - none)));
}
