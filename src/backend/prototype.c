/* The source becomes a list of tokens; the function is a name at the outermost level with brackets
 * behind it. Braces of `extern "C"` and of namespaces do not count as a level. */
#include "backend/prototype.h"

#include "base/c_type.h"
#include "base/text.h"

#include <ctype.h>
#include <stdlib.h>

struct token {
  const char *text;
  size_t length;
  int line;
  bool after_directive; /* a preprocessor line stands before it */
};

struct tokens {
  struct token *list;
  size_t count, capacity;
};

/* ---- Tokens ---- */

struct scanner {
  const char *at;
  int line;
  bool at_line_start, after_directive;
};

static void advance(struct scanner *scanner)
{
  if (*scanner->at == '\n') scanner->line++;
  scanner->at++;
}

/* Up to `end`, or to the end of the text. */
static void skip_until(struct scanner *scanner, const char *end)
{
  while (*scanner->at && strncmp(scanner->at, end, strlen(end)) != 0)
    advance(scanner);
  for (size_t i = 0; *scanner->at && end[i]; i++)
    advance(scanner);
}

static void skip_quoted(struct scanner *scanner)
{
  char quote = *scanner->at;

  for (advance(scanner); *scanner->at && *scanner->at != quote && *scanner->at != '\n';) {
    if (*scanner->at == '\\' && scanner->at[1]) advance(scanner);
    advance(scanner);
  }
  if (*scanner->at == quote) advance(scanner);
}

/* A directive ends with its line, unless a backslash stands before the end. */
static void skip_directive(struct scanner *scanner)
{
  while (*scanner->at && *scanner->at != '\n') {
    if (strncmp(scanner->at, "/*", 2) == 0) {
      skip_until(scanner, "*/");
      continue;
    }
    if (*scanner->at == '\\' && scanner->at[1] == '\n') advance(scanner);
    advance(scanner);
  }
  scanner->after_directive = true;
}

/* False: there is a token at `at`. */
static bool skip_blank(struct scanner *scanner)
{
  if (strncmp(scanner->at, "//", 2) == 0) {
    skip_until(scanner, "\n");
    scanner->at_line_start = true;
  } else if (strncmp(scanner->at, "/*", 2) == 0) {
    skip_until(scanner, "*/");
  } else if (*scanner->at == '#' && scanner->at_line_start) {
    skip_directive(scanner);
  } else if (isspace((unsigned char)*scanner->at) || *scanner->at == '\\') {
    if (*scanner->at == '\n') scanner->at_line_start = true;
    advance(scanner);
  } else {
    return false;
  }
  return true;
}

static void read_token(struct scanner *scanner, struct tokens *tokens)
{
  struct token token = {
      .text = scanner->at, .line = scanner->line, .after_directive = scanner->after_directive};

  if (*scanner->at == '"' || *scanner->at == '\'')
    skip_quoted(scanner);
  else if (hone__is_word(*scanner->at))
    while (hone__is_word(*scanner->at))
      advance(scanner);
  else
    advance(scanner);
  token.length = (size_t)(scanner->at - token.text);
  scanner->at_line_start = scanner->after_directive = false;
  HONE__GROW(tokens->list, tokens->count, tokens->capacity);
  tokens->list[tokens->count++] = token;
}

static void read_tokens(const char *source, struct tokens *tokens)
{
  struct scanner scanner = {.at = source, .line = 1, .at_line_start = true};

  while (*scanner.at)
    if (!skip_blank(&scanner)) read_token(&scanner, tokens);
}

static bool is(const struct token *token, const char *text)
{
  return token->length == strlen(text) && memcmp(token->text, text, token->length) == 0;
}

static bool is_word(const struct token *token)
{
  return isalpha((unsigned char)*token->text) || *token->text == '_';
}

/* ---- One parameter ---- */

static const char *text_of(struct hone__arena *arena, const struct token *list, size_t count)
{
  struct hone__text text = {0};
  const char *kept;

  for (size_t i = 0; i < count; i++) {
    bool glued = !i || is(&list[i - 1], "*") || is(&list[i], "[") || is(&list[i], "]") ||
                 is(&list[i - 1], "[");
    hone__text_add(&text, glued ? "" : " ");
    hone__text_addn(&text, list[i].text, list[i].length);
  }
  kept = hone__arena_strdup(arena, text.data);
  hone__text_release(&text);
  return kept;
}

static bool element_of(const struct token *list, size_t count, enum hone__element *out_element)
{
  if (!count) return false;
  return hone__c_type_element(
      list[0].text, (size_t)(list[count - 1].text + list[count - 1].length - list[0].text),
      out_element);
}

/* How many of the first tokens are words. */
static size_t words_of(const struct token *list, size_t count)
{
  size_t words = 0;

  while (words < count && is_word(&list[words]))
    words++;
  return words;
}

/* A last word that is no type by itself is the name. */
static bool is_name(const struct token *token)
{
  enum hone__element ignored;

  return is_word(token) && !element_of(token, 1, &ignored) && !is(token, "const") &&
         !is(token, "restrict") && !is(token, "__restrict__") && !is(token, "__restrict");
}

