/* Objectives that have no numbers, such as energy where nothing counts it, are left out. Times are
 * those of screening, of finalists those of the confirmation; metrics belong to these. */
#include "results/pareto_set.h"

#include "base/accessor.h"
#include "base/pareto.h"

#include <math.h>
#include <stdlib.h>

/* ---- Objectives ---- */

static void read_objective(struct hone__results_pareto_making *making, const json_t *item)
{
  struct hone__results_pareto_objective *objective = &making->objectives[making->objective_count];
  const char *name = json_string_value(json_object_get(item, "name"));

  if (!name) return;
  *objective = (struct hone__results_pareto_objective){
      .name = hone__arena_strdup(making->arena, name),
      .maximise = json_is_true(json_object_get(item, "maximise"))};
  if (strcmp(name, "time") == 0) objective->unit = HONE_UNIT_NS;
  making->objective_count++;
}

void hone__results_pareto_begin(struct hone__results_pareto_making *making,
                                struct hone__arena *arena, const struct hone__store_run_stored *run)
{
  json_t *options = run->record.options ? json_loads(run->record.options, 0, NULL) : NULL, *item;
  size_t index;

  *making = (struct hone__results_pareto_making){
      .arena = arena, .winner = run->result.winner, .baseline_ns = NAN};
  json_array_foreach(json_object_get(options, "objectives"), index, item)
  {
    if (index < HONE_PARETO_OBJECTIVES) read_objective(making, item);
  }
  json_decref(options);
}

/* ---- Points ---- */

static double number_of(const json_t *value)
{
  return json_is_number(value) ? json_number_value(value) : NAN;
}

/* A metric may be called energy: it goes before the joules of a call. */
static double value_of(struct hone__results_pareto_objective *objective, double time_ns,
                       const json_t *metrics)
{
  const json_t *metric = json_object_get(metrics, objective->name);

  if (objective->unit == HONE_UNIT_NS) return time_ns;
  if (metric || strcmp(objective->name, "energy") != 0) return number_of(metric);
  objective->unit = HONE_UNIT_J;
  return number_of(json_object_get(metrics, "energy_j"));
}

static struct hone_pareto_point make_point(struct hone__results_pareto_making *making,
                                           const struct hone__stored *stored)
{
  const struct hone__evaluation *evaluation = &stored->evaluation;
  json_t *metrics = evaluation->metrics ? json_loads(evaluation->metrics, 0, NULL) : NULL;
  const char *command = evaluation->command ? evaluation->command : "";
  double time_ns = stored->confirmed ? stored->time_ns : evaluation->time_ns;
  struct hone_pareto_point point = {
      .config = hone__arena_strdup(making->arena, evaluation->config ? evaluation->config : ""),
      .command = hone__arena_strdup(making->arena, command),
      .id = evaluation->id,
      .is_baseline = evaluation->is_baseline,
      .confirmed = stored->confirmed};

  for (size_t i = 0; i < HONE_PARETO_OBJECTIVES; i++)
    point.values[i] = point.ratios[i] = NAN;
  for (size_t i = 0; i < making->objective_count; i++)
    point.values[i] = value_of(&making->objectives[i], time_ns, metrics);
  json_decref(metrics);
  return point;
}

static void note_time(struct hone__results_pareto_making *making, const char *key, double time_ns)
{
  if (!key || !*key || !isfinite(time_ns)) return;
  if (!making->times) making->times = json_object();
  json_object_set_new(making->times, key, json_real(time_ns));
}

/* The baseline's readings in the pairs of a confirmed candidate are stored with that one. */
static void note_baseline(struct hone__results_pareto_making *making,
                          const struct hone__stored *stored)
{
  const char *config = stored->evaluation.config;
  bool is_winner = making->winner && config && strcmp(making->winner, config) == 0;

  if (!stored->confirmed || !isfinite(stored->baseline_ns) || making->has_winner) return;
  if (isnan(making->baseline_ns) || is_winner) making->baseline_ns = stored->baseline_ns;
  making->has_winner = is_winner;
}

/* Every device has a baseline: the first represents all. */
bool hone__results_pareto_collect(void *data, const struct hone__stored *stored)
{
  struct hone__results_pareto_making *making = data;
  bool is_baseline = stored->evaluation.is_baseline;
  const char *key;

  if (making->objective_count < 2 || !hone__outcome_works(stored->evaluation.outcome)) return true;
  note_baseline(making, stored);
  if (is_baseline && making->has_baseline) return true;
  making->has_baseline |= is_baseline;
  if (stored->confirmed) note_time(making, stored->evaluation.measure_key, stored->time_ns);
  HONE__GROW(making->points, making->count, making->capacity);
  HONE__GROW(making->keys, making->count, making->key_capacity);
  key = stored->evaluation.measure_key;
  making->keys[making->count] = key ? hone__arena_strdup(making->arena, key) : "";
  making->points[making->count++] = make_point(making, stored);
  return true;
}

/* ---- The set ---- */

static bool has_numbers(const struct hone__results_pareto_making *making, size_t objective)
{
  for (size_t i = 0; i < making->count; i++)
    if (isfinite(making->points[i].values[objective])) return true;
  return false;
}

static void drop_objective(struct hone__results_pareto_making *making, size_t objective)
{
  size_t after = --making->objective_count - objective;

  memmove(&making->objectives[objective], &making->objectives[objective + 1],
          after * sizeof *making->objectives);
  for (size_t i = 0; i < making->count; i++) {
    double *values = making->points[i].values;
    memmove(&values[objective], &values[objective + 1], after * sizeof *values);
    values[making->objective_count] = NAN;
  }
}

