/* The options of `hone tune`. */
#include "tune_options.h"

#include "deadline.h"
#include "own_file.h"
#include "tune_progress.h"
#include "worker_options.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { EFFORT_NOT_GIVEN = -1 };
static const uint64_t NO_LIMIT = UINT64_MAX;

/* In the order of enum hone_per_device. */
static const char *const per_device_words[] = {"kind", "each", "none", NULL};
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

const struct option tune_options[] = {
    HEADING("input"),
    SOURCE_OPTIONS(struct tune_settings, source),
    PARTITION_OPTION(struct tune_settings, source),

    HEADING("the search"),
    OPTION(TEXT, "strategy", "NAME", "search strategy; default the spec's, else auto",
           TARGET(strategy)),
    OPTION(CHOICE, "effort", "NAME",
           "quick, normal or thorough: when the search ends; default the spec's, else normal, or "
           "no limit with a budget",
           TARGET(effort), .words = effort_words),
    OPTION(NUMBER, "patience", "N",
           "end after N candidates without improvement; default by the effort", TARGET(patience)),
    OPTION(BUDGET, "budget", "TIME|N",
           "end, with the verdict, within this time (500ms, 60s, 1h30m), or search N candidates; "
           "default the spec's",
           TARGET(budget)),
    OPTION(TEXT, "deadline", "TIME",
           "end all problems, with their verdicts, before this time: 17:30, 2026-11-17T17:30",
           TARGET(deadline)),
    OPTION(NUMBER, "evals", "N", "same as --budget N; can be combined with a time budget",
           TARGET(evaluations)),
    OPTION(LIST, "seed-config", "K=V,...", "start with this configuration; repeatable",
           TARGET(seed_configs)),
    OPTION(LIST, "learn-from", "DATA",
           "learn from recordings, a store or wisdom of this kernel on other devices or sizes; "
           "repeatable",
           TARGET(learn_from), .takes_file = true),
    OPTION(FLAG, "no-warm-start", NULL,
           "do not start with the best configurations of earlier runs of this kernel, nor learn "
           "from them",
           TARGET(no_warm_start)),
    OPTION(NUMBER, "seed", "N",
           "seed of the search; the same seed gives the same candidates; default the spec's",
           SEED(seed), .alias = "search-space-shuffle-seed"),
    OPTION(FLAG, "random-seed", NULL, "use a new seed each time and print it", SEED(random_seed),
           .alias = "enable-random-seed"),
    OPTION(FLAG, "fresh", NULL,
           "measure again in a new run; without it, an unfinished run continues and a finished one "
           "is shown again",
           TARGET(fresh)),
    OPTION(MAYBE, "web", "HOST:PORT",
           "serve a page that follows the run, and print its address; default 127.0.0.1 at a free "
           "port; elsewhere a token is needed",
           TARGET(web)),
    OPTION(FLAG, "lookup", NULL,
           "show the finished run of the store; if there is none, exit with 4 and measure nothing",
           TARGET(lookup)),
    OPTION(FLAG, "keep-going", NULL,
           "continue even if the first ten builds fail with the same message", TARGET(keep_going)),
    OPTION(CHOICE, "stop-after", "STAGE", "stop after this stage: generate, build or screen",
           TARGET(stop_after), .words = stage_words),
    OPTION(FLAG, "dry-run", NULL, "print the plan without running it", TARGET(dry_run),
           .word = "dryrun", .alias = "dryrun"),

    HEADING("measuring"),
    OPTION(FLAG, "no-check", NULL, "do not check answers", TARGET(no_check)),
    OPTION(NUMBER, "top", "N", "number of finalists to confirm; default 8, after a quick search 3",
           TARGET(top), .alias = "dispatch-tuner-num-dispatch-candidates"),
    OPTION(PERCENT, "margin", "PERCENT", "required improvement in percent; default 1",
           TARGET(margin)),
    OPTION(FLAG, "keep-slower", NULL,
           "also confirm and list finalists that look slower than the baseline",
           TARGET(keep_slower)),
    OPTION(FLAG, "no-confirm", NULL, "stop after the race, without a verdict", TARGET(no_confirm)),
    OPTION(NUMBER, "screen-samples", "N", "samples per candidate in screening; default 3",
           TARGET(screen_samples)),
    OPTION(FLAG, "no-cap", NULL, "do not stop timing slow candidates early", TARGET(no_cap)),
    OPTION(FLAG, "counters", NULL,
           "report what Nsight Compute (ncu) counts for the baseline and the winner: memory, "
           "multiprocessors, tensor cores",
           TARGET(counters)),
    OPTION(CHOICE, "per-device", "WHICH",
           "devices of different models: kind, a run and a winner for each kind; each, for each "
           "device; none, one for all; default kind",
           TARGET(per_device), .words = per_device_words),
    OPTION(FLAG, "lock-clocks", NULL,
           "keep the clocks of GPUs at one frequency, where that is permitted",
           TARGET(lock_clocks)),
    OPTION(TIME, "timeout", "TIME",
           "time limit of a candidate's first call; default the spec's, else from the baseline",
           TARGET(timeout_s)),
    OPTION(SIZE, "memory-limit", "SIZE",
           "memory limit of a candidate; default half of the machine's memory",
           TARGET(memory_bytes)),

    IREE_OPTIONS(struct tune_settings, source.iree),
    IREE_SEARCH_OPTIONS(struct tune_settings, source.iree),
    IREE_TIMING_OPTIONS(struct tune_settings, source.iree),
    IREE_MOVED_OPTIONS,

    HEADING("programs that measure themselves"),
    BUILD_OPTIONS(struct tune_settings, program),
    EXECUTION_OPTIONS(struct tune_settings, program),
    OPTION(INTEGER, "timeout-secs", "N", "same as --timeout, in seconds; 0: no limit",
           TARGET(program.timeout_s)),
    OPTION(FLAG, "tune", NULL,
           "run all configurations once and print the report of tune.py, like 'hone sweep --tune'",
           TARGET(tune), .letter = 't'),
    OPTION(TEXT, "yaml", "FILE", "the same for one spec; without --tune, print a table",
           TARGET(yaml), .takes_file = true),
    OPTION(TEXT, "output", "FILE",
           "output file: with --tune and --yaml, the report; with an .mlir file, the tuning spec "
           "(default tuning-spec.mlir)",
           .alias = "output-td-spec", TARGET(output), .letter = 'o', .takes_file = true),

    HEADING("results for programs"),
    OPTION(TEXT, "all-problems-to", "FILE",
           "keep this wisdom file up to date: merge into it what is proved for each problem",
           TARGET(wisdom), .takes_file = true),
    OPTION(FLAG, "check", NULL, "do not write the wisdom file; if it is out of date, exit with 1",
           TARGET(check_wisdom)),

    HEADING("where"),
    OPTION(JOINED, "devices", "LIST",
           "devices to use, such as c:0,c:1, cuda:all or hip://0,hip://1; default one device: all "
           "CPUs, the first GPU, or the target of an .mlir file",
           TARGET(devices), .words = source_device_names),
    WORKER_OPTIONS(struct tune_settings),

    HEADING("results"),
    OPTION(CHOICE, "format", "NAME", "text or json; default text", TARGET(format), .letter = 'f',
           .words = format_words),
    OPTION(FLAG, "require-improvement", NULL,
           "exit with status 3 unless every problem was improved", TARGET(require_improvement)),
    OPTION(TEXT, "save-baseline", "NAME",
           "save the runs under this name, to compare later ones with", TARGET(save_baseline)),
    OPTION(TEXT, "against", "NAME",
           "compare with the runs that were saved under this name, by the samples of both",
           TARGET(against)),
    OPTION(PERCENT, "fail-if-slower", "PERCENT",
           "with '--against': exit with status 3 if the best, the baseline or the mean is proved "
           "to be slower, and by more than this",
           TARGET(fail_if_slower)),
    PROGRESS_OPTION(struct tune_settings, common),
    COMMON_OPTIONS(struct tune_settings, common),
    {0},
};

