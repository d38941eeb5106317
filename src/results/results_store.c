/* A run of the store as results. Evaluations are kept until all are seen: they are put into mesh
 * order, and the columns of all must be known before the first row is made. Where no program
 * reported a table, one is made of what was measured. */
#include "results/results.h"

#include "base/text.h"
#include "results/spec_text.h"
#include "store/store_internal.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>

struct instance {
  uint64_t mesh_idx;
  enum hone_outcome outcome;
  const char *spec, *evidence;
  const struct hone_result_param *params;
  size_t param_count;
  double build_s, time_ns;
  int64_t samples;
  json_t *output, *metrics; /* or NULL */
};

struct collection {
  struct hone_results_full *full;
  const char *stem; /* of specs that no program named */
  json_t *places;   /* {config: number of its instance}, without a mesh */
  struct instance *instances;
  size_t count, capacity;
  bool is_sweep;
};

static const char *keep(struct hone_arena *arena, const char *text)
{
  return text ? hone__arena_strdup(arena, text) : "";
}

static const char *text_of(const json_t *object, const char *key)
{
  const char *text = json_string_value(json_object_get(object, key));

  return text ? text : "";
}

/* ---- Collecting ---- */

static void read_params(struct hone_arena *arena, const json_t *list, struct instance *instance)
{
  struct hone_result_param *params =
      hone__arena_alloc(arena, (json_array_size(list) + 1) * sizeof *params);
  size_t index;
  json_t *pair;

  json_array_foreach(list, index, pair)
  {
    const char *name = json_string_value(json_array_get(pair, 0));
    const char *value = json_string_value(json_array_get(pair, 1));
    if (name && value)
      params[instance->param_count++] =
          hone__result_param(arena, name, strlen(name), value, strlen(value));
  }
  instance->params = params;
}

/* "stem/BM=64", of a configuration. */
static const char *make_spec(struct collection *collection, const struct instance *instance)
{
  struct hone_text text = {0};
  const char *spec;

  hone__text_add(&text, collection->stem);
  for (size_t i = 0; i < instance->param_count; i++)
    hone__text_addf(&text, "/%s%s=%s", instance->params[i].is_runtime ? "$" : "",
                    instance->params[i].name, instance->params[i].value);
  spec = keep(&collection->full->arena, text.data);
  hone__text_release(&text);
  return spec;
}

static void name_instance(struct collection *collection, const char *config,
                          struct instance *instance)
{
  struct hone_arena *arena = &collection->full->arena;
  const json_t *params = json_object_get(instance->output, "params");

  if (json_is_array(params))
    read_params(arena, params, instance);
  else
    instance->params = hone__config_params(arena, config, &instance->param_count);
  instance->spec = *text_of(instance->output, "spec")
                       ? keep(arena, text_of(instance->output, "spec"))
                       : make_spec(collection, instance);
}

/* What a program that worked wrote elsewhere may be large, and nobody asks for it. */
static void drop_outputs(json_t *output)
{
  json_object_del(output, "stdout");
  json_object_del(output, "stderr");
  json_object_del(output, "build_output");
}

static struct instance read_instance(struct collection *collection,
                                     const struct hone_stored *stored)
{
  const struct hone_evaluation *evaluation = &stored->evaluation;
  bool is_built = !evaluation->cached && !evaluation->reused_from && evaluation->compile_s > 0;
  struct instance instance = {
      .mesh_idx = (uint64_t)evaluation->mesh_idx,
      .outcome = evaluation->outcome,
      .evidence = keep(&collection->full->arena, evaluation->evidence),
      .build_s = is_built ? evaluation->compile_s : 0,
      .time_ns = stored->confirmed && stored->time_ns > 0 ? stored->time_ns : evaluation->time_ns,
      .samples = stored->times,
      .output = evaluation->output ? json_loads(evaluation->output, 0, NULL) : NULL,
      .metrics = evaluation->metrics ? json_loads(evaluation->metrics, 0, NULL) : NULL,
  };

  if (hone__outcome_works(instance.outcome)) drop_outputs(instance.output);
  name_instance(collection, evaluation->config, &instance);
  return instance;
}

static void release_instance(struct instance *instance)
{
  json_decref(instance->output);
  json_decref(instance->metrics);
}

/* A run of hone_tune has no mesh: configurations count in the order in which they were tried. The
 * baseline is measured on every device and may be a candidate too; it is one instance. */
static void place_instance(struct collection *collection, const struct hone_evaluation *evaluation,
                           const struct instance *instance)
{
  json_t *place = json_object_get(collection->places, evaluation->config);
  size_t index = place ? (size_t)json_integer_value(place) : collection->count;

  if (place) {
    struct instance *old = &collection->instances[index];
    release_instance(old);
    *old = *instance;
  } else {
    json_object_set_new(collection->places, evaluation->config, json_integer((json_int_t)index));
    HONE__GROW(collection->instances, collection->count, collection->capacity);
    collection->instances[collection->count++] = *instance;
  }
  collection->instances[index].mesh_idx = index;
}

