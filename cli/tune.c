/* hone tune: finds the fastest configuration, and proves that it is faster. */
#include "command_text.h"
#include "held_signals.h"
#include "problems.h"
#include "run_options.h"
#include "staff_options.h"
#include "sweep_command.h"
#include "tune_progress.h"
#include "tune_results.h"
#include "tune_spec_file.h"
#include "visible.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

enum { EFFORT_NOT_GIVEN = -1 };
enum tune_format { TUNE_TEXT, TUNE_JSON };
static const uint64_t NO_LIMIT = UINT64_MAX;

struct tune_settings {
  struct common common;
  struct source source;
  struct program_settings program;
  const char *store, *strategy, *yaml, *output;
  char *devices;
  struct word_list workers, seed_configs;
  uint64_t builders, evaluations, seed, top, screen_samples;
  const struct option *seed_option; /* which of the two was given, or NULL */
  struct budget budget;
  double margin, timeout_s;
  size_t memory_bytes;
  int effort; /* EFFORT_NOT_GIVEN: none */
  int stop_after, format;
  bool random_seed, overlap, fresh, no_check, keep_slower, no_confirm, no_cap, no_warm_start;
  bool dry_run, require_improvement, tune;
};

static const char *const stage_words[] = {"all",
                                          "generate",
                                          "build",
                                          "screen",
                                          "generate-candidates",
                                          "compile-dispatches",
                                          "benchmark-dispatches",
                                          NULL};
static const char *const effort_words[] = {"quick", "normal", "thorough", NULL};
static const char *const format_words[] = {"text", "json", NULL};

#define TARGET(field) .target = offsetof(struct tune_settings, field)
#define SEED(field)   TARGET(field), .only_one = offsetof(struct tune_settings, seed_option)

