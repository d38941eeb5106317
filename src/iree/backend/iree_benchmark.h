/* iree_benchmark.h - the output of iree-benchmark-module: Google Benchmark's JSON, as rows. */
#ifndef HONE_IREE_BACKEND_IREE_BENCHMARK_H
#define HONE_IREE_BACKEND_IREE_BENCHMARK_H

#include "wire/record.h"

struct hone__iree_row {
  const char *name;      /* "BM_f/process_time/real_time" */
  const char *run_type;  /* "iteration": a sample; NULL: missing, as for the others */
  const char *time_unit; /* "ns" */
  struct hone_value real_time, cpu_time; /* in that unit, where they are numbers */
  struct hone_value calls;               /* with --dispatch_statistics, of a dispatch */
  bool error_occurred;
  const char *error_message;
};

struct hone__iree_rows {
  struct hone__iree_row *benchmarks;
  size_t benchmarks_count;
  struct hone__arena arena;
  struct hone__packed *packed;
};

/* `text` begins with '{'; text after the object is ignored. INVALID_ARGUMENT: describes the
 * problem. Release it even then. */
hone_status hone__iree_rows_parse(const char *text, struct hone__iree_rows *out_rows);
void hone__iree_rows_release(struct hone__iree_rows *rows);

/* NaN: not a number, or an unknown unit. */
double hone__iree_row_ns(const struct hone__iree_row *row, struct hone_value time);

#endif
