/* The source becomes a list of tokens; the function is a name at the outermost level followed by
 * brackets. Braces of `extern "C"` and of namespaces do not count as a level.
 */
#include "source/prototype.h"

#include "source/c_tokens.h"
#include "base/c_type.h"
#include "base/text.h"

/* ---- One parameter ---- */

static const char *text_of(struct hone__arena *arena, const struct hone__code_token *list,
                           size_t count)
{
  struct hone__text text = {0};
  const char *kept;

  for (size_t i = 0; i < count; i++) {
    bool glued = !i || hone__code_token_is(&list[i - 1], "*") ||
                 hone__code_token_is(&list[i], "[") || hone__code_token_is(&list[i], "]") ||
                 hone__code_token_is(&list[i - 1], "[") || hone__code_token_is(&list[i], ":") ||
                 hone__code_token_is(&list[i - 1], ":");
    hone__text_add(&text, glued ? "" : " ");
    hone__text_addn(&text, list[i].text, list[i].length);
  }
  kept = hone__arena_strdup(arena, text.data);
  hone__text_release(&text);
  return kept;
}

static bool element_of(const struct hone__code_token *list, size_t count,
                       enum hone__element *out_element)
{
  if (!count) return false;
  return hone__element_of_c_type(
      list[0].text, (size_t)(list[count - 1].text + list[count - 1].length - list[0].text),
      out_element);
}

/* How many of the first tokens are words. */
static size_t words_of(const struct hone__code_token *list, size_t count)
{
  size_t words = 0;

  while (words < count && hone__code_token_is_word(&list[words]))
    words++;
  return words;
}

/* A last word that is not a type is the name. */
static bool is_name(const struct hone__code_token *token)
{
  enum hone__element ignored;

  return hone__code_token_is_word(token) && !element_of(token, 1, &ignored) &&
         !hone__code_token_is(token, "const") && !hone__code_token_is(token, "restrict") &&
         !hone__code_token_is(token, "__restrict__") && !hone__code_token_is(token, "__restrict");
}

/* ---- Names of types ---- */

static bool is_same_word(const struct hone__code_token *a, const struct hone__code_token *b)
{
  return a->length == b->length && memcmp(a->text, b->text, a->length) == 0;
}

/* The words of `typedef unsigned int NAME;` or `using NAME = unsigned int;` that begins at `at`;
 * NULL: it declares another name, or is not a plain list of words. */
static const struct hone__code_token *type_words(const struct hone__code_tokens *tokens, size_t at,
                                                 const struct hone__code_token *name,
                                                 size_t *out_count)
{
  const struct hone__code_token *list = &tokens->list[at];
  size_t left = tokens->count - at, words = words_of(list, left);
  bool is_using = hone__code_token_is(list, "using");

  if (!is_using && !hone__code_token_is(list, "typedef")) return NULL;
  if (is_using) {
    if (words != 2 || !is_same_word(&list[1], name) || left < 4 ||
        !hone__code_token_is(&list[2], "="))
      return NULL;
    *out_count = words_of(&list[3], left - 3);
    return 3 + *out_count < left && hone__code_token_is(&list[3 + *out_count], ";") ? &list[3]
                                                                                    : NULL;
  }
  if (words < 3 || words == left || !hone__code_token_is(&list[words], ";") ||
      !is_same_word(&list[words - 1], name))
    return NULL;
  *out_count = words - 2;
  return &list[1];
}

/* What a name stands for, if the source declares it once. */
static bool element_of_name(const struct hone__code_tokens *tokens,
                            const struct hone__code_token *name, enum hone__element *out_element)
{
  size_t found = 0;
  bool is_known = false;

  for (size_t i = 0; i < tokens->count; i++) {
    size_t count;
    const struct hone__code_token *words = type_words(tokens, i, name, &count);
    if (!words) continue;
    is_known = !found++ && element_of(words, count, out_element);
  }
  return is_known;
}

/* Also of `const real`. */
static bool element_of_words(const struct hone__code_tokens *tokens,
                             const struct hone__code_token *list, size_t count,
                             enum hone__element *out_element)
{
  const struct hone__code_token *name = NULL;

  if (element_of(list, count, out_element)) return true;
  for (size_t i = 0; i < count; i++) {
    if (!is_name(&list[i])) continue;
    if (name) return false;
    name = &list[i];
  }
  return name && element_of_name(tokens, name, out_element);
}

static void set_type(const struct hone__code_tokens *tokens, const struct hone__code_token *list,
                     size_t count, struct hone__parameter *parameter)
{
  size_t words = words_of(list, count), stars = 0;

  for (size_t i = 0; i < count; i++)
    stars += hone__code_token_is(&list[i], "*") || hone__code_token_is(&list[i], "[");
  parameter->is_pointer = stars > 0;
  if (stars > 1 || (words < count && !stars)) return; /* `std::size_t`, `T &`, `float **` */
  if (!stars || hone__code_token_is(&list[words], "["))
    words -= words > 1 && is_name(&list[words - 1]);
  parameter->has_element = element_of_words(tokens, list, words, &parameter->element);
  parameter->is_named = parameter->has_element && !element_of(list, words, &parameter->element);
}

