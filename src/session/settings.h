/* settings.h - the settings of a session: from the options, else the spec, else a default.
 *
 * Set while the session is opened, and constant afterwards.
 */
#ifndef HONE_SESSION_SETTINGS_H
#define HONE_SESSION_SETTINGS_H

#include "hone.h"
#include "search/search.h"
#include "session/purpose.h"

#include <stdbool.h>
#include <stdint.h>

struct hone__session_patience {
  uint64_t least; /* evaluations without a gain that end a search; 0: no limit */
  double share;   /* of all evaluations, if that is more */
};

struct hone__session_settings {
  const struct hone_tune_options *options;
  const struct hone__purpose *purpose;
  bool cached_only;        /* nothing is built: all objects come from the cache */
  unsigned screen_samples; /* of a first measurement */
  unsigned finalists;      /* the most candidates that are confirmed */
  double margin;           /* a winner is faster than the baseline by more than this share */
  double build_timeout_s;
  bool timeout_given; /* for calls; otherwise derived from the baseline's time */

  /* the search */
  const struct hone__strategy *strategy;
  enum hone_search_effort effort; /* HONE_EFFORT_AUTO: as long as the budget allows */
  bool budget_given;              /* by the options or the spec; otherwise by the effort */
  double budget_s;                /* 0: none */
  uint64_t evaluations;           /* the most; 0: no limit */
  bool warm_start;                /* start with the best of earlier runs */
  struct hone__session_patience patience;
};

#endif
