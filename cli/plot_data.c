#include "plot_data.h"

#include "hone_results.h"
#include "message.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Columns and parameters ---- */

/* The text in the last parentheses; NULL without. */
static const char *find_unit(const char *column, size_t *out_length)
{
  const char *open = strrchr(column, '('), *close = open ? strchr(open, ')') : NULL;

  if (!close) return NULL;
  *out_length = (size_t)(close - open - 1);
  return open + 1;
}

char *plot_unit(const char *column)
{
  size_t length = 0;
  const char *unit = find_unit(column, &length);

  return check_memory(unit && length ? strndup(unit, length) : strdup(column));
}

static bool is_rate(const char *column)
{
  size_t length;
  const char *unit = find_unit(column, &length);

  return unit && length > 2 && memcmp(unit + length - 2, "/s", 2) == 0;
}

static void find_rates(struct plot_data *data)
{
  const struct hone_results *results = data->results;

  data->rates = check_memory(calloc(hone_results_column_count(results) + 1, sizeof *data->rates));
  for (size_t i = 0; i < hone_results_column_count(results); i++)
    if (is_rate(hone_results_column(results, i))) data->rates[data->rate_count++] = i;
}

static void find_pivots(struct plot_data *data)
{
  data->names = hone_results_names(&data->results, 1);
  data->name_count = hone_result_names_count(data->names);
  data->pivots = check_memory(calloc(data->name_count + 1, sizeof *data->pivots));
  for (size_t i = 0; i < data->name_count; i++)
    if (!hone_result_names_value(data->names, i)) data->pivots[data->pivot_count++] = i;
}

/* ---- Rows ---- */

static void find_rows(struct plot_data *data)
{
  const struct hone_results *results = data->results;
  double scale = hone_results_time_unit_s(results) * 1e3;

  data->rows = check_memory(calloc(hone_results_row_count(results) + 1, sizeof *data->rows));
  if (hone_results_time_column(results) >= hone_results_column_count(results)) return;
  for (size_t i = 0; i < hone_results_row_count(results); i++) {
    const struct hone_result_row *row = hone_results_row(results, i);
    double time_ms = hone_result_row_number(row, hone_results_time_column(results)) * scale;
    if (!isfinite(time_ms) || time_ms <= 0) continue; /* 0: it was not measured */
    data->rows[data->row_count++] = (struct plot_row){.row = row, .time_ms = time_ms};
    if (time_ms > data->largest_ms) data->largest_ms = time_ms;
  }
}

void plot_data_open(struct plot_data *data, const struct hone_results *results)
{
  *data = (struct plot_data){.results = results};
  find_pivots(data);
  find_rates(data);
  find_rows(data);
}

void plot_data_close(struct plot_data *data)
{
  hone_result_names_free(data->names);
  free(data->pivots);
  free(data->rates);
  free(data->rows);
  *data = (struct plot_data){0};
}

/* ---- Values ---- */

const char *plot_name(const struct plot_data *data, size_t pivot)
{
  return hone_result_names_name(data->names, data->pivots[pivot]);
}

const char *plot_value(const struct plot_data *data, const struct plot_row *row, size_t pivot)
{
  const char *value = hone_result_row_value(row->row, plot_name(data, pivot));

  return value ? value : "-";
}

static bool read_number(const char *text, double *out_number)
{
  char *end;

  *out_number = strtod(text, &end);
  return (isdigit((unsigned char)*text) || *text == '-' || *text == '.') && !*end && end != text &&
         isfinite(*out_number);
}

int plot_compare_values(const char *a, const char *b)
{
  double x, y;
  bool a_is_number = read_number(a, &x), b_is_number = read_number(b, &y);
  int order;

  if (a_is_number != b_is_number) return a_is_number ? -1 : 1;
  if (a_is_number && x != y) return x < y ? -1 : 1;
  order = strcmp(a, b);
  return (order > 0) - (order < 0);
}

const char *plot_format_time(struct plot_figure *figure, double time_ms)
{
  size_t size = sizeof figure->text;

  if (time_ms < 1e-3)
    snprintf(figure->text, size, "%.0f ns", time_ms * 1e6);
  else if (time_ms < 1)
    snprintf(figure->text, size, "%.1f \u00b5s", time_ms * 1e3);
  else if (time_ms < 1e3)
    snprintf(figure->text, size, "%.1f ms", time_ms);
  else
    snprintf(figure->text, size, "%.2f s", time_ms / 1e3);
  return figure->text;
}

const char *plot_format_rate(struct plot_figure *figure, double rate)
{
  bool is_small = rate != 0 && fabs(rate) < 99.95;

  snprintf(figure->text, sizeof figure->text, is_small ? "%#.3g" : "%.0f", rate);
  return figure->text;
}
