/* hone bench: how long commands take, and which is faster; no spec is needed. */
#include "bench_print.h"
#include "bench_spec.h"
#include "cancel_signals.h"
#include "held_signals.h"
#include "own_file.h"
#include "terminal.h"
#include "text_file.h"
#include "tune_progress.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct bench_settings {
  struct common common;
  struct word_list params, names;
  const char *baseline, *setup, *prepare, *cleanup, *store, *spec;
  const char *files[BENCH_FORMATS]; /* for each format */
  int shell, time, format;
  bool no_shell, ignore_failure;
  uint64_t warmup;
  struct budget budget;
  double margin, timeout_s;
};

#define TARGET(field) .target = offsetof(struct bench_settings, field)

static const struct option bench_options[] = {
    HEADING("what is timed"),
    OPTION(LIST, "param", "NAME=1,2,4", "values of {NAME} in the commands; repeatable",
           TARGET(params), .letter = 'P'),
    OPTION(TEXT, "baseline", "NAME=V,...",
           "the values that others are compared with; default the first of each", TARGET(baseline)),
    OPTION(CHOICE, "shell", "WHEN",
           "always or never (none) start /bin/sh; default auto: if a command has characters of a "
           "shell",
           TARGET(shell), .words = bench_shells),
    OPTION(FLAG, "no-shell", NULL, "the same as '--shell never'", TARGET(no_shell), .letter = 'N'),
    OPTION(FLAG, "ignore-failure", NULL, "accept commands that exit with another status than 0",
           TARGET(ignore_failure), .letter = 'i'),
    OPTION(LIST, "command-name", "NAME", "name of a command in the results; once for each",
           TARGET(names), .letter = 'n'),
    OPTION(CHOICE, "time", "NAME", "wall, or cpu: the processor time; default wall", TARGET(time),
           .words = bench_times),
    HEADING("commands around it, not timed"),
    OPTION(TEXT, "setup", "COMMAND", "before everything, once", TARGET(setup)),
    OPTION(TEXT, "prepare", "COMMAND", "before each run; {NAME} is replaced", TARGET(prepare),
           .letter = 'p'),
    OPTION(TEXT, "cleanup", "COMMAND", "after everything, once", TARGET(cleanup)),
    HEADING("how often"),
    OPTION(NUMBER, "warmup", "N",
           "runs of each configuration before the first that counts; default 1", TARGET(warmup),
           .letter = 'w'),
    OPTION(BUDGET, "budget", "TIME", "time for everything, as 60s; default until it is decided",
           TARGET(budget)),
    OPTION(PERCENT, "margin", "PERCENT", "smallest difference that counts; default 1",
           TARGET(margin)),
    OPTION(TIME, "timeout", "TIME", "limit of one run", TARGET(timeout_s)),
    HEADING("output"),
    OPTION(CHOICE, "format", "NAME", "text, markdown, json or csv; default text", TARGET(format),
           .words = bench_formats),
    OPTION(TEXT, "export-markdown", "FILE", "write them as Markdown, too",
           TARGET(files[BENCH_MARKDOWN]), .takes_file = true),
    OPTION(TEXT, "export-json", "FILE", "write them as JSON, with all samples, too",
           TARGET(files[BENCH_JSON]), .takes_file = true),
    OPTION(TEXT, "export-csv", "FILE", "write them as CSV, too", TARGET(files[BENCH_CSV]),
           .takes_file = true),
    OPTION(TEXT, "spec", "FILE",
           "write the spec for 'hone tune', - for standard output; run nothing", TARGET(spec),
           .takes_file = true),
    OPTION(TEXT, "store", "FILE", "keep the results in this store; default nowhere", TARGET(store),
           .takes_file = true),
    PROGRESS_OPTION(struct bench_settings, common),
    COMMON_OPTIONS(struct bench_settings, common),
    {0},
};

/* ---- Before and after ---- */

static bool run_beside(const char *option, const char *command)
{
  int status;

  if (!command) return true;
  status = system(command);
  if (status == 0) return true;
  message_error("'--%s' failed: %s", option, command);
  return false;
}

/* ---- A folder for spec and store ---- */

enum { LONGEST_PATH = 4096, LONGEST_NAME = 64 }; /* of a folder; of a file in it, with its own */

struct bench_folder {
  char path[LONGEST_PATH], spec[LONGEST_PATH + LONGEST_NAME], store[LONGEST_PATH + LONGEST_NAME];
};

static bool folder_open(struct bench_folder *folder)
{
  const char *given = getenv("TMPDIR"), *parent = given && *given == '/' ? given : "/tmp";

  if (strlen(parent) > sizeof folder->path - LONGEST_NAME) parent = "/tmp";
  sprintf(folder->path, "%s/hone-bench-XXXXXX", parent);
  if (!mkdtemp(folder->path)) {
    message_error("cannot create a folder in '%s': %s", parent, strerror(errno));
    return false;
  }
  sprintf(folder->spec, "%s/bench.yaml", folder->path);
  sprintf(folder->store, "%s/store.db", folder->path);
  return true;
}

static void folder_close(const struct bench_folder *folder)
{
  static const char *const suffixes[] = {"", "-wal", "-shm", "-journal", "-lock"};
  char path[LONGEST_PATH + 2 * LONGEST_NAME];

  for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
    snprintf(path, sizeof path, "%s%s", folder->store, suffixes[i]);
    unlink(path);
  }
  unlink(folder->spec);
  rmdir(folder->path);
}

/* ---- Running ---- */

