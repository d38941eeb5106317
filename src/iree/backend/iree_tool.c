/* IREE's executables print "file.c:12: CODE; text" on standard error and exit with status 1 for
 * every failure: the text determines the cause.
 */
#include "iree/backend/iree_tool.h"

#include "iree/backend/iree_model.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>

enum { LONGEST_LINE = 200, GPU_BATCH = 100 };
static const double grace_s = 1;

/* ---- Words ---- */

bool hone__iree_device_is_gpu(const char *device)
{
  return !hone__starts_with(device, "local-");
}

/* The tool takes a regular expression; names have signs such as '$' and '.'. */
static void add_filter(const char *function, struct hone__words *words)
{
  struct hone__text filter = {0};

  hone__text_add(&filter, "--benchmark_filter=^BM_");
  for (; *function; function++) {
    if (strchr("\\^$.|?*+()[{", *function)) hone__text_add(&filter, "\\");
    hone__text_addn(&filter, function, 1);
  }
  hone__text_add(&filter, "/");
  hone__words_add(words, filter.data);
  hone__text_release(&filter);
}

/* Results with another number of workers are others. */
void hone__iree_thread_words(int64_t threads, const char *device, struct hone__words *words)
{
  if (threads > 0 && hone__starts_with(device, "local-task"))
    hone__iree_word(words, "--task_topology_group_count=%lld", (long long)threads);
}

void hone__iree_benchmark_words(const struct hone__iree_subject *subject, const char *module,
                                const char *device, size_t samples, struct hone__words *words)
{
  hone__iree_word(words, "--module=%s", module);
  hone__iree_word(words, "--device=%s", device);
  hone__iree_thread_words(subject->threads, device, words);
  if (subject->is_model)
    hone__iree_model_call(subject, words);
  else
    add_filter(subject->function, words);
  hone__iree_word(words, "--benchmark_format=json");
  hone__iree_word(words, "--benchmark_repetitions=%zu", samples);
  hone__iree_word(words, "--benchmark_min_time=0.05s");
  if (!subject->is_model && hone__iree_device_is_gpu(device))
    hone__iree_word(words, "--batch_size=%d", GPU_BATCH);
}

void hone__iree_answer_words(const struct hone__iree_subject *subject, const char *module,
                             const char *device, const char *file, struct hone__words *words)
{
  hone__iree_word(words, "--module=%s", module);
  hone__iree_word(words, "--device=%s", device);
  hone__iree_thread_words(subject->threads, device, words);
  hone__iree_word(words, "--function=%s", subject->answer ? subject->answer : "");
  hone__iree_word(words, "--output=@%s", file);
}

/* ---- How it ended ---- */

static const struct {
  const char *words;
  enum hone_outcome outcome;
} signs[] = {
    {"RESOURCE_EXHAUSTED", HONE_OUTCOME_OOM_DEVICE},
    {"OUT_OF_MEMORY", HONE_OUTCOME_OOM_DEVICE},
    {"hipErrorOutOfMemory", HONE_OUTCOME_OOM_DEVICE},
    {"CUDA_ERROR_ILLEGAL", HONE_OUTCOME_DEVICE_FAULT},
    {"CUDA_ERROR_LAUNCH_FAILED", HONE_OUTCOME_DEVICE_FAULT},
    {"CUDA_ERROR_MISALIGNED_ADDRESS", HONE_OUTCOME_DEVICE_FAULT},
    {"CUDA_ERROR_ASSERT", HONE_OUTCOME_DEVICE_FAULT},
    {"hipErrorIllegalAddress", HONE_OUTCOME_DEVICE_FAULT},
    {"hipErrorLaunchFailure", HONE_OUTCOME_DEVICE_FAULT},
    {"Memory access fault", HONE_OUTCOME_DEVICE_FAULT},
    {"No space left on device", HONE_OUTCOME_DISK_FULL},
};

static enum hone_outcome class_of_words(const struct hone__text *errors)
{
  for (size_t i = 0; errors->data && i < sizeof signs / sizeof *signs; i++)
    if (strstr(errors->data, signs[i].words)) return signs[i].outcome;
  return HONE_OUTCOME_LAUNCH_FAILURE;
}