static const struct option tune_options[] = {
    HEADING("what is tuned"),
    SOURCE_OPTIONS(struct tune_settings, source),
    OPTION(TEXT, "partition", "M:N", "the M-th of N parts of the shapes, from 0",
           TARGET(source.partition)),

    HEADING("the search"),
    OPTION(TEXT, "strategy", "NAME", "which configuration next; default the spec's, else auto",
           TARGET(strategy)),
    OPTION(CHOICE, "effort", "NAME",
           "quick, normal or thorough: when it gives up; default the spec's, else normal, "
           "but with a budget not at all",
           TARGET(effort), .words = effort_words),
    OPTION(BUDGET, "budget", "TIME|N",
           "at most this long: 500ms, 60s, 1h30m; or N candidates; default the spec's",
           TARGET(budget)),
    OPTION(NUMBER, "evals", "N", "the same as --budget N, beside which a time may stand",
           TARGET(evaluations)),
    OPTION(LIST, "seed-config", "K=V,...", "begin with this configuration; may be repeated",
           TARGET(seed_configs)),
    OPTION(FLAG, "no-warm-start", NULL,
           "do not begin with what was best in earlier runs of this kernel", TARGET(no_warm_start)),
    OPTION(NUMBER, "seed", "N", "the same seed asks for the same candidates; default the spec's",
           SEED(seed), .alias = "search-space-shuffle-seed"),
    OPTION(FLAG, "random-seed", NULL, "another seed each time; it is printed", SEED(random_seed),
           .alias = "enable-random-seed"),
    OPTION(FLAG, "fresh", NULL, "measure anew what the store has already", TARGET(fresh)),
    OPTION(CHOICE, "stop-after", "STAGE", "generate, build or screen: go no further than this",
           TARGET(stop_after), .words = stage_words),
    OPTION(FLAG, "dry-run", NULL, "say what would be done, and do nothing", TARGET(dry_run),
           .word = "dryrun", .alias = "dryrun"),

    HEADING("measuring"),
    OPTION(FLAG, "no-check", NULL, "do not compare answers", TARGET(no_check)),
    OPTION(NUMBER, "top", "N", "finalists that are confirmed; default 8", TARGET(top),
           .alias = "dispatch-tuner-num-dispatch-candidates"),
    OPTION(PERCENT, "margin", "PERCENT", "less than this is not faster; default 1", TARGET(margin)),
    OPTION(FLAG, "keep-slower", NULL,
           "confirm and list finalists that look slower than the baseline too",
           TARGET(keep_slower)),
    OPTION(FLAG, "no-confirm", NULL, "end after the race, without a verdict", TARGET(no_confirm)),
    OPTION(NUMBER, "screen-samples", "N", "samples of each candidate at first; default 3",
           TARGET(screen_samples)),
    OPTION(FLAG, "no-cap", NULL, "time hopeless candidates to the end too", TARGET(no_cap)),
    OPTION(TIME, "timeout", "TIME",
           "of a candidate's first call; default the spec's, else from the baseline",
           TARGET(timeout_s)),
    OPTION(SIZE, "memory-limit", "SIZE", "that a candidate may take; default half of the machine's",
           TARGET(memory_bytes)),

    IREE_OPTIONS(struct tune_settings, source.iree),
    IREE_SEARCH_OPTIONS(struct tune_settings, source.iree),
    IREE_TIMING_OPTIONS(struct tune_settings, source.iree),
    IREE_MOVED_OPTIONS,

    HEADING("programs that measure themselves"),
    BUILD_OPTIONS(struct tune_settings, program),
    EXECUTION_OPTIONS(struct tune_settings, program),
    OPTION(INTEGER, "timeout-secs", "N", "the same as --timeout, in seconds; 0: none",
           TARGET(program.timeout_s)),
    OPTION(FLAG, "tune", NULL, "run all once and print tune.py's report: 'hone sweep --tune'",
           TARGET(tune), .letter = 't'),
    OPTION(TEXT, "yaml", "FILE", "the same for one spec, without --tune as a table", TARGET(yaml),
           .takes_file = true),
    OPTION(TEXT, "output", "FILE",
           "of --tune and --yaml: a file for the report; of an .mlir file: for the tuning spec, "
           "default tuning-spec.mlir",
           .alias = "output-td-spec", TARGET(output), .letter = 'o', .takes_file = true),

    HEADING("where"),
    OPTION(JOINED, "devices", "LIST",
           "such as c:0,c:1, cuda:all or hip://0,hip://1; default one device: all CPUs, the first "
           "GPU, or that of an .mlir file's target",
           TARGET(devices), .words = source_device_names),
    STAFF_OPTIONS(struct tune_settings),

    HEADING("results"),
    OPTION(CHOICE, "format", "NAME", "text or json; default text", TARGET(format), .letter = 'f',
           .words = format_words),
    OPTION(FLAG, "require-improvement", NULL, "exit status 3 unless every problem was improved",
           TARGET(require_improvement)),
    COMMON_OPTIONS(struct tune_settings, common),
    {0},
};

/* ---- Options ---- */

static bool check_range(const char *name, uint64_t number, uint64_t least, uint64_t most)
{
  if (number >= least && number <= most) return true;
  if (most == NO_LIMIT)
    message_error("'--%s' needs a number from %" PRIu64 " on, not %" PRIu64, name, least, number);
  else
    message_error("'--%s' needs a number from %" PRIu64 " to %" PRIu64 ", not %" PRIu64, name,
                  least, most, number);
  return false;
}

/* A dispatch of IREE: what is found is a tuning spec. */
static bool is_mlir(const struct word_list *files)
{
  size_t length = files->count == 1 ? strlen(files->words[0]) : 0;

  return length > 5 && strcmp(files->words[0] + length - 5, ".mlir") == 0;
}

