/* What is learned are the scales of the features: some attempts at random around those that are
 * best so far, each weighed by how likely the targets are with it. Numbers are floats, since the
 * noise of what is measured is far above theirs, and products of vectors take half the time. */
#include "search/gaussian.h"

#include "base/memory.h"
#include "base/status.h"
#include "search/chosen.h"

#include <math.h>
#include <stdlib.h>

enum {
  CAPACITY = HONE__GAUSSIAN_POINTS,
  BLOCK = 64, /* parts whose likeness is computed side by side */
  FEWEST_TO_LEARN = 4,
  MOST_TO_LEARN = 150, /* points: an attempt costs their cube */
  ATTEMPTS = 20
};

/* Targets are scaled so that 1 is how far the median is from the best. */
static const float LEAST_REST = 1e-6f;
static const double LEAST_SCALE = 0.02, MOST_SCALE = 50;
/* What is thought of the variance before anything is seen, and how much that counts. */
static const double PRIOR_VARIANCE = 0.5, PRIOR_WEIGHT = 1;
static const double PRIOR_TRUST = 1, TRUST_WEIGHT = 1; /* likewise, of expectations */

static void set_slopes(struct hone__gaussian *model)
{
  for (size_t i = 0; i < model->features; i++) {
    float slope = (float)(1 / model->scales[i]), step = (float)HONE__STEP;
    bool has_places = model->kinds[i] != HONE__FEATURE_KIND;
    model->slopes[i] = has_places ? slope : 0;
    model->steps[i] = model->kinds[i] == HONE__FEATURE_HALVING ? 0
                      : has_places                             ? step
                                                               : step + slope;
  }
}

/* A halving belongs to the place before it. In a space of one group the group says nothing. */
static void find_parts(struct hone__gaussian *model, const struct hone__features *features)
{
  double count;

  model->first = hone_space_group_count(features->space) > 1 ? 0 : 1;
  for (size_t i = model->first; i < model->features; i++) {
    bool is_last = i + 1 == model->features;
    model->ends_part[i] = is_last || model->kinds[i + 1] != HONE__FEATURE_HALVING;
    model->part_count += model->ends_part[i];
  }
  count = (double)model->part_count;
  if (model->part_count < 2) {
    model->product = 1;
    return;
  }
  model->sums = (float)(HONE__SUM_WEIGHT / count);
  model->pairs = (float)(HONE__PAIR_WEIGHT / (count * (count - 1)));
  model->product = (float)(1 - HONE__SUM_WEIGHT - HONE__PAIR_WEIGHT);
}

void hone__gaussian_open(struct hone__gaussian *model, const struct hone__features *features)
{
  size_t count = features->count;

  *model = (struct hone__gaussian){.features = count, .kinds = features->kinds, .variance = 1};
  model->points = hone__alloc(CAPACITY * count * sizeof *model->points);
  model->targets = hone__alloc(CAPACITY * sizeof *model->targets);
  model->expected = hone__alloc(CAPACITY * sizeof *model->expected);
  model->factor = hone__alloc((size_t)CAPACITY * CAPACITY * sizeof *model->factor);
  model->white = hone__alloc(CAPACITY * sizeof *model->white);
  model->slopes = hone__alloc(count * sizeof *model->slopes);
  model->steps = hone__alloc(count * sizeof *model->steps);
  model->scales = hone__alloc(count * sizeof *model->scales);
  model->ends_part = hone__alloc(count * sizeof *model->ends_part);
  for (size_t i = 0; i < count; i++)
    model->scales[i] = HONE__USUAL_SCALE;
  set_slopes(model);
  find_parts(model, features);
}

void hone__gaussian_release(struct hone__gaussian *model)
{
  free(model->points);
  free(model->targets);
  free(model->factor);
  free(model->white);
  free(model->slopes);
  free(model->steps);
  free(model->scales);
  free(model->ends_part);
  free(model->expected);
  *model = (struct hone__gaussian){0};
}

