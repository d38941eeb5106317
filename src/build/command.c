/* Command lines: see command.h. */
#include "build/command.h"

#include "base/quote.h"

void hone__build_command_add(struct hone__text *text, const char *word)
{
  if (text->length) hone__text_add(text, " ");
  hone__quote_shell(text, word);
}

void hone__build_command_print(struct hone__text *text, const char *const *words)
{
  for (; words && *words; words++)
    hone__build_command_add(text, *words);
}