static enum hone_outcome class_of_end(const struct hone__child_result *child,
                                      const struct hone__text *errors)
{
  switch (child->end) {
  case HONE__CHILD_EXITED: return class_of_words(errors);
  case HONE__CHILD_TIMED_OUT:
  case HONE__CHILD_STOPPED: return HONE_OUTCOME_HANG;
  case HONE__CHILD_OOM: return HONE_OUTCOME_OOM_HOST;
  case HONE__CHILD_NOT_STARTED:
    return child->code == EAGAIN || child->code == ENOMEM ? HONE_OUTCOME_WORKER_LOST
                                                          : HONE_OUTCOME_LAUNCH_FAILURE;
  default:
    return child->code == SIGKILL || child->code == SIGTERM ? HONE_OUTCOME_KILLED
                                                            : HONE_OUTCOME_CRASH;
  }
}

/* True for ".c:123: CODE;" */
static bool is_status(const char *dot)
{
  static const char capitals[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ_";
  const char *p = dot + 1;
  size_t length;

  p += strspn(p, "cp");
  if (*p++ != ':' || (length = strspn(p, "0123456789")) == 0) return false;
  p += length;
  if (!hone__starts_with(p, ": ")) return false;
  length = strspn(p + 2, capitals);
  return length && p[2 + length] == ';';
}

/* "list.c:42: OUT_OF_RANGE; the list has no such element ...": its beginning is most informative;
 * folders are dropped. NULL: there is none. */
static const char *find_status(const struct hone__text *errors)
{
  const char *p = errors->data;

  while (p && (p = strstr(p, ".c")) && !is_status(p))
    p++;
  while (p && p > errors->data && !strchr("/ \t\n", p[-1]))
    p--;
  return p;
}

/* The status that IREE printed, else the last line. */
static void add_last_output(const struct hone__text *errors, const struct hone__text *output,
                            struct hone__text *evidence)
{
  const char *told = find_status(errors);
  struct hone__text line = {0};

  if (told) {
    size_t length = strcspn(told, "\n");
    hone__last_line(&(struct hone__text){.data = (char *)(uintptr_t)told,
                                         .length = length < LONGEST_LINE ? length : LONGEST_LINE},
                    &line);
  }
  if (!line.length) hone__last_line(errors, &line);
  if (!line.length) hone__last_line(output, &line);
  if (line.length) hone__text_addf(evidence, ": %s", line.data);
  hone__text_release(&line);
}

static void judge(const struct hone__child_result *child, const char *program,
                  struct hone__iree_attempt *attempt)
{
  const char *slash = strrchr(program, '/');

  if (child->end == HONE__CHILD_EXITED && child->code == 0) return;
  attempt->outcome = class_of_end(child, &attempt->errors);
  hone__text_addf(&attempt->evidence, "%s: ", slash ? slash + 1 : program);
  hone__child_describe(child, &attempt->evidence);
  add_last_output(&attempt->errors, &attempt->output, &attempt->evidence);
}

/* ---- A run ---- */

void hone__iree_tool_run(const char *const *words, const char *folder, const char *variable,
                         double timeout_s, struct hone__iree_attempt *out_attempt)
{
  const char *variables[] = {"LC_ALL=C", variable, NULL};
  const char *program = words && words[0] ? words[0] : "";
  struct hone__child_options options = {.argv = words,
                                        .directory = folder,
                                        .timeout_s = timeout_s,
                                        .grace_s = grace_s,
                                        .variables = variables,
                                        .splits_output = true};
  struct hone__child_result child = {.end = HONE__CHILD_NOT_STARTED, .code = ENOENT};

  *out_attempt = (struct hone__iree_attempt){.outcome = HONE_OUTCOME_OK};
  if (*program) hone__child_run(&options, &child);
  out_attempt->seconds = child.seconds;
  out_attempt->cpu_seconds = child.cpu_seconds;
  if (child.end == HONE__CHILD_TIMED_OUT)
    child.seconds = timeout_s; /* the message names the limit */
  out_attempt->output = child.output;
  out_attempt->errors = child.errors;
  child.output = child.errors = (struct hone__text){0};
  judge(&child, program, out_attempt);
  hone__child_result_release(&child);
}

void hone__iree_attempt_release(struct hone__iree_attempt *attempt)
{
  hone__text_release(&attempt->evidence);
  hone__text_release(&attempt->output);
  hone__text_release(&attempt->errors);
}

void hone__iree_attempt_fail(struct hone__iree_attempt *attempt, enum hone_outcome outcome,
                             const char *format, ...)
{
  va_list args;

  attempt->outcome = outcome;
  hone__text_release(&attempt->evidence);
  va_start(args, format);
  hone__text_vaddf(&attempt->evidence, format, args);
  va_end(args);
}
