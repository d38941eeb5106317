/* baseline_modes.h - detects a baseline with two times, and reports it with advice. */
#ifndef HONE_TUNE_BASELINE_MODES_H
#define HONE_TUNE_BASELINE_MODES_H

#include "spec/json_writer.h"
#include "stats/modes.h"
#include "tune/tuning.h"

/* Appends "the baseline's times fall into two groups, 1 ms and 1.31 ms ..." and advice; `whose` is
 * "the baseline". False: there are no two groups, and nothing is appended. */
bool hone__tuning_modes_describe(const struct hone__modes *modes, const char *whose,
                                 struct hone__text *text);
/* The same as JSON: {"low_ns", "high_ns", "of", "high_count", "count"}, and the device unless it is
 * NULL; null if there are no two groups. */
void hone__tuning_modes_write(struct hone__json_writer *writer, const char *key,
                              const struct hone__modes *modes, const char *device);
/* Examines the stored times of a run's baseline on each device. Two groups give a warning, and
 * `two_groups` of the run's result, which the caller frees. */
void hone__tuning_note_modes(struct hone__tuning *tuning);

#endif
