#include "base/options_size.h"

#include <string.h>

static size_t smaller(size_t a, size_t b)
{
  return a < b ? a : b;
}

void hone__options_fill(void *given, size_t size, const void *defaults, size_t own_size)
{
  memset(given, 0, size);
  memcpy(given, defaults, smaller(size, own_size));
  memcpy(given, &size, sizeof size);
}

hone_status hone__options_take(void *own, size_t own_size, const void *given, const char *name)
{
  size_t size;

  if (!given) return NULL;
  memcpy(&size, given, sizeof size);
  if (size <= sizeof size)
    return hone__error(HONE_INVALID_ARGUMENT, "the options are not initialised: call %s_init first",
                       name);
  memcpy(own, given, smaller(size, own_size));
  memcpy(own, &own_size, sizeof own_size);
  return NULL;
}
