/* scalar.h - a scalar argument's value, from a message to the bytes that are passed. */
#ifndef HONE_BACKEND_KERNEL_SCALAR_H
#define HONE_BACKEND_KERNEL_SCALAR_H

#include "backend/kernel/buffers.h"
#include "backend/kernel/kernel_candidate.h"

/* Sets the first bytes of the word to the element; for a float the others stay. A whole number that
 * int64_t cannot represent is a text, as are inf and nan. INVALID_SPEC: it does not fit. */
hone_status hone__scalar_set(const struct hone__arg *arg, const struct hone__kernel_value *value,
                             uint64_t *word);

#endif
