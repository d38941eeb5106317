/* A job: candidates recorded as failing are not called; the others run in one child, whose end and
 * report give their outcomes.
 */
#include "backend/sim/sim_backend.h"

#include "backend/sim/sim_bench.h"
#include "base/digest.h"
#include "base/names.h"
#include "proc/child.h"
#include "wire/run_reply.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MOST_TIMES = 1 << 24 }; /* of a job */

struct verdict {
  enum hone_outcome outcome;
  struct hone__text evidence;
};

/* ---- Bench ---- */

static size_t find_device(const struct hone__sim_setup *setup, const char *device)
{
  size_t i = 0;

  while (i < setup->devices_count && strcmp(setup->devices[i].device, device) != 0)
    i++;
  return i;
}

hone_status hone__sim_prepare(const struct hone__packed *setup, const char *device,
                              struct hone__sim_bench **out_bench)
{
  struct hone__sim_bench *bench = hone__alloc(sizeof *bench);
  hone_status status;

  *out_bench = NULL;
  bench->message = hone__packed_hold((struct hone__packed *)(uintptr_t)setup);
  status = hone__unpack(setup, &hone__sim_setup_type, &bench->arena, &bench->setup);
  if (status) {
    hone__sim_release(bench);
    return status;
  }
  bench->noise = bench->setup.noise;
  bench->pace = fmax(bench->setup.pace, 0);
  bench->seed = (uint64_t)bench->setup.seed;
  bench->check = bench->setup.check->enabled;
  bench->device = find_device(&bench->setup, device);
  *out_bench = bench;
  return NULL;
}

void hone__sim_release(void *data)
{
  struct hone__sim_bench *bench = data;

  if (!bench) return;
  hone__arena_release(&bench->arena);
  hone__packed_drop(bench->message);
  free(bench);
}

/* ---- Making a job ---- */

static const struct hone__sim_fault *fault_of(const struct hone__sim_candidate *candidate,
                                              enum hone_phase phase)
{
  enum hone_phase from = hone__phase_parse(candidate->fault_from);

  if (!candidate->fault || !hone__sim_fault_is_due(from, phase)) return NULL;
  return hone__sim_fault_find(candidate->fault);
}

static double drift_at(const struct hone__sim_bench *bench, double number)
{
  double factor = 1;

  for (size_t i = 0; i < bench->setup.drift_count; i++) {
    const struct hone__sim_step *step = &bench->setup.drift[i];
    if (step->factor > 0 && number >= step->from) factor = step->factor;
  }
  return factor;
}

static hone_status read_entrant(struct hone__sim_job *job, enum hone_phase phase, size_t index,
                                const void *payload, size_t payload_size)
{
  struct hone__sim_entrant *entrant = &job->entrants[index];
  struct hone__sim_candidate candidate;
  const void *bytes;
  size_t size;
  hone_status status =
      hone__backend_run_plan_object(&job->plan, index, payload, payload_size, &bytes, &size);

  if (!status)
    status = hone__unpack(job->plan.items[index].candidate, &hone__sim_candidate_type,
                          &job->plan.arena, &candidate);
  if (status) return status;
  entrant->fault = fault_of(&candidate, phase);
  entrant->factor =
      job->bench->device < candidate.factors_count ? candidate.factors[job->bench->device] : 1;
  if (!hone__sim_object_read(bytes, size, &entrant->object))
    return hone__error(HONE_INVALID_ARGUMENT, "an object is not a recorded configuration");
  entrant->runs =
      hone__outcome_works(entrant->object.outcome) &&
      !(entrant->fault && entrant->fault->stage == HONE__SIM_CALLING && !entrant->fault->act);
  return NULL;
}

