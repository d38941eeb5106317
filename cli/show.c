/* hone show: lists the runs in the store, and shows results in CSV files. */
#include "command.h"

#include "figures.h"
#include "hone_results.h"
#include "plot.h"
#include "quote.h"
#include "report_text.h"
#include "show_pareto.h"
#include "show_results.h"
#include "table.h"
#include "terminal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

enum { MOST_RUNS = 20 };

struct show_settings {
  struct common common;
  const char *store;
  bool log, pareto, delete_runs;
  int state;
  const char *name, *forget;
  int format;
  struct result_views views;
};

static const char *const format_words[] = {"text", "json", "csv", "yaml", NULL};
static const char *const run_words[] = {"last", NULL};
static const char *const state_words[] = {"finished", "interrupted", "failed", "running", NULL};

#define TARGET(field) .target = offsetof(struct show_settings, field)

static const struct option show_options[] = {
    HEADING("input"),
    OPTION(FLAG, "log", NULL, "the log of the run", TARGET(log)),
    OPTION(FLAG, "pareto", NULL, "only the Pareto set of a run with several objectives",
           TARGET(pareto)),
    STORE_OPTION(struct show_settings),
    OPTION(CHOICE, "format", "NAME", "text, json, csv or yaml (best configuration); default text",
           TARGET(format), .letter = 'f', .words = format_words),
    HEADING("the list of runs"),
    OPTION(CHOICE, "state", "NAME", "only runs that are finished, interrupted, failed or running",
           TARGET(state), .words = state_words),
    OPTION(TEXT, "name", "NAME", "only runs of specs with this name", TARGET(name)),
    OPTION(FLAG, "delete", NULL,
           "delete the runs of the list, with all that was measured; needs '--state' or '--name'",
           TARGET(delete_runs)),
    OPTION(TEXT, "forget-baseline", "NAME",
           "drop this name of 'hone tune --save-baseline'; its runs are kept", TARGET(forget)),
    HEADING("results of runs and CSV files"),
    OPTION(FLAG, "best", NULL, "the best row: its metrics and parameters", TARGET(views.best)),
    OPTION(FLAG, "ratio", NULL, "all rows, best first, with the ratio to the best", .letter = 'r',
           TARGET(views.ratio)),
    OPTION(NUMBER, "head", "N", "the N best rows", TARGET(views.head)),
    OPTION(NUMBER, "tail", "N", "the N worst rows", TARGET(views.tail)),
    OPTION(TEXT, "top", "SHARE",
           "common parameters of the rows near the best; near means within SHARE of the largest "
           "value, such as 5%",
           .letter = 't', TARGET(views.top)),
    OPTION(TEXT, "metric", "NAME",
           "column to rank by, or a prefix of its name; default the objective, else the time",
           .letter = 'm', TARGET(views.metric)),
    OPTION(FLAG, "correlation", NULL, "rank correlation of metrics and parameters", .letter = 'c',
           TARGET(views.correlation)),
    OPTION(LIST, "pivots", "[M,N]",
           "parameters that form the shape; default those that do not vary", .letter = 'p',
           TARGET(views.pivots)),
    OPTION(TEXT, "query", "EXPR", "only rows that match this condition: 'M > 64 and K < 1024'",
           TARGET(views.query)),
    OPTION(CHOICE, "plot", "KIND", "draw bars, a table or a summary", TARGET(views.plot),
           .words = plot_words),
    OPTION(MOVED, "diff", NULL, "use 'hone compare A.csv B.csv --best'", .letter = 'd'),
    OPTION(MOVED, "merge", NULL, "use 'hone show A.csv B.csv --best --format yaml'"),
    OPTION(MOVED, "sort-pivots", NULL, "rows always keep the order of the files"),
    OPTION(MOVED, "output", NULL, "use 'hone show A.csv --best --format yaml >FILE'",
           .letter = 'o'),
    HEADING("other options"),
    COMMON_OPTIONS(struct show_settings, common),
    {0},
};

struct showing {
  const struct show_settings *settings;
  struct hone_store *store;
  struct hone_baseline_list *saved; /* of the list of runs */
  struct output output;
  enum exit_code code;
};

