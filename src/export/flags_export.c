/* Flags for a compiler on one line: -DBM=64, and those of the build that have parameters in them.
 * Words are quoted for a shell. */
#include "export/formatting.h"

#include "backend/definition.h"
#include "base/quote.h"
#include "spec/word_kind.h"

#include <inttypes.h>

static void add_word(struct hone__formatting *formatting, const char *word)
{
  if (formatting->text.length) hone__text_add(&formatting->text, " ");
  hone__quote_shell(&formatting->text, word);
}

static void add_macro(struct hone__formatting *formatting, const struct hone__spec_param *param)
{
  struct hone_value value = hone__word_value(param->value);
  struct hone__text flag = {0};

  if (value.type == HONE_NONE) return; /* None is not a macro */
  hone__text_addf(&flag, "-D%s%s=", formatting->tuned[0].prefix, param->name);
  hone__definition_print(&flag, value, HONE__TRUE_IS_1);
  add_word(formatting, flag.data);
  hone__text_release(&flag);
}

hone_status hone__export_flags(struct hone__formatting *formatting)
{
  const struct hone__tuned *tuned = &formatting->tuned[0];

  for (size_t i = 0; i < tuned->param_count; i++) {
    if (!hone__is_identifier(tuned->params[i].name))
      return hone__error(HONE_INVALID_ARGUMENT, "'%s' is not a name of a macro",
                         tuned->params[i].name);
    add_macro(formatting, &tuned->params[i]);
  }
  for (size_t i = 0; i < tuned->flag_count; i++)
    add_word(formatting, tuned->flags[i]);
  if (tuned->unproved) hone__text_add(&formatting->text, " -DHONE_UNPROVED=1");
  hone__text_add(&formatting->text, "\n");
  return NULL;
}
