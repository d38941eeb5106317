/* gaussian.h - what was seen at some points, and what that makes of others: a Gaussian process.
 *
 * How alike two points are is likeness.h's; its scales are learned. The factor of the points'
 * likenesses (Cholesky's) grows by a row with each point, and a solution against it by a number:
 * one more point costs a prospect that keeps its solution no more than the product of two vectors.
 *
 * A point may come with an expectation from elsewhere (lessons.h). How far it is to be trusted is
 * found with the mean: the targets are mean + trust * expectation + what the process makes of the
 * rest.
 *
 * What it took to see a point, its price, may be known, too. It is forecast by the same likenesses.
 */
#ifndef HONE_SEARCH_GAUSSIAN_H
#define HONE_SEARCH_GAUSSIAN_H

#include "base/random.h"
#include "search/likeness.h"

enum { HONE__GAUSSIAN_POINTS = 400 }; /* at most: costs grow with the square */

struct hone__gaussian {
  size_t features, count;
  struct hone__feature *points; /* `features` each */
  float *targets;               /* what was seen there */
  float *expected;              /* what was expected there, by others; 0 */
  bool has_expectations;        /* not all are 0 */
  float *prices;                /* what it took, in logarithms */
  bool has_prices;              /* or they are not known */
  float *factor;                /* rows of HONE__GAUSSIAN_POINTS: the lower triangle */
  struct hone__likeness likeness;
  struct hone__view { /* of the targets: with what was expected, and without; of the prices */
    double mean, variance, trust;
    float *white; /* the factor's solution for what mean and trust leave of the targets */
  } taught, own, price;
  bool is_own;                     /* forecasts are without */
  struct hone__attempts *attempts; /* of learning that has not ended; NULL */
  uint64_t work;                   /* multiplications so far, about: what all this costs */
};

void hone__gaussian_open(struct hone__gaussian *model, const struct hone__features *features);
void hone__gaussian_release(struct hone__gaussian *model);

/* Extends the solution for a point from the model's first `known` points to the first `count`;
 * returns what these add to the sum of its squares. */
float hone__gaussian_solve(struct hone__gaussian *model, const struct hone__feature *point,
                           size_t known, size_t count, float *solution);
/* Adds a point. There must be room. */
void hone__gaussian_add(struct hone__gaussian *model, const struct hone__feature *point,
                        float target, float expected);
/* What it took to see a point, which is in place. Of those whose price is not known yet, it is what
 * the first known one is. */
void hone__gaussian_set_price(struct hone__gaussian *model, size_t point, float price);
/* Once targets have changed: all views. */
void hone__gaussian_settle(struct hone__gaussian *model);
/* Begins to learn the scales from the points, again if it has not ended. */
void hone__gaussian_begin_learning(struct hone__gaussian *model, struct hone__random *random);
/* Goes on, for about that much work. True: it has ended, the factor was made again, and solutions
 * that were kept are void. */
bool hone__gaussian_learn(struct hone__gaussian *model, struct hone__random *random, uint64_t work);
/* Removes all points. */
void hone__gaussian_clear(struct hone__gaussian *model);

/* The work of learning from that many points with that many features. */
uint64_t hone__gaussian_learning_work(size_t count, size_t features);

struct hone__forecast {
  double mean, deviation;
  double price; /* 0: they are not known */
};
/* At a point with this solution, whose squares' sum is `squares`. */
struct hone__forecast hone__gaussian_forecast(struct hone__gaussian *model, const float *solution,
                                              float squares, float expected);
/* The weights of the points in a forecast's mean, for models that do not change any more. */
void hone__gaussian_weights(const struct hone__gaussian *model, float *weights);

#endif
