/* The contest in the model. One parameter a tuned dispatch: 0 is the compiler's own configuration,
 * 1 its best, 2 the next. Not all combinations are worth a compile: all winners; all but one, since
 * an entry may not help the whole; each runner-up in the place of its winner, since times alone and
 * in the model differ. It is a spec of Hone like others, and tuned like them. */
#include "iree/model/model_tune.h"

#include "base/json_string.h"
#include "report/sentence.h"
#include "space/space.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_FINALISTS = 4, MOST_COMBINATIONS = 4096 };

struct places { /* dispatches that take part: their numbers */
  size_t *numbers;
  size_t count;
};

static json_t *candidates_of(const struct hone__model_tuning *tuning, size_t number)
{
  return tuning->found[number] ? json_object_get(tuning->found[number], "candidates") : NULL;
}

static struct places find_places(const struct hone__model_tuning *tuning)
{
  struct places places = {.numbers =
                              hone__alloc((tuning->tuned->count + 1) * sizeof *places.numbers)};

  for (size_t i = 0; i < tuning->tuned->count; i++)
    if (json_array_size(candidates_of(tuning, i))) places.numbers[places.count++] = i;
  return places;
}

/* ---- Combinations ---- */

struct combinations {
  const struct places *places;
  json_t *list; /* of lists of numbers */
};

/* All winners, but for one place; SIZE_MAX: none. */
static void add_combination(struct combinations *all, size_t place, size_t value)
{
  json_t *combination = json_array();
  bool is_known = json_array_size(all->list) >= MOST_COMBINATIONS;

  for (size_t i = 0; i < all->places->count; i++)
    json_array_append_new(combination, json_integer(i == place ? (json_int_t)value : 1));
  for (size_t i = 0; !is_known && i < json_array_size(all->list); i++)
    is_known = json_equal(json_array_get(all->list, i), combination);
  if (!is_known) json_array_append(all->list, combination);
  json_decref(combination);
}

static json_t *untuned(const struct places *places)
{
  json_t *combination = json_array();

  for (size_t i = 0; i < places->count; i++)
    json_array_append_new(combination, json_integer(0));
  return combination;
}

static json_t *combine(const struct hone__model_tuning *tuning, const struct places *places)
{
  struct combinations all = {.places = places, .list = json_array()};

  json_array_append_new(all.list, untuned(places));
  add_combination(&all, SIZE_MAX, 0);
  for (size_t i = 0; i < places->count; i++)
    add_combination(&all, i, 0);
  for (size_t i = 0; i < places->count; i++)
    for (size_t k = 2; k <= json_array_size(candidates_of(tuning, places->numbers[i])); k++)
      add_combination(&all, i, k);
  return all.list;
}

/* ---- The spec ---- */

static void add_json(struct hone__text *yaml, const char *indent, const char *key, json_t *value)
{
  char *text = json_dumps(value, JSON_ENCODE_ANY);

  hone__text_addf(yaml, "%s%s: %s\n", indent, key, text ? text : "\"?\"");
  free(text);
  json_decref(value);
}

static void copy(struct hone__text *yaml, const json_t *state, const char *key, const char *as)
{
  json_t *value = json_object_get(state, key);

  if (value) add_json(yaml, "  ", as, json_incref(value));
}

/* YAML's flow mappings are JSON's objects. */
static json_t *config_of(const json_t *combination)
{
  json_t *config = json_object();

  for (size_t i = 0; i < json_array_size(combination); i++) {
    char name[32];
    snprintf(name, sizeof name, "d%zu", i);
    json_object_set(config, name, json_array_get(combination, i));
  }
  return config;
}

static json_t *entry_of(const json_t *found, const json_t *candidate, size_t place, size_t value)
{
  json_t *entry = json_object();
  char name[32];

  snprintf(name, sizeof name, "d%zu", place);
  json_object_set_new(entry, "param", json_string(name));
  json_object_set_new(entry, "value", json_integer((json_int_t)value));
  json_object_set(entry, "name", json_object_get(found, "matcher_name"));
  json_object_set(entry, "matcher", json_object_get(found, "matcher"));
  json_object_set(entry, "compilation_info", json_object_get(candidate, "compilation_info"));
  if (json_object_get(candidate, "decomposition_config"))
    json_object_set(entry, "decomposition_config",
                    json_object_get(candidate, "decomposition_config"));
  return entry;
}

