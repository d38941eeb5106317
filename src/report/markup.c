/* XML knows fewer characters than UTF-8: control characters have no form in it, not even escaped.
 */
#include "report/markup.h"
#include "base/number.h"

#include <math.h>
#include <stdint.h>

#define REPLACEMENT "\xef\xbf\xbd"

/* Bytes of the character at `text`, 0: it is not one that XML has. */
static size_t character(const unsigned char *text)
{
  static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  size_t length = text[0] < 0x80   ? 1
                  : text[0] < 0xc0 ? 0
                  : text[0] < 0xe0 ? 2
                  : text[0] < 0xf0 ? 3
                  : text[0] < 0xf8 ? 4
                                   : 0;
  uint32_t point = length < 2 ? text[0] : text[0] & (0xffu >> (length + 1));

  for (size_t i = 1; i < length; i++) {
    if ((text[i] & 0xc0) != 0x80) return 0;
    point = point << 6 | (text[i] & 0x3f);
  }
  if (!length || point < least[length] || point > 0x10ffff) return 0;
  if (point >= 0xd800 && point < 0xe000) return 0;
  if (point < 0x20 ? point != '\t' && point != '\n' : point >= 0x7f && point < 0xa0) return 0;
  return point == 0xfffe || point == 0xffff ? 0 : length;
}

static const char *escape_of(char byte)
{
  switch (byte) {
  case '&': return "&amp;";
  case '<': return "&lt;";
  case '>': return "&gt;";
  case '"': return "&quot;";
  case '\'': return "&#39;";
  default: return NULL;
  }
}

void hone__markup_add(struct hone__text *text, const char *string, size_t most)
{
  size_t length;

  for (size_t at = 0; string[at]; at += length ? length : 1) {
    const char *escape = escape_of(string[at]);
    length = character((const unsigned char *)string + at);
    if (most && at + (length ? length : 1) > most) {
      hone__text_add(text, "\xe2\x80\xa6");
      return;
    }
    if (!length && string[at] == '\r') continue;
    if (escape || !length)
      hone__text_add(text, escape ? escape : REPLACEMENT);
    else
      hone__text_addn(text, string + at, length);
  }
}

size_t hone__markup_width(const char *string, size_t length)
{
  size_t width = 0;

  for (size_t i = 0; i < length; i++)
    width += ((unsigned char)string[i] & 0xc0) != 0x80;
  return width;
}

void hone__markup_fixed(struct hone__text *text, double number, unsigned precision)
{
  char buffer[400];

  while (precision < 12 && number != 0 && fabs(number) < 0.5 * pow(10, -(double)precision))
    precision++;
  if (fabs(number) >= 1e15 || (number != 0 && fabs(number) < 1e-12))
    hone__print_real(buffer, sizeof buffer, 'e', 2, number);
  else
    hone__print_real(buffer, sizeof buffer, 'f', (int)precision, number);
  hone__text_add(text, buffer);
}

void hone__markup_number(struct hone__text *text, double number, unsigned precision)
{
  struct hone__text fixed = {0};

  hone__markup_fixed(&fixed, number, precision);
  if (strchr(fixed.data, '.') && !strchr(fixed.data, 'e'))
    while (fixed.data[fixed.length - 1] == '0' && fixed.data[fixed.length - 2] != '.')
      fixed.length--;
  hone__text_addn(text, fixed.data, fixed.length);
  hone__text_release(&fixed);
}

void hone__markup_ratio(struct hone__text *text, double ratio)
{
  char buffer[400];

  if (!isfinite(ratio)) {
    hone__text_add(text, "\xe2\x80\x93");
    return;
  }
  hone__print_real(buffer, sizeof buffer, fabs(ratio) < 1e9 ? 'f' : 'e', 2, ratio);
  hone__text_addf(text, "%sx", buffer);
}
