#include "command_text.h"

#include "quote.h"

#include <stdlib.h>

/* Options for this time only: the stored command continues the run. */
static bool is_for_once(const char *word)
{
  static const char *const words[] = {"--fresh", "--no-wait", "--wait"};

  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strcmp(word, words[i]) == 0) return true;
  return false;
}

char *command_text(const char *name, char **argv, const char *word, const char *instead)
{
  struct output text;
  char *line;

  output_open(&text, OUTPUT_MEMORY, false);
  output_text(&text, name);
  for (; *argv; argv++) {
    if (is_for_once(*argv)) continue;
    output_text(&text, " ");
    if (word && strcmp(*argv, word) == 0)
      output_text(&text, instead);
    else
      quote_shell_text(&text, *argv);
  }
  line = check_memory(strndup(text.bytes, text.used));
  output_close(&text);
  return line;
}