static json_t *entries_of(const struct hone__model_tuning *tuning, const struct places *places)
{
  json_t *entries = json_array();

  for (size_t i = 0; i < places->count; i++) {
    const json_t *found = tuning->found[places->numbers[i]],
                 *candidates = candidates_of(tuning, places->numbers[i]);
    for (size_t k = 0; k < json_array_size(candidates); k++)
      json_array_append_new(entries, entry_of(found, json_array_get(candidates, k), i, k + 1));
  }
  return entries;
}

static json_t *name_of(const char *path)
{
  const char *base = strrchr(path, '/');

  base = base ? base + 1 : path;
  return hone__json_string(base, strcspn(base, "."));
}

static void print_spec(const struct hone__model_tuning *tuning, const struct places *places,
                       struct hone__text *yaml)
{
  json_t *combinations = combine(tuning, places), *configs = json_array(), *zero = untuned(places);
  char *source = hone__model_source(tuning);

  for (size_t i = 0; i < json_array_size(combinations); i++)
    json_array_append_new(configs, config_of(json_array_get(combinations, i)));
  add_json(yaml, "", "name", name_of(tuning->path));
  add_json(yaml, "", "file", hone__json_string(source, strlen(source)));
  hone__text_add(yaml, "backend: iree\niree:\n");
  add_json(yaml, "  ", "model", hone__json_string(source, strlen(source)));
  copy(yaml, tuning->state, "digest", "digest");
  copy(yaml, tuning->state, "identity", "identity");
  copy(yaml, tuning->state, "target", "target");
  copy(yaml, tuning->state, "backend", "backend");
  copy(yaml, tuning->state, "driver", "driver");
  copy(yaml, tuning->state, "function", "function");
  copy(yaml, tuning->state, "words", "flags");
  copy(yaml, tuning->state, "call", "inputs");
  copy(yaml, tuning->state, "inputs_digest", "inputs_digest");
  copy(yaml, tuning->state, "outputs", "outputs");
  if (tuning->options->model.iree.iree_dir)
    add_json(yaml, "  ", "iree_dir", json_string(tuning->options->model.iree.iree_dir));
  add_json(yaml, "  ", "entries", entries_of(tuning, places));
  add_json(yaml, "", "configs", configs);
  add_json(yaml, "", "baseline", config_of(zero));
  free(source);
  json_decref(zero);
  json_decref(combinations);
}

static hone_status load_spec(struct hone__model_tuning *tuning, const struct places *places,
                             struct hone_spec **out_spec)
{
  char *path = hone__model_work_path(tuning, "model.yaml");
  const char *file = path;
  struct hone_spec_options options;
  struct hone__text yaml = {0};
  hone_status status;

  hone_spec_options_init(&options);
  options.files = &file;
  options.file_count = 1;
  print_spec(tuning, places, &yaml);
  status = hone__model_work_write_text(tuning, "model.yaml", yaml.data);
  if (!status) status = hone_spec_load(&options, out_spec);
  hone__text_release(&yaml);
  free(path);
  return status;
}

/* ---- The result ---- */

/* The winner's, else, if that is wanted, the best of all. */
static const struct hone_report_row *choose_row(const struct hone__model_tuning *tuning,
                                                const struct hone_report *report)
{
  const struct hone_report_row *best = NULL;

  for (size_t i = 0; i < report->row_count; i++) {
    if (report->rows[i].is_winner) return &report->rows[i];
    if (!best && !report->rows[i].is_baseline) best = &report->rows[i];
  }
  return tuning->options->tune.keep_slower ? best : NULL;
}

static void take_times(struct hone_iree_tuned *tuned, const struct hone_report *report)
{
  const struct hone_report_row *best = NULL;

  for (size_t i = 0; i < report->row_count; i++) {
    const struct hone_report_row *row = &report->rows[i];
    if (row->is_baseline) tuned->before_ns = row->time_ns;
    if (!row->is_baseline && (!best || (row->is_winner && !best->is_winner))) best = row;
  }
  if (!best) return;
  tuned->after_ns = best->time_ns;
  tuned->speedup = best->speedup;
  tuned->low = best->low;
  tuned->high = best->high;
}

