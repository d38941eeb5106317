/* The findings of `hone run` as one JSON object. Its keys are those of a report's JSON where they
 * mean the same. Missing values are null.
 */
#include "tune/attempt.h"

#include "spec/json_writer.h"
#include "tune/baseline_modes.h"

enum { SCHEMA_VERSION = 1 };

/* ---- What it is ---- */

static void add_values(struct hone__json_writer *out, const struct hone__attempt *attempt)
{
  const struct hone_space *space = attempt->tuning.session.problem.space;
  const uint32_t *row = attempt->candidate->row;

  hone__json_open(out, "values", '{');
  for (size_t i = 0; i < hone_space_param_count(space, row[0]); i++)
    hone__json_value(out, hone_space_param_name(space, row[0], i),
                     hone_space_value(space, row[0], i, row[1 + i]));
  hone__json_close(out, '}');
}

static void add_subject(struct hone__json_writer *out, const struct hone__attempt *attempt)
{
  const struct hone__session *session = &attempt->tuning.session;

  hone__json_text_or_null(out, "spec", session->problem.task.spec->name);
  hone__json_text_or_null(out, "problem", session->problem.task.problem);
  hone__json_text_or_null(out, "config", attempt->candidate->config);
  add_values(out, attempt);
  hone__json_bool(out, "legal", attempt->is_legal);
  hone__json_text_or_null(out, "devices", hone__session_devices(session));
}

/* ---- What became of it ---- */

static void add_costs(struct hone__json_writer *out, const struct hone__candidate *candidate)
{
  if (!candidate->costs) {
    hone__json_null(out, "costs");
    return;
  }
  hone__json_open(out, "costs", '{');
  for (size_t i = 0; i < candidate->cost_count; i++)
    hone__json_value(out, candidate->costs[i].name, candidate->costs[i].value);
  hone__json_close(out, '}');
}

static void add_build(struct hone__json_writer *out, const struct hone__attempt *attempt)
{
  const struct hone__evaluation *e = &attempt->candidate->evaluation;
  struct hone__text build = {0}, run = {0};

  hone__attempt_commands(attempt, &build, &run);
  hone__json_open(out, "build", '{');
  hone__json_text(out, "outcome", hone_outcome_name(e->outcome));
  hone__json_text_or_null(out, "evidence", e->evidence);
  hone__json_text_or_null(out, "command", build.data);
  hone__json_text_or_null(out, "run_command", run.data);
  hone__json_real(out, "compile_s", e->compile_s);
  hone__json_bool(out, "cached", e->cached);
  hone__json_text_or_null(out, "object", e->object);
  hone__json_integer(out, "size_bytes", attempt->candidate->size);
  add_costs(out, attempt->candidate);
  hone__json_text_or_null(out, "warnings", e->warnings);
  hone__json_close(out, '}');
  hone__text_release(&build);
  hone__text_release(&run);
}

/* A candidate that does not build has that as its outcome. */
static void add_outcome(struct hone__json_writer *out, const struct hone__attempt *attempt)
{
  const struct hone__evaluation *e = &attempt->candidate->evaluation;
  enum hone_outcome outcome = attempt->was_run ? attempt->outcome : e->outcome;
  bool is_known = attempt->was_run || !attempt->candidate->bytes;

  hone__json_bool(out, "works", attempt->works);
  hone__json_text_or_null(out, "outcome", is_known ? hone_outcome_name(outcome) : NULL);
  hone__json_text_or_null(out, "text", is_known ? hone__outcome_text(outcome) : NULL);
  hone__json_text_or_null(out, "evidence", attempt->was_run ? attempt->evidence : e->evidence);
  hone__json_bool(out, "checked", attempt->tuning.session.problem.task.check);
  hone__json_text(out, "compared_with",
                  hone__answers_name(hone__session_answers(&attempt->tuning.session)));
  hone__json_text_or_null(out, "suspicious", attempt->doubt);
  add_build(out, attempt);
}

/* ---- Times ---- */

static void add_spread(struct hone__json_writer *out, const struct hone__attempt *attempt,
                       const double *times_ns)
{
  size_t count = attempt->count;

  hone__json_real(out, "time_ns", hone__median(times_ns, count));
  hone__json_real(out, "least_ns", count ? hone__quantile(times_ns, count, 0) : NAN);
  hone__json_real(out, "greatest_ns", count ? hone__quantile(times_ns, count, 1) : NAN);
}

static void add_modes(struct hone__json_writer *out, const struct hone__attempt *attempt,
                      const double *times_ns)
{
  struct hone__modes modes = hone__modes_find(times_ns, attempt->processes, attempt->count);

  hone__tuning_modes_write(out, "two_groups", &modes, NULL);
}

static void add_baseline(struct hone__json_writer *out, const struct hone__attempt *attempt)
{
  if (attempt->is_alone || !attempt->tuning.baseline.candidate) {
    hone__json_null(out, "baseline");
    return;
  }
  hone__json_open(out, "baseline", '{');
  hone__json_text_or_null(out, "config", attempt->tuning.baseline.candidate->config);
  add_spread(out, attempt, attempt->baseline_ns);
  add_modes(out, attempt, attempt->baseline_ns);
  hone__json_close(out, '}');
}

