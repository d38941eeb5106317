/* `hone run`: one configuration, built, checked and timed beside the baseline, with all that is
 * worth knowing. Nothing is stored. */
#include "tune/tuning.h"

#include "base/clock.h"
#include "exec/statistics.h"
#include "tune/identity.h"

#include <stdlib.h>

enum { ROWS = 20 };

struct trial {
  struct hone_tuning tuning;
  struct hone_candidate *candidate;
  struct hone_text text;
  size_t pending;
  bool works;
  bool is_alone; /* there is no baseline to compare it with */
};

static void print_time(struct hone_text *text, double ns)
{
  static const struct {
    double unit;
    const char *name;
  } units[] = {{1e9, "s"}, {1e6, "ms"}, {1e3, "us"}, {1, "ns"}};
  size_t i = 0;

  while (i < 3 && ns < units[i].unit)
    i++;
  hone__text_addf(text, "%.4g %s", ns / units[i].unit, units[i].name);
}

/* ---- Build ---- */

static void print_lines(struct hone_text *text, const char *lines)
{
  while (lines && *lines) {
    size_t length = strcspn(lines, "\n");
    hone__text_addf(text, "            | %.*s\n", (int)length, lines);
    lines += length + (lines[length] == '\n');
  }
}

static void print_run_command(struct trial *trial)
{
  const struct hone_tuning *tuning = &trial->tuning;
  struct hone_text command = {0};

  if (!tuning->task.backend->run_command) return;
  hone_status_free(
      tuning->task.backend->run_command(tuning->setup.head, trial->candidate->json, &command));
  if (command.length) hone__text_addf(&trial->text, "runs        %s\n", command.data);
  hone__text_release(&command);
}

/* "registers 168, spills 0": by these names constraints know them. */
static void print_costs(struct trial *trial)
{
  json_t *costs = json_object_get(trial->candidate->json, "costs"), *value;
  const char *name, *before = "costs       ";

  json_object_foreach(costs, name, value)
  {
    char *text = json_dumps(value, JSON_ENCODE_ANY | JSON_REAL_PRECISION(6));
    hone__text_addf(&trial->text, "%s%s %s", before, name, text ? text : "");
    free(text);
    before = ", ";
  }
  if (json_object_size(costs)) hone__text_add(&trial->text, "\n");
}

static void print_build(struct trial *trial)
{
  const struct hone_tuning *tuning = &trial->tuning;
  const struct hone_evaluation *e = &trial->candidate->evaluation;
  struct hone_text command = {0};

  hone_status_free(
      tuning->task.backend->build_command(tuning->setup.head, trial->candidate->json, &command));
  if (command.length) hone__text_addf(&trial->text, "command     %s\n", command.data);
  print_run_command(trial);
  hone__text_addf(&trial->text, "build       %s", hone__outcome_name(e->outcome));
  if (isfinite(e->compile_s))
    hone__text_addf(&trial->text, ", %.3f s%s", e->compile_s, e->cached ? " (from the cache)" : "");
  if (e->object && trial->candidate->size)
    hone__text_addf(&trial->text, ", object %s, %zu bytes", e->object, trial->candidate->size);
  if (*e->evidence) hone__text_addf(&trial->text, "\n            %s", e->evidence);
  hone__text_add(&trial->text, "\n");
  print_costs(trial);
  print_lines(&trial->text, e->warnings);
  hone__text_release(&command);
}

static void on_built(struct hone_candidate *candidate)
{
  --*(size_t *)candidate->tuning->stage;
}

static void build(struct trial *trial)
{
  trial->tuning.stage = &trial->pending;
  trial->pending++;
  hone__candidate_build(trial->candidate, on_built);
  hone__tuning_wait(&trial->tuning, &trial->pending);
  hone__tuning_abandon(&trial->tuning, &trial->pending);
  print_build(trial);
}

/* ---- Run ---- */

static void print_spread(struct trial *trial, const char *name, const double *times, size_t count)
{
  hone__text_addf(&trial->text, "%-11s ", name);
  print_time(&trial->text, hone__median(times, count));
  hone__text_add(&trial->text, " (median; least ");
  print_time(&trial->text, hone__quantile(times, count, 0));
  hone__text_add(&trial->text, ", greatest ");
  print_time(&trial->text, hone__quantile(times, count, 1));
  hone__text_addf(&trial->text, ", %zu samples)\n", count);
}

static void print_metrics(struct trial *trial, double time_ns)
{
  const struct hone_task *task = &trial->tuning.task;
  const struct hone_measured measured = {.time_ns = time_ns, .energy = trial->candidate->energy};

  for (size_t i = 0; i < task->spec->metric_count; i++) {
    double value;
    if (hone__task_metric(task, trial->candidate->row, &task->spec->metrics[i], &measured, &value))
      hone__text_addf(&trial->text, "%-11s %.4g\n", task->spec->metrics[i].name, value);
  }
}

