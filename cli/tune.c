/* hone tune: finds the fastest configuration, and proves that it is faster. */
#include "command.h"

#include "figures.h"
#include "overview.h"
#include "problems.h"
#include "quote.h"
#include "report_text.h"
#include "source.h"
#include "terminal.h"
#include "tune_progress.h"
#include "visible.h"

#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

enum tune_format { TUNE_TEXT, TUNE_JSON };
static const uint64_t NO_LIMIT = UINT64_MAX;

struct tune_settings {
  struct common common;
  struct source source;
  const char *store, *devices, *strategy;
  struct word_list workers;
  uint64_t builders, evaluations, seed, top, screen_samples;
  const struct option *seed_option; /* which of the two was given, or NULL */
  double budget_s, margin, timeout_s;
  size_t memory_bytes;
  int stop_after, format;
  bool random_seed, overlap, fresh, no_check, keep_slower, no_confirm, no_cap;
  bool dry_run, require_improvement;
};

static const char *const stage_words[] = {"all", "generate", "build", "screen", NULL};
static const char *const format_words[] = {"text", "json", NULL};

#define TARGET(field) .target = offsetof(struct tune_settings, field)
#define SEED(field)   TARGET(field), .only_one = offsetof(struct tune_settings, seed_option)

static const struct option tune_options[] = {
    HEADING("what is tuned"),
    SOURCE_OPTIONS(struct tune_settings, source),

    HEADING("the search"),
    OPTION(TEXT, "strategy", "NAME", "which configuration next; default the spec's, else auto",
           TARGET(strategy)),
    OPTION(NUMBER, "evals", "N", "at most N candidates; default the spec's, else no limit",
           TARGET(evaluations)),
    OPTION(TIME, "budget", "TIME", "at most this long: 500ms, 60s, 5m, 1h30m", TARGET(budget_s)),
    OPTION(NUMBER, "seed", "N", "the same seed asks for the same candidates; default the spec's",
           SEED(seed)),
    OPTION(FLAG, "random-seed", NULL, "another seed each time; it is printed", SEED(random_seed)),
    OPTION(FLAG, "fresh", NULL, "measure anew what the store has already", TARGET(fresh)),
    OPTION(CHOICE, "stop-after", "STAGE", "generate, build or screen: go no further than this",
           TARGET(stop_after), .words = stage_words),
    OPTION(FLAG, "dry-run", NULL, "say what would be done, and do nothing", TARGET(dry_run)),

    HEADING("measuring"),
    OPTION(FLAG, "no-check", NULL, "do not compare answers", TARGET(no_check)),
    OPTION(NUMBER, "top", "N", "finalists that are confirmed; default 8", TARGET(top)),
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

    HEADING("where"),
    OPTION(TEXT, "devices", "LIST", "such as c:0,c:1; default one device with all CPUs",
           TARGET(devices)),
    OPTION(LIST, "worker", "PREFIX",
           "a command that runs workers elsewhere, such as 'ssh host'; repeatable",
           TARGET(workers)),
    OPTION(NUMBER, "builders", "N", "compilers at once; default as many as CPUs", TARGET(builders)),
    OPTION(FLAG, "overlap", NULL, "build while measuring, even where cores are few",
           TARGET(overlap)),
    OPTION(TEXT, "store", "FILE", "where results are kept; default $HONE_STORE, else the user's",
           TARGET(store), .takes_file = true),

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

static bool check_workers(const struct word_list *workers)
{
  for (size_t i = 0; i < workers->count; i++) {
    if (workers->words[i][strspn(workers->words[i], " ")]) continue;
    message_error("'--worker' needs a command such as 'ssh host', not '%s'", workers->words[i]);
    return false;
  }
  return true;
}

static bool check_settings(const struct tune_settings *settings, const struct word_list *files)
{
  if (files->count == 0) {
    message_error("no file was given: hone tune FILE...");
    return false;
  }
  return check_workers(&settings->workers) &&
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
                                     .seed = options.seed,
                                     .budget_s = options.budget_s,
                                     .margin = options.margin,
                                     .timeout_s = options.timeout_s,
                                     .memory_bytes = options.memory_bytes};
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
  struct output text;
  char *line;

  output_open(&text, OUTPUT_MEMORY, false);
  output_text(&text, "hone tune");
  for (; *argv; argv++) {
    output_text(&text, " ");
    if (settings->random_seed && strcmp(*argv, "--random-seed") == 0)
      output_format(&text, "--seed %" PRIu64, settings->seed);
    else
      quote_shell_text(&text, *argv);
  }
  line = check_memory(strndup(text.bytes, text.used));
  output_close(&text);
  return line;
}

static void add_option(struct output *text, const char *name, const char *value)
{
  if (!value) return;
  output_format(text, " --%s ", name);
  quote_shell_text(text, value);
}

