/* elsewhere.h - runs of devices of several kinds: how fast the best of each is on the others. */
#ifndef HONE_TUNE_ELSEWHERE_H
#define HONE_TUNE_ELSEWHERE_H

#include "session/cases.h"
#include "session/device_kinds.h"

struct hone__tuning_kind_run { /* a run of one kind, of the same case */
  int64_t run;
  const struct hone__kind *kind;
};

/* Measures the winner of each run on the devices of the others, in pairs with the baseline, and
 * stores the speedups with these runs. What the store has is not measured again. */
hone_status hone__tuning_compare_kinds(const struct hone__cases *cases,
                                       const struct hone__case *which, struct hone_store *store,
                                       const struct hone__tuning_kind_run *runs, size_t count);

#endif
