/* plot_data.h - the results of a sweep for plots: rows with times and rates, named by the
 * parameters that vary.
 */
#ifndef CLI_PLOT_DATA_H
#define CLI_PLOT_DATA_H

#include <hone.h>
#include "hone_results.h"

struct plot_data {
  const struct hone_results *results;
  struct hone_result_names *names; /* of all parameters */
  size_t name_count;
  size_t *pivots; /* numbers of the names that vary */
  size_t pivot_count;
  size_t *rates; /* columns whose unit is something per second */
  size_t rate_count;
  struct plot_row {
    const struct hone_result_row *row;
    double time_ms;
  } * rows; /* in the order of the results, without rows that have no time */
  size_t row_count;
  double largest_ms;
};

struct plot_figure {
  char text[48];
};

void plot_data_open(struct plot_data *data, const struct hone_results *results);
void plot_data_close(struct plot_data *data);

/* The value of a pivot in a row, "-" if it has none. */
const char *plot_value(const struct plot_data *data, const struct plot_row *row, size_t pivot);
const char *plot_name(const struct plot_data *data, size_t pivot);
/* Numbers by size and before texts, texts by their bytes: -1, 0, 1. */
int plot_compare_values(const char *a, const char *b);
/* "4.0 ms", with kbench's digits. */
const char *plot_format_time(struct plot_figure *figure, double time_ms);
/* "26.4": three digits below 100, where kbench prints no decimals. */
const char *plot_format_rate(struct plot_figure *figure, double rate);
/* "GB/s" for "DataMovement (GB/s)", else all of it; the caller frees it. */
char *plot_unit(const char *column);

#endif
