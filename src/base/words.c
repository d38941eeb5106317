/* One pass over the line. A word begins with its first character or quote, so that '' is an empty
 * word, and ends at a blank outside quotes. */
#include "base/words.h"

#include "base/text.h"

#include <stdlib.h>

static void add_taken(struct hone__words *words, char *word)
{
  if (words->count + 1 >= words->capacity) {
    words->capacity = words->capacity ? 2 * words->capacity : 8;
    words->data = hone__realloc(words->data, words->capacity * sizeof *words->data);
  }
  words->data[words->count++] = word;
  words->data[words->count] = NULL;
}

void hone__words_add(struct hone__words *words, const char *word)
{
  add_taken(words, hone__strdup(word));
}

void hone__words_add_all(struct hone__words *words, const char *const *more)
{
  for (; more && *more; more++)
    hone__words_add(words, *more);
}

static bool is_blank(char c)
{
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* After the opening quote; NULL if no other follows. */
static const char *single_quoted(const char *at, struct hone__text *word)
{
  const char *end = strchr(at, '\'');

  if (!end) return NULL;
  hone__text_addn(word, at, (size_t)(end - at));
  return end + 1;
}

static const char *double_quoted(const char *at, struct hone__text *word)
{
  for (; *at && *at != '"'; at++) {
    if (at[0] == '\\' && at[1] && strchr("$`\"\\\n", at[1])) {
      at++;
      if (*at == '\n') continue;
    }
    hone__text_addn(word, at, 1);
  }
  return *at ? at + 1 : NULL;
}

/* A backslash outside quotes; NULL if nothing follows it. */
static const char *escaped(const char *at, struct hone__text *word)
{
  if (!*at) return NULL;
  if (*at != '\n') hone__text_addn(word, at, 1);
  return at + 1;
}

/* Reads one word from `at`, which is not a blank; NULL if a quote stays open. */
static const char *read_word(const char *at, struct hone__text *word)
{
  while (at && *at && !is_blank(*at)) {
    char c = *at++;
    if (c == '\'')
      at = single_quoted(at, word);
    else if (c == '"')
      at = double_quoted(at, word);
    else if (c == '\\')
      at = escaped(at, word);
    else
      hone__text_addn(word, &c, 1);
  }
  return at;
}

static void cut(struct hone__words *words, size_t count)
{
  while (words->count > count)
    free(words->data[--words->count]);
  if (words->data) words->data[count] = NULL;
}

hone_status hone__words_split(struct hone__words *words, const char *line)
{
  size_t before = words->count;
  const char *at = line;

  for (;;) {
    struct hone__text word = {0};
    while (is_blank(*at))
      at++;
    if (!*at) return NULL;
    at = read_word(at, &word);
    if (!at) {
      hone__text_release(&word);
      cut(words, before);
      return hone__error(HONE_INVALID_ARGUMENT,
                         "cannot split '%s' into words: a quote is not closed", line);
    }
    add_taken(words, hone__text_take(&word));
  }
}

void hone__words_release(struct hone__words *words)
{
  cut(words, 0);
  free(words->data);
  *words = (struct hone__words){0};
}
