/* recording_lessons.h - a recording as a lesson for a space of the same parameters. */
#ifndef HONE_REPLAY_RECORDING_LESSONS_H
#define HONE_REPLAY_RECORDING_LESSONS_H

#include "replay/recording.h"
#include "search/lessons.h"

/* Configurations are carried over by the names of parameters and their values. False: other
 * parameters vary here or there, too few configurations are legal here, or none works. */
bool hone__recording_teach(const struct hone__recording *recording, struct hone__lessons *lessons);
/* They hold the same measurements. */
bool hone__recording_is_same(const struct hone__recording *a, const struct hone__recording *b);

#endif
