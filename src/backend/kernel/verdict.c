/* Failures are classified by how the process ended and by the stage in the report. */
#include "backend/kernel/verdict.h"

#include "backend/kernel/engine.h"
#include "backend/kernel/scratch.h"

#include <signal.h>

void hone__kernel_verdict_set(struct hone__trial_verdict *verdict, enum hone_outcome outcome,
                              const char *format, ...)
{
  va_list args;

  verdict->outcome = outcome;
  hone__text_release(&verdict->evidence);
  va_start(args, format);
  hone__text_vaddf(&verdict->evidence, format, args);
  va_end(args);
}

/* ---- Deaths ---- */

static const struct hone__kernel_record *active_record(const struct hone__trial *trial)
{
  return &trial->report->records[trial->report->active % trial->count];
}

static double stage_seconds(const struct hone__trial *trial)
{
  return trial->ended - trial->report->stage_began;
}

static void add_stage(const struct hone__trial *trial, struct hone__text *text)
{
  switch ((enum hone__trial_stage)trial->report->stage) {
  case HONE__TRIAL_BEGINNING: hone__text_add(text, " before it was loaded"); break;
  case HONE__TRIAL_LOADING: hone__text_add(text, " while it was loaded"); break;
  case HONE__TRIAL_FIRST_CALL: hone__text_add(text, " in its first call"); break;
  default:
    hone__text_addf(text, " after %llu calls", (unsigned long long)active_record(trial)->calls);
  }
}

static void add_output(const struct hone__trial *trial, struct hone__text *text)
{
  struct hone__text line = {0};

  hone__last_line(&trial->end.output, &line);
  if (line.length) hone__text_addf(text, "; output: %s", line.data);
  hone__text_release(&line);
}

/* Stages that the process's own timer limits. */
static bool is_watched(enum hone__trial_stage stage)
{
  return stage > HONE__TRIAL_BEGINNING && stage < HONE__TRIAL_ENDED;
}

static bool was_ended_by_timer(const struct hone__trial *trial)
{
  double limit = trial->plan.call_timeout_s;
  bool killed = trial->end.end == HONE__CHILD_SIGNALLED || trial->end.end == HONE__CHILD_OOM;

  return killed && trial->end.code == SIGKILL && limit > 0 && is_watched(trial->report->stage) &&
         stage_seconds(trial) >= 0.99 * limit;
}

static void judge_hang(const struct hone__trial *trial, double seconds,
                       struct hone__trial_verdict *verdict)
{
  static const char *const what[] = {
      [HONE__TRIAL_LOADING] = "loading it",      [HONE__TRIAL_FIRST_CALL] = "its first call",
      [HONE__TRIAL_WARMING] = "a later call",    [HONE__TRIAL_TIMING] = "a later call",
      [HONE__TRIAL_LATE_CALL] = "its last call", [HONE__TRIAL_BEGINNING] = "its process"};
  enum hone__trial_stage stage = trial->report->stage;

  hone__kernel_verdict_set(verdict, HONE_OUTCOME_HANG, "%s did not return within %.1f s",
                           stage < HONE__TRIAL_ENDED ? what[stage] : "its end", seconds);
}

/* If it answered before, it is slow rather than stuck, unless a single sample took too long. */
static void judge_timeout(const struct hone__trial *trial, struct hone__trial_verdict *verdict)
{
  const struct hone__kernel_record *record = active_record(trial);
  enum hone__trial_stage stage = trial->report->stage;
  double limit = trial->plan.call_timeout_s;
  bool returned = stage == HONE__TRIAL_WARMING || stage == HONE__TRIAL_TIMING;

  if (!returned || (limit > 0 && stage_seconds(trial) > limit)) {
    judge_hang(trial, returned ? stage_seconds(trial) : trial->end.seconds, verdict);
    return;
  }
  hone__kernel_verdict_set(
      verdict, HONE_OUTCOME_SLOW, "timing did not finish within %.1f s: %llu calls, %llu samples",
      trial->end.seconds, (unsigned long long)record->calls, (unsigned long long)record->samples);
}

static void judge_exit(const struct hone__trial *trial, struct hone__trial_verdict *verdict)
{
  if (trial->end.code)
    hone__kernel_verdict_set(verdict, HONE_OUTCOME_CRASH, "exited with status %d", trial->end.code);
  else if (trial->report->stage == HONE__TRIAL_ENDED)
    hone__kernel_verdict_set(verdict, HONE_OUTCOME_CRASH,
                             "overwrote the memory that holds its results");
  else
    hone__kernel_verdict_set(verdict, HONE_OUTCOME_CRASH,
                             "exited with status 0 before it returned");
}