/* ---- All runs ---- */

/* The verdict, or how it ended without one. */
static const char *run_end(const struct hone_run *run)
{
  if (hone_run_state(run) != HONE_RUN_FINISHED) return hone_run_state_name(hone_run_state(run));
  if (hone_run_verdict(run) != HONE_VERDICT_NONE) return hone_verdict_name(hone_run_verdict(run));
  if (hone_run_strategy(run) && strcmp(hone_run_strategy(run), "import") == 0) return "imported";
  return hone_run_is_sweep(run) ? "swept" : "no verdict";
}

/* One that '--state' and '--name' leave in the list. */
static bool is_listed(const struct show_settings *settings, const struct hone_run *run)
{
  const char *name = hone_run_name(run);

  if (settings->name && (!name || strcmp(name, settings->name) != 0)) return false;
  return settings->state < 0 ||
         strcmp(hone_run_state_name(hone_run_state(run)), state_words[settings->state]) == 0;
}

static size_t count_listed(const struct show_settings *settings, const struct hone_run_list *runs)
{
  size_t count = 0;

  for (size_t i = 0; i < hone_run_list_count(runs); i++)
    count += is_listed(settings, hone_run_list_at(runs, i));
  return count;
}

/* The i-th name that a run is saved under; NULL: it has fewer. */
static const char *saved_name(const struct showing *showing, const struct hone_run *run, size_t i)
{
  for (size_t j = 0; j < hone_baseline_list_count(showing->saved); j++)
    if (hone_baseline_list_run(showing->saved, j) == hone_run_number(run) && i-- == 0)
      return hone_baseline_list_name(showing->saved, j);
  return NULL;
}

static void add_saved_names(const struct showing *showing, struct table *table,
                            const struct hone_run *run)
{
  struct output names;
  const char *name;

  output_open(&names, OUTPUT_MEMORY, false);
  for (size_t i = 0; (name = saved_name(showing, run, i)) != NULL; i++)
    output_format(&names, "%s%s", i ? ", " : "", name);
  table_format(table, "%.*s", (int)names.used, names.bytes);
  output_close(&names);
}

static void add_run(const struct showing *showing, struct table *table, const struct hone_run *run)
{
  bool verbose = showing->settings->common.verbose;
  struct figure figure, when;

  table_format(table, "%" PRId64, hone_run_number(run));
  figure_when(&when, hone_run_started(run));
  table_format(table, "%.*s", verbose ? 19 : 11, when.text + (!verbose && when.text[0] ? 5 : 0));
  table_cell(table, hone_run_name(run));
  table_cell(table, run_end(run));
  table_cell(table, figure_speedup(&figure, hone_run_speedup(run)));
  table_format(table, "%" PRIu64, hone_run_evaluations(run));
  table_format(table, "%" PRIu64, hone_run_failures(run));
  table_cell(table, figure_duration(&figure, hone_run_wall_s(run)));
  table_cell(table, hone_run_problem(run));
  if (hone_baseline_list_count(showing->saved)) add_saved_names(showing, table, run);
}

static void list_text(struct showing *showing, const struct hone_run_list *runs)
{
  bool verbose = showing->settings->common.verbose;
  size_t count = count_listed(showing->settings, runs), left;
  size_t shown = verbose || count <= MOST_RUNS ? count : MOST_RUNS;
  struct table table;

  table_open(&table, 0);
  table_column(&table, "run", TABLE_RIGHT);
  table_column(&table, "when", TABLE_OPTIONAL);
  table_column(&table, "name", 0);
  table_column(&table, "verdict", 0);
  table_column(&table, "speedup", TABLE_RIGHT);
  table_column(&table, "evals", TABLE_RIGHT | TABLE_OPTIONAL);
  table_column(&table, "failed", TABLE_RIGHT | TABLE_OPTIONAL);
  table_column(&table, "took", TABLE_RIGHT | TABLE_OPTIONAL);
  table_column(&table, "problem", 0);
  if (hone_baseline_list_count(showing->saved)) table_column(&table, "saved as", 0);
  left = shown;
  for (size_t i = 0; left && i < hone_run_list_count(runs); i++) {
    if (!is_listed(showing->settings, hone_run_list_at(runs, i))) continue;
    add_run(showing, &table, hone_run_list_at(runs, i));
    left--;
  }
  table_print(&table, &showing->output, verbose ? 0 : terminal_width());
  table_close(&table);
  if (shown < count)
    output_format(&showing->output, "and %zu older: hone show -v\n", count - shown);
}