static hone_status share_memory(struct hone__sim_job *job)
{
  size_t count = job->plan.count, most = MOST_TIMES / count, times;

  if (job->plan.rows > most) job->plan.rows = most;
  job->each = job->plan.samples < most ? job->plan.samples : most;
  times = count * (job->plan.is_rows ? job->plan.rows : job->each);
  job->shared_bytes =
      sizeof *job->report + count * sizeof *job->records + times * sizeof *job->times;
  job->shared =
      mmap(NULL, job->shared_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (job->shared == MAP_FAILED) {
    job->shared = NULL;
    return hone__error(HONE_EXHAUSTED, "out of memory for %zu times", times);
  }
  job->report = job->shared;
  job->records = (struct hone__sim_record *)(job->report + 1);
  job->times = (double *)(job->records + count);
  return NULL;
}

static hone_status make_job(struct hone__sim_job *job, const struct hone__packed *head,
                            const void *payload, size_t payload_size)
{
  hone_status status = hone__backend_run_plan_read(head, &job->plan);

  if (status) return status;
  job->factor = drift_at(job->bench, (double)job->plan.job.number);
  job->entrants = hone__alloc(job->plan.count * sizeof *job->entrants);
  for (size_t i = 0; i < job->plan.count && !status; i++)
    status = read_entrant(job, (enum hone_phase)job->plan.job.phase, i, payload, payload_size);
  return status ? status : share_memory(job);
}

static void release_job(struct hone__sim_job *job)
{
  for (size_t i = 0; i < job->plan.count && job->entrants; i++)
    hone__sim_object_release(&job->entrants[i].object);
  free(job->entrants);
  hone__backend_run_plan_release(&job->plan);
  if (job->shared) munmap(job->shared, job->shared_bytes);
}

/* ---- Verdicts ---- */

static enum hone_outcome outcome_of_end(const struct hone__child_result *child)
{
  switch (child->end) {
  case HONE__CHILD_EXITED: return child->code ? HONE_OUTCOME_CRASH : HONE_OUTCOME_NO_RESULT;
  case HONE__CHILD_SIGNALLED:
    return child->code == SIGALRM   ? HONE_OUTCOME_HANG
           : child->code == SIGKILL ? HONE_OUTCOME_KILLED
                                    : HONE_OUTCOME_CRASH;
  case HONE__CHILD_OOM: return HONE_OUTCOME_OOM_HOST;
  case HONE__CHILD_NOT_STARTED: return HONE_OUTCOME_WORKER_LOST;
  default: return HONE_OUTCOME_HANG;
  }
}

static void judge_end(const struct hone__sim_job *job, const struct hone__child_result *child,
                      struct verdict *verdict)
{
  verdict->outcome = outcome_of_end(child);
  if (child->end == HONE__CHILD_SIGNALLED && child->code == SIGALRM)
    hone__text_addf(&verdict->evidence, "its first call was still running after %.3g s",
                    job->plan.call_timeout_s);
  else
    hone__child_describe(child, &verdict->evidence);
}

static const double *times_of(const struct hone__sim_job *job, size_t index, size_t *out_stride)
{
  *out_stride = job->plan.is_rows ? job->plan.count : 1;
  return job->plan.is_rows ? job->times + index : job->times + index * job->each;
}

static void judge_times(const struct hone__sim_job *job, size_t index, struct verdict *verdict)
{
  size_t stride;
  const double *times = times_of(job, index, &stride);

  for (size_t i = 0; i < job->records[index].samples; i++) {
    double ns = times[i * stride];
    if (!(ns > 0) || !isfinite(ns)) {
      verdict->outcome = HONE_OUTCOME_BAD_RESULT;
      hone__text_addf(&verdict->evidence, "%g ns is not a valid time", ns);
      return;
    }
    if (job->plan.cap_ns > 0 && ns > job->plan.cap_ns) {
      verdict->outcome = HONE_OUTCOME_SLOW;
      hone__backend_run_plan_slow(&job->plan, ns, &verdict->evidence);
      return;
    }
  }
}

static void judge_answers(const struct hone__sim_job *job, size_t index, struct verdict *verdict)
{
  const struct hone__sim_record *record = &job->records[index];

  if (!job->plan.check || !job->bench->check) return;
  if (record->first != HONE__SIM_RIGHT) {
    verdict->outcome = HONE_OUTCOME_WRONG_RESULT;
    hone__text_add(&verdict->evidence, "its answer is wrong, as scripted");
  } else if (record->last != HONE__SIM_RIGHT) {
    verdict->outcome = HONE_OUTCOME_NONDETERMINISTIC;
    hone__text_add(&verdict->evidence, "correct at first, wrong at last, as scripted");
  }
}

/* The reason why it is not called at all. */
static void judge_idle(const struct hone__sim_entrant *entrant, struct verdict *verdict)
{
  bool recorded = !hone__outcome_works(entrant->object.outcome);

  verdict->outcome = recorded ? entrant->object.outcome : entrant->fault->outcome;
  if (recorded)
    hone__text_addf(&verdict->evidence, "recorded as %s", hone_outcome_name(verdict->outcome));
  else
    hone__text_add(&verdict->evidence, "as scripted");
}

static void judge(const struct hone__sim_job *job, const struct hone__child_result *child,
                  struct verdict *verdicts)
{
  bool is_complete = job->report->is_complete;

  for (size_t i = 0; i < job->plan.count; i++) {
    if (!job->entrants[i].runs) {
      judge_idle(&job->entrants[i], &verdicts[i]);
    } else if (is_complete) {
      judge_answers(job, i, &verdicts[i]);
      if (hone__outcome_works(verdicts[i].outcome)) judge_times(job, i, &verdicts[i]);
    } else if (i == job->report->active) {
      judge_end(job, child, &verdicts[i]);
    } else {
      verdicts[i].outcome = HONE_OUTCOME_INTERRUPTED;
      hone__text_add(&verdicts[i].evidence, "another candidate terminated its process");
    }
  }
}

/* ---- The answer ---- */

static void add_times(const struct hone__sim_job *job, struct hone__text *payload)
{
  size_t row = job->plan.count * sizeof *job->times;

  if (job->plan.is_rows)
    hone__text_addn(payload, (const char *)job->times, job->report->rows * row);
  for (size_t i = 0; i < job->plan.count && !job->plan.is_rows; i++)
    hone__text_addn(payload, (const char *)(job->times + i * job->each),
                    job->records[i].samples * sizeof *job->times);
}

/* The first that failed; else the first that is slow; else the first. */
static const struct verdict *worst_of(const struct verdict *verdicts, size_t count)
{
  const struct verdict *worst = &verdicts[0];

  for (size_t i = count; i-- > 0;)
    if (verdicts[i].outcome == HONE_OUTCOME_SLOW) worst = &verdicts[i];
  for (size_t i = count; i-- > 0;)
    if (!hone__outcome_works(verdicts[i].outcome) &&
        verdicts[i].outcome != HONE_OUTCOME_INTERRUPTED)
      worst = &verdicts[i];
  return worst;
}

static struct hone__packed *pack(const struct hone__sim_job *job, const struct verdict *verdicts)
{
  bool is_complete = job->report->is_complete;
  struct hone__wire_candidate_result *results = hone__alloc(job->plan.count * sizeof *results);
  struct hone__wire_run_reply reply = {.results = results,
                                       .results_count = job->plan.count,
                                       .rows = is_complete ? job->report->rows : 0,
                                       .cpu = -1};
  struct hone__packed *packed;

  for (size_t i = 0; i < job->plan.count; i++) {
    const char *evidence = verdicts[i].evidence.data;
    results[i] =
        (struct hone__wire_candidate_result){.outcome = (int)verdicts[i].outcome,
                                             .evidence = evidence ? evidence : "",
                                             .cold_ns = job->records[i].cold_ns,
                                             .repeats = 1,
                                             .samples = is_complete ? job->records[i].samples : 0};
  }
  packed = hone__pack(&hone__wire_run_reply_type, &reply);
  free(results);
  return packed;
}

static void give_answer(const struct hone__sim_job *job, const struct verdict *verdicts,
                        struct hone__answer *answer)
{
  const struct verdict *worst = worst_of(verdicts, job->plan.count);

  answer->outcome = worst->outcome;
  hone__text_addn(&answer->evidence, worst->evidence.data ? worst->evidence.data : "",
                  worst->evidence.length);
  answer->head = pack(job, verdicts);
  if (!job->report->is_complete) return; /* a fault takes its own time */
  add_times(job, &answer->payload);
  answer->is_recorded = !(job->bench->pace > 0);
  answer->recorded_s = job->report->called_s;
}

/* Whether such a fault is scripted for one of them. */
static bool has_fault(const struct hone__sim_job *job, enum hone__sim_stage stage,
                      enum hone_outcome outcome)
{
  for (size_t i = 0; i < job->plan.count; i++) {
    const struct hone__sim_fault *fault = job->entrants[i].fault;
    if (fault && fault->stage == stage && fault->outcome == outcome) return true;
  }
  return false;
}

/* What takes no time and cannot fail needs no process of its own. */
static bool is_harmless(const struct hone__sim_job *job)
{
  if (job->bench->pace > 0) return false;
  for (size_t i = 0; i < job->plan.count; i++)
    if (job->entrants[i].fault) return false;
  return true;
}

static void do_job(struct hone__sim_job *job, struct hone__answer *answer)
{
  double left_s = hone__backend_run_plan_left_s(&job->plan);
  struct hone__child_options options = {
      .function = hone__sim_work,
      .data = job,
      .timeout_s = isfinite(left_s) ? left_s : 0,
      .memory_bytes =
          has_fault(job, HONE__SIM_CALLING, HONE_OUTCOME_OOM_HOST) ? HONE__SIM_OOM_BYTES : 0};
  struct verdict *verdicts = hone__alloc(job->plan.count * sizeof *verdicts);
  struct hone__child_result child = {0};

  if (has_fault(job, HONE__SIM_RUNNING, HONE_OUTCOME_CRASH)) _exit(1);
  if (is_harmless(job))
    hone__sim_work(job); /* `child` says that it ended well */
  else
    hone__child_run(&options, &child);
  judge(job, &child, verdicts);
  give_answer(job, verdicts, answer);
  for (size_t i = 0; i < job->plan.count; i++)
    hone__text_release(&verdicts[i].evidence);
  hone__child_result_release(&child);
  free(verdicts);
}

void hone__sim_run(void *bench, const struct hone__packed *head, const void *payload,
                   size_t payload_size, struct hone__answer *answer)
{
  struct hone__sim_job job = {.bench = bench};
  hone_status status = make_job(&job, head, payload, payload_size);

  if (status)
    hone__backend_run_plan_refuse(answer, status);
  else
    do_job(&job, answer);
  release_job(&job);
}
