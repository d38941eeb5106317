#include "tune/learned_store.h"

#include "base/memory.h"
#include "base/outcome.h"
#include "search/lessons.h"
#include "tune/carried_row.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_RUNS = 256 }; /* that are looked at */

struct runs { /* the newest first */
  int64_t *ids;
  size_t count, capacity;
};

static bool visit_run(void *data, const struct hone__past_run *run)
{
  struct runs *runs = data;

  HONE__GROW(runs->ids, runs->count, runs->capacity);
  runs->ids[runs->count++] = run->id;
  return runs->count < MOST_RUNS;
}

struct taking { /* the evaluations of a run, as rows of this space */
  const struct hone__session *session;
  const struct hone_space *space;
  size_t width, count, capacity;
  struct taken {
    double cost;
    uint32_t *row;
  } * all;
};

/* By the objective of this run, beside the baseline at that time; NaN: it failed, or has no value.
 */
static double cost_of(const struct taking *taking, const struct hone__evaluation *evaluation,
                      const uint32_t *row)
{
  double baseline_ns = evaluation->baseline_ns;

  if (!hone__outcome_works(evaluation->outcome)) return NAN;
  if (isnan(baseline_ns)) baseline_ns = 1; /* there was none in that run */
  return hone__session_cost_ratio(taking->session, row, evaluation->time_ns, baseline_ns);
}

/* Those that nothing can be said about, such as candidates that were never run, are left out. */
static bool visit_evaluation(void *data, const struct hone__evaluation *evaluation)
{
  struct taking *taking = data;
  bool works = hone__outcome_works(evaluation->outcome);
  struct taken taken;

  if (works && !(evaluation->time_ns > 0)) return true;
  if (!works && hone__outcome_blame(evaluation->outcome) != HONE__BLAME_CANDIDATE) return true;
  taken.row = hone__alloc(taking->width * sizeof *taken.row);
  if (!hone__carried_row(taking->space, evaluation->config, taken.row)) {
    free(taken.row);
    return true;
  }
  taken.cost = cost_of(taking, evaluation, taken.row);
  HONE__GROW(taking->all, taking->count, taking->capacity);
  taking->all[taking->count++] = taken;
  return true;
}

/* Returns whether it could be used. */
static bool teach(const struct taking *taking, struct hone__lessons *lessons)
{
  uint32_t *rows = hone__alloc((taking->count * taking->width + 1) * sizeof *rows);
  double *costs = hone__alloc((taking->count + 1) * sizeof *costs);
  bool taught;

  for (size_t i = 0; i < taking->count; i++) {
    memcpy(rows + i * taking->width, taking->all[i].row, taking->width * sizeof *rows);
    costs[i] = taking->all[i].cost;
  }
  taught = hone__lessons_add(lessons, rows, costs, taking->count);
  free(costs);
  free(rows);
  return taught;
}

hone_status hone__learned_run(struct hone__tuning *tuning, struct hone_store *store, int64_t run,
                              size_t least, bool *out_taught)
{
  const struct hone_space *space = tuning->session.problem.space;
  struct taking taking = {
      .session = &tuning->session, .space = space, .width = hone_space_width(space)};
  hone_status status = hone__store_evaluations(store, run, visit_evaluation, &taking);

  *out_taught = !status && taking.count >= least && teach(&taking, tuning->search.lessons);
  for (size_t i = 0; i < taking.count; i++)
    free(taking.all[i].row);
  free(taking.all);
  return status;
}

hone_status hone__learned_store(struct hone__tuning *tuning, const char *path, size_t *out_count)
{
  struct hone_store *store;
  struct runs runs = {0};
  hone_status status = hone__store_open(path, true, &store);

  *out_count = 0;
  if (status) return status;
  status = hone__store_past_runs(store, tuning->session.problem.task.spec->name, visit_run, &runs);
  for (size_t i = 0; i < runs.count && *out_count < HONE__MOST_LESSONS && !status; i++) {
    bool taught;
    status = hone__learned_run(tuning, store, runs.ids[i], 0, &taught);
    *out_count += taught;
  }
  free(runs.ids);
  hone__store_close(store);
  return status;
}
