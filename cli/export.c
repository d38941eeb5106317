/* hone export: writes tuned values into a source file, and checks that they are still there. */
#include "command.h"

#include "export_formats.h"
#include "hone_iree.h"
#include "hone_replay.h"
#include "hone_results.h"
#include "inputs.h"
#include "show_results.h"
#include "suspicious.h"
#include "terminal.h"
#include "text_file.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct export_settings {
  struct common common;
  const char *manifest, *snippet, *target, *store, *metric, *config;
  const char *begin_marker, *end_marker, *source_label, *comment, *separator, *output;
  int format;
  struct word_list variants;
  uint64_t indent;
  bool check, force;
};

static const char *const run_words[] = {"last", NULL};
static const char *const format_words[] = {"snippet", "mlir",         "json",     "csv",   "yaml",
                                           "t4",      "kbench",       "header",   "flags", "wisdom",
                                           "vllm",    "kernel-tuner", "markdown", NULL};
enum {
  FORMAT_SNIPPET,
  FORMAT_MLIR,
  FORMAT_JSON,
  FORMAT_CSV,
  FORMAT_YAML,
  FORMAT_T4,
  FORMAT_KBENCH,
  FORMAT_HEADER,
  FORMAT_FLAGS,
  FORMAT_WISDOM,
  FORMAT_VLLM,
  FORMAT_KERNEL_TUNER,
  FORMAT_MARKDOWN
};

static const struct format {
  bool is_of_runs;   /* not of CSV files */
  bool has_all_rows; /* of one run or file */
  bool is_written;   /* by hone_format_runs, as: */
  enum hone_format format;
} formats[] = {
    [FORMAT_SNIPPET] = {0},
    [FORMAT_MLIR] = {.is_of_runs = true},
    [FORMAT_JSON] = {.has_all_rows = true},
    [FORMAT_CSV] = {.has_all_rows = true},
    [FORMAT_YAML] = {0},
    [FORMAT_T4] = {.is_of_runs = true, .has_all_rows = true},
    [FORMAT_KBENCH] = {.has_all_rows = true},
    [FORMAT_HEADER] = {.is_of_runs = true, .is_written = true, .format = HONE_FORMAT_HEADER},
    [FORMAT_FLAGS] = {.is_of_runs = true, .is_written = true, .format = HONE_FORMAT_FLAGS},
    [FORMAT_WISDOM] = {.is_of_runs = true, .is_written = true, .format = HONE_FORMAT_WISDOM},
    [FORMAT_VLLM] = {.is_of_runs = true, .is_written = true, .format = HONE_FORMAT_VLLM},
    [FORMAT_KERNEL_TUNER] = {.is_of_runs = true,
                             .has_all_rows = true,
                             .is_written = true,
                             .format = HONE_FORMAT_KERNEL_TUNER},
    [FORMAT_MARKDOWN] = {.is_of_runs = true, .is_written = true, .format = HONE_FORMAT_MARKDOWN},
};

#define TARGET(field) .target = offsetof(struct export_settings, field)

