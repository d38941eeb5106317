/* A program in a separate process, or a library in the persistent one: either ends, has printed
 * something, and left files. Only after a normal end is its time read.
 */
#include "backend/command_template.h"
#include "build/diagnosis.h"
#include "backend/program/program_bench.h"
#include "base/words.h"
#include "proc/child.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>

enum { NOT_RUNNABLE = 126, NOT_FOUND = 127, SHELL_SIGNAL = 128, HIGHEST_SIGNAL = 31 };
static const double grace_s = 2, check_timeout_s = 60;

/* ---- Last words ---- */

/* Mojo prints the error on its standard output, and then a long location on standard error. */
static const char *find_abort(const struct hone__text *output)
{
  static const char word[] = "ABORT:";
  const char *at = output->length ? output->data + output->length - 1 : NULL;

  for (; at && at >= output->data; at--)
    if ((at == output->data || at[-1] == '\n') && hone__starts_with(at, word)) return at;
  return NULL;
}

void hone__program_add_last_output(const struct hone__text *output, const struct hone__text *errors,
                                   struct hone__text *evidence)
{
  struct hone__text line = {0};
  const char *abort_line = find_abort(output);

  if (abort_line)
    hone__last_line(&(struct hone__text){.data = (char *)(uintptr_t)abort_line,
                                         .length = strcspn(abort_line, "\n")},
                    &line);
  if (!line.length && !hone__diagnosis_exception(errors->data, &line))
    hone__last_line(errors, &line);
  if (!line.length) hone__last_line(output, &line);
  if (line.length) hone__text_addf(evidence, ": %s", line.data);
  hone__text_release(&line);
}

/* ---- How it ended ---- */

static enum hone_outcome class_of_start(int error)
{
  bool is_host = error == EAGAIN || error == ENOMEM || error == EMFILE || error == ENFILE;

  return is_host ? HONE_OUTCOME_WORKER_LOST : HONE_OUTCOME_LAUNCH_FAILURE;
}

enum hone_outcome hone__program_class_of_end(const struct hone__child_result *child)
{
  switch (child->end) {
  case HONE__CHILD_EXITED:
    return child->code == NOT_RUNNABLE || child->code == NOT_FOUND ? HONE_OUTCOME_LAUNCH_FAILURE
                                                                   : HONE_OUTCOME_CRASH;
  case HONE__CHILD_TIMED_OUT:
  case HONE__CHILD_STOPPED: return HONE_OUTCOME_HANG;
  case HONE__CHILD_OOM: return HONE_OUTCOME_OOM_HOST;
  case HONE__CHILD_NOT_STARTED: return class_of_start(child->code);
  default:
    return child->code == SIGKILL || child->code == SIGTERM ? HONE_OUTCOME_KILLED
                                                            : HONE_OUTCOME_CRASH;
  }
}

/* Shells and launchers return 128 + n for a program that died of signal n. */
static void describe_end(const struct hone__child_result *child, struct hone__text *text)
{
  int signal = child->code - SHELL_SIGNAL;

  if (child->end == HONE__CHILD_EXITED && signal > 0 && signal <= HIGHEST_SIGNAL)
    hone__signal_describe(signal, text);
  else
    hone__child_describe(child, text);
}

/* "Still running after" names the limit, without the time for ending it. */
static void take_child(struct hone__program_attempt *attempt, struct hone__child_result *child,
                       double timeout_s)
{
  attempt->seconds = child->seconds;
  if (child->end == HONE__CHILD_TIMED_OUT) child->seconds = timeout_s;
  attempt->cpu_seconds = child->cpu_seconds;
  attempt->output = child->output;
  attempt->errors = child->errors;
  child->output = child->errors = (struct hone__text){0};
}

static void fail(struct hone__program_attempt *attempt, const struct hone__child_result *child)
{
  attempt->outcome = hone__program_class_of_end(child);
  describe_end(child, &attempt->evidence);
  hone__program_add_last_output(&attempt->output, &attempt->errors, &attempt->evidence);
}

/* ---- A process ---- */

static void add_values(const struct hone__program_entrant *entrant, struct hone__pairs *values)
{
  const struct hone__program_place *place = &entrant->place;

  hone__pairs_set(values, "bin", place->binary);
  hone__pairs_set(values, "out", place->binary);
  hone__pairs_set(values, "csv", place->csv);
  hone__pairs_set(values, "dir", place->shown);
  hone__pairs_set(values, "source", entrant->candidate->source);
}

/* The command with everything in it. */
static void fill_in(const char *const *command, const struct hone__program_entrant *entrant,
                    struct hone__words *words)
{
  struct hone__pairs values = {0};

  add_values(entrant, &values);
  hone__command_fill(command, &values, words);
  hone__pairs_release(&values);
}

