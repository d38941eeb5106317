/* hone compare: compares two or more measurements of the same. */
#include "command.h"

#include "compare_print.h"
#include "compare_slower.h"
#include "hone_results.h"
#include "saved_baselines.h"
#include "show_results.h"
#include "terminal.h"
#include "text_file.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

struct compare_settings {
  struct common common;
  const char *metric, *store, *output;
  int key, format;
  struct word_list labels;
  double threshold, margin, fail_above, fail_mean_above, fail_if_slower; /* NaN: not given */
  bool best;
};

static const char *const key_words[] = {"spec", "name", NULL};
static const char *const format_words[] = {"text", "csv", "json", "html", NULL};
static const char *const run_words[] = {"last", NULL};

#define TARGET(field) .target = offsetof(struct compare_settings, field)

static const struct option compare_options[] = {
    HEADING("input"),
    OPTION(
        TEXT, "metric", "NAME",
        "column to compare: its name, a prefix or its number; default the objective, else the time",
        .letter = 'm', .alias = "plot-col", TARGET(metric)),
    OPTION(CHOICE, "key", "spec|name", "match rows by spec or name; default spec", .letter = 'k',
           TARGET(key), .words = key_words),
    OPTION(FLAG, "best", NULL, "compare the best row of each with the best row of the first",
           .letter = 'd', .alias = "diff", TARGET(best)),
    OPTION(PERCENT, "threshold", "PERCENT", "difference below which rows count as equal; default 5",
           TARGET(threshold)),
    OPTION(PERCENT, "margin", "PERCENT",
           "a change of samples that is proved to be smaller is SAME; default 2", TARGET(margin)),
    HEADING("for scripts"),
    OPTION(
        PERCENT, "fail-if-slower", "PERCENT",
        "exit with status 3 if a row of a run, or their mean, is proved to be slower, and by more "
        "than this",
        TARGET(fail_if_slower)),
    OPTION(PERCENT, "fail-above", "PERCENT", "exit with status 3 if any row got worse by more",
           TARGET(fail_above)),
    OPTION(PERCENT, "fail-mean-above", "PERCENT",
           "exit with status 3 if the geometric mean got worse by more", TARGET(fail_mean_above)),
    OPTION(CHOICE, "format", "NAME", "text, csv, json or html; default text", TARGET(format),
           .letter = 'f', .words = format_words),
    OPTION(TEXT, "output", "FILE.html",
           "write an HTML page with the verdicts, a chart and a table into this file",
           TARGET(output), .letter = 'o', .takes_file = true),
    HEADING("other options"),
    OPTION(LIST, "label", "TEXT", "labels of the results, in order; repeatable", .letter = 'l',
           TARGET(labels)),
    STORE_OPTION(struct compare_settings),
    COMMON_OPTIONS(struct compare_settings, common),
    {0},
};

struct comparing {
  const struct compare_settings *settings;
  struct hone_results **results;
  size_t count;
  const struct word_list *words; /* as they were given */
  char **named;                  /* the run of each word that is a saved name, else NULL */
  const char **labels;
  struct hone_comparison *comparison;
};

/* ---- Labels ---- */

static const char *base_name(const char *path)
{
  const char *slash = strrchr(path, '/');

  return slash ? slash + 1 : path;
}

/* Saved names; file names without folders, unless that makes two of them equal. */
static void choose_labels(struct comparing *comparing)
{
  const struct word_list *given = &comparing->settings->labels;

  for (size_t i = 0; i < comparing->count; i++)
    comparing->labels[i] = i < given->count ? given->words[i]
                           : comparing->named[i]
                               ? comparing->words->words[i]
                               : base_name(hone_results_origin(comparing->results[i]));
  for (size_t i = given->count; i < comparing->count; i++)
    for (size_t j = 0; j < comparing->count; j++)
      if (i != j && !comparing->named[i] &&
          strcmp(base_name(hone_results_origin(comparing->results[i])),
                 base_name(hone_results_origin(comparing->results[j]))) == 0)
        comparing->labels[i] = hone_results_origin(comparing->results[i]);
}

