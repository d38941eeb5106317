/* hone compare: compares two or more measurements of the same. */
#include "command.h"

#include "compare_print.h"
#include "hone_results.h"
#include "show_results.h"
#include "terminal.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

struct compare_settings {
  struct common common;
  const char *metric, *store;
  int key, format;
  struct word_list labels;
  double threshold, fail_above, fail_mean_above; /* NaN: not given */
  bool best;
};

static const char *const key_words[] = {"spec", "name", NULL};
static const char *const format_words[] = {"text", "csv", "json", NULL};
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
    HEADING("for scripts"),
    OPTION(PERCENT, "fail-above", "PERCENT", "exit with status 3 if any row got worse by more",
           TARGET(fail_above)),
    OPTION(PERCENT, "fail-mean-above", "PERCENT",
           "exit with status 3 if the geometric mean got worse by more", TARGET(fail_mean_above)),
    OPTION(CHOICE, "format", "NAME", "text, csv or json; default text", TARGET(format),
           .letter = 'f', .words = format_words),
    HEADING("other options"),
    OPTION(LIST, "label", "TEXT", "labels of the results, in order; repeatable", .letter = 'l',
           TARGET(labels)),
    OPTION(TEXT, "store", "FILE", "store with the runs; default $HONE_STORE, else the user's store",
           TARGET(store), .takes_file = true),
    COMMON_OPTIONS(struct compare_settings, common),
    {0},
};

struct comparing {
  const struct compare_settings *settings;
  struct hone_results **results;
  size_t count;
  const char **labels;
  struct hone_comparison *comparison;
};

/* ---- Labels ---- */

static const char *base_name(const char *path)
{
  const char *slash = strrchr(path, '/');

  return slash ? slash + 1 : path;
}

/* File names without folders, unless that makes two of them equal. */
static void choose_labels(struct comparing *comparing)
{
  const struct word_list *given = &comparing->settings->labels;

  for (size_t i = 0; i < comparing->count; i++)
    comparing->labels[i] =
        i < given->count ? given->words[i] : base_name(comparing->results[i]->origin);
  for (size_t i = given->count; i < comparing->count; i++)
    for (size_t j = 0; j < comparing->count; j++)
      if (i != j && strcmp(base_name(comparing->results[i]->origin),
                           base_name(comparing->results[j]->origin)) == 0)
        comparing->labels[i] = comparing->results[i]->origin;
}

/* ---- What is wrong ---- */

static bool has_pairs(const struct comparing *comparing)
{
  const struct hone_comparison *comparison = comparing->comparison;

  for (size_t i = 1; i < comparison->count; i++) {
    const struct hone_compared *sum = &comparison->results[i];
    if (sum->better + sum->worse + sum->equal > 0) continue;
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
    if (comparing->comparison->results[i].best) continue;
    message_error("'%s' has no row with a number for '%s'", comparing->labels[i],
                  comparing->comparison->metric);
    return false;
  }
  return true;
}

/* The best of different shapes cannot be compared. */
static void note_differences(const struct comparing *comparing)
{
  for (size_t i = 1; i < comparing->count; i++) {
    const struct hone_results *pair[] = {comparing->results[0], comparing->results[i]};
    struct hone_result_name *first, *second;
    size_t count = hone_results_names(&pair[0], 1, &first),
           others = hone_results_names(&pair[1], 1, &second);
    for (size_t j = 0; j < count; j++)
      for (size_t k = 0; k < others; k++)
        if (first[j].value && second[k].value && strcmp(first[j].name, second[k].name) == 0 &&
            strcmp(first[j].value, second[k].value) != 0)
          message_note("%s is %s in '%s' and %s in '%s'", first[j].name, first[j].value,
                       comparing->labels[0], second[k].value, comparing->labels[i]);
    free(first);
    free(second);
  }
}

/* Results of different problems, kernels, objectives or devices cannot be compared. */
static void note_other_subjects(const struct comparing *comparing)
{
  for (size_t i = 1; i < comparing->count; i++) {
    struct hone_subject_difference *differences;
    size_t count =
        hone_results_differences(comparing->results[0], comparing->results[i], &differences);
    for (size_t j = 0; j < count; j++)
      message_note("warning: different %s: '%s' in '%s', '%s' in '%s'", differences[j].what,
                   differences[j].first, comparing->labels[0], differences[j].second,
                   comparing->labels[i]);
    free(differences);
  }
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
  const struct hone_compared *results = comparing->comparison->results;
  enum exit_code code = CLI_DONE;

  for (size_t i = 1; i < comparing->count && code == CLI_DONE; i++) {
    double best = results[i].best_value / results[0].best_value;
    if (settings->best) {
      code = judge(comparing, i, "the best row", best,
                   fmin(settings->fail_above, settings->fail_mean_above));
      continue;
    }
    code = judge(comparing, i, "a row", results[i].worst_ratio, settings->fail_above);
    if (code == CLI_DONE)
      code = judge(comparing, i, "the mean", results[i].mean_ratio, settings->fail_mean_above);
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

static enum exit_code print_all(struct comparing *comparing)
{
  const struct compare_settings *settings = comparing->settings;
  struct output output;

  note_other_subjects(comparing);
  if (settings->best ? !has_bests(comparing) : !has_pairs(comparing)) return CLI_FAILED;
  if (settings->best) note_differences(comparing);
  output_open(&output, STDOUT_FILENO,
              settings->format == COMPARE_TEXT &&
                  terminal_has_color((enum color_mode)settings->common.color, STDOUT_FILENO));
  print(comparing, &output);
  if (!output_close(&output)) return CLI_FAILED;
  return check_limits(comparing);
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

static enum exit_code load_and_compare(const struct compare_settings *settings,
                                       const struct word_list *words)
{
  struct comparing comparing = {
      .settings = settings,
      .results = check_memory(calloc(words->count, sizeof *comparing.results)),
      .count = words->count,
      .labels = check_memory(calloc(words->count, sizeof *comparing.labels))};
  hone_status status = results_load_words(words, settings->store, comparing.results);
  enum exit_code code = status ? message_status(status) : compare(&comparing);

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
  return result_words_check(words);
}

static enum exit_code run_compare(const struct command *command, char **argv)
{
  struct compare_settings settings = {.threshold = 0.05, .fail_above = NAN, .fail_mean_above = NAN};
  struct word_list words = {0};
  enum exit_code code;

  if (command_open(command, argv, &settings, &settings.common, &words, &code))
    code = check_words(&settings, &words) ? load_and_compare(&settings, &words)
                                          : command_usage(command);
  command_close(command, &settings, &words);
  return code;
}

const struct command compare_command = {
    .name = "compare",
    .summary = "compare results, row by row",
    .usage = "BASELINE OTHER... [options]",
    .about = "Each of the results is a CSV file of a sweep, of kbench or of a program, the\n"
             "number of a run, or last. The first is the baseline. Rows with the same spec are\n"
             "compared; ratios are relative to the baseline. Times are converted to the\n"
             "baseline's unit.\n",
    .examples = "  hone compare main.csv branch.csv\n"
                "  hone compare 12 last --label main --label branch\n"
                "  hone compare main.csv branch.csv --fail-above 10\n"
                "  hone compare main.csv branch.csv --metric Arithmetic --format csv\n"
                "  hone compare main.csv branch.csv --best\n",
    .options = compare_options,
    .words = run_words,
    .takes_files = true,
    .run = run_compare,
};