static void set_type(const struct token *list, size_t count, struct hone__parameter *parameter)
{
  size_t words = words_of(list, count), stars = 0;

  for (size_t i = 0; i < count; i++)
    stars += is(&list[i], "*") || is(&list[i], "[");
  parameter->is_pointer = stars > 0;
  if (stars > 1 || (words < count && !stars)) return; /* `std::size_t`, `T &`, `float **` */
  if (!stars || is(&list[words], "[")) words -= words && is_name(&list[words - 1]);
  parameter->has_element = element_of(list, words, &parameter->element);
}

static const char *name_of(struct hone__arena *arena, const struct token *list, size_t count)
{
  size_t end = 0;

  while (end < count && !is(&list[end], "["))
    end++;
  if (end < 2 || !is_name(&list[end - 1])) return "";
  return hone__arena_strndup(arena, list[end - 1].text, list[end - 1].length);
}

/* False: a macro or a form that is not understood may stand here. */
static bool read_parameter(struct hone__arena *arena, const struct token *list, size_t count,
                           struct hone__parameter *out_parameter)
{
  *out_parameter = (struct hone__parameter){0};
  if (!count || !is_word(&list[0])) return false;
  *out_parameter = (struct hone__parameter){.text = text_of(arena, list, count),
                                            .name = name_of(arena, list, count),
                                            .line = list[0].line};
  for (size_t i = 0; i < count; i++)
    if (strchr("(<=.{\"'", *list[i].text) || (i && list[i].after_directive)) return false;
  set_type(list, count, out_parameter);
  return count > 1 || out_parameter->has_element;
}

/* ---- All of them ---- */

/* The number of the bracket that closes the one at `open`; the number of tokens without one. */
static size_t find_end(const struct tokens *tokens, size_t open)
{
  size_t depth = 0, i = open;

  for (; i < tokens->count; i++) {
    depth += is(&tokens->list[i], "(");
    if (is(&tokens->list[i], ")") && --depth == 0) break;
  }
  return i;
}

static bool read_parameters(const struct tokens *tokens, size_t open, struct hone__arena *arena,
                            struct hone__prototype *out)
{
  size_t end = find_end(tokens, open), begin = open + 1;
  bool is_empty = end == begin || (end == begin + 1 && is(&tokens->list[begin], "void"));

  *out = (struct hone__prototype){.line = tokens->list[open].line};
  if (end == tokens->count || tokens->list[end].after_directive) return false;
  out->parameters = hone__arena_alloc(arena, (end - open) * sizeof *out->parameters);
  for (size_t i = begin; i <= end && !is_empty; i++) {
    if (i < end && !is(&tokens->list[i], ",")) continue;
    if (tokens->list[begin].after_directive ||
        !read_parameter(arena, &tokens->list[begin], i - begin, &out->parameters[out->count++]))
      return false;
    begin = i + 1;
  }
  return true;
}

static bool is_same(const struct hone__prototype *a, const struct hone__prototype *b)
{
  if (a->count != b->count) return false;
  for (size_t i = 0; i < a->count; i++) {
    const struct hone__parameter *x = &a->parameters[i], *y = &b->parameters[i];
    if (x->is_pointer != y->is_pointer || x->has_element != y->has_element) return false;
    if (x->has_element && x->element != y->element) return false;
  }
  return true;
}

/* A brace that opens no level of its own. */
static bool is_outer_brace(const struct tokens *tokens, size_t at)
{
  const struct token *list = tokens->list;

  if (at && *list[at - 1].text == '"') return true;
  return (at && is(&list[at - 1], "namespace")) || (at > 1 && is(&list[at - 2], "namespace"));
}

struct search {
  size_t levels, outer; /* open braces; those that do not count */
  bool is_found, is_sure;
};

static void look_at(const struct tokens *tokens, size_t at, const char *function,
                    struct hone__arena *arena, struct search *search, struct hone__prototype *found)
{
  struct hone__prototype here;
  const struct token *before = at ? &tokens->list[at - 1] : NULL;

  if (search->levels || !is(&tokens->list[at], function) || at + 1 >= tokens->count) return;
  if (!is(&tokens->list[at + 1], "(")) return;
  if (!before || (!is_word(before) && !is(before, "*") && !is(before, ")"))) return;
  search->is_sure &= read_parameters(tokens, at + 1, arena, &here);
  if (search->is_found && search->is_sure) search->is_sure = is_same(found, &here);
  search->is_found = true;
  *found = here;
}

static void count_braces(const struct tokens *tokens, size_t at, struct search *search)
{
  if (is(&tokens->list[at], "{")) {
    if (!search->levels && is_outer_brace(tokens, at))
      search->outer++;
    else
      search->levels++;
  } else if (is(&tokens->list[at], "}")) {
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
  struct tokens tokens = {0};

  *out_prototype = (struct hone__prototype){0};
  read_tokens(source, &tokens);
  for (size_t i = 0; i < tokens.count; i++) {
    count_braces(&tokens, i, &search);
    look_at(&tokens, i, function, arena, &search, out_prototype);
  }
  free(tokens.list);
  return search.is_found && search.is_sure;
}
