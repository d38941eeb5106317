/* Places are filled in first and lines are indented afterwards, so that a text of several lines
 * keeps the indent. */
#include "export/snippet.h"
#include "base/sorting.h"
#include "base/words.h"

#include <ctype.h>
#include <stdlib.h>

/* The length of "[@NAME]" at `at`, with the name's length; 0 if none begins here. */
static size_t place_length(const char *at, size_t *out_name)
{
  size_t length;

  if (at[0] != '[' || at[1] != '@') return 0;
  if (!isalpha((unsigned char)at[2]) && at[2] != '_') return 0;
  length = hone__text_word_length(at + 2);
  *out_name = length;
  return at[2 + length] == ']' ? length + 3 : 0;
}

static void note_missing(struct hone__words *missing, const char *name, size_t length)
{
  char *word = hone__alloc(length + 1);

  memcpy(word, name, length);
  for (size_t i = 0; i < missing->count && *word; i++)
    if (strcmp(missing->data[i], word) == 0) *word = 0;
  if (*word) hone__words_add(missing, word);
  free(word);
}

static void fill(const char *snippet, const struct hone__entry *entry, struct hone__text *text,
                 struct hone__words *missing)
{
  size_t name = 0, length;
  const char *value;

  for (const char *at = snippet; *at; at += length) {
    length = place_length(at, &name);
    if (!length) {
      if (*at != '\r' || at[1] != '\n') hone__text_addn(text, at, 1);
      length = 1;
    } else if ((value = hone__entry_find(entry, at + 2, name)) != NULL) {
      hone__text_add(text, value);
    } else {
      note_missing(missing, at + 2, name);
    }
  }
}

static hone_status missing_error(struct hone__words *missing)
{
  struct hone__text names = {0};
  hone_status status;

  qsort(missing->data, missing->count, sizeof *missing->data, hone__by_text);
  for (size_t i = 0; i < missing->count; i++)
    hone__text_addf(&names, "%s%s", i ? ", " : "", missing->data[i]);
  status = hone__error(HONE_INVALID_ARGUMENT, "Missing snippet parameters: %s", names.data);
  hone__text_release(&names);
  return status;
}

static void add_indented(const char *filled, size_t length, unsigned indent,
                         struct hone__text *text)
{
  while (length && isspace((unsigned char)filled[length - 1]))
    length--;
  for (size_t i = 0; i < length; i++) {
    bool begins = i == 0 || filled[i - 1] == '\n';
    if (begins && filled[i] != '\n') hone__text_addf(text, "%*s", (int)indent, "");
    hone__text_addn(text, &filled[i], 1);
  }
}

hone_status hone__snippet_render(const char *snippet, const struct hone__entry *entry,
                                 unsigned indent, struct hone__text *text)
{
  struct hone__words missing = {0};
  struct hone__text filled = {0};
  hone_status status = NULL;

  hone__text_add(&filled, "");
  fill(snippet, entry, &filled, &missing);
  if (missing.count)
    status = missing_error(&missing);
  else
    add_indented(filled.data, filled.length, indent, text);
  hone__text_release(&filled);
  hone__words_release(&missing);
  return status;
}
