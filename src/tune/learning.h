/* learning.h - what other devices and sizes teach the search of a run. */
#ifndef HONE_TUNE_LEARNING_H
#define HONE_TUNE_LEARNING_H

#include "tune/tuning.h"

/* Reads the options' learn_from: recordings and stores into tuning->search.lessons, wisdom into
 * tuning->search.first. What has other parameters is left out with a note. INVALID_SPEC, IO: a file
 * that was named cannot be used. */
hone_status hone__tuning_learn(struct hone__tuning *tuning);

#endif
