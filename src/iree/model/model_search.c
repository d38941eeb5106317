/* One dispatch: its dump is tuned as `hone tune` tunes it, and the best that the store knows then
 * are written down with their texts. */
#include "iree/model/model_tune.h"

#include "base/json_string.h"
#include "space/space.h"
#include "tune/tune.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { LEAST_FINALISTS = 2 };

static const json_t *dispatch_at(const struct hone__model_tuning *tuning, size_t number)
{
  return json_array_get(json_object_get(tuning->state, "dispatches"), number);
}

/* ---- The run ---- */

hone_status hone__model_search_space(struct hone__model_tuning *tuning, size_t number,
                                     struct hone__dispatch_space *out_space)
{
  const char *file = hone__model_text(dispatch_at(tuning, number), "file");

  if (hone__dispatch_spaces_take(&tuning->spaces, file, out_space)) return NULL;
  return hone__dispatch_space_open(out_space, file, &tuning->options->model.iree, true);
}

static const enum hone_stage stages[] = {[HONE_IREE_STAGE_GENERATE] = HONE_STAGE_GENERATE,
                                         [HONE_IREE_STAGE_BUILD] = HONE_STAGE_BUILD,
                                         [HONE_IREE_STAGE_SCREEN] = HONE_STAGE_SCREEN,
                                         [HONE_IREE_STAGE_MODEL] = HONE_STAGE_ALL};

struct hone_tune_options hone__model_search_options(const struct hone__model_tuning *tuning,
                                                    double budget_s)
{
  const struct hone_iree_tune_options *options = tuning->options;
  struct hone_tune_options run = options->tune;
  unsigned wanted = options->model_candidates;

  run.budget_s = budget_s;
  if (tuning->devices) run.devices = tuning->devices;
  run.top = wanted > LEAST_FINALISTS ? wanted : LEAST_FINALISTS;
  run.no_warm_start = true; /* hosts that share the work ask for the same */
  run.keep_slower = true;   /* what is slower by itself may be faster in the model */
  run.stop_after = stages[options->stop_after];
  run.event = hone__model_event;
  run.event_data = (void *)(uintptr_t)tuning;
  return run;
}

/* A word of the spec's settings for IREE; NULL: there is none. */
static const char *setting(const struct hone_spec *spec, const char *key)
{
  const struct hone__node *iree = hone__node_get(spec->root, "iree"),
                          *node = iree ? hone__node_get(iree, key) : NULL;

  return node && node->kind == HONE__SCALAR ? node->text : NULL;
}

/* A part of the spec, whichever way it is written. */
static void add_node(struct hone__digester *digester, const struct hone__node *node)
{
  const size_t shape[] = {node ? (size_t)node->kind : 0, node ? node->count : 0};

  hone__digest_add(digester, shape, sizeof shape);
  if (!node) return;
  if (node->kind == HONE__SCALAR) hone__digest_add_text(digester, node->text);
  for (size_t i = 0; i < node->count; i++) {
    if (node->kind == HONE__MAPPING) add_node(digester, node->pairs[i].key);
    add_node(digester, node->kind == HONE__MAPPING ? node->pairs[i].value : node->items[i]);
  }
}

/* All that decides what is found, but for the machine and its paths: a host without compiler goes
 * on with it. */
static void key_of(const struct hone_spec *spec, const struct hone_tune_options *run,
                   char key[HONE__DIGEST_SIZE])
{
  struct hone__digester *digester = hone__digest_begin();
  const double numbers[] = {round(run->budget_s), run->top,    (double)run->evaluations,
                            (double)run->seed,    run->margin, run->screen_samples};

  hone__digest_add_text(digester, setting(spec, "digest"));
  hone__digest_add_text(digester, setting(spec, "identity"));
  add_node(digester, hone__node_get(spec->root, "alternatives"));
  add_node(digester, hone__node_get(spec->root, "baseline"));
  hone__digest_add_text(digester, run->strategy);
  hone__digest_add_text(digester, run->devices);
  hone__digest_add(digester, numbers, sizeof numbers);
  hone__digest_end(digester, key);
}

/* ---- What it found ---- */

static void set_text(json_t *object, const char *key, const char *text)
{
  if (text && *text) json_object_set_new(object, key, hone__json_string(text, strlen(text)));
}

static void add_texts(const struct hone_space *space, const uint32_t *row, json_t *candidate)
{
  for (size_t i = 0; i < hone_space_text_count(space); i++) {
    size_t length = hone_space_print_text(space, row, i, NULL, 0);
    char *text;
    if (length == HONE_NO_TEXT) continue;
    text = hone__alloc(length + 1);
    hone_space_print_text(space, row, i, text, length + 1);
    set_text(candidate, hone_space_text_name(space, i), text);
    free(text);
  }
}

static hone_status add_candidate(const struct hone_space *space, const struct hone_report_row *from,
                                 json_t *list)
{
  uint32_t *row = hone__alloc(hone_space_width(space) * sizeof *row);
  json_t *candidate = json_object();
  hone_status status = hone_space_parse(space, from->config, row);

  if (!status) {
    set_text(candidate, "config", from->config);
    json_object_set_new(candidate, "speedup", hone__model_real(from->speedup));
    json_object_set_new(candidate, "time_ns", hone__model_real(from->time_ns));
    add_texts(space, row, candidate);
    if (json_object_get(candidate, "compilation_info")) json_array_append(list, candidate);
  }
  json_decref(candidate);
  free(row);
  return status;
}