/* ---- What is wrong ---- */

static bool has_pairs(const struct comparing *comparing)
{
  const struct hone_comparison *comparison = comparing->comparison;

  for (size_t i = 1; i < hone_comparison_count(comparison); i++) {
    const struct hone_compared *sum = hone_comparison_at(comparison, i);
    if (hone_compared_better(sum) + hone_compared_worse(sum) + hone_compared_equal(sum) > 0)
      continue;
    message_error("no row of '%s' matches a row with a number in '%s': rows are matched by %s; see "
                  "'--key' and '--best'",
                  comparing->labels[0], comparing->labels[i], key_words[comparing->settings->key]);
    return false;
  }
  return true;
}

static bool has_bests(const struct comparing *comparing)
{
  for (size_t i = 0; i < comparing->count; i++) {
    if (hone_compared_best(hone_comparison_at(comparing->comparison, i))) continue;
    message_error("'%s' has no row with a number for '%s'", comparing->labels[i],
                  hone_comparison_metric(comparing->comparison));
    return false;
  }
  return true;
}

/* Parameters that have one value in each of two results, and not the same. */
static void note_fixed(const struct comparing *comparing, size_t i,
                       const struct hone_result_names *first,
                       const struct hone_result_names *second)
{
  for (size_t j = 0; j < hone_result_names_count(first); j++)
    for (size_t k = 0; k < hone_result_names_count(second); k++) {
      const char *name = hone_result_names_name(first, j);
      const char *here = hone_result_names_value(first, j),
                 *there = hone_result_names_value(second, k);
      if (here && there && strcmp(name, hone_result_names_name(second, k)) == 0 &&
          strcmp(here, there) != 0)
        message_note("%s is %s in '%s' and %s in '%s'", name, here, comparing->labels[0], there,
                     comparing->labels[i]);
    }
}

/* The best of different shapes cannot be compared. */
static void note_differences(const struct comparing *comparing)
{
  for (size_t i = 1; i < comparing->count; i++) {
    const struct hone_results *pair[] = {comparing->results[0], comparing->results[i]};
    struct hone_result_names *first = hone_results_names(&pair[0], 1),
                             *second = hone_results_names(&pair[1], 1);
    note_fixed(comparing, i, first, second);
    hone_result_names_free(first);
    hone_result_names_free(second);
  }
}

/* Results of different problems, kernels, objectives or devices cannot be compared. */
static bool note_other_subjects(const struct comparing *comparing)
{
  bool is_other = false;

  for (size_t i = 1; i < comparing->count; i++) {
    struct hone_differences *differences =
        hone_results_differences(comparing->results[0], comparing->results[i]);
    is_other = is_other || hone_differences_count(differences);
    for (size_t j = 0; j < hone_differences_count(differences); j++)
      message_note("warning: different %s: '%s' in '%s', '%s' in '%s'",
                   hone_subject_name(hone_differences_subject(differences, j)),
                   hone_differences_first(differences, j), comparing->labels[0],
                   hone_differences_second(differences, j), comparing->labels[i]);
    hone_differences_free(differences);
  }
  return is_other;
}

/* ---- Limits ---- */

static enum exit_code judge(const struct comparing *comparing, size_t i, const char *what,
                            double ratio, double limit)
{
  double loss = compare_loss(comparing->comparison, ratio);

  if (!(loss > 1 + limit)) return CLI_DONE;
  message_error("%s of '%s' is worse than '%s' by %.1f%%, more than %g%%", what,
                comparing->labels[i], comparing->labels[0], 100 * (loss - 1), 100 * limit);
  return CLI_NOT_IMPROVED;
}

static enum exit_code check_limits(const struct comparing *comparing)
{
  const struct compare_settings *settings = comparing->settings;
  const struct hone_compared *first = hone_comparison_at(comparing->comparison, 0);
  const struct slower_check slower = {.comparison = comparing->comparison,
                                      .labels = comparing->labels,
                                      .limit = settings->fail_if_slower,
                                      .only_best = settings->best};
  enum exit_code code = compare_check_slower(&slower);

