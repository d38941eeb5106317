/* A candidate is built here if there are no builders, then checked once in a job, then measured.
 * The program that a candidate ended is started again for the next request, outside of the time of
 * that request.
 */
#include "backend/program/serve_run.h"

#include "base/time_bounds.h"
#include "wire/named.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

/* ---- The program ---- */

static hone_status start(struct hone__program_bench *bench)
{
  struct hone__serve_place place = {.setup = &bench->setup,
                                    .role = "measurer",
                                    .device = bench->device->name,
                                    .gpu = bench->device->gpu,
                                    .directory = bench->directory,
                                    .variable = bench->variable};

  return hone__serve_start(&bench->device->serve, &place);
}

hone_status hone__serve_prepare(struct hone__program_bench *bench)
{
  struct hone__serve_host *host = &bench->device->serve;
  hone_status status;

  hone__serve_end(host); /* it knows another problem */
  status = start(bench);
  if (status || !bench->setup.check->enabled || host->checks) return status;
  hone__serve_end(host);
  return hone__error(HONE_UNAVAILABLE,
                     "the served program does not check its answers (\"check\": false): write "
                     "'check: {enabled: false}' in the spec or use --no-check, so that its results "
                     "are marked as not checked");
}

/* ---- One request ---- */

struct turn {
  struct hone__program_job *job;
  struct hone__program_entry *entry;
  struct hone__process_record *record;
};

static void swap_texts(struct hone__text *one, struct hone__text *other)
{
  struct hone__text kept = *one;

  *one = *other;
  *other = kept;
}

/* The record keeps the texts of the last request that printed any, and of the one that failed. */
static void keep_texts(const struct turn *turn, struct hone__serve_reply *reply)
{
  struct hone__process_record *record = turn->record;
  bool has_failed = reply->outcome != HONE_OUTCOME_OK;

  if (has_failed || reply->output.length) swap_texts(&record->output, &reply->output);
  if (has_failed || reply->errors.length) swap_texts(&record->errors, &reply->errors);
  if (has_failed) swap_texts(&record->evidence, &reply->evidence);
}

static const char *object_of(const struct turn *turn)
{
  const struct hone__program_entrant *entrant = &turn->entry->entrant;

  if (entrant->object_size) return entrant->place.binary;
  return turn->entry->built && access(turn->entry->built, F_OK) == 0 ? turn->entry->built : NULL;
}

/* False: it failed, and the record has the outcome. Release the reply in every case. */
static bool ask(const struct turn *turn, struct hone__serve_request *request, double timeout_s,
                struct hone__serve_reply *out_reply)
{
  struct hone__program_bench *bench = turn->job->bench;
  const struct hone__program_candidate *candidate = &turn->entry->candidate;
  const struct hone__program_serve *serve = bench->setup.serve;

  request->derived = candidate->derived;
  request->derived_count = candidate->derived_count;
  request->problem = serve->problem;
  request->problem_count = serve->problem_count;
  hone__serve_ask(&bench->device->serve, request, timeout_s, out_reply);
  turn->record->outcome = out_reply->outcome;
  if (out_reply->outcome == HONE_OUTCOME_CRASH && out_reply->was_used)
    turn->job->may_be_blamed_wrongly = true;
  keep_texts(turn, out_reply);
  return out_reply->outcome == HONE_OUTCOME_OK;
}

/* The configuration with the parameters that do not affect a build. */
static void set_config(const struct turn *turn, struct hone__named_list *list,
                       struct hone__serve_request *request)
{
  const struct hone__program_candidate *candidate = &turn->entry->candidate;

  hone__named_add(list, candidate->config, candidate->config_count);
  hone__named_add(list, candidate->runtime, candidate->runtime_count);
  request->config = list->items;
  request->config_count = list->count;
  request->key = candidate->build_key ? candidate->build_key : "";
  request->object = object_of(turn);
}

/* ---- Steps ---- */

