/* What is known to be slower is not timed to the end. Three times the best so far is the cap:
 * nobody needs to know more. Well above the best, by more than the noise of the device explains,
 * one sample has to do, if it is long enough not to be an accident; short ones cost nothing. */
#include "tune/tuning.h"

static const double CAP = 3, CUT = 0.25, CUT_NOISE = 5;

/* The best so far, as this device would measure it. Both the best time and the best ratio allow it:
 * one disturbed reading must not cut good ones. */
static double best_here_ns(const struct hone_tuning *tuning, const struct hone_site *site)
{
  double here = tuning->best_ratio * site->last_ns;

  return isfinite(tuning->best_ns) ? fmax(tuning->best_ns, here) : here;
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

double hone__tuning_cap_ns(const struct hone_tuning *tuning, size_t site)
{
  return may_cut(tuning) ? CAP * best_here_ns(tuning, &tuning->sites[site]) : 0;
}

double hone__tuning_cut_ns(const struct hone_tuning *tuning, size_t at)
{
  const struct hone_site *site = &tuning->sites[at];
  double cut = best_here_ns(tuning, site) * (1 + fmax(CUT, CUT_NOISE * noise_of(site)));

  return may_cut(tuning) && isfinite(cut) ? cut : 0;
}
