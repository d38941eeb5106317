/* The findings of `hone run` as text. */
#include "tune/attempt.h"

#include "base/number.h"
#include "build/diagnosis.h"
#include "session/kept_output.h"
#include "wire/table.h"

#include <stdlib.h>

static void add_time(struct hone__text *text, double ns)
{
  char number[64];

  hone__print_time(number, sizeof number, ns);
  hone__text_add(text, number);
}

/* ---- Build ---- */

static void add_lines(struct hone__text *text, const char *lines)
{
  while (lines && *lines) {
    size_t length = strcspn(lines, "\n");
    hone__text_addf(text, "            | %.*s\n", (int)length, lines);
    lines += length + (lines[length] == '\n');
  }
}

void hone__attempt_commands(const struct hone__attempt *attempt, struct hone__text *build,
                            struct hone__text *run)
{
  const struct hone__backend *backend = attempt->tuning.session.problem.task.backend;
  const struct hone__packed *setup = attempt->tuning.session.problem.setup.head,
                            *candidate = attempt->candidate->packed;

  hone__text_add(build, "");
  hone__text_add(run, "");
  hone_status_free(backend->driver.build_command(setup, candidate, build));
  if (backend->driver.run_command)
    hone_status_free(backend->driver.run_command(setup, candidate, run));
}

static void add_commands(const struct hone__attempt *attempt, struct hone__text *text)
{
  struct hone__text build = {0}, run = {0};

  hone__attempt_commands(attempt, &build, &run);
  if (build.length) hone__text_addf(text, "command     %s\n", build.data);
  if (run.length) hone__text_addf(text, "runs        %s\n", run.data);
  hone__text_release(&build);
  hone__text_release(&run);
}

/* "registers 168, spills 0": the names used in constraints. */
static void add_costs(const struct hone__attempt *attempt, struct hone__text *text)
{
  const struct hone__candidate *candidate = attempt->candidate;

  for (size_t i = 0; i < candidate->cost_count; i++) {
    const struct hone__named *cost = &candidate->costs[i];
    hone__text_addf(text, "%s%s ", i ? ", " : "costs       ", cost->name);
    if (cost->value.type == HONE_FLOAT)
      hone__text_addf(text, "%.6g", cost->value.real);
    else
      hone__value_print(cost->value, text);
  }
  if (candidate->cost_count) hone__text_add(text, "\n");
}

/* The compiler's output: its first error, or all of it. */
static void add_failure(const struct hone__attempt *attempt, struct hone__text *text)
{
  const struct hone__evaluation *e = &attempt->candidate->evaluation;
  struct hone__kept_output output;
  struct hone__text whole = {0};
  const char *build_output;
  bool is_cut = false;

  hone__kept_output_read(e->output, &output);
  build_output = output.build_output;
  if (build_output && !attempt->tuning.session.settings.options->verbose)
    hone__diagnosis_whole(build_output, &whole, &is_cut);
  else if (build_output)
    hone__text_add(&whole, build_output);
  add_lines(text, whole.data);
  if (is_cut) hone__text_add(text, "            (-v shows the complete output)\n");
  hone__text_release(&whole);
  hone__kept_output_release(&output);
}

static void add_build(const struct hone__attempt *attempt, struct hone__text *text)
{
  const struct hone__evaluation *e = &attempt->candidate->evaluation;

  add_commands(attempt, text);
  hone__text_addf(text, "build       %s", hone_outcome_name(e->outcome));
  if (isfinite(e->compile_s))
    hone__text_addf(text, ", %.3f s%s", e->compile_s, e->cached ? " (from the cache)" : "");
  if (e->object && attempt->candidate->size)
    hone__text_addf(text, ", object %s, %zu bytes", e->object, attempt->candidate->size);
  if (*e->evidence) hone__text_addf(text, "\n            %s", e->evidence);
  hone__text_add(text, "\n");
  add_failure(attempt, text);
  add_costs(attempt, text);
  add_lines(text, e->warnings);
}

/* ---- The output of a program ---- */

static void add_cell(struct hone__text *text, const struct hone__table_cell *cell)
{
  if (cell->kind == HONE__CELL_TEXT)
    hone__text_add(text, cell->text ? cell->text : "");
  else
    hone__text_addf(text, "%.10g",
                    cell->kind == HONE__CELL_INT ? (double)cell->integer : cell->real);
}

static void add_row(struct hone__text *text, const struct hone__table_row *row)
{
  hone__text_addf(text, "%-11s ", "");
  for (size_t i = 0; i < row->count; i++) {
    if (i) hone__text_add(text, " | ");
    add_cell(text, &row->cells[i]);
  }
  hone__text_add(text, "\n");
}

static void add_table(const struct hone__packed *packed, struct hone__text *text)
{
  struct hone__arena arena = {0};
  struct hone__table table = {0};

  if (packed) hone_status_free(hone__table_unpack(packed, &arena, &table));
  if (table.rows_count) {
    hone__text_addf(text, "%-11s ", "table");
    for (size_t i = 0; i < table.columns_count; i++)
      hone__text_addf(text, "%s%s", i ? " | " : "", table.columns[i]);
    hone__text_add(text, "\n");
  }
  for (size_t i = 0; i < table.rows_count; i++)
    add_row(text, &table.rows[i]);
  hone__arena_release(&arena);
}