static void json_text(struct output *output, const char *name, const char *text)
{
  output_format(output, ", \"%s\": ", name);
  quote_json_text(output, text);
}

static void json_params(struct output *output, const char *name, const char *config)
{
  output_format(output, ", \"%s\": ", name);
  if (config && *config)
    quote_json_config(output, config);
  else
    output_text(output, "null");
}

static void json_number(struct output *output, const char *name, double number)
{
  output_format(output, ", \"%s\": ", name);
  quote_json_number(output, number);
}

static void json_saved_names(struct showing *showing, const struct hone_run *run)
{
  const char *name;

  output_text(&showing->output, ", \"saved_as\": [");
  for (size_t i = 0; (name = saved_name(showing, run, i)) != NULL; i++) {
    output_text(&showing->output, i ? ", " : "");
    quote_json_text(&showing->output, name);
  }
  output_text(&showing->output, "]");
}

static const char *verdict_or_null(const struct hone_run *run)
{
  return hone_run_verdict(run) == HONE_VERDICT_NONE ? NULL
                                                    : hone_verdict_name(hone_run_verdict(run));
}

static void list_json(struct showing *showing, const struct hone_run_list *runs)
{
  struct output *output = &showing->output;
  const char *before = "";

  output_text(output, "[");
  for (size_t i = 0; i < hone_run_list_count(runs); i++) {
    const struct hone_run *run = hone_run_list_at(runs, i);
    if (!is_listed(showing->settings, run)) continue;
    output_format(output, "%s{\"run\": %" PRId64, before, hone_run_number(run));
    before = ",\n ";
    json_text(output, "started", hone_run_started(run));
    json_text(output, "name", hone_run_name(run));
    json_text(output, "problem", hone_run_problem(run));
    json_text(output, "spec", hone_run_spec(run));
    json_text(output, "strategy", hone_run_strategy(run));
    json_text(output, "state", hone_run_state_name(hone_run_state(run)));
    json_text(output, "verdict", verdict_or_null(run));
    json_text(output, "winner", hone_run_winner(run));
    json_params(output, "winner_params", hone_run_winner(run));
    json_number(output, "speedup", hone_run_speedup(run));
    output_format(output, ", \"evaluations\": %" PRIu64 ", \"failures\": %" PRIu64,
                  hone_run_evaluations(run), hone_run_failures(run));
    json_number(output, "wall_s", hone_run_wall_s(run));
    json_saved_names(showing, run);
    output_text(output, "}");
  }
  output_text(output, "]\n");
}

/* Runs that are still made stay, and those that have a name. */
static bool is_deleted(const struct showing *showing, const struct hone_run *run)
{
  const char *name = saved_name(showing, run, 0);

  if (!is_listed(showing->settings, run) || hone_run_state(run) == HONE_RUN_RUNNING) return false;
  if (name)
    message_note("run %" PRId64 " is kept: it is saved as '%s'; 'hone show --forget-baseline %s' "
                 "drops the name",
                 hone_run_number(run), name, name);
  return !name;
}

static hone_status delete_listed(const struct showing *showing, const struct hone_run_list *runs)
{
  int64_t *numbers = check_memory(calloc(hone_run_list_count(runs) + 1, sizeof *numbers));
  hone_status status;
  size_t count = 0;

  for (size_t i = 0; i < hone_run_list_count(runs); i++) {
    const struct hone_run *run = hone_run_list_at(runs, i);
    if (is_deleted(showing, run)) numbers[count++] = hone_run_number(run);
  }
  status = hone_store_delete_runs(hone_store_file(showing->store), numbers, count);
  if (!status) message_note("deleted %zu of %zu runs", count, hone_run_list_count(runs));
  free(numbers);
  return status;
}

