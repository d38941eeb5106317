#include "source/c_tokens.h"

#include "base/text.h"

#include <ctype.h>
#include <stdlib.h>

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

/* A directive ends with its line, unless a backslash precedes the newline. */
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

static void read_token(struct scanner *scanner, struct hone__code_tokens *tokens)
{
  struct hone__code_token token = {
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

void hone__code_tokens_read(const char *source, struct hone__code_tokens *tokens)
{
  struct scanner scanner = {.at = source, .line = 1, .at_line_start = true};

  while (*scanner.at)
    if (!skip_blank(&scanner)) read_token(&scanner, tokens);
}

bool hone__code_token_is(const struct hone__code_token *token, const char *text)
{
  return token->length == strlen(text) && memcmp(token->text, text, token->length) == 0;
}

bool hone__code_token_is_word(const struct hone__code_token *token)
{
  return isalpha((unsigned char)*token->text) || *token->text == '_';
}

void hone__code_tokens_release(struct hone__code_tokens *tokens)
{
  free(tokens->list);
  *tokens = (struct hone__code_tokens){0};
}

size_t hone__code_tokens_end(const struct hone__code_tokens *tokens, size_t open)
{
  char opening = open < tokens->count ? *tokens->list[open].text : '(';
  char closing = opening == '{' ? '}' : opening == '[' ? ']' : ')';
  size_t depth = 0, i = open;

  for (; i < tokens->count; i++) {
    depth += *tokens->list[i].text == opening;
    if (*tokens->list[i].text == closing && --depth == 0) break;
  }
  return i;
}

bool hone__code_tokens_is_outer_brace(const struct hone__code_tokens *tokens, size_t at)
{
  const struct hone__code_token *list = tokens->list;

  if (at && *list[at - 1].text == '"') return true;
  while (at && (hone__code_token_is_word(&list[at - 1]) || *list[at - 1].text == ':'))
    if (hone__code_token_is(&list[--at], "namespace")) return true; /* of "a::b", too */
  return false;
}
