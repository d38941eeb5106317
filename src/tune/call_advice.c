/* A kernel that gets other arguments than it expects may crash, or work by luck. Its source has its
 * parameters, if the backend can read it.
 */
#include "tune/call_advice.h"

static const struct hone__packed *reference_of(const struct hone__tuning *tuning)
{
  const struct hone__setup_reference *reference = tuning->session.problem.head.reference;

  return reference ? reference->candidate : NULL;
}

static const struct hone__packed *baseline_of(const struct hone__tuning *tuning)
{
  return tuning->baseline.candidate ? tuning->baseline.candidate->packed : NULL;
}

static void explain(const struct hone__tuning *tuning, const struct hone__packed *candidate,
                    struct hone__text *call, struct hone__text *differences)
{
  const struct hone__problem_setup *problem = &tuning->session.problem;
  const struct hone__backend_driver *driver = &problem->task.backend->driver;

  if (candidate && driver->explain_call)
    driver->explain_call(problem->setup.head, candidate, call, differences);
}

/* Lines common to both are printed once. */
static bool has_line(const struct hone__text *text, const char *line, size_t length)
{
  for (const char *at = text->data; at && *at;) {
    size_t own = strcspn(at, "\n");
    if (own == length && strncmp(at, line, length) == 0) return true;
    at += own + (at[own] == '\n');
  }
  return false;
}

void hone__tuning_warn_of_call(struct hone__tuning *tuning)
{
  const struct hone__packed *candidates[] = {baseline_of(tuning), reference_of(tuning)};
  struct hone__text printed = {0};

  for (size_t i = 0; i < 2; i++) {
    struct hone__text call = {0}, differences = {0};
    explain(tuning, candidates[i], &call, &differences);
    for (char *line = differences.data, *end; line && *line; line = end) {
      end = line + strcspn(line, "\n");
      if (!has_line(&printed, line, (size_t)(end - line)))
        hone__session_say(&tuning->session, HONE_EVENT_WARNING, "%.*s", (int)(end - line), line);
      end += *end == '\n';
    }
    if (differences.length) hone__text_addf(&printed, "%s\n", differences.data);
    hone__text_release(&call);
    hone__text_release(&differences);
  }
  hone__text_release(&printed);
}

void hone__tuning_explain_call(const struct hone__tuning *tuning, bool is_reference,
                               struct hone__text *out)
{
  struct hone__text differences = {0}, call = {0};

  explain(tuning, is_reference ? reference_of(tuning) : baseline_of(tuning), &call, &differences);
  if (call.length) hone__text_addf(out, "\n  it was called as %s", call.data);
  for (char *line = differences.data, *end; line && *line; line = end) {
    end = line + strcspn(line, "\n");
    hone__text_addf(out, "\n  %.*s", (int)(end - line), line);
    end += *end == '\n';
  }
  hone__text_release(&differences);
  hone__text_release(&call);
}