/* Eight sums, which a compiler keeps in registers side by side. */
static float dot(const float *a, const float *b, size_t count)
{
  float sums[8] = {0};
  size_t i = 0;

  for (; i + 8 <= count; i += 8)
    for (size_t k = 0; k < 8; k++)
      sums[k] += a[i + k] * b[i + k];
  for (; i < count; i++)
    sums[0] += a[i] * b[i];
  return ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
}

/* ---- Likeness ---- */

/* exp(x) for x <= 0, by arithmetic alone: the same on every machine, and of many x side by side. */
static inline float power(float x)
{
  float halvings = (x < -80 ? -80 : x) * 1.44269504f;
  int32_t whole = (int32_t)(halvings - 0.5f), bits = (whole + 127) * (1 << 23);
  float rest = (halvings - (float)whole) * 0.693147181f, scale;

  memcpy(&scale, &bits, sizeof scale);
  return scale * (1 + rest * (1 + rest * (0.5f + rest * (0.166666667f + rest * 0.0416666667f))));
}

struct likenesses { /* over the parts */
  float sum, squares, distance;
};

static void add_likenesses(struct likenesses *all, float *distances, size_t count)
{
  for (size_t i = 0; i < count; i++)
    all->distance += distances[i];
  for (size_t i = 0; i < count; i++)
    distances[i] = power(-distances[i]);
  for (size_t i = 0; i < count; i++) {
    all->sum += distances[i];
    all->squares += distances[i] * distances[i];
  }
}

float hone__gaussian_likeness(const struct hone__gaussian *model, const float *a, const float *b)
{
  struct likenesses all = {0};
  float distances[BLOCK], distance = 0;
  size_t count = 0;

  for (size_t i = model->first; i < model->features; i++) {
    float difference = fabsf(a[i] - b[i]);
    distance += model->slopes[i] * difference + (difference > 0 ? model->steps[i] : 0);
    if (!model->ends_part[i]) continue;
    distances[count++] = distance;
    distance = 0;
    if (count < BLOCK) continue;
    add_likenesses(&all, distances, count);
    count = 0;
  }
  add_likenesses(&all, distances, count);
  return model->sums * all.sum + model->pairs * (all.sum * all.sum - all.squares) +
         model->product * power(-all.distance);
}

/* ---- Points ---- */

float hone__gaussian_solve(struct hone__gaussian *model, const float *point, size_t known,
                           size_t count, float *solution)
{
  float squares = 0;

  for (size_t i = known; i < count; i++) {
    const float *row = model->factor + i * CAPACITY;
    float like = hone__gaussian_likeness(model, point, model->points + i * model->features);
    solution[i] = (like - dot(solution, row, i)) / row[i];
    squares += solution[i] * solution[i];
    model->work += i + 4 * model->features;
  }
  return squares;
}

/* The factor's row of a point that is in place already. */
static void add_row(struct hone__gaussian *model)
{
  size_t i = model->count;
  float *row = model->factor + i * CAPACITY;
  float rest = 1 + (float)HONE__NOISE -
               hone__gaussian_solve(model, model->points + i * model->features, 0, i, row);

  row[i] = sqrtf(rest > LEAST_REST ? rest : LEAST_REST);
  model->count++;
}

void hone__gaussian_add(struct hone__gaussian *model, const float *point, float target,
                        float expected)
{
  HONE__ASSERT(model->count < CAPACITY);
  memcpy(model->points + model->count * model->features, point, model->features * sizeof *point);
  model->targets[model->count] = target;
  model->expected[model->count] = expected;
  model->has_expectations = model->has_expectations || expected != 0;
  add_row(model);
}

/* ---- What was seen ---- */

/* Solutions for the targets, for 1 everywhere and for what was expected, of points in the order of
 * `which` (NULL: theirs) against a factor; mean and trust are what explains the targets best, given
 * how alike the points are. */
