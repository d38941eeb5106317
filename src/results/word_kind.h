/* word_kind.h - what a parameter's value was before it was printed: results keep it as text alone.
 */
#ifndef HONE_RESULTS_WORD_KIND_H
#define HONE_RESULTS_WORD_KIND_H

#include "hone.h"

enum hone_word_kind {
  HONE_WORD_TEXT,
  HONE_WORD_INT,
  HONE_WORD_FLOAT,
  HONE_WORD_BOOL,
  HONE_WORD_NONE
};

/* What Python printed so. */
enum hone_word_kind hone__word_kind(const char *word);
/* The same as a value; an integer beyond 64 bits is a text. The text is lent. */
struct hone_value hone__word_value(const char *word);

#endif
