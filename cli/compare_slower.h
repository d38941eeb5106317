/* compare_slower.h - whether samples prove that something became slower, for '--fail-if-slower'. */
#ifndef CLI_COMPARE_SLOWER_H
#define CLI_COMPARE_SLOWER_H

#include "hone_results.h"
#include "message.h"

struct slower_check {
  const struct hone_comparison *comparison;
  const char *const *labels;
  double limit; /* a share; NaN: nothing is checked */
  /* Which rows count besides the mean: all, or the best of both and the baseline. */
  bool only_best;
};

/* CLI_NOT_IMPROVED after a message: something is proved to be slower, and by more than the limit.
 * CLI_FAILED: there are no samples. */
enum exit_code compare_check_slower(const struct slower_check *check);

#endif
