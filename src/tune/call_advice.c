/* How a kernel that fails was called. */
#include "tune/call_advice.h"

static const struct hone__packed *reference_of(const struct hone__tuning *tuning)
{
  const struct hone__wire_setup_reference *reference = tuning->session.problem.head.reference;

  return reference ? reference->candidate : NULL;
}

static const struct hone__packed *baseline_of(const struct hone__tuning *tuning)
{
  return tuning->baseline.candidate ? tuning->baseline.candidate->packed : NULL;
}

void hone__tuning_explain_call(const struct hone__tuning *tuning, bool is_reference,
                               struct hone__text *out)
{
  const struct hone__session_problem *problem = &tuning->session.problem;
  const struct hone__backend_driver *driver = &problem->task.backend->driver;
  const struct hone__packed *candidate = is_reference ? reference_of(tuning) : baseline_of(tuning);
  struct hone__text call = {0};

  if (candidate && driver->explain_call)
    driver->explain_call(problem->setup.head, candidate, &call);
  if (call.length) hone__text_addf(out, "\n  it was called as %s", call.data);
  hone__text_release(&call);
}
