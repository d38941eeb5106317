/* `hone tune --dry-run`: what would be done, in words, and the first commands. Nothing is run. */
#include "tune/tuning.h"

#include <stdlib.h>
#include <unistd.h>

enum { COMMANDS_SHOWN = 3 };

static void print_search(const struct hone_tuning *tuning, struct hone_text *text)
{
  hone__text_addf(text, "  space       %s configurations\n", hone_space_count_text(tuning->space));
  hone__text_addf(text, "  search      %s, seed %llu", tuning->strategy->name,
                  (unsigned long long)tuning->run.seed);
  if (tuning->evaluations)
    hone__text_addf(text, ", at most %llu configurations", (unsigned long long)tuning->evaluations);
  if (isfinite(tuning->stop_at))
    hone__text_addf(text, ", %.6g s", tuning->stop_at - tuning->started);
  hone__text_add(text, "\n");
}

static void print_measuring(const struct hone_tuning *tuning, struct hone_text *text)
{
  const struct hone_tune_options *options = tuning->options;

  hone__text_addf(text, "  devices     %s\n", hone__tuning_devices(tuning));
  for (size_t i = 0; i < options->worker_count; i++)
    hone__text_addf(text, "  worker      %s hone worker\n", options->workers[i]);
  hone__text_addf(text, "  answers     %s\n",
                  tuning->task.check ? "compared with the reference" : "NOT checked");
  hone__text_addf(text,
                  "  measuring   screen with %u samples%s, race, confirm %u finalists in pairs "
                  "over 3 restarts\n",
                  tuning->screen_samples, options->no_cap ? "" : " and a cap of 3 x the best",
                  tuning->finalists);
}

static hone_status print_command(struct hone_tuning *tuning, const uint32_t *row, const char *what,
                                 struct hone_text *text)
{
  struct hone_text command = {0};
  json_t *candidate = NULL;
  char *config = hone__task_config(&tuning->task, row);
  hone_status status = tuning->task.backend->candidate(&tuning->task, row, &candidate);

  if (!status)
    status = tuning->task.backend->build_command(tuning->setup.head, candidate, &command);
  if (!status && !command.length && tuning->task.backend->run_command)
    status = tuning->task.backend->run_command(tuning->setup.head, candidate, &command);
  if (!status)
    hone__text_addf(text, "  %s %s\n    %s\n", what, config, command.data ? command.data : "");
  free(config);
  hone__text_release(&command);
  json_decref(candidate);
  return status;
}

static void print_baseline(const struct hone_tuning *tuning, struct hone_text *text)
{
  struct hone_text words = {0};

  if (!tuning->task.backend->explain_baseline) return;
  tuning->task.backend->explain_baseline(&tuning->task, &words);
  if (words.length) hone__text_addf(text, "  baseline    %s\n", words.data);
  hone__text_release(&words);
}

static hone_status print_commands(struct hone_tuning *tuning, struct hone_text *text)
{
  struct hone_search_options options = {.space = tuning->space, .seed = tuning->run.seed};
  uint32_t *row = hone__alloc(hone_space_width(tuning->space) * sizeof *row);
  hone_status status = print_command(tuning, tuning->task.baseline, "baseline", text);

  if (!status) status = tuning->strategy->open(&options, &tuning->search);
  for (int i = 0; i < COMMANDS_SHOWN && !status; i++) {
    if (!tuning->strategy->ask(tuning->search, 1, row)) break;
    status = print_command(tuning, row, "then    ", text);
  }
  free(row);
  return status;
}

static hone_status plan_case(const struct hone_cases *cases, size_t i, struct hone_text *text)
{
  struct hone_case which = hone__cases_at(cases, i, false);
  struct hone_tuning tuning;
  hone_status status = hone__tuning_open(&tuning, cases->spec, &which, cases->options);

  if (!status) {
    hone__text_addf(text, "%s%s%s\n", cases->spec->name, *tuning.task.problem ? "  " : "",
                    tuning.task.problem);
    print_search(&tuning, text);
    print_measuring(&tuning, text);
    print_baseline(&tuning, text);
    status = print_commands(&tuning, text);
  }
  hone__tuning_release(&tuning);
  return status;
}

hone_status hone_tune_plan(const struct hone_spec *spec, const struct hone_tune_options *options,
                           char **out_text)
{
  struct hone_cases cases;
  struct hone_text text = {0};
  hone_status status = hone__cases_init(&cases, spec, options);

  for (size_t i = 0; !status && i < cases.count; i++)
    status = plan_case(&cases, i, &text);
  if (!status) *out_text = hone__text_take(&text);
  hone__text_release(&text);
  return status;
}
