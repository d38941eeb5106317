/* Loads the named results, filters rows by a query, and prints each view. */
#include "show_results.h"

#include "hone_results.h"
#include "plot.h"
#include "quote.h"
#include "visible.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

/* ---- The requested views ---- */

bool result_views_given(const struct result_views *views)
{
  return views->best || views->ratio || views->correlation || views->head || views->tail ||
         views->top || views->query || views->metric || views->pivots.count || views->plot >= 0;
}

bool top_read(const char *text, double *out_share)
{
  char *end;
  double share = strtod(text, &end);
  bool is_percent = *end == '%' && !end[1];

  if (is_percent) share /= 100;
  *out_share = share;
  if (isdigit((unsigned char)*text) && (is_percent || !*end) && share > 0 && share <= 1)
    return true;
  message_error("'--top' needs a share such as 0.05 or 5%%, not '%s'", text);
  return false;
}

bool result_views_check(const struct result_views *views, int format)
{
  bool has_table = views->ratio || views->head || views->tail;
  double share;

  if (views->top && !top_read(views->top, &share)) return false;
  if (format == SHOW_TEXT) return true;
  if (views->plot >= 0)
    message_error("'--plot' writes text: remove '--format'");
  else if (has_table)
    message_error("'--ratio', '--head' and '--tail' write text tables: remove '--format'");
  else if (views->correlation && format != SHOW_JSON)
    message_error("'--correlation' supports text and json");
  else if (views->best && format == SHOW_CSV)
    message_error("'--best' supports text, json and yaml");
  else if (views->top && format != SHOW_YAML)
    message_error("'--top' supports text and yaml");
  else
    return true;
  return false;
}

/* ---- Files and runs ---- */

static bool is_number(const char *word)
{
  return *word && word[strspn(word, "0123456789")] == 0;
}

bool result_word_is_file(const char *word)
{
  if (is_number(word) || strcmp(word, "last") == 0) return false;
  return strcmp(word, "-") == 0 || strpbrk(word, "./") || access(word, F_OK) == 0;
}

bool result_word_is_run(const char *word, int64_t *out_run)
{
  *out_run = 0;
  if (strcmp(word, "last") == 0) return true;
  errno = 0;
  if (is_number(word)) *out_run = strtoll(word, NULL, 10);
  if (*out_run > 0 && !errno) return true;
  message_error("a run is a number from the list of 'hone show', or last; not '%s'", word);
  return false;
}

bool result_words_check(const struct word_list *words)
{
  int64_t run;

  for (size_t i = 0; i < words->count; i++)
    if (!result_word_is_file(words->words[i]) && !result_word_is_run(words->words[i], &run))
      return false;
  return true;
}

static hone_status load_run(const char *word, const char *path, struct hone_store **store,
                            struct hone_results **out_results)
{
  int64_t run = strcmp(word, "last") == 0 ? 0 : strtoll(word, NULL, 10);
  hone_status status = *store ? NULL : hone_store_open(path, store);

  return status ? status : hone_results_load(*store, run, out_results);
}

hone_status results_load_words(const struct word_list *words, const char *store,
                               struct hone_results **out_results)
{
  struct hone_store *opened = NULL;
  hone_status status = NULL;

  for (size_t i = 0; i < words->count && !status; i++)
    status = result_word_is_file(words->words[i])
                 ? hone_results_read(words->words[i], &out_results[i])
                 : load_run(words->words[i], store, &opened, &out_results[i]);
  hone_store_free(opened);
  return status;
}

hone_status results_load_samples(const char *store, struct hone_results **results, size_t count)
{
  struct hone_store *opened = NULL;
  hone_status status = NULL;

  for (size_t i = 0; i < count && !status; i++) {
    if (hone_results_run(results[i]) <= 0) continue;
    if (!opened) status = hone_store_open(store, &opened);
    if (!status) status = hone_results_load_samples(opened, results[i]);
  }
  hone_store_free(opened);
  return status;
}

void results_free_all(struct hone_results **results, size_t count)
{
  for (size_t i = 0; results && i < count; i++)
    hone_results_free(results[i]);
  free(results);
}

/* ---- The metric ---- */

/* A number is that of the column in the CSV file, where `spec` and `kbench_filter` stand between
 * the columns. */
bool result_metric_read(const struct hone_results *results, const char *metric,
                        const char **out_metric)
{
  size_t lead = hone_results_lead_count(results), index;

  *out_metric = metric;
  if (!metric || !is_number(metric)) return true;
  index = strtoul(metric, NULL, 10);
  if (index >= lead) index = index >= lead + 2 ? index - 2 : SIZE_MAX;
  if (index < hone_results_column_count(results)) {
    *out_metric = hone_results_column(results, index);
    return true;
  }
  message_error("no column %s with numbers in '%s'; columns are counted from 0", metric,
                hone_results_origin(results));
  return false;
}

/* ---- Formats of their own ---- */

static hone_status print_whole(struct output *output, const struct hone_results *results,
                               enum hone_results_format format)
{
  char *text = NULL;
  hone_status status = hone_results_print(results, format, &text);

