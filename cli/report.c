/* hone report: results as an HTML page, or as a picture. */
#include "command.h"

#include "cancel_signals.h"
#include "hone_results.h"
#include "inputs.h"
#include "picture.h"
#include "show_results.h"
#include "text_file.h"

#include <inttypes.h>
#include <stdlib.h>
#include <strings.h>
#include <unistd.h>

struct report_settings {
  struct common common;
  const char *output, *store, *metric, *title;
  struct word_list labels;
  int key;
  bool compare, follow;
  const char *address;
  uint64_t precision;
  int64_t groups_per_chart;
  const char *svg, *png, *pdf; /* the chart that is wanted as such a file */
};

static const char *const run_words[] = {"last", NULL};
static const char *const key_words[] = {"spec", "name", NULL}; /* as enum hone_match */

#define TARGET(field) .target = offsetof(struct report_settings, field)

static const struct option report_options[] = {
    HEADING("options"),
    OPTION(TEXT, "output", "FILE",
           "FILE.html, or FILE.svg for only the chart; default: standard output", TARGET(output),
           .letter = 'o', .takes_file = true),
    OPTION(TEXT, "svg", "NAME",
           "only this chart, as SVG for papers; 'list' prints the names of all charts",
           TARGET(svg)),
    OPTION(TEXT, "png", "NAME", "the same as a picture in pixels; needs '--output FILE.png'",
           TARGET(png)),
    OPTION(TEXT, "pdf", "NAME", "the same as PDF, or the whole 'page'; needs '--output FILE.pdf'",
           TARGET(pdf)),
    OPTION(TEXT, "metric", "NAME",
           "column to show, by name or number; default the objective, else the time",
           TARGET(metric), .alias = "plot-col"),
    OPTION(FLAG, "compare", NULL, "show ratios to the first results", TARGET(compare),
           .letter = 'c'),
    OPTION(CHOICE, "key", "NAME", "match rows by spec or name; default spec", TARGET(key),
           .letter = 'k', .words = key_words),
    OPTION(LIST, "label", "TEXT", "label of each of the results, in order; repeatable",
           TARGET(labels)),
    OPTION(TEXT, "title", "TEXT", "title of the page; default the name of the spec", TARGET(title)),
    OPTION(NUMBER, "prec", "N", "decimal places of values; default 2", TARGET(precision)),
    OPTION(INTEGER, "groups-per-chart", "N",
           "configurations per chart; 0: as many as are readable, -1: all",
           TARGET(groups_per_chart), .letter = 'g'),
    OPTION(FLAG, "follow", NULL,
           "serve the page of a run, and keep it up to date while the run goes on", TARGET(follow)),
    OPTION(
        TEXT, "address", "HOST:PORT",
        "where '--follow' listens; default 127.0.0.1 at a free port; elsewhere a token is needed",
        TARGET(address)),
    STORE_OPTION(struct report_settings),
    COMMON_OPTIONS(struct report_settings, common),
    {0},
};

static bool has_suffix(const char *path, const char *suffix)
{
  size_t length = strlen(path), size = strlen(suffix);

  return length >= size && strcasecmp(path + length - size, suffix) == 0;
}

/* ---- Options ---- */

static void fill_options(const struct report_settings *settings, const struct inputs *inputs,
                         struct hone_page_options *options)
{
  hone_page_options_init(options);
  options->results = (const struct hone_results *const *)inputs->results;
  options->reports = (const struct hone_report *const *)inputs->reports;
  options->count = inputs->count;
  options->title = settings->title;
  options->match = (enum hone_match)settings->key;
  options->compare = settings->compare;
  options->precision = (unsigned)settings->precision;
  options->groups_per_chart = settings->groups_per_chart;
}

/* ---- Writing ---- */

static enum exit_code print_text(const char *text)
{
  struct output output;

  output_open(&output, STDOUT_FILENO, false);
  output_raw(&output, text);
  return output_close(&output) ? CLI_DONE : CLI_FAILED;
}

