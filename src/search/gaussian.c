/* What is learned are the scales of the likeness: some attempts at random around those that are
 * best so far, each weighed by how likely the targets are with it. They may be spread over several
 * questions, so that none takes long; meanwhile the model goes on with the scales that it has.
 * Numbers are floats, since the noise of what is measured is far above theirs, and products of
 * vectors take half the time. */
#include "search/gaussian.h"

#include "base/elementary.h"
#include "base/memory.h"
#include "base/status.h"
#include "search/chosen.h"

#include <math.h>
#include <stdlib.h>

enum {
  CAPACITY = HONE__GAUSSIAN_POINTS,
  FEWEST_TO_LEARN = 4,
  MOST_TO_LEARN = 150, /* points: an attempt costs their cube */
  ATTEMPTS = 20,
  WORK_OF_A_FEATURE = 4 /* of the likeness of two points */
};

/* Targets are scaled so that 1 is how far the median is from the best. */
static const float LEAST_REST = 1e-6f;
/* What is thought of the variance before anything is seen, and how much that counts. */
static const double PRIOR_VARIANCE = 0.5, PRIOR_WEIGHT = 1;
static const double PRIOR_TRUST = 1, TRUST_WEIGHT = 1; /* likewise, of expectations */

void hone__gaussian_open(struct hone__gaussian *model, const struct hone__features *features)
{
  size_t count = features->count;

  *model = (struct hone__gaussian){.features = count, .taught.variance = 1, .own.variance = 1};
  model->points = hone__alloc((CAPACITY * count + 1) * sizeof *model->points);
  model->targets = hone__alloc(CAPACITY * sizeof *model->targets);
  model->expected = hone__alloc(CAPACITY * sizeof *model->expected);
  model->prices = hone__alloc(CAPACITY * sizeof *model->prices);
  model->factor = hone__alloc((size_t)CAPACITY * CAPACITY * sizeof *model->factor);
  model->taught.white = hone__alloc(CAPACITY * sizeof *model->taught.white);
  model->own.white = hone__alloc(CAPACITY * sizeof *model->own.white);
  model->price.white = hone__alloc(CAPACITY * sizeof *model->price.white);
  hone__likeness_open(&model->likeness, features);
}

