/* A candidate's first times: from a device, while candidates are screened. */
#include "tune/tuning.h"

#include "exec/statistics.h"

#include <stdlib.h>

void hone__candidate_measured(struct hone_candidate *candidate, size_t site,
                              const struct hone_reply *reply)
{
  struct hone_evaluation *evaluation = &candidate->evaluation;
  struct hone_site *here = &candidate->tuning->sites[site];
  struct hone_run_part part = hone__run_part(reply, 0);

  candidate->samples = hone__run_samples(reply, "screen");
  candidate->site = site;
  candidate->reading = hone__site_reading(here);
  evaluation->outcome = part.outcome;
  evaluation->evidence = hone__arena_strdup(&candidate->texts, part.evidence);
  evaluation->device = here->device;
  evaluation->tries = reply->tries;
  evaluation->cold_ns = part.cold_ns;
  hone__candidate_output(candidate, hone__run_json(reply, 0), NULL);
  hone__tuning_remark(candidate->tuning, site, reply);
  candidate->energy = hone__run_energy(reply, 0);
  if (hone__outcome_works(part.outcome)) {
    evaluation->time_ns = hone__median(candidate->samples.times_ns, candidate->samples.count);
    evaluation->baseline_ns = here->last_ns;
    candidate->least_ns = hone__quantile(candidate->samples.times_ns, candidate->samples.count, 0);
    candidate->baseline_least_ns = here->least_ns;
  }
  evaluation->samples = &candidate->samples;
  evaluation->sample_count = part.samples ? 1 : 0;
}

struct measure_order {
  struct hone_candidate *candidate;
  size_t site;
  hone_measure_done *done;
};

static void on_reply(void *data, const struct hone_reply *reply)
{
  struct measure_order order = *(struct measure_order *)data;

  free(data);
  order.candidate->tuning->progress.measuring--;
  hone__candidate_note_measuring(order.candidate, reply);
  order.done(order.candidate, order.site, reply);
}

void hone__candidate_measure(struct hone_candidate *candidate, size_t site, hone_measure_done *done)
{
  struct hone_tuning *tuning = candidate->tuning;
  struct hone_run_request request = {.mode = "screen",
                                     .candidates = &candidate,
                                     .count = 1,
                                     .seat = (int)site,
                                     .check = tuning->task.check,
                                     .samples = tuning->screen_samples};
  struct hone_job job;
  struct measure_order *order = hone__alloc(sizeof *order);

  *order = (struct measure_order){candidate, site, done};
  hone__candidate_settle_bounds(candidate);
  request.cap_ns = candidate->bounds[site].cap_ns;
  request.cut_ns = candidate->bounds[site].cut_ns;
  job = hone__run_job(tuning, &request);
  if (request.cap_ns > 0) candidate->evaluation.cap_ns = request.cap_ns;
  job.done = on_reply;
  job.data = order;
  tuning->progress.measuring++;
  hone__crew_submit(tuning->runners, &job);
}
