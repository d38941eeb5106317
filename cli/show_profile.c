/* One result by its metric: the best, the worst and the range between, in the format of kprofile.
 */
#include "show_results.h"

#include "hone_results.h"
#include "table.h"
#include "visible.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { LINE_WIDTH = 80, MOST_PARAMS = 24, MOST_COLUMNS = 32 };

const char *number_format(struct number_text *text, double number)
{
  bool is_small = fabs(number) < 1e-3 && number != 0;

  snprintf(text->text, sizeof text->text, is_small ? "%.4g" : "%.3f", number);
  return text->text;
}

/* ---- Rows in order ---- */

/* Without a number there is no best one: uses the library's message. */
static hone_status add_reason(struct profile *profile)
{
  struct hone_top *top = NULL;
  hone_status status = hone_results_top(profile->results, profile->views->metric, 1, &top);

  hone_top_free(top);
  profile_close(profile);
  return status;
}

hone_status profile_open(struct profile *profile, const struct results_view *view, size_t i)
{
  const struct hone_results *results = view->results[i];
  hone_status status;

  *profile = (struct profile){.output = view->output, .views = view->views, .results = results};
  status =
      hone_results_find_column(results, view->views->metric, &profile->column, &profile->maximise);
  if (status) return status;
  profile->count = hone_results_order(results, profile->column, profile->maximise, &profile->order);
  profile->names = hone_results_names(&results, 1);
  profile->name_count = hone_result_names_count(profile->names);
  return profile->count ? NULL : add_reason(profile);
}

void profile_close(struct profile *profile)
{
  free(profile->order);
  hone_result_names_free(profile->names);
  *profile = (struct profile){0};
}

static const struct hone_result_row *row_at(const struct profile *profile, size_t rank)
{
  return hone_results_row(profile->results, profile->order[rank]);
}

static double value_at(const struct profile *profile, size_t rank)
{
  return hone_result_row_number(row_at(profile, rank), profile->column);
}

static const char *metric_of(const struct profile *profile)
{
  return hone_results_column(profile->results, profile->column);
}

static void print_line(struct output *output)
{
  for (size_t i = 0; i < LINE_WIDTH; i++)
    output_text(output, "-");
  output_text(output, "\n");
}

/* ---- The lines of kprofile ---- */

static bool is_pivot(const struct profile *profile, const char *name)
{
  const struct word_list *pivots = &profile->views->pivots;

  for (size_t i = 0; i < pivots->count; i++) {
    size_t length = strlen(name);
    for (const char *word = pivots->words[i]; *word; word += strcspn(word, "[], ")) {
      word += strspn(word, "[], ");
      if (strcspn(word, "[], ") == length && strncmp(word, name, length) == 0) return true;
    }
  }
  return false;
}

static bool is_name(const struct profile *profile, const char *word, size_t length)
{
  for (size_t i = 0; i < profile->name_count; i++)
    if (strlen(hone_result_names_name(profile->names, i)) == length &&
        strncmp(hone_result_names_name(profile->names, i), word, length) == 0)
      return true;
  return false;
}

/* As with --filter: a name that no row has is not an error, but may be a typo. */
static void note_unknown_pivots(const struct profile *profile)
{
  const struct word_list *pivots = &profile->views->pivots;

  for (size_t i = 0; i < pivots->count; i++) {
    const char *word = pivots->words[i] + strspn(pivots->words[i], "[], ");
    while (*word) {
      size_t length = strcspn(word, "[], ");
      if (!is_name(profile, word, length))
        message_note("'--pivots': no row has the parameter '%.*s'", (int)length, word);
      word += length;
      word += strspn(word, "[], ");
    }
  }
}

/* The shape is the constant parameters, unless it is given. */
static void print_shape(const struct profile *profile)
{
  bool is_given = profile->views->pivots.count > 0, is_first = true;

  for (size_t i = 0; i < profile->name_count; i++) {
    const char *name = hone_result_names_name(profile->names, i),
               *value = hone_result_row_value(row_at(profile, 0), name);
    if (!value ||
        (is_given ? !is_pivot(profile, name) : !hone_result_names_value(profile->names, i)))
      continue;
    output_text(profile->output, is_first ? "" : "/");
    visible_text(profile->output, name);
    output_text(profile->output, "=");
    visible_text(profile->output, value);
    is_first = false;
  }
}

static void print_figure(const struct profile *profile, const char *what, double number)
{
  struct number_text text;

  output_text(profile->output, "- [");
  visible_text(profile->output, metric_of(profile));
  output_format(profile->output, "] %s: %s\n", what, number_format(&text, number));
}

