/* rocprofv3 writes a line for every kernel that ran. The benchmark's own times include kernel
 * starts and waits, which vary more than kernels differ.
 */
#include "iree/backend/iree_tool.h"

#include "base/csv.h"
#include "base/file.h"
#include "iree/toolset/toolset.h"

#include <stdlib.h>

enum { MOST_TRACE_BYTES = 1 << 28, WARM_CALLS = 10, ENOUGH_CALLS = 20 };

struct trace { /* of the kernel's calls, in ns */
  double *times;
  size_t count, capacity;
  const char *function;
  struct hone__iree_attempt *attempt;
};

static const char *cell(const struct hone__csv_row *row, size_t column)
{
  return column < row->count ? row->cells[column].text : "";
}

/* A kernel has the name of its export, with which the name of the benchmark's function ends. */
static bool is_kernel_of(const char *kernel, const char *function)
{
  size_t length = strlen(kernel), whole = strlen(function);

  return length && whole >= length && strcmp(function + whole - length, kernel) == 0;
}

static void take_call(struct trace *trace, const char *kernel, const char *begin, const char *end)
{
  unsigned long long first = strtoull(begin, NULL, 10), last = strtoull(end, NULL, 10);

  if (strstr(kernel, "_buffer")) {
    hone__iree_attempt_fail(trace->attempt, HONE_OUTCOME_BAD_RESULT,
                            "rocprofv3: '%.200s' fills the buffer but was measured", kernel);
    return;
  }
  if (!is_kernel_of(kernel, trace->function)) return;
  if (last <= first) {
    hone__iree_attempt_fail(trace->attempt, HONE_OUTCOME_BAD_RESULT,
                            "rocprofv3: a kernel ended before it began");
    return;
  }
  HONE__GROW(trace->times, trace->count, trace->capacity);
  trace->times[trace->count++] = (double)(last - first);
}

static bool find_columns(struct trace *trace, const struct hone__csv_row *header, size_t columns[3])
{
  static const char *const names[] = {"Kernel_Name", "Start_Timestamp", "End_Timestamp"};

  for (size_t i = 0; i < 3; i++) {
    columns[i] = 0;
    while (columns[i] < header->count && strcmp(cell(header, columns[i]), names[i]) != 0)
      columns[i]++;
    if (columns[i] < header->count) continue;
    hone__iree_attempt_fail(trace->attempt, HONE_OUTCOME_BAD_RESULT,
                            "rocprofv3: its table has no column '%s'", names[i]);
    return false;
  }
  return true;
}

static void read_calls(struct trace *trace, const struct hone__csv *csv)
{
  size_t columns[3];

  if (!csv->row_count || !find_columns(trace, &csv->rows[0], columns)) return;
  for (size_t i = 1; i < csv->row_count && trace->attempt->outcome == HONE_OUTCOME_OK; i++)
    take_call(trace, cell(&csv->rows[i], columns[0]), cell(&csv->rows[i], columns[1]),
              cell(&csv->rows[i], columns[2]));
  if (!trace->count && trace->attempt->outcome == HONE_OUTCOME_OK)
    hone__iree_attempt_fail(trace->attempt, HONE_OUTCOME_NO_RESULT,
                            "rocprofv3 recorded no call of the dispatch's kernel");
}

/* The first calls warm the device up. Each sample is the mean of its share of the rest. */
static size_t group(const struct trace *trace, double *times_ns, size_t most,
                    struct hone__words *notes)
{
  size_t first = trace->count >= ENOUGH_CALLS ? WARM_CALLS : 0, count = trace->count - first;
  size_t groups = count < most ? count : most;

  if (!first)
    hone__iree_word(
        notes,
        "rocprofv3 recorded only %zu calls, including the first ones, in which the device warms up",
        trace->count);
  for (size_t g = 0; g < groups; g++) {
    size_t begin = first + g * count / groups, end = first + (g + 1) * count / groups;
    double sum = 0;
    for (size_t i = begin; i < end; i++)
      sum += trace->times[i];
    times_ns[g] = sum / (double)(end - begin);
  }
  return groups;
}

size_t hone__iree_read_trace(struct hone__iree_attempt *attempt, const char *path,
                             const char *function, double *times_ns, size_t most,
                             struct hone__words *notes)
{
  struct trace trace = {.function = function, .attempt = attempt};
  struct hone__csv csv = {0};
  char *text = NULL;
  size_t size = 0, count = 0;
  hone_status status = hone__file_read(path, MOST_TRACE_BYTES, &text, &size);

  if (!status) status = hone__csv_parse(text, size, &csv);
  if (status) {
    hone__iree_attempt_fail(attempt, HONE_OUTCOME_NO_RESULT, "rocprofv3 wrote no table: %s",
                            hone_status_message(status));
  } else {
    if (!csv.row_count)
      hone__iree_attempt_fail(attempt, HONE_OUTCOME_NO_RESULT, "rocprofv3 wrote an empty table");
    read_calls(&trace, &csv);
    if (attempt->outcome == HONE_OUTCOME_OK) count = group(&trace, times_ns, most, notes);
    hone__csv_release(&csv);
  }
  hone_status_free(status);
  free(trace.times);
  free(text);
  return count;
}