void hone__gaussian_release(struct hone__gaussian *model)
{
  hone__gaussian_clear(model);
  hone__likeness_release(&model->likeness);
  free(model->points);
  free(model->targets);
  free(model->factor);
  free(model->taught.white);
  free(model->own.white);
  free(model->price.white);
  free(model->expected);
  free(model->prices);
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

/* ---- Points ---- */

float hone__gaussian_solve(struct hone__gaussian *model, const struct hone__feature *point,
                           size_t known, size_t count, float *solution)
{
  float squares = 0;

  HONE__ASSERT_SLOW(known <= count && count <= CAPACITY);
  hone__likeness_of(&model->likeness, point, model->points + known * model->features, count - known,
                    solution + known);
  for (size_t i = known; i < count; i++) {
    const float *row = model->factor + i * CAPACITY;
    solution[i] = (solution[i] - dot(solution, row, i)) / row[i];
    squares += solution[i] * solution[i];
    model->work += i + WORK_OF_A_FEATURE * model->features;
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
  HONE__ASSERT(row[i] > 0); /* what follows divides by it */
  model->count++;
}

/* Until it is known: what the others took, in the mean. */
static float usual_price(const struct hone__gaussian *model)
{
  double sum = 0;

  for (size_t i = 0; i < model->count; i++)
    sum += model->prices[i];
  return model->count ? (float)(sum / (double)model->count) : 0;
}

void hone__gaussian_add(struct hone__gaussian *model, const struct hone__feature *point,
                        float target, float expected)
{
  HONE__ASSERT(model->count < CAPACITY);
  memcpy(model->points + model->count * model->features, point, model->features * sizeof *point);
  model->targets[model->count] = target;
  model->expected[model->count] = expected;
  model->prices[model->count] = usual_price(model);
  model->has_expectations = model->has_expectations || expected != 0;
  add_row(model);
}

void hone__gaussian_set_price(struct hone__gaussian *model, size_t point, float price)
{
  for (size_t i = 0; !model->has_prices && i < model->count; i++)
    model->prices[i] = price;
  model->has_prices = true;
  model->prices[point] = price;
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

static void find_mean(const struct products *p, bool is_taught, size_t count, struct fit *fit)
{
  double ee = p->ee + TRUST_WEIGHT + HONE__DOUBT * (double)count,
         et = p->et + TRUST_WEIGHT * PRIOR_TRUST;
  double area = p->oo * ee - p->oe * p->oe;

  fit->mean = p->oo > 0 ? p->ot / p->oo : 0;
  if (!is_taught || !(area > 0)) return;
  fit->mean = (p->ot * ee - p->oe * et) / area;
  fit->trust = (p->oo * et - p->oe * p->ot) / area;
}

static struct fit fit_targets(const struct hone__gaussian *model, const float *targets,
                              const float *factor, const size_t *which, size_t count,
                              bool is_taught, float *white)
{
  float ones[CAPACITY], expected[CAPACITY];
  struct products p = {0};
  struct fit fit = {0};

  for (size_t i = 0; i < count; i++) {
    const float *row = factor + i * CAPACITY;
    size_t point = which ? which[i] : i;
    float before = is_taught ? dot(expected, row, i) : 0;
    white[i] = (targets[point] - dot(white, row, i)) / row[i];
    ones[i] = (1 - dot(ones, row, i)) / row[i];
    expected[i] = (model->expected[point] - before) / row[i];
    p.oo += (double)ones[i] * ones[i];
    p.ot += (double)ones[i] * white[i];
    p.oe += (double)ones[i] * expected[i];
    p.ee += (double)expected[i] * expected[i];
    p.et += (double)expected[i] * white[i];
  }
  find_mean(&p, is_taught, count, &fit);
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

static void settle_view(struct hone__gaussian *model, const float *targets, bool is_taught,
                        struct hone__view *view)
{
  struct fit fit =
      fit_targets(model, targets, model->factor, NULL, model->count, is_taught, view->white);

  model->work += model->count * model->count;
  view->mean = fit.mean;
  view->trust = fit.trust;
  view->variance = variance_of(&fit, model->count);
}

/* Where nothing was expected they are the same, and one will do. */
void hone__gaussian_settle(struct hone__gaussian *model)
{
  settle_view(model, model->targets, model->has_expectations, &model->taught);
  if (model->has_expectations) settle_view(model, model->targets, false, &model->own);
  if (model->has_prices) settle_view(model, model->prices, false, &model->price);
}

static double forecast_price(const struct hone__gaussian *model, const float *solution)
{
  const struct hone__view *view = &model->price;

  return model->has_prices ? view->mean + dot(solution, view->white, model->count) : 0;
}

struct hone__forecast hone__gaussian_forecast(struct hone__gaussian *model, const float *solution,
                                              float squares, float expected)
{
  bool is_own = model->is_own && model->has_expectations;
  const struct hone__view *view = is_own ? &model->own : &model->taught;
  float rest = 1 - squares;

  model->work += model->count;
  return (struct hone__forecast){
      .mean = view->mean + view->trust * expected + dot(solution, view->white, model->count),
      .deviation = sqrt(view->variance * (rest > LEAST_REST ? rest : LEAST_REST)),
      .price = forecast_price(model, solution)};
}

void hone__gaussian_weights(const struct hone__gaussian *model, float *weights)
{
  for (size_t i = model->count; i-- > 0;) {
    float rest = model->taught.white[i];
    for (size_t k = i + 1; k < model->count; k++)
      rest -= model->factor[k * CAPACITY + i] * weights[k];
    weights[i] = rest / model->factor[i * CAPACITY + i];
  }
}

/* ---- Learning ---- */

struct hone__attempts { /* on some of the points, with room for a factor of theirs */
  size_t which[CAPACITY], count;
  struct hone__likeness likeness; /* of the best so far, and being varied */
  double *scales;                 /* the best */
  double merit;                   /* of these */
  int made;
  float factor[(size_t)MOST_TO_LEARN * CAPACITY];
  struct hone__feature *points; /* theirs */
};

static void choose_points(const struct hone__gaussian *model, struct hone__random *random,
                          struct hone__attempts *attempts)
{
  for (size_t i = 0; i < model->count; i++)
    attempts->which[i] = i;
  attempts->count = model->count;
  if (attempts->count <= MOST_TO_LEARN) return;
  attempts->count = MOST_TO_LEARN;
  for (size_t i = 0; i < attempts->count; i++) {
    size_t other = i + (size_t)hone__random_below(random, model->count - i),
           held = attempts->which[i];
    attempts->which[i] = attempts->which[other];
    attempts->which[other] = held;
  }
}

/* Returns the logarithm of the factor's determinant. */
static double factorise(struct hone__gaussian *model, struct hone__attempts *attempts)
{
  double volume = 0;

  for (size_t i = 0; i < attempts->count; i++) {
    float *row = attempts->factor + i * CAPACITY, rest = 1 + (float)HONE__NOISE;
    hone__likeness_of(&attempts->likeness, attempts->points + i * model->features, attempts->points,
                      i, row);
    for (size_t k = 0; k < i; k++) {
      const float *other = attempts->factor + k * CAPACITY;
      row[k] = (row[k] - dot(row, other, k)) / other[k];
    }
    rest -= dot(row, row, i);
    row[i] = sqrtf(rest > LEAST_REST ? rest : LEAST_REST);
    volume += hone__log(row[i]);
    model->work += i * (i / 2 + WORK_OF_A_FEATURE * model->features);
  }
  return volume;
}

/* How well the scales explain what was seen (the logarithm of a likelihood), less how unusual they
 * are. */
static double merit(struct hone__gaussian *model, struct hone__attempts *attempts)
{
  float white[CAPACITY];
  double volume = factorise(model, attempts);
  struct fit fit = fit_targets(model, model->targets, attempts->factor, attempts->which,
                               attempts->count, model->has_expectations, white);
  double weight = (double)attempts->count + PRIOR_WEIGHT;

  return -weight / 2 * hone__log(variance_of(&fit, attempts->count)) - volume -
         hone__likeness_oddity(&attempts->likeness);
}

static void end_attempts(struct hone__gaussian *model)
{
  struct hone__attempts *attempts = model->attempts;

  model->attempts = NULL;
  if (!attempts) return;
  hone__likeness_release(&attempts->likeness);
  free(attempts->scales);
  free(attempts->points);
  free(attempts);
}

void hone__gaussian_clear(struct hone__gaussian *model)
{
  end_attempts(model);
  model->count = 0;
}

void hone__gaussian_begin_learning(struct hone__gaussian *model, struct hone__random *random)
{
  struct hone__attempts *attempts = hone__alloc(sizeof *attempts);
  size_t features = model->features;

  end_attempts(model);
  model->attempts = attempts;
  hone__likeness_open(&attempts->likeness, model->likeness.of);
  hone__likeness_set(&attempts->likeness, model->likeness.scales);
  attempts->scales = hone__alloc(model->likeness.scale_count * sizeof *attempts->scales);
  attempts->points = hone__alloc((MOST_TO_LEARN * features + 1) * sizeof *attempts->points);
  choose_points(model, random, attempts);
  for (size_t i = 0; i < attempts->count; i++)
    memcpy(attempts->points + i * features, model->points + attempts->which[i] * features,
           features * sizeof *attempts->points);
}

/* The first is that of the scales as they are. */
static void attempt(struct hone__gaussian *model, struct hone__random *random)
{
  struct hone__attempts *attempts = model->attempts;
  size_t bytes = model->likeness.scale_count * sizeof *attempts->scales;
  double now;

  if (attempts->made) hone__likeness_vary(&attempts->likeness, random);
  now = merit(model, attempts);
  if (!attempts->made++ || now > attempts->merit) {
    attempts->merit = now;
    memcpy(attempts->scales, attempts->likeness.scales, bytes);
  } else {
    hone__likeness_set(&attempts->likeness, attempts->scales);
  }
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

  return (ATTEMPTS + 1) * used * used * (used / 6 + WORK_OF_A_FEATURE / 2 * features) +
         (uint64_t)count * count * (count / 6 + WORK_OF_A_FEATURE / 2 * features);
}

bool hone__gaussian_learn(struct hone__gaussian *model, struct hone__random *random, uint64_t work)
{
  uint64_t enough = model->work + work;

  if (!model->attempts) return false;
  if (model->count >= FEWEST_TO_LEARN)
    while (model->attempts->made <= ATTEMPTS && model->work < enough)
      attempt(model, random);
  if (model->count >= FEWEST_TO_LEARN && model->attempts->made <= ATTEMPTS) return false;
  if (model->attempts->made) hone__likeness_set(&model->likeness, model->attempts->scales);
  end_attempts(model);
  rebuild(model);
  return true;
}
