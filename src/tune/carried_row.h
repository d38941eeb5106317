/* carried_row.h - a configuration of another run, device or size as a row of this space. */
#ifndef HONE_TUNE_CARRIED_ROW_H
#define HONE_TUNE_CARRIED_ROW_H

#include "hone_space.h"

/* From a text "BM=64,BN=32", by the names of parameters; those that this space lacks are dropped.
 * False: it is not legal here. */
bool hone__carried_row(const struct hone_space *space, const char *config, uint32_t *row);

#endif
