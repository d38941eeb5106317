/* What is known to be slower is not timed to the end. Three times the best so far is the cap:
 * nobody needs to know more. Well above the best, by more than the noise of the device explains,
 * one sample has to do, if it is long enough not to be an accident; short ones cost nothing.
 *
 * The best so far is the best that the search was told of, since how many samples a candidate is
 * given changes its time a little, and with it what the search asks for. */
#include "tune/tuning.h"

static const double CAP = 3, CUT = 0.25, CUT_NOISE = 5;

/* The best so far, as this device would measure it. Both the best time and the best ratio allow it:
 * one disturbed reading must not cut good ones. */
static double best_here_ns(const struct hone_tuning *tuning, const struct hone_site *site)
{
  double here = tuning->told_ratio * site->told.last_ns;

  return isfinite(tuning->told_ns) ? fmax(tuning->told_ns, here) : here;
}

/* With objectives of its own, a slow one may be best. */
static bool may_cut(const struct hone_tuning *tuning)
{
  return !tuning->options->no_cap && !tuning->objective && tuning->objective_count < 2;
}

/* How much readings of the baseline differ from each other, and their samples within. */
static double noise_of(const struct hone_site *site)
{
  size_t count = site->readings < 3 ? site->readings : 3;
  double low = INFINITY, high = 0;

  for (size_t i = 0; i < count; i++) {
    low = fmin(low, site->recent_ns[i]);
    high = fmax(high, site->recent_ns[i]);
  }
  return fmax(high / low, site->last_ns / site->least_ns) - 1;
}

struct hone_reading hone__site_reading(const struct hone_site *site)
{
  return (struct hone_reading){.last_ns = site->last_ns, .noise = noise_of(site)};
}

void hone__candidate_settle_bounds(struct hone_candidate *candidate)
{
  const struct hone_tuning *tuning = candidate->tuning;

  if (candidate->bounds) return;
  candidate->bounds = hone__alloc((tuning->site_count + 1) * sizeof *candidate->bounds);
  for (size_t i = 0; i < tuning->site_count && may_cut(tuning); i++) {
    double best = best_here_ns(tuning, &tuning->sites[i]);
    double cut = best * (1 + fmax(CUT, CUT_NOISE * tuning->sites[i].told.noise));
    candidate->bounds[i] =
        (struct hone_bound){.cap_ns = CAP * best, .cut_ns = isfinite(cut) ? cut : 0};
  }
}
