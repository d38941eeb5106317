/* line_reader.h - the lines that a program prints, of bounded length.
 *
 * A line whose first character is '{' is a message, and is given whole. Any other line is text; a
 * long one is given in parts.
 */
#ifndef HONE_PROC_LINE_READER_H
#define HONE_PROC_LINE_READER_H

#include "base/text.h"

enum { HONE__LONGEST_MESSAGE = 1 << 20, HONE__LONGEST_TEXT = 1 << 12 };

struct hone__line_reader { /* { 0 } */
  struct hone__text bytes;
  size_t start; /* of what was not given yet */
  bool in_text; /* the rest of a line whose beginning was given */
};

enum hone__line_state {
  HONE__LINE_MORE,    /* there is no complete line yet */
  HONE__LINE_MESSAGE, /* without the end of the line */
  HONE__LINE_TEXT,    /* with the end of the line, if that was reached */
  HONE__LINE_LONG     /* the beginning of a message that is too long; nothing follows */
};

void hone__line_reader_feed(struct hone__line_reader *reader, const char *bytes, size_t size);
/* The line is lent until the next call. */
enum hone__line_state hone__line_reader_next(struct hone__line_reader *reader,
                                             const char **out_line, size_t *out_length);
/* What is left of a last line without an end, as text. */
bool hone__line_reader_rest(struct hone__line_reader *reader, const char **out_line,
                            size_t *out_length);
void hone__line_reader_release(struct hone__line_reader *reader);

#endif
