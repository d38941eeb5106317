#include "base/utf8.h"

#include <stdint.h>

static const struct {
  unsigned char first, last, second_from, second_to;
  size_t length;
} forms[] = {
    {0x00, 0x7f, 0x00, 0x00, 1}, {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3},
    {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3},
    {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4},
};

size_t hone__utf8_length(const char *text)
{
  return hone__utf8_length_within(text, SIZE_MAX); /* the NUL ends it */
}

size_t hone__utf8_length_within(const char *text, size_t size)
{
  const unsigned char *bytes = (const unsigned char *)text;

  for (size_t i = 0; size && i < sizeof forms / sizeof *forms; i++) {
    if (bytes[0] < forms[i].first || bytes[0] > forms[i].last) continue;
    if (forms[i].length > size) return 0;
    if (forms[i].length == 1) return 1;
    if (bytes[1] < forms[i].second_from || bytes[1] > forms[i].second_to) return 0;
    for (size_t k = 2; k < forms[i].length; k++)
      if ((bytes[k] & 0xc0) != 0x80) return 0;
    return forms[i].length;
  }
  return 0;
}

bool hone__utf8_is_text(const char *text)
{
  while (*text) {
    size_t length = hone__utf8_length(text);
    if (!length) return false;
    text += length;
  }
  return true;
}

void hone__utf8_clean(const char *bytes, size_t size, struct hone__text *out)
{
  for (size_t i = 0; i < size;) {
    size_t length = hone__utf8_length_within(bytes + i, size - i);
    bool is_good = length && bytes[i];
    hone__text_addn(out, is_good ? bytes + i : "?", is_good ? length : 1);
    i += is_good ? length : 1;
  }
}
