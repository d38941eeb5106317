/* source_text.h - the parts of a C or C++ source that matter to its compiler.
 *
 * A normalised source has no comments and no superfluous blanks, so that its digest does not depend
 * on them. Strings, characters and raw strings stay unchanged; lines are kept, because directives
 * end with them.
 */
#ifndef HONE_BUILD_SOURCE_TEXT_H
#define HONE_BUILD_SOURCE_TEXT_H

#include "base/digest.h"
#include "base/status.h"
#include "base/text.h"

struct hone__build_source_text { /* { 0 } is empty */
  struct hone__text text;        /* normalised; unchanged if it uses line numbers (__LINE__) */
  char digest[HONE__DIGEST_SIZE];
  bool is_open;    /* it includes more than system headers: "x.h", or a macro */
  bool has_pastes; /* ## creates names that are not in the text */
};

void hone__build_source_normalise(const char *text, size_t size, struct hone__text *out);
hone_status hone__build_source_text_read(const char *path,
                                         struct hone__build_source_text *out_source);
void hone__build_source_text_release(struct hone__build_source_text *source);

/* True if the text has this identifier, as a whole word. */
bool hone__build_source_has_word(const struct hone__text *text, const char *word, size_t length);

/* True if the text declares this name where no number can be: `int N`, `enum { N = 1 }`. Some
 * declarations are missed (`int M, N`), but there are no false positives. */
bool hone__build_source_declares(const struct hone__text *text, const char *name);

/* The digest of a file that a build read: of its normalised text, or of its bytes if it is binary;
 * of size and time for system files. False if it does not exist. */
bool hone__dependency_digest(const char *path, char out_digest[HONE__DIGEST_SIZE]);

#endif