static void add_speed(struct hone__json_writer *out, const struct hone__attempt *attempt)
{
  bool has_pairs = attempt->count && !attempt->is_alone, has_interval;
  struct hone__attempt_speed speed = {.ratio = {NAN, NAN, NAN}};

  if (has_pairs) speed = hone__attempt_speed(attempt);
  has_interval = isfinite(speed.ratio.low) && isfinite(speed.ratio.high);
  hone__json_real(out, "speedup", speed.ratio.value);
  hone__json_real(out, "low", has_interval ? speed.ratio.low : NAN);
  hone__json_real(out, "high", has_interval ? speed.ratio.high : NAN);
  hone__json_real(out, "confidence", has_interval ? 0.95 : NAN);
  hone__json_text_or_null(out, "covers",
                          !has_interval           ? NULL
                          : speed.covers_restarts ? "restarts"
                                                  : "within one process");
  hone__json_integer(out, "pairs", has_pairs ? attempt->count : 0);
  hone__json_integer(out, "restarts", attempt->process_count);
}

static void add_metrics(struct hone__json_writer *out, const struct hone__attempt *attempt)
{
  const struct hone__task *task = &attempt->tuning.session.problem.task;
  const struct hone__task_measured measured = {.time_ns =
                                                   hone__median(attempt->times_ns, attempt->count),
                                               .energy = attempt->candidate->energy};

  hone__json_open(out, "metrics", '{');
  for (size_t i = 0; attempt->count && i < task->spec->metric_count; i++) {
    const struct hone__formula *metric = &task->spec->metrics[i];
    double value;
    if (hone__task_metric(task, attempt->candidate->row, metric, &measured, &value))
      hone__json_real(out, metric->name, value);
  }
  hone__json_close(out, '}');
}

static void add_slice(struct hone__json_writer *out, const char *key, const double *values,
                      size_t from, size_t to)
{
  hone__json_open(out, key, '[');
  for (size_t i = from; i < to; i++)
    hone__json_real(out, NULL, values[i]);
  hone__json_close(out, ']');
}

/* One entry per process. */
static void add_samples(struct hone__json_writer *out, const struct hone__attempt *attempt)
{
  size_t from = 0;

  hone__json_open(out, "samples", '[');
  for (size_t i = 1; i <= attempt->count; i++) {
    if (i < attempt->count && attempt->processes[i] == attempt->processes[from]) continue;
    hone__json_open(out, NULL, '{');
    hone__json_integer(out, "restart", attempt->processes[from]);
    add_slice(out, "times_ns", attempt->times_ns, from, i);
    if (attempt->is_alone)
      hone__json_null(out, "baseline_ns");
    else
      add_slice(out, "baseline_ns", attempt->baseline_ns, from, i);
    hone__json_close(out, '}');
    from = i;
  }
  hone__json_close(out, ']');
}

static void add_times(struct hone__json_writer *out, const struct hone__attempt *attempt)
{
  hone__json_real(out, "cold_ns", attempt->cold_ns);
  add_spread(out, attempt, attempt->times_ns);
  add_modes(out, attempt, attempt->times_ns);
  add_baseline(out, attempt);
  add_speed(out, attempt);
  add_metrics(out, attempt);
  hone__json_real(out, "energy_j", attempt->candidate->energy.joules);
  hone__json_real(out, "power_w", attempt->candidate->energy.watts);
  add_samples(out, attempt);
}

/* ---- All of it ---- */

static void add_output_text(struct hone__json_writer *out, const char *key, const char *text)
{
  if (text)
    hone__json_text(out, key, text);
  else
    hone__json_null(out, key);
}

static void add_output(struct hone__json_writer *out, const struct hone__attempt *attempt)
{
  struct hone__text table = {0};

  if (attempt->table) hone__packed_print(attempt->table, &table);
  hone__json_raw(out, "table", table.data ? table.data : "null");
  hone__text_release(&table);
  add_output_text(out, "stdout", attempt->stdout_text);
  add_output_text(out, "stderr", attempt->stderr_text);
}

char *hone__attempt_json(const struct hone__attempt *attempt)
{
  struct hone__json_writer out = {0};

  hone__json_open(&out, NULL, '{');
  hone__json_integer(&out, "schema_version", SCHEMA_VERSION);
  hone__json_text(&out, "hone", hone_version());
  if (attempt->candidate) {
    add_subject(&out, attempt);
    add_outcome(&out, attempt);
    add_times(&out, attempt);
    add_output(&out, attempt);
  }
  hone__json_open(&out, "notes", '[');
  for (size_t i = 0; i < attempt->notes.count; i++)
    hone__json_text(&out, NULL, attempt->notes.data[i]);
  hone__json_close(&out, ']');
  hone__json_close(&out, '}');
  return hone__text_take(&out.text);
}