void tune_settings_init(struct tune_settings *settings)
{
  struct hone_tune_options options;

  hone_tune_options_init(&options);
  *settings = (struct tune_settings){.top = NO_LIMIT,
                                     .screen_samples = options.screen_samples,
                                     .builders = options.builders,
                                     .evaluations = NO_LIMIT,
                                     .patience = NO_LIMIT,
                                     .effort = EFFORT_NOT_GIVEN,
                                     .seed = options.seed,
                                     .margin = options.margin,
                                     .fail_if_slower = NAN,
                                     .timeout_s = options.timeout_s,
                                     .memory_bytes = options.memory_bytes};
  settings->source.for_tuning = true;
  program_settings_init(&settings->program);
}

/* ---- Checks ---- */

static bool check_range(const char *name, uint64_t number, uint64_t least, uint64_t most)
{
  if (number >= least && number <= most) return true;
  if (most == NO_LIMIT)
    message_error("'--%s' needs a number of at least %" PRIu64 ", not %" PRIu64, name, least,
                  number);
  else
    message_error("'--%s' needs a number from %" PRIu64 " to %" PRIu64 ", not %" PRIu64, name,
                  least, most, number);
  return false;
}

bool tune_files_are_mlir(const struct word_list *files)
{
  size_t length = files->count == 1 ? strlen(files->words[0]) : 0;

  return length > 5 && strcmp(files->words[0] + length - 5, ".mlir") == 0;
}