/* Equal objects have the time of the one that was confirmed; their metrics are of it already. */
static void share_times(struct hone__results_pareto_making *making)
{
  for (size_t i = 0; i < making->count; i++)
    if (making->points[i].is_baseline) note_time(making, making->keys[i], making->baseline_ns);
  for (size_t i = 0; i < making->count; i++) {
    struct hone_pareto_point *point = &making->points[i];
    const json_t *time = json_object_get(making->times, making->keys[i]);
    if (!time || point->confirmed) continue;
    point->confirmed = true;
    for (size_t k = 0; k < making->objective_count; k++)
      if (making->objectives[k].unit == HONE_UNIT_NS) point->values[k] = json_real_value(time);
  }
}

static const struct hone_pareto_point *
find_baseline(const struct hone__results_pareto_making *making)
{
  for (size_t i = 0; i < making->count; i++)
    if (making->points[i].is_baseline) return &making->points[i];
  return NULL;
}

static void set_ratios(struct hone__results_pareto_making *making)
{
  const struct hone_pareto_point *found = find_baseline(making);
  struct hone_pareto_point baseline;

  if (!found) return;
  baseline = *found;
  for (size_t i = 0; i < making->count; i++)
    for (size_t k = 0; k < making->objective_count; k++)
      if (baseline.values[k] != 0)
        making->points[i].ratios[k] = making->points[i].values[k] / baseline.values[k];
}

static size_t find_members(struct hone__results_pareto_making *making)
{
  size_t width = making->objective_count, members;
  double *points = hone__alloc((making->count * width + 1) * sizeof *points);
  bool *marks = hone__alloc(making->count + 1);

  for (size_t i = 0; i < making->count; i++)
    for (size_t k = 0; k < width; k++)
      points[i * width + k] = making->objectives[k].maximise ? -making->points[i].values[k]
                                                             : making->points[i].values[k];
  members = hone__pareto_find(points, making->count, width, marks);
  for (size_t i = 0; i < making->count; i++)
    making->points[i].is_member = marks[i];
  free(points);
  free(marks);
  return members;
}

/* Members first; then by the first objective, the best before all, what has no number last. */
static int compare_points(const void *a, const void *b, void *data)
{
  const struct hone_pareto_point *x = a, *y = b;
  const struct hone__results_pareto_making *making = data;

  if (x->is_member != y->is_member) return x->is_member ? -1 : 1;
  for (size_t k = 0; k < making->objective_count; k++) {
    double p = x->values[k], q = y->values[k];
    if (isnan(p) != isnan(q)) return isnan(p) ? 1 : -1;
    if (p < q || p > q) return (p < q) != making->objectives[k].maximise ? -1 : 1;
  }
  return (x->id > y->id) - (x->id < y->id);
}

static void *move_to_arena(struct hone__arena *arena, const void *from, size_t size)
{
  void *copy = hone__arena_alloc(arena, size + 1);

  if (size) memcpy(copy, from, size);
  return copy;
}

static struct hone_pareto *publish(struct hone__results_pareto_making *making)
{
  struct hone_pareto *pareto = hone__arena_alloc(making->arena, sizeof *pareto);

  share_times(making);
  set_ratios(making);
  pareto->member_count = find_members(making);
  qsort_r(making->points, making->count, sizeof *making->points, compare_points, making);
  pareto->objective_count = making->objective_count;
  pareto->objectives = move_to_arena(making->arena, making->objectives,
                                     making->objective_count * sizeof *making->objectives);
  pareto->point_count = making->count;
  pareto->points =
      move_to_arena(making->arena, making->points, making->count * sizeof *making->points);
  return pareto;
}

struct hone_pareto *hone__results_pareto_end(struct hone__results_pareto_making *making)
{
  struct hone_pareto *pareto;

  for (size_t i = making->objective_count; i-- > 0;)
    if (!has_numbers(making, i)) drop_objective(making, i);
  pareto = making->objective_count < 2 ? NULL : publish(making);
  free(making->points);
  free(making->keys);
  json_decref(making->times);
  *making = (struct hone__results_pareto_making){0};
  return pareto;
}

/* ---- Accessors ---- */

const char *hone_unit_name(enum hone_unit unit)
{
#define NAME(id, name) name,
  static const char *const names[] = {HONE_UNITS(NAME)};
#undef NAME

  return (size_t)unit < sizeof names / sizeof *names ? names[unit] : "";
}

#define OBJECTIVE(type, property, field, none)                                                     \
  HONE__GET_IN(type, hone_pareto, objective_##property, objectives, field, objective_count, none)
OBJECTIVE(const char *, name, name, NULL)
OBJECTIVE(enum hone_unit, unit, unit, HONE_UNIT_NONE)
OBJECTIVE(bool, is_maximised, maximise, false)
HONE__GET(size_t, hone_pareto, objective_count, objective_count)
HONE__GET(size_t, hone_pareto, point_count, point_count)
HONE__GET(size_t, hone_pareto, member_count, member_count)
HONE__LEND_AT(hone_pareto_point, hone_pareto, point, points, point_count)

#define POINT(type, property, field) HONE__GET(type, hone_pareto_point, property, field)
POINT(const char *, config, config)
POINT(const char *, command, command)
POINT(int64_t, id, id)
POINT(bool, is_member, is_member)
POINT(bool, is_baseline, is_baseline)
POINT(bool, is_confirmed, confirmed)

double hone_pareto_point_value(const struct hone_pareto_point *point, size_t objective)
{
  return objective < HONE_PARETO_OBJECTIVES ? point->values[objective] : NAN;
}

double hone_pareto_point_ratio(const struct hone_pareto_point *point, size_t objective)
{
  return objective < HONE_PARETO_OBJECTIVES ? point->ratios[objective] : NAN;
}
