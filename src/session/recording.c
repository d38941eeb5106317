/* Records an evaluation in every session: stores it, counts it, and informs the user. */
#include "session/session.h"

bool hone__candidate_put(struct hone__candidate *candidate)
{
  struct hone__session *session = candidate->session;
  struct hone__evaluation *evaluation = &candidate->evaluation;

  if (evaluation->outcome == HONE_OUTCOME_INTERRUPTED) return false; /* no evidence */
  if (!session->settings.purpose->is_stored) return false;
  evaluation->command = hone__candidate_command(candidate);
  if (!evaluation->output) hone__candidate_output(candidate, NULL, NULL);
  if (isfinite(evaluation->time_ns))
    evaluation->metrics = hone__candidate_metrics(candidate, evaluation->time_ns);
  evaluation->is_baseline = candidate->is_baseline;
  hone__control_fail(
      &session->control,
      hone__store_evaluation_put(session->entry.store, session->entry.run.id, evaluation));
  return !session->control.failure;
}

void hone__session_count(struct hone__session *session, const struct hone__evaluation *evaluation)
{
  struct hone_event *p = &session->progress.event;

  p->ok += evaluation->outcome == HONE_OUTCOME_OK;
  p->slow += evaluation->outcome == HONE_OUTCOME_SLOW;
  p->failed += !hone__outcome_works(evaluation->outcome);
  p->reused += evaluation->reused_from != 0;
}

/* ---- Events ---- */

static void report_result(struct hone__candidate *candidate, const char *program_output)
{
  struct hone__session *session = candidate->session;
  const struct hone__evaluation *evaluation = &candidate->evaluation;
  double ratio = hone__session_cost_ratio(session, candidate->row, evaluation->time_ns,
                                          evaluation->baseline_ns);
  struct hone_event event = {.kind = HONE_EVENT_RESULT,
                             .config = candidate->config,
                             .outcome = evaluation->outcome,
                             .evidence = program_output,
                             .time_ns = evaluation->time_ns,
                             .baseline_ns = evaluation->baseline_ns,
                             .speedup = 1 / ratio,
                             .phase_id = session->progress.phase};

  hone__session_emit(session, &event);
}

static void report_failure(struct hone__candidate *candidate)
{
  struct hone__session *session = candidate->session;
  const struct hone__evaluation *evaluation = &candidate->evaluation;
  struct hone_event event = {.kind = HONE_EVENT_FAILURE,
                             .config = candidate->config,
                             .outcome = evaluation->outcome,
                             .evidence = evaluation->evidence,
                             .command = evaluation->command,
                             .phase_id = session->progress.phase};

  hone__session_emit(session, &event);
  hone__session_log(session, "%s: %s: %s", candidate->config,
                    hone_outcome_name(evaluation->outcome), evaluation->evidence);
}

void hone__candidate_report_outcome(struct hone__candidate *candidate, const char *program_output)
{
  if (hone__outcome_works(candidate->evaluation.outcome))
    report_result(candidate, program_output);
  else
    report_failure(candidate);
}