  for (size_t i = 1; i < comparing->count && code == CLI_DONE; i++) {
    const struct hone_compared *result = hone_comparison_at(comparing->comparison, i);
    double best = hone_compared_best_value(result) / hone_compared_best_value(first);
    if (settings->best) {
      code = judge(comparing, i, "the best row", best,
                   fmin(settings->fail_above, settings->fail_mean_above));
      continue;
    }
    code = judge(comparing, i, "a row", hone_compared_worst_ratio(result), settings->fail_above);
    if (code == CLI_DONE)
      code = judge(comparing, i, "the mean", hone_compared_mean_ratio(result),
                   settings->fail_mean_above);
  }
  return code;
}

/* ---- The command ---- */

static void print(const struct comparing *comparing, struct output *output)
{
  static void (*const printers[])(const struct compare_view *) = {
      [COMPARE_TEXT] = compare_print_text,
      [COMPARE_CSV] = compare_print_csv,
      [COMPARE_JSON] = compare_print_json,
  };
  const struct compare_settings *settings = comparing->settings;
  struct compare_view view = {.output = output,
                              .comparison = comparing->comparison,
                              .results = (const struct hone_results *const *)comparing->results,
                              .labels = comparing->labels,
                              .threshold = settings->threshold,
                              .by_name = settings->key == HONE_MATCH_NAME,
                              .is_verbose = settings->common.verbose};

  if (settings->best)
    compare_print_best(&view, (enum compare_format)settings->format);
  else
    printers[settings->format](&view);
}

/* The same in a browser. */
static enum exit_code write_page(const struct comparing *comparing)
{
  const struct compare_settings *settings = comparing->settings;
  struct hone_page_options options;
  hone_status status;
  char *page = NULL;
  bool is_written;

  hone_page_options_init(&options);
  options.results = (const struct hone_results *const *)comparing->results;
  options.labels = comparing->labels;
  options.count = comparing->count;
  options.metric = hone_comparison_metric(comparing->comparison);
  options.match = (enum hone_match)settings->key;
  options.margin = settings->margin;
  status = hone_results_page(&options, &page);
  if (status) return message_status(status);
  is_written = text_file_print(settings->output, page);
  if (is_written && settings->output && strcmp(settings->output, "-") != 0)
    message_note("wrote '%s'", settings->output);
  hone_free(page);
  return is_written ? CLI_DONE : CLI_FAILED;
}

static enum exit_code print_tables(struct comparing *comparing)
{
  const struct compare_settings *settings = comparing->settings;
  struct output output;

  output_open(&output, STDOUT_FILENO,
              settings->format == COMPARE_TEXT &&
                  terminal_has_color((enum color_mode)settings->common.color, STDOUT_FILENO));
  print(comparing, &output);
  return output_close(&output) ? CLI_DONE : CLI_FAILED;
}

static enum exit_code print_all(struct comparing *comparing)
{
  const struct compare_settings *settings = comparing->settings;
  enum exit_code code;

  if (note_other_subjects(comparing) && !isnan(settings->fail_if_slower)) {
    message_error(
        "'--fail-if-slower' compares only the same kernel, problem, objective, device and "
        "machine");
    return CLI_FAILED;
  }
  if (settings->best ? !has_bests(comparing) : !has_pairs(comparing)) return CLI_FAILED;
  if (settings->best) note_differences(comparing);
  code = settings->format == COMPARE_HTML ? write_page(comparing) : print_tables(comparing);
  return code == CLI_DONE ? check_limits(comparing) : code;
}

static enum exit_code compare(struct comparing *comparing)
{
  const struct compare_settings *settings = comparing->settings;
  struct hone_compare_options options;
  hone_status status;
  enum exit_code code;

  hone_compare_options_init(&options);
  options.match = (enum hone_match)settings->key;
  options.threshold = settings->threshold;
  options.margin = settings->margin;
  if (!result_metric_read(comparing->results[0], settings->metric, &options.metric))
    return CLI_FAILED;
  choose_labels(comparing);
  status = hone_results_compare((const struct hone_results *const *)comparing->results,
                                comparing->count, &options, &comparing->comparison);
  if (status) return message_status(status);
  code = print_all(comparing);
  hone_comparison_free(comparing->comparison);
  return code;
}

