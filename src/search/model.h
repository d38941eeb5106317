/* model.h - what is known of points, and what that makes others likely to be: a Gaussian process.
 *
 * Two points are alike by exp(-distance), where each feature adds its slope for every unit and its
 * step if they differ at all. The slopes are learned from the data. The factor of the covariances
 * grows by a row with each point; a prospect (prospects.h) keeps its own solution against it, so
 * that one more point costs each prospect one product of two vectors.
 */
#ifndef HONE_SEARCH_MODEL_H
#define HONE_SEARCH_MODEL_H

#include "base/random.h"

#include <stdbool.h>
#include <stddef.h>

struct hone_model {
  size_t features, count, capacity;
  float *points;  /* features numbers each */
  float *factor;  /* lower triangle, row i at i * capacity */
  float *targets; /* what was seen there */
  float *white;   /* the factor's solution for the targets, less their mean */
  float *slopes, *steps; /* by feature */
  bool *is_ordered;      /* lent */
  double mean, amplitude;
};

void hone__model_open(struct hone_model *model, size_t features, const bool *is_ordered,
                      size_t capacity);
void hone__model_release(struct hone_model *model);

float hone__model_likeness(const struct hone_model *model, const float *a, const float *b);
/* The factor's solution for a point, against the points from `first` on (those before are in
 * `solution` already), and what it leaves of the variance of 1. */
void hone__model_solve(const struct hone_model *model, const float *point, size_t first,
                       float *solution);
/* Adds a point with its solution; the target is provisional until it is set. */
void hone__model_add(struct hone_model *model, const float *point, const float *solution,
                     float target);
/* Once targets have changed: the mean, the amplitude and `white`. */
void hone__model_settle(struct hone_model *model);
/* Learns slopes from at most `most` of the points; solutions that were kept are void then. */
void hone__model_learn(struct hone_model *model, struct hone_random *random, size_t most,
                       unsigned tries);
void hone__model_clear(struct hone_model *model); /* of all points; slopes stay */

float hone__dot(const float *a, const float *b, size_t count);

#endif