static bool is_known(const struct collection *collection, const struct hone_evaluation *evaluation)
{
  return evaluation->is_baseline && json_object_get(collection->places, evaluation->config);
}

static bool collect(void *data, const struct hone_stored *stored)
{
  struct collection *collection = data;
  const struct hone_evaluation *evaluation = &stored->evaluation;
  struct instance instance;

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
  const struct instance *x = a, *y = b;

  return x->mesh_idx < y->mesh_idx ? -1 : x->mesh_idx > y->mesh_idx;
}

/* ---- Rows ---- */

static bool has_table(const struct instance *instance)
{
  return json_array_size(json_object_get(instance->output, "rows")) > 0;
}

static bool has_row(const struct instance *instance)
{
  return hone__outcome_works(instance->outcome) &&
         (has_table(instance) || isfinite(instance->time_ns));
}

/* The columns of the program's table; free(). */
static size_t *table_columns(struct hone_results_full *full, const struct instance *instance)
{
  const json_t *columns = json_object_get(instance->output, "columns");
  const char **names = hone__alloc((json_array_size(columns) + 1) * sizeof *names);
  size_t *places, index;
  json_t *column;

  json_array_foreach(columns, index, column)
  {
    names[index] = json_is_string(column) ? json_string_value(column) : "";
  }
  places = hone__results_columns(full, names, json_array_size(columns));
  free(names);
  return places;
}

static void add_columns(struct hone_results_full *full, const struct instance *instance)
{
  static const char *const made[] = {"name", "met (ms)", "iters"};
  const char *name;
  json_t *value;

  if (has_table(instance)) {
    free(table_columns(full, instance));
    return;
  }
  for (size_t i = 0; i < sizeof made / sizeof *made; i++)
    hone__results_column(full, made[i], i);
  json_object_foreach(instance->metrics, name, value)
  {
    hone__results_column(full, name, 0);
  }
}

static struct hone_result_cell read_cell(struct hone_arena *arena, const json_t *value)
{
  if (json_is_integer(value)) return hone__cell_integer(arena, json_integer_value(value));
  if (json_is_real(value)) return hone__cell_real(arena, json_real_value(value));
  if (json_is_string(value)) return hone__cell_text(arena, json_string_value(value));
  return hone__cell_none();
}

static struct hone_result_row *add_row(struct hone_results_full *full,
                                       const struct instance *instance,
                                       struct hone_result_cell **out_cells)
{
  struct hone_result_row *row = hone__results_add_row(full, out_cells);

  row->mesh_idx = instance->mesh_idx;
  row->spec = instance->spec;
  row->params = instance->params;
  row->param_count = instance->param_count;
  return row;
}

static void add_made_row(struct hone_results_full *full, const struct instance *instance)
{
  struct hone_result_cell *cells;
  const char *name;
  json_t *value;

  add_row(full, instance, &cells);
  cells[hone__results_column(full, "name", 0)] = hone__cell_text(&full->arena, instance->spec);
  cells[hone__results_column(full, "met (ms)", 1)] =
      hone__cell_real(&full->arena, instance->time_ns / 1e6);
  cells[hone__results_column(full, "iters", 2)] =
      hone__cell_integer(&full->arena, instance->samples);
  json_object_foreach(instance->metrics, name, value)
  {
    cells[hone__results_column(full, name, 0)] = read_cell(&full->arena, value);
  }
}

/* Of several rows each has what its name says behind "/input_id:" in its spec. */
static const char *row_spec(struct hone_arena *arena, const struct instance *instance,
                            const char *name)
{
  static const char mark[] = "/input_id:";
  const char *id = name;

  for (const char *at = strstr(name, mark); at; at = strstr(id, mark))
    id = at + strlen(mark);
  return hone__arena_printf(arena, "%s/input_id=%s", instance->spec, id);
}

static void add_table(struct hone_results_full *full, const struct instance *instance)
{
  const json_t *rows = json_object_get(instance->output, "rows");
  size_t count = json_array_size(json_object_get(instance->output, "columns"));
  size_t *places = table_columns(full, instance), index;
  json_t *values;

  json_array_foreach(rows, index, values)
  {
    struct hone_result_cell *cells;
    struct hone_result_row *row = add_row(full, instance, &cells);
    for (size_t i = 0; i < count; i++)
      cells[places[i]] = read_cell(&full->arena, json_array_get(values, i));
    if (json_array_size(rows) > 1)
      row->spec =
          row_spec(&full->arena, instance, cells[hone__results_column(full, "name", 0)].text);
  }
  free(places);
}

static void add_rows(struct collection *collection)
{
  struct hone_results_full *full = collection->full;

  for (size_t i = 0; i < collection->count; i++) {
    if (!has_row(&collection->instances[i])) continue;
    add_columns(full, &collection->instances[i]);
    if (!full->results.lead_count) full->results.lead_count = full->results.column_count;
  }
  if (full->results.column_count) hone__results_column(full, "name", 0);
  for (size_t i = 0; i < collection->count; i++) {
    if (!has_row(&collection->instances[i])) continue;
    if (has_table(&collection->instances[i]))
      add_table(full, &collection->instances[i]);
    else
      add_made_row(full, &collection->instances[i]);
  }
}

