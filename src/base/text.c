#include "base/text.h"

#include "base/status.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

void hone__text_reserve(struct hone__text *text, size_t more)
{
  size_t need = text->length + more + 1;

  if (need <= text->capacity) return;
  text->capacity = need < 2 * text->capacity ? 2 * text->capacity : need < 64 ? 64 : need;
  text->data = hone__realloc(text->data, text->capacity);
}

void hone__text_addn(struct hone__text *text, const char *string, size_t length)
{
  hone__text_reserve(text, length);
  if (length) memcpy(text->data + text->length, string, length);
  text->length += length;
  HONE__ASSERT_SLOW(text->length < text->capacity);
  text->data[text->length] = 0;
}

void hone__text_add(struct hone__text *text, const char *string)
{
  hone__text_addn(text, string, strlen(string));
}

void hone__text_vaddf(struct hone__text *text, const char *format, va_list args)
{
  va_list again;
  int length;

  va_copy(again, args);
  length = vsnprintf(NULL, 0, format, args);
  HONE__ASSERT(length >= 0); /* a format that is wrong */
  hone__text_reserve(text, (size_t)length);
  vsnprintf(text->data + text->length, (size_t)length + 1, format, again);
  va_end(again);
  text->length += (size_t)length;
}

char *hone__text_path(const char *folder, const char *format, va_list args)
{
  struct hone__text path = {0};

  hone__text_addf(&path, "%s/", folder);
  hone__text_vaddf(&path, format, args);
  return hone__text_take(&path);
}

void hone__text_addf(struct hone__text *text, const char *format, ...)
{
  va_list args;

  va_start(args, format);
  hone__text_vaddf(text, format, args);
  va_end(args);
}

char *hone__text_take(struct hone__text *text)
{
  char *data;

  hone__text_reserve(text, 0);
  text->data[text->length] = 0;
  data = text->data;
  *text = (struct hone__text){0};
  return data;
}

void hone__text_release(struct hone__text *text)
{
  free(text->data);
  *text = (struct hone__text){0};
}

bool hone__starts_with(const char *string, const char *prefix)
{
  return strncmp(string, prefix, strlen(prefix)) == 0;
}

bool hone__ends_with(const char *string, const char *suffix)
{
  size_t length = strlen(string), tail = strlen(suffix);

  return length > tail && strcmp(string + length - tail, suffix) == 0;
}

bool hone__is_word(char c)
{
  return isalnum((unsigned char)c) || c == '_';
}

size_t hone__text_word_length(const char *text)
{
  size_t length = 0;

  while (hone__is_word(text[length]))
    length++;
  return length;
}

bool hone__is_identifier(const char *text)
{
  size_t length = hone__text_word_length(text);

  return length && !text[length] && !isdigit((unsigned char)*text);
}

size_t hone__text_variable_length(const char *text, const char **out_name, size_t *out_name_length)
{
  bool has_braces = text[0] == '$' && text[1] == '{';
  const char *name = text + 1 + has_braces;
  size_t length = text[0] == '$' ? hone__text_word_length(name) : 0;

  if (!length || (has_braces && name[length] != '}')) return 0;
  *out_name = name;
  *out_name_length = length;
  return 1 + length + 2 * has_braces;
}

bool hone__has_word(const char *text, const char *word)
{
  size_t length = strlen(word);

  for (const char *at = strstr(text, word); at; at = strstr(at + 1, word))
    if ((at == text || !hone__is_word(at[-1])) && !hone__is_word(at[length])) return true;
  return false;
}
