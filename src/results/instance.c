/* Evaluations of a run, each with the parameters that name it. */
#include "results/instance.h"

#include "base/text.h"
#include "results/pareto_set.h"
#include "spec/spec_text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

const char *hone__instance_keep(struct hone__arena *arena, const char *text)
{
  return text ? hone__arena_strdup(arena, text) : "";
}

const char *hone__instance_text(const json_t *object, const char *key)
{
  const char *text = json_string_value(json_object_get(object, key));

  return text ? text : "";
}

static void read_params(struct hone__arena *arena, const json_t *list,
                        struct hone__instance *instance)
{
  struct hone__spec_param *params =
      hone__arena_alloc(arena, (json_array_size(list) + 1) * sizeof *params);
  size_t index;
  json_t *pair;

  json_array_foreach(list, index, pair)
  {
    const char *name = json_string_value(json_array_get(pair, 0));
    const char *value = json_string_value(json_array_get(pair, 1));
    if (name && value)
      params[instance->param_count++] =
          hone__spec_param(arena, name, strlen(name), value, strlen(value));
  }
  instance->params = params;
}

/* "stem/BM=64", of a configuration. */
static const char *make_spec(struct hone__instances *collection,
                             const struct hone__instance *instance)
{
  struct hone__text text = {0};
  const char *spec;

  hone__text_add(&text, collection->stem);
  for (size_t i = 0; i < instance->param_count; i++)
    hone__text_addf(&text, "/%s%s=%s", instance->params[i].is_runtime ? "$" : "",
                    instance->params[i].name, instance->params[i].value);
  spec = hone__instance_keep(&collection->full->arena, text.data);
  hone__text_release(&text);
  return spec;
}

static void name_instance(struct hone__instances *collection, const char *config,
                          struct hone__instance *instance)
{
  struct hone__arena *arena = &collection->full->arena;
  const json_t *params = json_object_get(instance->output, "params");

  if (json_is_array(params))
    read_params(arena, params, instance);
  else
    instance->params = hone__config_params(arena, config, &instance->param_count);
  instance->spec = *hone__instance_text(instance->output, "spec")
                       ? hone__instance_keep(arena, hone__instance_text(instance->output, "spec"))
                       : make_spec(collection, instance);
}

/* What a program that worked wrote elsewhere may be large, and is not needed. */
static void drop_outputs(json_t *output)
{
  json_object_del(output, "stdout");
  json_object_del(output, "stderr");
  json_object_del(output, "build_output");
}

/* "2026-11-15 10:00:00" in seconds; NaN: it is not such a time. */
static double seconds_of(const char *at)
{
  struct tm time = {0};
  int year;

  if (!at || sscanf(at, "%d-%d-%d %d:%d:%d", &year, &time.tm_mon, &time.tm_mday, &time.tm_hour,
                    &time.tm_min, &time.tm_sec) != 6)
    return NAN;
  time.tm_year = year - 1900;
  time.tm_mon--;
  return (double)timegm(&time);
}

static struct hone__results_place read_place(struct hone__instances *collection,
                                             const struct hone__stored *stored)
{
  return (struct hone__results_place){
      .device = hone__instance_keep(&collection->full->arena, stored->evaluation.device),
      .made_s = seconds_of(stored->made) - seconds_of(collection->run->started),
      .compile_s = stored->evaluation.cached ? NAN : stored->evaluation.compile_s};
}

static struct hone__instance read_instance(struct hone__instances *collection,
                                           const struct hone__stored *stored)
{
  const struct hone__evaluation *evaluation = &stored->evaluation;
  bool is_built = !evaluation->cached && !evaluation->reused_from && evaluation->compile_s > 0;
  struct hone__instance instance = {
      .mesh_idx = (uint64_t)evaluation->mesh_idx,
      .outcome = evaluation->outcome,
      .evidence = hone__instance_keep(&collection->full->arena, evaluation->evidence),
      .suspicious = hone__instance_keep(&collection->full->arena, evaluation->suspicious),
      .build_s = is_built ? evaluation->compile_s : 0,
      .run_s = evaluation->cold_ns > 0 ? evaluation->cold_ns * 1e-9 : 0,
      .config = hone__instance_keep(&collection->full->arena, evaluation->config),
      .measured = hone__measured_read(stored, collection->run),
      .place = read_place(collection, stored),
      .output = evaluation->output ? json_loads(evaluation->output, 0, NULL) : NULL,
      .metrics = evaluation->metrics ? json_loads(evaluation->metrics, 0, NULL) : NULL,
      .evaluation = evaluation->id,
  };

  if (hone__outcome_works(instance.outcome)) drop_outputs(instance.output);
  name_instance(collection, evaluation->config, &instance);
  return instance;
}

