/* nearest.h - the known word that a mistyped one is most like, for "did you mean". */
#ifndef CLI_NEAREST_H
#define CLI_NEAREST_H

#include <stddef.h>

struct nearest {
  const char *word; /* what was typed */
  const char *best; /* NULL until a candidate is near */
  size_t distance;
};
void nearest_try(struct nearest *nearest, const char *candidate);

#endif
