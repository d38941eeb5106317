/* absent_kind.h - a resumed run whose devices are all away, while runs of other kinds go on. */
#ifndef HONE_TUNE_ABSENT_KIND_H
#define HONE_TUNE_ABSENT_KIND_H

#include "tune/kind_threads.h"
#include "tune/tuning.h"

/* Waits until a device of the run's kind is back, or the runs of the other kinds are done. If one
 * is back it is timed with the baseline, and the run is not absent any more. */
hone_status hone__tuning_await_kind(struct hone__tuning *tuning,
                                    struct hone__tuning_kind_threads *threads);

#endif