static void release_instance(struct hone__instance *instance)
{
  json_decref(instance->output);
  json_decref(instance->metrics);
}

/* A run of hone_tune has no mesh: configurations count in the order in which they were tried. The
 * baseline is measured on every device and may be a candidate too; it is one instance. */
static void place_instance(struct hone__instances *collection,
                           const struct hone__evaluation *evaluation,
                           const struct hone__instance *instance)
{
  json_t *place = json_object_get(collection->places, evaluation->config);
  size_t index = place ? (size_t)json_integer_value(place) : collection->count;

  if (place) {
    struct hone__instance *old = &collection->instances[index];
    bool is_baseline = old->measured.is_baseline;
    release_instance(old);
    *old = *instance;
    old->measured.is_baseline = is_baseline || old->measured.is_baseline;
  } else {
    json_object_set_new(collection->places, evaluation->config, json_integer((json_int_t)index));
    HONE__GROW(collection->instances, collection->count, collection->capacity);
    collection->instances[collection->count++] = *instance;
  }
  collection->instances[index].mesh_idx = index;
}

static bool is_known(const struct hone__instances *collection,
                     const struct hone__evaluation *evaluation)
{
  return evaluation->is_baseline && json_object_get(collection->places, evaluation->config);
}

bool hone__instance_collect(void *data, const struct hone__stored *stored)
{
  struct hone__instances *collection = data;
  const struct hone__evaluation *evaluation = &stored->evaluation;
  struct hone__instance instance;

  if (evaluation->outcome == HONE_OUTCOME_INTERRUPTED || !evaluation->config) return true;
  if (evaluation->mesh_idx < 0 && is_known(collection, evaluation)) return true;
  instance = read_instance(collection, stored);
  if (evaluation->mesh_idx < 0) {
    place_instance(collection, evaluation, &instance);
    return true;
  }
  collection->is_sweep = true;
  HONE__GROW(collection->instances, collection->count, collection->capacity);
  collection->instances[collection->count++] = instance;
  return true;
}

static int compare_instances(const void *a, const void *b)
{
  const struct hone__instance *x = a, *y = b;

  return x->mesh_idx < y->mesh_idx ? -1 : x->mesh_idx > y->mesh_idx;
}

void hone__instances_sort(struct hone__instances *instances)
{
  if (instances->count)
    qsort(instances->instances, instances->count, sizeof *instances->instances, compare_instances);
}

/* The first of all in the order; NULL: nothing is confirmed. */
static const struct hone__instance *find_best(const struct hone__instances *instances)
{
  const struct hone__instance *best = NULL;

  for (size_t i = 0; i < instances->count; i++) {
    const struct hone__instance *instance = &instances->instances[i];
    if (instance->measured.basis != HONE_BASIS_CONFIRMED || instance->measured.is_baseline)
      continue;
    if (!best || hone__measured_compare(&instance->measured, &best->measured) < 0) best = instance;
  }
  return best;
}

void hone__instances_settle(struct hone__instances *instances)
{
  const struct hone__instance *best = find_best(instances);

  for (size_t i = 0; best && i < instances->count; i++) {
    struct hone__instance *instance = &instances->instances[i];
    if (instance->measured.is_baseline) hone__measured_settle(&instance->measured, &best->measured);
    instance->is_tied =
        best->measured.is_best && hone__measured_is_tied(&best->measured, &instance->measured);
  }
}

static int compare_ids(const void *a, const void *b)
{
  int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

  return (x > y) - (x < y);
}

void hone__instances_mark(struct hone__instances *collection, const struct hone_pareto *pareto)
{
  size_t count = pareto->member_count;
  int64_t *ids = hone__alloc((count + 1) * sizeof *ids);

  for (size_t i = 0; i < count; i++)
    ids[i] = pareto->points[i].id;
  qsort(ids, count, sizeof *ids, compare_ids);
  for (size_t i = 0; i < collection->count; i++) {
    struct hone__instance *instance = &collection->instances[i];
    instance->is_pareto = bsearch(&instance->evaluation, ids, count, sizeof *ids, compare_ids);
  }
  free(ids);
}

void hone__instances_release(struct hone__instances *instances)
{
  for (size_t i = 0; i < instances->count; i++)
    release_instance(&instances->instances[i]);
  free(instances->instances);
  json_decref(instances->places);
  *instances = (struct hone__instances){0};
}
