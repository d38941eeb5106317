/* Only rows of single repetitions count, and a failed one fails them all. A tool that exits
 * normally with no output, or incomplete output, has not measured anything.
 */
#include "iree/backend/iree_tool.h"

#include "base/quoted_text.h"
#include "iree/backend/iree_benchmark.h"
#include "spec/value.h"
#include "base/time_unit.h"
#include "base/time_bounds.h"

static const char *text_or_empty(const char *text)
{
  return text ? text : "";
}

static bool is_sample(const struct hone__iree_row *row)
{
  return strcmp(text_or_empty(row->run_type), "iteration") == 0 &&
         hone__ends_with(row->name, "/real_time");
}

static void print_value(struct hone_value value, struct hone__text *text)
{
  if (value.type == HONE_TEXT)
    hone__quote_text(text, value.text);
  else if (value.type == HONE_NONE)
    hone__text_add(text, "nothing");
  else
    hone__value_print(value, text);
}

/* False: the attempt has failed. */
static bool take_time(struct hone__iree_attempt *attempt, const struct hone__iree_row *row,
                      bool is_cpu_time, double *out_ns)
{
  struct hone_value value = is_cpu_time ? row->cpu_time : row->real_time;
  const char *unit = text_or_empty(row->time_unit);
  struct hone__text text = {0};

  *out_ns = hone__iree_row_ns(row, value);
  if (hone__is_time(*out_ns)) return true;
  print_value(value, &text);
  if (hone__time_unit_ns(unit, strlen(unit)) > 0)
    hone__iree_attempt_fail(attempt, HONE_OUTCOME_BAD_RESULT,
                            "iree-benchmark-module: a %s of %.100s %s is not valid",
                            is_cpu_time ? "cpu_time" : "real_time", text.data, unit);
  else
    hone__iree_attempt_fail(attempt, HONE_OUTCOME_BAD_RESULT,
                            "iree-benchmark-module: '%.100s' is not a unit of time", unit);
  hone__text_release(&text);
  return false;
}

static void fail_silent(struct hone__iree_attempt *attempt)
{
  struct hone__text line = {0};

  hone__last_line(attempt->errors.length ? &attempt->errors : &attempt->output, &line);
  hone__iree_attempt_fail(attempt, HONE_OUTCOME_NO_RESULT,
                          "iree-benchmark-module exited with status 0 but gave no result%s%s",
                          line.length ? ": " : "", line.length ? line.data : "");
  hone__text_release(&line);
}

/* False: the attempt has failed. */
static bool parse(struct hone__iree_attempt *attempt, struct hone__iree_rows *rows)
{
  const char *begin = attempt->output.data ? strchr(attempt->output.data, '{') : NULL;
  hone_status status;

  *rows = (struct hone__iree_rows){0};
  if (!begin) {
    fail_silent(attempt);
    return false;
  }
  status = hone__iree_rows_parse(begin, rows);
  if (!status) return true;
  hone__iree_attempt_fail(attempt, HONE_OUTCOME_BAD_RESULT, "iree-benchmark-module: %s",
                          hone_status_message(status));
  hone_status_free(status);
  return false;
}

/* False: the attempt has failed. */
static bool take_row(struct hone__iree_attempt *attempt, const struct hone__iree_row *row,
                     bool is_cpu_time, double *out_ns)
{
  const char *message = text_or_empty(row->error_message);

  if (row->error_occurred) {
    bool is_memory = strstr(message, "RESOURCE_EXHAUSTED") || strstr(message, "OUT_OF_MEMORY");
    hone__iree_attempt_fail(attempt,
                            is_memory ? HONE_OUTCOME_OOM_DEVICE : HONE_OUTCOME_LAUNCH_FAILURE,
                            "iree-benchmark-module: %.400s", message);
    return false;
  }
  return take_time(attempt, row, is_cpu_time, out_ns);
}

size_t hone__iree_read_samples(struct hone__iree_attempt *attempt, bool is_cpu_time,
                               double *times_ns, size_t most)
{
  struct hone__iree_rows rows;
  bool is_read = parse(attempt, &rows);
  size_t count = 0;

  for (size_t i = 0; i < rows.benchmarks_count && is_read && count < most; i++) {
    const struct hone__iree_row *row = &rows.benchmarks[i];
    if (!row->error_occurred && !is_sample(row)) continue;
    if (!take_row(attempt, row, is_cpu_time, &times_ns[count])) break;
    count++;
  }
  if (is_read && !count && attempt->outcome == HONE_OUTCOME_OK)
    hone__iree_attempt_fail(attempt, HONE_OUTCOME_NO_RESULT,
                            "iree-benchmark-module reported no time for the dispatch");
  hone__iree_rows_release(&rows);
  return attempt->outcome == HONE_OUTCOME_OK ? count : 0;
}
