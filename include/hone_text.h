/* hone_text.h - text for terminals and shells. */
#ifndef HONE_TEXT_H
#define HONE_TEXT_H

#include "hone.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Text for terminals and shells ----------------------------------------------------------- */

/* The bytes of the character at `text`; *out_code is its number in Unicode, or UINT32_MAX if the
 * byte there is not UTF-8. */
HONE_API size_t hone_text_character(const char *text, uint32_t *out_code);
/* Whether a character must not reach a terminal as it is: control characters move the cursor or
 * change colours, some others hide text or turn its direction, and bytes that are not UTF-8 may be
 * either. Line breaks and tabs do not disturb. */
HONE_API bool hone_text_disturbs(uint32_t code);

/* Writes a word as a shell reads it, like snprintf: plain, 'in quotes' where a shell needs them, or
 * $'\033' with what would disturb a terminal or break the line. */
HONE_API size_t hone_shell_word(const char *word, char *buffer, size_t size);

/* "did you mean": of the known words that are tried the one that a person most likely meant, which
 * is spelt nearly the same or begins with what was typed; NULL if there is none. */
struct hone_nearest { /* { .word = typed } */
  const char *word, *best;
  size_t distance; /* letters to change, add, drop or swap */
};
HONE_API void hone_nearest_try(struct hone_nearest *nearest, const char *known);

#ifdef __cplusplus
}
#endif

#endif
