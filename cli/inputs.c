/* Loads the results of each word, and for a run its report from the store. */
#include "inputs.h"

#include "hone_results.h"
#include "output.h"
#include "show_results.h"

#include <stdlib.h>

/* The store is opened only if there is a run. */
static hone_status load_reports(struct inputs *inputs, const char *store)
{
  struct hone_store *opened = NULL;
  hone_status status = NULL;

  for (size_t i = 0; i < inputs->count && !status; i++) {
    int64_t run = hone_results_run(inputs->results[i]);
    if (run <= 0) continue;
    if (!opened) status = hone_store_open(store, &opened);
    if (!status) status = hone_report_load(opened, run, &inputs->reports[i]);
  }
  hone_store_free(opened);
  return status;
}

enum exit_code inputs_load(struct inputs *inputs, const struct word_list *words, const char *store)
{
  hone_status status;

  inputs->results = check_memory(calloc(words->count + 1, sizeof *inputs->results));
  inputs->reports = check_memory(calloc(words->count + 1, sizeof *inputs->reports));
  inputs->count = words->count;
  status = results_load_words(words, store, inputs->results);
  if (!status) status = load_reports(inputs, store);
  if (!status) return CLI_DONE;
  inputs_release(inputs);
  return message_status(status);
}

void inputs_release(struct inputs *inputs)
{
  for (size_t i = 0; i < inputs->count; i++) {
    hone_results_free(inputs->results[i]);
    hone_report_free(inputs->reports[i]);
  }
  free(inputs->results);
  free(inputs->reports);
  *inputs = (struct inputs){0};
}

/* ---- The winner ---- */

/* Whether "NAME=VALUE" is one of the pairs of a configuration; values may have commas too. */
static bool has_pair(const char *config, const char *pair)
{
  size_t length = strlen(pair);

  for (const char *at = config; (at = strstr(at, pair)) != NULL; at++)
    if ((at == config || at[-1] == ',') && (!at[length] || at[length] == ',')) return true;
  return false;
}

static bool row_is(const struct hone_result_row *row, const char *config)
{
  const struct hone_params *params = hone_result_row_params(row);
  size_t length = 0;
  bool same = hone_params_count(params) > 0;

  for (size_t i = 0; i < hone_params_count(params) && same; i++) {
    struct output pair;
    output_open(&pair, OUTPUT_MEMORY, false);
    output_format(&pair, "%s=%s", hone_params_name(params, i), hone_params_text(params, i));
    length += pair.used + (i > 0);
    output_bytes(&pair, "", 1);
    same = has_pair(config, pair.bytes);
    output_close(&pair);
  }
  return same && length == strlen(config);
}

size_t results_find_config(const struct hone_results *results, const char *config)
{
  for (size_t i = 0; i < hone_results_row_count(results); i++)
    if (row_is(hone_results_row(results, i), config)) return i;
  return SIZE_MAX;
}

size_t inputs_winner(const struct inputs *inputs, size_t input)
{
  const struct hone_report *report = inputs->reports[input];
  const struct hone_report_row *winner = report ? hone_report_winner_row(report) : NULL;

  if (!winner) return SIZE_MAX;
  return results_find_config(inputs->results[input], hone_report_row_config(winner));
}
