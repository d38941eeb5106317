/* A run as T4, the results of the FAIR format. The store is read twice: the evaluations that count,
 * and all parameters, must be known before the first result is written. */
#include "export/t4_result.h"

#include "base/accessor.h"
#include "hone_replay.h"
#include "results/results.h"
#include "replay/t4.h"
#include "spec/spec_text.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>

static const char schema_version[] = "1.0.0";
enum { DEPTH_OF_RESULTS = 2 }; /* each on a separate line */

struct hone_t4 {
  char *text, *space;
  uint64_t count, working, left_out;
};

struct exporting {
  struct hone_store *store;
  const struct hone__store_run_stored *run;
  struct hone_t4 *t4;
  struct hone__json_writer writer;
  struct hone__words names, objectives;
  json_t *chosen; /* {config: id of its evaluation}, without a mesh */
  hone_status status;
};

/* ---- Which evaluations ---- */

/* A baseline is measured on every device and may be a candidate too: that one counts. In a mesh
 * every place counts. */
static bool is_chosen(const struct exporting *e, const struct hone__evaluation *evaluation)
{
  const json_t *id = json_object_get(e->chosen, evaluation->config);

  return evaluation->mesh_idx >= 0 || json_integer_value(id) == evaluation->id;
}

static void choose(struct exporting *e, const struct hone__evaluation *evaluation)
{
  bool is_known = json_object_get(e->chosen, evaluation->config) != NULL;

  if (evaluation->mesh_idx >= 0 || (evaluation->is_baseline && is_known)) return;
  json_object_set_new(e->chosen, evaluation->config, json_integer(evaluation->id));
}

/* Whether it says something about its configuration. */
static bool is_result(const struct hone__evaluation *evaluation)
{
  if (hone__outcome_works(evaluation->outcome)) return isfinite(evaluation->time_ns);
  return hone__t4_validity(evaluation->outcome) != NULL;
}

/* ---- Parameters ---- */

static void add_name(struct hone__words *names, size_t place, const char *name)
{
  if (place < names->count && strcmp(names->data[place], name) == 0) return;
  for (size_t i = 0; i < names->count; i++)
    if (strcmp(names->data[i], name) == 0) return;
  hone__words_add(names, name);
}

static void add_names(struct hone__words *names, const char *config)
{
  struct hone__arena arena = {0};
  size_t count;
  const struct hone__spec_param *params = hone__config_params(&arena, config, &count);

  for (size_t i = 0; i < count; i++)
    add_name(names, i, params[i].name);
  hone__arena_release(&arena);
}

static bool look(void *data, const struct hone__stored *stored)
{
  struct exporting *e = data;
  const struct hone__evaluation *evaluation = &stored->evaluation;

  if (evaluation->outcome == HONE_OUTCOME_INTERRUPTED || !evaluation->config) return true;
  choose(e, evaluation);
  add_names(&e->names, evaluation->config);
  return true;
}

/* ---- Objectives ---- */

/* Time is the first, where it is one of them: it is what readers take. */
static void find_objectives(struct exporting *e)
{
  const char *text = e->run->record.options;
  json_t *options = text ? json_loads(text, 0, NULL) : NULL, *item;
  json_t *list = json_object_get(options, "objectives");
  size_t index;

  for (int is_time = 1; is_time >= 0; is_time--)
    json_array_foreach(list, index, item)
    {
      const char *name = json_string_value(json_object_get(item, "name"));
      if (name && (strcmp(name, "time") == 0) == is_time) hone__words_add(&e->objectives, name);
    }
  if (!e->objectives.count) hone__words_add(&e->objectives, "time");
  json_decref(options);
}

/* ---- The file ---- */

static void add_given(struct hone__json_writer *writer, const char *key, const char *text)
{
  if (text && *text) hone__json_text(writer, key, text);
}

static void add_head(struct exporting *e)
{
  const struct hone__store_run_record *record = &e->run->record;
  struct hone__json_writer *writer = &e->writer;

  hone__json_text(writer, "schema_version", schema_version);
  hone__json_open(writer, "metadata", '{');
  hone__json_text(writer, "timeunit", "milliseconds");
  hone__json_text(writer, "tuner", "hone");
  hone__json_text(writer, "tuner_version", hone_version());
  hone__json_integer(writer, "run", (uint64_t)record->id);
  add_given(writer, "name", record->name);
  add_given(writer, "problem", record->problem);
  add_given(writer, "strategy", record->strategy);
  if (*e->t4->space) hone__json_word(writer, "configurations", e->t4->space);
  hone__json_close(writer, '}');
}

static bool write_one(void *data, const struct hone__stored *stored)
{
  struct exporting *e = data;
  const struct hone__evaluation *evaluation = &stored->evaluation;
  struct hone__export_t4_head head = {.names = &e->names, .objectives = &e->objectives};

  if (evaluation->outcome == HONE_OUTCOME_INTERRUPTED || !evaluation->config) return true;
  if (!is_chosen(e, evaluation)) return true;
  if (!is_result(evaluation)) {
    e->t4->left_out++;
    return true;
  }
  e->t4->count++;
  e->t4->working += hone__outcome_works(evaluation->outcome);
  e->status = hone__export_t4_result(e->store, &head, stored, &e->writer);
  return !e->status;
}

static hone_status write_file(struct exporting *e)
{
  hone_status status;

  hone__json_open(&e->writer, NULL, '{');
  add_head(e);
  hone__json_open(&e->writer, "results", '[');
  status = hone__store_each(e->store, e->run->record.id, write_one, e);
  if (!status) status = e->status;
  hone__json_close(&e->writer, ']');
  hone__json_close(&e->writer, '}');
  hone__text_add(&e->writer.text, "\n");
  if (status || e->t4->count) return status;
  return hone__error(HONE_NOT_FOUND, "run %" PRId64 " has no measurements (%s): nothing to export",
                     e->run->record.id, hone_run_state_name(e->run->result.state));
}

static hone_status export_run(struct hone_store *store, const struct hone__store_run_stored *run,
                              struct hone_t4 *t4)
{
  struct exporting e = {.store = store,
                        .run = run,
                        .t4 = t4,
                        .writer = {.flat = DEPTH_OF_RESULTS},
                        .chosen = json_object()};
  hone_status status = hone__store_each(store, run->record.id, look, &e);

  t4->space = hone__strdup(run->record.space ? run->record.space : "");
  find_objectives(&e);
  if (!status) status = write_file(&e);
  t4->text = hone__text_take(&e.writer.text);
  hone__words_release(&e.names);
  hone__words_release(&e.objectives);
  json_decref(e.chosen);
  return status;
}

hone_status hone_t4_export(struct hone_store *store, int64_t run, struct hone_t4 **out_t4)
{
  struct hone__arena arena = {0};
  struct hone_t4 *t4 = hone__alloc(sizeof *t4);
  struct hone__store_run_stored stored;
  hone_status status = hone__store_run(store, run, &arena, &stored);

  *out_t4 = NULL;
  if (!status) status = export_run(store, &stored, t4);
  hone__arena_release(&arena);
  if (status)
    hone_t4_free(t4);
  else
    *out_t4 = t4;
  return status;
}

void hone_t4_free(struct hone_t4 *t4)
{
  if (!t4) return;
  free(t4->text);
  free(t4->space);
  free(t4);
}

#define T4(type, property, field) HONE__GET(type, hone_t4, property, field)
T4(const char *, text, text)
T4(uint64_t, config_count, count)
T4(uint64_t, working_count, working)
T4(uint64_t, left_out_count, left_out)
T4(const char *, space, space)