static const struct option export_options[] = {
    HEADING("input and output"),
    OPTION(TEXT, "manifest", "FILE",
           "take the entries from the mappings of `params` in this YAML file", TARGET(manifest),
           .takes_file = true),
    OPTION(TEXT, "snippet", "FILE", "template for an entry; [@NAME] is replaced by a value",
           TARGET(snippet), .takes_file = true),
    OPTION(LIST, "snippet-variant", "NAME=FILE",
           "template for entries with `_template` NAME; repeatable", TARGET(variants)),
    OPTION(TEXT, "into", "FILE", "source file to update; also --target", TARGET(target),
           .alias = "target", .takes_file = true),
    OPTION(TEXT, "begin-marker", "TEXT", "text of the line before the region; default hone:begin",
           TARGET(begin_marker), .takes_dashes = true),
    OPTION(TEXT, "end-marker", "TEXT", "text of the line after the region; default hone:end",
           TARGET(end_marker), .takes_dashes = true),
    OPTION(FLAG, "check", NULL,
           "write nothing; if the file is out of date, print the changes and exit with 1",
           TARGET(check)),

    OPTION(CHOICE, "format", "FORMAT",
           "snippet; header, flags: the winner for a C compiler; wisdom: winners for "
           "libhone-wisdom; vllm: for vLLM; yaml: a spec; mlir: a tuning spec of IREE; json, csv, "
           "markdown: all evaluations; t4, kernel-tuner: a recording; kbench: CSV of kbench",
           TARGET(format), .letter = 'f', .words = format_words),
    OPTION(TEXT, "output", "FILE", "output file of the other formats; default standard output",
           TARGET(output), .letter = 'o', .takes_file = true),

    HEADING("how"),
    OPTION(TEXT, "source-label", "TEXT", "name of the entries' source in comments",
           TARGET(source_label)),
    OPTION(NUMBER, "indent", "N", "number of spaces before each line; default 8", TARGET(indent)),
    OPTION(TEXT, "comment", "TEXT", "comment prefix; '' for no comments; default by the suffix",
           TARGET(comment), .takes_dashes = true),
    OPTION(TEXT, "separator", "TEXT",
           "text after each entry; default a comma in Mojo and Python, else nothing",
           TARGET(separator)),
    OPTION(TEXT, "metric", "NAME", "column to rank by; default the objective, else the time",
           TARGET(metric)),
    OPTION(TEXT, "config", "K=V,...", "export this configuration instead of the best",
           TARGET(config)),
    OPTION(FLAG, "force", NULL,
           "also export what is not proved, or marked SUSPICIOUS (implausibly fast)",
           TARGET(force)),
    OPTION(TEXT, "store", "FILE",
           "store with the results; default $HONE_STORE, else the user's store", TARGET(store),
           .takes_file = true),
    COMMON_OPTIONS(struct export_settings, common),
    {0},
};

static void fill_options(const struct export_settings *settings,
                         struct hone_export_options *options)
{
  hone_export_options_init(options);
  options->manifest = settings->manifest;
  options->metric = settings->metric;
  options->snippet = settings->snippet;
  options->variants = settings->variants.words;
  options->variant_count = settings->variants.count;
  options->target = settings->target;
  if (settings->begin_marker) options->begin_marker = settings->begin_marker;
  if (settings->end_marker) options->end_marker = settings->end_marker;
  options->source_label = settings->source_label;
  options->comment = settings->comment;
  options->separator = settings->separator;
  options->indent = (unsigned)settings->indent;
  options->check = settings->check;
}

/* ---- What was done ---- */

static enum style style_of(const char *line)
{
  if (line[0] == '@') return STYLE_DIM;
  return line[0] == '+' ? STYLE_GOOD : line[0] == '-' ? STYLE_BAD : STYLE_PLAIN;
}

static bool print_diff(const struct export_settings *settings, const char *diff)
{
  struct output output;

  output_open(&output, STDOUT_FILENO,
              terminal_has_color((enum color_mode)settings->common.color, STDOUT_FILENO));
  while (*diff) {
    size_t length = strcspn(diff, "\n");
    char *line = check_memory(strndup(diff, length));
    output_style(&output, style_of(diff));
    output_document(&output, line);
    free(line);
    output_style(&output, STYLE_PLAIN);
    output_text(&output, "\n");
    diff += length + (diff[length] == '\n');
  }
  return output_close(&output);
}

static enum exit_code print_outcome(const struct export_settings *settings,
                                    const struct hone_export_result *result)
{
  const char *entries = hone_export_result_entry_count(result) == 1 ? "entry" : "entries";

  if (!hone_export_result_is_stale(result)) {
    message_note("'%s' is up to date: %zu %s", settings->target,
                 hone_export_result_entry_count(result), entries);
    return CLI_DONE;
  }
  if (!settings->check) {
    message_note("wrote %zu %s into '%s'", hone_export_result_entry_count(result), entries,
                 settings->target);
    return settings->common.verbose && !print_diff(settings, hone_export_result_diff(result))
               ? CLI_FAILED
               : CLI_DONE;
  }
  print_diff(settings, hone_export_result_diff(result));
  message_note("'%s' is out of date: run the same command without '--check' to update it",
               settings->target);
  return CLI_FAILED;
}

/* ---- Which rows ---- */