static void print_energy(struct trial *trial)
{
  struct hone_energy energy = trial->candidate->energy;

  if (isfinite(energy.joules))
    hone__text_addf(&trial->text, "energy      %.4g J a call, %.4g W\n", energy.joules,
                    energy.watts);
}

static void print_samples(struct trial *trial, const double *table, size_t rows)
{
  print_spread(trial, "time", table, rows);
  print_metrics(trial, hone__median(table, rows));
}

static void print_pairs(struct trial *trial, const double *table, size_t rows)
{
  double *own = hone__alloc(rows * sizeof *own), *base = hone__alloc(rows * sizeof *base);
  double *logs = hone__alloc(rows * sizeof *logs);
  struct hone_estimate estimate;

  for (size_t i = 0; i < rows; i++) {
    base[i] = table[2 * i];
    own[i] = table[2 * i + 1];
    logs[i] = log(base[i] / own[i]);
  }
  estimate = hone__median_interval(logs, rows, 0.95);
  print_spread(trial, "time", own, rows);
  print_spread(trial, "baseline", base, rows);
  hone__text_addf(&trial->text,
                  "speed       %.3f times the baseline (95 %% interval %.3f to %.3f)\n",
                  exp(estimate.value), exp(estimate.low), exp(estimate.high));
  print_metrics(trial, hone__median(own, rows));
  free(own);
  free(base);
  free(logs);
}

static void print_notes(struct trial *trial, const struct hone_reply *reply)
{
  const json_t *notes = json_object_get(reply->head, "notes");

  for (size_t i = 0; i < json_array_size(notes); i++)
    hone__text_addf(&trial->text, "note        %s\n", json_string_value(json_array_get(notes, i)));
}

/* ---- What a program said ---- */

static void add_cell(struct hone_text *text, const json_t *cell)
{
  if (json_is_string(cell))
    hone__text_add(text, json_string_value(cell));
  else if (json_is_number(cell))
    hone__text_addf(text, "%.10g", json_number_value(cell));
}

static void print_cells(struct trial *trial, const char *title, const json_t *cells)
{
  hone__text_addf(&trial->text, "%-11s ", title);
  for (size_t i = 0; i < json_array_size(cells); i++) {
    if (i) hone__text_add(&trial->text, " | ");
    add_cell(&trial->text, json_array_get(cells, i));
  }
  hone__text_add(&trial->text, "\n");
}

static void print_said(struct trial *trial, const json_t *part)
{
  const json_t *table = json_object_get(part, "table");
  const json_t *rows = json_object_get(table, "rows");
  static const char *const streams[] = {"stdout", "stderr"};

  if (json_array_size(rows)) print_cells(trial, "table", json_object_get(table, "columns"));
  for (size_t i = 0; i < json_array_size(rows); i++)
    print_cells(trial, "", json_array_get(rows, i));
  for (size_t i = 0; !trial->works && i < 2; i++) {
    const char *text = json_string_value(json_object_get(part, streams[i]));
    if (!text || !*text) continue;
    hone__text_addf(&trial->text, "%s\n", streams[i]);
    print_lines(&trial->text, text);
  }
}

static void on_run(void *data, const struct hone_reply *reply)
{
  struct trial *trial = data;
  size_t own = trial->is_alone ? 0 : 1;
  struct hone_run_part part = hone__run_part(reply, own);
  size_t rows = (size_t)json_integer_value(json_object_get(reply->head, "rows")), count;
  double *times = hone__run_times(reply, &count);

  trial->pending--;
  trial->works = hone__outcome_works(part.outcome) && reply->outcome == HONE_OUTCOME_OK;
  hone__text_addf(&trial->text, "outcome     %s: %s\n", hone__outcome_name(part.outcome),
                  *part.evidence                              ? part.evidence
                  : trial->works && !trial->tuning.task.check ? "measured"
                                                              : hone__outcome_text(part.outcome));
  if (!trial->tuning.task.check) hone__text_add(&trial->text, "answer      NOT checked\n");
  trial->candidate->energy = hone__run_energy(reply, own);
  print_notes(trial, reply);
  print_said(trial, hone__run_json(reply, own));
  if (part.cold_ns > 0) {
    hone__text_add(&trial->text, "first call  ");
    print_time(&trial->text, part.cold_ns);
    hone__text_add(&trial->text, "\n");
  }
  if (trial->works && rows && rows <= ROWS && count == (own + 1) * rows)
    (trial->is_alone ? print_samples : print_pairs)(trial, times, rows);
  print_energy(trial);
  free(times);
}

/* The first that works; where the baseline does not work none does. */
static int choose_site(const struct hone_tuning *tuning)
{
  for (size_t i = 0; i < tuning->site_count; i++)
    if (tuning->sites[i].usable) return (int)i;
  return 0;
}

