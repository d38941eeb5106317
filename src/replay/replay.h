/* replay.h - a strategy on a recording: asked, told what was recorded, timed by what was recorded.
 */
#ifndef HONE_REPLAY_REPLAY_H
#define HONE_REPLAY_REPLAY_H

#include "replay/score.h"
#include "search/search.h"

struct hone_replay_options {
  const struct hone_strategy *strategy;
  uint64_t seed;
  double budget_s;      /* of recorded time; 0: no limit */
  uint64_t evaluations; /* at most; 0: no limit */
  size_t outstanding;   /* asked and not told yet, as with several devices; at least 1 */
};

struct hone_replay { /* { 0 } */
  struct hone_step *steps;
  size_t count;
  double *own_s; /* what ask and tell took for each step, by the clock */
};

hone_status hone__replay_run(const struct hone_recording *recording,
                             const struct hone_replay_options *options, struct hone_replay *out);
void hone__replay_release(struct hone_replay *replay);

#endif