/* The named one, the winner, or SIZE_MAX: the best. */
static bool choose_row(const struct export_settings *settings, const struct inputs *inputs,
                       size_t input, size_t *out_row)
{
  const struct hone_results *results = inputs->results[input];

  *out_row = settings->metric ? SIZE_MAX : inputs_winner(inputs, input);
  if (!settings->config) return true;
  *out_row = results_find_config(results, settings->config);
  if (*out_row != SIZE_MAX) return true;
  message_error("%s has no working configuration '%s'", hone_results_origin(results),
                settings->config);
  return false;
}

static size_t *choose_rows(const struct export_settings *settings, const struct inputs *inputs)
{
  size_t *rows = check_memory(calloc(inputs->count + 1, sizeof *rows));

  for (size_t i = 0; i < inputs->count; i++) {
    if (choose_row(settings, inputs, i, &rows[i])) continue;
    free(rows);
    return NULL;
  }
  return rows;
}

/* ---- Implausible results ---- */

static bool check_suspicious(const struct export_settings *settings, const struct inputs *inputs,
                             const size_t *rows)
{
  if (settings->force) return true;
  if (formats[settings->format].has_all_rows) return suspicious_check_all(inputs->results[0]);
  for (size_t i = 0; i < inputs->count; i++)
    if (!suspicious_check_row(inputs->results[i], rows[i], settings->metric)) return false;
  return true;
}

static bool check_run(const struct export_settings *settings, struct hone_store *store, int64_t run,
                      hone_status *status)
{
  if (settings->force || *status) return true;
  return suspicious_check_run(store, run, formats[settings->format].has_all_rows, status);
}

/* ---- Unconfirmed results ---- */

/* Whether a value is used elsewhere as the best and nothing proves that it is. Lists of all rows
 * make no such claim, and a configuration that is named is somebody's choice. */
static bool is_unproved(const struct export_settings *settings, const struct hone_report *report)
{
  return report && hone_report_is_unconfirmed(report) && !settings->config && !settings->metric &&
         !formats[settings->format].has_all_rows;
}

static bool check_report(const struct export_settings *settings, const struct hone_report *report)
{
  if (!is_unproved(settings, report)) return true;
  if (settings->force)
    message_warning("run %" PRId64 " is not confirmed: %s", hone_report_run(report),
                    hone_report_sentence(report));
  else
    message_error("run %" PRId64 " is not confirmed: %s; '--force' exports it and says so in the "
                  "output",
                  hone_report_run(report), hone_report_sentence(report));
  return settings->force;
}

static bool check_confirmed(const struct export_settings *settings, const struct inputs *inputs)
{
  for (size_t i = 0; i < inputs->count; i++)
    if (!check_report(settings, inputs->reports[i])) return false;
  return true;
}

/* "# NOT PROVED: run 12: ...", for each such run. */
static void add_doubts(const struct export_settings *settings, const struct inputs *inputs,
                       char **text)
{
  struct output doubts;
  bool any = false;

  output_open(&doubts, OUTPUT_MEMORY, false);
  for (size_t i = 0; i < inputs->count; i++)
    if (is_unproved(settings, inputs->reports[i])) {
      output_format(&doubts, "# NOT PROVED: run %" PRId64 "\n",
                    hone_report_run(inputs->reports[i]));
      any = true;
    }
  if (any) {
    output_bytes(&doubts, *text, strlen(*text) + 1);
    free(*text);
    *text = check_memory(strdup(doubts.bytes));
  }
  output_close(&doubts);
}

/* ---- Other formats ---- */

static enum exit_code write_output(const struct export_settings *settings, const char *text)
{
  const struct export_output output = {settings->output, settings->check};

  return export_output_write(&output, NULL, text);
}

static enum exit_code export_text(const struct export_settings *settings,
                                  const struct inputs *inputs, const size_t *rows)
{
  char *text = NULL;
  hone_status status;
  enum exit_code code;

  if (settings->format == FORMAT_YAML)
    status = hone_results_best_yaml((const struct hone_results *const *)inputs->results,
                                    inputs->count, rows, settings->metric, &text);
  else
    status = hone_results_print(
        inputs->results[0], settings->format == FORMAT_JSON ? HONE_RESULTS_JSON : HONE_RESULTS_CSV,
        &text);
  if (status) return message_status(status);
  if (settings->format == FORMAT_YAML) add_doubts(settings, inputs, &text);
  code = write_output(settings, text);
  free(text);
  return code;
}

