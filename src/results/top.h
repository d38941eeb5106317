/* top.h - the rows close to the best; accessors are in hone_results.h. */
#ifndef HONE_RESULTS_TOP_H
#define HONE_RESULTS_TOP_H

#include "spec/params.h"

struct hone_top {
  size_t *rows; /* the best first */
  size_t row_count;
  struct hone_params params; /* each with its most frequent value among these rows */
  uint64_t *counts;          /* how many of them have it */
};

#endif
