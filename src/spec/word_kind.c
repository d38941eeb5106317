#include "spec/word_kind.h"

#include "base/number.h"
#include "base/text.h"
#include "spec/value.h"

#include <errno.h>
#include <stdlib.h>

static bool is_integer(const char *word)
{
  const char *digits = word + (*word == '-');

  if (!*digits || digits[strspn(digits, "0123456789")]) return false;
  return *digits != '0' || strcmp(word, "0") == 0;
}

static bool is_float(const char *word)
{
  struct hone__text again = {0};
  bool same;

  if (word[strspn(word, "+-.0123456789e")] || !*word) return false;
  hone__float_print(hone__strtod(word, NULL), &again);
  same = strcmp(again.data, word) == 0;
  hone__text_release(&again);
  return same;
}

enum hone__word_kind hone__word_kind(const char *word)
{
  if (is_integer(word)) return HONE__WORD_INT;
  if (is_float(word)) return HONE__WORD_FLOAT;
  if (strcmp(word, "True") == 0 || strcmp(word, "False") == 0) return HONE__WORD_BOOL;
  return strcmp(word, "None") == 0 ? HONE__WORD_NONE : HONE__WORD_TEXT;
}

struct hone_value hone__word_value(const char *word)
{
  int64_t integer;

  switch (hone__word_kind(word)) {
  case HONE__WORD_INT:
    errno = 0;
    integer = strtoll(word, NULL, 10);
    return errno ? hone__string(word) : hone__int(integer);
  case HONE__WORD_FLOAT: return hone__real(hone__strtod(word, NULL));
  case HONE__WORD_BOOL: return hone__bool(*word == 'T');
  case HONE__WORD_NONE: return (struct hone_value){.type = HONE_NONE};
  case HONE__WORD_TEXT: break;
  }
  return hone__string(word);
}
