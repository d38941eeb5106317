/* `hone tune --dry-run`: prints the planned steps and the first commands. Nothing is run. */
#include "tune/plan.h"

#include "search/search_set.h"
#include "search/seeds.h"
#include "session/call.h"
#include "session/cases.h"
#include "session/identity.h"
#include "tune/contest.h"
#include "tune/effort.h"
#include "tune/first_rows.h"
#include "tune/objectives.h"

#include <stdlib.h>
#include <unistd.h>

enum { COMMANDS_SHOWN = 3 };

static void print_objectives(const struct hone__tuning *tuning, struct hone__text *text)
{
  if (tuning->session.objectives.count < 2) return;
  for (size_t i = 0; i < tuning->session.objectives.count; i++)
    hone__text_addf(text, "%s%s%s", i ? ", " : "  objectives  ",
                    tuning->session.objectives.all[i].name,
                    tuning->session.objectives.all[i].maximise ? " maximised" : "");
  hone__text_add(text, "\n");
}

static void print_search(const struct hone__tuning *tuning, struct hone__text *text)
{
  hone__text_addf(text, "  space       %s configurations\n",
                  hone_space_count_text(tuning->session.problem.space));
  hone__text_addf(text, "  search      %s, seed %llu", tuning->session.settings.strategy->name,
                  (unsigned long long)tuning->session.entry.run.seed);
  if (tuning->session.settings.evaluations)
    hone__text_addf(text, ", at most %llu configurations",
                    (unsigned long long)tuning->session.settings.evaluations);
  if (tuning->session.settings.budget_s > 0)
    hone__text_addf(text, ", %.6g s", tuning->session.settings.budget_s);
  hone__text_add(text, "\n");
  if (!tuning->session.settings.effort && !tuning->session.settings.patience.least) return;
  hone__text_addf(text, "  effort      %s",
                  tuning->session.settings.effort ? hone__effort_name(tuning) : "as given");
  hone__effort_describe(tuning, text);
  hone__text_add(text, "\n");
}

/* Opens the store read-only. */
static hone_status recall_best(struct hone__tuning *tuning)
{
  struct hone_store *store = NULL;
  hone_status status = hone__identity_make(&tuning->session);

  if (status) return status;
  hone_status_free(hone__store_open(tuning->session.settings.options->store, true,
                                    &store)); /* there may be none */
  if (store) status = hone__first_rows_recall(tuning, store);
  hone__store_close(store);
  return status;
}

struct hone__tuning_plan_begin hone__tuning_plan_begin(const struct hone__tuning *tuning)
{
  struct hone__tuning_plan_begin begin = {.given = tuning->search.first.count,
                                          .before = tuning->search.before.count};
  const struct hone__search_options options = hone__tuning_search_options(tuning);
  struct hone__seeds seeds;
  size_t others = begin.given + begin.before;

  hone__seeds_open(&seeds, &options);
  begin.spec = seeds.count > others ? seeds.count - others : 0;
  hone__seeds_release(&seeds);
  return begin;
}

/* "3 given, then 2 of the spec, then 1 configuration that was best before" */
static void print_first_rows(const struct hone__tuning *tuning, struct hone__text *text)
{
  struct hone__tuning_plan_begin begin = hone__tuning_plan_begin(tuning);
  struct hone__text parts = {0};

  if (begin.given) hone__text_addf(&parts, "%zu given", begin.given);
  if (begin.spec)
    hone__text_addf(&parts, "%s%zu of the spec", begin.given ? ", then " : "", begin.spec);
  if (begin.before) {
    hone__text_add(&parts, parts.length ? ", then " : "");
    hone__first_rows_describe(tuning, &parts);
  }
  if (parts.length) hone__text_addf(text, "  begins with %s\n", parts.data);
  hone__text_release(&parts);
}

static void print_measuring(const struct hone__tuning *tuning, struct hone__text *text)
{
  const struct hone_tune_options *options = tuning->session.settings.options;

  hone__text_addf(text, "  devices     %s\n", hone__session_devices(&tuning->session));
  for (size_t i = 0; i < options->worker_count; i++)
    hone__text_addf(text, "  worker      %s hone worker\n", options->workers[i]);
  hone__text_addf(text, "  answers     %s\n",
                  hone__answers_done(hone__session_answers(&tuning->session)));
  hone__text_addf(text,
                  "  measuring   screen with %u samples%s, race, confirm %u finalists in pairs "
                  "over %u restarts\n",
                  tuning->session.settings.screen_samples,
                  options->no_cap ? "" : " and a cap of 3 x the best",
                  tuning->session.settings.finalists, hone__contest_restarts(tuning));
}

/* ---- Commands ---- */

struct commands {
  struct hone__tuning *tuning;
  void (*take)(void *data, const struct hone__tuning_plan_command *command);
  void *data;
};

