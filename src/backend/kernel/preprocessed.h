/* preprocessed.h - a source as its compiler sees it, for parameters that macros and conditions
 * hide. */
#ifndef HONE_BACKEND_KERNEL_PREPROCESSED_H
#define HONE_BACKEND_KERNEL_PREPROCESSED_H

#include "backend/kernel/kernel_candidate.h"

/* The source with its macros replaced, each line at its own place, then what it includes. NULL: it
 * is not in C or C++, or no compiler here can do that. The caller frees it. */
char *hone__preprocessed_read(const struct hone__kernel_candidate *candidate);

/* That, of what a preprocessor wrote. */
char *hone__preprocessed_order(const char *output, const char *source);

#endif
