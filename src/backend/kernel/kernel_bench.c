/* A job is a trial in another process, whose report and answers are judged here, where no candidate
 * has ever run. Only an answer that is found wrong costs a second trial. */
#include "backend/kernel/kernel_bench.h"

#include "backend/kernel/expected.h"
#include "backend/kernel/judge.h"
#include "backend/kernel/traffic.h"
#include "backend/kernel/verdict.h"
#include "backend/run_plan.h"
#include "base/clock.h"

#include <math.h>
#include <stdlib.h>

static const double default_min_sample_ns = 50e3;
static const double shortest_recheck_s = 0.5;
static const double short_call_ns = 1000; /* the clock itself takes some 20 to 50 */

/* ---- Bench ---- */

static void read_check(struct hone__bench *bench, const json_t *check)
{
  const json_t *enabled = json_object_get(check, "enabled"),
               *words = json_object_get(check, "command");

  bench->check = !json_is_false(enabled);
  bench->tolerance = (struct hone__tolerance){
      .rtol = json_number_value(json_object_get(check, "rtol")),
      .atol = json_number_value(json_object_get(check, "atol")),
      .ratio = json_number_value(json_object_get(check, "ratio")),
  };
  bench->judge = json_array_size(words) ? words : NULL;
}

/* Whether an answer to any content can be had: files answer to one only. */
static bool answers_all(const struct hone__bench *bench)
{
  const json_t *reference = json_object_get(bench->setup, "reference");
  const char *kind = json_string_value(json_object_get(reference, "kind"));

  if (!bench->check || (kind && strcmp(kind, "files") == 0)) return false;
  return bench->judge || (kind && strcmp(kind, "none") != 0);
}

hone_status hone__bench_make(struct hone__bench *bench, const struct hone__engine *engine,
                             const json_t *setup, const void *payload, size_t payload_size)
{
  struct hone__buffers_options options;
  hone_status status;

  bench->engine = engine;
  bench->setup = json_deep_copy(setup);
  bench->folder = json_string_value(json_object_get(bench->setup, "folder"));
  bench->memory_bytes = (size_t)json_integer_value(json_object_get(setup, "memory_bytes"));
  read_check(bench, json_object_get(bench->setup, "check"));
  options = (struct hone__buffers_options){
      .seed = (uint64_t)json_integer_value(json_object_get(setup, "seed")),
      .doubled = answers_all(bench),
      .memory_bytes = bench->memory_bytes};
  status = hone__buffers_make(&bench->buffers, json_object_get(setup, "args"), &options, payload,
                              payload_size);
  bench->contents = bench->buffers.contents;
  return status;
}

hone_status hone__bench_expect(struct hone__bench *bench, const void *payload, size_t payload_size,
                               json_t *facts)
{
  hone_status status = NULL;

  if (bench->check)
    status = hone__expected_make(bench, json_object_get(bench->setup, "reference"), payload,
                                 payload_size);
  if (status && bench->is_reference_unloaded)
    json_object_set_new(facts, "reference_unloaded", json_true());
  if (status) return status;
  json_object_set_new(facts, "input_bytes", json_integer((json_int_t)bench->buffers.input_bytes));
  json_object_set_new(facts, "written_bytes", json_real(hone__bench_written_bytes(bench)));
  return NULL;
}

void hone__bench_free(struct hone__bench *bench)
{
  hone__judge_release(bench);
  hone__buffers_release(&bench->buffers);
  hone__trial_memory_release(&bench->memory);
  for (size_t i = 0; i < HONE__CONTENTS; i++)
    free(bench->expected[i]);
  json_decref(bench->setup);
  free(bench);
}

bool hone__bench_is_cold(const struct hone__bench *bench, bool otherwise)
{
  const char *cache = json_string_value(json_object_get(bench->setup, "cache"));

  return cache && *cache ? strcmp(cache, "cold") == 0 : otherwise;
}

/* ---- A job ---- */

struct run {
  struct hone__bench *bench;
  struct hone__run_plan asked;
  const void *payload;
  size_t payload_size;
  struct hone__trial trial;
  struct hone__trial_verdict *verdicts;
};

static double number(const json_t *job, const char *key, double otherwise)
{
  const json_t *value = json_object_get(job, key);

  return json_is_number(value) ? json_number_value(value) : otherwise;
}

/* As the job says, or else the setup. */
static enum hone__checking checking_of(const struct hone__bench *bench, const json_t *job)
{
  static const char *const names[] = {
#define X(constant, name) [constant] = name,
      HONE__CHECKINGS(X)
#undef X
  };
  const char *asked = json_string_value(json_object_get(job, "check"));

