/* Runs an executable of IREE, and summarises its output in one line. A failed compilation prints
 * the whole module after the reason, and more errors that follow from the first: the first one
 * counts.
 */
#include "iree/toolset/toolset.h"

#include "iree/toolset/toolset_place.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/prctl.h>

enum { REASON_LENGTH = 400 };

/* ---- Words ---- */

/* Adds one line, printable and not too long. */
static void add_line(const char *line, struct hone__text *text)
{
  size_t length = strcspn(line, "\n");

  for (size_t i = 0; i < length && i < REASON_LENGTH; i++) {
    unsigned char c = (unsigned char)line[i];
    hone__text_addn(text, c >= ' ' && c != 127 ? &line[i] : "?", 1);
  }
}

static const char *find_error(const struct hone__text *output)
{
  static const struct {
    const char *mark;
    bool is_told;
  } marks[] = {{"error: ", false},
               {"LLVM ERROR: ", false},
               {"Unknown command line argument ", true}}; /* advice follows it */

  for (size_t i = 0; output->data && i < sizeof marks / sizeof *marks; i++) {
    const char *found = strstr(output->data, marks[i].mark);
    if (found) return found + (marks[i].is_told ? 0 : strlen(marks[i].mark));
  }
  return NULL;
}

/* The addresses that LLVM prints when it crashes are meaningless to the user. */
static bool has_stack(const struct hone__text *output)
{
  return output->data && strstr(output->data, "Stack dump:");
}

static void add_reason(const struct hone__child_result *result, struct hone__text *text)
{
  const char *error = find_error(&result->errors);

  if (!error) error = find_error(&result->output);
  if (error)
    add_line(error, text);
  else if (!has_stack(&result->errors))
    hone__last_line(result->errors.length ? &result->errors : &result->output, text);
}

void hone__iree_reason(const struct hone__child_result *result, struct hone__text *text)
{
  struct hone__text reason = {0};

  add_reason(result, &reason);
  if (result->end == HONE__CHILD_TIMED_OUT) {
    hone__text_addf(text, "took too long: still running after %.3g s", result->seconds);
  } else if (result->end == HONE__CHILD_SIGNALLED) {
    hone__text_add(text, "crashed: ");
    hone__child_describe(result, text);
    if (reason.length) hone__text_addf(text, ", %s", reason.data);
  } else if (result->end == HONE__CHILD_EXITED && reason.length) {
    hone__text_add(text, reason.data);
  } else {
    hone__child_describe(result, text);
  }
  hone__text_release(&reason);
}

/* ---- Running ---- */

const double hone__iree_idle_s = 10;

static void make_argv(const char *program, const char *const *words, struct hone__words *argv)
{
  hone__words_add(argv, program);
  hone__words_add_all(argv, words);
}

/* Running a child makes this process a subreaper. A worker is one already; a driver, which has
 * other children, is restored afterwards. */
static void run_and_restore(const struct hone__child_options *options,
                            struct hone__child_result *out_result)
{
  struct hone__child_guard guard;
  int inherits = 0;

  hone__child_guard_begin(&guard);
  prctl(PR_GET_CHILD_SUBREAPER, &inherits, 0, 0, 0);
  hone__child_run(options, out_result);
  prctl(PR_SET_CHILD_SUBREAPER, inherits, 0, 0, 0);
  hone__child_guard_end(&guard);
}

static hone_status judge(const char *name, const struct hone__child_result *result)
{
  struct hone__text reason = {0};
  hone_status status;

  if (result->end == HONE__CHILD_EXITED && result->code == 0) return NULL;
  hone__iree_reason(result, &reason);
  status = hone__error(result->end == HONE__CHILD_NOT_STARTED ? HONE_IO : HONE_INVALID_SPEC,
                       "%s: %s", name, reason.data ? reason.data : "failed");
  hone__text_release(&reason);
  return status;
}

void hone__iree_child(const struct hone__iree_toolset *toolset, enum hone__iree_tool tool,
                      const char *const *words, const char *folder, double timeout_s,
                      struct hone__child_result *out_result)
{
  struct hone__child_options options = {.directory = folder,
                                        .timeout_s = timeout_s,
                                        .idle_s =
                                            tool == HONE__IREE_COMPILE ? hone__iree_idle_s : 0,
                                        .splits_output = true,
                                        .spares_others = true,
                                        .is_guarded = true};
  struct hone__words argv = {0};

  make_argv(toolset->paths[tool], words, &argv);
  options.argv = hone__words_list(&argv);
  run_and_restore(&options, out_result);
  if (out_result->was_idle) {
    if (timeout_s > 0) options.timeout_s = fmax(timeout_s - out_result->seconds, 1);
    hone__child_result_release(out_result);
    hone__words_add(&argv, HONE__IREE_ONE_THREAD);
    options.argv = hone__words_list(&argv);
    run_and_restore(&options, out_result);
  }
  hone__words_release(&argv);
}

void hone__iree_word(struct hone__words *words, const char *format, ...)
{
  struct hone__text text = {0};
  va_list args;

  va_start(args, format);
  hone__text_vaddf(&text, format, args);
  va_end(args);
  hone__words_add(words, text.data ? text.data : "");
  hone__text_release(&text);
}

hone_status hone__iree_run(const struct hone__iree_toolset *toolset, enum hone__iree_tool tool,
                           const char *const *words, const char *folder, double timeout_s,
                           struct hone__text *out_text)
{
  struct hone__child_result result = {0};
  hone_status status = hone__iree_need(toolset, tool);

  if (status) return status;
  hone__iree_child(toolset, tool, words, folder, timeout_s, &result);
  status = judge(hone__iree_tool_names[tool], &result);
  if (!status && out_text && result.output.data)
    hone__text_addn(out_text, result.output.data, result.output.length);
  hone__child_result_release(&result);
  return status;
}
