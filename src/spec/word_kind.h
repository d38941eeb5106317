/* word_kind.h - what a parameter's value was before it was printed: results keep it as text alone.
 */
#ifndef HONE_SPEC_WORD_KIND_H
#define HONE_SPEC_WORD_KIND_H

#include "hone.h"

enum hone__word_kind {
  HONE__WORD_TEXT,
  HONE__WORD_INT,
  HONE__WORD_FLOAT,
  HONE__WORD_BOOL,
  HONE__WORD_NONE
};

/* What Python printed so. */
enum hone__word_kind hone__word_kind(const char *word);
/* The same as a value; an integer beyond 64 bits is a text. The text is lent. */
struct hone_value hone__word_value(const char *word);

#endif
