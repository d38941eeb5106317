/* utf8.h - characters in bytes. hone.h declares what the program needs as well. */
#ifndef HONE_BASE_UTF8_H
#define HONE_BASE_UTF8_H

#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>

/* Bytes of the character at `text`, or 0 if there is none: overlong forms, surrogates and what lies
 * beyond U+10FFFF are not characters. */
size_t hone__utf8_length(const char *text);
/* The same of bytes that may end within a character, and after which there need be nothing. */
size_t hone__utf8_length_within(const char *bytes, size_t size);
/* True if all of the text is characters. */
bool hone__utf8_is_text(const char *text);
/* Adds the bytes; what is not a character, and each NUL, becomes '?'. */
void hone__utf8_clean(const char *bytes, size_t size, struct hone__text *out);

#endif
