/* A run of the store as results. Evaluations are kept until all are seen: they are put into mesh
 * order, and the columns of all must be known before the first row is made. */
#include "base/text.h"

#include "base/sorting.h"
#include "base/words.h"
#include "results/results.h"
#include "results/instance.h"
#include "results/pareto_set.h"

#include <math.h>
#include <stdlib.h>

/* ---- Builds and failures ---- */

static bool is_of_build(enum hone_outcome outcome)
{
  return outcome == HONE_OUTCOME_COMPILE_ERROR || outcome == HONE_OUTCOME_COMPILE_TIMEOUT ||
         outcome == HONE_OUTCOME_COMPILE_CRASH || outcome == HONE_OUTCOME_COMPILE_OOM;
}

static enum hone_failure_type failure_type(enum hone_outcome outcome)
{
  if (is_of_build(outcome)) return HONE_FAILURE_BUILD;
  return outcome == HONE_OUTCOME_HANG ? HONE_FAILURE_TIMEOUT : HONE_FAILURE_EXECUTION;
}

static void add_failure(struct hone__results_full *full, const struct hone__instance *instance)
{
  struct hone_result_failure *failure = hone__results_add_failure(full);
  const char *build_output = hone__instance_text(instance->output, "build_output");
  bool of_build = is_of_build(instance->outcome);

  failure->mesh_idx = instance->mesh_idx;
  failure->spec = instance->spec;
  failure->params = (struct hone_params){instance->params, instance->param_count};
  failure->type = failure_type(instance->outcome);
  failure->outcome = instance->outcome;
  failure->place = instance->place;
  failure->evidence = instance->evidence;
  failure->stdout_text =
      hone__instance_keep(&full->arena, hone__instance_text(instance->output, "stdout"));
  failure->stderr_text =
      hone__instance_keep(&full->arena, hone__instance_text(instance->output, "stderr"));
  if (of_build)
    failure->stderr_text =
        *build_output ? hone__instance_keep(&full->arena, build_output) : instance->evidence;
}

static void count_valid(struct hone_results *results, enum hone_outcome outcome)
{
  results->valid++;
  results->slow += outcome == HONE_OUTCOME_SLOW;
}

static void add_builds(struct hone__instances *collection)
{
  struct hone_results *results = &collection->full->results;

  for (size_t i = 0; i < collection->count; i++) {
    const struct hone__instance *instance = &collection->instances[i];
    struct hone_result_build *build = hone__results_add_build(collection->full);
    *build = (struct hone_result_build){
        .mesh_idx = instance->mesh_idx, .spec = instance->spec, .seconds = instance->build_s};
    results->build_s += instance->build_s;
    results->run_s += instance->run_s;
    if (hone__outcome_works(instance->outcome))
      count_valid(results, instance->outcome);
    else
      add_failure(collection->full, instance);
  }
}

/* ---- The run ---- */

/* What the run's options say of the program. */
static void read_options(struct hone__arena *arena, const struct hone__store_run_stored *run,
                         struct hone_results *results)
{
  json_t *options = run->record.options ? json_loads(run->record.options, 0, NULL) : NULL;

  results->file = hone__instance_keep(arena, hone__instance_text(options, "file"));
  results->settings = hone__instance_keep(arena, hone__instance_text(options, "settings"));
  json_decref(options);
}

/* "time", "maximise GB/s"; of a list "time, energy". */
static void read_objective(struct hone__arena *arena, const struct hone__store_run_stored *run,
                           struct hone_results *results)
{
  json_t *options = run->record.options ? json_loads(run->record.options, 0, NULL) : NULL;
  json_t *objective;
  struct hone__text text = {0};
  size_t index;

  json_array_foreach(json_object_get(options, "objectives"), index, objective)
  {
    hone__text_addf(&text, "%s%s%s", index ? ", " : "",
                    json_is_true(json_object_get(objective, "maximise")) ? "maximise " : "",
                    hone__instance_text(objective, "name"));
  }
  results->objective = hone__instance_keep(arena, text.data);
  hone__text_release(&text);
  json_decref(options);
}

static void read_machine(struct hone__arena *arena, const struct hone__store_run_stored *run,
                         struct hone_results *results)
{
  json_t *machine = run->record.environment ? json_loads(run->record.environment, 0, NULL) : NULL;
  const char *cpu = hone__instance_text(machine, "cpu");
  json_int_t count = json_integer_value(json_object_get(machine, "cpus"));

  if (*cpu)
    results->machine =
        hone__arena_printf(arena, "%s, %lld CPU%s", cpu, (long long)count, count == 1 ? "" : "s");
  json_decref(machine);
}

static const char *stem_of(struct hone__arena *arena, const char *path)
{
  const char *slash = strrchr(path, '/');
  const char *base = slash ? slash + 1 : path;
  const char *dot = strrchr(base, '.');

  return hone__arena_strndup(arena, base, dot && dot != base ? (size_t)(dot - base) : strlen(base));
}

static void fill_head(struct hone__instances *collection, const struct hone__store_run_stored *run)
{
  struct hone_results *results = &collection->full->results;
  struct hone__arena *arena = &collection->full->arena;
  const char *spec = run->record.spec ? run->record.spec : "";

  results->run = run->record.id;
  results->origin = hone__arena_printf(arena, "run %lld", (long long)run->record.id);
  results->name = hone__instance_keep(arena, run->record.name);
  results->problem = hone__instance_keep(arena, run->record.problem);
  results->state = run->result.state;
  read_options(arena, run, results);
  read_objective(arena, run, results);
  read_machine(arena, run, results);
  results->wall_s = run->result.wall_s > 0 ? run->result.wall_s : 0;
  collection->stem = stem_of(arena, *results->file ? results->file : spec);
}

