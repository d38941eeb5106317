/* tuned_build.h - what of a run's build belongs to its configuration. */
#ifndef HONE_EXPORT_TUNED_BUILD_H
#define HONE_EXPORT_TUNED_BUILD_H

#include "export/tuned.h"

/* Fills prefix, flags and lost_flag, from the options of a run as the store has them (or NULL).
 * Parameters and sizes must be there. */
void hone__tuned_read_build(struct hone__arena *arena, const char *options,
                            struct hone__tuned *tuned);

#endif
