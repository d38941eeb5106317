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

/* The same values as those of enum hone_outcome, from the same table: HONE_OUTCOMES of hone.h. */
enum hone__outcome {
#define HONE__OUTCOME_ENUM(id, name, retries, blame, text) HONE__OUTCOME_##id,
  HONE_OUTCOMES(HONE__OUTCOME_ENUM)
#undef HONE__OUTCOME_ENUM
      HONE__OUTCOME_COUNT
};

const char *hone__outcome_name(enum hone__outcome outcome);
const char *hone__outcome_text(enum hone__outcome outcome);
int hone__outcome_retries(enum hone__outcome outcome);
enum hone__blame hone__outcome_blame(enum hone__outcome outcome);
/* False if no class has this name. */
bool hone__outcome_parse(const char *name, enum hone__outcome *out_outcome);

/* As the public header has it. */
static inline enum hone_outcome hone__outcome_public(enum hone__outcome outcome)
{
  return (enum hone_outcome)outcome;
}

/* OK or SLOW: it works. */
static inline bool hone__outcome_works(enum hone__outcome outcome)
{
  return outcome <= HONE__OUTCOME_SLOW;
}

#endif
