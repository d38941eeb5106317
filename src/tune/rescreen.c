/* Measures again the candidates that were cut off by the time of one that does not work. */
#include "tune/withdraw.h"

#include "tune/ranking.h"

#include <stdlib.h>

static const double TOO_LOW = 0.99; /* of the present cap */

struct rescreening {
  struct hone__tuning *tuning;
  struct hone__candidate *candidates[HONE__MOST_RACERS];
  size_t sites[HONE__MOST_RACERS];
  size_t count, pending;
};

/* ---- Objects ---- */

static void on_built(struct hone__candidate *candidate)
{
  --*(size_t *)candidate->session->control.stage;
}

void hone__candidates_fetch(struct hone__tuning *tuning, struct hone__candidate *const *candidates,
                            size_t count)
{
  size_t pending = 0;

  tuning->session.control.stage = &pending;
  for (size_t i = 0; i < count && !tuning->session.control.aborting; i++) {
    if (candidates[i]->bytes || hone__candidate_built_before(candidates[i])) continue;
    pending++;
    hone__candidate_build_again(candidates[i], on_built);
  }
  hone__control_wait(&tuning->session.control, &pending);
  hone__session_abandon(&tuning->session, &pending);
}

/* ---- Which ---- */

static bool was_cut_too_early(const struct hone__tuning *tuning, const struct hone__ranked *ranked)
{
  double cap_ns = hone__tuning_bound(tuning, ranked->site).cap_ns;

  if (!ranked->is_slow || ranked->is_double) return false;
  if (isnan(ranked->taken_at) || !tuning->session.workers.sites[ranked->site].usable) return false;
  return cap_ns <= 0 || ranked->cap_ns < TOO_LOW * cap_ns;
}

static void collect(struct rescreening *r)
{
  struct hone__tuning *tuning = r->tuning;

  for (size_t i = 0; i < tuning->ranking.count && r->count < HONE__MOST_RACERS; i++) {
    const struct hone__ranked *ranked = &tuning->ranking.entries[i];
    struct hone__candidate *candidate = NULL;
    if (!was_cut_too_early(tuning, ranked)) continue;
    hone__control_fail(&tuning->session.control,
                       hone__candidate_new(&tuning->session, ranked->row, &candidate));
    if (!candidate) return;
    r->sites[r->count] = ranked->site;
    r->candidates[r->count++] = candidate;
  }
}

/* ---- Again ---- */

static void on_measured(struct hone__candidate *candidate, size_t site,
                        const struct hone__reply *reply)
{
  struct rescreening *r = candidate->session->control.stage;
  enum hone__blame blame = hone__outcome_blame(hone__run_part(reply, 0).outcome);

  r->pending--;
  if (blame > HONE__BLAME_CANDIDATE) return; /* it gave no evidence */
  hone__tuning_candidate_take_times(candidate, site, reply);
  hone__tuning_candidate_record_again(candidate);
}

static void measure_all(struct rescreening *r)
{
  r->tuning->session.control.stage = r;
  for (size_t i = 0; i < r->tuning->session.workers.site_count && r->count; i++)
    if (r->tuning->session.workers.sites[i].usable)
      hone__tuning_read_baseline(r->tuning, i, &r->pending);
  for (size_t i = 0; i < r->count && !r->tuning->session.control.aborting; i++) {
    if (!r->candidates[i]->bytes) continue;
    hone__tuning_candidate_set_site(r->candidates[i], r->sites[i]);
    r->pending++;
    hone__tuning_candidate_measure(r->candidates[i], r->sites[i], on_measured);
  }
  hone__control_wait(&r->tuning->session.control, &r->pending);
  hone__session_abandon(&r->tuning->session, &r->pending);
}

void hone__tuning_rescreen(struct hone__tuning *tuning)
{
  struct rescreening r = {.tuning = tuning};

  collect(&r);
  if (r.count) {
    hone__session_log(&tuning->session,
                      "%zu candidates were cut off by the time of a candidate that failed later: "
                      "measuring them again",
                      r.count);
    hone__candidates_fetch(tuning, r.candidates, r.count);
    measure_all(&r);
  }
  for (size_t i = 0; i < r.count; i++)
    hone__candidate_free(r.candidates[i]);
}
