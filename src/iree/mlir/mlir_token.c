/* Tokens of MLIR. One is a function of the text and of where it begins, so that looking ahead is
 * free of state. Comments and the resources at the end of a file ({-# ... #-}) are blanks. */
#include "iree/mlir/mlir_parser.h"

#include <ctype.h>

static size_t skip_to(const struct hone__mlir *mlir, size_t at, const char *mark)
{
  const char *found = memmem(mlir->text + at, mlir->size - at, mark, strlen(mark));

  return found ? (size_t)(found - mlir->text) : mlir->size;
}

static bool has(const struct hone__mlir *mlir, size_t at, const char *prefix)
{
  return strncmp(mlir->text + at, prefix, strlen(prefix)) == 0;
}

static size_t skip_resources(const struct hone__mlir *mlir, size_t at)
{
  at = skip_to(mlir, at, "#-}");
  return at < mlir->size ? at + 3 : at;
}

static size_t skip_blanks(const struct hone__mlir *mlir, size_t at, struct hone__mlir_token *token)
{
  for (; at < mlir->size; at++) {
    char c = mlir->text[at];
    if (c == '/' && mlir->text[at + 1] == '/') at = skip_to(mlir, at, "\n");
    if (at == mlir->size) break;
    c = mlir->text[at];
    if (c == '{' && has(mlir, at, "{-#")) {
      at = skip_resources(mlir, at) - 1;
      token->is_first = true;
    } else if (c == '\n') {
      token->line++;
      token->is_first = true;
    } else if (c != ' ' && c != '\t' && c != '\r' && c != '\f' && c != '\v') {
      break;
    }
  }
  return at;
}

static bool is_in_word(char c)
{
  return isalnum((unsigned char)c) || c == '_' || c == '$' || c == '.';
}

static size_t word_end(const char *text, size_t at)
{
  while (is_in_word(text[at]) ||
         (text[at] == '|' && (isalpha((unsigned char)text[at + 1]) || text[at + 1] == '_')))
    at++;
  return at;
}

/* Names after % # ! ^ may have a minus; that of an arrow does not belong to the name. */
static size_t name_end(const char *text, size_t at)
{
  while (is_in_word(text[at]) || (text[at] == '-' && text[at + 1] != '>'))
    at++;
  return at;
}

static size_t value_end(const char *text, size_t at)
{
  size_t end = name_end(text, at), number = end + 1;

  if (text[end] != '#' || !isdigit((unsigned char)text[number])) return end;
  while (isdigit((unsigned char)text[number]))
    number++;
  return number;
}

/* 0: it is not closed in its line. Weights are strings of megabytes: nothing looks at every byte.
 */
static size_t string_end(const struct hone__mlir *mlir, size_t at)
{
  const char *from = mlir->text + at + 1, *end = mlir->text + mlir->size, *quote = NULL;

  while (from < end) {
    const char *escape;
    if (!quote || quote < from) quote = memchr(from, '"', (size_t)(end - from));
    if (!quote) return 0;
    escape = memchr(from, '\\', (size_t)(quote - from));
    if (memchr(from, '\n', (size_t)((escape ? escape : quote) - from))) return 0;
    if (!escape) return (size_t)(quote - mlir->text) + 1;
    from = escape + 2;
  }
  return 0;
}

static size_t symbol_end(const struct hone__mlir *mlir, size_t at)
{
  const char *text = mlir->text;

  for (;;) {
    at++;
    at = text[at] == '"' ? string_end(mlir, at) : word_end(text, at);
    if (!at || !has(mlir, at, "::@")) return at;
    at += 2;
  }
}

/* `4x4` in an attribute of a dialect is a word. */
static int number_kind(const char *text, size_t *at)
{
  size_t i = *at + (text[*at] == '-');
  int kind = HONE__MLIR_TOKEN_NUMBER;

  if (text[i] == '0' && text[i + 1] == 'x' && isxdigit((unsigned char)text[i + 2])) {
    for (i += 2; isxdigit((unsigned char)text[i]);)
      i++;
  } else {
    while (isdigit((unsigned char)text[i]))
      i++;
    if (text[i] == '.' && isdigit((unsigned char)text[i + 1]))
      for (i++; isdigit((unsigned char)text[i]);)
        i++;
    else if (text[i] == '.')
      i++;
    if ((text[i] == 'e' || text[i] == 'E') &&
        (isdigit((unsigned char)text[i + 1]) ||
         (strchr("+-", text[i + 1]) && isdigit((unsigned char)text[i + 2]))))
      for (i += 2; isdigit((unsigned char)text[i]);)
        i++;
  }
  if (is_in_word(text[i])) {
    kind = HONE__MLIR_TOKEN_WORD;
    i = word_end(text, i);
  }
  *at = i;
  return kind;
}

