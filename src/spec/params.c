#include "spec/params.h"

#include "base/accessor.h"
#include "base/memory.h"
#include "spec/spec_text.h"
#include "spec/word_kind.h"

#include <stdlib.h>

struct parsed {
  struct hone_params params; /* first: what the caller holds */
  struct hone__arena arena;  /* of its texts */
};

struct hone_params *hone_params_parse(const char *config)
{
  struct parsed *parsed = hone__alloc(sizeof *parsed);

  parsed->params.at = hone__config_params(&parsed->arena, config, &parsed->params.count);
  return &parsed->params;
}

void hone_params_free(struct hone_params *params)
{
  struct parsed *parsed = (struct parsed *)params;

  if (!parsed) return;
  hone__arena_release(&parsed->arena);
  free(parsed);
}

HONE__GET(size_t, hone_params, count, count)
HONE__GET_IN(const char *, hone_params, name, at, name, count, NULL)
HONE__GET_IN(const char *, hone_params, text, at, value, count, NULL)
HONE__GET_IN(bool, hone_params, is_runtime, at, is_runtime, count, false)

struct hone_value hone_params_value(const struct hone_params *params, size_t i)
{
  if (i >= params->count) return (struct hone_value){.type = HONE_NONE};
  return hone__word_value(params->at[i].value);
}

bool hone_params_find(const struct hone_params *params, const char *name,
                      struct hone_value *out_value)
{
  for (size_t i = 0; i < params->count; i++) {
    if (strcmp(params->at[i].name, name) != 0) continue;
    *out_value = hone_params_value(params, i);
    return true;
  }
  return false;
}
