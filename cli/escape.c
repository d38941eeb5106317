#include "escape.h"

#include "quote.h"

#include <stdio.h>

size_t escape_character(const char *text, uint32_t *out_code)
{
  static const unsigned char first_bits[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
  size_t length = utf8_length(text);

  *out_code = UINT32_MAX;
  if (length == 0) return 1;
  *out_code = (unsigned char)text[0] & first_bits[length];
  for (size_t i = 1; i < length; i++)
    *out_code = *out_code << 6 | ((unsigned char)text[i] & 0x3f);
  return length;
}

bool escape_is_needed(uint32_t code)
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

size_t escape_plain_length(const char *text)
{
  size_t length = 0;
  uint32_t code;

  while (text[length]) {
    size_t bytes = escape_character(text + length, &code);
    if (escape_is_needed(code)) break;
    length += bytes;
  }
  return length;
}

size_t escape_write(char out[ESCAPE_SIZE], const char *text, size_t bytes)
{
  size_t length = 0;

  for (size_t i = 0; i < bytes; i++)
    length += (size_t)snprintf(out + length, ESCAPE_SIZE - length, "\\x%02x",
                               (unsigned)(unsigned char)text[i]);
  return length;
}
