#include "export/evaluation_list.h"

#include "base/text.h"
#include "spec/spec_text.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>

static const char *keep(struct hone__arena *arena, const char *text)
{
  return text ? hone__arena_strdup(arena, text) : NULL;
}

static void add_name(struct hone__words *names, const char *name)
{
  for (size_t i = 0; i < names->count; i++)
    if (strcmp(names->data[i], name) == 0) return;
  hone__words_add(names, name);
}

static void add_metrics(struct hone__words *names, const char *text)
{
  json_t *metrics = text ? json_loads(text, 0, NULL) : NULL, *value;
  const char *name;

  json_object_foreach(metrics, name, value)
  {
    if (json_is_number(value)) add_name(names, name);
  }
  json_decref(metrics);
}

/* Figures are those of every other table: results/measured.h. */
static void fill_times(const struct hone__store_run_stored *run,
                       struct hone__listed_evaluation *item)
{
  bool works = hone__outcome_works(item->stored.evaluation.outcome);

  item->measured = hone__measured_read(&item->stored, run);
  if (works) return;
  item->measured.time_ns = item->measured.speedup = NAN;
  item->measured.low = item->measured.high = NAN;
}

/* The baseline's time is that of the pairs of the best that is confirmed; others may be tied. */
static void settle(struct hone__export_evaluation_list *list)
{
  const struct hone__measured *best = NULL;

  for (size_t i = 0; i < list->count; i++) {
    const struct hone__measured *own = &list->items[i].measured;
    if (own->basis != HONE_BASIS_CONFIRMED || own->is_baseline) continue;
    if (!best || hone__measured_compare(own, best) < 0) best = own;
  }
  for (size_t i = 0; best && i < list->count; i++) {
    struct hone__listed_evaluation *item = &list->items[i];
    item->is_tied = best->is_best && hone__measured_is_tied(best, &item->measured);
    if (item->measured.is_baseline) hone__measured_settle(&item->measured, best);
  }
}

static void copy(struct hone__export_evaluation_list *list, const struct hone__stored *stored,
                 struct hone__listed_evaluation *item)
{
  struct hone__arena *arena = &list->arena;
  struct hone__evaluation *evaluation = &item->stored.evaluation;

  item->stored = *stored;
  item->stored.made = keep(arena, stored->made);
  evaluation->config = keep(arena, evaluation->config);
  evaluation->device = keep(arena, evaluation->device);
  evaluation->metrics = keep(arena, evaluation->metrics);
  evaluation->suspicious = keep(arena, evaluation->suspicious);
  evaluation->evidence = keep(arena, evaluation->evidence);
  evaluation->candidate_key = evaluation->measure_key = evaluation->object = NULL;
  evaluation->command = evaluation->warnings = evaluation->deps = evaluation->output = NULL;
  item->params = hone__config_params(arena, evaluation->config, &item->param_count);
  fill_times(&list->run, item);
}

/* The baseline is measured on every device and may be a candidate too: that one counts. */
static struct hone__listed_evaluation *find_place(struct hone__export_evaluation_list *list,
                                                  const struct hone__evaluation *evaluation)
{
  for (size_t i = 0; evaluation->mesh_idx < 0 && i < list->count; i++) {
    struct hone__listed_evaluation *item = &list->items[i];
    if (!item->stored.evaluation.is_baseline && !evaluation->is_baseline) continue;
    if (strcmp(item->stored.evaluation.config, evaluation->config) != 0) continue;
    return evaluation->is_baseline ? NULL : item;
  }
  HONE__GROW(list->items, list->count, list->capacity);
  return &list->items[list->count++];
}

static bool collect(void *data, const struct hone__stored *stored)
{
  struct hone__export_evaluation_list *list = data;
  const struct hone__evaluation *evaluation = &stored->evaluation;
  struct hone__listed_evaluation *item;

  if (evaluation->outcome == HONE_OUTCOME_INTERRUPTED || !evaluation->config) return true;
  item = find_place(list, evaluation);
  if (!item) return true;
  *item = (struct hone__listed_evaluation){0};
  copy(list, stored, item);
  for (size_t i = 0; i < item->param_count; i++)
    add_name(&list->names, item->params[i].name);
  if (hone__outcome_works(evaluation->outcome)) add_metrics(&list->metrics, evaluation->metrics);
  return true;
}

hone_status hone__export_evaluation_list_load(struct hone_store *store, int64_t run,
                                              struct hone__export_evaluation_list *out_list)
{
  hone_status status;

  *out_list = (struct hone__export_evaluation_list){0};
  status = hone__store_run(store, run, &out_list->arena, &out_list->run);
  if (!status) status = hone__store_each(store, out_list->run.record.id, collect, out_list);
  if (!status && !out_list->count)
    status = hone__error(HONE_NOT_FOUND, "run %lld has no measurements (%s): nothing to export",
                         (long long)out_list->run.record.id,
                         hone_run_state_name(out_list->run.result.state));
  if (status)
    hone__export_evaluation_list_release(out_list);
  else
    settle(out_list);
  return status;
}

void hone__export_evaluation_list_release(struct hone__export_evaluation_list *list)
{
  free(list->items);
  hone__words_release(&list->names);
  hone__words_release(&list->metrics);
  hone__arena_release(&list->arena);
  *list = (struct hone__export_evaluation_list){0};
}

const char *hone__listed_value(const struct hone__listed_evaluation *item, const char *name)
{
  for (size_t i = 0; i < item->param_count; i++)
    if (strcmp(item->params[i].name, name) == 0) return item->params[i].value;
  return NULL;
}

double hone__listed_metric(const struct hone__listed_evaluation *item, const char *name)
{
  const char *text = item->stored.evaluation.metrics;
  json_t *metrics = text ? json_loads(text, 0, NULL) : NULL;
  const json_t *value = json_object_get(metrics, name);
  double number = json_is_number(value) ? json_number_value(value) : NAN;

  json_decref(metrics);
  return number;
}
