/* What `hone run` found, for programs: one object, whose keys are those of a report's JSON where
 * they mean the same. What there is not is null. */
#include "tune/attempt.h"

#include "tune/baseline_modes.h"

#include <stdlib.h>

enum { SCHEMA_VERSION = 1 };

/* ---- Values ---- */

static json_t *real(double value)
{
  return isfinite(value) ? json_real(value) : json_null();
}

static json_t *string(const char *text)
{
  return text && *text ? hone__json_string(text, strlen(text)) : json_null();
}

static json_t *other(const json_t *value)
{
  return value ? json_deep_copy(value) : json_null();
}

static void set(json_t *object, const char *name, json_t *value)
{
  if (json_object_set_new(object, name, value) != 0) HONE__BUG("a trial is not valid JSON");
}

static json_t *printed(struct hone_value value)
{
  size_t length = hone_value_print(value, NULL, 0);
  char *text = hone__alloc(length + 1);
  json_t *json;

  hone_value_print(value, text, length + 1);
  json = hone__json_string(text, length);
  free(text);
  return json;
}

static json_t *typed(struct hone_value value)
{
  switch (value.type) {
  case HONE_NONE: return json_null();
  case HONE_BOOL: return json_boolean(value.integer);
  case HONE_INT: return json_integer(value.integer);
  case HONE_FLOAT: return isfinite(value.real) ? json_real(value.real) : printed(value);
  default: return printed(value);
  }
}

/* ---- What it is ---- */

static json_t *values_of(const struct hone__attempt *attempt)
{
  const struct hone_space *space = attempt->tuning.session.problem.space;
  const uint32_t *row = attempt->candidate->row;
  json_t *values = json_object();

  for (size_t i = 0; i < hone_space_param_count(space, row[0]); i++)
    set(values, hone_space_param_name(space, row[0], i),
        typed(hone_space_value(space, row[0], i, row[1 + i])));
  return values;
}

static void set_subject(json_t *object, const struct hone__attempt *attempt)
{
  const struct hone__tuning *tuning = &attempt->tuning;

  set(object, "spec", string(tuning->session.problem.task.spec->name));
  set(object, "problem", string(tuning->session.problem.task.problem));
  set(object, "config", string(attempt->candidate->config));
  set(object, "values", values_of(attempt));
  set(object, "legal", json_boolean(attempt->is_legal));
  set(object, "devices", string(hone__session_devices(&tuning->session)));
}

/* ---- What became of it ---- */

static json_t *build_of(const struct hone__attempt *attempt)
{
  const struct hone__evaluation *e = &attempt->candidate->evaluation;
  struct hone__text build = {0}, run = {0};
  json_t *object = json_object();

  hone__attempt_commands(attempt, &build, &run);
  set(object, "outcome", string(hone__outcome_name(e->outcome)));
  set(object, "evidence", string(e->evidence));
  set(object, "command", string(build.data));
  set(object, "run_command", string(run.data));
  set(object, "compile_s", real(e->compile_s));
  set(object, "cached", json_boolean(e->cached));
  set(object, "object", string(e->object));
  set(object, "size_bytes", json_integer((json_int_t)attempt->candidate->size));
  set(object, "costs", other(json_object_get(attempt->candidate->json, "costs")));
  set(object, "warnings", string(e->warnings));
  hone__text_release(&build);
  hone__text_release(&run);
  return object;
}

/* What does not build has that as its outcome. */
static void set_outcome(json_t *object, const struct hone__attempt *attempt)
{
  const struct hone__evaluation *e = &attempt->candidate->evaluation;
  enum hone__outcome outcome = attempt->was_run ? attempt->outcome : e->outcome;
  bool is_known = attempt->was_run || !attempt->candidate->bytes;

  set(object, "works", json_boolean(attempt->works));
  set(object, "outcome", is_known ? string(hone__outcome_name(outcome)) : json_null());
  set(object, "text", is_known ? string(hone__outcome_text(outcome)) : json_null());
  set(object, "evidence", string(attempt->was_run ? attempt->evidence : e->evidence));
  set(object, "checked", json_boolean(attempt->tuning.session.problem.task.check));
  set(object, "compared_with",
      json_string(hone__answers_name(hone__session_answers(&attempt->tuning.session))));
  set(object, "suspicious", attempt->doubt ? string(attempt->doubt) : json_null());
  set(object, "build", build_of(attempt));
}

/* ---- Times ---- */

static void set_spread(json_t *object, const struct hone__attempt *attempt, const double *times_ns)
{
  set(object, "time_ns", real(hone__median(times_ns, attempt->count)));
  set(object, "least_ns",
      attempt->count ? real(hone__quantile(times_ns, attempt->count, 0)) : json_null());
  set(object, "greatest_ns",
      attempt->count ? real(hone__quantile(times_ns, attempt->count, 1)) : json_null());
}