static hone_status take_command(const struct commands *commands, const uint32_t *row,
                                bool is_baseline)
{
  struct hone__tuning *tuning = commands->tuning;
  struct hone__text command = {0};
  struct hone__packed *candidate = NULL;
  char *config = hone__task_config(&tuning->session.problem.task, row);
  hone_status status = tuning->session.problem.task.backend->driver.candidate(
      &tuning->session.problem.task, row, &candidate);

  if (!status)
    status = tuning->session.problem.task.backend->driver.build_command(
        tuning->session.problem.setup.head, candidate, &command);
  if (!status && !command.length && tuning->session.problem.task.backend->driver.run_command)
    status = tuning->session.problem.task.backend->driver.run_command(
        tuning->session.problem.setup.head, candidate, &command);
  if (!status) {
    struct hone__tuning_plan_command taken = {config, command.data ? command.data : "",
                                              is_baseline};
    commands->take(commands->data, &taken);
  }
  free(config);
  hone__text_release(&command);
  hone__packed_drop(candidate);
  return status;
}

hone_status hone__tuning_plan_commands(
    struct hone__tuning *tuning,
    void (*take)(void *data, const struct hone__tuning_plan_command *command), void *data)
{
  const struct commands commands = {tuning, take, data};
  struct hone__search_options options = hone__tuning_search_options(tuning);
  uint32_t *row = hone__alloc(hone_space_width(tuning->session.problem.space) * sizeof *row);
  hone_status status = take_command(&commands, tuning->session.problem.task.baseline, true);

  if (!status)
    status = hone__search_set_open(tuning->session.settings.strategy, &options,
                                   hone__objectives_search_count(&tuning->session.objectives),
                                   &tuning->search.set);
  for (int i = 0; i < COMMANDS_SHOWN && !status; i++) {
    if (!hone__search_set_ask(tuning->search.set, 1, row)) break;
    status = take_command(&commands, row, false);
  }
  free(row);
  return status;
}

static void print_command(void *data, const struct hone__tuning_plan_command *command)
{
  hone__text_addf(data, "  %s %s\n    %s\n", command->is_baseline ? "baseline" : "then    ",
                  command->config, command->command);
}

/* ---- Text ---- */

static void print_baseline(const struct hone__tuning *tuning, struct hone__text *text)
{
  struct hone__text words = {0};

  if (!tuning->session.problem.task.backend->driver.explain_baseline) return;
  tuning->session.problem.task.backend->driver.explain_baseline(&tuning->session.problem.task,
                                                                &words);
  if (words.length) hone__text_addf(text, "  baseline    %s\n", words.data);
  hone__text_release(&words);
}

static hone_status plan_text(struct hone__tuning *tuning, struct hone__text *text)
{
  hone__text_addf(text, "%s%s%s\n", tuning->session.problem.task.spec->name,
                  *tuning->session.problem.task.problem ? "  " : "",
                  tuning->session.problem.task.problem);
  print_objectives(tuning, text);
  print_search(tuning, text);
  print_first_rows(tuning, text);
  print_measuring(tuning, text);
  print_baseline(tuning, text);
  return hone__tuning_plan_commands(tuning, print_command, text);
}

/* ---- All problems ---- */

typedef hone_status planner(struct hone__tuning *tuning, struct hone__text *text);

static hone_status plan_case(const struct hone__cases *cases, size_t i, planner *plan,
                             struct hone__text *text)
{
  struct hone__case which = hone__cases_at(cases, i);
  struct hone__tuning tuning;
  hone_status status =
      hone__tuning_open(&tuning, cases->spec, &which, cases->options, &hone__purpose_tune);

  if (!status) status = recall_best(&tuning);
  if (!status) status = plan(&tuning, text);
  hone__tuning_release(&tuning);
  return status;
}

static hone_status plan_all(const struct hone_spec *spec, const struct hone_tune_options *options,
                            bool is_json, char **out_text)
{
  struct hone__cases cases;
  struct hone__text text = {0};
  hone_status status = hone__cases_init(&cases, spec, options);
  bool is_list = is_json && !status && cases.count > 1;

  if (is_list) hone__text_add(&text, "[");
  for (size_t i = 0; !status && i < cases.count; i++) {
    if (is_json && i) hone__text_add(&text, ",\n");
    status = plan_case(&cases, i, is_json ? hone__tuning_plan_json : plan_text, &text);
  }
  if (is_list) hone__text_add(&text, "]");
  if (is_json) hone__text_add(&text, "\n");
  if (!status) *out_text = hone__text_take(&text);
  hone__text_release(&text);
  return status;
}

static hone_status plan_call(const struct hone_spec *spec, const struct hone_tune_options *options,
                             bool is_json, char **out_text)
{
  struct hone__call call;
  hone_status status = hone__call_begin(&call, options);

  *out_text = NULL;
  if (!status) status = plan_all(spec, &call.options, is_json, out_text);
  hone__call_end(&call);
  return status;
}

hone_status hone_tune_plan(const struct hone_spec *spec, const struct hone_tune_options *options,
                           char **out_text)
{
  return plan_call(spec, options, false, out_text);
}

hone_status hone_tune_plan_json(const struct hone_spec *spec,
                                const struct hone_tune_options *options, char **out_json)
{
  return plan_call(spec, options, true, out_json);
}