static enum exit_code print_runs(const struct bench_settings *settings,
                                 const struct word_list *commands, const char *file,
                                 const struct hone_tuning *tuning)
{
  const struct bench_view view = {
      .commands = commands,
      .names = &settings->names,
      .files = {[BENCH_MARKDOWN] = settings->files[BENCH_MARKDOWN],
                [BENCH_JSON] = settings->files[BENCH_JSON],
                [BENCH_CSV] = settings->files[BENCH_CSV]},
      .format = settings->format,
      .color = terminal_has_color((enum color_mode)settings->common.color, STDOUT_FILENO)};
  struct hone_store *store = NULL;
  hone_status status = hone_store_open(file, &store);
  enum exit_code code;

  if (status) return message_status(status);
  code = bench_print(&view, store, hone_tuning_run(tuning, 0));
  hone_store_free(store);
  return code;
}

/* The spec goes away: no command can use it again. */
static bool on_event(void *progress, const struct hone_event *event)
{
  struct hone_event own = *event;

  own.command = NULL;
  return tune_progress_event(progress, &own);
}

static enum exit_code tune(const struct bench_settings *settings, const struct word_list *commands,
                           const struct hone_spec *spec, struct hone_tune_options *options)
{
  struct tune_progress *progress = tune_progress_open(&settings->common, "bench");
  struct hone_tuning *tuning = NULL;
  struct cancel_signals signals;
  struct held_signals held;
  enum exit_code code = CLI_DONE;
  hone_status status;

  options->progress = on_event;
  options->progress_data = progress;
  held_signals_begin(&held);
  options->cancel = cancel_signals_begin(&signals);
  status = hone_tune(spec, options, &tuning);
  cancel_signals_end(&signals);
  tune_progress_close(progress);
  held_signals_end(&held);
  if (hone_tuning_count(tuning)) code = print_runs(settings, commands, options->store, tuning);
  if (hone_tuning_interrupted(tuning)) code = CLI_INTERRUPTED;
  if (status) code = message_status(status);
  hone_tuning_free(tuning);
  return code;
}

static void fill_options(const struct bench_settings *settings, struct hone_tune_options *options)
{
  hone_tune_options_init(options);
  options->hone_program = own_file();
  options->strategy = "exhaustive";
  options->keep_slower = options->no_cap = options->fresh = true;
  options->top = 1000;
  options->no_warm_start = true;
  options->budget_s = settings->budget.seconds;
  if (settings->margin >= 0) options->margin = settings->margin;
}

static enum exit_code load_and_tune(const struct bench_settings *settings,
                                    const struct word_list *commands, const char *spec_file,
                                    const char *store)
{
  struct hone_tune_options options;
  struct hone_spec *spec = NULL;
  hone_status status = hone_spec_open(spec_file, &spec);
  enum exit_code code;

  if (status) return message_status(status);
  fill_options(settings, &options);
  options.store = store;
  code = tune(settings, commands, spec, &options);
  hone_spec_free(spec);
  return code;
}

static enum exit_code measure(const struct bench_settings *settings,
                              const struct word_list *commands, const char *yaml)
{
  struct bench_folder folder;
  enum exit_code code = CLI_FAILED;

  if (!folder_open(&folder)) return CLI_FAILED;
  if (text_file_write(folder.spec, yaml) && run_beside("setup", settings->setup)) {
    code = load_and_tune(settings, commands, folder.spec,
                         settings->store ? settings->store : folder.store);
    if (!run_beside("cleanup", settings->cleanup) && code == CLI_DONE) code = CLI_FAILED;
  }
  folder_close(&folder);
  return code;
}

static enum exit_code bench(const struct bench_settings *settings, const struct word_list *commands)
{
  const struct bench_spec spec = {.commands = commands,
                                  .params = &settings->params,
                                  .baseline = settings->baseline,
                                  .prepare = settings->prepare,
                                  .shell = settings->no_shell ? BENCH_SHELL_NEVER : settings->shell,
                                  .ignore_failure = settings->ignore_failure,
                                  .time = settings->time,
                                  .warmup = settings->warmup,
                                  .timeout_s = settings->timeout_s};
  struct output yaml;
  enum exit_code code = CLI_USAGE;

  output_open(&yaml, OUTPUT_MEMORY, false);
  if (bench_spec_print(&spec, &yaml)) {
    output_bytes(&yaml, "", 1);
    if (settings->spec)
      code = text_file_print(settings->spec, yaml.bytes) ? CLI_DONE : CLI_FAILED;
    else
      code = measure(settings, commands, yaml.bytes);
  }
  output_close(&yaml);
  return code;
}

static enum exit_code run_bench(const struct command *command, char **argv)
{
  struct bench_settings settings = {.warmup = 1, .margin = -1};
  struct word_list words = {0};
  enum exit_code code;

  tune_progress_prepare(argv);
  if (command_open(command, argv, &settings, &settings.common, &words, &code)) {
    if (words.count) {
      code = bench(&settings, &words);
    } else {
      message_error("no command given: hone bench 'sort -S {SIZE} words' --param SIZE=1M,16M");
      code = command_usage(command);
    }
  }
  command_close(command, &settings, &words);
  return code;
}

const struct command bench_command = {
    .name = "bench",
    .summary = "time commands, and prove which is faster",
    .usage = "COMMAND... [--param NAME=V,V...] [options]",
    .about = "Times any command from outside, for all values of its parameters: {NAME} in a\n"
             "command is replaced. Every configuration is timed in pairs with the baseline, in\n"
             "random order, until the difference is decided. No spec is needed, and nothing is\n"
             "kept unless --store is given.\n",
    .examples = "  hone bench 'gzip -{LEVEL} -k -f words' --param LEVEL=1,6,9\n"
                "  hone bench 'make -j{JOBS}' --param JOBS=1,2,4 --prepare 'make clean'\n"
                "  hone bench 'grep -r main .' 'rg main' --format markdown\n",
    .options = bench_options,
    .run = run_bench,
};
