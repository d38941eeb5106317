/* A job is a trial in another process. Its report and answers are judged here, where no candidate
 * has ever run. Only a wrong answer costs a second trial.
 */
#include "backend/kernel/kernel_bench.h"

#include "backend/kernel/expected.h"
#include "backend/kernel/judge.h"
#include "backend/kernel/traffic.h"
#include "backend/kernel/trial_remarks.h"
#include "backend/kernel/verdict.h"
#include "backend/run_plan.h"
#include "base/clock.h"
#include "wire/run_reply.h"

#include <math.h>
#include <stdlib.h>

static const double default_min_sample_ns = 50e3;
static const double shortest_recheck_s = 0.5;
static const double short_call_ns = 1000; /* the clock itself takes some 20 to 50 */

static double known(double number, double otherwise)
{
  return isnan(number) ? otherwise : number;
}

/* ---- Bench ---- */

static void take_check(struct hone__bench *bench, const struct hone__kernel_check *check)
{
  static const struct hone__kernel_check by_default = {.enabled = true};

  if (!check) check = &by_default;
  bench->check = check->enabled;
  bench->tolerance = (struct hone__tolerance){.rtol = known(check->rtol, 0),
                                              .atol = known(check->atol, 0),
                                              .ratio = known(check->ratio, 0)};
  bench->judge = check->command_count || check->entry ? check : NULL;
}

static void make_reduce_room(struct hone__bench *bench)
{
  size_t most = 0;

  for (size_t i = 0; i < bench->buffers.count; i++) {
    const struct hone__arg *arg = &bench->buffers.args[i];
    size_t room = hone__reduction_room(arg->reduction, arg->element, arg->count);
    if (most < room) most = room;
  }
  if (most) bench->reduce_room = hone__alloc(most);
}

/* Whether answers to every content are available: files have one only. */
static bool answers_all(const struct hone__bench *bench)
{
  const struct hone__kernel_reference *reference = bench->setup.reference;

  if (!bench->check || (reference && reference->kind == HONE__REFERENCE_FILES)) return false;
  return bench->judge || (reference && reference->kind != HONE__REFERENCE_NONE);
}

hone_status hone__bench_make(struct hone__bench *bench, const struct hone__engine *engine,
                             const struct hone__packed *setup, const void *payload,
                             size_t payload_size)
{
  hone_status status;

  bench->engine = engine;
  bench->packed = hone__packed_hold(setup);
  status = hone__unpack(setup, &hone__kernel_setup_type, &bench->arena, &bench->setup);
  if (status) return status;
  bench->folder = bench->setup.folder;
  bench->memory_bytes = bench->setup.memory_bytes;
  take_check(bench, bench->setup.check);
  status = hone__buffers_make(&bench->buffers,
                              &(struct hone__buffers_options){.setup = &bench->setup,
                                                              .seed = (uint64_t)bench->setup.seed,
                                                              .doubled = answers_all(bench),
                                                              .memory_bytes = bench->memory_bytes,
                                                              .payload = payload,
                                                              .payload_size = payload_size});
  bench->contents = bench->buffers.contents;
  if (!status) make_reduce_room(bench);
  return status;
}

hone_status hone__bench_expect(struct hone__bench *bench, const void *payload, size_t payload_size,
                               struct hone__named_list *facts)
{
  hone_status status = NULL;

  if (bench->check) status = hone__judge_take(bench, payload, payload_size);
  if (bench->check && !status) status = hone__expected_make(bench, payload, payload_size);
  if (status && bench->is_reference_unloaded) hone__named_bool(facts, "reference_unloaded", true);
  if (status) return status;
  hone__named_int(facts, "input_bytes", (int64_t)bench->buffers.input_bytes);
  hone__named_real(facts, "written_bytes", hone__bench_written_bytes(bench));
  return NULL;
}

void hone__bench_free(struct hone__bench *bench)
{
  hone__judge_release(bench);
  hone__buffers_release(&bench->buffers);
  hone__trial_memory_release(&bench->memory);
  for (size_t i = 0; i < HONE__CONTENTS; i++)
    free(bench->expected[i]);
  free(bench->reduce_room);
  hone__arena_release(&bench->arena);
  hone__packed_drop(bench->packed);
  free(bench);
}