/* ---- The command ---- */

static enum exit_code export_into(const struct export_settings *settings,
                                  const struct inputs *inputs, const size_t *rows)
{
  struct hone_export_options options;
  struct hone_export_result *result = NULL;
  hone_status status;
  enum exit_code code;
  char label[64];

  fill_options(settings, &options);
  for (size_t i = 0; i < inputs->count; i++) {
    if (settings->source_label || !is_unproved(settings, inputs->reports[i])) continue;
    snprintf(label, sizeof label, "run %" PRId64 ", NOT PROVED",
             hone_report_run(inputs->reports[i]));
    options.source_label = label;
  }
  options.results = (const struct hone_results *const *)inputs->results;
  options.result_count = inputs->count;
  options.rows = rows;
  status = hone_export(&options, &result);
  if (status) return message_status(status);
  code = print_outcome(settings, result);
  hone_export_result_free(result);
  return code;
}

static enum exit_code export_words(const struct export_settings *settings,
                                   const struct word_list *words)
{
  struct inputs inputs = {0};
  enum exit_code code = inputs_load(&inputs, words, settings->store);
  size_t *rows;

  if (code != CLI_DONE) return code;
  rows = choose_rows(settings, &inputs);
  code = !rows || !check_suspicious(settings, &inputs, rows) || !check_confirmed(settings, &inputs)
             ? CLI_FAILED
         : settings->format == FORMAT_SNIPPET ? export_into(settings, &inputs, rows)
                                              : export_text(settings, &inputs, rows);
  free(rows);
  inputs_release(&inputs);
  return code;
}

/* ---- A tuning spec ---- */

static int64_t run_of(const char *word)
{
  return strcmp(word, "last") == 0 ? 0 : strtoll(word, NULL, 10);
}

/* *doubts: the first run that proves nothing, 0 for none. */
static bool check_proof(const struct export_settings *settings, struct hone_store *store,
                        int64_t run, int64_t *doubts, hone_status *status)
{
  struct hone_report *report = NULL;
  bool ok = check_run(settings, store, run, status);

  if (!ok || *status) return ok;
  *status = hone_report_load(store, run, &report);
  if (*status) return true;
  ok = check_report(settings, report);
  if (!*doubts && is_unproved(settings, report)) *doubts = hone_report_run(report);
  hone_report_free(report);
  return ok;
}

static enum exit_code write_spec(const struct export_settings *settings, int64_t doubts,
                                 const char *text)
{
  struct output spec;
  enum exit_code code;

  output_open(&spec, OUTPUT_MEMORY, false);
  if (doubts) output_format(&spec, "// NOT PROVED: run %" PRId64 "\n", doubts);
  output_bytes(&spec, text, strlen(text) + 1);
  code = write_output(settings, spec.bytes);
  output_close(&spec);
  return code;
}

static enum exit_code export_spec(const struct export_settings *settings,
                                  const struct word_list *words)
{
  int64_t *runs = check_memory(calloc(words->count + 1, sizeof *runs));
  struct hone_store *store = NULL;
  char *text = NULL;
  hone_status status = hone_store_open(settings->store, &store);
  enum exit_code code;
  int64_t doubts = 0;
  bool ok = true;

  for (size_t i = 0; i < words->count; i++) {
    runs[i] = run_of(words->words[i]);
    ok = ok && check_proof(settings, store, runs[i], &doubts, &status);
  }
  if (!status && ok) status = hone_iree_export(store, runs, words->count, &text);
  hone_store_free(store);
  free(runs);
  if (status || !ok) return ok ? message_status(status) : CLI_FAILED;
  code = write_spec(settings, doubts, text);
  free(text);
  return code;
}

/* ---- A recording ---- */

