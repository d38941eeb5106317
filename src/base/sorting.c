#include "base/sorting.h"

#include <string.h>

int hone__by_number(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;

  return (x > y) - (x < y);
}

int hone__by_text(const void *a, const void *b)
{
  return strcmp(*(char *const *)a, *(char *const *)b);
}
