/* Why a compiler failed: from its exit and its output. */
#include "build/build_outcome.h"

#include "build/diagnosis.h"

#include <errno.h>

enum { LONGEST_LINE = 500, FIRST_CODE_OF_SHELLS = 126 }; /* not found, killed */

/* Messages of compilers that crash, in the order of the search. */
static const struct {
  const char *words;
  enum hone_outcome outcome;
} deaths[] = {
    {"No space left on device", HONE_OUTCOME_DISK_FULL},
    {"out of memory allocating", HONE_OUTCOME_COMPILE_OOM},
    {"cc1: out of memory", HONE_OUTCOME_COMPILE_OOM},
    {"cc1plus: out of memory", HONE_OUTCOME_COMPILE_OOM},
    {"LLVM ERROR: out of memory", HONE_OUTCOME_COMPILE_OOM},
    {"virtual memory exhausted", HONE_OUTCOME_COMPILE_OOM},
    {"std::bad_alloc", HONE_OUTCOME_COMPILE_OOM},
    {"Killed signal terminated program", HONE_OUTCOME_COMPILE_OOM},
    {"Killed (program", HONE_OUTCOME_COMPILE_OOM},
    {"internal compiler error", HONE_OUTCOME_COMPILE_CRASH},
    {"signal terminated program", HONE_OUTCOME_COMPILE_CRASH},
    {"PLEASE submit a bug report", HONE_OUTCOME_COMPILE_CRASH},
};

/* Causes that may go away, or disappear when a file is added. */
static const char *const passing[] = {
    "No such file",        "file not found",      "command not found",
    "cannot find -l",      "unable to locate",    "cannot open",
    "Permission denied",   "Cannot allocate",     "Resource temporarily unavailable",
    "Too many open files", "Disk quota exceeded", "Read-only file system",
    "Input/output error",  "Text file busy",      "Stale file handle",
};

/* The line of a text that contains these words, or NULL. */
static const char *find_line(const char *text, const char *words, size_t *out_length)
{
  const char *p = text ? strstr(text, words) : NULL;

  if (!p) return NULL;
  while (p > text && p[-1] != '\n')
    p--;
  *out_length = strcspn(p, "\n");
  return p;
}

static void add_line(struct hone__text *evidence, const char *line, size_t length)
{
  if (evidence->length) hone__text_add(evidence, "\n");
  hone__text_addn(evidence, line, length > LONGEST_LINE ? LONGEST_LINE : length);
}

/* When Mojo fails to instantiate a function, the last note has the reason. */
static void add_last_note(struct hone__text *evidence, const char *output)
{
  const char *p = output ? strstr(output, "error: function instantiation failed") : NULL;
  const char *note = NULL;
  size_t length;

  while (p && (p = strstr(p, ": note: ")))
    note = p++;
  if (!note) return;
  while (note > output && note[-1] != '\n')
    note--;
  length = strcspn(note, "\n");
  add_line(evidence, note, length);
}

/* A source meant as a kernel is taken for a program if the spec gives too little. */
static void add_advice(struct hone__text *evidence, const char *output)
{
  if (output && strstr(output, "undefined reference to `main'"))
    hone__text_add(evidence, "; if this is a kernel, the spec must name 'entry' and 'args'");
}

static void judge_exit(const struct hone__child_result *result, struct hone__answer *answer)
{
  struct hone__text *evidence = &answer->evidence;
  const char *output = result->output.data, *line;
  size_t length;

  answer->outcome = HONE_OUTCOME_COMPILE_ERROR;
  for (size_t i = 0; i < sizeof deaths / sizeof *deaths; i++) {
    line = find_line(output, deaths[i].words, &length);
    if (!line) continue;
    answer->outcome = deaths[i].outcome;
    hone__text_addn(evidence, line, length > LONGEST_LINE ? LONGEST_LINE : length);
    return;
  }
  add_last_note(evidence, output);
  if (evidence->length) hone__text_add(evidence, "\n");
  hone__diagnosis_line(output, evidence);
  add_advice(evidence, output);
  if (!evidence->length) hone__child_describe(result, evidence);
}

static void judge_missing(const struct hone__child_result *result, const char *program,
                          struct hone__answer *answer)
{
  struct hone__text *evidence = &answer->evidence;

  answer->outcome = HONE_OUTCOME_COMPILE_ERROR;
  if (result->code == EAGAIN || result->code == ENOMEM) answer->outcome = HONE_OUTCOME_WORKER_LOST;
  hone__text_addf(evidence, "cannot start '%s': %s", program, strerror(result->code));
  if (result->code == ENOENT)
    hone__text_add(evidence, "; install it, or name another program in 'build.compiler' or "
                             "'build.command'");
}

void hone__build_judge(const struct hone__child_result *result, const char *program,
                       struct hone__answer *answer)
{
  static const enum hone_outcome outcomes[] = {
      [HONE__CHILD_SIGNALLED] = HONE_OUTCOME_COMPILE_CRASH,
      [HONE__CHILD_TIMED_OUT] = HONE_OUTCOME_COMPILE_TIMEOUT,
      [HONE__CHILD_STOPPED] = HONE_OUTCOME_COMPILE_CRASH,
      [HONE__CHILD_OOM] = HONE_OUTCOME_COMPILE_OOM,
  };

  if (result->end == HONE__CHILD_NOT_STARTED) {
    judge_missing(result, program, answer);
  } else if (result->end == HONE__CHILD_EXITED) {
    if (result->code) judge_exit(result, answer);
  } else {
    answer->outcome = outcomes[result->end];
    hone__text_add(&answer->evidence, "the compiler: ");
    hone__child_describe(result, &answer->evidence);
  }
}

bool hone__build_fails_for_good(const struct hone__child_result *result,
                                const struct hone__answer *answer)
{
  if (answer->outcome != HONE_OUTCOME_COMPILE_ERROR || result->end != HONE__CHILD_EXITED ||
      result->code <= 0 || result->code >= FIRST_CODE_OF_SHELLS)
    return false;
  for (size_t i = 0; i < sizeof passing / sizeof *passing; i++)
    if (result->output.data && strstr(result->output.data, passing[i])) return false;
  return true;
}

void hone__build_fail(struct hone__answer *answer, enum hone_outcome outcome, const char *evidence)
{
  answer->outcome = outcome;
  hone__text_add(&answer->evidence, evidence);
}

void hone__build_fail_with(struct hone__answer *answer, hone_status status)
{
  bool full = hone_status_code(status) == HONE_EXHAUSTED;

  hone__build_fail(answer, full ? HONE_OUTCOME_DISK_FULL : HONE_OUTCOME_WORKER_LOST,
                   hone_status_message(status));
  hone_status_free(status);
}

void hone__build_source_changed(struct hone__answer *answer, const char *source)
{
  hone__build_fail(answer, HONE_OUTCOME_WORKER_LOST,
                   "the source changed, or differs on this host: ");
  hone__text_add(&answer->evidence, source);
}
