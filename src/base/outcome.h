/* outcome.h - what became of a candidate: what follows from each class.
 *
 * The names are stored and shown as they are. A class determines what caused it; a candidate's
 * failure is data, never a status.
 */
#ifndef HONE_BASE_OUTCOME_H
#define HONE_BASE_OUTCOME_H

#include "hone.h"

enum hone__blame {
  HONE__BLAME_NOBODY,
  HONE__BLAME_CANDIDATE,
  HONE__BLAME_HOST,
  HONE__BLAME_DEVICE,
  HONE__BLAME_RUN
};

const char *hone__outcome_text(enum hone_outcome outcome);
int hone__outcome_retries(enum hone_outcome outcome);
enum hone__blame hone__outcome_blame(enum hone_outcome outcome);
/* False if no class has this name. */
bool hone__outcome_parse(const char *name, enum hone_outcome *out_outcome);

/* It is about the candidate, not about the host, the device or the run. */
static inline bool hone__outcome_is_evidence(enum hone_outcome outcome)
{
  return hone__outcome_blame(outcome) <= HONE__BLAME_CANDIDATE;
}

/* Such an outcome that another run would have, too. */
static inline bool hone__outcome_is_repeatable(enum hone_outcome outcome)
{
  return hone__outcome_is_evidence(outcome) && outcome != HONE_OUTCOME_KILLED;
}

/* OK or SLOW: it works. */
static inline bool hone__outcome_works(enum hone_outcome outcome)
{
  return outcome <= HONE_OUTCOME_SLOW;
}

#endif