/* Two names of one thing. */
static bool check_doubles(const struct tune_settings *settings, const struct word_list *files)
{
  if (settings->builders && settings->program.num_cpu != NUMBER_NOT_GIVEN)
    message_error("'--builders' and '--num-cpu' mean the same: choose one");
  else if (settings->budget.count && settings->evaluations != NO_LIMIT)
    message_error("'--budget N' and '--evals' mean the same: choose one");
  else if (settings->timeout_s > 0 && settings->program.timeout_s != NUMBER_NOT_GIVEN)
    message_error("'--timeout' and '--timeout-secs' mean the same: choose one");
  else if (settings->output && !is_mlir(files))
    message_error("'--output' goes with '--tune', '--yaml' or an .mlir file: what is found is in "
                  "the store, and 'hone show' prints it");
  else
    return true;
  return false;
}

static bool check_settings(const struct tune_settings *settings, const struct word_list *files)
{
  if (files->count == 0) {
    message_error("no file was given: hone tune FILE...");
    return false;
  }
  return check_doubles(settings, files) && source_check_workers(&settings->workers) &&
         program_settings_check(&settings->program, settings->devices) &&
         check_range("evals", settings->evaluations, 1, UINT64_MAX) &&
         check_range("top", settings->top, 1, 1000) &&
         check_range("screen-samples", settings->screen_samples, 1, 1000000) &&
         check_range("builders", settings->builders, 0, 4096);
}

/* What is not given stays as the library has it. */
static void init_settings(struct tune_settings *settings)
{
  struct hone_tune_options options;

  hone_tune_options_init(&options);
  *settings = (struct tune_settings){.top = options.top,
                                     .screen_samples = options.screen_samples,
                                     .builders = options.builders,
                                     .evaluations = NO_LIMIT,
                                     .effort = EFFORT_NOT_GIVEN,
                                     .seed = options.seed,
                                     .margin = options.margin,
                                     .timeout_s = options.timeout_s,
                                     .memory_bytes = options.memory_bytes};
  settings->source.for_tuning = true;
  program_settings_init(&settings->program);
}

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

/* SHARK Tuner's words stand behind ours, from "generate" on. */
static enum hone_stage stage_of(int word)
{
  return (enum hone_stage)(word > HONE_STAGE_SCREEN ? word - HONE_STAGE_SCREEN : word);
}

static void fill_options(struct hone_tune_options *options, const struct tune_settings *settings,
                         const struct problems *problems, const char *command,
                         const char *run_options)
{
  hone_tune_options_init(options);
  options->store = settings->store;
  problems_fill(problems, options);
  options->devices = settings->devices;
  options->device = settings->source.device;
  options->workers = settings->workers.words;
  options->worker_count = settings->workers.count;
  options->builders = (unsigned)settings->builders;
  options->overlap = settings->overlap;
  options->strategy = settings->strategy;
  options->evaluations =
      settings->evaluations != NO_LIMIT ? settings->evaluations : settings->budget.count;
  options->budget_s = settings->budget.seconds;
  options->effort = (enum hone_search_effort)(settings->effort + 1);
  options->seed_configs = settings->seed_configs.words;
  options->seed_config_count = settings->seed_configs.count;
  options->no_warm_start = settings->no_warm_start;
  options->seed = settings->seed;
  options->seed_given = settings->seed_option != NULL;
  options->fresh = settings->fresh;
  options->no_check = settings->no_check;
  options->keep_slower = settings->keep_slower;
  options->no_confirm = settings->no_confirm;
  options->top = (unsigned)settings->top;
  options->screen_samples = (unsigned)settings->screen_samples;
  options->no_cap = settings->no_cap;
  options->margin = settings->margin;
  options->timeout_s = settings->timeout_s;
  options->memory_bytes = settings->memory_bytes;
  options->stop_after = stage_of(settings->stop_after);
  options->handle_signals = true;
  options->command = command;
  options->run_options = run_options;
}

/* ---- Tuning ---- */

static enum exit_code print_plan(const struct hone_spec *spec,
                                 const struct hone_tune_options *options)
{
  char *text = NULL;
  hone_status status = hone_tune_plan(spec, options, &text);

  if (status) return message_status(status);
  return visible_print(text) ? CLI_DONE : CLI_FAILED;
}

