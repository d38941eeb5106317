#include "base/quoted_text.h"

#include "base/utf8.h"

static void add_character(struct hone__text *out, const char *at, size_t length)
{
  static const char plain[] = "\"\\\b\f\n\r\t", marks[] = "\"\\bfnrt";
  const char *found = strchr(plain, *at);

  if (found)
    hone__text_addf(out, "\\%c", marks[found - plain]);
  else if ((unsigned char)*at < 0x20)
    hone__text_addf(out, "\\u%04X", (unsigned)*at);
  else
    hone__text_addn(out, at, length);
}

void hone__quote_text(struct hone__text *out, const char *text)
{
  hone__text_add(out, "\"");
  while (*text) {
    size_t length = hone__utf8_length(text);
    if (length)
      add_character(out, text, length);
    else
      hone__text_add(out, "?");
    text += length ? length : 1;
  }
  hone__text_add(out, "\"");
}

void hone__quote_path(struct hone__text *out, const char *path)
{
  struct hone__text doubled = {0};

  for (; *path; path++)
    hone__text_addn(&doubled, *path == '$' ? "$$" : path, *path == '$' ? 2 : 1);
  hone__quote_text(out, doubled.data ? doubled.data : "");
  hone__text_release(&doubled);
}

void hone__quote_words(struct hone__text *out, const struct hone__words *words)
{
  hone__text_add(out, "[");
  for (size_t i = 0; i < words->count; i++) {
    if (i) hone__text_add(out, ",");
    hone__quote_text(out, words->data[i]);
  }
  hone__text_add(out, "]");
}
