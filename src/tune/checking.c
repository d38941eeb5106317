/* The best so far determines how long others are timed and where the search continues. It is
 * therefore run once more before it counts, with its answer also checked after its last call: a
 * candidate that is wrong from its third call on would otherwise lead for the rest of the run. The
 * best changes rarely.
 */
#include "tune/tuning.h"

#include <stdlib.h>

enum { ROWS = 3 };

struct check_order {
  struct hone__candidate *candidate;
  size_t site;
  hone__measure_done *done;
};

bool hone__tuning_candidate_would_lead(const struct hone__candidate *candidate)
{
  const struct hone__tuning *tuning = hone__tuning_of(candidate);
  const struct hone__evaluation *evaluation = &candidate->evaluation;
  double ratio;

  if (evaluation->outcome != HONE_OUTCOME_OK || !tuning->session.problem.task.check) return false;
  if (evaluation->suspicious) return false; /* it never counts as the best */
  if (tuning->session.problem.task.backend->sample_is_run)
    return false; /* each of them was checked */
  ratio = hone__session_cost_ratio(&tuning->session, candidate->row, evaluation->time_ns,
                                   evaluation->baseline_ns);
  return isfinite(ratio) && ratio < tuning->ranking.best_ratio;
}

static void on_reply(void *data, const struct hone__reply *reply)
{
  struct check_order order = *(struct check_order *)data;

  free(data);
  order.candidate->session->progress.event.measuring--;
  hone__candidate_note_measuring(order.candidate, reply);
  order.done(order.candidate, order.site, reply);
}

void hone__tuning_candidate_check(struct hone__candidate *candidate, size_t site,
                                  hone__measure_done *done)
{
  struct hone__tuning *tuning = hone__tuning_of(candidate);
  struct hone__run_request request = {.mode = HONE__RUN_ROWS,
                                      .phase = HONE_PHASE_CHECK,
                                      .candidates = &candidate,
                                      .count = 1,
                                      .slot = (int)site,
                                      .check = true,
                                      .late_check = true,
                                      .rows = ROWS};
  struct hone__job job = hone__run_job(&tuning->session, &request);
  struct check_order *order = hone__alloc(sizeof *order);

  *order = (struct check_order){candidate, site, done};
  job.done = on_reply;
  job.data = order;
  tuning->session.progress.event.measuring++;
  hone__pool_submit(tuning->session.workers.runners, &job);
}

/* A lost worker is no evidence about the candidate: the race decides. */
void hone__tuning_candidate_take_check(struct hone__candidate *candidate,
                                       const struct hone__reply *reply)
{
  struct hone__evaluation *evaluation = &candidate->evaluation;
  struct hone__run_part part = hone__run_part(reply, 0);

  if (!part.is_given || hone__outcome_works(part.outcome)) return;
  if (hone__outcome_blame(part.outcome) != HONE__BLAME_CANDIDATE) return;
  evaluation->outcome = part.outcome;
  evaluation->evidence =
      hone__arena_printf(&candidate->texts, "in the second run: %s", part.evidence);
  evaluation->time_ns = evaluation->baseline_ns = NAN;
  candidate->least_ns = 0;
}
