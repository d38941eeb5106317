/* The end of a confirmation: what the store gets of each finalist, and the verdict. */
#include "ask/ask.h"

#include "base/pareto.h"
#include "session/confirmation.h"

#include <math.h>

/* Candidates that were not confirmed and look faster than the baseline by more than the margin. */
static size_t count_promising(const struct hone_search *search)
{
  const struct hone__ask_confirmation *c = &search->confirmation;
  double baseline = hone__ask_cost(search, &search->trials[HONE__ASK_BASELINE], 0);
  size_t count = 0;

  for (uint32_t i = 1; i < search->trial_count; i++) {
    double cost = hone__ask_cost(search, &search->trials[i], 0);
    if (hone__ask_entrant(c, i) || !isfinite(cost) || !isfinite(baseline)) continue;
    count += hone__cost_ratio(cost, baseline) * (1 + search->margin) < 1;
  }
  return count;
}

static const char *why_undecided(struct hone_search *search, size_t promising)
{
  const struct hone__ask_confirmation *c = &search->confirmation;

  if (promising)
    return hone__arena_printf(&search->arena,
                              "%zu candidate%s that may be faster %s not confirmed; try more "
                              "finalists",
                              promising, promising == 1 ? "" : "s",
                              promising == 1 ? "was" : "were");
  if (c->has_no_baseline) return "the baseline failed when it was measured again";
  if (!hone__standings_left(&c->standings) && hone__standings_best(&c->standings) < 0)
    return "every finalist failed when it was measured again";
  return hone__standings_are_within_noise(&c->standings)
             ? "the differences are too small for the noise of the measurements"
             : "there were too few pairs for a verdict";
}

static hone_status store_finalist(struct hone_search *search, size_t i)
{
  const struct hone__ask_confirmation *c = &search->confirmation;
  const struct hone__entrant *e = &c->standings.entrants[i];
  const struct hone__ask_trial *trial = &search->trials[c->trials[i]];
  struct hone__confirmation confirmation = hone__session_confirmation(&c->standings, i);

  confirmation.time_ns = hone__median(c->pairs[i].times_ns, c->pairs[i].count);
  confirmation.baseline_ns = hone__median(c->pairs[i].baselines_ns, c->pairs[i].count);
  if (!search->kept.store || !trial->evaluation || !hone__entrant_is_confirmed(e)) return NULL;
  return hone__store_confirm(search->kept.store, trial->evaluation, &confirmation);
}

static void name_winner(struct hone_search *search, int entrant)
{
  struct hone__ask_confirmation *c = &search->confirmation;
  struct hone__store_run_result *result = &search->kept.result;
  struct hone__estimate speedup;

  if (entrant < 0) return;
  speedup = hone__standings_speedup(&c->standings, (size_t)entrant);
  c->speedup = (struct hone_interval){speedup.value, speedup.low, speedup.high};
  result->winner = search->trials[c->trials[entrant]].config;
  result->speedup = speedup.value;
  result->low = speedup.low;
  result->high = speedup.high;
  result->confidence = 0.95;
  result->pairs = (int64_t)c->standings.entrants[entrant].count;
  result->restarts = (int64_t)hone__standings_groups(&c->standings, (size_t)entrant);
}

static void reach_verdict(struct hone_search *search)
{
  struct hone__ask_confirmation *c = &search->confirmation;
  int winner = hone__standings_leader(&c->standings, HONE__CLAIM_FASTER);
  bool is_negative = hone__standings_none_is_faster(&c->standings);
  size_t promising = is_negative && winner < 0 ? count_promising(search) : 0;

  c->verdict = winner >= 0                 ? HONE_VERDICT_IMPROVED
               : is_negative && !promising ? HONE_VERDICT_NO_IMPROVEMENT
                                           : HONE_VERDICT_INCONCLUSIVE;
  if (c->verdict == HONE_VERDICT_IMPROVED) c->winner = c->trials[winner];
  if (c->verdict == HONE_VERDICT_NO_IMPROVEMENT) c->winner = HONE__ASK_BASELINE;
  if (c->verdict == HONE_VERDICT_INCONCLUSIVE) c->why = why_undecided(search, promising);
  name_winner(search, winner >= 0 ? winner : hone__standings_best(&c->standings));
  search->kept.result.verdict = c->verdict;
  search->kept.result.why = *c->why ? c->why : NULL;
}

hone_status hone__ask_conclude(struct hone_search *search)
{
  struct hone__ask_confirmation *c = &search->confirmation;
  hone_status status = NULL;

  for (size_t i = 0; i < c->count && !status; i++)
    status = store_finalist(search, i);
  reach_verdict(search);
  c->is_under_way = false;
  c->is_complete = true;
  if (!status) status = hone__ask_store_finish(search);
  return status;
}

/* ---- Accessors ---- */

enum hone_verdict hone_search_verdict(struct hone_search *search)
{
  enum hone_verdict verdict;

  pthread_mutex_lock(&search->lock);
  verdict = search->confirmation.verdict;
  pthread_mutex_unlock(&search->lock);
  return verdict;
}

hone_ticket hone_search_winner(struct hone_search *search)
{
  hone_ticket ticket = 0;

  pthread_mutex_lock(&search->lock);
  if (search->confirmation.winner != HONE__ASK_NO_TRIAL)
    ticket = search->trials[search->confirmation.winner].ticket;
  pthread_mutex_unlock(&search->lock);
  return ticket;
}

struct hone_interval hone_search_speedup(struct hone_search *search)
{
  struct hone_interval speedup;

  pthread_mutex_lock(&search->lock);
  speedup = search->confirmation.speedup;
  pthread_mutex_unlock(&search->lock);
  return speedup;
}

const char *hone_search_why(struct hone_search *search)
{
  const char *why;

  pthread_mutex_lock(&search->lock);
  why = search->confirmation.why;
  pthread_mutex_unlock(&search->lock);
  return why;
}
