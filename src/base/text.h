/* text.h - strings that grow. */
#ifndef HONE_BASE_TEXT_H
#define HONE_BASE_TEXT_H

#include "base/memory.h"

#include <stdarg.h>
#include <stdbool.h>

struct hone__text { /* { 0 } is an empty text */
  char *data;       /* ends with a NUL once anything was added */
  size_t length, capacity;
};
void hone__text_reserve(struct hone__text *text, size_t more); /* room for bytes that follow */
void hone__text_add(struct hone__text *text, const char *string);
void hone__text_addn(struct hone__text *text, const char *string, size_t length);
void hone__text_addf(struct hone__text *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void hone__text_vaddf(struct hone__text *text, const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));
/* "folder/" and what the format says; free(). */
char *hone__text_path(const char *folder, const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));
char *hone__text_take(struct hone__text *text); /* never NULL; the caller frees it */
void hone__text_release(struct hone__text *text);

bool hone__starts_with(const char *string, const char *prefix);
/* With something before it: ".json" itself does not end with ".json". */
bool hone__ends_with(const char *string, const char *suffix);

bool hone__is_word(char c); /* of names in programs: a letter, a digit or '_' */
size_t hone__text_word_length(const char *text); /* how many of these it begins with */
bool hone__is_identifier(const char *text);      /* such a word, which begins with no digit */
/* The length of "$NAME" or "${NAME}" at `text`; 0: it is neither. */
size_t hone__text_variable_length(const char *text, const char **out_name, size_t *out_name_length);
bool hone__has_word(const char *text, const char *word); /* not as a part of another word */

#endif
