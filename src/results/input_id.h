/* input_id.h - which of several rows of one instance it is. */
#ifndef HONE_RESULTS_INPUT_ID_H
#define HONE_RESULTS_INPUT_ID_H

#include <string.h>

/* "1st" of "stem/BM=64/input_id=1st"; NULL: the instance has one row only. */
static inline const char *hone__input_id(const char *spec)
{
  static const char mark[] = "/input_id=";
  const char *last = NULL;

  for (const char *at = strstr(spec, mark); at; at = strstr(at + 1, mark))
    last = at + strlen(mark);
  return last;
}

#endif
