/* Takes configurations that have to be built, one after the other, until the search is over. */
#include "tune/supply.h"

#include "search/search_set.h"
#include "tune/effort.h"
#include "tune/held_answers.h"

#include <stdlib.h>

void hone__supply_open(struct hone__supply *supply, struct hone__tuning *tuning,
                       struct hone__underway *underway)
{
  *supply = (struct hone__supply){.tuning = tuning,
                                  .underway = underway,
                                  .asked = tuning->session.progress.event.done,
                                  .limit = tuning->session.settings.evaluations
                                               ? tuning->session.settings.evaluations
                                               : UINT64_MAX};
  supply->turn_ends = hone__tuning_turn(tuning, supply->asked);
  for (size_t i = 0; i < tuning->session.workers.site_count; i++)
    tuning->session.workers.sites[i].passed =
        hone__tuning_site_reading(&tuning->session.workers.sites[i]);
  if (hone__tuning_is_scheduled(tuning)) hone__held_answers_hold(tuning);
}

void hone__supply_close(struct hone__supply *supply)
{
  hone__held_answers_release(supply->tuning);
}

/* Excludes the baseline, which is measured regularly, and candidates evaluated before the run was
 * interrupted, which are already counted. */
static bool is_new(const struct hone__supply *supply, const struct hone__candidate *candidate)
{
  if (strcmp(candidate->config, supply->tuning->baseline.candidate->config) == 0) return false;
  return !hone__tuning_knows(supply->tuning, candidate->config);
}

/* ---- Answers to the search ---- */

/* With turns of building and measuring, all answers of the turns before; otherwise all but those of
 * the last few. */
static uint64_t answers_needed(struct hone__supply *supply)
{
  uint64_t next = supply->underway->added, window;

  HONE__ASSERT(supply->underway->recorded <= next);
  if (supply->tuning->session.settings.strategy->is_serial) return next;
  if (hone__tuning_is_scheduled(supply->tuning) && !supply->tuning->session.workers.overlap &&
      supply->builds) {
    if (next < supply->turn_ends) return supply->turn_began;
    supply->turn_began = next;
    supply->turn_ends = next + hone__tuning_turn(supply->tuning, supply->asked);
    return next;
  }
  window = hone__tuning_window(supply->tuning, supply->asked);
  return next < window ? 0 : next + 1 - window;
}

/* True if the search has received the required answers, and patience is left. */
static bool may_ask(struct hone__supply *supply)
{
  struct hone__tuning *tuning = supply->tuning;
  uint64_t needed;

  if (hone__control_over(&tuning->session.control) || supply->has_ended ||
      supply->asked >= supply->limit)
    return false;
  needed = answers_needed(supply);
  if (supply->underway->recorded < needed) return false;
  hone__held_answers_pass(tuning, needed);
  supply->has_ended = !hone__patience_left(&tuning->search.patience);
  return !supply->has_ended;
}

/* ---- Asking ---- */

/* Counts it from now on. True: it has to be built. */
static bool begin(struct hone__supply *supply, struct hone__candidate *candidate)
{
  const struct hone__tuning *tuning = supply->tuning;

  supply->asked++;
  candidate->is_filtered = true;
  supply->builds =
      supply->builds || !hone__candidate_is_built_like(candidate, tuning->baseline.candidate);
  if (hone__tuning_is_scheduled(tuning)) hone__tuning_candidate_settle_bounds(candidate);
  hone__underway_add(supply->underway, candidate);
  if (!hone__tuning_candidate_known_by_key(candidate)) return true;
  hone__underway_settle(supply->underway, candidate);
  return false;
}

/* The host rejects it: it is recorded, and counts for no budget. */
static void reject(struct hone__supply *supply, struct hone__candidate *candidate)
{
  if (hone__tuning_is_scheduled(supply->tuning)) hone__tuning_candidate_settle_bounds(candidate);
  hone__underway_add(supply->underway, candidate);
  hone__underway_settle(supply->underway, candidate);
}

/* The next configuration that has to be built; NULL if the search has none now. */
static struct hone__candidate *next_candidate(struct hone__supply *supply)
{
  struct hone__tuning *tuning = supply->tuning;
  uint32_t *row = hone__alloc(hone_space_width(tuning->session.problem.task.space) * sizeof *row);
  struct hone__candidate *candidate = NULL;

  while (!candidate && may_ask(supply) && hone__search_set_ask(tuning->search.set, 1, row)) {
    hone__control_fail(&tuning->session.control,
                       hone__candidate_new(&tuning->session, row, &candidate));
    if (!candidate) break;
    if (!is_new(supply, candidate))
      hone__candidate_free(candidate);
    else if (!hone__candidate_admit(candidate, HONE_STAGE_GENERATE, NULL, 0))
      reject(supply, candidate);
    else if (begin(supply, candidate))
      break;
    candidate = NULL;
  }
  free(row);
  return candidate;
}

struct hone__candidate *hone__supply_take(struct hone__supply *supply)
{
  struct hone__candidate *candidate = supply->aside ? supply->aside : next_candidate(supply);

  supply->aside = NULL;
  return candidate;
}

void hone__supply_drop(struct hone__supply *supply)
{
  if (supply->aside) hone__underway_drop(supply->underway, supply->aside);
  supply->aside = NULL;
}

/* ---- How far it goes ---- */

uint64_t hone__supply_total(const struct hone__supply *supply)
{
  const struct hone__tuning *tuning = supply->tuning;
  bool is_open = tuning->session.settings.patience.least && !tuning->session.settings.evaluations;
  uint64_t most = hone__tuning_others(tuning);

  if (is_open) return 0;
  return most < supply->limit ? most : supply->limit;
}

void hone__supply_report_end(const struct hone__supply *supply)
{
  struct hone__tuning *tuning = supply->tuning;

  if (tuning->session.control.aborting || tuning->session.control.interrupted ||
      tuning->session.progress.event.done >= hone__tuning_others(tuning))
    return;
  if (supply->has_ended)
    hone__effort_report_end(tuning, HONE__END_BY_PATIENCE);
  else if (tuning->session.control.stopping)
    hone__effort_report_end(tuning, HONE__END_BY_TIME);
  else if (supply->asked >= supply->limit)
    hone__effort_report_end(tuning, HONE__END_BY_COUNT);
}