/* Builds run side by side, and so do devices: no step takes longer than all did. */
static void fit_steps(struct hone_results *results, bool is_sweep)
{
  double builds = fmin(results->build_s, results->wall_s);

  results->run_s = is_sweep ? fmin(results->run_s, results->wall_s) : results->wall_s - builds;
  results->build_s = fmin(builds, results->wall_s - results->run_s);
}

/* A sweep is meant to run the whole space; what it has not reached counts too. */
static void fill_totals(struct hone__instances *collection,
                        const struct hone__store_run_stored *run)
{
  struct hone_results *results = &collection->full->results;
  const char *space = collection->is_sweep && run->record.space ? run->record.space : "";
  uint64_t size = strtoull(space, NULL, 10);

  results->total = size > collection->count ? size : collection->count;
  fit_steps(results, collection->is_sweep);
}

/* ---- What it was tuned for ---- */

/* A metric may be called energy: it goes before the joules of a call. */
static size_t find_metric(const struct hone_results *results, const char *name)
{
  for (size_t i = 0; i < results->column_count; i++)
    if (strcmp(results->columns[i], name) == 0) return i;
  return strcmp(name, "energy") == 0 ? find_metric(results, "energy_j") : SIZE_MAX;
}

/* The number of the column; SIZE_MAX: there is none. */
static size_t set_direction(const struct hone_results *results, const json_t *aim, const char *key)
{
  const char *name = json_string_value(json_object_get(aim, key));
  size_t column = name ? find_metric(results, name) : SIZE_MAX;

  /* the array is the arena's: const is for callers */
  if (column != SIZE_MAX)
    ((bool *)results->maximise)[column] = json_is_true(json_object_get(aim, "maximise"));
  return column;
}

static void read_aims(struct hone_results *results, const struct hone__store_run_stored *run)
{
  json_t *options = run->record.options ? json_loads(run->record.options, 0, NULL) : NULL;
  json_t *objective;
  size_t index, column = set_direction(results, json_object_get(options, "aim"), "metric");

  if (column != SIZE_MAX) results->aim_column = column;
  json_array_foreach(json_object_get(options, "objectives"), index, objective)
  {
    set_direction(results, objective, "name");
  }
  json_decref(options);
}

/* ---- The whole ---- */

struct collection {
  struct hone__instances instances;
  struct hone__results_pareto_making pareto;
  struct hone__words devices; /* each once */
};

static void add_device(struct hone__words *devices, const char *device)
{
  if (!device || !*device) return;
  for (size_t i = 0; i < devices->count; i++)
    if (strcmp(devices->data[i], device) == 0) return;
  hone__words_add(devices, device);
}

static void publish_devices(struct hone__results_full *full, struct hone__words *devices)
{
  struct hone__text text = {0};

  /* In their order, whichever was used first. */
  if (devices->count) qsort(devices->data, devices->count, sizeof *devices->data, hone__by_text);
  for (size_t i = 0; i < devices->count; i++)
    hone__text_addf(&text, "%s%s", i ? ", " : "", devices->data[i]);
  full->results.devices = hone__instance_keep(&full->arena, text.data);
  hone__text_release(&text);
  hone__words_release(devices);
}

static bool collect(void *data, const struct hone__stored *stored)
{
  struct collection *collection = data;

  add_device(&collection->devices, stored->evaluation.device);
  return hone__results_pareto_collect(&collection->pareto, stored) &&
         hone__instance_collect(&collection->instances, stored);
}

static void publish(struct collection *collection)
{
  const struct hone_pareto *pareto = hone__results_pareto_end(&collection->pareto);

  collection->instances.full->results.has_pareto = pareto != NULL;
  if (pareto) hone__instances_mark(&collection->instances, pareto);
  hone__instances_sort(&collection->instances);
  hone__instances_settle(&collection->instances);
  hone__instances_add_rows(&collection->instances);
  add_builds(&collection->instances);
}

static hone_status load(struct hone_store *store, const struct hone__store_run_stored *run,
                        struct hone__results_full *full)
{
  struct collection collection = {.instances = {.full = full, .run = run, .places = json_object()}};
  hone_status status;

  fill_head(&collection.instances, run);
  hone__results_pareto_begin(&collection.pareto, &full->arena, run);
  status = hone__store_each(store, run->record.id, collect, &collection);
  if (status)
    hone__results_pareto_end(&collection.pareto);
  else
    publish(&collection);
  publish_devices(full, &collection.devices);
  fill_totals(&collection.instances, run);
  hone__results_complete(full);
  read_aims(&full->results, run);
  hone__instances_release(&collection.instances);
  return status;
}

hone_status hone_results_load(struct hone_store *store, int64_t run,
                              struct hone_results **out_results)
{
  struct hone__results_full *full = hone__results_new("");
  struct hone__arena arena = {0};
  struct hone__store_run_stored stored;
  hone_status status;

  *out_results = NULL;
  status = hone__store_run(store, run, &arena, &stored);
  if (!status) status = load(store, &stored, full);
  hone__arena_release(&arena);
  if (status) {
    hone_results_free(&full->results);
    return status;
  }
  *out_results = &full->results;
  return NULL;
}
