/* A kernel that gets other arguments than it takes may crash, or work by luck. Its source tells
 * which they are, where it can be read (backend/signature.h). */
#include "tune/call_advice.h"

#include "backend/signature.h"
#include "wire/packed_json.h"

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

/* What a kernel's setup and candidate say; nothing of other backends'. */
static void add_with(const struct hone__tuning *tuning, const json_t *packed,
                     void (*add)(const struct hone__kernel_setup *setup,
                                 const struct hone__kernel_candidate *candidate,
                                 struct hone__text *out),
                     struct hone__text *out)
{
  struct hone__arena arena = {0};
  struct hone__kernel_setup setup;
  struct hone__kernel_candidate candidate;
  hone_status status;

  if (!packed || !json_object_get(tuning->session.problem.setup.head, "args")) return;
  status =
      hone__unpack(hone__json_packed(tuning->session.problem.setup.head), &hone__kernel_setup_type, &arena, &setup);
  if (!status)
    status =
        hone__unpack(hone__json_packed(packed), &hone__kernel_candidate_type, &arena, &candidate);
  if (!status) add(&setup, &candidate, out);
  hone_status_free(status);
  hone__arena_release(&arena);
}

static void add_differences(const struct hone__tuning *tuning, const json_t *candidate,
                            struct hone__text *out)
{
  add_with(tuning, candidate, hone__signature_compare, out);
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

  add_with(tuning, candidate, hone__signature_call, &call);
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
