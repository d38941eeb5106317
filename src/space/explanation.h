/* explanation.h - why a configuration is legal or not. */
#ifndef HONE_SPACE_EXPLANATION_H
#define HONE_SPACE_EXPLANATION_H

#include "base/memory.h"
#include "hone.h"

struct hone__reason {
  enum hone_constraint_state state;
  const char *constraint; /* the text of the spec; NULL: a value that its parameter does not have */
  const char *values;     /* "BM=96, M=256": the names in it; or what is wrong with the value */
};

struct hone_explanation {
  struct hone__arena arena;
  bool legal;
  size_t group; /* whose parameters were used */
  struct hone__reason *reasons;
  size_t reason_count;
};

#endif