static void add_options(struct output *text, const char *name, const struct word_list *values)
{
  for (size_t i = 0; i < values->count; i++)
    add_option(text, name, values->words[i]);
}

/* What `hone run` needs to see a candidate as this command does: other files, and options. */
static char *run_options_line(const struct tune_settings *settings, const struct word_list *files)
{
  struct output text;
  char *line;

  output_open(&text, OUTPUT_MEMORY, false);
  for (size_t i = 1; i < files->count; i++) {
    output_text(&text, " ");
    quote_shell_text(&text, files->words[i]);
  }
  add_options(&text, "param", &settings->source.params);
  add_options(&text, "shapes", &settings->source.shapes);
  if (settings->no_check) output_text(&text, " --no-check");
  if (settings->timeout_s > 0) output_format(&text, " --timeout %.0fms", 1e3 * settings->timeout_s);
  if (settings->memory_bytes) output_format(&text, " --memory-limit %zu", settings->memory_bytes);
  line = check_memory(strndup(text.bytes ? text.bytes : "", text.used));
  output_close(&text);
  return line;
}

static void fill_options(struct hone_tune_options *options, const struct tune_settings *settings,
                         const struct problems *problems, const char *command,
                         const char *run_options)
{
  hone_tune_options_init(options);
  options->store = settings->store;
  options->problem_sizes = problems->sizes;
  options->problems = problems->chosen;
  options->problem_count = problems->count;
  options->devices = settings->devices;
  options->workers = settings->workers.words;
  options->worker_count = settings->workers.count;
  options->builders = (unsigned)settings->builders;
  options->overlap = settings->overlap;
  options->strategy = settings->strategy;
  if (settings->evaluations != NO_LIMIT) options->evaluations = settings->evaluations;
  options->budget_s = settings->budget_s;
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
  options->stop_after = (enum hone_stage)settings->stop_after;
  options->handle_signals = true;
  options->command = command;
  options->run_options = run_options;
}

/* ---- Results ---- */

struct results {
  const struct tune_settings *settings;
  struct hone_store *store;
  struct output *output;
  struct table overview; /* of several problems */
  size_t shown;          /* reports */
  bool is_answered, is_failed, is_all_improved;
};

static hone_status print_text(struct results *results, const struct hone_report *report)
{
  struct report_view view = {.output = results->output,
                             .report = report,
                             .store = hone_store_file(results->store),
                             .store_given = results->settings->store,
                             .width = terminal_width(),
                             .is_end = true,
                             .is_verbose = results->settings->common.verbose};

  /* Where nothing was done there is nothing but the message, which follows. */
  if (results->is_failed && report->evaluations == 0) return NULL;
  if (results->shown++) output_text(results->output, "\n");
  report_print(&view);
  return NULL;
}

static hone_status print_json(struct results *results, const struct hone_report *report)
{
  char *json = NULL;
  hone_status status = hone_report_json(results->store, report->run, &json);

  if (results->shown++) output_text(results->output, ",\n");
  if (json) output_text(results->output, json);
  free(json);
  return status;
}

static hone_status print_run(struct results *results, int64_t run)
{
  struct hone_report *report = NULL;
  hone_status status = hone_report_load(results->store, run, &report);
  struct figure when;

  if (status) return status;
  if (strcmp(report->state, "failed") == 0) results->is_failed = true;
  if (strcmp(report->verdict, "IMPROVED") != 0) results->is_all_improved = false;
  if (results->is_answered)
    message_note("from run %" PRId64 " of %.16s: nothing was measured; --fresh measures anew", run,
                 figure_when(&when, report->started));
  overview_add(&results->overview, report);
  status = (results->settings->format == TUNE_JSON ? print_json : print_text)(results, report);
  hone_report_free(report);
  return status;
}

static hone_status print_runs(struct results *results, const struct hone_tune_result *result)
{
  bool is_json = results->settings->format == TUNE_JSON, is_array = result->run_count > 1;
  hone_status status = NULL;

  if (is_json && is_array) output_text(results->output, "[");
  overview_open(&results->overview);
  for (size_t i = 0; i < result->run_count && !status; i++)
    status = print_run(results, result->runs[i]);
  if (!is_json && results->shown > 1)
    overview_print(&results->overview, results->output, terminal_width());
  table_close(&results->overview);
  if (is_json && is_array) output_text(results->output, "]");
  if (is_json && result->run_count) output_text(results->output, "\n");
  return status;
}

static enum exit_code result_code(const struct results *results,
                                  const struct hone_tune_result *result)
{
  if (result->interrupted) return CLI_INTERRUPTED;
  if (results->is_failed) return CLI_FAILED;
  if (results->settings->require_improvement && !results->is_all_improved) return CLI_NOT_IMPROVED;
  return CLI_DONE;
}