static void add_stream(struct hone__text *text, const char *name, const char *lines)
{
  if (!lines || !*lines) return;
  hone__text_addf(text, "%s\n", name);
  add_lines(text, lines);
}

static void add_output(const struct hone__attempt *attempt, struct hone__text *text)
{
  add_table(attempt->table, text);
  if (attempt->works) return;
  add_stream(text, "stdout", attempt->stdout_text);
  add_stream(text, "stderr", attempt->stderr_text);
}

/* ---- Times ---- */

static void add_spread(const struct hone__attempt *attempt, struct hone__text *text,
                       const char *name, const double *times)
{
  hone__text_addf(text, "%-11s ", name);
  add_time(text, hone__median(times, attempt->count));
  hone__text_add(text, " (median; least ");
  add_time(text, hone__quantile(times, attempt->count, 0));
  hone__text_add(text, ", greatest ");
  add_time(text, hone__quantile(times, attempt->count, 1));
  hone__text_addf(text, ", %zu sample%s in %u process%s)\n", attempt->count,
                  attempt->count == 1 ? "" : "s", attempt->process_count,
                  attempt->process_count == 1 ? "" : "es");
}

/* An interval is printed with what it covers. */
static void add_speed(const struct hone__attempt *attempt, struct hone__text *text)
{
  struct hone__attempt_speed speed = hone__attempt_speed(attempt);

  hone__text_addf(text, "speed       %.3f times the baseline (", speed.ratio.value);
  if (!isfinite(speed.ratio.low) || !isfinite(speed.ratio.high))
    hone__text_addf(text, "%zu pair%s: too few for an interval)\n", attempt->count,
                    attempt->count == 1 ? "" : "s");
  else if (speed.covers_restarts)
    hone__text_addf(text, "95 %% interval %.3f to %.3f, %zu pairs over %u restarts)\n",
                    speed.ratio.low, speed.ratio.high, attempt->count, attempt->process_count);
  else
    hone__text_addf(text, "95 %% interval %.3f to %.3f within one process)\n", speed.ratio.low,
                    speed.ratio.high);
}

static void add_metrics(const struct hone__attempt *attempt, struct hone__text *text)
{
  const struct hone__task *task = &attempt->tuning.session.problem.task;
  const struct hone__task_measured measured = {.time_ns =
                                                   hone__median(attempt->times_ns, attempt->count),
                                               .energy = attempt->candidate->energy};

  for (size_t i = 0; i < task->spec->metric_count; i++) {
    double value;
    if (hone__task_metric(task, attempt->candidate->row, &task->spec->metrics[i], &measured,
                          &value))
      hone__text_addf(text, "%-11s %.4g\n", task->spec->metrics[i].name, value);
  }
}

static void add_samples(const struct hone__attempt *attempt, struct hone__text *text)
{
  add_spread(attempt, text, "time", attempt->times_ns);
  if (!attempt->is_alone) {
    add_spread(attempt, text, "baseline", attempt->baseline_ns);
    add_speed(attempt, text);
  }
  add_metrics(attempt, text);
  if (attempt->doubt) hone__text_addf(text, "SUSPICIOUS  %s\n", attempt->doubt);
}

static void add_energy(const struct hone__attempt *attempt, struct hone__text *text)
{
  struct hone__task_energy energy = attempt->candidate->energy;

  if (isfinite(energy.joules))
    hone__text_addf(text, "energy      %.4g J a call, %.4g W\n", energy.joules, energy.watts);
}

/* ---- All of it ---- */

static void add_notes(const struct hone__attempt *attempt, struct hone__text *text)
{
  for (size_t i = 0; i < attempt->notes.count; i++)
    hone__text_addf(text, "note        %s\n", attempt->notes.data[i]);
}

/* For a failure the class describes its answer. */
static void add_answer(const struct hone__attempt *attempt, struct hone__text *text)
{
  enum hone__answers answers = hone__session_answers(&attempt->tuning.session);

  if (hone__outcome_works(attempt->outcome) || !hone__answers_are_checked(answers))
    hone__text_addf(text, "answer      %s\n", hone__answers_found(answers));
}

static void add_run(const struct hone__attempt *attempt, struct hone__text *text)
{
  hone__text_addf(text, "outcome     %s: %s\n", hone_outcome_name(attempt->outcome),
                  *attempt->evidence ? attempt->evidence : hone__outcome_text(attempt->outcome));
  add_answer(attempt, text);
  add_output(attempt, text);
  if (attempt->cold_ns > 0) {
    hone__text_add(text, "first call  ");
    add_time(text, attempt->cold_ns);
    hone__text_add(text, "\n");
  }
  if (attempt->works && attempt->count) add_samples(attempt, text);
  add_energy(attempt, text);
}

char *hone__attempt_text(const struct hone__attempt *attempt)
{
  const struct hone__task *task = &attempt->tuning.session.problem.task;
  struct hone__text text = {0};

  if (attempt->candidate) {
    hone__text_addf(&text, "spec        %s%s%s\nconfig      %s\n", task->spec->name,
                    *task->problem ? ", " : "", task->problem, attempt->candidate->config);
    add_build(attempt, &text);
  }
  if (attempt->was_run) add_run(attempt, &text);
  add_notes(attempt, &text);
  return hone__text_take(&text);
}
