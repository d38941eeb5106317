/* Types that the source names itself: `typedef double complex number;`, `typedef short block[64];`.
 */
#include "sketch/sketch.h"

#include "source/c_tokens.h"

#include <stdio.h>

/* The name that a typedef declares is followed by what ends it, or by lengths. */
static bool declares(const struct hone__code_token *list, size_t at, const char *text)
{
  char name[64];

  if (!hone__code_token_is_word(&list[at]) || list[at].length >= sizeof name ||
      !strchr(";[)", *list[at + 1].text))
    return false;
  snprintf(name, sizeof name, "%.*s", (int)list[at].length, list[at].text);
  return hone__has_word(text, name);
}

/* The tokens after `typedef`, up to the `;`. */
static void add_words(const struct hone__code_token *list, size_t begin, size_t end,
                      struct hone__text *out)
{
  for (size_t i = begin; i < end; i++) {
    bool is_next =
        i > begin && hone__code_token_is_word(&list[i]) && hone__code_token_is_word(&list[i - 1]);
    if (is_next) hone__text_add(out, " ");
    hone__text_addn(out, list[i].text, list[i].length);
  }
}

static bool look(const struct hone__code_tokens *tokens, size_t begin, const char *text,
                 struct hone__text *out)
{
  size_t end = begin;
  bool is_found = false;

  while (end < tokens->count && !hone__code_token_is(&tokens->list[end], ";")) {
    if (hone__code_token_is(&tokens->list[end], "{")) return false; /* a struct */
    end++;
  }
  for (size_t i = begin + 1; i < end && end < tokens->count; i++)
    is_found = is_found || declares(tokens->list, i, text);
  if (is_found) add_words(tokens->list, begin, end, out);
  return is_found;
}

bool hone__sketch_typedef(const struct hone__sketch *sketch,
                          const struct hone__parameter *parameter, struct hone__text *out)
{
  struct hone__code_tokens tokens = {0};
  bool is_found = false;

  hone__code_tokens_read(sketch->text, &tokens);
  for (size_t i = 0; i < tokens.count && !is_found; i++)
    if (hone__code_token_is(&tokens.list[i], "typedef"))
      is_found = look(&tokens, i + 1, parameter->text, out);
  hone__code_tokens_release(&tokens);
  return is_found;
}

/* ---- What is no argument ---- */

/* `int (*compare)(const void *, const void *)`, and not `float (*rows)[64]`. */
static bool is_function(const char *text)
{
  const char *star = strstr(text, "(*"), *close = star ? strchr(star, ')') : NULL;

  return close && close[1 + strspn(close + 1, " ")] == '(';
}

/* `float **rows`, `float *rows[]`. */
static bool has_pointers(const char *text)
{
  const char *star = strchr(text, '*');

  return star && !strstr(text, "(*") && (strchr(star + 1, '*') || strchr(star + 1, '['));
}

const char *hone__sketch_refusal(const struct hone__sketch *sketch,
                                 const struct hone__parameter *parameter)
{
  const char *refusal = NULL;
  struct hone__text alias = {0};
  bool has_alias = hone__sketch_typedef(sketch, parameter, &alias);

  if (is_function(parameter->text) || (has_alias && is_function(alias.data)))
    refusal = "a function cannot be an argument";
  else if (has_pointers(parameter->text))
    refusal = "an array of pointers cannot be an argument";
  else if (parameter->is_pointer && parameter->target_bytes && !parameter->members &&
           !parameter->has_element)
    refusal = "a struct with more than numbers in it cannot be an argument";
  hone__text_release(&alias);
  return refusal;
}
