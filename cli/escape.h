/* escape.h - characters that must not reach a terminal or a text as they are.
 *
 * Control characters move the cursor or change colours, some of Unicode's hide text or turn its
 * direction, and bytes that are not UTF-8 may be either. They are shown as \x1b, one for each byte.
 * Every text that hone prints goes through this: output.c and message.c see to it. What programs
 * read (JSON, CSV, source files) is left as it is, see output_raw.
 */
#ifndef CLI_ESCAPE_H
#define CLI_ESCAPE_H

#include <stddef.h>

enum { ESCAPE_SIZE = 20 }; /* of one character's bytes, with a NUL */

/* Bytes before the first unsafe character (hone_text_disturbs); a caller that prints one line also
 * has to replace line breaks and tabs. */
size_t escape_plain_length(const char *text);
/* "\x1b" for each byte of a character; returns the length. */
size_t escape_write(char out[ESCAPE_SIZE], const char *text, size_t bytes);

#endif