static bool run_process(struct hone__program_bench *bench,
                        const struct hone__program_entrant *entrant, double timeout_s,
                        struct hone__program_attempt *attempt)
{
  const char *variables[] = {bench->variable, NULL};
  struct hone__child_options options = {.directory = bench->directory,
                                        .timeout_s = timeout_s,
                                        .grace_s = grace_s,
                                        .variables = variables,
                                        .splits_output = true};
  struct hone__child_result child = {.end = HONE__CHILD_NOT_STARTED, .code = ENOENT};
  struct hone__words words = {0};
  const char *program;
  bool good;

  fill_in((const char *const *)entrant->candidate->run, entrant, &words);
  options.argv = hone__words_list(&words);
  program = words.count ? words.data[0] : NULL;
  hone__helper_end(bench->device->host); /* otherwise it would be killed too */
  bench->device->host = NULL;
  if (program) hone__child_run(&options, &child);
  good = child.end == HONE__CHILD_EXITED && child.code == 0;
  take_child(attempt, &child, timeout_s);
  if (child.end == HONE__CHILD_NOT_STARTED)
    hone__text_addf(&attempt->evidence, "'%s' ", program ? program : "");
  if (!good) fail(attempt, &child);
  hone__child_result_release(&child);
  hone__words_release(&words);
  return good;
}

/* ---- A library ---- */

/* KBENCH_ARG_x=0 ..., KBENCH_OUTFILE=..., and the device's */
static void list_variables(const struct hone__program_bench *bench,
                           const struct hone__program_entrant *entrant, struct hone__words *list)
{
  const struct hone__program_candidate *candidate = entrant->candidate;
  struct hone__text text = {0};

  for (size_t i = 0; i < candidate->arguments_count; i++) {
    hone__text_release(&text);
    hone__text_addf(&text, "KBENCH_ARG_%s=%s", candidate->arguments[i].name,
                    candidate->arguments[i].value);
    hone__words_add(list, text.data);
  }
  hone__text_release(&text);
  hone__text_addf(&text, "KBENCH_OUTFILE=%s", entrant->place.csv);
  hone__words_add(list, text.data);
  if (bench->variable) hone__words_add(list, bench->variable);
  hone__text_release(&text);
}

static void fail_library(struct hone__program_attempt *attempt,
                         const struct hone__library_result *result)
{
  if (result->refusal.length) {
    attempt->outcome = HONE_OUTCOME_LAUNCH_FAILURE;
    hone__text_addf(&attempt->evidence, "cannot be loaded: %s", result->refusal.data);
  } else if (result->has_returned) {
    attempt->outcome = HONE_OUTCOME_CRASH;
    hone__text_addf(&attempt->evidence, "benchmark_entry returned %d", (int)result->value);
    hone__program_add_last_output(&attempt->output, &attempt->errors, &attempt->evidence);
  } else {
    fail(attempt, &result->child);
    if (result->child.end != HONE__CHILD_EXITED) return;
    attempt->outcome = HONE_OUTCOME_CRASH;
    hone__text_add(&attempt->evidence, " (it ended the process instead of returning)");
  }
}

/* The same library in another folder is the same library. */
static const char *library_key(const struct hone__program_entrant *entrant)
{
  if (entrant->object_size) return entrant->place.digest;
  return *entrant->candidate->source_digest ? entrant->candidate->source_digest
                                            : entrant->place.binary;
}

static bool run_library(struct hone__program_bench *bench,
                        const struct hone__program_entrant *entrant, double timeout_s,
                        struct hone__program_attempt *attempt)
{
  struct hone__words variables = {0};
  struct hone__library_result result;
  bool good;

  list_variables(bench, entrant, &variables);
  hone__library_call(&bench->device->host,
                     &(struct hone__library_call){.path = entrant->place.binary,
                                                  .key = library_key(entrant),
                                                  .variables = (const char *const *)variables.data,
                                                  .directory = bench->directory,
                                                  .timeout_s = timeout_s},
                     &result);
  take_child(attempt, &result.child, timeout_s);
  good = result.has_returned && !result.value && !result.refusal.length;
  if (!good) fail_library(attempt, &result);
  hone__library_result_release(&result);
  hone__words_release(&variables);
  return good;
}

/* ---- The clock ---- */

/* That of the process, instead of what it reports. */
static void take_clock(const struct hone__program_bench *bench,
                       struct hone__program_attempt *attempt)
{
  bool is_cpu = strcmp(bench->setup.time, "cpu") == 0;

  attempt->result.time_ns = 1e9 * (is_cpu ? attempt->cpu_seconds : attempt->seconds);
  if (attempt->result.time_ns > 0) return;
  attempt->outcome = HONE_OUTCOME_BAD_RESULT;
  hone__text_add(&attempt->evidence, "its processor time is too short to be measured");
}

