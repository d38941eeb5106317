/* hone replay: search strategies on recorded measurements. */
#include "replay_command.h"

#include "held_signals.h"
#include "hone_replay.h"
#include "terminal.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

enum { FORMAT_AS_TEXT, FORMAT_AS_JSON, FORMAT_AS_CSV, FORMAT_AS_HTML };
static const char *const format_words[] = {"text", "json", "csv", "html", NULL};
static const char *const budget_words[] = {"auto", NULL};
/* For completion; the library has the full list. */
#define STRATEGIES                                                                                 \
  "auto", "exhaustive", "random", "ordered", "annealing", "genetic", "differential", "climb",      \
      "pattern", "surrogate", NULL
static const char *const strategy_words[] = {STRATEGIES};
static const char *const compare_words[] = {"all", STRATEGIES};

#define TARGET(field) .target = offsetof(struct replay_settings, field)

static const struct option replay_options[] = {
    HEADING("input"),
    OPTION(JOINED, "strategy", "NAME",
           "search strategy, or several separated by commas; default auto", .letter = 's',
           TARGET(strategies), .words = strategy_words),
    OPTION(JOINED, "compare", "all|NAME,NAME", "compare several strategies in one table",
           TARGET(compare), .words = compare_words),
    OPTION(TEXT, "budget", "auto|N|TIME",
           "per run: N evaluations, or recorded time such as 30s or 5m; default auto, the time "
           "that the metric uses",
           .letter = 'b', TARGET(budget), .words = budget_words),
    OPTION(NUMBER, "repeats", "N", "number of runs with different seeds; default 25", .letter = 'n',
           TARGET(repeats)),
    OPTION(NUMBER, "seed", "N",
           "seed of the first run; later runs use the following seeds; default 1", TARGET(seed)),
    OPTION(NUMBER, "outstanding", "N", "number of devices that evaluate in parallel; default 1",
           TARGET(outstanding)),
    OPTION(TEXT, "space", "FILE", "a T1 file: parameters, their values and order", TARGET(space),
           .takes_file = true),
    OPTION(LIST, "learn-from", "DATA",
           "begin with what was best in these recordings of the same parameters; repeatable",
           TARGET(learn_from), .takes_file = true),

    HEADING("results"),
    OPTION(TEXT, "runs-dir", "DIR", "write every run to DIR/DATA/STRATEGY/SEED.csv",
           TARGET(runs_dir), .takes_file = true),
    OPTION(CHOICE, "format", "NAME", "text, json, csv or html (charts); default text",
           .letter = 'f', TARGET(format), .words = format_words),

    HEADING("other options"),
    OPTION(NUMBER, "threads", "N", "maximum number of threads; default the number of CPUs",
           TARGET(threads)),
    COMMON_OPTIONS(struct replay_settings, common),
    {0},
};

/* ---- Options ---- */

static bool read_budget(const char *text, struct hone_replay_options *options)
{
  char *end;

  if (!text || strcmp(text, "auto") == 0) return true;
  if (*text && strspn(text, "0123456789") == strlen(text)) {
    options->evaluations = strtoull(text, &end, 10);
    if (options->evaluations) return true;
  } else if (option_read_time(text, &options->budget_s)) {
    return true;
  }
  message_error(
      "'--budget' is auto, a number of evaluations, or a time such as 30s or 5m, not '%s'", text);
  return false;
}

static bool check_words(const struct replay_settings *settings, const struct word_list *files)
{
  if (settings->strategies && settings->compare) {
    message_error("'--strategy' and '--compare' cannot be combined: both select strategies");
    return false;
  }
  if (!files->count) {
    message_error("no recorded data given: hone replay DATA...");
    return false;
  }
  return true;
}

/* "a,b" as words; empty ones are left out. */
static void split(char *list, struct word_list *words)
{
  char *rest = NULL;

  for (char *word = list ? strtok_r(list, ", ", &rest) : NULL; word;
       word = strtok_r(NULL, ", ", &rest))
    word_list_add(words, word);
}

static bool fill_options(struct hone_replay_options *options,
                         const struct replay_settings *settings, const struct word_list *files,
                         const struct word_list *strategies)
{
  hone_replay_options_init(options);
  options->files = files->words;
  options->file_count = files->count;
  options->space_file = settings->space;
  options->strategies = strategies->words;
  options->strategy_count = strategies->count;
  options->seed = settings->seed;
  options->repeats = settings->repeats;
  options->outstanding = settings->outstanding;
  options->runs_dir = settings->runs_dir;
  options->learn_from = settings->learn_from.words;
  options->learn_from_count = settings->learn_from.count;
  options->threads = settings->threads < 65536 ? (unsigned)settings->threads : 65536;
  return read_budget(settings->budget, options);
}