/* ---- Builds and failures ---- */

static bool is_of_build(enum hone_outcome outcome)
{
  return outcome == HONE_OUTCOME_COMPILE_ERROR || outcome == HONE_OUTCOME_COMPILE_TIMEOUT ||
         outcome == HONE_OUTCOME_COMPILE_CRASH || outcome == HONE_OUTCOME_COMPILE_OOM;
}

static const char *failure_type(enum hone_outcome outcome)
{
  if (is_of_build(outcome)) return "build";
  return outcome == HONE_OUTCOME_HANG ? "timeout" : "execution";
}

static void add_failure(struct hone_results_full *full, const struct instance *instance)
{
  struct hone_result_failure *failure = hone__results_add_failure(full);
  const char *build_output = text_of(instance->output, "build_output");
  bool of_build = is_of_build(instance->outcome);

  failure->mesh_idx = instance->mesh_idx;
  failure->spec = instance->spec;
  failure->params = instance->params;
  failure->param_count = instance->param_count;
  failure->type = failure_type(instance->outcome);
  failure->outcome = hone__outcome_name(instance->outcome);
  failure->evidence = instance->evidence;
  failure->stdout_text = keep(&full->arena, text_of(instance->output, "stdout"));
  failure->stderr_text = keep(&full->arena, text_of(instance->output, "stderr"));
  if (of_build)
    failure->stderr_text = *build_output ? keep(&full->arena, build_output) : instance->evidence;
}

static void add_builds(struct collection *collection)
{
  struct hone_results *results = &collection->full->results;

  for (size_t i = 0; i < collection->count; i++) {
    const struct instance *instance = &collection->instances[i];
    struct hone_result_build *build = hone__results_add_build(collection->full);
    *build = (struct hone_result_build){
        .mesh_idx = instance->mesh_idx, .spec = instance->spec, .seconds = instance->build_s};
    results->build_s += instance->build_s;
    if (hone__outcome_works(instance->outcome))
      results->valid++;
    else
      add_failure(collection->full, instance);
  }
}

/* ---- The run ---- */

/* The program's file, of the run's options. */
static const char *find_file(struct hone_arena *arena, const struct hone_run_stored *run)
{
  json_t *options = run->record.options ? json_loads(run->record.options, 0, NULL) : NULL;
  const char *file = keep(arena, text_of(options, "file"));

  json_decref(options);
  return file;
}

static const char *stem_of(struct hone_arena *arena, const char *path)
{
  const char *slash = strrchr(path, '/');
  const char *base = slash ? slash + 1 : path;
  const char *dot = strrchr(base, '.');

  return hone__arena_strndup(arena, base, dot && dot != base ? (size_t)(dot - base) : strlen(base));
}

static void fill_head(struct collection *collection, const struct hone_run_stored *run)
{
  struct hone_results *results = &collection->full->results;
  struct hone_arena *arena = &collection->full->arena;
  const char *spec = run->record.spec ? run->record.spec : "";

  results->run = run->record.id;
  results->origin = hone__arena_printf(arena, "run %lld", (long long)run->record.id);
  results->name = keep(arena, run->record.name);
  results->problem = keep(arena, run->record.problem);
  results->state = keep(arena, run->state);
  results->file = find_file(arena, run);
  results->wall_s = run->result.wall_s > 0 ? run->result.wall_s : 0;
  collection->stem = stem_of(arena, *results->file ? results->file : spec);
}

/* A sweep is meant to run the whole space; what it has not reached counts too. */
static void fill_totals(struct collection *collection, const struct hone_run_stored *run)
{
  struct hone_results *results = &collection->full->results;
  const char *space = collection->is_sweep && run->record.space ? run->record.space : "";
  uint64_t size = strtoull(space, NULL, 10);

  results->total = size > collection->count ? size : collection->count;
  results->run_s = results->wall_s > results->build_s ? results->wall_s - results->build_s : 0;
}

static hone_status load(struct hone_store *store, const struct hone_run_stored *run,
                        struct hone_results_full *full)
{
  struct collection collection = {.full = full, .places = json_object()};
  hone_status status;

  fill_head(&collection, run);
  status = hone__store_each(store, run->record.id, collect, &collection);
  if (!status && collection.count) {
    qsort(collection.instances, collection.count, sizeof *collection.instances, compare_instances);
    add_rows(&collection);
    add_builds(&collection);
  }
  fill_totals(&collection, run);
  hone__results_complete(full);
  for (size_t i = 0; i < collection.count; i++)
    release_instance(&collection.instances[i]);
  free(collection.instances);
  json_decref(collection.places);
  return status;
}

hone_status hone_results_load(struct hone_store *store, int64_t run,
                              struct hone_results **out_results)
{
  struct hone_results_full *full = hone__results_new("");
  struct hone_arena arena = {0};
  struct hone_run_stored stored;
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
