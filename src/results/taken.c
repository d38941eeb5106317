#include "results/taken.h"

#include <math.h>

const char *hone_change_name(enum hone_change change)
{
#define NAME(id, name) name,
  static const char *const names[] = {HONE_CHANGES(NAME)};
#undef NAME

  return (size_t)change < sizeof names / sizeof *names ? names[change] : "";
}

/* Over processes, as two independent groups. */
static struct hone__estimate over_processes(const struct hone__taken *first,
                                            const struct hone__taken *second)
{
  return hone__welch_interval(first->logs, first->process_count, second->logs,
                              second->process_count, 0.95);
}

static double log_of(double time_ns)
{
  return time_ns > 0 ? log(time_ns) : NAN;
}

/* Over samples of one process: the intervals of both medians, each of which may be wrong in half of
 * the cases. */
static struct hone__estimate over_samples(const struct hone__taken *first,
                                          const struct hone__taken *second)
{
  struct hone__estimate a = hone__median_interval(first->times_ns, first->time_count, 0.975),
                        b = hone__median_interval(second->times_ns, second->time_count, 0.975);
  bool is_bounded = isfinite(a.low) && isfinite(a.high) && isfinite(b.low) && isfinite(b.high);

  return (struct hone__estimate){.value = log_of(b.value) - log_of(a.value),
                                 .low = is_bounded ? log_of(b.low) - log_of(a.high) : -INFINITY,
                                 .high = is_bounded ? log_of(b.high) - log_of(a.low) : INFINITY};
}

struct hone__estimate hone__taken_difference(const struct hone__taken *first,
                                             const struct hone__taken *second)
{
  if (first->process_count >= HONE__LEAST_RESTARTS && second->process_count >= HONE__LEAST_RESTARTS)
    return over_processes(first, second);
  return over_samples(first, second);
}

enum hone_change hone__taken_judge(const struct hone__estimate *difference, double margin)
{
  double most = log(1 + margin);

  if (isnan(difference->value)) return HONE_CHANGE_NONE;
  if (difference->low >= -most && difference->high <= most) return HONE_CHANGE_SAME;
  if (difference->high < 0) return HONE_CHANGE_FASTER;
  return difference->low > 0 ? HONE_CHANGE_SLOWER : HONE_CHANGE_INCONCLUSIVE;
}