static hone_status show_list(struct showing *showing)
{
  struct hone_run_list *runs = NULL;
  hone_status status = hone_store_runs(showing->store, &runs);

  if (!status) status = hone_store_baselines(showing->store, &showing->saved);
  if (status) {
    hone_run_list_free(runs);
    return status;
  }
  if (showing->settings->delete_runs)
    status = delete_listed(showing, runs);
  else if (showing->settings->format == SHOW_JSON)
    list_json(showing, runs);
  else if (count_listed(showing->settings, runs))
    list_text(showing, runs);
  else if (hone_run_list_count(runs))
    message_note("none of the %zu runs matches", hone_run_list_count(runs));
  else
    message_note("'%s' holds no runs: see 'hone tune --help'", hone_store_file(showing->store));
  hone_baseline_list_free(showing->saved);
  hone_run_list_free(runs);
  return status;
}

/* ---- One run ---- */

static hone_status show_json(struct showing *showing, int64_t run)
{
  char *json = NULL;
  hone_status status = hone_report_json(showing->store, run, &json);

  if (status) return status;
  output_raw(&showing->output, json);
  output_text(&showing->output, "\n");
  free(json);
  return NULL;
}

static enum exit_code finish(struct output *output, hone_status status, enum exit_code code)
{
  if (status) code = message_status(status);
  return !output_close(output) && code == CLI_DONE ? CLI_FAILED : code;
}

static hone_status show_run(struct showing *showing, int64_t run)
{
  struct hone_report *report = NULL;
  struct report_view view = {.output = &showing->output,
                             .store = hone_store_file(showing->store),
                             .store_given = showing->settings->store,
                             .width = terminal_width(),
                             .is_verbose = showing->settings->common.verbose};
  hone_status status;

  if (showing->settings->format == SHOW_JSON && !showing->settings->pareto)
    return show_json(showing, run);
  status = hone_report_load(showing->store, run, &report);
  if (status) return status;
  view.report = report;
  if (showing->settings->pareto && !pareto_is_there(report))
    showing->code = CLI_FAILED;
  else if (showing->settings->pareto)
    status = pareto_print(&view, showing->store, showing->settings->format);
  else if (showing->settings->log)
    report_print_log(&view);
  else
    report_print(&view);
  hone_report_free(report);
  return status;
}

/* ---- The command ---- */

static void open_output(struct output *output, const struct show_settings *settings)
{
  output_open(output, STDOUT_FILENO,
              settings->format == SHOW_TEXT &&
                  terminal_has_color((enum color_mode)settings->common.color, STDOUT_FILENO));
}

static enum exit_code forget(const struct show_settings *settings)
{
  hone_status status = hone_store_forget_baseline(settings->store, settings->forget);

  if (status) return message_status(status);
  message_note("dropped the name '%s'; its runs are kept", settings->forget);
  return CLI_DONE;
}

/* The list of runs, or the report of one. */
static enum exit_code show(const struct show_settings *settings, const char *word)
{
  struct showing showing = {.settings = settings};
  int64_t run = 0;
  hone_status status;
  enum exit_code code;

  if (word && !result_word_is_run(word, &run)) return command_usage(&show_command);
  status = hone_store_open(settings->store, &showing.store);
  if (status) return message_status(status);
  open_output(&showing.output, settings);
  status = word ? show_run(&showing, run) : show_list(&showing);
  code = finish(&showing.output, status, showing.code);
  hone_store_free(showing.store);
  return code;
}

static enum exit_code show_results(const struct show_settings *settings,
                                   const struct word_list *words)
{
  struct output output;
  struct results_view view = {.output = &output,
                              .views = &settings->views,
                              .results = check_memory(calloc(words->count, sizeof *view.results)),
                              .count = words->count,
                              .format = settings->format};
  hone_status status = results_load_words(words, settings->store, view.results);
  enum exit_code code;

  open_output(&output, settings);
  if (!status) status = results_view_print(&view);
  code = finish(&output, status, CLI_DONE);
  results_free_all(view.results, view.count);
  return code;
}

