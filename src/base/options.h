/* options.h - option structs whose size may differ between the program and the library.
 *
 * Every public option struct begins with `size_t size`. A later version of the library appends
 * fields to it; programs that were compiled before have a smaller struct, others a larger one.
 * Neither side touches bytes that the struct of the other side lacks:
 *
 *   1. include/: `static inline` hone_x_options_init(&options) calls, with the program's sizeof,
 *   2. src/: hone_x_options_init_sized(&options, size), which is hone__options_give
 *   3. src/: hone_x(given): own = defaults, then hone__options_take(&own, sizeof own, given)
 */
#ifndef HONE_BASE_OPTIONS_H
#define HONE_BASE_OPTIONS_H

#include "base/status.h"

#include <string.h>

static inline size_t hone__options_common(size_t a, size_t b)
{
  return a < b ? a : b;
}

/* Sets the caller's struct of `size` bytes to the defaults, and its size; what the library does
 * not know is 0. */
static inline void hone__options_give(void *options, size_t size, const void *defaults,
                                      size_t defaults_size)
{
  memset(options, 0, size);
  memcpy(options, defaults, hone__options_common(size, defaults_size));
  memcpy(options, &size, sizeof size);
}

/* Copies what the caller has given over `options`, which hold the defaults; NULL: nothing. */
static inline hone_status hone__options_take(void *options, size_t size, const void *given)
{
  size_t given_size = size;

  if (!given) return NULL;
  memcpy(&given_size, given, sizeof given_size);
  if (given_size < sizeof given_size)
    return hone__error(HONE_INVALID_ARGUMENT,
                       "the options have no size: set them with their _init function first");
  memcpy(options, given, hone__options_common(size, given_size));
  memcpy(options, &size, sizeof size);
  return NULL;
}

#endif
