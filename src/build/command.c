/* Command lines: see command.h. */
#include "build/command.h"

#include "base/quote.h"
#include "base/words.h"

#include <stdlib.h>

hone_status hone__command_split(const char *line, json_t *words)
{
  struct hone__words split = {0};
  hone_status status = hone__words_split(&split, line);

  for (size_t i = 0; i < split.count; i++)
    json_array_append_new(words, json_string(split.data[i]));
  hone__words_release(&split);
  return status;
}

void hone__command_add(struct hone__text *text, const char *word)
{
  if (text->length) hone__text_add(text, " ");
  hone__quote_shell(text, word);
}

void hone__command_print(struct hone__text *text, const json_t *words)
{
  for (size_t i = 0; i < json_array_size(words); i++) {
    const char *word = json_string_value(json_array_get(words, i));
    if (word) hone__command_add(text, word);
  }
}

const char **hone__command_argv(const json_t *words)
{
  size_t count = json_array_size(words), used = 0;
  const char **argv = hone__alloc((count + 1) * sizeof *argv);

  for (size_t i = 0; i < count; i++) {
    const char *word = json_string_value(json_array_get(words, i));
    if (word) argv[used++] = word;
  }
  return argv;
}