/* Data that a replay will lack. */
static void print_recording_notes(const struct hone_t4 *t4)
{
  if (hone_t4_left_out_count(t4))
    message_note("skipped %" PRIu64 " of %" PRIu64
                 " configurations: they were not timed, or the host or device failed",
                 hone_t4_left_out_count(t4), hone_t4_config_count(t4) + hone_t4_left_out_count(t4));
  if (strtoull(hone_t4_space(t4), NULL, 10) > hone_t4_config_count(t4))
    message_note("the recording has %" PRIu64
                 " of the space's %s configurations: a replay is limited to these",
                 hone_t4_config_count(t4), hone_t4_space(t4));
}

static enum exit_code export_recording(const struct export_settings *settings,
                                       const struct word_list *words)
{
  struct hone_store *store = NULL;
  struct hone_t4 *t4 = NULL;
  hone_status status = hone_store_open(settings->store, &store);
  bool ok = check_run(settings, store, run_of(words->words[0]), &status);
  enum exit_code code;

  if (!status && ok) status = hone_t4_export(store, run_of(words->words[0]), &t4);
  hone_store_free(store);
  if (status || !ok) return ok ? message_status(status) : CLI_FAILED;
  code = write_output(settings, hone_t4_text(t4));
  if (code == CLI_DONE) print_recording_notes(t4);
  hone_t4_free(t4);
  return code;
}

/* ---- Formats of the library ---- */

static bool are_runs(const struct word_list *words)
{
  for (size_t i = 0; i < words->count; i++)
    if (strcmp(words->words[i], "last") != 0 &&
        words->words[i][strspn(words->words[i], "0123456789")])
      return false;
  return true;
}

/* CSV of a file is kbench's. */
static bool is_written(const struct export_settings *settings, const struct word_list *words)
{
  return formats[settings->format].is_written ||
         (settings->format == FORMAT_CSV && are_runs(words));
}

/* The library refuses what is not proved; lists of all rows make no claim, but for this. */
static bool check_listed(const struct export_settings *settings, const struct word_list *words)
{
  struct hone_store *store = NULL;
  hone_status status = NULL;
  bool ok = true;

  if (formats[settings->format].has_all_rows && !settings->force)
    status = hone_store_open(settings->store, &store);
  for (size_t i = 0; store && ok && !status && i < words->count; i++)
    ok = suspicious_check_run(store, run_of(words->words[i]), true, &status);
  hone_store_free(store);
  if (status) message_status(status);
  return ok && !status;
}

static enum exit_code export_written(const struct export_settings *settings,
                                     const struct word_list *words)
{
  const struct export_formats written = {
      .output = {settings->output, settings->check},
      .store = settings->store,
      .config = settings->config,
      .format = settings->format == FORMAT_CSV ? HONE_FORMAT_CSV : formats[settings->format].format,
      .force = settings->force};

  return check_listed(settings, words) ? export_formats_write(&written, words) : CLI_FAILED;
}

/* Output into a source file has no other format. */
static bool check_alone(const struct export_settings *settings, const struct word_list *words)
{
  if (!words->count)
    message_error("no runs given: name them (last, 12)");
  else if (settings->snippet || settings->target || settings->manifest)
    message_error("'--format %s' writes %s and cannot be combined with '--snippet', "
                  "'--into' or '--manifest'",
                  format_words[settings->format],
                  settings->format == FORMAT_MLIR ? "a spec" : "a file");
  else
    return true;
  return false;
}

static bool check_rows(const struct export_settings *settings, const struct word_list *words)
{
  if (!formats[settings->format].has_all_rows) return true;
  if (words->count > 1)
    message_error("%s output takes one run or file, not %zu", format_words[settings->format],
                  words->count);
  else if (settings->config || settings->metric)
    message_error(
        "'--format %s' writes all rows and cannot be combined with '--config' or '--metric'",
        format_words[settings->format]);
  else
    return true;
  return false;
}

static bool check_run_words(const struct word_list *words)
{
  for (size_t i = 0; i < words->count; i++) {
    const char *word = words->words[i];
    if (strcmp(word, "last") == 0 || (*word && word[strspn(word, "0123456789")] == 0)) continue;
    message_error("'%s' is not a run: give a number or last", word);
    return false;
  }
  return true;
}

/* ---- The requested action ---- */

