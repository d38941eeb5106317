/* A report is put together from one run's rows: working evaluations become lines of the table,
 * failures are counted by class, and the verdict becomes a sentence. All of it lives in one arena.
 */
#include "report/report_internal.h"

#include "base/text.h"
#include "check/answers.h"
#include "session/kept_output.h"
#include "results/measured.h"
#include "spec/spec_text.h"
#include "stats/statistics.h"
#include "wire/run_kinds.h"

#include <math.h>
#include <stdlib.h>

struct collection {
  struct hone__report_full *full;
  struct hone__report_line *lines;
  size_t count, capacity;
  bool has_baseline;
  struct hone__report_failed *failed;
  size_t failed_count, failed_capacity;
  struct hone_report_failure failures[HONE_OUTCOME_COUNT];
  struct hone__results_pareto_making pareto;
};

static const char *keep(struct hone__arena *arena, const char *text)
{
  return text ? hone__arena_strdup(arena, text) : "";
}

/* ---- Lines ---- */

static void fill_row(struct collection *collection, const struct hone__stored *stored,
                     struct hone__report_line *line)
{
  const struct hone__evaluation *evaluation = &stored->evaluation;
  struct hone__arena *arena = &collection->full->arena;
  struct hone__measured measured = hone__measured_read(stored, &collection->full->run);

  line->measured = measured;
  line->row = (struct hone_report_row){
      .config = keep(arena, evaluation->config),
      .is_baseline = evaluation->is_baseline,
      .confirmed = stored->confirmed,
      .outcome = evaluation->outcome,
      .device = keep(arena, evaluation->device),
      .verdict = measured.verdict,
      .command = keep(arena, evaluation->command),
      .suspicious = keep(arena, evaluation->suspicious),
      .time_ns = measured.time_ns,
      .least_ns = NAN,
      .greatest_ns = NAN,
      .speedup = measured.speedup,
      .screen_speedup = measured.screen_speedup,
      .low = measured.low,
      .high = measured.high,
      .pairs = measured.pairs,
      .restarts = measured.restarts,
      .samples = measured.samples,
      .compile_s = evaluation->compile_s,
  };
}

/* Most outputs have no stages, and reading them takes time. */
static void fill_stages(struct hone__arena *arena, const char *text, struct hone_report_row *row)
{
  struct hone__kept_output output;

  if (!text || !strstr(text, "\"stages\"")) return;
  hone__kept_output_read(text, &output);
  row->stages = hone__arena_alloc(arena, (output.stages_count + 1) * sizeof *row->stages);
  for (size_t i = 0; i < output.stages_count; i++)
    row->stages[row->stage_count++] =
        (struct hone__wire_stage_share){keep(arena, output.stages[i].name), output.stages[i].share};
  hone__kept_output_release(&output);
}

static void add_line(struct collection *collection, const struct hone__stored *stored)
{
  const char *winner = collection->full->run.result.winner;
  const char *metrics = stored->evaluation.metrics;
  struct hone__report_line *line;

  HONE__GROW(collection->lines, collection->count, collection->capacity);
  line = &collection->lines[collection->count++];
  *line = (struct hone__report_line){.id = stored->evaluation.id,
                                     .confirmed_baseline_ns = stored->baseline_ns,
                                     .baseline_least_ns = NAN,
                                     .baseline_greatest_ns = NAN};
  fill_row(collection, stored, line);
  fill_stages(&collection->full->arena, stored->evaluation.output, &line->row);
  line->row.is_winner = winner && !line->row.is_baseline && strcmp(winner, line->row.config) == 0;
  if (metrics) line->metrics = json_loads(metrics, 0, NULL);
}

/* The baseline first, then what was confirmed, the winner before all; then what was screened, and
 * what was cut off. */
static int rank(const struct hone_report_row *row)
{
  if (row->is_baseline) return 0;
  if (row->is_winner) return 1;
  return row->confirmed ? 2 : row->outcome == HONE_OUTCOME_SLOW ? 4 : 3;
}

