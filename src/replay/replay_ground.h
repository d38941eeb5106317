/* replay_ground.h - the recordings of a replay, and the scales for runs on them. */
#ifndef HONE_REPLAY_REPLAY_GROUND_H
#define HONE_REPLAY_REPLAY_GROUND_H

#include "hone.h"
#include "replay/replay_files.h"
#include "replay/replay_result.h"
#include "replay/score.h"
#include "search/lessons.h"

struct hone__replay_ground {
  struct hone__recording *recording;
  struct hone__score_scale scale;
  double budget_at_s[HONE__SCORE_POINTS]; /* from the first evaluation to the end of the budget */
  bool has_budget;                        /* another one than the metric's */
  size_t outstanding;
  struct hone__lessons *lessons; /* of other recordings; NULL: none were asked for */
};

struct hone__replay_grounds { /* { 0 } */
  struct hone__replay_paths paths;
  struct hone__replay_ground *at; /* by path */
};

/* Loads them on all cores. Those that cannot be used are dropped and told in `result`, or an error
 * if they were named; its files are filled in. */
hone_status hone__replay_grounds_load(struct hone__replay_grounds *grounds,
                                      const struct hone_replay_options *options,
                                      struct hone_replay_result *result);
void hone__replay_grounds_release(struct hone__replay_grounds *grounds);

#endif