/* Two names for one option. */
static bool check_doubles(const struct tune_settings *settings, const struct word_list *files)
{
  if (settings->builders && settings->program.num_cpu != NUMBER_NOT_GIVEN)
    message_error("'--builders' and '--num-cpu' are the same option: choose one");
  else if (settings->budget.count && settings->evaluations != NO_LIMIT)
    message_error("'--budget N' and '--evals' are the same option: choose one");
  else if (settings->timeout_s > 0 && settings->program.timeout_s != NUMBER_NOT_GIVEN)
    message_error("'--timeout' and '--timeout-secs' are the same option: choose one");
  else if (settings->output && !tune_files_are_mlir(files))
    message_error("'--output' needs '--tune', '--yaml' or an .mlir file: other results are in the "
                  "store, and 'hone show' prints them");
  else
    return true;
  return false;
}

/* SHARK Tuner's words stand after ours, from "generate" on. */
static enum hone_stage stage_of(int word)
{
  return (enum hone_stage)(word > HONE_STAGE_SCREEN ? word - HONE_STAGE_SCREEN : word);
}

/* Names of baselines stand for what was measured. */
static bool check_names(const struct tune_settings *settings)
{
  const char *name = settings->against ? "against" : "save-baseline";
  bool is_named = settings->against || settings->save_baseline;
  hone_status status =
      settings->save_baseline ? hone_baseline_name_check(settings->save_baseline) : NULL;

  if (status) message_status(status);
  if (status) return false;
  if (!isnan(settings->fail_if_slower) && !settings->against)
    message_error("'--fail-if-slower' needs '--against NAME': the saved runs to compare with");
  else if (is_named && settings->dry_run)
    message_error("'--%s' needs measurements: remove '--dry-run'", name);
  else if (is_named && settings->stop_after && stage_of(settings->stop_after) < HONE_STAGE_SCREEN)
    message_error("'--%s' needs measurements: remove '--stop-after'", name);
  else
    return true;
  return false;
}

bool tune_settings_check(const struct tune_settings *settings, const struct word_list *files)
{
  if (files->count == 0) {
    message_error("no file given: hone tune FILE...");
    return false;
  }
  if (settings->check_wisdom && !settings->wisdom) {
    message_error("'--check' needs '--all-problems-to FILE': the file that is checked");
    return false;
  }
  return check_doubles(settings, files) && check_names(settings) &&
         program_settings_check(&settings->program, settings->devices) &&
         check_range("evals", settings->evaluations, 1, UINT64_MAX) &&
         check_range("patience", settings->patience, 1, UINT64_MAX) &&
         (settings->top == NO_LIMIT || check_range("top", settings->top, 1, 1000)) &&
         check_range("screen-samples", settings->screen_samples, 1, 1000000) &&
         check_range("builders", settings->builders, 0, 4096) &&
         check_range("host-builders", settings->host_builders, 0, 4096) &&
         deadline_parse(settings->deadline, &(double){0});
}

/* ---- Use ---- */

void tune_settings_fill(const struct tune_settings *settings, const struct problems *problems,
                        struct hone_tune_options *options)
{
  hone_tune_options_init(options);
  options->store = settings->store;
  problems_fill(problems, options);
  options->devices = settings->devices;
  options->device = settings->source.device;
  cluster_hosts_fill(&settings->hosts, options);
  options->builders = (unsigned)settings->builders;
  options->overlap = settings->overlap;
  options->strategy = settings->strategy;
  options->evaluations =
      settings->evaluations != NO_LIMIT ? settings->evaluations : settings->budget.count;
  options->budget_s = settings->budget.seconds;
  deadline_parse(settings->deadline, &options->deadline); /* was checked */
  options->effort = (enum hone_search_effort)(settings->effort + 1);
  options->patience = settings->patience == NO_LIMIT ? 0 : settings->patience;
  options->seed_configs = settings->seed_configs.words;
  options->seed_config_count = settings->seed_configs.count;
  options->learn_from = settings->learn_from.words;
  options->learn_from_count = settings->learn_from.count;
  options->no_warm_start = settings->no_warm_start;
  options->seed = settings->seed;
  options->seed_given = settings->seed_option != NULL;
  options->fresh = settings->fresh;
  options->no_wait = settings->no_wait;
  options->lookup = settings->lookup;
  options->no_check = settings->no_check;
  options->keep_slower = settings->keep_slower;
  options->keep_going = settings->keep_going;
  options->no_confirm = settings->no_confirm;
  options->counters = settings->counters;
  options->top = settings->top == NO_LIMIT ? 0 : (unsigned)settings->top;
  options->screen_samples = (unsigned)settings->screen_samples;
  options->no_cap = settings->no_cap;
  options->margin = settings->margin;
  options->timeout_s = settings->timeout_s;
  options->memory_bytes = settings->memory_bytes;
  options->lock_clocks = settings->lock_clocks;
  options->per_device = (enum hone_per_device)settings->per_device;
  options->stop_after = stage_of(settings->stop_after);
  options->hone_program = own_file();
}