bool hone__bench_is_cold(const struct hone__bench *bench, bool otherwise)
{
  const char *cache = bench->setup.cache;

  return cache && *cache ? strcmp(cache, "cold") == 0 : otherwise;
}

/* ---- A job ---- */

struct run {
  struct hone__bench *bench;
  struct hone__backend_run_plan asked;
  const void *payload;
  size_t payload_size;
  struct hone__trial trial;
  struct hone__trial_verdict *verdicts;
  struct hone__packed *remarks; /* of the engine; or NULL */
};

/* From the job, or else the setup. */
static enum hone__checking checking_of(const struct hone__bench *bench,
                                       const struct hone__wire_run_job *job)
{
  static const char *const names[] = {
#define X(constant, name) [constant] = name,
      HONE__CHECKINGS(X)
#undef X
  };
  const char *asked = job->check.type == HONE_TEXT ? job->check.text : NULL;

  if (!asked && bench->setup.check) asked = bench->setup.check->answers;
  for (int i = HONE__CHECK_FIRST; asked && i <= HONE__CHECK_EVERY; i++)
    if (strcmp(names[i], asked) == 0) return (enum hone__checking)i;
  return HONE__CHECK_SAMPLED;
}

static struct hone__trial_plan plan_of(const struct hone__bench *bench,
                                       const struct hone__backend_run_plan *asked)
{
  const struct hone__wire_run_job *job = &asked->job;
  bool can_check = bench->check && (bench->expected[0] || bench->judge);

  return (struct hone__trial_plan){
      .mode = asked->is_rows ? HONE__TRIAL_ROWS : HONE__TRIAL_SCREEN,
      .check = can_check && asked->check,
      .late_check = asked->late_check,
      .first_is_known = asked->first_is_known,
      .checking = checking_of(bench, job),
      .samples = asked->is_rows ? 0 : asked->samples,
      .rows = asked->is_rows ? asked->rows : 0,
      .budget_s = asked->budget_s,
      .warmup = job->warmup.type == HONE_INT ? (int)job->warmup.integer : -1,
      .cap_ns = asked->cap_ns,
      .cut_ns = asked->cut_ns,
      .min_sample_ns = known(job->min_sample_ns, default_min_sample_ns),
      .call_timeout_s = asked->call_timeout_s,
      .timeout_s = fmax(asked->timeout_s - known(job->start_s, 0), 0),
      .seed = asked->seed,
  };
}

static hone_status add_candidate(const struct run *run, struct hone__trial *trial, size_t index)
{
  const void *object;
  size_t size;
  hone_status status = hone__backend_run_plan_object(&run->asked, index, run->payload,
                                                     run->payload_size, &object, &size);

  if (status) return status;
  return hone__trial_add(trial, run->asked.items[index].candidate, object ? object : "", size);
}

/* ---- Judging answers ---- */

static double time_left(const struct run *run)
{
  double limit = run->trial.plan.timeout_s, left = limit - (hone__clock() - run->asked.began);

  if (!(limit > 0)) return 0;
  return left > shortest_recheck_s ? left : shortest_recheck_s;
}

static bool is_right(const struct run *run, size_t index, size_t content,
                     const unsigned char *snapshot, struct hone__text *why)
{
  const struct hone__kernel_candidate *candidate = &run->trial.candidates[index].candidate;

  if (run->bench->judge) return hone__judge_accepts(run->bench, candidate, content, snapshot, why);
  return hone__expected_matches(run->bench, candidate, content, snapshot, why);
}

/* It equals an answer that was accepted. */
static bool is_known_right(const struct run *run, size_t index, size_t content)
{
  uint32_t like = hone__trial_first_like(&run->trial, index, content);

  return like == HONE__TRIAL_KNOWN || (like && run->verdicts[like - 1].outcome == HONE_OUTCOME_OK);
}

