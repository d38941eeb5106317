/* learning.h - what other devices and sizes teach the search of a run. */
#ifndef HONE_TUNE_LEARNING_H
#define HONE_TUNE_LEARNING_H

#include "tune/tuning.h"

/* Reads the options' learn_from: recordings and stores into tuning->search.lessons, wisdom into
 * tuning->search.first. What has other parameters is left out with a note. INVALID_SPEC, IO: a file
 * that was named cannot be used. */
hone_status hone__tuning_learn(struct hone__tuning *tuning);

/* By default: what these runs of the own store measured, the nearest first, unless the options name
 * other sources, the strategy has no use for them or everything is measured anyway.
 * *out_count: how many could be used. */
hone_status hone__tuning_learn_own(struct hone__tuning *tuning, struct hone_store *store,
                                   const int64_t *runs, size_t count, size_t *out_count);

#endif
