/* Rows of runs and CSV files: into the lines between two markers of a source file, or as YAML, JSON
 * and CSV. */
#include "export_command.h"

#include "inputs.h"
#include "suspicious.h"
#include "terminal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

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

static bool check_suspicious(const struct export_settings *settings, const struct inputs *inputs,
                             const size_t *rows)
{
  if (settings->force) return true;
  if (export_format(settings)->has_all_rows) return suspicious_check_all(inputs->results[0]);
  for (size_t i = 0; i < inputs->count; i++)
    if (!suspicious_check_row(inputs->results[i], rows[i], settings->metric)) return false;
  return true;
}

static bool check_confirmed(const struct export_settings *settings, const struct inputs *inputs)
{
  for (size_t i = 0; i < inputs->count; i++)
    if (!export_check_report(settings, inputs->reports[i])) return false;
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
    if (export_is_unproved(settings, inputs->reports[i])) {
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
  code = export_write(settings, text);
  free(text);
  return code;
}

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
    if (settings->source_label || !export_is_unproved(settings, inputs->reports[i])) continue;
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

enum exit_code export_rows(const struct export_settings *settings, const struct word_list *words)
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