static enum exit_code write_text(const struct report_settings *settings, const char *text)
{
  if (!settings->output || strcmp(settings->output, "-") == 0) return print_text(text);
  if (!text_file_write(settings->output, text)) return CLI_FAILED;
  message_note("wrote '%s'", settings->output);
  return CLI_DONE;
}

/* Which chart is wanted, and as what; false: the page is. */
static bool wants_picture(const struct report_settings *settings, struct picture_request *out)
{
  const char *const names[] = {settings->svg, settings->png, settings->pdf};

  *out = (struct picture_request){.output = settings->output};
  for (int i = PICTURE_SVG; i <= PICTURE_PDF && !out->name; i++) {
    out->name = names[i];
    out->format = (enum picture_format)i;
  }
  return out->name != NULL;
}

static enum exit_code write_page(const struct report_settings *settings, const char *page)
{
  struct picture_request request;

  return wants_picture(settings, &request) ? picture_make(&request, page)
                                           : write_text(settings, page);
}

/* ---- Runs without results ---- */

static bool is_empty(const struct inputs *inputs, size_t i)
{
  return inputs->reports[i] && !hone_results_row_count(inputs->results[i]);
}

static size_t count_empty(const struct inputs *inputs)
{
  size_t count = 0;

  for (size_t i = 0; i < inputs->count; i++)
    count += is_empty(inputs, i);
  return count;
}

static void drop(const struct inputs *inputs, size_t i)
{
  message_warning("run %" PRId64 " has no results and is left out: %s",
                  hone_report_run(inputs->reports[i]), hone_report_sentence(inputs->reports[i]));
  hone_results_free(inputs->results[i]);
  hone_report_free(inputs->reports[i]);
}

/* Those of problems whose baseline fails: the page is of the others. */
static void leave_out_empty(struct inputs *inputs, const char **labels)
{
  size_t kept = 0;

  if (count_empty(inputs) == inputs->count) return;
  for (size_t i = 0; i < inputs->count; i++) {
    if (is_empty(inputs, i)) {
      drop(inputs, i);
      continue;
    }
    labels[kept] = labels[i];
    inputs->results[kept] = inputs->results[i];
    inputs->reports[kept++] = inputs->reports[i];
  }
  inputs->count = kept;
}

static enum exit_code make_report(const struct report_settings *settings, struct inputs *inputs)
{
  bool is_picture = settings->output && has_suffix(settings->output, ".svg") && !settings->svg;
  const char **labels = check_memory(calloc(inputs->count + 1, sizeof *labels));
  struct hone_page_options options;
  enum exit_code code = CLI_FAILED;
  hone_status status = NULL;
  char *text = NULL;

  for (size_t i = 0; i < settings->labels.count; i++)
    labels[i] = settings->labels.words[i];
  if (!settings->compare) leave_out_empty(inputs, labels);
  fill_options(settings, inputs, &options);
  options.labels = labels;
  if (result_metric_read(inputs->results[0], settings->metric, &options.metric)) {
    status = (is_picture ? hone_results_chart : hone_results_page)(&options, &text);
    code = status ? message_status(status) : write_page(settings, text);
  }
  free(text);
  free(labels);
  return code;
}

/* ---- The command ---- */

static enum exit_code report_words(const struct report_settings *settings,
                                   const struct word_list *words)
{
  struct inputs inputs = {0};
  enum exit_code code = inputs_load(&inputs, words, settings->store);

  if (code != CLI_DONE) return code;
  code = make_report(settings, &inputs);
  inputs_release(&inputs);
  return code;
}

/* ---- A page that follows its run ---- */

static void tell_address(void *data, const char *url)
{
  (void)data;
  message_note("live page: %s", url);
}

static bool goes_on(void *data)
{
  (void)data;
  return !cancel_signals_caught();
}

static enum exit_code follow(const struct report_settings *settings, const char *word)
{
  struct hone_live_options options;
  struct cancel_signals signals;
  hone_status status;