struct fit {
  double mean, trust, squares; /* squares: of what they leave of the targets */
};

struct products { /* of the solutions: o of 1, e of what was expected, t of the targets */
  double oo, oe, ot, ee, et;
};

static void find_mean(const struct products *p, bool has_expectations, struct fit *fit)
{
  double ee = p->ee + TRUST_WEIGHT, et = p->et + TRUST_WEIGHT * PRIOR_TRUST;
  double area = p->oo * ee - p->oe * p->oe;

  fit->mean = p->oo > 0 ? p->ot / p->oo : 0;
  if (!has_expectations || !(area > 0)) return;
  fit->mean = (p->ot * ee - p->oe * et) / area;
  fit->trust = (p->oo * et - p->oe * p->ot) / area;
  fit->squares = TRUST_WEIGHT * (fit->trust - PRIOR_TRUST) * (fit->trust - PRIOR_TRUST);
}

static struct fit fit_targets(const struct hone__gaussian *model, const float *factor,
                              const size_t *which, size_t count, float *white)
{
  float ones[CAPACITY], expected[CAPACITY];
  struct products p = {0};
  struct fit fit = {0};

  for (size_t i = 0; i < count; i++) {
    const float *row = factor + i * CAPACITY;
    size_t point = which ? which[i] : i;
    float before = model->has_expectations ? dot(expected, row, i) : 0;
    white[i] = (model->targets[point] - dot(white, row, i)) / row[i];
    ones[i] = (1 - dot(ones, row, i)) / row[i];
    expected[i] = (model->expected[point] - before) / row[i];
    p.oo += (double)ones[i] * ones[i];
    p.ot += (double)ones[i] * white[i];
    p.oe += (double)ones[i] * expected[i];
    p.ee += (double)expected[i] * expected[i];
    p.et += (double)expected[i] * white[i];
  }
  find_mean(&p, model->has_expectations, &fit);
  for (size_t i = 0; i < count; i++) {
    white[i] -= (float)fit.mean * ones[i] + (float)fit.trust * expected[i];
    fit.squares += (double)white[i] * white[i];
  }
  return fit;
}

static double variance_of(const struct fit *fit, size_t count)
{
  return (fit->squares + PRIOR_VARIANCE) / ((double)count + PRIOR_WEIGHT);
}

void hone__gaussian_settle(struct hone__gaussian *model)
{
  struct fit fit = fit_targets(model, model->factor, NULL, model->count, model->white);

  model->work += model->count * model->count;
  model->mean = fit.mean;
  model->trust = fit.trust;
  model->variance = variance_of(&fit, model->count);
}

struct hone__forecast hone__gaussian_forecast(struct hone__gaussian *model, const float *solution,
                                              float squares, float expected)
{
  float rest = 1 - squares;

  model->work += model->count;
  return (struct hone__forecast){
      .mean = model->mean + model->trust * expected + dot(solution, model->white, model->count),
      .deviation = sqrt(model->variance * (rest > LEAST_REST ? rest : LEAST_REST))};
}

void hone__gaussian_weights(const struct hone__gaussian *model, float *weights)
{
  for (size_t i = model->count; i-- > 0;) {
    float rest = model->white[i];
    for (size_t k = i + 1; k < model->count; k++)
      rest -= model->factor[k * CAPACITY + i] * weights[k];
    weights[i] = rest / model->factor[i * CAPACITY + i];
  }
}

/* ---- Learning ---- */

struct lesson { /* some of the points, and room for a factor of theirs */
  size_t which[CAPACITY], count;
  float factor[(size_t)MOST_TO_LEARN * CAPACITY];
};

static void choose_points(const struct hone__gaussian *model, struct hone__random *random,
                          struct lesson *lesson)
{
  for (size_t i = 0; i < model->count; i++)
    lesson->which[i] = i;
  lesson->count = model->count;
  if (lesson->count <= MOST_TO_LEARN) return;
  lesson->count = MOST_TO_LEARN;
  for (size_t i = 0; i < lesson->count; i++) {
    size_t other = i + (size_t)hone__random_below(random, model->count - i),
           held = lesson->which[i];
    lesson->which[i] = lesson->which[other];
    lesson->which[other] = held;
  }
}

