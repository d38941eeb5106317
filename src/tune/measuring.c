/* A candidate's first times, taken on a device during screening. */
#include "tune/tuning.h"

#include "base/digest.h"
#include "session/suspicion.h"
#include "stats/statistics.h"

#include <stdlib.h>

/* Everything that determines the answer and the time of a call: object, call, check, device. */
void hone__tuning_candidate_set_site(struct hone__candidate *candidate, size_t site)
{
  const struct hone__tuning *tuning = hone__tuning_of(candidate);
  const struct hone__session *session = &tuning->session;
  struct hone__digester *digester = hone__digest_begin();

  hone__digest_add_text(digester, candidate->object);
  hone__wire_candidate_digest_call(candidate->packed, digester);
  hone__digest_add_text(digester, session->problem.setup_key);
  hone__digest_add_text(digester, session->problem.reference_key);
  hone__digest_add_text(digester, tuning->baseline.candidate->object); /* times are ratios to it */
  hone__digest_add_text(digester, session->workers.sites[site].fingerprint);
  hone__digest_end(digester, candidate->measure_key);
  candidate->evaluation.measure_key = candidate->measure_key;
}

static void take_samples(struct hone__candidate *candidate, const struct hone__site *here,
                         const struct hone__samples *samples)
{
  struct hone__evaluation *evaluation = &candidate->evaluation;

  evaluation->time_ns = hone__median(samples->times_ns, samples->count);
  evaluation->baseline_ns = here->last_ns;
  candidate->least_ns = hone__quantile(samples->times_ns, samples->count, 0);
}

void hone__tuning_candidate_take_times(struct hone__candidate *candidate, size_t site,
                                       const struct hone__reply *reply)
{
  struct hone__evaluation *evaluation = &candidate->evaluation;
  struct hone__site *here = &candidate->session->workers.sites[site];
  struct hone__run_part part = hone__run_part(reply, 0);

  hone__run_samples_release(&candidate->samples);
  candidate->samples = hone__run_samples(reply, HONE_PHASE_SCREEN);
  candidate->site = site;
  candidate->taken_at = reply->ended_at;
  candidate->reading = hone__tuning_site_reading(here);
  evaluation->outcome = part.outcome;
  evaluation->evidence = hone__arena_strdup(&candidate->texts, part.evidence);
  evaluation->device = here->device;
  evaluation->tries = reply->tries;
  evaluation->cold_ns = part.cold_ns;
  hone__candidate_output(candidate, hone__run_result(reply, 0), NULL);
  hone__session_remark(candidate->session, site, reply);
  candidate->energy = hone__run_energy(reply, 0);
  if (hone__outcome_works(part.outcome)) take_samples(candidate, here, &candidate->samples);
  evaluation->suspicious = hone__candidate_suspicion(candidate, site);
  evaluation->samples = &candidate->samples;
  evaluation->sample_count = part.samples ? 1 : 0;
}

struct measure_order {
  struct hone__candidate *candidate;
  size_t site;
  hone__measure_done *done;
};

static void submit(struct measure_order *order);

static void note_time(struct hone__tuning_search *search, const struct hone__reply *reply)
{
  if (!(reply->worked_s > 0)) return;
  search->measured_s += reply->worked_s;
  search->measured++;
}

/* A time that is implausibly short is measured again. */
static void on_reply(void *data, const struct hone__reply *reply)
{
  struct measure_order order = *(struct measure_order *)data;

  hone__candidate_note_measuring(order.candidate, reply);
  note_time(&hone__tuning_of(order.candidate)->search, reply);
  if (hone__candidate_is_doubted(order.candidate, order.site, reply)) {
    submit(data);
    return;
  }
  free(data);
  order.candidate->session->progress.event.measuring--;
  order.done(order.candidate, order.site, reply);
}

static void submit(struct measure_order *order)
{
  struct hone__candidate *candidate = order->candidate;
  struct hone__tuning *tuning = hone__tuning_of(candidate);
  struct hone__run_request request = {.mode = HONE__RUN_SCREEN,
                                      .phase = HONE_PHASE_SCREEN,
                                      .candidates = &candidate,
                                      .count = 1,
                                      .slot = (int)order->site,
                                      .check = tuning->session.problem.task.check,
                                      .every = candidate->is_doubled,
                                      .samples = tuning->session.settings.screen_samples,
                                      .cap_ns = candidate->bounds[order->site].cap_ns,
                                      .cut_ns = candidate->bounds[order->site].cut_ns};
  struct hone__job job = hone__run_job(&tuning->session, &request);

  if (request.cap_ns > 0) candidate->evaluation.cap_ns = request.cap_ns;
  job.may_move = true;
  job.done = on_reply;
  job.data = order;
  hone__pool_submit(tuning->session.workers.runners, &job);
}

void hone__tuning_candidate_measure(struct hone__candidate *candidate, size_t site,
                                    hone__measure_done *done)
{
  struct measure_order *order = hone__alloc(sizeof *order);

  *order = (struct measure_order){candidate, site, done};
  candidate->session->progress.event.measuring++;
  hone__tuning_candidate_settle_bounds(candidate);
  submit(order);
}