static int punctuation(const char *text, size_t *at)
{
  char c = text[*at], next = text[*at + 1];

  ++*at;
  if (c == '-' && next == '>') {
    ++*at;
    return HONE__MLIR_TOKEN_ARROW;
  }
  if ((c == '>' || c == '<' || c == '=') && next == '=') {
    ++*at;
    return HONE__MLIR_TOKEN_COMPARISON;
  }
  return isgraph((unsigned char)c) ? c : HONE__MLIR_TOKEN_BAD;
}

static int lex(const struct hone__mlir *mlir, size_t *at)
{
  const char *text = mlir->text;
  char c = text[*at], next = text[*at + 1];

  if (isalpha((unsigned char)c) || c == '_') {
    *at = word_end(text, *at);
    return HONE__MLIR_TOKEN_WORD;
  }
  if (isdigit((unsigned char)c) || (c == '-' && isdigit((unsigned char)next)))
    return number_kind(text, at);
  if (c == '"') {
    *at = string_end(mlir, *at);
    return *at ? HONE__MLIR_TOKEN_STRING : HONE__MLIR_TOKEN_BAD;
  }
  if (c == '@' && (is_in_word(next) || next == '"')) {
    *at = symbol_end(mlir, *at);
    return *at ? HONE__MLIR_TOKEN_SYMBOL : HONE__MLIR_TOKEN_BAD;
  }
  if (strchr("%#!^", c) && is_in_word(next)) {
    *at = c == '%' ? value_end(text, *at + 1) : name_end(text, *at + 1);
    return c == '%'   ? HONE__MLIR_TOKEN_VALUE
           : c == '#' ? HONE__MLIR_TOKEN_HASH
           : c == '!' ? HONE__MLIR_TOKEN_BANG
                      : HONE__MLIR_TOKEN_BLOCK;
  }
  return punctuation(text, at);
}

static struct hone__mlir_token lex_behind(const struct hone__mlir *mlir,
                                          const struct hone__mlir_token *token)
{
  struct hone__mlir_token next = {.line = token->line};

  next.begin = next.end = skip_blanks(mlir, token->end, &next);
  next.kind = next.begin < mlir->size ? lex(mlir, &next.end) : HONE__MLIR_TOKEN_END;
  return next;
}

struct hone__mlir_token hone__mlir_peek(const struct hone__mlir_parser *p,
                                        const struct hone__mlir_token *token)
{
  return token->end == p->token.end ? p->next : lex_behind(p->mlir, token);
}

void hone__mlir_go_to(struct hone__mlir_parser *p, const struct hone__mlir_token *token)
{
  p->token = *token;
  p->next = lex_behind(p->mlir, token);
}

void hone__mlir_advance(struct hone__mlir_parser *p)
{
  struct hone__mlir_token token = p->next;

  if (p->status) return;
  p->previous = p->token.kind;
  p->previous_end = p->token.end;
  hone__mlir_go_to(p, &token);
  if (token.kind != HONE__MLIR_TOKEN_BAD) return;
  if (p->mlir->text[token.begin] == '"' || p->mlir->text[token.begin] == '@')
    hone__mlir_fail(p, token.begin, "a string is not closed");
  else
    hone__mlir_fail(p, token.begin, "invalid character");
}

bool hone__mlir_is_word(const struct hone__mlir_parser *p, const struct hone__mlir_token *token,
                        const char *word)
{
  size_t length = strlen(word);

  return token->kind == HONE__MLIR_TOKEN_WORD && token->end - token->begin == length &&
         memcmp(p->mlir->text + token->begin, word, length) == 0;
}

bool hone__mlir_touches(const struct hone__mlir_parser *p, int kind)
{
  return p->token.end < p->mlir->size && p->mlir->text[p->token.end] == kind;
}

int hone__mlir_closer(int opener)
{
  switch (opener) {
  case '(': return ')';
  case '[': return ']';
  case '{': return '}';
  case '<': return '>';
  default: return 0;
  }
}

bool hone__mlir_is_closer(int kind)
{
  return kind == ')' || kind == ']' || kind == '}' || kind == '>';
}

void hone__mlir_skip_group(struct hone__mlir_parser *p)
{
  size_t opener = p->token.begin, open = 0;

  do {
    if (hone__mlir_closer(p->token.kind))
      open++;
    else if (hone__mlir_is_closer(p->token.kind))
      open--;
    else if (p->token.kind == HONE__MLIR_TOKEN_END)
      break;
    hone__mlir_advance(p);
  } while (open);
  if (open) hone__mlir_fail(p, opener, "'%c' is not closed", p->mlir->text[opener]);
}