/* ---- Replaying ---- */

/* Of a file in which all ranks that random search is expected at are the optimum. */
static bool lacks_p(const struct hone_replay_result *result, size_t file)
{
  const struct hone_replay_cell *cell = hone_replay_result_cell(result, file, 0);

  return hone_replay_cell_runs(cell) && isnan(hone_replay_cell_p(cell));
}

static void print_notes(const struct hone_replay_result *result)
{
  for (size_t i = 0; i < hone_replay_result_skipped_count(result); i++)
    message_note("skipped: %s", hone_replay_result_skipped_why(result, i));
  for (size_t i = 0; i < hone_replay_result_file_count(result); i++)
    if (*hone_replay_file_remark(hone_replay_result_file(result, i)))
      message_note("'%s': %s", hone_replay_file_path(hone_replay_result_file(result, i)),
                   hone_replay_file_remark(hone_replay_result_file(result, i)));
  for (size_t i = 0; i < hone_replay_result_file_count(result); i++)
    if (lacks_p(result, i))
      message_note("'%s': P is undefined: random search finds the optimum at once",
                   hone_replay_file_path(hone_replay_result_file(result, i)));
}

static bool print_result(const struct replay_settings *settings,
                         const struct hone_replay_options *options,
                         const struct hone_replay_result *result)
{
  static void (*const print[])(const struct replay_view *view) = {
      replay_print_text, replay_print_json, replay_print_csv, replay_print_html};
  struct output output;
  struct replay_view view = {.options = options,
                             .result = result,
                             .output = &output,
                             .width = terminal_width(),
                             .is_comparison = settings->compare ||
                                              hone_replay_result_strategy_count(result) > 1};

  output_open(&output, STDOUT_FILENO,
              terminal_has_color((enum color_mode)settings->common.color, STDOUT_FILENO));
  print[settings->format](&view);
  return output_close(&output);
}

static enum exit_code replay(const struct replay_settings *settings,
                             struct hone_replay_options *options)
{
  struct hone_replay_result *result = NULL;
  struct replay_progress progress;
  struct held_signals held;
  enum exit_code code = CLI_DONE;
  hone_status status;

  replay_progress_open(&progress, &settings->common);
  options->progress = replay_progress_report;
  options->progress_data = &progress;
  held_signals_begin(&held);
  status = hone_replay(options, &result);
  held_signals_end(&held);
  replay_progress_close(&progress);
  if (hone_status_code(status) == HONE_CANCELLED) {
    message_status(status);
    return CLI_INTERRUPTED;
  }
  if (status) return message_status(status);
  print_notes(result);
  if (!print_result(settings, options, result)) code = CLI_FAILED;
  if (hone_replay_result_is_interrupted(result)) {
    message_error("interrupted: the results cover only the completed runs");
    code = CLI_INTERRUPTED;
  }
  hone_replay_result_free(result);
  return code;
}

static enum exit_code run(const struct command *command, char **argv)
{
  struct replay_settings settings = {.repeats = 25, .seed = 1, .outstanding = 1};
  struct word_list files = {0}, strategies = {0};
  struct hone_replay_options options;
  enum exit_code code = CLI_DONE;

  if (command_open(command, argv, &settings, &settings.common, &files, &code)) {
    split(settings.compare ? settings.compare : settings.strategies, &strategies);
    if (check_words(&settings, &files) && fill_options(&options, &settings, &files, &strategies))
      code = replay(&settings, &options);
    else
      code = command_usage(command);
  }
  word_list_release(&strategies);
  command_close(command, &settings, &files);
  return code;
}

const struct command replay_command = {
    .name = "replay",
    .summary = "try search strategies on recorded measurements",
    .usage = "DATA... [options]",
    .about = "Runs searches on recordings instead of a device, in parallel on all cores. A\n"
             "recording holds the configurations of a space, each with its time or failure and\n"
             "the time that the evaluation took. Formats are Kernel Tuner cache files, T4 and\n"
             "KTT results, plain or gzipped; for a folder, all *.json and *.json.gz files\n"
             "below it are read. P is the score of a search: 0 for random search, 1 for\n"
             "finding the optimum at once, over the time in which random search covers 95 % of\n"
             "the distance from the median to the optimum. See also hone-replay(1).\n",
    .examples = "  hone replay gemm-A100.json.gz\n"
                "  hone replay data/ --compare all\n"
                "  hone replay data/ --strategy annealing --budget 60 --repeats 100\n"
                "  hone replay results.json --space space.T1.json --runs-dir runs\n",
    .options = replay_options,
    .run = run,
};
