/* Tokens and nodes of the parser of expressions; its grammar is in expression.c. */
#include "spec/expr_parser.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_NODES = 20000, MOST_HEIGHT = 1000 };

/* ---- Errors ---- */

/* A limit is reached: the text may be well written. */
struct hone__expr *hone__expr_too_long(struct hone__expr_parser *parser, uint32_t offset,
                                       const char *message)
{
  if (!parser->scanner.failed) parser->scanner.error->is_limit = true;
  return hone__scan_fail(&parser->scanner, offset, "%s", message);
}

/* ---- Tokens ---- */

void hone__expr_advance(struct hone__expr_parser *parser)
{
  parser->last_end = parser->token.end;
  parser->token = parser->next;
  if (parser->token.kind != HONE__TOKEN_END && parser->token.kind != HONE__TOKEN_BAD)
    parser->next = hone__scan(&parser->scanner, parser->token.end);
}

bool hone__expr_token_is(const struct hone__expr_parser *parser, const struct hone__token *token,
                         const char *word)
{
  size_t length = strlen(word);

  return (token->kind == HONE__TOKEN_SIGN || token->kind == HONE__TOKEN_WORD) &&
         token->end - token->begin == length &&
         memcmp(parser->scanner.text + token->begin, word, length) == 0;
}

bool hone__expr_at(const struct hone__expr_parser *parser, const char *word)
{
  return hone__expr_token_is(parser, &parser->token, word);
}

bool hone__expr_accept(struct hone__expr_parser *parser, const char *word)
{
  if (!hone__expr_at(parser, word)) return false;
  hone__expr_advance(parser);
  return true;
}

const char *hone__expr_token_text(struct hone__expr_parser *parser)
{
  const struct hone__token *token = &parser->token;

  uint32_t length = token->end - token->begin;

  if (token->kind == HONE__TOKEN_END) return "the end";
  return hone__arena_printf(parser->scanner.arena, "'%.*s'%s", (int)(length > 40 ? 40 : length),
                            parser->scanner.text + token->begin, length > 40 ? "..." : "");
}

bool hone__expr_expect(struct hone__expr_parser *parser, const char *word)
{
  if (hone__expr_accept(parser, word)) return true;
  hone__scan_fail(&parser->scanner, parser->token.begin, "expected '%s', found %s", word,
                  hone__expr_token_text(parser));
  return false;
}

/* ---- Nodes ---- */

struct hone__expr *hone__expr_new(struct hone__expr_parser *parser, enum hone__expr_kind kind,
                                  uint32_t begin)
{
  struct hone__expr *node;

  if (++parser->nodes > MOST_NODES)
    return hone__expr_too_long(parser, begin, "the expression is too long");
  node = hone__arena_alloc(parser->scanner.arena, sizeof *node);
  node->kind = kind;
  node->size = 1;
  node->begin = begin;
  node->end = parser->last_end;
  return node;
}

void hone__expr_add(struct hone__expr_parser *parser, struct hone__expr *node,
                    struct hone__expr *arg)
{
  size_t count = node->count;

  if (count == 0 || (count >= 4 && (count & (count - 1)) == 0)) { /* full at 0, 4, 8, 16 ... */
    struct hone__expr **grown =
        hone__arena_alloc(parser->scanner.arena, (count ? 2 * count : 4) * sizeof *grown);
    if (count) memcpy(grown, node->args, count * sizeof *grown);
    node->args = grown;
  }
  node->args[node->count++] = arg;
  node->size += arg->size;
  if (arg->height >= node->height) node->height = arg->height + 1;
  if (node->size > MOST_NODES || node->height > MOST_HEIGHT)
    hone__expr_too_long(parser, node->begin, "the expression is too long");
}

struct hone__expr *hone__expr_operator_node(struct hone__expr_parser *parser,
                                            enum hone__operator op, struct hone__expr *a,
                                            struct hone__expr *b)
{
  struct hone__expr *node;

  if (!a || parser->scanner.failed) return NULL;
  node = hone__expr_new(parser, HONE__EXPR_OPERATOR, a->begin);
  if (!node) return NULL;
  node->op = op;
  hone__expr_add(parser, node, a);
  if (b) {
    hone__expr_add(parser, node, b);
    node->end = b->end;
  }
  return node;
}