/* Returns the logarithm of the factor's determinant. */
static double factorise(struct hone__gaussian *model, struct lesson *lesson)
{
  double volume = 0;

  for (size_t i = 0; i < lesson->count; i++) {
    float *row = lesson->factor + i * CAPACITY, rest = 1 + (float)HONE__NOISE;
    const float *point = model->points + lesson->which[i] * model->features;
    for (size_t k = 0; k < i; k++) {
      const float *other = lesson->factor + k * CAPACITY;
      float like =
          hone__gaussian_likeness(model, point, model->points + lesson->which[k] * model->features);
      row[k] = (like - dot(row, other, k)) / other[k];
    }
    rest -= dot(row, row, i);
    row[i] = sqrtf(rest > LEAST_REST ? rest : LEAST_REST);
    volume += log(row[i]);
    model->work += i * (i / 2 + 4 * model->features);
  }
  return volume;
}

/* How well the slopes explain what was seen (the logarithm of a likelihood), less how unusual they
 * are. */
static double merit(struct hone__gaussian *model, struct lesson *lesson)
{
  float white[CAPACITY];
  double volume = factorise(model, lesson), unusual = 0;
  struct fit fit = fit_targets(model, lesson->factor, lesson->which, lesson->count, white);
  double weight = (double)lesson->count + PRIOR_WEIGHT;

  for (size_t i = 0; i < model->features; i++)
    unusual += pow(log(model->scales[i] / HONE__USUAL_SCALE), 2) / 2;
  return -weight / 2 * log(variance_of(&fit, lesson->count)) - volume - unusual;
}

static double normal(struct hone__random *random)
{
  double radius = hone__random_real(random), angle = hone__random_real(random);

  return sqrt(-2 * log(1 - radius)) * cos(2 * 3.14159265358979324 * angle);
}

/* All a little, or one of them more. */
static void change_scales(struct hone__gaussian *model, struct hone__random *random)
{
  size_t one =
      hone__random_u64(random) & 1 ? hone__random_below(random, model->features) : SIZE_MAX;

  for (size_t i = 0; i < model->features; i++) {
    double scale = model->scales[i];
    if (one != SIZE_MAX && one != i) continue;
    scale *= exp((one == i ? 1.0 : 0.5) * normal(random));
    model->scales[i] = fmin(fmax(scale, LEAST_SCALE), MOST_SCALE);
  }
  set_slopes(model);
}

static void rebuild(struct hone__gaussian *model)
{
  size_t count = model->count;

  for (model->count = 0; model->count < count;)
    add_row(model);
}

uint64_t hone__gaussian_learning_work(size_t count, size_t features)
{
  uint64_t used = count < MOST_TO_LEARN ? count : MOST_TO_LEARN;

  return (ATTEMPTS + 1) * used * used * (used / 6 + 2 * features) +
         (uint64_t)count * count * (count / 6 + 2 * features);
}

void hone__gaussian_learn(struct hone__gaussian *model, struct hone__random *random)
{
  size_t bytes = model->features * sizeof *model->scales;
  struct lesson *lesson = hone__alloc(sizeof *lesson);
  double *held = hone__alloc(bytes), best;

  choose_points(model, random, lesson);
  best = merit(model, lesson);
  for (int i = 0; i < ATTEMPTS && model->count >= FEWEST_TO_LEARN; i++) {
    double now;
    memcpy(held, model->scales, bytes);
    change_scales(model, random);
    now = merit(model, lesson);
    if (now > best) {
      best = now;
    } else {
      memcpy(model->scales, held, bytes);
      set_slopes(model);
    }
  }
  free(held);
  free(lesson);
  rebuild(model);
}
