/* The product of all features is the product of their likenesses, so one exp for each is all that a
 * table has to save. */
#include "search/likeness.h"

#include "base/elementary.h"
#include "base/memory.h"
#include "search/chosen.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double LEAST_SCALE = 0.02, MOST_SCALE = 50;
static const double LEAST_SHARE = 0.05, MOST_SHARE = 20; /* beside that of the product */

/* exp(x) for x <= 0, by arithmetic alone. */
static inline float power(float x)
{
  float halvings = (x < -80 ? -80 : x) * 1.44269504f;
  int32_t whole = (int32_t)(halvings - 0.5f), bits = (whole + 127) * (1 << 23);
  float rest = (halvings - (float)whole) * 0.693147181f, scale;

  memcpy(&scale, &bits, sizeof scale);
  return scale * (1 + rest * (1 + rest * (0.5f + rest * (0.166666667f + rest * 0.0416666667f))));
}

static inline float alike(const struct hone__likeness_part *part, const struct hone__feature *a,
                          const struct hone__feature *b)
{
  float places = fabsf(a->place - b->place), halvings = fabsf(a->halving - b->halving);

  return power(
      -(part->slope * places + (places > 0 ? part->step : 0) + part->halving_slope * halvings));
}

static inline float look_up(const struct hone__likeness_part *part, const struct hone__feature *a,
                            const struct hone__feature *b)
{
  return part->table ? part->table[a->code * HONE__MOST_CODES + b->code] : alike(part, a, b);
}

static float mix(const struct hone__likeness *likeness, const struct hone__feature *a,
                 const struct hone__feature *b)
{
  float sum = 0, squares = 0, product = 1;

  for (size_t i = 0; i < likeness->count; i++) {
    float like = look_up(&likeness->parts[i], &a[i], &b[i]);
    sum += like;
    squares += like * like;
    product *= like;
  }
  return likeness->sums * sum + likeness->pairs * (sum * sum - squares) +
         likeness->product * product;
}

void hone__likeness_of(const struct hone__likeness *likeness, const struct hone__feature *point,
                       const struct hone__feature *others, size_t count, float *out_likenesses)
{
  for (size_t i = 0; i < count; i++)
    out_likenesses[i] = mix(likeness, point, others + i * likeness->count);
}

/* ---- Scales ---- */

static void fill_table(struct hone__likeness_part *part)
{
  const struct hone__feature *values = part->kind->values;

  for (size_t i = 0; part->table && i < part->kind->codes; i++)
    for (size_t k = 0; k <= i; k++) {
      float like = alike(part, &values[i], &values[k]);
      part->table[i * HONE__MOST_CODES + k] = part->table[k * HONE__MOST_CODES + i] = like;
    }
}

static void set_part(struct hone__likeness *likeness, size_t i)
{
  struct hone__likeness_part *part = &likeness->parts[i];
  float slope = (float)(1 / likeness->scales[i]), step = (float)HONE__STEP;

  part->slope = part->kind->has_order ? slope : 0;
  part->step = part->kind->has_order ? step : step + slope;
  part->halving_slope = part->kind->has_halvings && part->kind->has_order
                            ? (float)(1 / likeness->scales[likeness->count + i])
                            : 0;
  fill_table(part);
}

static void set_mixture(struct hone__likeness *likeness)
{
  const double *shares = likeness->scales + 2 * likeness->count;
  double count = (double)likeness->count, all = shares[0] + shares[1] + 1;

  likeness->product = 1;
  if (likeness->count < 2) return;
  likeness->sums = (float)(shares[0] / all / count);
  likeness->pairs = (float)(shares[1] / all / (count * (count - 1)));
  likeness->product = (float)(1 / all);
}

static double usual(const struct hone__likeness *likeness, size_t i)
{
  double product = 1 - HONE__SUM_WEIGHT - HONE__PAIR_WEIGHT;

  if (i < 2 * likeness->count) return HONE__USUAL_SCALE;
  return (i == 2 * likeness->count ? HONE__SUM_WEIGHT : HONE__PAIR_WEIGHT) / product;
}

void hone__likeness_open(struct hone__likeness *likeness, const struct hone__features *features)
{
  size_t count = features->count;

  *likeness = (struct hone__likeness){.of = features, .count = count, .scale_count = 2 * count + 2};
  likeness->parts = hone__alloc((count + 1) * sizeof *likeness->parts);
  likeness->scales = hone__alloc(likeness->scale_count * sizeof *likeness->scales);
  for (size_t i = 0; i < likeness->scale_count; i++)
    likeness->scales[i] = usual(likeness, i);
  for (size_t i = 0; i < count; i++) {
    struct hone__likeness_part *part = &likeness->parts[i];
    part->kind = &features->kinds[i];
    if (part->kind->values)
      part->table = hone__alloc(part->kind->codes * HONE__MOST_CODES * sizeof *part->table);
    set_part(likeness, i);
  }
  set_mixture(likeness);
}

void hone__likeness_release(struct hone__likeness *likeness)
{
  for (size_t i = 0; i < likeness->count; i++)
    free(likeness->parts[i].table);
  free(likeness->parts);
  free(likeness->scales);
  *likeness = (struct hone__likeness){0};
}

void hone__likeness_set(struct hone__likeness *likeness, const double *scales)
{
  size_t count = likeness->count;

  for (size_t i = 0; i < count; i++) {
    if (likeness->scales[i] == scales[i] && likeness->scales[count + i] == scales[count + i])
      continue;
    likeness->scales[i] = scales[i];
    likeness->scales[count + i] = scales[count + i];
    set_part(likeness, i);
  }
  memcpy(likeness->scales + 2 * count, scales + 2 * count, 2 * sizeof *scales);
  set_mixture(likeness);
}

/* ---- Other scales ---- */

static bool has_effect(const struct hone__likeness *likeness, size_t i)
{
  size_t count = likeness->count;

  if (i >= 2 * count) return count > 1;
  return i < count || (likeness->parts[i - count].kind->has_halvings &&
                       likeness->parts[i - count].kind->has_order);
}

static double normal(struct hone__random *random)
{
  double radius = hone__random_real(random), turns = hone__random_real(random);

  return sqrt(-2 * hone__log(1 - radius)) * hone__cosine_of_turns(turns);
}

static void vary_one(struct hone__likeness *likeness, size_t i, double width,
                     struct hone__random *random)
{
  bool is_share = i >= 2 * likeness->count;
  double scale = likeness->scales[i] * hone__exp(width * normal(random));

  likeness->scales[i] =
      fmin(fmax(scale, is_share ? LEAST_SHARE : LEAST_SCALE), is_share ? MOST_SHARE : MOST_SCALE);
}

void hone__likeness_vary(struct hone__likeness *likeness, struct hone__random *random)
{
  bool all = hone__random_u64(random) & 1;
  size_t one = (size_t)hone__random_below(random, likeness->scale_count);

  while (!all && likeness->count && !has_effect(likeness, one))
    one = (one + 1) % likeness->scale_count;
  for (size_t i = 0; i < likeness->scale_count; i++)
    if (has_effect(likeness, i) && (all || i == one)) vary_one(likeness, i, all ? 0.5 : 1, random);
  for (size_t i = 0; i < likeness->count; i++)
    if (all || i == one || likeness->count + i == one) set_part(likeness, i);
  set_mixture(likeness);
}

double hone__likeness_oddity(const struct hone__likeness *likeness)
{
  double sum = 0;

  for (size_t i = 0; i < likeness->scale_count; i++) {
    double deviation = hone__log(likeness->scales[i] / usual(likeness, i));
    sum += deviation * deviation / 2;
  }
  return sum;
}
