/* hone tune: finds the fastest configuration, and proves that it is faster. */
#include "cancel_signals.h"
#include "command_text.h"
#include "held_signals.h"
#include "live_view.h"
#include "run_options.h"
#include "tune_against.h"
#include "tune_options.h"
#include "tune_progress.h"
#include "tune_results.h"
#include "tune_spec_file.h"
#include "visible.h"
#include "wisdom_file.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

/* ---- Command lines ---- */

static void choose_seed(struct tune_settings *settings)
{
  struct timespec now;

  if (!settings->random_seed) return;
  if (getrandom(&settings->seed, sizeof settings->seed, 0) != sizeof settings->seed) {
    clock_gettime(CLOCK_REALTIME, &now);
    settings->seed = (uint64_t)now.tv_sec * 1000000007u ^ (uint64_t)now.tv_nsec;
  }
  settings->seed >>= 32; /* short enough to be typed */
  message_note("seed %" PRIu64, settings->seed);
}

/* The command line that does the same again: a random seed has become a known one. */
static char *command_line(const struct tune_settings *settings, char **argv)
{
  const char *random = NULL;
  char seed[40];

  for (char **word = argv; settings->random_seed && *word && !random; word++)
    if (strcmp(*word, "--random-seed") == 0 || strcmp(*word, "--enable-random-seed") == 0)
      random = *word;
  snprintf(seed, sizeof seed, "--seed %" PRIu64, settings->seed);
  return command_text("hone tune", argv, random, seed);
}

static char *run_options_line(const struct tune_settings *settings, const struct word_list *files)
{
  const struct run_options options = {.source = &settings->source,
                                      .files = files,
                                      .program = &settings->program,
                                      .no_check = settings->no_check,
                                      .timeout_s = settings->timeout_s,
                                      .memory_bytes = settings->memory_bytes};

  return run_options_text(&options);
}

/* ---- Tuning ---- */

static bool print_json_plan(char *json)
{
  struct output output;

  output_open(&output, STDOUT_FILENO, false);
  output_text(&output, json);
  free(json);
  return output_close(&output);
}

static enum exit_code print_plan(const struct tune_settings *settings, const struct hone_spec *spec,
                                 const struct hone_tune_options *options)
{
  bool is_json = settings->format == TUNE_JSON;
  char *text = NULL;
  hone_status status = (is_json ? hone_tune_plan_json : hone_tune_plan)(spec, options, &text);

  if (status) return message_status(status);
  return (is_json ? print_json_plan : visible_print)(text) ? CLI_DONE : CLI_FAILED;
}

/* What is written during the run. */
struct listeners {
  struct tune_progress *progress;
  struct tune_results *results;
};

static bool on_event(void *data, const struct hone_event *event)
{
  struct listeners *listeners = data;
  bool goes_on = tune_progress_event(listeners->progress, event);

  tune_results_event(listeners->results, event);
  return goes_on;
}

static enum exit_code write_spec_file(const struct tune_settings *settings,
                                      const struct word_list *files,
                                      const struct hone_tuning *tuning)
{
  const struct tune_spec_file file = {.path = settings->output,
                                      .dispatch = files->words[0],
                                      .store = settings->store,
                                      .source = &settings->source};

  return tune_spec_file_write(&file, tuning);
}

/* That nothing is faster is wisdom, too; what was interrupted proves nothing. */
static enum exit_code update_wisdom(const struct tune_settings *settings,
                                    const struct hone_tuning *tuning, enum exit_code code)
{
  enum exit_code updated;

  if (code != CLI_DONE && code != CLI_NOT_IMPROVED) return code;
  updated = wisdom_file_update(settings->wisdom, settings->store, tuning, settings->check_wisdom);
  return updated == CLI_DONE ? code : updated;
}

/* A run that became slower is not saved as a baseline. */
static enum exit_code use_names(const struct tune_against *against,
                                const struct hone_tuning *tuning, enum exit_code code)
{
  enum exit_code judged;

  if (code != CLI_DONE && code != CLI_NOT_IMPROVED) return code;
  judged = tune_against_judge(against, tuning);
  if (judged == CLI_DONE) judged = tune_against_save(against->settings, tuning);
  return judged == CLI_DONE ? code : judged;
}

/* What is done with the results: an .mlir file's spec, a wisdom file, a baseline's name. */
static enum exit_code use_results(const struct tune_settings *settings,
                                  const struct word_list *files, const struct hone_tuning *tuning,
                                  const struct tune_against *against, enum exit_code code)
{
  if (!hone_tuning_count(tuning) && hone_tuning_interrupted(tuning)) {
    message_error("interrupted before anything was measured");
    code = CLI_INTERRUPTED;
  }
  if (code == CLI_DONE && tune_files_are_mlir(files))
    code = write_spec_file(settings, files, tuning);
  if (settings->wisdom && hone_tuning_count(tuning)) code = update_wisdom(settings, tuning, code);
  return use_names(against, tuning, code);
}

static enum exit_code failure_code(const struct tune_settings *settings, hone_status status)
{
  bool is_not_stored = settings->lookup && hone_status_code(status) == HONE_NOT_FOUND;
  enum exit_code code = message_status(status);

  return is_not_stored ? CLI_NOT_STORED : code;
}