static int compare_lines(const void *a, const void *b)
{
  const struct hone__report_line *x = a, *y = b;
  double fast_x = isfinite(x->row.speedup) ? x->row.speedup : -1;
  double fast_y = isfinite(y->row.speedup) ? y->row.speedup : -1;
  double slow_x = isfinite(x->row.time_ns) ? x->row.time_ns : INFINITY;
  double slow_y = isfinite(y->row.time_ns) ? y->row.time_ns : INFINITY;

  if (rank(&x->row) != rank(&y->row)) return rank(&x->row) - rank(&y->row);
  if (rank(&x->row) != 0 && fast_x != fast_y) return fast_x < fast_y ? 1 : -1;
  if (slow_x != slow_y && fast_x < 0) return slow_x < slow_y ? -1 : 1; /* no baseline: a sweep */
  return x->id < y->id ? -1 : x->id > y->id;
}

/* Beside confirmed times the baseline's own must be those of the same pairs. Its readings in them
 * are stored with the candidate's, the best one's first; where there are several devices, the pairs
 * are of all of them. */
static void confirm_baseline(struct collection *collection, struct hone_report_row *baseline)
{
  for (size_t i = 0; i < collection->count; i++) {
    const struct hone__report_line *line = &collection->lines[i];
    if (line->row.is_baseline || !line->row.confirmed) continue;
    if (!isfinite(line->confirmed_baseline_ns)) continue;
    baseline->time_ns = line->confirmed_baseline_ns;
    baseline->least_ns = line->baseline_least_ns;
    baseline->greatest_ns = line->baseline_greatest_ns;
    baseline->confirmed = true;
    baseline->pairs = line->row.pairs;
    baseline->restarts = line->row.restarts;
    baseline->samples += line->row.pairs;
    return;
  }
}

/* Confirmed ones whose intervals reach that of the winner: what is faster among them is not known.
 */
static void find_ties(struct hone__report_line *lines, size_t count)
{
  const struct hone__measured *best = NULL;

  for (size_t i = 0; i < count; i++)
    if (lines[i].measured.is_best) best = &lines[i].measured;
  for (size_t i = 0; best && i < count; i++)
    lines[i].row.is_tied = hone__measured_is_tied(best, &lines[i].measured);
}

static void publish_rows(struct collection *collection)
{
  struct hone_report *report = &collection->full->report;
  size_t count = collection->count;

  hone__report_weigh(collection->full, collection->lines, count);
  if (count) qsort(collection->lines, count, sizeof *collection->lines, compare_lines);
  hone__report_metrics(collection->full, collection->lines, count);
  find_ties(collection->lines, count);
  for (size_t i = 0; i < count && collection->lines[i].row.is_baseline; i++)
    confirm_baseline(collection, &collection->lines[i].row);
  report->rows = hone__arena_alloc(&collection->full->arena, (count + 1) * sizeof *report->rows);
  report->row_count = count;
  for (size_t i = 0; i < count; i++)
    report->rows[i] = collection->lines[i].row;
}

static void *move_to_arena(struct hone__arena *arena, void *from, size_t size)
{
  void *copy = hone__arena_alloc(arena, size + 1);

  if (size) memcpy(copy, from, size);
  free(from);
  return copy;
}

/* ---- Failures ---- */

static void add_failure(struct collection *collection, const struct hone__evaluation *evaluation)
{
  struct hone_report_failure *failure = &collection->failures[evaluation->outcome];
  struct hone__arena *arena = &collection->full->arena;
  const char *config = keep(arena, evaluation->config);

  HONE__GROW(collection->failed, collection->failed_count, collection->failed_capacity);
  collection->failed[collection->failed_count++] =
      (struct hone__report_failed){config, evaluation->outcome};
  if (failure->count++) return;
  failure->outcome = evaluation->outcome;
  failure->text = hone__outcome_text(evaluation->outcome);
  failure->config = config;
  failure->evidence = keep(arena, evaluation->evidence);
  failure->command = keep(arena, evaluation->command);
}

/* The sort must not change the order of equals: it goes by the class then. */
static int more_first(const void *a, const void *b)
{
  const struct hone_report_failure *x = a, *y = b;

  if (x->count != y->count) return x->count < y->count ? 1 : -1;
  return strcmp(hone_outcome_name(x->outcome), hone_outcome_name(y->outcome));
}

