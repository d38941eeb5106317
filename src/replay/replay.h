/* replay.h - a strategy on a recording: asked, told what was recorded, timed by what was recorded.
 *
 * Time is that of the recording: one or several devices work in parallel, each evaluation takes
 * what it took then. Only the strategy's own time is that of a clock.
 */
#ifndef HONE_REPLAY_REPLAY_H
#define HONE_REPLAY_REPLAY_H

#include "replay/score.h"
#include "search/search.h"

#include <stdatomic.h>

enum { HONE__REPLAY_DEVICES = 4096 }; /* at most */

struct hone__replay_plan {
  const struct hone__strategy *strategy;
  uint64_t seed;
  double budget_s;      /* of recorded time; what was begun within it is finished. 0: no limit */
  uint64_t evaluations; /* at most; 0: no limit */
  size_t outstanding;   /* asked and not told yet, as with several devices; at least 1 */
  const struct hone__lessons *lessons; /* or NULL */
  const atomic_bool *stop;             /* once it is true the run ends; or NULL */
};

struct hone__replay_trace {        /* { 0 } */
  struct hone__replay_step *steps; /* in the order in which they were done */
  double *own_s;                   /* by step: processor time of ask and tell */
  size_t count, capacity;
  double evaluated_s; /* what all of them took, as recorded */
};

/* Processor time of this thread, so that the load of the machine does not count. */
double hone__replay_cpu_s(void);

/* INVALID_ARGUMENT: the strategy asked for a configuration that is not legal, or for one twice. */
hone_status hone__replay_run(const struct hone__recording *recording,
                             const struct hone__replay_plan *plan,
                             struct hone__replay_trace *out_trace);
void hone__replay_trace_release(struct hone__replay_trace *trace);

#endif
