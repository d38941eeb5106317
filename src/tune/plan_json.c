/* The output of plan.c as one JSON object. */
#include "tune/plan.h"

#include "hone_results.h"
#include "spec/json_writer.h"
#include "tune/effort.h"

#include <stdlib.h>

enum { SCHEMA_VERSION = 1 };

static void add_count(struct hone__json_writer *out, const char *key, uint64_t count)
{
  if (count)
    hone__json_integer(out, key, count);
  else
    hone__json_null(out, key);
}

struct commands { /* the baseline's comes first */
  struct hone__json_writer *out;
  bool has_first;
};

static void add_params(struct hone__json_writer *out, const char *config)
{
  struct hone_params *params = hone_params_parse(config);

  hone__json_open(out, "params", '{');
  for (size_t i = 0; i < hone_params_count(params); i++)
    hone__json_value(out, hone_params_name(params, i), hone_params_value(params, i));
  hone__json_close(out, '}');
  hone_params_free(params);
}

static void add_command(void *data, const struct hone__tuning_plan_command *command)
{
  struct commands *commands = data;
  struct hone__json_writer *out = commands->out;

  if (!command->is_baseline && !commands->has_first) {
    hone__json_open(out, "first", '[');
    commands->has_first = true;
  }
  hone__json_open(out, command->is_baseline ? "baseline" : NULL, '{');
  hone__json_text(out, "config", command->config);
  add_params(out, command->config);
  hone__json_text(out, "command", command->command);
  hone__json_close(out, '}');
}

static void add_search(struct hone__json_writer *out, const struct hone__tuning *tuning)
{
  const struct hone__session_settings *settings = &tuning->session.settings;
  const struct hone__session_patience *patience = &settings->patience;

  hone__json_text(out, "space", hone_space_count_text(tuning->session.problem.space));
  hone__json_text(out, "strategy", settings->strategy->name);
  hone__json_integer(out, "seed", tuning->session.entry.run.seed);
  add_count(out, "evaluations", settings->evaluations);
  hone__json_real(out, "budget_s", settings->budget_s > 0 ? settings->budget_s : NAN);
  hone__json_text_or_null(out, "effort", settings->effort ? hone__effort_name(tuning) : NULL);
  add_count(out, "patience", patience->least);
  hone__json_real(out, "patience_share", patience->least ? patience->share : NAN);
}

static void add_begin(struct hone__json_writer *out, const struct hone__tuning *tuning)
{
  struct hone__tuning_plan_begin begin = hone__tuning_plan_begin(tuning);

  hone__json_open(out, "begins_with", '{');
  hone__json_integer(out, "given", begin.given);
  hone__json_integer(out, "spec", begin.spec);
  hone__json_integer(out, "best_before", begin.before);
  hone__json_close(out, '}');
}

static void add_objectives(struct hone__json_writer *out, const struct hone__tuning *tuning)
{
  const struct hone__objectives *objectives = &tuning->session.objectives;

  hone__json_open(out, "objectives", '[');
  for (size_t i = 0; i < objectives->count; i++) {
    hone__json_open(out, NULL, '{');
    hone__json_text(out, "name", objectives->all[i].name);
    hone__json_bool(out, "maximise", objectives->all[i].maximise);
    hone__json_close(out, '}');
  }
  hone__json_close(out, ']');
}

static void add_measuring(struct hone__json_writer *out, const struct hone__tuning *tuning)
{
  const struct hone_tune_options *options = tuning->session.settings.options;

  hone__json_text(out, "devices", hone__session_devices(&tuning->session));
  hone__json_open(out, "workers", '[');
  for (size_t i = 0; i < options->worker_count; i++)
    hone__json_text(out, NULL, options->workers[i]);
  hone__json_close(out, ']');
  hone__json_bool(out, "checked", tuning->session.problem.task.check);
  hone__json_integer(out, "screen_samples", tuning->session.settings.screen_samples);
  hone__json_bool(out, "cap", !options->no_cap);
  hone__json_integer(out, "finalists", tuning->session.settings.finalists);
}

hone_status hone__tuning_plan_json(struct hone__tuning *tuning, struct hone__text *text)
{
  struct hone__json_writer out = {0};
  struct commands commands = {.out = &out};
  hone_status status;

  hone__json_open(&out, NULL, '{');
  hone__json_integer(&out, "schema_version", SCHEMA_VERSION);
  hone__json_text(&out, "hone", hone_version());
  hone__json_text(&out, "name", tuning->session.problem.task.spec->name);
  hone__json_text(&out, "problem", tuning->session.problem.task.problem);
  add_objectives(&out, tuning);
  add_search(&out, tuning);
  add_begin(&out, tuning);
  add_measuring(&out, tuning);
  status = hone__tuning_plan_commands(tuning, add_command, &commands);
  if (!commands.has_first) hone__json_open(&out, "first", '[');
  hone__json_close(&out, ']');
  hone__json_close(&out, '}');
  if (!status) hone__text_add(text, out.text.data);
  hone__text_release(&out.text);
  return status;
}
