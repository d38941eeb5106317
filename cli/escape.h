/* escape.h - characters that must not reach a terminal or a text as they are.
 *
 * Control characters move the cursor or change colours, some of Unicode's hide text or turn its
 * direction, and bytes that are not UTF-8 may be either. They are shown as \x1b, one for each byte.
 * Every text that hone prints goes through this: output.c and message.c see to it. What programs
 * read (JSON, CSV, source files) is left as it is, see output_raw.
 */
#ifndef CLI_ESCAPE_H
#define CLI_ESCAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ESCAPE_SIZE = 20 }; /* of one character's bytes, with a NUL */

/* Its bytes; *out_code is its number, or UINT32_MAX if it is not UTF-8 and has one byte. */
size_t escape_character(const char *text, uint32_t *out_code);
/* Line breaks and tabs do not disturb: whoever prints one line only has to replace them. */
bool escape_is_needed(uint32_t code);
/* Bytes before the first that needs it. */
size_t escape_plain_length(const char *text);
/* "\x1b" for each byte of a character; returns the length. */
size_t escape_write(char out[ESCAPE_SIZE], const char *text, size_t bytes);

#endif
