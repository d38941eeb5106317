/* compare_print.h - prints results side by side, in each of the formats. */
#ifndef CLI_COMPARE_PRINT_H
#define CLI_COMPARE_PRINT_H

#include "hone_results.h"
#include "output.h"
#include "table.h"

enum compare_format { COMPARE_TEXT, COMPARE_CSV, COMPARE_JSON, COMPARE_HTML };
enum { MOST_COMPARED = 12 }; /* results; more do not fit on any line */

struct compare_view {
  struct output *output;
  const struct hone_comparison *comparison;
  const struct hone_results *const *results;
  const char *const *labels; /* one for each of the results */
  double threshold;
  bool by_name;    /* rows are named by the column `name` */
  bool is_verbose; /* all rows without a partner */
};

void compare_print_text(const struct compare_view *view);
void compare_print_csv(const struct compare_view *view);
void compare_print_json(const struct compare_view *view);
/* The best of each against the best of the first. */
void compare_print_best(const struct compare_view *view, enum compare_format format);

/* The geometric mean of each, in a line of its own. */
void compare_print_sums(const struct compare_view *view);
/* A time with its unit, or another number; "-" for NaN. */
void compare_add_value(const struct compare_view *view, double value, struct table *table);

/* Above 1: worse than the first by this factor. */
double compare_loss(const struct hone_comparison *comparison, double ratio);
/* Some row was judged by the samples of both. */
bool compare_has_changes(const struct hone_comparison *comparison);
/* What the samples prove of a row, else what its ratio says, as below. */
const char *compare_row_verdict(const struct compare_view *view,
                                const struct hone_compared_row *row, size_t i);
/* "faster", "slower", "equal", or "better" and "worse" for other metrics than time; "" for NaN. */
const char *compare_verdict(const struct compare_view *view, double ratio);

#endif