/* The last of the order may have been cut off early: the worst is a number. */
static double worst_value(const struct profile *profile)
{
  double worst = value_at(profile, 0);

  for (size_t i = 1; i < profile->count; i++)
    worst =
        profile->maximise ? fmin(worst, value_at(profile, i)) : fmax(worst, value_at(profile, i));
  return worst;
}

static void print_facts(const struct profile *profile)
{
  double best = value_at(profile, 0), worst = worst_value(profile);
  bool is_mesh = strcmp(hone_results_index_name(profile->results), "mesh_idx") == 0;

  output_format(profile->output, "- best %s: %" PRIu64 "\n",
                is_mesh ? "idx" : hone_results_index_name(profile->results),
                hone_result_row_index(row_at(profile, 0)));
  print_figure(profile, "worst", worst);
  print_figure(profile, "best ", best);
  output_text(profile->output, "- [");
  visible_text(profile->output, metric_of(profile));
  output_format(profile->output, "] worst/best ratio: %.2fx [shape: ", worst / best);
  print_shape(profile);
  output_text(profile->output, "]\n");
}

/* ---- Rows in a table ---- */

/* Rows of a tuned run differ in how far they can be relied on. */
static bool has_bases(const struct profile *profile)
{
  return hone_result_row_basis(row_at(profile, 0)) != HONE_BASIS_MEASURED;
}

/* Which columns a table has. */
struct columns {
  size_t metrics[MOST_COLUMNS];
  size_t metric_count;
  size_t params[MOST_PARAMS]; /* names that vary */
  size_t param_count;
  bool has_spec; /* they are too many: the spec instead */
};

static bool is_shown(const struct profile *profile, size_t column)
{
  const struct hone_results *results = profile->results;

  if (column == profile->column) return true;
  if (strcmp(hone_results_column(results, column), "name") == 0) return false;
  if (strcmp(hone_results_column(results, column), "iters") == 0) return false;
  return isfinite(hone_result_row_number(row_at(profile, 0), column));
}

static void choose_columns(const struct profile *profile, struct columns *columns)
{
  *columns = (struct columns){0};
  for (size_t i = 0; i < hone_results_column_count(profile->results); i++)
    if (is_shown(profile, i) && columns->metric_count < MOST_COLUMNS)
      columns->metrics[columns->metric_count++] = i;
  for (size_t i = 0; i < profile->name_count; i++) {
    if (hone_result_names_value(profile->names, i)) continue;
    if (columns->param_count == MOST_PARAMS) columns->has_spec = true;
    if (columns->param_count < MOST_PARAMS) columns->params[columns->param_count++] = i;
  }
  if (columns->has_spec) columns->param_count = 0;
}

static void add_titles(const struct profile *profile, const struct columns *columns, bool ratio,
                       struct table *table)
{
  table_open(table, 0);
  table_column(table, hone_results_index_name(profile->results), TABLE_RIGHT);
  for (size_t i = 0; i < columns->metric_count; i++)
    table_column(table, hone_results_column(profile->results, columns->metrics[i]), TABLE_RIGHT);
  table_column(table, ratio ? "ratio" : "", TABLE_RIGHT);
  if (has_bases(profile)) table_column(table, "basis", 0);
  for (size_t i = 0; i < columns->param_count; i++)
    table_column(table, hone_result_names_name(profile->names, columns->params[i]), 0);
  if (columns->has_spec) table_column(table, "spec", 0);
}

static void add_row(const struct profile *profile, const struct columns *columns, bool ratio,
                    size_t rank, struct table *table)
{
  const struct hone_result_row *row = row_at(profile, rank);
  struct number_text number;

  table_format(table, "%" PRIu64, hone_result_row_index(row));
  for (size_t i = 0; i < columns->metric_count; i++) {
    double value = hone_result_row_number(row, columns->metrics[i]);
    table_cell(table, isnan(value) ? hone_result_row_text(row, columns->metrics[i])
                                   : number_format(&number, value));
  }
  table_cell(table,
             ratio ? number_format(&number, value_at(profile, rank) / value_at(profile, 0)) : "");
  if (has_bases(profile)) table_cell(table, hone_basis_name(hone_result_row_basis(row)));
  for (size_t i = 0; i < columns->param_count; i++) {
    const char *value =
        hone_result_row_value(row, hone_result_names_name(profile->names, columns->params[i]));
    table_cell(table, value ? value : "-");
  }
  if (columns->has_spec) table_cell(table, hone_result_row_spec(row));
}

static void print_rows(const struct profile *profile, size_t from, size_t to, bool ratio)
{
  struct columns columns;
  struct table table;

  choose_columns(profile, &columns);
  add_titles(profile, &columns, ratio, &table);
  for (size_t i = from; i < to; i++)
    add_row(profile, &columns, ratio, i, &table);
  table_print(&table, profile->output, 0);
  table_close(&table);
}

