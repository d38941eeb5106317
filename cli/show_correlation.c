/* The correlation of parameters and figures with the time, and with each other. */
#include "show_results.h"

#include "hone_results.h"
#include "quote.h"
#include "table.h"
#include "visible.h"

#include <math.h>
#include <stdlib.h>

/* A constant correlates with nothing. */
static double strength(const struct hone_correlation *correlation, size_t i)
{
  double value = fabs(hone_correlation_value(correlation, 0, i));

  return isnan(value) ? 0 : value;
}

static int by_strength(const void *a, const void *b, void *correlation)
{
  size_t x = *(const size_t *)a, y = *(const size_t *)b;
  double first = strength(correlation, x), second = strength(correlation, y);

  if (first != second) return first > second ? -1 : 1;
  return (x > y) - (x < y);
}

static void print_sorted(struct output *output, struct hone_correlation *correlation)
{
  size_t count = hone_correlation_count(correlation);
  size_t *order = check_memory(calloc(count + 1, sizeof *order));
  struct output title;
  struct table table;

  for (size_t i = 0; i < count; i++)
    order[i] = i;
  qsort_r(order, count, sizeof *order, by_strength, correlation);
  output_open(&title, OUTPUT_MEMORY, false);
  output_format(&title, "Sorted Absolute Correlation: %s", hone_correlation_name(correlation, 0));
  output_bytes(&title, "", 1);
  table_open(&table, 0);
  table_column(&table, "index", 0);
  table_column(&table, title.bytes, 0);
  for (size_t i = 0; i < count; i++) {
    table_cell(&table, hone_correlation_name(correlation, order[i]));
    table_format(&table, "%.2f", strength(correlation, order[i]));
  }
  table_print(&table, output, 0);
  table_close(&table);
  output_close(&title);
  free(order);
}

static void print_matrix(struct output *output, const struct hone_correlation *correlation)
{
  size_t count = hone_correlation_count(correlation);
  size_t shown = count < TABLE_COLUMNS ? count : TABLE_COLUMNS - 1;
  struct table table;

  table_open(&table, 0);
  table_column(&table, "index", 0);
  for (size_t i = 0; i < shown; i++)
    table_column(&table, hone_correlation_name(correlation, i), TABLE_RIGHT);
  for (size_t i = 0; i < count; i++) {
    table_cell(&table, hone_correlation_name(correlation, i));
    for (size_t j = 0; j < shown; j++)
      table_format(&table, "%.2f", hone_correlation_value(correlation, i, j) + 0.0);
  }
  table_print(&table, output, 0);
  table_close(&table);
  if (shown < count)
    message_note("%zu more columns do not fit: use --format json to see them", count - shown);
}

static void print_json(struct output *output, const struct hone_correlation *correlation)
{
  size_t count = hone_correlation_count(correlation);

  output_text(output, "{\"method\": \"kendall\", \"names\": [");
  for (size_t i = 0; i < count; i++) {
    output_text(output, i ? ", " : "");
    quote_json_text(output, hone_correlation_name(correlation, i));
  }
  output_text(output, "],\n \"values\": [");
  for (size_t i = 0; i < count * count; i++) {
    double value = hone_correlation_value(correlation, i / count, i % count);
    output_text(output, i % count ? ", " : i ? ",\n  [" : "[");
    if (isnan(value))
      output_text(output, "null");
    else
      output_format(output, "%.6f", value);
    if (i % count == count - 1) output_text(output, "]");
  }
  output_text(output, "]}\n");
}

hone_status correlation_print(struct output *output, const struct hone_results *const *results,
                              size_t count, int format)
{
  struct hone_correlation *correlation = NULL;
  hone_status status = hone_results_correlate(results, count, &correlation);

  if (status) return status;
  if (format == SHOW_JSON) {
    print_json(output, correlation);
  } else {
    print_sorted(output, correlation);
    output_text(output, "\n");
    print_matrix(output, correlation);
  }
  hone_correlation_free(correlation);
  return NULL;
}