  if (!asked)
    asked = json_string_value(json_object_get(json_object_get(bench->setup, "check"), "answers"));
  for (int i = HONE__CHECK_FIRST; asked && i <= HONE__CHECK_EVERY; i++)
    if (strcmp(names[i], asked) == 0) return (enum hone__checking)i;
  return HONE__CHECK_SAMPLED;
}

static struct hone__trial_plan plan_of(const struct hone__bench *bench,
                                       const struct hone__run_plan *asked, const json_t *job)
{
  bool can_check = bench->check && (bench->expected[0] || bench->judge);

  return (struct hone__trial_plan){
      .mode = asked->is_rows ? HONE__TRIAL_ROWS : HONE__TRIAL_SCREEN,
      .check = can_check && asked->check,
      .late_check = asked->late_check,
      .checking = checking_of(bench, job),
      .samples = asked->is_rows ? 0 : asked->samples,
      .rows = asked->is_rows ? asked->rows : 0,
      .budget_s = asked->budget_s,
      .warmup = (int)number(job, "warmup", -1),
      .cap_ns = asked->cap_ns,
      .cut_ns = asked->cut_ns,
      .min_sample_ns = number(job, "min_sample_ns", default_min_sample_ns),
      .call_timeout_s = asked->call_timeout_s,
      .timeout_s = fmax(asked->timeout_s - number(job, "start_s", 0), 0),
      .seed = asked->seed,
  };
}

static hone_status add_candidate(const struct run *run, struct hone__trial *trial, size_t index)
{
  const json_t *item = json_array_get(run->asked.candidates, index);
  const void *object;
  size_t size;
  hone_status status =
      hone__run_plan_object(&run->asked, index, run->payload, run->payload_size, &object, &size);

  if (status) return status;
  return hone__trial_add(trial, json_object_get(item, "candidate"), object ? object : "", size);
}

/* ---- Judging answers ---- */

static double time_left(const struct run *run)
{
  double limit = run->trial.plan.timeout_s, left = limit - (hone__clock() - run->asked.began);

  if (!(limit > 0)) return 0;
  return left > shortest_recheck_s ? left : shortest_recheck_s;
}

static bool is_right(const struct run *run, size_t content, const unsigned char *snapshot,
                     struct hone__text *why)
{
  if (run->bench->judge)
    return hone__judge_accepts(run->bench, content, snapshot, time_left(run), why);
  return hone__expected_matches(run->bench, content, snapshot, why);
}

/* Whether another process gives the same wrong answer. */
static bool is_repeated(const struct run *run, size_t index, size_t content)
{
  struct hone__trial again = {.bench = run->bench,
                              .engine = run->bench->engine,
                              .lender = &run->trial,
                              .plan = {.check = true,
                                       .call_timeout_s = run->trial.plan.call_timeout_s,
                                       .timeout_s = time_left(run)}};
  hone_status status = add_candidate(run, &again, index);
  bool repeated = true;

  if (!status) status = hone__trial_run(&again);
  if (!status && hone__trial_complete(&again) && again.report->records[0].has_first[content])
    repeated = hone__snapshots_equal(&run->bench->buffers, hone__trial_snapshot(&again, 0, content),
                                     hone__trial_snapshot(&run->trial, index, content));
  hone_status_free(status);
  hone__trial_release(&again);
  return repeated;
}

static bool check_first(const struct run *run, size_t index, size_t content,
                        struct hone__trial_verdict *verdict)
{
  struct hone__text why = {0};
  bool right = !run->trial.report->records[index].has_first[content] ||
               is_right(run, content, hone__trial_snapshot(&run->trial, index, content), &why);

  if (!right) {
    bool repeated = is_repeated(run, index, content);
    hone__verdict_set(verdict,
                      repeated ? HONE__OUTCOME_WRONG_RESULT : HONE__OUTCOME_NONDETERMINISTIC,
                      "%s%s%s", content ? "its second call, with other inputs: " : "", why.data,
                      repeated ? "" : "; a second run gave a different answer");
  }
  hone__text_release(&why);
  return right;
}

/* Right by its tolerances, but an element of it was there before the call. */
static void tell_unwritten(const struct run *run, const struct hone__record *record,
                           struct hone__text *why)
{
  const struct hone__arg *arg = &run->bench->buffers.args[record->unwritten_arg - 1];

  hone__text_addf(why, "element %llu of '%s' was not written",
                  (unsigned long long)record->unwritten, arg->name);
}

static void check_last(const struct run *run, size_t index, struct hone__trial_verdict *verdict)
{
  const struct hone__record *record = &run->trial.report->records[index];
  struct hone__text why = {0};
  bool right = !record->has_last || record->last_is_first ||
               is_right(run, record->last_content,
                        hone__trial_snapshot(&run->trial, index, HONE__LAST_ANSWER), &why);

  if (right && record->unwritten_arg) tell_unwritten(run, record, &why);
  if (!right && record->is_again)
    hone__verdict_set(verdict, HONE__OUTCOME_WRONG_RESULT,
                      "called with other contents at the same addresses: %s", why.data);
  else if (!right || record->unwritten_arg)
    hone__verdict_set(verdict, HONE__OUTCOME_NONDETERMINISTIC,
                      "correct at first, wrong after %llu calls: %s",
                      (unsigned long long)record->calls, why.data);
  hone__text_release(&why);
}

