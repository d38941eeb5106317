/* baseline_modes.h - a baseline with two times is noticed, and told with what to do about it. */
#ifndef HONE_TUNE_BASELINE_MODES_H
#define HONE_TUNE_BASELINE_MODES_H

#include "spec/json_writer.h"
#include "stats/modes.h"
#include "tune/tuning.h"

/* "the baseline's times fall into two groups, 1 ms and 1.31 ms ..." and what to do; `whose` is "the
 * baseline". False: there are not two groups, and nothing is added. */
bool hone__modes_describe(const struct hone__modes *modes, const char *whose,
                          struct hone__text *text);
/* The same for programs: {"low_ns", "high_ns", "of", "high_count", "count"}, and the device, unless
 * that is NULL; null: there are not. */
void hone__modes_write(struct hone__json_writer *writer, const char *key,
                       const struct hone__modes *modes, const char *device);
/* Looks at what the store has of a run's baseline, on each device; a warning where it has two, and
 * `two_groups` of the run's result, which the caller frees. */
void hone__tuning_note_modes(struct hone__tuning *tuning);

#endif
