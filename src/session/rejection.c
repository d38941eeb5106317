/* A candidate that the host rejects is an evaluation like every other failure, but says nothing of
 * the candidate: no later run takes it over. */
#include "session/session.h"

static void set_rejected(struct hone__candidate *candidate)
{
  struct hone__evaluation *evaluation = &candidate->evaluation;

  evaluation->outcome = HONE_OUTCOME_INVALID;
  evaluation->evidence = candidate->rejection;
  evaluation->candidate_key = evaluation->measure_key = NULL;
  evaluation->time_ns = evaluation->baseline_ns = evaluation->cold_ns = NAN;
}

bool hone__candidate_admit(struct hone__candidate *candidate, enum hone_stage stage,
                           const struct hone__named *costs, size_t cost_count)
{
  struct hone__stage_subject subject = {.row = candidate->row,
                                        .config = candidate->config,
                                        .costs = costs,
                                        .cost_count = cost_count,
                                        .time_ns = NAN,
                                        .baseline_ns = NAN};
  bool is_selected = stage == HONE_STAGE_GENERATE && *candidate->session->stages.selection;
  struct hone__text why = {0};

  if (!is_selected && !candidate->rejection &&
      !hone__stages_admit(&candidate->session->stages, stage, &subject, &why))
    candidate->rejection = hone__arena_strdup(&candidate->texts, why.data);
  if (candidate->rejection) set_rejected(candidate);
  hone__text_release(&why);
  return !candidate->rejection;
}
