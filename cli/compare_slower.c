#include "compare_slower.h"

#include "compare_print.h"

#include <math.h>

/* Slower beyond doubt, and by more than is allowed. */
static bool is_slower(double low, double ratio, double limit)
{
  return low > 1 && ratio > 1 + limit;
}

static enum exit_code complain(const struct slower_check *check, size_t i, const char *what,
                               double ratio)
{
  message_error("%s of '%s' is slower than that of '%s' by %.1f%%, more than %g%%", what,
                check->labels[i], check->labels[0], 100 * (ratio - 1), 100 * check->limit);
  return CLI_NOT_IMPROVED;
}

static bool is_judged(const struct slower_check *check, const struct hone_compared_row *row)
{
  const struct hone_result_row *first = hone_compared_row_row(row, 0);

  return !check->only_best || (first && hone_result_row_is_baseline(first));
}

static enum exit_code judge(const struct slower_check *check, size_t i)
{
  const struct hone_comparison *comparison = check->comparison;
  const struct hone_compared *sum = hone_comparison_at(comparison, i);

  if (check->only_best &&
      is_slower(hone_compared_best_low(sum), hone_compared_best_ratio(sum), check->limit))
    return complain(check, i, "the best", hone_compared_best_ratio(sum));
  for (size_t j = 0; j < hone_comparison_row_count(comparison); j++) {
    const struct hone_compared_row *row = hone_comparison_row(comparison, j);
    if (is_judged(check, row) &&
        is_slower(hone_compared_row_low(row, i), hone_compared_row_ratio(row, i), check->limit))
      return complain(check, i, hone_compared_row_key(row), hone_compared_row_ratio(row, i));
  }
  if (is_slower(hone_compared_mean_low(sum), hone_compared_mean_bounded(sum), check->limit))
    return complain(check, i, "the mean", hone_compared_mean_bounded(sum));
  return CLI_DONE;
}

static bool has_samples(const struct slower_check *check)
{
  for (size_t i = 1; i < hone_comparison_count(check->comparison); i++)
    if (hone_compared_best_change(hone_comparison_at(check->comparison, i)) != HONE_CHANGE_NONE)
      return true;
  return compare_has_changes(check->comparison);
}

enum exit_code compare_check_slower(const struct slower_check *check)
{
  enum exit_code code = CLI_DONE;

  if (isnan(check->limit)) return CLI_DONE;
  if (!has_samples(check)) {
    message_error("'--fail-if-slower' needs the samples of runs: these results have none; see "
                  "'hone compare --fail-above'");
    return CLI_FAILED;
  }
  for (size_t i = 1; i < hone_comparison_count(check->comparison) && code == CLI_DONE; i++)
    code = judge(check, i);
  return code;
}
