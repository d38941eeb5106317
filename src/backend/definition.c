/* Definitions: see definition.h. */
#include "backend/definition.h"

void hone__definition_print(struct hone__text *text, struct hone_value value,
                            enum hone__spelling spelling)
{
  if (spelling == HONE__TRUE_IS_1 && value.type == HONE_BOOL) value.type = HONE_INT;
  if (spelling == HONE__TRUE_IS_TRUE || value.type != HONE_NONE) hone__value_print(value, text);
}

void hone__definition_add(struct hone__pairs *definitions, const char *name,
                          struct hone_value value, enum hone__spelling spelling)
{
  struct hone__text text = {0};

  if ((value.type == HONE_NONE && spelling == HONE__TRUE_IS_1) || value.type == HONE_LIST ||
      hone__pairs_find(definitions, name))
    return;
  hone__definition_print(&text, value, spelling);
  hone__pairs_add(definitions, name, text.data ? text.data : "");
  hone__text_release(&text);
}

void hone__definition_add_given(struct hone__pairs *definitions, const struct hone__node *given,
                                enum hone__spelling spelling)
{
  for (size_t i = 0; given && i < given->count; i++) {
    const struct hone__node *value = given->pairs[i].value;
    bool boolean = value->value.type == HONE_BOOL;
    hone__definition_add(definitions, given->pairs[i].key->text,
                         boolean ? value->value : hone__string(value->text), spelling);
  }
}

const char *hone__definition_name(const struct hone__node *prefix, const char *name,
                                  struct hone__text *text)
{
  text->length = 0;
  hone__text_addf(text, "%s%s", prefix ? prefix->text : "", name);
  return text->data;
}

bool hone__definition_stands_again(const struct hone_space *space, size_t group, size_t param)
{
  const char *name = hone_space_param_name(space, group, param);

  for (size_t i = param + 1; i < hone_space_param_count(space, group); i++)
    if (strcmp(hone_space_param_name(space, group, i), name) == 0) return true;
  return false;
}
