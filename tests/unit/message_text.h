/* message_text.h - texts in messages; what is missing is empty. */
#ifndef HONE_TESTS_UNIT_MESSAGE_TEXT_H
#define HONE_TESTS_UNIT_MESSAGE_TEXT_H

#include <jansson.h>

static inline const char *hone__message_text(const json_t *object, const char *key)
{
  const char *text = json_string_value(json_object_get(object, key));

  return text ? text : "";
}

static inline const char *hone__message_word(const json_t *list, size_t index)
{
  const char *word = json_string_value(json_array_get(list, index));

  return word ? word : "";
}

#endif
