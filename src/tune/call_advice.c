/* A kernel that gets other arguments than it takes may crash, or work by luck. Its source tells
 * which they are, where it can be read (backend/signature.h). */
#include "tune/call_advice.h"

#include "backend/signature.h"

#include <stdlib.h>

static const json_t *reference_of(const struct hone__tuning *tuning)
{
  return json_object_get(json_object_get(tuning->session.problem.setup.head, "reference"),
                         "candidate");
}

static const json_t *baseline_of(const struct hone__tuning *tuning)
{
  return tuning->baseline.candidate ? tuning->baseline.candidate->json : NULL;
}

static void add_differences(const struct hone__tuning *tuning, const json_t *candidate,
                            struct hone__text *out)
{
  hone__signature_compare(json_object_get(tuning->session.problem.setup.head, "args"), candidate,
                          out);
}

static bool is_same_function(const json_t *a, const json_t *b)
{
  return json_equal(json_object_get(a, "source"), json_object_get(b, "source")) &&
         json_equal(json_object_get(a, "entry"), json_object_get(b, "entry"));
}

void hone__tuning_warn_of_call(struct hone__tuning *tuning)
{
  struct hone__text text = {0};

  add_differences(tuning, baseline_of(tuning), &text);
  if (!is_same_function(baseline_of(tuning), reference_of(tuning)))
    add_differences(tuning, reference_of(tuning), &text);
  for (char *line = text.data, *end; line && *line; line = end) {
    end = line + strcspn(line, "\n");
    hone__session_say(&tuning->session, HONE_EVENT_WARNING, "%.*s", (int)(end - line), line);
    end += *end == '\n';
  }
  hone__text_release(&text);
}

void hone__tuning_explain_call(const struct hone__tuning *tuning, bool is_reference,
                               struct hone__text *out)
{
  const json_t *candidate = is_reference ? reference_of(tuning) : baseline_of(tuning);
  struct hone__text differences = {0}, call = {0};

  hone__signature_call(json_object_get(tuning->session.problem.setup.head, "args"), candidate,
                       &call);
  add_differences(tuning, candidate, &differences);
  if (call.length) hone__text_addf(out, "\n  it was called as %s", call.data);
  for (char *line = differences.data, *end; line && *line; line = end) {
    end = line + strcspn(line, "\n");
    hone__text_addf(out, "\n  %.*s", (int)(end - line), line);
    end += *end == '\n';
  }
  hone__text_release(&differences);
  hone__text_release(&call);
}
