/* screen_use.h - the utilisation of a run's devices during screening: counts the work of the
 * runners between the two calls, stores it with the run and reports it.
 *
 * In between the caller reports which devices are wanted: hone__utilisation_want.
 */
#ifndef HONE_TUNE_SCREEN_USE_H
#define HONE_TUNE_SCREEN_USE_H

#include "tune/tuning.h"
#include "tune/utilisation.h"

/* `devices`: the number of measuring devices, which come first. */
void hone__screen_use_open(struct hone__utilisation *use, const struct hone__tuning *tuning,
                           size_t devices);
/* The share of the devices' time so far in which they ran nothing; NaN: not known. */
double hone__screen_use_idle(const struct hone__utilisation *use,
                             const struct hone__tuning *tuning);
/* Also releases it. */
void hone__screen_use_close(struct hone__utilisation *use, struct hone__tuning *tuning);

#endif
