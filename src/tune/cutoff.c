/* Candidates known to be slower are not timed to the end. The cap is three times the best so far: a
 * slower candidate cannot win. For one well above the best, by more than the noise of the device,
 * one sample suffices, if it is long enough not to be an accident; short samples cost nothing.
 *
 * The best so far is the best that was passed to the search, because the number of samples changes
 * a candidate's time slightly, and with it the next configurations of the search.
 */
#include "tune/tuning.h"

static const double CAP = 3, CUT = 0.25, CUT_NOISE = 5;

/* The best so far, as this device would measure it. The larger of two estimates, from the best time
 * and from the best ratio: one disturbed reading must not cut off good candidates. */
static double best_here_ns(const struct hone__tuning *tuning, const struct hone__site *site)
{
  double here = tuning->search.passed_ratio * site->passed.last_ns;

  return isfinite(tuning->search.passed_ns) ? fmax(tuning->search.passed_ns, here) : here;
}

/* With other objectives than time, a slow candidate may be best. */
static bool may_cut(const struct hone__tuning *tuning)
{
  return !tuning->session.settings.options->no_cap && !tuning->session.objectives.proven &&
         tuning->session.objectives.count < 2;
}

/* How much readings of the baseline differ from each other, and their samples within. */
static double noise_of(const struct hone__site *site)
{
  size_t count = site->readings < 3 ? site->readings : 3;
  double low = INFINITY, high = 0;

  for (size_t i = 0; i < count; i++) {
    low = fmin(low, site->recent_ns[i]);
    high = fmax(high, site->recent_ns[i]);
  }
  return fmax(high / low, site->last_ns / site->least_ns) - 1;
}

struct hone__reading hone__tuning_site_reading(const struct hone__site *site)
{
  return (struct hone__reading){.last_ns = site->last_ns,
                                .least_ns = site->least_ns,
                                .noise = noise_of(site),
                                .is_unsteady =
                                    hone__readings_last_step(&site->history) > HONE__UNSTEADY};
}

struct hone__bound hone__tuning_bound(const struct hone__tuning *tuning, size_t at)
{
  const struct hone__reading *passed = &tuning->session.workers.sites[at].passed;
  struct hone__bound bound = {.is_unsteady = passed->is_unsteady};
  double best = best_here_ns(tuning, &tuning->session.workers.sites[at]);

  if (!may_cut(tuning) || !isfinite(best))
    return bound; /* a device that joined late has no reading yet */
  bound.cap_ns = CAP * best;
  bound.cut_ns = best * (1 + fmax(CUT, CUT_NOISE * passed->noise));
  if (!isfinite(bound.cut_ns)) bound.cut_ns = 0;
  return bound;
}

void hone__tuning_candidate_settle_bounds(struct hone__candidate *candidate)
{
  const struct hone__tuning *tuning = hone__tuning_of(candidate);

  if (candidate->bounds) return;
  candidate->bounds =
      hone__alloc((tuning->session.workers.site_count + 1) * sizeof *candidate->bounds);
  for (size_t i = 0; i < tuning->session.workers.site_count; i++)
    candidate->bounds[i] = hone__tuning_bound(tuning, i);
}
