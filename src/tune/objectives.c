/* Values of objectives are compared with each other, costs with the baseline's. A cost is a ratio,
 * and above 0 for all values: a value on the other side of 0 counts as much better, or much worse,
 * than all others.
 */
#include "tune/objectives.h"

#include "base/elementary.h"
#include "base/pareto.h"
#include "search/search_set.h"
#include "wire/frame.h"
#include "wire/named.h"

#include <stdlib.h>

/* ---- Which ---- */

static void report_no_energy(struct hone__tuning *tuning)
{
  struct hone__text left = {0};

  for (size_t i = 0; i < tuning->session.objectives.count; i++)
    hone__text_addf(&left, "%s%s", i ? " and " : "", tuning->session.objectives.all[i].name);
  if (tuning->session.problem.head.energy)
    hone__session_say(&tuning->session, HONE_EVENT_WARNING,
                      "no energy was measured on '%s': it has no energy counter, or the kernel's "
                      "arguments are restored before each call; tuning for %s only",
                      tuning->session.workers.sites[0].device, left.data);
  else
    hone__session_say(
        &tuning->session, HONE_EVENT_WARNING,
        "energy cannot be measured: backend '%s' has no energy counter; tuning for %s only",
        tuning->session.problem.task.backend->name, left.data);
  hone__text_release(&left);
}

void hone__tuning_objectives_look_for_energy(struct hone__tuning *tuning)
{
  size_t kept = 0;

  if (tuning->session.control.aborting ||
      !hone__spec_wants_energy(tuning->session.problem.task.spec))
    return;
  if (isfinite(tuning->baseline.candidate->energy.joules)) return;
  for (size_t i = 0; i < tuning->session.objectives.count; i++)
    if (!tuning->session.objectives.all[i].is_energy)
      tuning->session.objectives.all[kept++] = tuning->session.objectives.all[i];
  tuning->session.objectives.count = kept;
  if (tuning->search.set)
    hone__search_set_keep(tuning->search.set,
                          hone__objectives_search_count(&tuning->session.objectives));
  report_no_energy(tuning);
}

/* ---- Values ---- */

struct hone__task_energy hone__tuning_evaluation_energy(const struct hone__evaluation *evaluation)
{
  const char *text = evaluation->metrics;
  struct hone__packed *packed = text ? hone__packed_parse(text, strlen(text)) : NULL;
  struct hone__arena arena = {0};
  struct hone__named_record metrics = {0};
  struct hone__task_energy energy;

  if (packed) hone_status_free(hone__unpack(packed, &hone__named_type, &arena, &metrics));
  energy = hone__energy_of(metrics.all, metrics.all_count);
  hone__arena_release(&arena);
  hone__packed_drop(packed);
  return energy;
}

static double value_of(const struct hone__tuning *tuning, const struct hone__objective *objective,
                       const uint32_t *row, const struct hone__task_measured *measured)
{
  const struct hone__task *task = &tuning->session.problem.task;
  double value = objective->is_energy ? measured->energy.joules : measured->time_ns;

  if (objective->metric != SIZE_MAX &&
      !hone__task_metric(task, row, &task->spec->metrics[objective->metric], measured, &value))
    value = NAN;
  return objective->maximise ? -value : value;
}

void hone__tuning_objectives_values(const struct hone__tuning *tuning, const uint32_t *row,
                                    const struct hone__task_measured *measured, double *values)
{
  for (size_t i = 0; i < tuning->session.objectives.count; i++)
    values[i] = value_of(tuning, &tuning->session.objectives.all[i], row, measured);
}

/* ---- Costs ---- */

static void costs_of_all(const struct hone__tuning *tuning, const uint32_t *row,
                         const struct hone__evaluation *evaluation, double *costs)
{
  const struct hone__task_measured own = {evaluation->time_ns,
                                          hone__tuning_evaluation_energy(evaluation)};
  const struct hone__task_measured other = {evaluation->baseline_ns,
                                            tuning->baseline.candidate->energy};
  double values[HONE__MOST_OBJECTIVES], baselines[HONE__MOST_OBJECTIVES], logs = 0;
  size_t count = tuning->session.objectives.count;

  hone__tuning_objectives_values(tuning, row, &own, values);
  hone__tuning_objectives_values(tuning, tuning->session.problem.task.baseline, &other, baselines);
  for (size_t i = 0; i < count; i++) {
    costs[i] = hone__cost_ratio(values[i], baselines[i]);
    logs += hone__log(costs[i]);
  }
  costs[count] = hone__exp(logs / (double)count);
}

