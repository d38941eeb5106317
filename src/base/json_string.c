#include "base/json_string.h"

#include "base/text.h"
#include "base/utf8.h"

json_t *hone__text_to_json(const char *bytes, size_t size)
{
  struct hone__text clean = {0};
  json_t *text;

  for (size_t i = 0; i < size;) {
    size_t length = hone__utf8_length_within(bytes + i, size - i);
    bool is_good = length && bytes[i];
    hone__text_addn(&clean, is_good ? bytes + i : "?", is_good ? length : 1);
    i += is_good ? length : 1;
  }
  text = json_string(clean.data ? clean.data : "");
  hone__text_release(&clean);
  return text;
}
