#include "base/utf8.h"

#include "hone.h"
#include "hone_text.h"

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

size_t hone_text_character(const char *text, uint32_t *out_code)
{
  static const unsigned char first_bits[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
  size_t length = hone__utf8_length(text);

  *out_code = UINT32_MAX;
  if (length == 0) return 1;
  *out_code = (unsigned char)text[0] & first_bits[length];
  for (size_t i = 1; i < length; i++)
    *out_code = *out_code << 6 | ((unsigned char)text[i] & 0x3f);
  return length;
}

bool hone_text_disturbs(uint32_t code)
{
  static const struct {
    uint32_t from, to;
  } ranges[] = {{0x00, 0x08},     {0x0b, 0x1f},     {0x7f, 0x9f},      {0xad, 0xad},
                {0x061c, 0x061c}, {0x200b, 0x200f}, {0x2028, 0x202e},  {0x2060, 0x206f},
                {0xfeff, 0xfeff}, {0xfff9, 0xfffb}, {0xe0000, 0xe0fff}};

  if (code >= ' ' && code < 0x7f) return false;
  if (code == UINT32_MAX) return true;
  for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
    if (code >= ranges[i].from && code <= ranges[i].to) return true;
  return false;
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
