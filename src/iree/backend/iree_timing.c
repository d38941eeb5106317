/* Only rows of single repetitions count, and one that failed fails them all. A tool that ends well
 * and says nothing, or half of it, has not measured anything. */
#include "iree/backend/iree_tool.h"

#include "wire/message_text.h"
#include "base/text.h"
#include "base/time_unit.h"
#include "base/time_bounds.h"

#include <math.h>
#include <stdlib.h>

/* ---- Google Benchmark's JSON ---- */

static bool is_sample(const json_t *row)
{
  return strcmp(hone__message_text(row, "run_type"), "iteration") == 0 &&
         hone__ends_with(hone__message_text(row, "name"), "/real_time");
}

/* False: the attempt has failed. */
static bool take_time(struct hone__iree_attempt *attempt, const json_t *row, const char *name,
                      double *out_ns)
{
  const char *unit = hone__message_text(row, "time_unit");
  const json_t *value = json_object_get(row, name);
  double unit_ns = hone__time_unit_ns(unit, strlen(unit)), number = json_number_value(value);
  char *text;

  *out_ns = number * unit_ns;
  if (hone__is_time(*out_ns)) return true;
  text = value ? json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY) : NULL;
  if (unit_ns > 0)
    hone__iree_attempt_fail(attempt, HONE__OUTCOME_BAD_RESULT,
                            "iree-benchmark-module: a %s of %.100s %s is not valid", name,
                            text ? text : "nothing", unit);
  else
    hone__iree_attempt_fail(attempt, HONE__OUTCOME_BAD_RESULT,
                            "iree-benchmark-module: '%.100s' is not a unit of time", unit);
  free(text);
  return false;
}

static json_t *parse(struct hone__iree_attempt *attempt)
{
  const char *begin = attempt->output.data ? strchr(attempt->output.data, '{') : NULL;
  json_error_t error;
  json_t *json = NULL;
  struct hone__text line = {0};

  if (begin) json = json_loads(begin, JSON_DISABLE_EOF_CHECK, &error);
  if (json) return json;
  hone__last_line(attempt->errors.length ? &attempt->errors : &attempt->output, &line);
  if (begin)
    hone__iree_attempt_fail(attempt, HONE__OUTCOME_BAD_RESULT,
                            "iree-benchmark-module: its output is not valid JSON: %s", error.text);
  else
    hone__iree_attempt_fail(attempt, HONE__OUTCOME_NO_RESULT,
                            "iree-benchmark-module exited with status 0 but gave no result%s%s",
                            line.length ? ": " : "", line.length ? line.data : "");
  hone__text_release(&line);
  return NULL;
}

/* False: the attempt has failed. */
static bool take_row(struct hone__iree_attempt *attempt, const json_t *row, bool is_cpu_time,
                     double *out_ns)
{
  const char *message = hone__message_text(row, "error_message");

  if (json_is_true(json_object_get(row, "error_occurred"))) {
    bool is_memory = strstr(message, "RESOURCE_EXHAUSTED") || strstr(message, "OUT_OF_MEMORY");
    hone__iree_attempt_fail(attempt,
                            is_memory ? HONE__OUTCOME_OOM_DEVICE : HONE__OUTCOME_LAUNCH_FAILURE,
                            "iree-benchmark-module: %.400s", message);
    return false;
  }
  return take_time(attempt, row, is_cpu_time ? "cpu_time" : "real_time", out_ns);
}

size_t hone__iree_read_samples(struct hone__iree_attempt *attempt, bool is_cpu_time,
                               double *times_ns, size_t most)
{
  json_t *json = parse(attempt);
  const json_t *rows = json_object_get(json, "benchmarks");
  size_t count = 0;

  for (size_t i = 0; i < json_array_size(rows) && count < most; i++) {
    const json_t *row = json_array_get(rows, i);
    bool failed = json_is_true(json_object_get(row, "error_occurred"));
    if (!failed && !is_sample(row)) continue;
    if (!take_row(attempt, row, is_cpu_time, &times_ns[count])) break;
    count++;
  }
  if (json && !count && attempt->outcome == HONE__OUTCOME_OK)
    hone__iree_attempt_fail(attempt, HONE__OUTCOME_NO_RESULT,
                            "iree-benchmark-module reported no time for the dispatch");
  json_decref(json);
  return attempt->outcome == HONE__OUTCOME_OK ? count : 0;
}
