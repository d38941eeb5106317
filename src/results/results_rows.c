/* Rows and columns of instances. The columns of all must be known before the first row is made. */
#include "results/instance.h"

#include "results/results.h"

#include <math.h>
#include <stdlib.h>

static bool has_table(const struct hone__instance *instance)
{
  return json_array_size(json_object_get(instance->output, "rows")) > 0;
}

static bool has_row(const struct hone__instance *instance)
{
  return hone__outcome_works(instance->outcome) &&
         (has_table(instance) || isfinite(instance->measured.time_ns));
}

/* A program may give its columns our names, or none: they are renamed as pandas does it, so that
 * the file can be read again. */
static const char *column_name(struct hone__arena *arena, const json_t *column, size_t index)
{
  static const char *const ours[] = {"mesh_idx", "spec", "kbench_filter"};
  const char *name = json_is_string(column) ? json_string_value(column) : "";

  if (!*name) return hone__arena_printf(arena, "Unnamed: %zu", index);
  for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
    if (strcmp(name, ours[i]) == 0) return hone__arena_printf(arena, "%s.1", name);
  return name;
}

/* The columns of the program's table; free(). */
static size_t *table_columns(struct hone__results_full *full, const struct hone__instance *instance)
{
  const json_t *columns = json_object_get(instance->output, "columns");
  const char **names = hone__alloc((json_array_size(columns) + 1) * sizeof *names);
  size_t *places, index;
  json_t *column;

  json_array_foreach(columns, index, column)
  {
    names[index] = column_name(&full->arena, column, index);
  }
  places = hone__results_columns(full, names, json_array_size(columns));
  free(names);
  return places;
}

static void add_columns(struct hone__results_full *full, const struct hone__instance *instance)
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

static struct hone__results_cell read_cell(struct hone__arena *arena, const json_t *value)
{
  if (json_is_integer(value)) return hone__cell_integer(arena, json_integer_value(value));
  if (json_is_real(value)) return hone__cell_real(arena, json_real_value(value));
  if (json_is_string(value)) return hone__cell_text(arena, json_string_value(value));
  return hone__cell_none();
}

static struct hone_result_row *add_row(struct hone__results_full *full,
                                       const struct hone__instance *instance,
                                       struct hone__results_cell **out_cells)
{
  struct hone_result_row *row = hone__results_add_row(full, out_cells);

  row->mesh_idx = instance->mesh_idx;
  row->spec = instance->spec;
  row->params = (struct hone_params){instance->params, instance->param_count};
  row->config = instance->config;
  row->evaluation = instance->evaluation;
  row->place = instance->place;
  row->measured = instance->measured;
  row->is_tied = instance->is_tied;
  row->is_pareto = instance->is_pareto;
  row->suspicious = instance->suspicious;
  return row;
}

static void add_made_row(struct hone__results_full *full, const struct hone__instance *instance)
{
  struct hone__results_cell *cells;
  const char *name;
  json_t *value;

  add_row(full, instance, &cells);
  cells[hone__results_column(full, "name", 0)] = hone__cell_text(&full->arena, instance->spec);
  cells[hone__results_column(full, "met (ms)", 1)] =
      hone__cell_real(&full->arena, instance->measured.time_ns / 1e6);
  cells[hone__results_column(full, "iters", 2)] =
      hone__cell_integer(&full->arena, (int64_t)instance->measured.samples);
  json_object_foreach(instance->metrics, name, value)
  {
    cells[hone__results_column(full, name, 0)] = read_cell(&full->arena, value);
  }
}

/* A file of its own may be that of one of several processes, whose rows are of one spec. */
static bool is_alone(const json_t *output, size_t row)
{
  json_t *rows;
  size_t index, begin = 0;

  json_array_foreach(json_object_get(output, "files"), index, rows)
  {
    size_t count = (size_t)json_integer_value(rows);
    if (row - begin < count) return count == 1;
    begin += count;
  }
  return json_array_size(json_object_get(output, "rows")) == 1;
}

/* Of several rows each has what its name says after "/input_id:" in its spec. */
static const char *row_spec(struct hone__arena *arena, const struct hone__instance *instance,
                            const char *name)
{
  static const char mark[] = "/input_id:";
  const char *id = name;

  for (const char *at = strstr(name, mark); at; at = strstr(id, mark))
    id = at + strlen(mark);
  return hone__arena_printf(arena, "%s/input_id=%s", instance->spec, id);
}

static void add_table(struct hone__results_full *full, const struct hone__instance *instance)
{
  const json_t *rows = json_object_get(instance->output, "rows");
  size_t count = json_array_size(json_object_get(instance->output, "columns"));
  size_t *places = table_columns(full, instance), index;
  json_t *values;

  json_array_foreach(rows, index, values)
  {
    struct hone__results_cell *cells;
    struct hone_result_row *row = add_row(full, instance, &cells);
    for (size_t i = 0; i < count; i++)
      cells[places[i]] = read_cell(&full->arena, json_array_get(values, i));
    if (!is_alone(instance->output, index))
      row->spec =
          row_spec(&full->arena, instance, cells[hone__results_column(full, "name", 0)].text);
  }
  free(places);
}

void hone__instances_add_rows(struct hone__instances *collection)
{
  struct hone__results_full *full = collection->full;

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
