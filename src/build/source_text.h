/* source_text.h - what of a C or C++ source means something to its compiler.
 *
 * Normalised, a source has no comments and no superfluous blanks, so that its digest stays the same
 * when those change. Strings, characters and raw strings stay as they are; a line stays a line,
 * because directives end with it.
 */
#ifndef HONE_BUILD_SOURCE_TEXT_H
#define HONE_BUILD_SOURCE_TEXT_H

#include "base/digest.h"
#include "base/status.h"
#include "base/text.h"

struct hone__source_text { /* { 0 } is empty */
  struct hone__text text;  /* normalised; as it is if its lines are counted (__LINE__) */
  char digest[HONE__DIGEST_SIZE];
  bool is_open;    /* it includes more than headers of the system: "x.h", or a macro */
  bool has_pastes; /* ## makes names that do not stand in the text */
};

void hone__source_normalise(const char *text, size_t size, struct hone__text *out);
hone_status hone__source_text_read(const char *path, struct hone__source_text *out_source);
void hone__source_text_release(struct hone__source_text *source);

/* True if the text has this identifier, as a whole word. */
bool hone__source_has_word(const struct hone__text *text, const char *word, size_t length);

/* True if the text declares this name itself, where no number can stand: `int N`, `enum { N = 1 }`.
 * Not every declaration is recognised (`int M, N`); whatever is one, is one. */
bool hone__source_declares(const struct hone__text *text, const char *name);

/* The digest of a file that a build read: of its normalised text, or of what it is (binary); of its
 * size and time for what belongs to the system. False if it is not there. */
bool hone__dependency_digest(const char *path, char out_digest[HONE__DIGEST_SIZE]);

#endif