  if (!status) output_raw(output, text);
  free(text);
  return status;
}

static hone_status print_csv(const struct results_view *view)
{
  for (size_t i = 0; i < view->count; i++) {
    hone_status status = print_whole(view->output, view->results[i], HONE_RESULTS_CSV);
    if (status) return status;
  }
  return NULL;
}

static hone_status print_json(const struct results_view *view)
{
  hone_status status = NULL;

  if (view->count > 1) output_text(view->output, "[");
  for (size_t i = 0; i < view->count && !status; i++) {
    if (i) output_text(view->output, ",\n");
    status = print_whole(view->output, view->results[i], HONE_RESULTS_JSON);
  }
  if (view->count > 1) output_text(view->output, "]\n");
  return status;
}

/* ---- The best as JSON ---- */

static void print_json_cell(struct output *output, const char *text, double number)
{
  if (isnan(number))
    quote_json_text(output, text);
  else if (is_number(text) && (*text != '0' || !text[1]))
    output_text(output, text);
  else
    quote_json_number(output, number);
}

static void print_json_row(const struct hone_results *results, const struct hone_result_row *row,
                           struct output *output)
{
  output_format(output, ", \"%s\": %" PRIu64 ", \"spec\": ", hone_results_index_name(results),
                hone_result_row_index(row));
  quote_json_text(output, hone_result_row_spec(row));
  output_text(output, ", \"params\": ");
  quote_json_params(output, hone_result_row_params(row));
  output_text(output, ", \"columns\": {");
  for (size_t i = 0; i < hone_results_column_count(results); i++) {
    output_text(output, i ? ", " : "");
    quote_json_text(output, hone_results_column(results, i));
    output_text(output, ": ");
    print_json_cell(output, hone_result_row_text(row, i), hone_result_row_number(row, i));
  }
  output_text(output, "}");
}

static hone_status print_best_json(const struct results_view *view)
{
  struct profile profile;
  hone_status status = NULL;

  output_text(view->output, "[");
  for (size_t i = 0; i < view->count && !status; i++) {
    status = profile_open(&profile, view, i);
    if (status) break;
    output_text(view->output, i ? ",\n " : "");
    output_text(view->output, "{\"origin\": ");
    quote_json_text(view->output, hone_results_origin(profile.results));
    output_text(view->output, ", \"metric\": ");
    quote_json_text(view->output, hone_results_column(profile.results, profile.column));
    print_json_row(profile.results, hone_results_row(profile.results, profile.order[0]),
                   view->output);
    output_text(view->output, "}");
    profile_close(&profile);
  }
  output_text(view->output, "]\n");
  return status;
}

/* ---- YAML ---- */

static hone_status print_yaml(const struct results_view *view)
{
  const struct hone_results *const *results = (const struct hone_results *const *)view->results;
  const char *metric = view->views->metric;
  hone_status status;
  double share;
  char *text = NULL;

  if (view->views->top && top_read(view->views->top, &share))
    status = hone_results_top_yaml(results, view->count, metric, share, &text);
  else
    status = hone_results_best_yaml(results, view->count, NULL, metric, &text);
  if (!status && view->views->top)
    output_text(view->output, "# The most frequent values of the rows near the best. The metrics "
                              "below are those of the best row.\n");
  if (!status) output_document(view->output, text);
  free(text);
  return status;
}

/* ---- Text ---- */

static hone_status print_one(const struct results_view *view, size_t i)
{
  const struct result_views *views = view->views;
  bool only_plot = views->plot >= 0 && !views->best && !views->ratio && !views->head &&
                   !views->tail && !views->top;
  struct profile profile;
  hone_status status;

  if (!only_plot) {
    status = profile_open(&profile, view, i);
    if (status) return status;
    if (view->count > 1) {
      output_style(view->output, STYLE_BOLD);
      visible_text(view->output, hone_results_origin(view->results[i]));
      output_style(view->output, STYLE_PLAIN);
      output_text(view->output, "\n");
    }
    if (views->best)
      profile_print_best(&profile);
    else
      profile_print(&profile);
    profile_close(&profile);
  }
  if (views->plot >= 0)
    plot_print(view->output, view->results[i], (enum plot_kind)views->plot, plot_width());
  return NULL;
}

static hone_status print_text(const struct results_view *view)
{
  hone_status status = NULL;

  for (size_t i = 0; i < view->count && !status; i++)
    status = print_one(view, i);
  return status;
}

/* ---- The whole ---- */

hone_status results_view_print(struct results_view *view)
{
  const struct result_views *views = view->views;
  hone_status status = NULL;

  for (size_t i = 0; views->query && i < view->count && !status; i++)
    status = hone_results_keep(view->results[i], views->query);
  if (status) return status;
  if (views->correlation)
    return correlation_print(view->output, (const struct hone_results *const *)view->results,
                             view->count, view->format);
  switch (view->format) {
  case SHOW_CSV: return print_csv(view);
  case SHOW_YAML: return print_yaml(view);
  case SHOW_JSON: return views->best ? print_best_json(view) : print_json(view);
  default: return print_text(view);
  }
}