/* ---- Both ---- */

static bool prepare(struct hone__program_bench *bench, const struct hone__program_entrant *entrant,
                    struct hone__program_attempt *attempt);

void hone__program_attempt(struct hone__program_bench *bench,
                           const struct hone__program_entrant *entrant, double timeout_s,
                           struct hone__program_attempt *out_attempt)
{
  struct hone__program_terms terms = {.name = entrant->candidate->name, .unit_ns = bench->unit_ns};
  bool good;

  *out_attempt = (struct hone__program_attempt){.outcome = HONE_OUTCOME_OK};
  hone__program_result_forget(entrant->place.path);
  if (bench->setup.prepare_count && !prepare(bench, entrant, out_attempt)) return;
  good = entrant->is_library ? run_library(bench, entrant, timeout_s, out_attempt)
                             : run_process(bench, entrant, timeout_s, out_attempt);
  if (good && bench->setup.time) take_clock(bench, out_attempt);
  if (!good || bench->setup.time) return;
  hone__program_result_read(entrant->place.path, &out_attempt->output, &terms,
                            &out_attempt->result);
  out_attempt->outcome = out_attempt->result.outcome;
  if (out_attempt->outcome == HONE_OUTCOME_OK) return;
  hone__text_addf(&out_attempt->evidence, "%s", out_attempt->result.evidence.data);
  if (out_attempt->outcome == HONE_OUTCOME_NO_RESULT)
    hone__program_add_last_output(&out_attempt->output, &out_attempt->errors,
                                  &out_attempt->evidence);
}

void hone__program_attempt_release(struct hone__program_attempt *attempt)
{
  hone__text_release(&attempt->evidence);
  hone__text_release(&attempt->output);
  hone__text_release(&attempt->errors);
  hone__program_result_release(&attempt->result);
}

/* ---- Its answer ---- */

static void set_all(struct hone__pairs *values, const struct hone__name_value *pairs, size_t count)
{
  for (size_t i = 0; i < count; i++)
    hone__pairs_set(values, pairs[i].name, pairs[i].value);
}

/* Files come before parameters of the same name. */
static void fill_names(const char *const *command, const struct hone__program_entrant *entrant,
                       struct hone__words *words)
{
  const struct hone__program_candidate *candidate = entrant->candidate;
  struct hone__pairs values = {0};

  set_all(&values, candidate->definitions, candidate->definitions_count);
  set_all(&values, candidate->arguments, candidate->arguments_count);
  add_values(entrant, &values);
  hone__command_fill(command, &values, words);
  hone__pairs_release(&values);
}

/* A command of the spec beside the program: `check.command` or `run.prepare`. */
static bool run_beside(struct hone__program_bench *bench, const char *what,
                       const char *const *command, const struct hone__program_entrant *entrant,
                       double timeout_s, struct hone__text *evidence)
{
  const char *variables[] = {bench->variable, NULL};
  struct hone__child_options options = {.directory = bench->directory,
                                        .timeout_s = timeout_s > 0 ? timeout_s : check_timeout_s,
                                        .grace_s = grace_s,
                                        .variables = variables,
                                        .spares_others = bench->device->host != NULL};
  struct hone__child_result child;
  struct hone__words words = {0};
  struct hone__text none = {0};
  bool good;

  fill_names(command, entrant, &words);
  options.argv = hone__words_list(&words);
  hone__child_run(&options, &child);
  good = child.end == HONE__CHILD_EXITED && child.code == 0;
  if (!good) {
    hone__text_addf(evidence, "%s: ", what);
    if (child.end == HONE__CHILD_NOT_STARTED) hone__text_addf(evidence, "'%s' ", words.data[0]);
    describe_end(&child, evidence);
    hone__program_add_last_output(&child.output, &none, evidence);
  }
  hone__child_result_release(&child);
  hone__words_release(&words);
  return good;
}

static bool prepare(struct hone__program_bench *bench, const struct hone__program_entrant *entrant,
                    struct hone__program_attempt *attempt)
{
  const char *const *command = (const char *const *)bench->setup.prepare;

  if (run_beside(bench, "run.prepare", command, entrant, 0, &attempt->evidence)) return true;
  attempt->outcome = HONE_OUTCOME_LAUNCH_FAILURE;
  return false;
}

void hone__program_check(struct hone__program_bench *bench,
                         const struct hone__program_entrant *entrant, double timeout_s,
                         struct hone__program_attempt *attempt)
{
  if (!run_beside(bench, "check.command", bench->check, entrant, timeout_s, &attempt->evidence))
    attempt->outcome = HONE_OUTCOME_WRONG_RESULT;
}