static enum exit_code print_results(const struct tune_settings *settings,
                                    const struct hone_tune_result *result)
{
  const struct tune_view view = {.common = &settings->common,
                                 .store = settings->store,
                                 .is_json = settings->format == TUNE_JSON,
                                 .requires_improvement = settings->require_improvement};

  return tune_results_print(&view, result);
}

static enum exit_code write_spec_file(const struct tune_settings *settings,
                                      const struct word_list *files,
                                      const struct hone_tune_result *result)
{
  const struct tune_spec_file file = {.path = settings->output,
                                      .dispatch = files->words[0],
                                      .store = settings->store,
                                      .source = &settings->source};

  return tune_spec_file_write(&file, result);
}

static enum exit_code tune(const struct tune_settings *settings, const struct word_list *files,
                           const struct hone_spec *spec, struct hone_tune_options *options)
{
  struct tune_progress *progress = tune_progress_open(&settings->common, hone_spec_name(spec));
  struct hone_tune_result result = {0};
  struct held_signals held;
  hone_status status;
  enum exit_code code;

  options->event = tune_progress_event;
  options->event_data = progress;
  held_signals_begin(&held);
  status = hone_tune(spec, options, &result);
  tune_progress_close(progress);
  held_signals_end(&held);
  code = result.run_count ? print_results(settings, &result) : CLI_DONE;
  if (!result.run_count && result.interrupted) {
    message_error("interrupted before anything was measured");
    code = CLI_INTERRUPTED;
  }
  if (status)
    code = message_status(status);
  else if (code == CLI_DONE && is_mlir(files))
    code = write_spec_file(settings, files, &result);
  free(result.runs);
  return code;
}

static enum exit_code tune_spec(const struct tune_settings *settings, const struct word_list *files,
                                const struct hone_spec *spec, const char *command,
                                const char *run_options)
{
  struct hone_tune_options options;
  struct problems problems;
  enum exit_code code;
  char *devices;

  if (!problems_choose(&problems, spec, settings->source.problem)) return CLI_USAGE;
  fill_options(&options, settings, &problems, command, run_options);
  program_settings_fill(&settings->program, &options, &devices);
  code = settings->dry_run ? print_plan(spec, &options) : tune(settings, files, spec, &options);
  problems_release(&problems);
  free(devices);
  return code;
}

static enum exit_code load_and_tune(struct tune_settings *settings, const struct word_list *files,
                                    char **argv)
{
  struct hone_spec *spec = NULL;
  enum exit_code code;
  char *command, *run_options;

  settings->source.store = settings->store;
  code = source_load(&settings->source, files, &spec);
  if (code != CLI_DONE) return code;
  choose_seed(settings);
  command = command_line(settings, argv);
  run_options = run_options_line(settings, files);
  code = tune_spec(settings, files, spec, command, run_options);
  free(command);
  free(run_options);
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
  init_settings(&settings);
  if (command_open(command, argv, &settings, &settings.common, &files, &code))
    code = check_settings(&settings, &files) ? load_and_tune(&settings, &files, argv)
                                             : command_usage(command);
  command_close(command, &settings, &files);
  return code;
}

const struct command tune_command = {
    .name = "tune",
    .summary = "find the fastest correct configuration of a kernel",
    .usage = "FILE... [options]",
    .about = "FILE is a spec in YAML, or a kernel's source with a spec in its annotations; see\n"
             "hone-spec(5). Candidates are compiled in parallel, their answers compared with a\n"
             "reference, timed in processes of their own, and the best of them confirmed in\n"
             "pairs with the baseline. The verdict is IMPROVED, NO IMPROVEMENT or\n"
             "INCONCLUSIVE. All that is measured is kept at once: the same command goes on\n"
             "where it stopped.\n"
             "FILE may be a dispatch that IREE dumped, or a function for --iree-target\n"
             "(.mlir). The baseline is then the compiler's own choice, and what is faster is\n"
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
                "  hone tune main_dispatch_0_benchmark.mlir --budget 5m\n",
    .options = tune_options,
    .run = run_tune,
};