static void print_tables(const struct profile *profile)
{
  const struct result_views *views = profile->views;
  size_t count = profile->count;

  if (views->ratio) {
    print_rows(profile, 0, count, true);
    print_line(profile->output);
  }
  if (views->head) {
    print_rows(profile, 0, views->head < count ? views->head : count, false);
    print_line(profile->output);
  }
  if (views->tail) {
    print_rows(profile, views->tail < count ? count - views->tail : 0, count, false);
    print_line(profile->output);
  }
}

/* ---- What the top has in common ---- */

/* "/BM=64/$x=0" */
static void print_params(struct output *output, const struct hone_params *params)
{
  for (size_t i = 0; i < hone_params_count(params); i++) {
    output_text(output, hone_params_is_runtime(params, i) ? "/$" : "/");
    visible_text(output, hone_params_name(params, i));
    output_text(output, "=");
    visible_text(output, hone_params_text(params, i));
  }
}

static void print_top_table(const struct profile *profile, const struct hone_top *top)
{
  const struct hone_params *params = hone_top_params(top);
  struct table table;

  table_open(&table, 2);
  table_column(&table, "parameter", 0);
  table_column(&table, "value", 0);
  table_column(&table, "rows", TABLE_RIGHT);
  for (size_t i = 0; i < hone_params_count(params); i++) {
    table_cell(&table, hone_params_name(params, i));
    table_cell(&table, hone_params_text(params, i));
    table_format(&table, "%" PRIu64, hone_top_frequency(top, i));
  }
  table_print(&table, profile->output, 0);
  table_close(&table);
}

static void print_top(const struct profile *profile)
{
  const char *spec = hone_result_row_spec(row_at(profile, 0));
  struct hone_top *top = NULL;
  double share;
  char *stem;

  if (!top_read(profile->views->top, &share)) return;
  hone_status_free(hone_results_top(profile->results, profile->views->metric, share, &top));
  if (!top) return;
  output_format(profile->output, "- top %g%%: %zu of %zu rows\n", 100 * share,
                hone_top_row_count(top), profile->count);
  stem = check_memory(strndup(spec, strcspn(spec, "/")));
  output_text(profile->output, "- most frequent: ");
  visible_text(profile->output, stem);
  print_params(profile->output, hone_top_params(top));
  output_text(profile->output, "\n");
  print_top_table(profile, top);
  free(stem);
  hone_top_free(top);
}

void profile_print(const struct profile *profile)
{
  note_unknown_pivots(profile);
  output_format(profile->output, "- num entries: %zu\n", hone_results_row_count(profile->results));
  if (profile->views->top)
    print_top(profile);
  else
    print_facts(profile);
  print_line(profile->output);
  print_tables(profile);
}

/* ---- The best ---- */

/* "1.20 times as fast as the baseline, 1.14 to 1.26 (confirmed)" */
static void print_basis(const struct profile *profile, const struct hone_result_row *row)
{
  double speedup = hone_result_row_speedup(row), low = hone_result_row_low(row),
         high = hone_result_row_high(row);

  if (!has_bases(profile)) return;
  output_format(profile->output, "basis: %s", hone_basis_name(hone_result_row_basis(row)));
  if (hone_result_row_is_baseline(row))
    output_text(profile->output, ", the baseline");
  else if (isfinite(speedup))
    output_format(profile->output, ", speedup %.3f", speedup);
  if (isfinite(low) && isfinite(high)) output_format(profile->output, " (%.3f to %.3f)", low, high);
  output_text(profile->output, "\n");
}

static void print_pair(struct output *output, const char *name, const char *value, bool is_runtime)
{
  output_text(output, is_runtime ? "  $" : "  ");
  visible_text(output, name);
  output_text(output, ": ");
  visible_text(output, value);
  output_text(output, "\n");
}

void profile_print_best(const struct profile *profile)
{
  const struct hone_results *results = profile->results;
  const struct hone_result_row *row = row_at(profile, 0);
  const struct hone_params *params = hone_result_row_params(row);
  struct output *output = profile->output;

  output_format(output, "best of %zu rows: ", profile->count);
  visible_text(output, hone_result_row_spec(row));
  output_format(output, "\n%s: %" PRIu64 "\n", hone_results_index_name(results),
                hone_result_row_index(row));
  print_basis(profile, row);
  output_text(output, "figures:\n");
  for (size_t i = 0; i < hone_results_column_count(results); i++)
    if (*hone_result_row_text(row, i))
      print_pair(output, hone_results_column(results, i), hone_result_row_text(row, i), false);
  output_text(output, "params:\n");
  for (size_t i = 0; i < hone_params_count(params); i++)
    print_pair(output, hone_params_name(params, i), hone_params_text(params, i),
               hone_params_is_runtime(params, i));
}