static bool check_words(const struct export_settings *settings, const struct word_list *words)
{
  if (settings->config && (settings->format == FORMAT_MLIR || words->count > 1 ||
                           settings->manifest || settings->metric)) {
    message_error("'--config' needs one run or CSV file and no '--metric'");
    return false;
  }
  if (settings->check && settings->format != FORMAT_SNIPPET && !settings->output) {
    message_error("'--check' needs '--output FILE': the file that is checked");
    return false;
  }
  if (settings->metric && formats[settings->format].is_written) {
    message_error("'--format %s' cannot be combined with '--metric'",
                  format_words[settings->format]);
    return false;
  }
  if (settings->format != FORMAT_SNIPPET)
    return check_alone(settings, words) && check_rows(settings, words) &&
           (formats[settings->format].is_of_runs ? check_run_words(words)
                                                 : result_words_check(words));
  if (settings->manifest && words->count)
    message_error("'--manifest' and '%s' cannot be combined: choose one", words->words[0]);
  else if (!settings->manifest && !words->count)
    message_error("nothing to export: give a run (last, 12), a CSV file or '--manifest FILE'");
  else if (!settings->snippet)
    message_error("'--snippet FILE' is missing: the text for an entry, such as BM = [@BM]");
  else if (!settings->target)
    message_error("'--into FILE' is missing: the source file with the markers");
  else if (settings->output)
    message_error("'--output' needs '--format' with another format than snippet");
  else if (settings->indent > 200)
    message_error("'--indent' is at most 200");
  else if (settings->manifest && settings->metric)
    message_error("'--metric' needs a run or a CSV file, not '--manifest'");
  else
    return result_words_check(words);
  return false;
}

static enum exit_code run_export(const struct command *command, char **argv)
{
  struct export_settings settings = {.indent = 8};
  struct word_list words = {0};
  enum exit_code code;

  if (command_open(command, argv, &settings, &settings.common, &words, &code))
    code = !check_words(&settings, &words)  ? command_usage(command)
           : settings.format == FORMAT_MLIR ? export_spec(&settings, &words)
           : settings.format == FORMAT_T4   ? export_recording(&settings, &words)
           : is_written(&settings, &words)  ? export_written(&settings, &words)
                                            : export_words(&settings, &words);
  command_close(command, &settings, &words);
  return code;
}

const struct command export_command = {
    .name = "export",
    .summary = "write tuned values into a source file, or check that it is up to date",
    .usage = "RUN|last|FILE.csv... --snippet FILE --into FILE [options]\n"
             "       hone export RUN|last... --format FORMAT [-o FILE]",
    .about = "Replaces the lines between two marker lines of a source file. Each entry becomes\n"
             "two comments and the snippet, with [@NAME] replaced by the value of NAME.\n"
             "Entries are the best configuration of each run or CSV file, or the list `params`\n"
             "of a YAML file. With --format, the configuration that was proved to be best is\n"
             "written as a C header, flags of a compiler, a wisdom file for libhone-wisdom,\n"
             "JSON for vLLM, a spec, or a tuning spec of IREE; or all evaluations as a table\n"
             "or as a recording for other tuners. What is not proved needs --force, and the\n"
             "output says so.\n",
    .examples = "  hone export last --snippet config.txt --into gemm.h\n"
                "  hone export 11 12 13 --snippet case.txt --into gemm.h --check\n"
                "  hone export --manifest tuning.yaml --snippet config.txt --into table.mojo \\\n"
                "    --begin-marker '# BEGIN' --end-marker '# END' --source-label tuning.yaml\n"
                "  hone export last --format header -o gemm_tuned.h\n"
                "  cc $(hone export last --format flags) -c gemm.c\n"
                "  hone export 11 12 --format wisdom -o gemm.wisdom\n"
                "  hone export last --format markdown\n"
                "  hone export 14 15 --format mlir -o tuning-spec.mlir\n"
                "  hone export last --config BM=64,BN=32 --format yaml -o frugal.yaml\n"
                "  hone export last --format t4 -o gemm.t4.json && hone replay gemm.t4.json\n",
    .options = export_options,
    .words = run_words,
    .takes_files = true,
    .run = run_export,
};
