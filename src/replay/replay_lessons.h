/* replay_lessons.h - recordings that the searches of a replay learn from. */
#ifndef HONE_REPLAY_REPLAY_LESSONS_H
#define HONE_REPLAY_REPLAY_LESSONS_H

#include "replay/replay_ground.h"

/* Loads the recordings of options->learn_from and gives each ground those of its parameters, except
 * itself. */
hone_status hone__replay_lessons_load(struct hone__replay_grounds *grounds,
                                      const struct hone_replay_options *options,
                                      struct hone_replay_result *result);

#endif
