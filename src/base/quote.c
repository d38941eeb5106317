#include "base/quote.h"

#include "hone.h"
#include "hone_text.h"

#include <stdio.h>

static bool is_plain(const char *word)
{
  static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                              "%+,-./:=@_";

  return *word && word[strspn(word, plain)] == '\0';
}

static bool must_be_escaped(const char *character, uint32_t code)
{
  return hone_text_disturbs(code) || *character == '\n' || *character == '\t';
}

static bool has_escaped(const char *word)
{
  uint32_t code;
  size_t length;

  for (; *word; word += length) {
    length = hone_text_character(word, &code);
    if (must_be_escaped(word, code)) return true;
  }
  return false;
}

/* $'a\033b': the same word, without what would disturb a terminal or break the line. */
static void add_escaped(struct hone__text *text, const char *word)
{
  uint32_t code;
  size_t length;

  hone__text_add(text, "$'");
  for (; *word; word += length) {
    length = hone_text_character(word, &code);
    if (!must_be_escaped(word, code) && *word != '\'' && *word != '\\') {
      hone__text_addn(text, word, length);
      continue;
    }
    for (size_t i = 0; i < length; i++)
      hone__text_addf(text, "\\%03o", (unsigned)(unsigned char)word[i]);
  }
  hone__text_add(text, "'");
}

static void add_quoted(struct hone__text *text, const char *word)
{
  hone__text_add(text, "'");
  for (; *word; word++)
    if (*word == '\'')
      hone__text_add(text, "'\\''");
    else
      hone__text_addn(text, word, 1);
  hone__text_add(text, "'");
}

void hone__quote_shell(struct hone__text *text, const char *word)
{
  if (is_plain(word))
    hone__text_add(text, word);
  else if (has_escaped(word))
    add_escaped(text, word);
  else
    add_quoted(text, word);
}

size_t hone_shell_word(const char *word, char *buffer, size_t size)
{
  struct hone__text text = {0};
  size_t length;

  hone__quote_shell(&text, word);
  length = text.length;
  if (size) snprintf(buffer, size, "%s", text.data);
  hone__text_release(&text);
  return length;
}
