/* recording_lessons.h - a recording as a lesson for a space of its parameters, or of some of
 * them. */
#ifndef HONE_REPLAY_RECORDING_LESSONS_H
#define HONE_REPLAY_RECORDING_LESSONS_H

#include "replay/recording.h"
#include "search/lessons.h"

/* Configurations are carried over by the names of parameters and their values. A parameter that the
 * space does not have is left out: the best of its values counts. False: a parameter that varies
 * here is not there, too few configurations are legal here, or none works. */
bool hone__recording_teach(const struct hone__recording *recording, struct hone__lessons *lessons);
/* They hold the same measurements. */
bool hone__recording_is_same(const struct hone__recording *a, const struct hone__recording *b);

#endif
