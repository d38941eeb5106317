/* learned_wisdom.h - the configurations that a wisdom file has of this kernel. */
#ifndef HONE_TUNE_LEARNED_WISDOM_H
#define HONE_TUNE_LEARNED_WISDOM_H

#include "tune/tuning.h"

/* They join the first configurations of the search, those of any size and device, as long as there
 * is room. *out_count: how many are legal here. */
hone_status hone__learned_wisdom(struct hone__tuning *tuning, const char *path, size_t *out_count);

#endif