static void publish_failures(struct collection *collection)
{
  struct hone_report *report = &collection->full->report;

  report->failures =
      hone__arena_alloc(&collection->full->arena, HONE_OUTCOME_COUNT * sizeof *report->failures);
  for (size_t i = 0; i < HONE_OUTCOME_COUNT; i++) {
    if (collection->failures[i].count)
      report->failures[report->failure_count++] = collection->failures[i];
  }
  qsort(report->failures, report->failure_count, sizeof *report->failures, more_first);
  report->failed_row_count = collection->failed_count;
  report->failed_rows = move_to_arena(&collection->full->arena, collection->failed,
                                      collection->failed_count * sizeof *collection->failed);
  collection->failed = NULL;
}

/* ---- All evaluations ---- */

/* Each device has its own baseline, which is one configuration. */
static bool is_counted(struct collection *collection, const struct hone__evaluation *evaluation)
{
  bool is_counted = !evaluation->is_baseline || !collection->has_baseline;

  collection->has_baseline |= evaluation->is_baseline;
  return is_counted;
}

static void count_evaluation(struct hone_report *report, const struct hone__evaluation *evaluation)
{
  report->evaluations++;
  report->ok += evaluation->outcome == HONE_OUTCOME_OK;
  report->slow += evaluation->outcome == HONE_OUTCOME_SLOW;
  report->failed += !hone__outcome_works(evaluation->outcome);
  report->reused += evaluation->reused_from != 0;
  report->same_object += evaluation->same_as != 0;
  report->compiled += isfinite(evaluation->compile_s) && !evaluation->cached;
  report->cached += evaluation->cached;
}

static bool collect(void *data, const struct hone__stored *stored)
{
  struct collection *collection = data;

  hone__results_pareto_collect(&collection->pareto, stored);
  if (is_counted(collection, &stored->evaluation))
    count_evaluation(&collection->full->report, &stored->evaluation);
  if (hone__outcome_works(stored->evaluation.outcome))
    add_line(collection, stored);
  else
    add_failure(collection, &stored->evaluation);
  return true;
}

/* ---- Ranges ---- */

static void widen(const double *times_ns, size_t count, double *least_ns, double *greatest_ns)
{
  for (size_t i = 0; times_ns && i < count; i++) {
    *least_ns = fmin(*least_ns, times_ns[i]);
    *greatest_ns = fmax(*greatest_ns, times_ns[i]);
  }
}

/* Of a candidate what its time is of: pairs. A baseline alone has no pairs. */
static void add_range(void *data, const struct hone__samples *samples)
{
  struct hone__report_line *line = data;

  if (samples->phase != HONE_PHASE_CONFIRM && !line->row.is_baseline) return;
  widen(samples->times_ns, samples->count, &line->row.least_ns, &line->row.greatest_ns);
  widen(samples->baseline_ns, samples->count, &line->baseline_least_ns,
        &line->baseline_greatest_ns);
}

static hone_status load_ranges(struct hone_store *store, struct collection *collection)
{
  hone_status status = NULL;

  for (size_t i = 0; i < collection->count && !status; i++) {
    struct hone__report_line *line = &collection->lines[i];
    if (line->row.confirmed || line->row.is_baseline)
      status = hone__store_samples(store, line->id, add_range, line);
  }
  return status;
}

/* ---- Pairs ---- */

struct pairing {
  struct hone__report_pairs pairs;
  size_t capacity[3];
};

static void add_pairs(void *data, const struct hone__samples *samples)
{
  struct pairing *pairing = data;
  struct hone__report_pairs *pairs = &pairing->pairs;

  if (samples->phase != HONE_PHASE_CONFIRM || !samples->baseline_ns) return;
  for (size_t i = 0; i < samples->count; i++) {
    HONE__GROW(pairs->times_ns, pairs->count, pairing->capacity[0]);
    HONE__GROW(pairs->baseline_ns, pairs->count, pairing->capacity[1]);
    HONE__GROW(pairs->restarts, pairs->count, pairing->capacity[2]);
    pairs->times_ns[pairs->count] = samples->times_ns[i];
    pairs->baseline_ns[pairs->count] = samples->baseline_ns[i];
    pairs->restarts[pairs->count++] = (uint32_t)samples->restart;
  }
}