static const char *name_of(struct hone__arena *arena, const struct hone__code_token *list,
                           size_t count)
{
  size_t end = 0;

  while (end < count && !hone__code_token_is(&list[end], "["))
    end++;
  if (end < 2 || !is_name(&list[end - 1])) return "";
  return hone__arena_strndup(arena, list[end - 1].text, list[end - 1].length);
}

/* False: it may be a macro or an unknown form. */
static bool read_parameter(const struct hone__code_tokens *tokens, struct hone__arena *arena,
                           const struct hone__code_token *list, size_t count,
                           struct hone__parameter *out_parameter)
{
  *out_parameter = (struct hone__parameter){0};
  if (!count || !hone__code_token_is_word(&list[0])) return false;
  *out_parameter = (struct hone__parameter){.text = text_of(arena, list, count),
                                            .name = name_of(arena, list, count),
                                            .line = list[0].line};
  for (size_t i = 0; i < count; i++)
    if (strchr("(<=.{\"'", *list[i].text) || (i && list[i].after_directive)) return false;
  if (count > 4 && hone__code_token_is(&list[0], "std") &&
      hone__code_token_is(&list[1], ":")) { /* `std::size_t n` */
    list += 3;
    count -= 3;
  }
  set_type(tokens, list, count, out_parameter);
  return count > 1 || out_parameter->has_element;
}

/* ---- All of them ---- */

static bool read_parameters(const struct hone__code_tokens *tokens, size_t open,
                            struct hone__arena *arena, struct hone__prototype *out)
{
  size_t end = hone__code_tokens_end(tokens, open), begin = open + 1;
  bool is_empty =
      end == begin || (end == begin + 1 && hone__code_token_is(&tokens->list[begin], "void"));

  *out = (struct hone__prototype){.line = tokens->list[open].line};
  if (end == tokens->count || tokens->list[end].after_directive) return false;
  out->parameters = hone__arena_alloc(arena, (end - open) * sizeof *out->parameters);
  for (size_t i = begin; i <= end && !is_empty; i++) {
    if (i < end && !hone__code_token_is(&tokens->list[i], ",")) continue;
    if (tokens->list[begin].after_directive ||
        !read_parameter(tokens, arena, &tokens->list[begin], i - begin,
                        &out->parameters[out->count++]))
      return false;
    begin = i + 1;
  }
  return true;
}

bool hone__prototype_is_same(const struct hone__prototype *a, const struct hone__prototype *b)
{
  if (a->count != b->count) return false;
  for (size_t i = 0; i < a->count; i++) {
    const struct hone__parameter *x = &a->parameters[i], *y = &b->parameters[i];
    if (x->is_pointer != y->is_pointer || x->has_element != y->has_element) return false;
    if (x->has_element && x->element != y->element) return false;
  }
  return true;
}

struct search {
  size_t levels, outer; /* open braces; those that do not count */
  bool is_found, is_sure;
};

static void look_at(const struct hone__code_tokens *tokens, size_t at, const char *function,
                    struct hone__arena *arena, struct search *search, struct hone__prototype *found)
{
  struct hone__prototype here;
  const struct hone__code_token *before = at ? &tokens->list[at - 1] : NULL;

  if (search->levels || !hone__code_token_is(&tokens->list[at], function) ||
      at + 1 >= tokens->count)
    return;
  if (!hone__code_token_is(&tokens->list[at + 1], "(")) return;
  if (!before || (!hone__code_token_is_word(before) && !hone__code_token_is(before, "*") &&
                  !hone__code_token_is(before, ")")))
    return;
  search->is_sure &= read_parameters(tokens, at + 1, arena, &here);
  if (search->is_found && search->is_sure) search->is_sure = hone__prototype_is_same(found, &here);
  search->is_found = true;
  *found = here;
}

static void count_braces(const struct hone__code_tokens *tokens, size_t at, struct search *search)
{
  if (hone__code_token_is(&tokens->list[at], "{")) {
    if (!search->levels && hone__code_tokens_is_outer_brace(tokens, at))
      search->outer++;
    else
      search->levels++;
  } else if (hone__code_token_is(&tokens->list[at], "}")) {
    if (search->levels)
      search->levels--;
    else if (search->outer)
      search->outer--;
  }
}

bool hone__prototype_find(const char *source, const char *function, struct hone__arena *arena,
                          struct hone__prototype *out_prototype)
{
  struct search search = {.is_sure = true};
  struct hone__code_tokens tokens = {0};

  *out_prototype = (struct hone__prototype){0};
  hone__code_tokens_read(source, &tokens);
  for (size_t i = 0; i < tokens.count; i++) {
    count_braces(&tokens, i, &search);
    look_at(&tokens, i, function, arena, &search, out_prototype);
  }
  hone__code_tokens_release(&tokens);
  return search.is_found && search.is_sure;
}

bool hone__parameter_is_constant(const struct hone__parameter *parameter)
{
  const char *word = strstr(parameter->text, "const"), *star = strchr(parameter->text, '*');

  return parameter->is_pointer && word && star && word < star && !strchr(star + 1, '*');
}
