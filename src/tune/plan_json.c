/* The same as plan.c prints, as one object of JSON. */
#include "tune/plan.h"

#include "spec/config_json.h"
#include "tune/effort.h"

#include <stdlib.h>

enum { SCHEMA_VERSION = 1 };

static json_t *count_or_null(uint64_t count)
{
  return count ? json_integer((json_int_t)count) : json_null();
}

static void add_command(void *data, const struct hone__plan_command *command)
{
  json_t *object = data, *entry = json_object();

  json_object_set_new(entry, "config", hone__json_string(command->config, strlen(command->config)));
  json_object_set_new(entry, "params", hone__config_json(command->config));
  json_object_set_new(entry, "command",
                      hone__json_string(command->command, strlen(command->command)));
  if (command->is_baseline)
    json_object_set_new(object, "baseline", entry);
  else
    json_array_append_new(json_object_get(object, "first"), entry);
}

static void add_search(const struct hone__tuning *tuning, json_t *object)
{
  const struct hone__patience_limits *patience = &tuning->session.settings.patience;

  json_object_set_new(object, "space",
                      json_string(hone_space_count_text(tuning->session.problem.space)));
  json_object_set_new(object, "strategy", json_string(tuning->session.settings.strategy->name));
  json_object_set_new(object, "seed", json_integer((json_int_t)tuning->session.entry.run.seed));
  json_object_set_new(object, "evaluations", count_or_null(tuning->session.settings.evaluations));
  json_object_set_new(object, "budget_s",
                      tuning->session.settings.budget_s > 0
                          ? json_real(tuning->session.settings.budget_s)
                          : json_null());
  json_object_set_new(object, "effort",
                      tuning->session.settings.effort ? json_string(hone__effort_name(tuning))
                                                      : json_null());
  json_object_set_new(object, "patience", count_or_null(patience->least));
  json_object_set_new(object, "patience_share",
                      patience->least ? json_real(patience->share) : json_null());
}

static void add_begin(const struct hone__tuning *tuning, json_t *object)
{
  struct hone__plan_begin begin = hone__plan_begin(tuning);

  json_object_set_new(object, "begins_with",
                      json_pack("{s:I, s:I, s:I}", "given", (json_int_t)begin.given, "spec",
                                (json_int_t)begin.spec, "best_before", (json_int_t)begin.before));
}

static void add_objectives(const struct hone__tuning *tuning, json_t *object)
{
  json_t *list = json_array();

  for (size_t i = 0; i < tuning->session.objectives.count; i++)
    json_array_append_new(list,
                          json_pack("{s:s, s:b}", "name", tuning->session.objectives.all[i].name,
                                    "maximise", tuning->session.objectives.all[i].maximise));
  json_object_set_new(object, "objectives", list);
}

static void add_measuring(const struct hone__tuning *tuning, json_t *object)
{
  const struct hone_tune_options *options = tuning->session.settings.options;
  json_t *workers = json_array();

  for (size_t i = 0; i < options->worker_count; i++)
    json_array_append_new(workers, json_string(options->workers[i]));
  json_object_set_new(object, "devices", json_string(hone__session_devices(&tuning->session)));
  json_object_set_new(object, "workers", workers);
  json_object_set_new(object, "checked", json_boolean(tuning->session.problem.task.check));
  json_object_set_new(object, "screen_samples",
                      json_integer(tuning->session.settings.screen_samples));
  json_object_set_new(object, "cap", json_boolean(!options->no_cap));
  json_object_set_new(object, "finalists", json_integer(tuning->session.settings.finalists));
}

hone_status hone__plan_json(struct hone__tuning *tuning, struct hone__text *text)
{
  json_t *object = json_object();
  hone_status status;
  char *dumped;

  json_object_set_new(object, "schema_version", json_integer(SCHEMA_VERSION));
  json_object_set_new(object, "hone", json_string(hone_version()));
  json_object_set_new(object, "name", json_string(tuning->session.problem.task.spec->name));
  json_object_set_new(object, "problem", json_string(tuning->session.problem.task.problem));
  add_objectives(tuning, object);
  add_search(tuning, object);
  add_begin(tuning, object);
  add_measuring(tuning, object);
  json_object_set_new(object, "baseline", json_null());
  json_object_set_new(object, "first", json_array());
  status = hone__plan_commands(tuning, add_command, object);
  dumped = json_dumps(object, JSON_INDENT(2));
  if (!status) hone__text_add(text, dumped);
  free(dumped);
  json_decref(object);
  return status;
}
