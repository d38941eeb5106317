#include "escape.h"

#include <hone.h>
#include "hone_text.h"

#include <stdio.h>

size_t escape_plain_length(const char *text)
{
  size_t length = 0;
  uint32_t code;

  while (text[length]) {
    size_t bytes = hone_text_character(text + length, &code);
    if (hone_text_disturbs(code)) break;
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