static bool build(const struct turn *turn)
{
  struct hone__program_bench *bench = turn->job->bench;
  const struct hone__program_candidate *candidate = &turn->entry->candidate;
  struct hone__serve_request request = {.type = "build",
                                        .key = candidate->build_key ? candidate->build_key : "",
                                        .config = candidate->config,
                                        .config_count = candidate->config_count,
                                        .object = turn->entry->built};
  struct hone__serve_reply reply;
  bool good = ask(turn, &request, bench->setup.serve->build_timeout_s, &reply);

  hone__serve_reply_release(&reply);
  if (good) turn->entry->built_in = bench->device->serve.start;
  return good;
}

static bool check(const struct turn *turn)
{
  struct hone__arena arena = {0};
  struct hone__named_list list = {.arena = &arena};
  struct hone__serve_request request = {.type = "check"};
  struct hone__serve_reply reply;
  bool good;

  set_config(turn, &list, &request);
  good = ask(turn, &request, hone__process_job_timeout(&turn->job->run, 0), &reply);
  turn->entry->check_s = reply.seconds;
  hone__serve_reply_release(&reply);
  hone__arena_release(&arena);
  return good;
}

static void add_cell(struct hone__program_table *table, const char *column,
                     struct hone__table_cell cell)
{
  hone__program_table_set(table, hone__program_table_column(table, column, 0), cell);
}

static struct hone__table_cell cell_of(struct hone_value value)
{
  if (value.type == HONE_FLOAT)
    return (struct hone__table_cell){HONE__CELL_REAL, .real = value.real};
  return (struct hone__table_cell){HONE__CELL_INT, .integer = value.integer};
}

static bool is_number(struct hone_value value)
{
  return value.type == HONE_INT || (value.type == HONE_FLOAT && isfinite(value.real));
}

/* As a program reports them that is started for each run: see program_output.c. */
static void keep_table(struct hone__program_entry *entry, const struct hone__serve_answer *answer,
                       size_t count)
{
  const char *name = entry->candidate.name;

  if (entry->table)
    hone__program_table_release(entry->table);
  else
    entry->table = hone__alloc(sizeof *entry->table);
  for (size_t i = 0; i < count; i++) {
    hone__program_table_row(entry->table, name, answer->samples_ns[i]);
    add_cell(entry->table, "name", (struct hone__table_cell){.text = name});
    add_cell(entry->table, "met (ms)",
             (struct hone__table_cell){HONE__CELL_REAL, .real = answer->samples_ns[i] / 1e6});
    add_cell(entry->table, "iters", (struct hone__table_cell){HONE__CELL_INT, .integer = 1});
    for (size_t m = 0; m < answer->metrics_count && m < HONE__PROGRAM_MOST_COLUMNS; m++)
      if (is_number(answer->metrics[m].value))
        add_cell(entry->table, answer->metrics[m].name, cell_of(answer->metrics[m].value));
  }
  entry->left_out = entry->table->row_count - entry->table->kept_count;
}

static void keep_metrics(const struct turn *turn, const struct hone__serve_answer *answer)
{
  struct hone__program_entry *entry = turn->entry;

  entry->metrics =
      hone__named_copy(&turn->job->run.plan.arena, answer->metrics, answer->metrics_count);
  entry->metrics_count = answer->metrics_count;
}

/* 0: the record has the outcome. */
static size_t fail_samples(const struct turn *turn, enum hone_outcome outcome, const char *format,
                           size_t number)
{
  struct hone__process_record *record = turn->record;

  record->outcome = outcome;
  hone__text_release(&record->evidence);
  hone__text_addf(&record->evidence, "the answer to 'measure' %s", format);
  if (number) hone__text_addf(&record->evidence, " (sample %zu)", number);
  return 0;
}

