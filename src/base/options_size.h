/* options_size.h - options of callers that were compiled with an older, shorter struct. */
#ifndef HONE_BASE_OPTIONS_SIZE_H
#define HONE_BASE_OPTIONS_SIZE_H

#include "base/status.h"

#include <stddef.h>

/* Both begin with a size_t, which counts the bytes that the caller knows. Writes the defaults, as
 * far as the caller's struct reaches; `size` goes first. */
void hone__options_fill(void *given, size_t size, const void *defaults, size_t own_size);
/* Copies what the caller has over the defaults in `own`; `given` NULL: nothing. INVALID_ARGUMENT:
 * it was not initialised; `name` is that of the struct. */
hone_status hone__options_take(void *own, size_t own_size, const void *given, const char *name);

#endif
