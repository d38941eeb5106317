#include "wire/packed_size.h"

#include "base/json_string.h"
#include "wire/packed_json.h"

static size_t size_of(const json_t *value)
{
  return json_dumpb(value, NULL, 0, JSON_COMPACT | JSON_ENCODE_ANY);
}

size_t hone__packed_size(const struct hone__packed *packed)
{
  return size_of(hone__packed_json(packed));
}

size_t hone__packed_text_size(const char *bytes, size_t size)
{
  json_t *text = hone__text_to_json(bytes, size);
  size_t packed_size = size_of(text);

  json_decref(text);
  return packed_size;
}