/* Outputs were poisoned before a first call, also past the end of the candidate's own shape. */
static bool is_first_right(const struct run *run, size_t index, size_t content,
                           struct hone__text *why)
{
  const unsigned char *snapshot = hone__trial_first(&run->trial, index, content);

  if (is_known_right(run, index, content)) return true;
  return hone__expected_keeps_shape(run->bench, &run->trial.candidates[index].candidate, snapshot,
                                    why) &&
         is_right(run, index, content, snapshot, why);
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
    repeated = hone__trial_first(&again, 0, content) &&
               hone__snapshots_equal(&run->bench->buffers, hone__trial_first(&again, 0, content),
                                     hone__trial_first(&run->trial, index, content));
  hone_status_free(status);
  hone__trial_release(&again);
  return repeated;
}

static bool check_first(const struct run *run, size_t index, size_t content,
                        struct hone__trial_verdict *verdict)
{
  struct hone__text why = {0};
  bool right = !run->trial.report->records[index].has_first[content] ||
               is_first_right(run, index, content, &why);

  if (!right) {
    bool repeated = is_repeated(run, index, content);
    hone__kernel_verdict_set(verdict,
                             repeated ? HONE_OUTCOME_WRONG_RESULT : HONE_OUTCOME_NONDETERMINISTIC,
                             "%s%s%s", content ? "its second call, with other inputs: " : "",
                             why.data, repeated ? "" : "; a second run gave a different answer");
  }
  hone__text_release(&why);
  return right;
}

/* Right within tolerances, but one element was there before the call. */
static void report_unwritten(const struct run *run, const struct hone__kernel_record *record,
                             struct hone__text *why)
{
  const struct hone__arg *arg = &run->bench->buffers.args[record->unwritten_arg - 1];

  hone__text_addf(why, "element %llu of '%s' was not written",
                  (unsigned long long)record->unwritten, arg->name);
}

static void check_last(const struct run *run, size_t index, struct hone__trial_verdict *verdict)
{
  const struct hone__kernel_record *record = &run->trial.report->records[index];
  struct hone__text why = {0};
  bool right = !record->has_last || record->last_is_first ||
               is_right(run, index, record->last_content,
                        hone__trial_snapshot(&run->trial, index, HONE__LAST_ANSWER), &why);

  if (right && record->unwritten_arg) report_unwritten(run, record, &why);
  if (!right && record->is_again)
    hone__kernel_verdict_set(verdict, HONE_OUTCOME_WRONG_RESULT,
                             "called with other contents at the same addresses: %s", why.data);
  else if (!right || record->unwritten_arg)
    hone__kernel_verdict_set(verdict, HONE_OUTCOME_NONDETERMINISTIC,
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
    hone__kernel_verdict_of_record(&run->trial, i, &run->verdicts[i]);
    if (fault <= HONE__TRIAL_CAPPED || fault == HONE__TRIAL_WRONG)
      check_answers(run, i, &run->verdicts[i]);
  }
}

static void interrupt_all(struct run *run)
{
  for (size_t i = 0; i < run->trial.count; i++)
    hone__kernel_verdict_set(&run->verdicts[i], HONE_OUTCOME_INTERRUPTED, "%s",
                             "another candidate terminated its process");
}

/* The process reported that it cannot continue. */
static void judge_broken(struct run *run)
{
  interrupt_all(run);
  for (size_t i = 0; i < run->trial.count; i++)
    if (run->trial.report->records[i].fault > HONE__TRIAL_CAPPED)
      hone__kernel_verdict_of_record(&run->trial, i, &run->verdicts[i]);
}