/* Of the first line that is confirmed: the winner, if there is one. */
static hone_status load_pairs(struct hone_store *store, const struct collection *collection)
{
  struct hone__report_full *full = collection->full;
  struct pairing pairing = {0};
  struct hone__report_pairs *pairs = &pairing.pairs;
  hone_status status = NULL;
  size_t i = 0;

  while (i < collection->count &&
         (collection->lines[i].row.is_baseline || !collection->lines[i].row.confirmed))
    i++;
  if (i < collection->count)
    status = hone__store_samples(store, collection->lines[i].id, add_pairs, &pairing);
  pairs->times_ns =
      move_to_arena(&full->arena, pairs->times_ns, pairs->count * sizeof *pairs->times_ns);
  pairs->baseline_ns =
      move_to_arena(&full->arena, pairs->baseline_ns, pairs->count * sizeof *pairs->baseline_ns);
  pairs->restarts =
      move_to_arena(&full->arena, pairs->restarts, pairs->count * sizeof *pairs->restarts);
  full->report.pairs = *pairs;
  return status;
}

/* ---- The rows of the store ---- */

static hone_status load_evaluations(struct hone_store *store, struct hone__report_full *full)
{
  struct collection collection = {.full = full};
  hone_status status;

  hone__results_pareto_begin(&collection.pareto, &full->arena, &full->run);
  status = hone__store_each(store, full->report.run, collect, &collection);
  full->report.pareto = hone__results_pareto_end(&collection.pareto);
  if (!status) status = load_ranges(store, &collection);
  if (!status) {
    publish_rows(&collection);
    publish_failures(&collection);
    status = load_pairs(store, &collection);
  }
  for (size_t i = 0; i < collection.count; i++)
    json_decref(collection.lines[i].metrics);
  free(collection.failed);
  free(collection.lines);
  return status;
}

/* ---- Notes and log ---- */

static void load_notes(struct hone__report_full *full)
{
  struct hone_report *report = &full->report;
  const char *text = full->run.result.notes;
  json_t *list = text ? json_loads(text, 0, NULL) : NULL;
  size_t count = json_array_size(list);

  report->notes = hone__arena_alloc(&full->arena, (count + 1) * sizeof *report->notes);
  for (size_t i = 0; i < count; i++) {
    const char *note = json_string_value(json_array_get(list, i));
    if (note) report->notes[report->note_count++] = hone__arena_strdup(&full->arena, note);
  }
  json_decref(list);
}

struct lines {
  struct hone__arena *arena;
  const char **lines;
  size_t count, capacity;
};

static void add_log_line(void *data, const char *at, const char *line)
{
  struct lines *log = data;

  HONE__GROW(log->lines, log->count, log->capacity);
  log->lines[log->count++] = hone__arena_printf(log->arena, "%s %s", at, line);
}

static hone_status load_log(struct hone_store *store, struct hone__report_full *full)
{
  struct hone_report *report = &full->report;
  struct lines log = {.arena = &full->arena};
  hone_status status = hone__store_log_lines(store, report->run, add_log_line, &log);

  report->log = hone__arena_alloc(&full->arena, (log.count + 1) * sizeof *report->log);
  report->log_count = log.count;
  if (log.count) memcpy(report->log, log.lines, log.count * sizeof *report->log);
  free(log.lines);
  return status;
}

/* ---- The whole ---- */

static const char *or_empty(const char *text)
{
  return text ? text : "";
}

static enum hone_answers public_answers(enum hone__answers answers)
{
  static const enum hone_answers known[] = {
#define ANSWERS(id, name, done, found) [HONE__ANSWERS_##id] = HONE_ANSWERS_##id,
      HONE__ANSWERS(ANSWERS)
#undef ANSWERS
  };

  return known[answers];
}

/* Runs of older versions only say whether there was anything. */
static void fill_answers(struct hone__report_full *full)
{
  enum hone__answers answers = HONE__ANSWERS_NONE;
  bool is_known =
      hone__answers_parse(full->run.record.answers, &answers) || !full->run.record.checked;

  full->report.answers = is_known ? public_answers(answers) : HONE_ANSWERS_UNKNOWN;
  full->report.answers_text = is_known ? hone__answers_done(answers) : "";
}

/* A sweep proves nothing, and does not claim to. */
static bool is_unconfirmed(const struct hone__store_run_stored *run)
{
  enum hone_verdict verdict = run->result.verdict;

  return !hone__is_sweep(run->record.strategy) &&
         (verdict == HONE_VERDICT_NONE || verdict == HONE_VERDICT_INCONCLUSIVE);
}

