/* learner.h - what a trail teaches: a model of costs over the space, and the configurations that
 * look best by it.
 *
 * It follows the trail by itself. Costs are taken by their logarithm, from the best (0) over the
 * median (1) up to a bound; a failure counts as the worst. What is requested and not told yet
 * counts as what the model expects of it, so that several can be requested at once.
 *
 *   hone__learner_follow(&learner);                       before any of:
 *   forecast = hone__learner_forecast(&learner, row);     what to expect of a row
 *   found = hone__learner_best(&learner, aim, row);  the best of the prospects
 */
#ifndef HONE_SEARCH_LEARNER_H
#define HONE_SEARCH_LEARNER_H

#include "search/prospects.h"

enum hone__learner_aim {
  HONE__LEARNER_GAIN,   /* how much better than the best one can expect it to be */
  HONE__LEARNER_NOVELTY /* how good it is at best, if the model is wrong by much */
};

struct hone__learner {
  struct hone__trail *trail;
  struct hone__features features;
  struct hone__gaussian model;
  struct hone__prospects prospects;
  struct hone__random random;
  uint32_t *trials; /* by point of the model */
  bool *is_guess;   /* by point: not told yet */
  uint32_t seen;    /* of the trail */
  size_t learn_at;  /* that many points; then it learns again */
  bool has_scale;
  double origin, unit; /* of targets: the best's logarithm, and how far the median is from it */
  double worst;        /* target */
  bool *is_expanded;   /* by trial: its neighbours are prospects */
  uint32_t expanded_room;
  uint32_t widened;                    /* the trial whose pairs of changes are prospects */
  bool has_drawn;                      /* random prospects */
  bool has_ranked;                     /* prospects of lessons */
  const struct hone__lessons *lessons; /* or NULL */
  struct hone__feature *point;         /* of the last forecast */
  float expected;                      /* by lessons, likewise */
  uint32_t *rows;                      /* two, for a while */
  bool is_other;                       /* the model, since the prospects were last updated */
};

/* `lessons` may be NULL. */
void hone__learner_open(struct hone__learner *learner, struct hone__trail *trail, uint64_t seed,
                        const struct hone__lessons *lessons);
void hone__learner_release(struct hone__learner *learner);

void hone__learner_follow(struct hone__learner *learner);
/* What opening and following will cost, about, in the model's unit of work. */
uint64_t hone__learner_first_work(const struct hone__trail *trail);
/* The same of following and choosing once it is open. */
uint64_t hone__learner_next_work(const struct hone__learner *learner);
struct hone__forecast hone__learner_forecast(struct hone__learner *learner, const uint32_t *row);
/* The target of the best so far; what a forecast's mean is compared with. */
double hone__learner_best_target(const struct hone__learner *learner);
/* How likely a configuration that was not asked for is to cost less than the best by more than this
 * share of it. NaN: too little is known. */
double hone__learner_missing(struct hone__learner *learner, double margin);
/* False: there are none. */
bool hone__learner_best(struct hone__learner *learner, enum hone__learner_aim aim, uint32_t *row);

#endif