static enum hone_outcome class_of_end(const struct hone__trial *trial)
{
  const struct hone__child_result *end = &trial->end;

  switch (end->end) {
  case HONE__CHILD_OOM: return HONE_OUTCOME_OOM_HOST;
  case HONE__CHILD_STOPPED:
    return trial->engine->cannot_stop && !trial->bench->setup.steps_count ? HONE_OUTCOME_KILLED
                                                                          : HONE_OUTCOME_HANG;
  case HONE__CHILD_NOT_STARTED: return HONE_OUTCOME_WORKER_LOST;
  default:
    return end->code == SIGKILL || end->code == SIGTERM ? HONE_OUTCOME_KILLED : HONE_OUTCOME_CRASH;
  }
}

/* Some reasons already name the stage. */
static bool wants_stage(const struct hone__child_result *end, enum hone_outcome outcome)
{
  bool is_quiet_exit = end->end == HONE__CHILD_EXITED && end->code == 0;

  return end->end != HONE__CHILD_NOT_STARTED && !is_quiet_exit && outcome != HONE_OUTCOME_SLOW &&
         outcome != HONE_OUTCOME_HANG;
}

/* No process could be started for it, and the engine has the reason. */
static bool was_missed(const struct hone__trial *trial)
{
  return trial->end.end == HONE__CHILD_NOT_STARTED && trial->end.output.length;
}

size_t hone__kernel_verdict_of_death(const struct hone__trial *trial,
                                     struct hone__trial_verdict *verdict)
{
  if (was_missed(trial)) {
    hone__kernel_verdict_set(verdict, HONE_OUTCOME_WORKER_LOST, "%s", trial->end.output.data);
    return trial->report->active % trial->count;
  }
  if (was_ended_by_timer(trial)) {
    judge_hang(trial, trial->plan.call_timeout_s, verdict);
  } else if (trial->end.end == HONE__CHILD_TIMED_OUT) {
    judge_timeout(trial, verdict);
  } else if (trial->end.end == HONE__CHILD_EXITED) {
    judge_exit(trial, verdict);
  } else {
    hone__kernel_verdict_set(verdict, class_of_end(trial), "%s", "");
    hone__child_describe(&trial->end, &verdict->evidence);
  }
  if (wants_stage(&trial->end, verdict->outcome)) add_stage(trial, &verdict->evidence);
  add_output(trial, &verdict->evidence);
  return trial->report->active % trial->count;
}

/* ---- What the process reports itself ---- */

static void judge_breach(const struct hone__trial *trial, const struct hone__breach *breach,
                         struct hone__trial_verdict *verdict)
{
  const struct hone__buffers *buffers = &trial->bench->buffers;

  hone__kernel_verdict_set(verdict, HONE_OUTCOME_WRONG_RESULT,
                           "wrote %s of '%s' (first changed byte at %c%zu)",
                           breach->before ? "before the start" : "past the end",
                           breach->arg < buffers->count ? buffers->args[breach->arg].name : "?",
                           breach->before ? '-' : '+', breach->offset);
}

static void judge_cap(const struct hone__trial *trial, size_t candidate,
                      struct hone__trial_verdict *verdict)
{
  size_t last = candidate * trial->plan.samples + trial->report->records[candidate].samples - 1;
  double time = trial->times[last] / 1e3, cap = trial->plan.cap_ns / 1e3;
  bool is_long = cap >= 1e3;

  if (is_long) {
    time /= 1e3;
    cap /= 1e3;
  }
  hone__kernel_verdict_set(verdict, HONE_OUTCOME_SLOW, "%.3f %s a call, above the cap of %.3f %s",
                           time, is_long ? "ms" : "us", cap, is_long ? "ms" : "us");
}

void hone__kernel_verdict_of_record(const struct hone__trial *trial, size_t candidate,
                                    struct hone__trial_verdict *verdict)
{
  const struct hone__kernel_record *record = &trial->report->records[candidate];

  switch (record->fault) {
  case HONE__TRIAL_FAILED:
    hone__kernel_verdict_set(verdict, record->outcome, "%.255s", record->message);
    break;
  case HONE__TRIAL_BREACH: judge_breach(trial, &record->breach, verdict); break;
  case HONE__TRIAL_CAPPED: judge_cap(trial, candidate, verdict); break;
  case HONE__TRIAL_WRONG:
    hone__kernel_verdict_set(verdict, HONE_OUTCOME_NONDETERMINISTIC,
                             "correct at first, wrong after %llu calls",
                             (unsigned long long)record->calls);
    break;
  default: hone__kernel_verdict_set(verdict, HONE_OUTCOME_OK, "%s", "");
  }
}