static enum exit_code load_and_compare(struct compare_settings *settings,
                                       const struct word_list *words, const struct word_list *given,
                                       char **named)
{
  struct comparing comparing = {
      .settings = settings,
      .results = check_memory(calloc(words->count, sizeof *comparing.results)),
      .count = words->count,
      .words = given,
      .named = named,
      .labels = check_memory(calloc(words->count, sizeof *comparing.labels))};
  hone_status status = results_load_words(words, settings->store, comparing.results);
  enum exit_code code;

  if (settings->output) settings->format = COMPARE_HTML;
  if (!status) status = results_load_samples(settings->store, comparing.results, comparing.count);
  code = status ? message_status(status) : compare(&comparing);

  results_free_all(comparing.results, comparing.count);
  free(comparing.labels);
  return code;
}

static bool check_words(const struct compare_settings *settings, const struct word_list *words)
{
  if (words->count < 2 || words->count > MOST_COMPARED) {
    message_error("give two to %d results, not %zu: hone compare old.csv new.csv", MOST_COMPARED,
                  words->count);
    return false;
  }
  if (settings->labels.count && settings->labels.count != words->count) {
    message_error("%zu labels for %zu results: give one per result", settings->labels.count,
                  words->count);
    return false;
  }
  if (settings->output && settings->format != COMPARE_HTML && settings->format != COMPARE_TEXT) {
    message_error("'--output' writes HTML: remove '--format'");
    return false;
  }
  if (settings->best && (settings->output || settings->format == COMPARE_HTML)) {
    message_error("'--best' has no HTML page: remove '--best', or '--output' and '--format html'");
    return false;
  }
  return true;
}

/* Names first: any other word is a run or a file. */
static enum exit_code name_and_compare(const struct command *command,
                                       struct compare_settings *settings,
                                       const struct word_list *given)
{
  struct word_list words = {0};
  char **named = NULL;
  enum exit_code code = CLI_FAILED;

  if (saved_names_resolve(settings->store, given, &words, &named))
    code = result_words_check(&words) ? load_and_compare(settings, &words, given, named)
                                      : command_usage(command);
  for (size_t i = 0; i < given->count; i++)
    free(named[i]);
  free(named);
  word_list_release(&words);
  return code;
}

static enum exit_code run_compare(const struct command *command, char **argv)
{
  struct compare_settings settings = {.threshold = 0.05,
                                      .margin = 0.02,
                                      .fail_above = NAN,
                                      .fail_mean_above = NAN,
                                      .fail_if_slower = NAN};
  struct word_list words = {0};
  enum exit_code code;

  if (command_open(command, argv, &settings, &settings.common, &words, &code))
    code = check_words(&settings, &words) ? name_and_compare(command, &settings, &words)
                                          : command_usage(command);
  command_close(command, &settings, &words);
  return code;
}

const struct command compare_command = {
    .name = "compare",
    .summary = "compare results, row by row",
    .usage = "BASELINE OTHER... [options]",
    .about = "Each of the results is a CSV file of a sweep, of kbench or of a program, the\n"
             "number of a run, last, or the name of a saved baseline ('hone tune\n"
             "--save-baseline'). The first is the baseline. Rows with the same spec are\n"
             "compared; ratios are relative to the baseline. Times are converted to the\n"
             "baseline's unit. Rows of runs are judged by their samples: FASTER, SLOWER, SAME\n"
             "or INCONCLUSIVE.\n",
    .examples = "  hone compare main.csv branch.csv\n"
                "  hone compare 12 last --label main --label branch\n"
                "  hone compare 12 last --fail-if-slower 3\n"
                "  hone compare 12 last -o compare.html\n"
                "  hone compare main.csv branch.csv --fail-above 10\n"
                "  hone compare main.csv branch.csv --metric Arithmetic --format csv\n"
                "  hone compare main.csv branch.csv --best\n",
    .options = compare_options,
    .words = run_words,
    .takes_files = true,
    .run = run_compare,
};