static void judge_ended(struct run *run)
{
  size_t killer;

  interrupt_all(run);
  killer = hone__kernel_verdict_of_death(
      &run->trial, &run->verdicts[run->trial.report->active % run->trial.count]);
  if (run->verdicts[killer].outcome == HONE_OUTCOME_SLOW)
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
static const struct hone__wire_run_checks *checks_of(struct hone__arena *arena,
                                                     const struct hone__kernel_record *record)
{
  struct hone__wire_run_checks *checks = hone__arena_alloc(arena, sizeof *checks);

  *checks = (struct hone__wire_run_checks){.compared = record->compared,
                                           .whole = record->compared_whole,
                                           .whole_ns = record->whole_ns,
                                           .sample_ns = record->sample_ns};
  return checks;
}

/* The shares of a pipeline's stages, if they were timed. */
static void add_shares(struct run *run, size_t index, struct hone__wire_candidate_result *result)
{
  const struct hone__kernel_record *record = &run->trial.report->records[index];
  const struct hone__pipeline *pipeline = &run->trial.candidates[index].pipeline;
  double sum = 0;

  for (size_t i = 0; i < pipeline->name_count; i++)
    sum += record->stage_ns[i];
  if (!hone__pipeline_is_many(pipeline) || !(sum > 0)) return;
  result->stages =
      hone__arena_alloc(&run->asked.arena, pipeline->name_count * sizeof *result->stages);
  for (size_t i = 0; i < pipeline->name_count; i++)
    result->stages[result->stages_count++] = (struct hone__wire_stage_share){
        hone__pipeline_name(pipeline, i), fmin(fmax(record->stage_ns[i] / sum, 0), 1)};
}

static struct hone__wire_candidate_result result_of(struct run *run, size_t index, bool complete)
{
  const struct hone__kernel_record *record = &run->trial.report->records[index];
  const struct hone__trial_verdict *verdict = &run->verdicts[index];

  return (struct hone__wire_candidate_result){
      .outcome = verdict->outcome,
      .evidence = verdict->evidence.data ? verdict->evidence.data : "",
      .cold_ns = record->cold_ns,
      .repeats = record->repeats,
      .samples = complete ? record->samples : 0,
      .checks = complete ? checks_of(&run->asked.arena, record) : NULL,
  };
}

/* The class of the whole: of the first that failed, else of the first that is slow. */
static const struct hone__trial_verdict *worst_of(const struct run *run)
{
  const struct hone__trial_verdict *worst = &run->verdicts[0];

  for (size_t i = run->trial.count; i-- > 0;)
    if (run->verdicts[i].outcome == HONE_OUTCOME_SLOW) worst = &run->verdicts[i];
  for (size_t i = run->trial.count; i-- > 0;)
    if (!hone__outcome_works(run->verdicts[i].outcome) &&
        run->verdicts[i].outcome != HONE_OUTCOME_INTERRUPTED)
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

/* Notes about the times; returns how many. */
static size_t add_notes(struct run *run, const char **notes)
{
  const struct hone__bench *bench = run->bench;
  const struct hone__kernel_record *record = &run->trial.report->records[0];
  const char *changed = changed_input(run);
  size_t count = 0;

  if (changed)
    notes[count++] = hone__arena_printf(&run->asked.arena,
                                        "a candidate writes to its input '%s', which is restored "
                                        "before each call; declare it with 'role: inout'",
                                        changed);
  if (record->samples && run->trial.times[0] < short_call_ns &&
      (bench->buffers.has_inout || bench->buffers.has_symbol || bench->buffers.has_image ||
       bench->flush))
    notes[count++] = hone__arena_printf(
        &run->asked.arena,
        "calls of less than 1 us are timed one by one because %s: the clock adds overhead",
        bench->flush               ? "caches are cold"
        : bench->buffers.has_inout ? "an argument is inout"
        : bench->buffers.has_image ? "an argument is an image"
                                   : "an argument is a symbol");
  return count;
}

/* Copies the engine's remarks to where readers expect them. */
static void take_remarks(struct run *run, const struct hone__trial_remarks *remarks,
                         struct hone__wire_run_reply *reply)
{
  struct hone__wire_run_clock *clock = hone__arena_alloc(&run->asked.arena, sizeof *clock);

  for (size_t i = 0; i < remarks->kernels_count && i < reply->results_count; i++) {
    reply->results[i].facts = remarks->kernels[i].all;
    reply->results[i].facts_count = remarks->kernels[i].all_count;
  }
  for (size_t i = 0; i < remarks->notes_count; i++)
    reply->notes[reply->notes_count++] = remarks->notes[i];
  clock->state = remarks->state;
  reply->clock = clock;
}

/* False: there are none. */
static bool read_remarks(struct run *run, struct hone__trial_remarks *out_remarks)
{
  const char *text = run->trial.report->remarks;
  hone_status status;

  run->remarks = hone__packed_parse(text, strnlen(text, sizeof run->trial.report->remarks));
  if (!run->remarks) return false;
  status = hone__unpack(run->remarks, &hone__trial_remarks_type, &run->asked.arena, out_remarks);
  if (!status) return true;
  hone_status_free(status);
  *out_remarks = (struct hone__trial_remarks){0};
  return false;
}

enum { OWN_NOTES = 2 };

static void fill_reply(struct run *run, bool complete, struct hone__wire_run_reply *reply)
{
  struct hone__arena *arena = &run->asked.arena;
  struct hone__trial_remarks remarks = {0};
  bool has_remarks = complete && read_remarks(run, &remarks);

  reply->results_count = run->trial.count;
  reply->results = hone__arena_alloc(arena, run->trial.count * sizeof *reply->results);
  for (size_t i = 0; i < run->trial.count; i++)
    reply->results[i] = result_of(run, i, complete);
  for (size_t i = 0; complete && i < run->trial.count; i++)
    add_shares(run, i, &reply->results[i]);
  if (!complete) return;
  reply->notes = hone__arena_alloc(arena, (OWN_NOTES + remarks.notes_count) * sizeof *reply->notes);
  reply->notes_count = add_notes(run, reply->notes);
  if (has_remarks) take_remarks(run, &remarks, reply);
}

static void give_answer(struct run *run, bool complete, struct hone__answer *answer)
{
  const struct hone__trial_report *report = run->trial.report;
  const struct hone__trial_verdict *worst = worst_of(run);
  struct hone__wire_run_reply reply = {
      .rows = complete ? report->rows : 0,
      .cpu_ns = complete ? report->cpu_ns : 1e9 * run->trial.end.cpu_seconds,
      .forced_switches = complete ? report->forced_switches : run->trial.end.forced_switches,
      .cpu = complete ? report->cpu : -1};

  fill_reply(run, complete, &reply);
  answer->outcome = worst->outcome;
  hone__text_addn(&answer->evidence, worst->evidence.data ? worst->evidence.data : "",
                  worst->evidence.length);
  answer->head = hone__pack(&hone__wire_run_reply_type, &reply);
  if (complete) add_times(run, &answer->payload);
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
    judge_ended(run);
  run->bench->was_right = complete && !broken && run->verdicts[0].outcome == HONE_OUTCOME_OK;
  give_answer(run, complete && !broken, answer);
}

/* The job is invalid: nothing ran. */
static void refuse(struct hone__answer *answer, hone_status status)
{
  const struct hone__wire_run_reply nothing = {.cpu = -1};
  bool is_candidate = hone_status_code(status) == HONE_INVALID_SPEC;

  answer->outcome = is_candidate ? HONE_OUTCOME_LAUNCH_FAILURE : HONE_OUTCOME_PROTOCOL;
  if (hone_status_code(status) == HONE_EXHAUSTED) answer->outcome = HONE_OUTCOME_OOM_HOST;
  hone__text_add(&answer->evidence, hone_status_message(status));
  answer->head = hone__pack(&hone__wire_run_reply_type, &nothing);
}

void hone__bench_run(void *bench, const struct hone__packed *job, const void *payload,
                     size_t payload_size, struct hone__answer *answer)
{
  struct run run = {.bench = bench, .payload = payload, .payload_size = payload_size};
  hone_status status = hone__backend_run_plan_read(job, &run.asked);
  size_t count = run.asked.count;

  if (!status && run.asked.job.renew && run.bench->engine->renew)
    run.bench->engine->renew(run.bench);
  run.trial = (struct hone__trial){
      .bench = run.bench, .engine = run.bench->engine, .plan = plan_of(run.bench, &run.asked)};
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
  hone__packed_drop(run.remarks);
  hone__backend_run_plan_release(&run.asked);
}