static json_t *modes_of(const struct hone__attempt *attempt, const double *times_ns)
{
  struct hone__modes modes = hone__modes_find(times_ns, attempt->processes, attempt->count);

  return hone__modes_json(&modes);
}

static json_t *baseline_of(const struct hone__attempt *attempt)
{
  json_t *object;

  if (attempt->is_alone || !attempt->tuning.baseline.candidate) return json_null();
  object = json_object();
  set(object, "config", string(attempt->tuning.baseline.candidate->config));
  set_spread(object, attempt, attempt->baseline_ns);
  set(object, "two_groups", modes_of(attempt, attempt->baseline_ns));
  return object;
}

static void set_speed(json_t *object, const struct hone__attempt *attempt)
{
  bool has_pairs = attempt->count && !attempt->is_alone;
  struct hone__attempt_speed speed = {.ratio = {NAN, NAN, NAN}};
  bool has_interval;

  if (has_pairs) speed = hone__attempt_speed(attempt);
  has_interval = isfinite(speed.ratio.low) && isfinite(speed.ratio.high);
  set(object, "speedup", real(speed.ratio.value));
  set(object, "low", has_interval ? real(speed.ratio.low) : json_null());
  set(object, "high", has_interval ? real(speed.ratio.high) : json_null());
  set(object, "confidence", has_interval ? json_real(0.95) : json_null());
  set(object, "covers",
      string(!has_interval           ? NULL
             : speed.covers_restarts ? "restarts"
                                     : "within one process"));
  set(object, "pairs", json_integer(has_pairs ? (json_int_t)attempt->count : 0));
  set(object, "restarts", json_integer(attempt->process_count));
}

static json_t *metrics_of(const struct hone__attempt *attempt)
{
  const struct hone__task *task = &attempt->tuning.session.problem.task;
  const struct hone__measured measured = {.time_ns =
                                              hone__median(attempt->times_ns, attempt->count),
                                          .energy = attempt->candidate->energy};
  json_t *metrics = json_object();

  for (size_t i = 0; attempt->count && i < task->spec->metric_count; i++) {
    const struct hone__formula *metric = &task->spec->metrics[i];
    double value;
    if (hone__task_metric(task, attempt->candidate->row, metric, &measured, &value))
      set(metrics, metric->name, real(value));
  }
  return metrics;
}

static json_t *slice(const double *values, size_t from, size_t to)
{
  json_t *list = json_array();

  for (size_t i = from; i < to; i++)
    json_array_append_new(list, real(values[i]));
  return list;
}

/* One entry a process. */
static json_t *samples_of(const struct hone__attempt *attempt)
{
  json_t *list = json_array();
  size_t from = 0;

  for (size_t i = 1; i <= attempt->count; i++) {
    json_t *object;
    if (i < attempt->count && attempt->processes[i] == attempt->processes[from]) continue;
    object = json_object();
    set(object, "restart", json_integer(attempt->processes[from]));
    set(object, "times_ns", slice(attempt->times_ns, from, i));
    set(object, "baseline_ns",
        attempt->is_alone ? json_null() : slice(attempt->baseline_ns, from, i));
    json_array_append_new(list, object);
    from = i;
  }
  return list;
}

static void set_times(json_t *object, const struct hone__attempt *attempt)
{
  set(object, "cold_ns", real(attempt->cold_ns));
  set_spread(object, attempt, attempt->times_ns);
  set(object, "two_groups", modes_of(attempt, attempt->times_ns));
  set(object, "baseline", baseline_of(attempt));
  set_speed(object, attempt);
  set(object, "metrics", metrics_of(attempt));
  set(object, "energy_j", real(attempt->candidate->energy.joules));
  set(object, "power_w", real(attempt->candidate->energy.watts));
  set(object, "samples", samples_of(attempt));
}

/* ---- All of it ---- */

static void set_said(json_t *object, const struct hone__attempt *attempt)
{
  static const char *const names[] = {"table", "stdout", "stderr"};

  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    set(object, names[i], other(json_object_get(attempt->said, names[i])));
}

char *hone__attempt_json(const struct hone__attempt *attempt)
{
  json_t *object = json_object();
  char *text;

  set(object, "schema_version", json_integer(SCHEMA_VERSION));
  set(object, "hone", string(hone_version()));
  if (attempt->candidate) {
    set_subject(object, attempt);
    set_outcome(object, attempt);
    set_times(object, attempt);
    set_said(object, attempt);
  }
  set(object, "notes", json_incref(attempt->notes));
  text = json_dumps(object, JSON_INDENT(2));
  json_decref(object);
  return text;
}