static enum exit_code print_results(const struct tune_settings *settings,
                                    const struct hone_tune_result *result)
{
  struct output output;
  struct results results = {.settings = settings,
                            .output = &output,
                            .is_answered = result->answered,
                            .is_all_improved = result->run_count > 0};
  hone_status status = hone_store_open(settings->store, &results.store);
  enum exit_code code;

  if (status) return message_status(status);
  output_open(&output, STDOUT_FILENO,
              settings->format == TUNE_TEXT &&
                  terminal_has_color((enum color_mode)settings->common.color, STDOUT_FILENO));
  if (settings->format == TUNE_TEXT && isatty(STDOUT_FILENO)) output_text(&output, "\n");
  status = print_runs(&results, result);
  code = status ? message_status(status) : result_code(&results, result);
  hone_store_close(results.store);
  if (!output_close(&output) && code == CLI_DONE) code = CLI_FAILED;
  return code;
}

/* ---- Tuning ---- */

static enum exit_code print_plan(const struct hone_spec *spec,
                                 const struct hone_tune_options *options)
{
  struct output output;
  char *text = NULL;
  hone_status status = hone_tune_plan(spec, options, &text);

  if (status) return message_status(status);
  output_open(&output, STDOUT_FILENO, false);
  visible_lines(&output, text, 0);
  free(text);
  return output_close(&output) ? CLI_DONE : CLI_FAILED;
}

/* A limit of file sizes is to fail a write, which is a message, and not to end the run. Broken
 * pipes to workers are the library's business while it runs, those of standard output ours again
 * then. */
static const int signal_numbers[] = {SIGXFSZ, SIGPIPE};
enum { SIGNAL_COUNT = sizeof signal_numbers / sizeof *signal_numbers };

static void set_signals(struct sigaction before[SIGNAL_COUNT])
{
  const struct sigaction ignore = {.sa_handler = SIG_IGN};

  for (int i = 0; i < SIGNAL_COUNT; i++)
    sigaction(signal_numbers[i], &ignore, &before[i]);
}

static void restore_signals(const struct sigaction before[SIGNAL_COUNT])
{
  for (int i = 0; i < SIGNAL_COUNT; i++)
    sigaction(signal_numbers[i], &before[i], NULL);
}

static enum exit_code tune(const struct tune_settings *settings, const struct hone_spec *spec,
                           struct hone_tune_options *options)
{
  struct tune_progress *progress = tune_progress_open(&settings->common, hone_spec_name(spec));
  struct hone_tune_result result = {0};
  struct sigaction before[SIGNAL_COUNT];
  hone_status status;
  enum exit_code code;

  options->event = tune_progress_event;
  options->event_data = progress;
  set_signals(before);
  status = hone_tune(spec, options, &result);
  tune_progress_close(progress);
  restore_signals(before);
  code = result.run_count ? print_results(settings, &result) : CLI_DONE;
  if (!result.run_count && result.interrupted) {
    message_error("interrupted before anything was measured");
    code = CLI_INTERRUPTED;
  }
  if (status) code = message_status(status);
  free(result.runs);
  return code;
}

static enum exit_code tune_spec(const struct tune_settings *settings, const struct hone_spec *spec,
                                const char *command, const char *run_options)
{
  struct hone_tune_options options;
  struct problems problems;
  enum exit_code code;

  if (!problems_choose(&problems, spec, settings->source.problem)) return CLI_USAGE;
  fill_options(&options, settings, &problems, command, run_options);
  code = settings->dry_run ? print_plan(spec, &options) : tune(settings, spec, &options);
  problems_release(&problems);
  return code;
}

static enum exit_code load_and_tune(struct tune_settings *settings, const struct word_list *files,
                                    char **argv)
{
  struct hone_spec *spec = NULL;
  enum exit_code code = source_load(&settings->source, files, &spec);
  char *command, *run_options;

  if (code != CLI_DONE) return code;
  choose_seed(settings);
  command = command_line(settings, argv);
  run_options = run_options_line(settings, files);
  code = tune_spec(settings, spec, command, run_options);
  free(command);
  free(run_options);
  hone_spec_free(spec);
  return code;
}

static enum exit_code run_tune(const struct command *command, char **argv)
{
  struct tune_settings settings;
  struct word_list files = {0};
  enum exit_code code;

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
             "where it stopped.\n",
    .examples = "  hone tune gemm.yaml\n"
                "  hone tune gemm.yaml --problem M=256 --budget 60s\n"
                "  hone tune gemm.yaml --dry-run\n"
                "  hone tune gemm.yaml --evals 200 --seed 7 --format json >gemm.json\n"
                "  hone tune gemm.c --filter ALGO=packed --top 4 --margin 2\n"
                "  hone tune gemm.yaml --worker 'ssh node1' --worker 'ssh node2'\n"
                "  hone tune gemm.yaml --require-improvement && echo faster\n",
    .options = tune_options,
    .run = run_tune,
};