static void check_answers(const struct run *run, size_t index, struct hone__trial_verdict *verdict)
{
  for (size_t content = 0; content < HONE__CONTENTS; content++)
    if (!check_first(run, index, content, verdict)) return;
  check_last(run, index, verdict);
}

static void judge_survivors(struct run *run)
{
  for (size_t i = 0; i < run->trial.count; i++) {
    enum hone__trial_fault fault = run->trial.report->records[i].fault;
    hone__verdict_of_record(&run->trial, i, &run->verdicts[i]);
    if (fault <= HONE__TRIAL_CAPPED || fault == HONE__TRIAL_WRONG)
      check_answers(run, i, &run->verdicts[i]);
  }
}

static void interrupt_all(struct run *run)
{
  for (size_t i = 0; i < run->trial.count; i++)
    hone__verdict_set(&run->verdicts[i], HONE__OUTCOME_INTERRUPTED, "%s",
                      "another candidate terminated its process");
}

/* The process said itself that it cannot go on. */
static void judge_broken(struct run *run)
{
  interrupt_all(run);
  for (size_t i = 0; i < run->trial.count; i++)
    if (run->trial.report->records[i].fault > HONE__TRIAL_CAPPED)
      hone__verdict_of_record(&run->trial, i, &run->verdicts[i]);
}

static void judge_dead(struct run *run)
{
  size_t killer;

  interrupt_all(run);
  killer = hone__verdict_of_death(&run->trial,
                                  &run->verdicts[run->trial.report->active % run->trial.count]);
  if (run->verdicts[killer].outcome == HONE__OUTCOME_SLOW)
    check_answers(run, killer, &run->verdicts[killer]);
}

/* ---- The answer ---- */

static void add_times(const struct run *run, struct hone__text *payload)
{
  const struct hone__trial *trial = &run->trial;
  size_t each = trial->plan.samples;

  if (trial->plan.mode == HONE__TRIAL_ROWS)
    hone__text_addn(payload, (const char *)trial->times,
                    trial->report->rows * trial->count * sizeof *trial->times);
  for (size_t i = 0; trial->plan.mode == HONE__TRIAL_SCREEN && i < trial->count; i++)
    hone__text_addn(payload, (const char *)(trial->times + i * each),
                    trial->report->records[i].samples * sizeof *trial->times);
}

/* How many answers were compared after the first ones, and what one in whole takes. */
static json_t *checks_of(const struct hone__record *record)
{
  return json_pack("{s:I, s:I, s:f, s:f}", "compared", (json_int_t)record->compared, "whole",
                   (json_int_t)record->compared_whole, "whole_ns", record->whole_ns, "sample_ns",
                   record->sample_ns);
}

static json_t *result_of(const struct run *run, size_t index, bool complete)
{
  const struct hone__record *record = &run->trial.report->records[index];
  const struct hone__trial_verdict *verdict = &run->verdicts[index];

  return json_pack("{s:s, s:o, s:f, s:I, s:I, s:o}", "class", hone__outcome_name(verdict->outcome),
                   "evidence", hone__json_string(verdict->evidence.data, verdict->evidence.length),
                   "cold_ns", record->cold_ns, "repeats", (json_int_t)record->repeats, "samples",
                   complete ? (json_int_t)record->samples : 0, "checks",
                   complete ? checks_of(record) : json_object());
}

/* The class of the whole: of the first that failed, else of the first that is slow. */
static const struct hone__trial_verdict *worst_of(const struct run *run)
{
  const struct hone__trial_verdict *worst = &run->verdicts[0];

  for (size_t i = run->trial.count; i-- > 0;)
    if (run->verdicts[i].outcome == HONE__OUTCOME_SLOW) worst = &run->verdicts[i];
  for (size_t i = run->trial.count; i-- > 0;)
    if (!hone__outcome_works(run->verdicts[i].outcome) &&
        run->verdicts[i].outcome != HONE__OUTCOME_INTERRUPTED)
      worst = &run->verdicts[i];
  return worst;
}

/* That of the first candidate that writes to an input. */
static const char *changed_input(const struct run *run)
{
  const struct hone__buffers *buffers = &run->bench->buffers;

  for (size_t i = 0; i < run->trial.count; i++) {
    uint64_t changed = run->trial.report->records[i].changed;
    if (changed && changed <= buffers->count) return buffers->args[changed - 1].name;
  }
  return NULL;
}

