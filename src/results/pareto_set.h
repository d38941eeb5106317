/* pareto_set.h - the Pareto set of a run, while it is put together.
 *
 *   1. hone__results_pareto_begin(&making, arena, run)
 *   2. hone__results_pareto_collect(&making, stored) for every evaluation
 *   3. hone__results_pareto_end(&making), which is in the arena
 */
#ifndef HONE_RESULTS_PARETO_SET_H
#define HONE_RESULTS_PARETO_SET_H

#include "hone.h"
#include "hone_results.h"
#include "store/stored.h"

#include <jansson.h>

struct hone__results_pareto_objective {
  const char *name;
  enum hone_unit unit;
  bool maximise;
};

struct hone_pareto_point {
  const char *config, *command;
  int64_t id; /* of its evaluation */
  bool is_member, is_baseline, confirmed;
  double values[HONE_PARETO_OBJECTIVES], ratios[HONE_PARETO_OBJECTIVES];
};

struct hone_pareto {
  struct hone__results_pareto_objective *objectives;
  size_t objective_count;
  struct hone_pareto_point *points;
  size_t point_count, member_count;
};

struct hone__results_pareto_making {
  struct hone__arena *arena;
  struct hone__results_pareto_objective objectives[HONE_PARETO_OBJECTIVES];
  size_t objective_count; /* below 2: nothing is collected */
  struct hone_pareto_point *points;
  const char **keys; /* of measuring, one a point; "": none */
  size_t count, capacity, key_capacity;
  json_t *times; /* key -> confirmed time; NULL: none */
  const char *winner;
  bool has_baseline, has_winner;
  double baseline_ns; /* with the winner, else with any confirmed one; NaN: none was */
};

/* The run's texts must outlive it. */
void hone__results_pareto_begin(struct hone__results_pareto_making *making,
                                struct hone__arena *arena,
                                const struct hone__store_run_stored *run);
bool hone__results_pareto_collect(void *making, const struct hone__stored *stored);
/* NULL: fewer than two objectives have numbers. */
struct hone_pareto *hone__results_pareto_end(struct hone__results_pareto_making *making);

#endif
