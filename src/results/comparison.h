/* comparison.h - several results side by side; accessors are in hone_results.h. */
#ifndef HONE_RESULTS_COMPARISON_H
#define HONE_RESULTS_COMPARISON_H

#include "hone_results.h"

struct hone__comparison_change { /* by samples */
  enum hone_change change;
  double ratio, low, high; /* NaN: they are too few */
};

struct hone_compared { /* results against the first */
  const struct hone_result_row *best;
  struct hone__comparison_change best_change; /* from the first's best to this one's */
  double best_value, mean_ratio, worst_ratio;
  uint64_t better, worse, equal; /* pairs */
  uint64_t missing, extra;       /* rows that only the first have, and only these */
  uint64_t bounded;              /* pairs with an interval; their geometric mean, NaN: none has */
  double mean_bounded, mean_low, mean_high;
  uint64_t changes[HONE_CHANGE_COUNT];
};

struct hone_compared_row {
  const char *key;
  size_t count;                            /* results */
  const struct hone_result_row **rows;     /* one for each of the results; NULL: it has none */
  double *values, *ratios;                 /* likewise; NaN */
  struct hone__comparison_change *changes; /* likewise */
};

struct hone_comparison {
  const char *metric;
  bool maximise, is_time;
  size_t count; /* results */
  struct hone_compared *results;
  struct hone_compared_row *rows;
  size_t row_count;
};

#endif
