/* screen_use.h - the utilisation of a run's devices while candidates are screened: what the runners
 * worked between the two calls is counted, kept with the run and told.
 *
 * In between the caller says who is wanted: hone__utilisation_want.
 */
#ifndef HONE_TUNE_SCREEN_USE_H
#define HONE_TUNE_SCREEN_USE_H

#include "tune/tuning.h"
#include "tune/utilisation.h"

/* `devices`: as many as are measured on, the first ones. */
void hone__screen_use_open(struct hone__utilisation *use, const struct hone__tuning *tuning,
                           size_t devices);
/* Releases it too. */
void hone__screen_use_close(struct hone__utilisation *use, struct hone__tuning *tuning);

#endif