static enum exit_code tune(const struct tune_settings *settings, const struct word_list *files,
                           const struct hone_spec *spec, struct hone_tune_options *options,
                           const struct tune_against *against)
{
  const struct tune_view results = {.common = &settings->common,
                                    .store = settings->store,
                                    .is_json = settings->format == TUNE_JSON,
                                    .requires_improvement = settings->require_improvement};
  struct listeners listeners = {.progress =
                                    tune_progress_open(&settings->common, hone_spec_name(spec)),
                                .results = tune_results_open(&results)};
  pid_t view = settings->web ? live_view_start(settings->store, settings->web) : 0;
  struct hone_tuning *tuning = NULL;
  struct cancel_signals signals;
  struct held_signals held;
  hone_status status;
  enum exit_code code;

  options->progress = on_event;
  options->progress_data = &listeners;
  held_signals_begin(&held);
  options->cancel = cancel_signals_begin(&signals);
  status = hone_tune(spec, options, &tuning);
  cancel_signals_end(&signals);
  tune_progress_close(listeners.progress);
  held_signals_end(&held);
  code = tune_results_close(listeners.results, tuning);
  live_view_stop(view);
  code =
      status ? failure_code(settings, status) : use_results(settings, files, tuning, against, code);
  hone_tuning_free(tuning);
  return code;
}

static enum exit_code tune_spec(const struct tune_settings *settings, const struct word_list *files,
                                const struct hone_spec *spec, const struct hone_run_note *note)
{
  struct hone_program_options program;
  struct hone_tune_options options;
  struct tune_against against;
  struct problems problems;
  enum exit_code code;
  char *devices;

  if (!problems_choose(&problems, spec, settings->source.problem)) return CLI_USAGE;
  tune_settings_fill(settings, &problems, &options);
  options.note = note;
  program_settings_fill(&settings->program, &program, &options, &devices);
  if (settings->dry_run)
    code = print_plan(settings, spec, &options);
  else if (tune_against_open(&against, settings, &problems))
    code = tune(settings, files, spec, &options, &against);
  else
    code = CLI_FAILED;
  if (!settings->dry_run) tune_against_close(&against);
  problems_release(&problems);
  free(devices);
  return code;
}

static enum exit_code load_and_tune(struct tune_settings *settings, const struct word_list *files,
                                    char **argv)
{
  struct hone_spec *spec = NULL;
  enum exit_code code;
  char *command, *run_words;
  struct hone_run_note note;

  settings->source.store = settings->store;
  code = source_load(&settings->source, files, &spec);
  if (code != CLI_DONE) return code;
  choose_seed(settings);
  command = command_line(settings, argv);
  run_words = run_options_line(settings, files);
  note = (struct hone_run_note){.origin = command, .run_words = run_words};
  code = tune_spec(settings, files, spec, &note);
  free(command);
  free(run_words);
  hone_spec_free(spec);
  return code;
}

/* tune.py runs every configuration once: that is a sweep, with its options. */
static bool is_like_tune_py(char **argv)
{
  return options_mention(tune_options, argv, "tune") || options_mention(tune_options, argv, "yaml");
}

static enum exit_code run_tune(const struct command *command, char **argv)
{
  struct tune_settings settings;
  struct word_list files = {0};
  enum exit_code code;

  if (is_like_tune_py(argv)) return sweep_command.run(&sweep_command, argv);
  tune_settings_init(&settings);
  tune_progress_prepare(argv);
  if (command_open(command, argv, &settings, &settings.common, &files, &code))
    code = tune_settings_check(&settings, &files) &&
                   cluster_hosts_open(&settings.hosts, &settings.clusters, &settings.workers,
                                      settings.host_builders)
               ? load_and_tune(&settings, &files, argv)
               : command_usage(command);
  cluster_hosts_close(&settings.hosts);
  command_close(command, &settings, &files);
  return code;
}

const struct command tune_command = {
    .name = "tune",
    .summary = "find the fastest correct configuration of a kernel",
    .usage = "FILE... [options]",
    .about = "FILE is a spec in YAML, or a kernel source with a spec in annotations; see\n"
             "hone-spec(5). Candidates are compiled in parallel, checked against a reference\n"
             "and timed in separate processes; the best ones are confirmed in pairs with the\n"
             "baseline. The verdict is IMPROVED, NO IMPROVEMENT or INCONCLUSIVE. Measurements\n"
             "are stored at once: run the same command to continue an interrupted run. FILE\n"
             "may also be a dispatch dumped by IREE, or a function for --iree-target (.mlir).\n"
             "The baseline is then the compiler's choice, and a faster configuration is\n"
             "written as a tuning spec; see hone-iree(1).\n",
    .examples = "  hone tune gemm.yaml\n"
                "  hone tune gemm.yaml --problem M=256 --budget 60s\n"
                "  hone tune gemm.yaml --dry-run\n"
                "  hone tune gemm.yaml --effort quick\n"
                "  hone tune gemm.yaml --evals 200 --seed 7 --format json >gemm.json\n"
                "  hone tune gemm.c --filter ALGO=packed --top 4 --margin 2\n"
                "  hone tune gemm.yaml --devices all\n"
                "  hone tune gemm.yaml --device sm_90 --stop-after build\n"
                "  hone tune gemm.yaml --worker 'ssh node1' --worker 'ssh node2'\n"
                "  hone tune gemm.yaml --require-improvement && echo faster\n"
                "  hone tune gemm.yaml --save-baseline main\n"
                "  hone tune gemm.yaml --against main --fail-if-slower 3%\n"
                "  hone tune main_dispatch_0_benchmark.mlir --budget 5m\n",
    .options = tune_options,
    .run = run_tune,
};