/* Confirmed ones first; they are ordered, and so are the others. */
static hone_status add_candidates(const struct hone_space *space, const struct hone_report *report,
                                  size_t most, json_t *list)
{
  hone_status status = NULL;

  for (int confirmed = 1; confirmed >= 0; confirmed--)
    for (size_t i = 0; !status && i < report->row_count && json_array_size(list) < most; i++) {
      const struct hone_report_row *row = &report->rows[i];
      if (!row->is_baseline && row->confirmed == (confirmed != 0))
        status = add_candidate(space, row, list);
    }
  return status;
}

static const struct hone_report_row *find_row(const struct hone_report *report, bool is_baseline)
{
  for (size_t i = 0; i < report->row_count; i++)
    if (is_baseline ? report->rows[i].is_baseline : !report->rows[i].is_baseline)
      return &report->rows[i];
  return NULL;
}

static void add_figures(const struct hone_report *report, json_t *found)
{
  const struct hone_report_row *before = find_row(report, true), *best = find_row(report, false);

  set_text(found, "verdict", hone_verdict_name(report->verdict));
  set_text(found, "sentence", report->sentence);
  json_object_set_new(found, "before_ns", hone__model_real(before ? before->time_ns : NAN));
  json_object_set_new(found, "after_ns", hone__model_real(best ? best->time_ns : NAN));
  json_object_set_new(found, "speedup", hone__model_real(best ? best->speedup : NAN));
  json_object_set_new(found, "low", hone__model_real(best ? best->low : NAN));
  json_object_set_new(found, "high", hone__model_real(best ? best->high : NAN));
}

static void add_matcher(const struct hone_spec *spec, json_t *found)
{
  static const char *const keys[] = {"matcher", "matcher_name", "operation", "backend"};

  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
    set_text(found, keys[i], setting(spec, keys[i]));
}

static hone_status read_report(const struct hone__model_tuning *tuning,
                               const struct hone__dispatch_space *space,
                               const struct hone_report *report, json_t *found)
{
  json_t *list = json_array();
  hone_status status =
      add_candidates(space->space, report, tuning->options->model_candidates, list);

  add_figures(report, found);
  add_matcher(space->spec, found);
  json_object_set_new(found, "candidates", list);
  return status;
}

static hone_status collect(const struct hone__model_tuning *tuning,
                           const struct hone__dispatch_space *space, int64_t run, json_t *found)
{
  struct hone_store *store = NULL;
  struct hone_report *report = NULL;
  hone_status status = hone_store_open(tuning->options->tune.store, &store);

  if (!status) status = hone_report_load(store, run, &report);
  if (!status) status = read_report(tuning, space, report, found);
  json_object_set_new(found, "run", json_integer(run));
  hone_report_free(report);
  hone_store_close(store);
  return status;
}

/* ---- Both ---- */

static bool stops_early(const struct hone__model_tuning *tuning)
{
  enum hone_iree_stage stage = tuning->options->stop_after;

  return stage != HONE_IREE_STAGE_ALL && stage != HONE_IREE_STAGE_MODEL;
}

static hone_status tune(struct hone__model_tuning *tuning, struct hone__dispatch_space *space,
                        size_t number, struct hone_tune_options *run, const char *name,
                        const char *key)
{
  struct hone_tune_result result = {0};
  json_t *found = json_object();
  hone_status status = hone__dispatch_space_solve(space);
  bool is_done;

  if (!status) status = hone__tune_solved(space->spec, space->space, run, &result);
  is_done = !status && !result.interrupted && result.run_count;
  tuning->tuned->interrupted = tuning->tuned->interrupted || result.interrupted;
  if (result.run_count) tuning->tuned->dispatches[number].run = result.runs[0];
  if (is_done && !stops_early(tuning)) {
    json_object_set_new(found, "key", json_string(key));
    status = collect(tuning, space, result.runs[0], found);
    if (!status) status = hone__model_work_write(tuning, name, found);
    if (!status) tuning->found[number] = json_incref(found);
  }
  json_decref(found);
  free(result.runs);
  return status;
}

hone_status hone__model_search(struct hone__model_tuning *tuning, size_t number, double budget_s,
                               const char *title)
{
  const char *executable = hone__model_text(dispatch_at(tuning, number), "executable");
  struct hone_tune_options run = hone__model_search_options(tuning, budget_s);
  struct hone__text name = {0};
  struct hone__dispatch_space space;
  char key[HONE__DIGEST_SIZE];
  json_t *known = NULL;
  hone_status status = hone__model_search_space(tuning, number, &space);

  if (status) goto done;
  hone__model_title(tuning, title);
  hone__text_addf(&name, "tuned-%s.json", executable);
  key_of(space.spec, &run, key);
  known = run.fresh ? NULL : hone__model_work_read(tuning, name.data);
  if (known && strcmp(hone__model_text(known, "key"), key) == 0) {
    tuning->found[number] = json_incref(known);
    tuning->tuned->dispatches[number].run = json_integer_value(json_object_get(known, "run"));
  } else {
    status = tune(tuning, &space, number, &run, name.data, key);
  }
done:
  json_decref(known);
  hone__dispatch_space_release(&space);
  hone__text_release(&name);
  return status;
}