static void run(struct trial *trial)
{
  struct hone_candidate *pair[] = {trial->tuning.baseline, trial->candidate};
  struct hone_run_request request = {.mode = "rows",
                                     .candidates = trial->is_alone ? pair + 1 : pair,
                                     .count = trial->is_alone ? 1 : 2,
                                     .seat = choose_site(&trial->tuning),
                                     .check = trial->tuning.task.check,
                                     .late_check = trial->tuning.task.check,
                                     .verbose = true,
                                     .rows = ROWS,
                                     .budget_s = 10,
                                     .seed = 1};
  struct hone_job job = hone__run_job(&trial->tuning, &request);

  job.done = on_run;
  job.data = trial;
  trial->pending++;
  hone__crew_submit(trial->tuning.runners, &job);
  hone__tuning_wait(&trial->tuning, &trial->pending);
  hone__tuning_abandon(&trial->tuning, &trial->pending);
}

/* ---- The trial ---- */

/* What a configuration does by itself can be told although there is nothing to compare it with. */
static hone_status go_without_baseline(struct trial *trial, hone_status status)
{
  hone__text_addf(&trial->text, "note        no baseline: %s\n", hone_status_message(status));
  hone_status_free(status);
  trial->is_alone = true;
  return NULL;
}

static hone_status choose(struct trial *trial, const char *config)
{
  struct hone_tuning *tuning = &trial->tuning;
  uint32_t *row = hone__alloc(hone_space_width(tuning->space) * sizeof *row);
  hone_status status = NULL;

  if (config)
    status = hone_space_parse(tuning->space, config, row);
  else
    memcpy(row, tuning->task.baseline, hone_space_width(tuning->space) * sizeof *row);
  if (!status && !hone_space_contains(tuning->space, row))
    hone__text_add(&trial->text, "note        a constraint of the spec rejects this configuration: "
                                 "'hone space --explain' says which\n");
  if (!status) status = hone__candidate_new(tuning, row, &trial->candidate);
  free(row);
  return status;
}

static hone_status work(struct trial *trial, const char *config)
{
  struct hone_tuning *tuning = &trial->tuning;
  hone_status status = hone__identity_make(tuning);

  if (!status) status = choose(trial, config);
  if (!status) status = hone__tuning_open_builders(tuning);
  if (!status) status = hone__tuning_open_runners(tuning);
  if (status) return status;
  hone__text_addf(&trial->text, "spec        %s%s%s\nconfig      %s\n", tuning->task.spec->name,
                  *tuning->task.problem ? ", " : "", tuning->task.problem,
                  trial->candidate->config);
  hone__tuning_set_up_builders(tuning);
  build(trial);
  if (!trial->candidate->bytes || tuning->aborting) return NULL;
  status = hone__tuning_baseline(tuning);
  if (status && tuning->baseline_failed) status = go_without_baseline(trial, status);
  if (!status && !tuning->aborting) run(trial);
  return status;
}

/* The shape that a configuration belongs to: groups come shape after shape. */
static hone_status find_shape(const struct hone_spec *spec, const struct hone_tune_options *options,
                              const char *config, struct hone_case *which)
{
  struct hone_space_options space_options;
  struct hone_device_choice choice;
  struct hone_space *space = NULL;
  uint32_t *row = NULL;
  size_t groups = spec->group_count ? spec->group_count : 1;
  hone_status status;

  which->shape = spec->shapes ? 0 : HONE_ALL_SHAPES;
  if (!spec->shapes || !config) return NULL;
  status = hone__tuning_choose_device(spec, options, &choice);
  if (status) return status;
  hone_space_options_init(&space_options);
  space_options.device = choice.values;
  space_options.device_gap = choice.gap;
  space_options.problem = which->problem;
  space_options.sizes = options->problem_sizes;
  status = hone_space_build(spec, &space_options, &space);
  hone__device_choice_release(&choice);
  if (status) return status;
  row = hone__alloc(hone_space_width(space) * sizeof *row);
  status = hone_space_parse(space, config, row);
  if (!status) which->shape = row[0] / groups;
  free(row);
  hone_space_free(space);
  return status;
}

hone_status hone_try(const struct hone_spec *spec, const struct hone_tune_options *options,
                     const char *config, char **out_text, bool *out_works)
{
  struct trial trial = {.text = {0}};
  struct hone_tuning *tuning = &trial.tuning;
  struct hone_case which = {.problem = options->problems ? options->problems[0] : 0};
  hone_status status = find_shape(spec, options, config, &which);
  bool looped = false;

  if (!status) status = hone__tuning_open(tuning, spec, &which, options);
  if (!status) status = hone__tuning_open_loop(tuning);
  looped = !status;
  if (!status) status = work(&trial, config);
  if (looped) {
    hone__tuning_close_workers(tuning);
    hone__tuning_close_loop(tuning);
  }
  if (!status && tuning->failure) {
    status = tuning->failure;
    tuning->failure = NULL;
  }
  *out_works = trial.works;
  *out_text = status ? NULL : hone__text_take(&trial.text);
  hone__text_release(&trial.text);
  hone__candidate_free(trial.candidate);
  hone__tuning_release(tuning);
  return status;
}