/* What a reader of the times should know. */
static json_t *notes_of(const struct run *run)
{
  const struct hone__bench *bench = run->bench;
  const struct hone__record *record = &run->trial.report->records[0];
  const char *changed = changed_input(run);
  json_t *notes = json_array();

  if (changed)
    json_array_append_new(notes,
                          json_sprintf("a candidate writes to its input '%s', which is restored "
                                       "before each call; declare it with 'role: inout'",
                                       changed));
  if (record->samples && run->trial.times[0] < short_call_ns &&
      (bench->buffers.has_inout || bench->flush))
    json_array_append_new(
        notes,
        json_sprintf(
            "calls of less than 1 us are timed one by one because %s: the clock adds overhead",
            bench->flush ? "caches are cold" : "an argument is inout"));
  return notes;
}

static void give_answer(const struct run *run, bool complete, struct hone__answer *answer)
{
  const struct hone__trial_report *report = run->trial.report;
  const struct hone__trial_verdict *worst = worst_of(run);
  json_t *results = json_array();

  for (size_t i = 0; i < run->trial.count; i++)
    json_array_append_new(results, result_of(run, i, complete));
  answer->outcome = worst->outcome;
  hone__text_addn(&answer->evidence, worst->evidence.data ? worst->evidence.data : "",
                  worst->evidence.length);
  answer->head = json_pack(
      "{s:o, s:I, s:f, s:I, s:i, s:o}", "results", results, "rows",
      complete ? (json_int_t)report->rows : 0, "cpu_ns",
      complete ? report->cpu_ns : 1e9 * run->trial.end.cpu_seconds, "forced_switches",
      complete ? (json_int_t)report->forced_switches : (json_int_t)run->trial.end.forced_switches,
      "cpu", complete ? report->cpu : -1, "notes", complete ? notes_of(run) : json_array());
  if (complete) add_times(run, &answer->payload);
}

/* What the engine said besides: {"kernels": [of each candidate], "notes": [...], ...}. */
static void add_remarks(const struct run *run, json_t *head)
{
  json_t *remarks = json_loads(run->trial.report->remarks, 0, NULL);
  json_t *kernels = json_object_get(remarks, "kernels"),
         *results = json_object_get(head, "results");

  if (!json_is_object(remarks)) {
    json_decref(remarks);
    return;
  }
  for (size_t i = 0; i < json_array_size(kernels) && i < json_array_size(results); i++)
    json_object_set(json_array_get(results, i), "facts", json_array_get(kernels, i));
  json_array_extend(json_object_get(head, "notes"), json_object_get(remarks, "notes"));
  json_object_del(remarks, "kernels");
  json_object_del(remarks, "notes");
  json_object_set_new(head, "clock", remarks);
}

static void run_trial(struct run *run, struct hone__answer *answer)
{
  bool complete = hone__trial_complete(&run->trial);
  bool broken = complete && run->trial.report->broken;

  if (broken)
    judge_broken(run);
  else if (complete)
    judge_survivors(run);
  else
    judge_dead(run);
  give_answer(run, complete && !broken, answer);
  if (complete && !broken) add_remarks(run, answer->head);
}

/* The job itself is no good: nothing ran. */
static void refuse(struct hone__answer *answer, hone_status status)
{
  bool is_candidate = hone_status_code(status) == HONE_INVALID_SPEC;

  answer->outcome = is_candidate ? HONE__OUTCOME_LAUNCH_FAILURE : HONE__OUTCOME_PROTOCOL;
  if (hone_status_code(status) == HONE_EXHAUSTED) answer->outcome = HONE__OUTCOME_OOM_HOST;
  hone__text_add(&answer->evidence, hone_status_message(status));
  answer->head = json_object();
}

void hone__bench_run(void *bench, const json_t *job, const void *payload, size_t payload_size,
                     struct hone__answer *answer)
{
  struct run run = {.bench = bench, .payload = payload, .payload_size = payload_size};
  hone_status status = hone__run_plan_read(job, &run.asked);
  size_t count = status ? 0 : run.asked.count;

  run.trial = (struct hone__trial){
      .bench = run.bench, .engine = run.bench->engine, .plan = plan_of(run.bench, &run.asked, job)};
  for (size_t i = 0; i < count && !status; i++)
    status = add_candidate(&run, &run.trial, i);
  run.verdicts = hone__alloc((count + 1) * sizeof *run.verdicts);
  if (!status) status = hone__trial_run(&run.trial);
  if (status)
    refuse(answer, status);
  else
    run_trial(&run, answer);
  for (size_t i = 0; i < count; i++)
    hone__text_release(&run.verdicts[i].evidence);
  free(run.verdicts);
  hone_status_free(status);
  hone__trial_release(&run.trial);
}
