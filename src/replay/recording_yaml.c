/* Everything is in double quotes, and what is not plain ASCII is escaped: nothing that a file
 * holds can mean something to YAML. */
#include "replay/recording_yaml.h"

#include "base/text.h"
#include "base/utf8.h"

#include <stdlib.h>

static uint32_t decode(const char *bytes, size_t length)
{
  uint32_t character = (unsigned char)bytes[0] & (0x7fu >> length);

  for (size_t i = 1; i < length; i++)
    character = character << 6 | ((unsigned char)bytes[i] & 0x3fu);
  return character;
}

void hone__replay_yaml_quote(struct hone__text *yaml, const char *text)
{
  hone__text_add(yaml, "\"");
  while (*text) {
    size_t length = hone__utf8_length(text);
    unsigned char c = (unsigned char)*text;
    if (length > 1)
      hone__text_addf(yaml, "\\U%08x", decode(text, length));
    else if (c < 0x20 || c >= 0x7f) /* a byte of no character too: jansson lets none pass */
      hone__text_addf(yaml, "\\x%02x", c);
    else
      hone__text_addf(yaml, "%s%c", c == '"' || c == '\\' ? "\\" : "", c);
    text += length ? length : 1;
  }
  hone__text_add(yaml, "\"");
}

void hone__replay_yaml_value(struct hone__text *yaml, struct hone_value value)
{
  if (value.type == HONE_TEXT) {
    hone__text_add(yaml, "[");
    hone__replay_yaml_quote(yaml, value.text);
    hone__text_add(yaml, "]");
  } else if (value.type == HONE_NONE) {
    hone__text_add(yaml, "null");
  } else {
    hone__value_print(value, yaml);
  }
}

void hone__replay_yaml_values(struct hone__text *yaml, const struct hone_value *values,
                              size_t count)
{
  hone__text_add(yaml, "[");
  for (size_t i = 0; i < count; i++) {
    if (i) hone__text_add(yaml, ", ");
    hone__replay_yaml_value(yaml, values[i]);
  }
  hone__text_add(yaml, "]");
}

hone_status hone__replay_yaml_spec(const char *path, const char *yaml, struct hone_spec **out_spec)
{
  char *name = hone__alloc(strlen(path) + sizeof ".yaml");
  struct hone_spec_options options;
  hone_status status;

  strcpy(name, path);
  if (!hone__ends_with(path, ".json") && !hone__ends_with(path, ".gz"))
    strcat(name, ".yaml"); /* a kernel's source, by its name, is searched for annotations */
  hone_spec_options_init(&options);
  options.files = (const char *const[]){name};
  options.file_count = 1;
  status = hone__spec_load(&options, &yaml, out_spec);
  free(name);
  return status;
}
