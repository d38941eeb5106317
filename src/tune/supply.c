/* Configurations that have to be built, one after the other, until the search is over. */
#include "tune/supply.h"

#include "search/several.h"
#include "tune/effort.h"

#include <stdlib.h>

void hone__supply_open(struct hone_supply *supply, struct hone_tuning *tuning)
{
  *supply = (struct hone_supply){.tuning = tuning,
                                 .asked = tuning->progress.done,
                                 .limit = tuning->evaluations ? tuning->evaluations : UINT64_MAX};
}

/* The baseline, which is measured all the time, is none of those that were asked for; what was
 * evaluated before the run was interrupted is counted already. */
static bool is_new(struct hone_supply *supply, struct hone_candidate *candidate)
{
  if (strcmp(candidate->config, supply->tuning->baseline->config) == 0) return false;
  if (hone__tuning_knows(supply->tuning, candidate->config)) return false;
  supply->asked++;
  return !hone__candidate_known_by_key(candidate);
}

/* Patience ends a search as a budget does. */
bool hone__supply_is_over(const struct hone_supply *supply)
{
  struct hone_tuning *tuning = supply->tuning;

  if (!hone__patience_left(&tuning->patience)) tuning->stopping = true;
  return hone__tuning_over(tuning);
}

/* The next configuration that has to be built; NULL if the search has none now. */
static struct hone_candidate *next_candidate(struct hone_supply *supply)
{
  struct hone_tuning *tuning = supply->tuning;
  uint32_t *row = hone__alloc(hone_space_width(tuning->task.space) * sizeof *row);
  struct hone_candidate *candidate = NULL;

  while (!candidate && !hone__supply_is_over(supply) && supply->asked < supply->limit) {
    if (!hone__several_ask(tuning->search, 1, row)) break;
    hone__tuning_fail(tuning, hone__candidate_new(tuning, row, &candidate));
    if (!candidate) break;
    if (is_new(supply, candidate)) continue;
    hone__candidate_free(candidate);
    candidate = NULL;
  }
  free(row);
  return candidate;
}

struct hone_candidate *hone__supply_take(struct hone_supply *supply)
{
  struct hone_candidate *candidate = supply->aside ? supply->aside : next_candidate(supply);

  supply->aside = NULL;
  if (!candidate) supply->is_dry = true;
  return candidate;
}

void hone__supply_drop(struct hone_supply *supply)
{
  hone__candidate_free(supply->aside);
  supply->aside = NULL;
}

/* ---- How far it goes ---- */

/* But for the baseline. */
static uint64_t others(const struct hone_tuning *tuning)
{
  return hone_space_count(tuning->task.space) - 1;
}

uint64_t hone__supply_total(const struct hone_supply *supply)
{
  const struct hone_tuning *tuning = supply->tuning;
  bool is_open = tuning->patience.least && !tuning->evaluations;
  uint64_t most = others(tuning);

  if (is_open) return 0;
  return most < supply->limit ? most : supply->limit;
}

void hone__supply_tell_end(const struct hone_supply *supply)
{
  struct hone_tuning *tuning = supply->tuning;

  if (tuning->aborting || tuning->interrupted || tuning->progress.done >= others(tuning)) return;
  if (!hone__patience_left(&tuning->patience))
    hone__effort_tell_end(tuning, HONE_END_BY_PATIENCE);
  else if (tuning->stopping)
    hone__effort_tell_end(tuning, HONE_END_BY_TIME);
  else if (supply->asked >= supply->limit)
    hone__effort_tell_end(tuning, HONE_END_BY_COUNT);
}