/* Reports are of one run; results may be several, of files too. */
static bool wants_results(const struct show_settings *settings, const struct word_list *words)
{
  bool is_file = false;

  for (size_t i = 0; i < words->count; i++)
    if (result_word_is_file(words->words[i])) is_file = true;
  if (is_file || result_views_given(&settings->views)) return true;
  return !settings->pareto && (settings->format == SHOW_CSV || settings->format == SHOW_YAML);
}

static bool check_results(const struct show_settings *settings, const struct word_list *words)
{
  if (words->count == 0)
    message_error("give a run or a CSV file: hone show last --best");
  else if (settings->log)
    message_error("'--log' takes one run and no results options: hone show last --log");
  else if (settings->pareto)
    message_error("'--pareto' takes one run and no other views: hone show last --pareto");
  else if (settings->format == SHOW_CSV && words->count > 1)
    message_error("csv output takes one run or file, not %zu", words->count);
  else
    return result_views_check(&settings->views, settings->format) && result_words_check(words);
  return false;
}

static bool check_report(const struct show_settings *settings, const struct word_list *words)
{
  bool is_filtered = settings->state >= 0 || settings->name;

  if (words->count && (is_filtered || settings->delete_runs || settings->forget))
    message_error("'--state', '--name', '--delete' and '--forget-baseline' are for the list: "
                  "remove '%s'",
                  words->words[0]);
  else if (settings->delete_runs && !is_filtered)
    message_error("'--delete' needs '--state' or '--name'");
  else if (words->count > 1)
    message_error("give one run, not '%s' and '%s'", words->words[0], words->words[1]);
  else if (words->count == 0 && settings->log)
    message_error("'--log' needs a run: hone show last --log");
  else if (words->count == 0 && settings->pareto)
    message_error("'--pareto' needs a run: hone show last --pareto");
  else if (settings->log && settings->pareto)
    message_error("'--log' and '--pareto' cannot be combined");
  else if (settings->log && settings->format == SHOW_JSON)
    message_error("'--log' and '--format json' cannot be combined: json output includes the log");
  else
    return true;
  return false;
}

static enum exit_code run_show(const struct command *command, char **argv)
{
  struct show_settings settings = {.views.plot = -1, .state = -1};
  struct word_list words = {0};
  enum exit_code code;

  if (command_open(command, argv, &settings, &settings.common, &words, &code)) {
    if (wants_results(&settings, &words))
      code = check_results(&settings, &words) ? show_results(&settings, &words)
                                              : command_usage(command);
    else if (settings.forget && check_report(&settings, &words))
      code = forget(&settings);
    else
      code = check_report(&settings, &words) ? show(&settings, words.count ? words.words[0] : NULL)
                                             : command_usage(command);
  }
  command_close(command, &settings, &words);
  return code;
}

const struct command show_command = {
    .name = "show",
    .summary = "show results from the store or CSV files",
    .usage = "[RUN|last|FILE.csv]... [options]",
    .about = "Without arguments, lists all runs, newest first. For RUN, a number from this\n"
             "list or last, shows the report of the run. For FILE.csv, written by a sweep, by\n"
             "kbench or by a program, shows a summary of its rows. The options for results\n"
             "show the rows of runs and files.\n",
    .examples = "  hone show\n"
                "  hone show last\n"
                "  hone show --state failed\n"
                "  hone show 12 -v\n"
                "  hone show 12 --log\n"
                "  hone show 12 --format json >run12.json\n"
                "  hone show 12 --pareto --format csv >front.csv\n"
                "  hone show last --plot bars\n"
                "  hone show 12 13 --best --format yaml >best.yaml\n"
                "  hone show last --head 5\n"
                "  hone show output.csv --ratio --metric Arithmetic\n"
                "  hone show output.csv --top 5% --query 'M > 64'\n",
    .options = show_options,
    .words = run_words,
    .takes_files = true,
    .run = run_show,
};

const struct command runs_command = {
    .name = "runs",
    .summary = "the list of runs, as 'hone show' has it",
    .usage = "[options]",
    .about = "Lists all runs, newest first; see hone-show(1).\n",
    .examples = "  hone runs\n"
                "  hone runs --state interrupted\n",
    .options = show_options,
    .words = run_words,
    .is_hidden = true,
    .run = run_show,
};