  hone_live_options_init(&options);
  options.run = strtoll(word, NULL, 10); /* last: 0 */
  if (settings->address) options.address = settings->address;
  options.store = settings->store;
  options.ready = tell_address;
  options.goes_on = goes_on;
  cancel_signals_begin(&signals);
  status = hone_live_serve(&options);
  cancel_signals_end(&signals);
  return status ? message_status(status) : CLI_DONE;
}

static bool check_follow(const struct report_settings *settings, const struct word_list *words)
{
  int64_t run;

  if (settings->address && !settings->follow)
    message_error("'--address' needs '--follow'");
  else if (settings->follow && (words->count != 1 || result_word_is_file(words->words[0])))
    message_error("'--follow' takes one run: hone report last --follow");
  else if (settings->follow && settings->output)
    message_error("'--follow' writes no file: remove '--output'");
  else
    return !settings->follow || result_word_is_run(words->words[0], &run);
  return false;
}

static bool check_suffix(const char *output, const char *suffix, const char *option)
{
  bool is_good = output && has_suffix(output, suffix);

  if (!is_good) message_error("'--%s' needs a file: '--output FILE%s'", option, suffix);
  return is_good;
}

static bool check_pictures(const struct report_settings *settings)
{
  int count = (settings->svg != NULL) + (settings->png != NULL) + (settings->pdf != NULL);

  if (count > 1)
    message_error("give one of '--svg', '--png' and '--pdf'");
  else if (count && settings->follow)
    message_error("'--follow' writes no file: remove '--svg', '--png' and '--pdf'");
  else if (settings->svg && settings->output && strcmp(settings->output, "-") != 0)
    return check_suffix(settings->output, ".svg", "svg");
  else if (settings->png)
    return check_suffix(settings->output, ".png", "png");
  else if (settings->pdf)
    return check_suffix(settings->output, ".pdf", "pdf");
  else
    return true;
  return false;
}

static bool check_words(const struct report_settings *settings, const struct word_list *words)
{
  const char *output = settings->output;

  if (!words->count)
    message_error("nothing to report: give runs (last, 12) or CSV files");
  else if (settings->compare && words->count < 2)
    message_error("'--compare' needs at least two results");
  else if (settings->labels.count > words->count)
    message_error("more labels than results: %zu and %zu", settings->labels.count, words->count);
  else if (settings->precision > 12)
    message_error("'--prec' is at most 12");
  else if (settings->groups_per_chart < -1)
    message_error("'--groups-per-chart' is a number, 0 or -1");
  else if (!check_pictures(settings))
    return false;
  else if (output && !settings->png && !settings->pdf && strcmp(output, "-") != 0 &&
           !has_suffix(output, ".html") && !has_suffix(output, ".htm") &&
           !has_suffix(output, ".svg"))
    message_error("'%s' must end in .html or .svg; see '--png' and '--pdf'", output);
  else
    return result_words_check(words);
  return false;
}

static enum exit_code run_report(const struct command *command, char **argv)
{
  struct report_settings settings = {.precision = 2};
  struct word_list words = {0};
  enum exit_code code;

  if (command_open(command, argv, &settings, &settings.common, &words, &code))
    code = !check_follow(&settings, &words) || !check_words(&settings, &words)
               ? command_usage(command)
           : settings.follow ? follow(&settings, words.words[0])
                             : report_words(&settings, &words);
  command_close(command, &settings, &words);
  return code;
}

const struct command report_command = {
    .name = "report",
    .summary = "write results as an HTML page with a chart",
    .usage = "RUN|last|FILE.csv... [options]",
    .about = "Writes one self-contained HTML file: key figures, a chart with a bar for "
             "each\nconfiguration of each of the results, tables of results and failures, and "
             "their\nsources. With several results, the first is the baseline.\n",
    .examples = "  hone report last -o run.html\n"
                "  hone report main.csv branch.csv -o branch.html --label main --label branch\n"
                "  hone report main.csv branch.csv --compare -o ratios.svg\n"
                "  hone report last --svg list\n"
                "  hone report last --svg bars -o bars.svg\n",
    .options = report_options,
    .words = run_words,
    .takes_files = true,
    .run = run_report,
};
