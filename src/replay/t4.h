/* t4.h - the words of T4 for what became of a configuration, for its reader and its writer. */
#ifndef HONE_REPLAY_T4_H
#define HONE_REPLAY_T4_H

#include "base/outcome.h"

/* NULL: the outcome says nothing about the configuration, and T4 has no word for it. */
const char *hone__t4_validity(enum hone_outcome outcome);

#endif
