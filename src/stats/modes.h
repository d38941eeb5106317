/* modes.h - whether times fall into two groups: a kernel that takes 1.0 ms or 1.3 ms.
 *
 * A median hides that there are two times, and a speedup over such a kernel depends on which of
 * them was measured. Two kinds are distinguished: every process has one of the times (memory
 * layout), or they alternate within a process (clocks, other programs, the kernel itself). A few
 * outliers are not a group, and neither is a slow change or a single step: times must alternate.
 */
#ifndef HONE_STATS_MODES_H
#define HONE_STATS_MODES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hone__modes {
  bool found;
  bool by_process;          /* otherwise they alternate within a process */
  double low_ns, high_ns;   /* the medians of the two groups */
  size_t high_count, count; /* size of the slower group, and total: processes or samples */
};

/* `times_ns` is in the order of measurement, each with the number of its process; times of one
 * process are adjacent. */
struct hone__modes hone__modes_find(const double *times_ns, const uint32_t *processes,
                                    size_t count);

#endif