void hone__tuning_objectives_costs(const struct hone__tuning *tuning, const uint32_t *row,
                                   const struct hone__evaluation *evaluation, double *costs)
{
  if (!hone__outcome_works(evaluation->outcome))
    for (size_t i = 0; i < hone__objectives_search_count(&tuning->session.objectives); i++)
      costs[i] = NAN;
  else if (tuning->session.objectives.count > 1 || tuning->session.objectives.proven)
    costs_of_all(tuning, row, evaluation, costs);
  else
    costs[0] = evaluation->time_ns / evaluation->baseline_ns;
}

/* ---- Finalists ---- */

/* Marks the ranked candidates that neither another one nor the baseline dominates; returns how
 * many. */
static size_t mark_front(struct hone__tuning *tuning)
{
  const struct hone__task_measured baseline = {tuning->ranking.entries[0].baseline_ns,
                                               tuning->baseline.candidate->energy};
  size_t count = tuning->ranking.count, width = tuning->session.objectives.count, marked = 0;
  double *points = hone__alloc((count + 1) * width * sizeof *points);
  bool *members = hone__alloc((count + 1) * sizeof *members);

  for (size_t i = 0; i < count; i++)
    memcpy(points + i * width, tuning->ranking.entries[i].values, width * sizeof *points);
  hone__tuning_objectives_values(tuning, tuning->session.problem.task.baseline, &baseline,
                                 points + count * width);
  hone__pareto_find(points, count + 1, width, members);
  for (size_t i = 0; i < count; i++) {
    tuning->ranking.entries[i].leads = members[i];
    marked += members[i];
  }
  free(points);
  free(members);
  return marked;
}

/* Members first, the best by the first objective at the front; the others keep their order. */
static int by_lead(const void *a, const void *b)
{
  const struct hone__ranked *x = a, *y = b;

  if (x->leads != y->leads) return x->leads ? -1 : 1;
  if (x->leads && x->values[0] != y->values[0]) return x->values[0] < y->values[0] ? -1 : 1;
  if (x->ratio != y->ratio) return x->ratio < y->ratio ? -1 : 1;
  return strcmp(x->config, y->config);
}

/* Equal objects are adjacent: keeps the mark of one. */
static size_t unmark_doubles(struct hone__tuning *tuning, size_t marked)
{
  struct hone__ranked *ranked = tuning->ranking.entries;
  size_t left = marked;

  for (size_t i = marked; i-- > 1;)
    if (*ranked[i].key && strcmp(ranked[i].key, ranked[i - 1].key) == 0) {
      ranked[i].leads = false;
      left--;
    }
  return left;
}

/* Keeps the marks of `most` of the `marked` at the front of the ranking: both ends, and equal steps
 * between.
 */
static void thin_out(struct hone__tuning *tuning, size_t marked, size_t most)
{
  size_t kept = 0;

  for (size_t i = 0; i < marked; i++) {
    size_t wanted = most > 1 ? kept * (marked - 1) / (most - 1) : 0;
    bool is_kept = kept < most && i == wanted;
    tuning->ranking.entries[i].leads = is_kept;
    kept += is_kept;
  }
}

void hone__tuning_objectives_lead(struct hone__tuning *tuning, size_t most)
{
  size_t marked, size = sizeof *tuning->ranking.entries;

  if (!tuning->ranking.count) return;
  marked = mark_front(tuning);
  qsort(tuning->ranking.entries, tuning->ranking.count, size, by_lead);
  marked = unmark_doubles(tuning, marked);
  qsort(tuning->ranking.entries, tuning->ranking.count, size, by_lead);
  if (marked <= most) return;
  thin_out(tuning, marked, most);
  qsort(tuning->ranking.entries, tuning->ranking.count, size, by_lead);
}
