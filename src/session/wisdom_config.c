#include "session/wisdom_config.h"

#include "base/memory.h"
#include "base/text.h"
#include "spec/value.h"

#include <string.h>

static struct hone_value value_of(const struct hone_wisdom_value *value)
{
  switch (value->type) {
  case HONE_WISDOM_BOOL: return hone__bool(value->integer);
  case HONE_WISDOM_INTEGER: return hone__int(value->integer);
  case HONE_WISDOM_REAL: return hone__real(value->real);
  case HONE_WISDOM_TEXT: return hone__string(value->text);
  case HONE_WISDOM_NONE: break;
  }
  return (struct hone_value){.type = HONE_NONE};
}

char *hone__session_wisdom_config(const struct hone_wisdom_entry *entry)
{
  const struct hone_wisdom_pair *pair;
  struct hone__text text = {0};

  for (size_t i = 0; (pair = hone_wisdom_entry_param(entry, i)); i++) {
    bool needs_quotes =
        pair->value.type == HONE_WISDOM_TEXT && strpbrk(pair->value.text, ",='\" \\");
    hone__text_addf(&text, "%s%s=", i ? "," : "", pair->name);
    if (needs_quotes)
      hone__value_repr(value_of(&pair->value), &text);
    else
      hone__value_print(value_of(&pair->value), &text);
  }
  return text.data ? hone__text_take(&text) : NULL;
}