static void fill_head(struct hone__report_full *full)
{
  const struct hone__store_run_stored *run = &full->run;

  full->report = (struct hone_report){
      .run = run->record.id,
      .name = or_empty(run->record.name),
      .problem = or_empty(run->record.problem),
      .spec = or_empty(run->record.spec),
      .state = run->result.state,
      .verdict = run->result.verdict,
      .is_sweep = hone__is_sweep(run->record.strategy),
      .sentence = "",
      .baseline = or_empty(run->result.baseline),
      .winner = or_empty(run->result.winner),
      .speedup = run->result.speedup,
      .low = run->result.low,
      .high = run->result.high,
      .command = or_empty(run->record.command),
      .environment = or_empty(run->record.environment),
      .fingerprint = or_empty(run->record.fingerprint),
      .space = or_empty(run->record.space),
      .part = or_empty(run->record.part),
      .strategy = or_empty(run->record.strategy),
      .started = or_empty(run->started),
      .seed = run->record.seed,
      .unconfirmed = is_unconfirmed(run),
      .wall_s = run->result.wall_s,
      .drift = run->result.drift,
      .confidence = run->result.confidence,
  };
}

/* ---- Devices of several kinds ---- */

static void take_matrix(struct hone__report_full *full, const struct hone__wire_matrix *matrix)
{
  struct hone_report *report = &full->report;

  report->elsewhere =
      hone__arena_alloc(&full->arena, (matrix->elsewhere_count + 1) * sizeof *report->elsewhere);
  for (size_t i = 0; i < matrix->elsewhere_count; i++) {
    const struct hone__wire_elsewhere *from = &matrix->elsewhere[i];
    report->elsewhere[report->elsewhere_count++] = (struct hone_report_elsewhere){
        from->run, hone__arena_strdup(&full->arena, from->config),
        hone__arena_strdup(&full->arena, from->outcome), from->speedup};
  }
}

/* What cannot be read is not shown. */
static void load_kinds(struct hone__report_full *full)
{
  const char *devices = full->run.result.devices;
  struct hone__packed *packed = devices ? hone__packed_parse(devices, strlen(devices)) : NULL;
  struct hone__wire_run_kinds kinds = {0};
  struct hone__wire_matrix matrix = {0};

  full->report.kind = "";
  if (!packed) return;
  hone_status_free(hone__unpack(packed, &hone__wire_run_kinds_type, &full->arena, &kinds));
  hone_status_free(hone__unpack(packed, &hone__wire_matrix_type, &full->arena, &matrix));
  if (kinds.kind) full->report.kind = hone__arena_strdup(&full->arena, kinds.kind);
  take_matrix(full, &matrix);
  hone__packed_drop(packed);
}

static struct hone_params params_of(struct hone__report_full *full, const char *config)
{
  struct hone_params params;

  params.at = hone__config_params(&full->arena, config, &params.count);
  return params;
}

hone_status hone_report_load(struct hone_store *store, int64_t run, struct hone_report **out_report)
{
  struct hone__report_full *full = hone__alloc(sizeof *full);
  hone_status status = hone__store_run(store, run, &full->arena, &full->run);

  *out_report = NULL;
  if (status) goto done;
  full->run.result.low = hone__covering_bound(full->run.result.low, full->run.result.restarts);
  full->run.result.high = hone__covering_bound(full->run.result.high, full->run.result.restarts);
  fill_head(full);
  load_kinds(full);
  full->report.baseline_params = params_of(full, full->report.baseline);
  full->report.winner_params = params_of(full, full->report.winner);
  fill_answers(full);
  hone__report_aim(full);
  status = load_evaluations(store, full);
  if (status) goto done;
  status = load_log(store, full);
  if (status) goto done;
  status =
      hone__report_timeline_load(store, full->report.run, &full->arena, &full->report.timeline);
  if (status) goto done;
  load_notes(full);
  full->report.sentence = hone__report_sentence(full);
  *out_report = &full->report;
  full = NULL;
done:
  if (full) hone_report_free(&full->report);
  return status;
}

void hone_report_free(struct hone_report *report)
{
  struct hone__report_full *full = (struct hone__report_full *)report;

  if (!full) return;
  hone__arena_release(&full->arena);
  free(full);
}