/* "d0=1,d1=0" */
static size_t value_in(const char *config, size_t place)
{
  struct hone__text name = {0};
  const char *at;
  size_t value = 0;

  hone__text_addf(&name, "d%zu=", place);
  for (at = config; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
    if (hone__starts_with(at, name.data)) value = strtoul(at + name.length, NULL, 10);
  hone__text_release(&name);
  return value;
}

/* What became of it in the model, if the compiler did not take it there. */
static void explain(struct hone__model_tuning *tuning, size_t number,
                    const struct hone_report *report)
{
  struct hone_iree_tuned_dispatch *dispatch = &tuning->tuned->dispatches[number];
  struct hone__text name = {0};

  hone__model_set(&dispatch->why_not, "the model is not faster with it");
  hone__text_addf(&name, "'%s'", hone__model_text(tuning->found[number], "matcher_name"));
  for (size_t i = 0; i < report->failure_count; i++)
    if (strstr(report->failures[i].evidence, name.data))
      hone__model_set(&dispatch->why_not, report->failures[i].evidence);
  hone__text_release(&name);
}

static void use(struct hone__model_tuning *tuning, const struct places *places, size_t place,
                size_t value, const struct hone_report *report)
{
  size_t number = places->numbers[place];
  struct hone_iree_tuned_dispatch *dispatch = &tuning->tuned->dispatches[number];
  json_t *candidate = value ? json_array_get(candidates_of(tuning, number), value - 1) : NULL;

  if (!candidate) {
    explain(tuning, number, report);
    return;
  }
  dispatch->is_used = true;
  hone__model_set(&dispatch->configuration, hone__model_text(candidate, "config"));
  hone__model_set(&dispatch->compilation_info, hone__model_text(candidate, "compilation_info"));
  json_object_set(tuning->found[number], "used", candidate);
}

/* Combinations have names that say nothing to people. */
static void take_sentence(struct hone_iree_tuned *tuned, const struct hone_report *report)
{
  free(tuned->sentence);
  tuned->sentence = hone__report_sentence_about(report, "the model with the tuning spec");
}

static hone_status take_result(struct hone__model_tuning *tuning, const struct places *places,
                               int64_t run)
{
  struct hone_iree_tuned *tuned = tuning->tuned;
  struct hone_store *store = NULL;
  struct hone_report *report = NULL;
  const struct hone_report_row *row;
  hone_status status = hone_store_open(tuning->options->tune.store, &store);

  if (!status) status = hone_report_load(store, run, &report);
  if (!status) {
    tuned->run = run;
    tuned->verdict = report->verdict;
    take_times(tuned, report);
    row = choose_row(tuning, report);
    take_sentence(tuned, report);
    for (size_t i = 0; i < places->count; i++)
      use(tuning, places, i, row ? value_in(row->config, i) : 0, report);
  }
  hone_report_free(report);
  hone_store_close(store);
  return status;
}

/* ---- All of it ---- */

static struct hone_tune_options options_of(const struct hone__model_tuning *tuning)
{
  struct hone_tune_options run = hone__model_search_options(tuning, 0);

  run.top = MOST_FINALISTS;
  run.evaluations = 0;
  run.strategy = "exhaustive";
  run.keep_slower = tuning->options->tune.keep_slower;
  return run;
}

static hone_status contest(struct hone__model_tuning *tuning, const struct places *places)
{
  struct hone_tune_options run = options_of(tuning);
  struct hone_tune_result result = {0};
  struct hone_spec *spec = NULL;
  hone_status status = load_spec(tuning, places, &spec);

  hone__model_title(tuning, "the model");
  if (!status) status = hone_tune(spec, &run, &result);
  tuning->tuned->interrupted = tuning->tuned->interrupted || result.interrupted;
  if (status && !tuning->tools.paths[HONE__IREE_COMPILE])
    status = hone__annotate(status,
                            "the model's candidates are not built yet: copy the store and the "
                            "cache back to the host with the compiler, run the same command there "
                            "with --stop-after build, then copy them here and run it again");
  if (!status && result.run_count && run.stop_after == HONE_STAGE_ALL)
    status = take_result(tuning, places, result.runs[0]);
  free(result.runs);
  hone_spec_free(spec);
  return status;
}

hone_status hone__model_contest(struct hone__model_tuning *tuning)
{
  struct places places = find_places(tuning);
  hone_status status = NULL;

  if (places.count)
    status = contest(tuning, &places);
  else
    hone__model_note(tuning, "no configuration was found to try in the model");
  free(places.numbers);
  return status;
}