static size_t take_samples(const struct turn *turn, const struct hone__serve_answer *answer,
                           size_t wanted, double *ns)
{
  size_t count = answer->samples_ns_count < wanted ? answer->samples_ns_count : wanted;

  if (!count)
    return fail_samples(turn, HONE_OUTCOME_NO_RESULT,
                        "has no times: \"samples_ns\" is missing or empty", 0);
  for (size_t i = 0; i < count; i++) {
    if (!hone__is_time(answer->samples_ns[i]))
      return fail_samples(turn, HONE_OUTCOME_BAD_RESULT,
                          "has a time in \"samples_ns\" that is not a positive, finite number",
                          i + 1);
    ns[i] = answer->samples_ns[i];
  }
  keep_table(turn->entry, answer, count);
  keep_metrics(turn, answer);
  return count;
}

/* The first time limits those of others: it has to cover their checks. */
static size_t measure(const struct turn *turn, size_t wanted, double *ns)
{
  struct hone__arena arena = {0};
  struct hone__named_list list = {.arena = &arena};
  struct hone__serve_request request = {.type = "measure", .samples = wanted};
  double limit_s = hone__process_job_timeout(&turn->job->run, 0);
  struct hone__serve_reply reply;
  size_t count = 0;

  set_config(turn, &list, &request);
  if (ask(turn, &request, limit_s, &reply)) count = take_samples(turn, &reply.answer, wanted, ns);
  if (!turn->entry->has_run)
    turn->record->cold_ns = 1e9 * (turn->entry->check_s + reply.seconds / (double)wanted);
  turn->entry->has_run = true;
  turn->entry->time_ns = count ? ns[0] : NAN;
  hone__serve_reply_release(&reply);
  hone__arena_release(&arena);
  return count;
}

/* ---- A candidate ---- */

static hone_status open_place(const struct turn *turn, size_t index)
{
  struct hone__program_entry *entry = turn->entry;
  hone_status status = hone__program_place_open(turn->job->bench, &entry->entrant, index);
  struct hone__text path = {0};

  if (status) return status;
  hone__text_addf(&path, "%s/object", entry->entrant.place.path);
  entry->built = hone__text_take(&path);
  unlink(entry->built); /* of the former candidate */
  return NULL;
}

/* A job may want the answer also where none is compared: that of the baseline. */
static bool is_checked(const struct turn *turn)
{
  return turn->job->run.plan.check && turn->job->bench->setup.check->enabled;
}

/* Ready to be measured by the process that runs now. */
static bool get_ready(const struct turn *turn, size_t index)
{
  struct hone__program_bench *bench = turn->job->bench;
  struct hone__serve_host *host = &bench->device->serve;
  bool is_first = !turn->entry->built;
  hone_status status = is_first ? open_place(turn, index) : NULL;

  if (!status) status = start(bench);
  if (status) {
    hone__program_fail_early(turn->record, status);
    return false;
  }
  if (!bench->setup.serve->has_builders && host->builds && turn->entry->built_in != host->start &&
      !build(turn))
    return false;
  return !is_first || !is_checked(turn) || check(turn);
}

static size_t take(struct hone__program_job *job, size_t index, size_t wanted, double *ns)
{
  struct turn turn = {job, &job->entries[index], &job->run.records[index]};

  return get_ready(&turn, index) ? measure(&turn, wanted, ns) : 0;
}

size_t hone__serve_sample(void *job, size_t index, size_t wanted, double *ns)
{
  return take(job, index, wanted, ns);
}

void hone__serve_screen(struct hone__program_job *job, size_t index)
{
  struct hone__process_job *run = &job->run;
  struct hone__process_record *record = &run->records[index];
  size_t wanted = run->plan.samples ? run->plan.samples : 1, first = run->time_count, count;
  double *ns;

  if (wanted > HONE__SERVE_MOST_SAMPLES) wanted = HONE__SERVE_MOST_SAMPLES;
  ns = hone__alloc(wanted * sizeof *ns);
  count = take(job, index, wanted, ns);
  for (size_t i = 0; i < count; i++) {
    if (run->plan.samples) hone__process_job_add_time(run, ns[i]);
    if (hone__process_job_is_slow(run, record, ns[i])) break;
  }
  record->samples = run->time_count - first;
  free(ns);
}
