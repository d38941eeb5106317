/* expr_parser.h - the tokens that a parser of expressions looks at, and the nodes that it makes.
 *
 * Only expression.c, which has the grammar, uses it. Nodes live in the scanner's arena. After a
 * failure, `scanner.failed` is set and the error is described; further calls do no harm.
 */
#ifndef HONE_SPEC_EXPR_PARSER_H
#define HONE_SPEC_EXPR_PARSER_H

#include "spec/token.h"

struct hone__expr_parser {
  struct hone__scanner scanner;
  struct hone__token token, next;
  uint32_t last_end;
  unsigned depth, nodes;
};

/* A limit is reached: the text may be well written. NULL. */
struct hone__expr *hone__expr_too_long(struct hone__expr_parser *parser, uint32_t offset,
                                       const char *message);

void hone__expr_advance(struct hone__expr_parser *parser);

/* Whether the token is this word or sign; _accept then takes it, and _expect fails without it. */
bool hone__expr_token_is(const struct hone__expr_parser *parser, const struct hone__token *token,
                         const char *word);
bool hone__expr_at(const struct hone__expr_parser *parser, const char *word);
bool hone__expr_accept(struct hone__expr_parser *parser, const char *word);
bool hone__expr_expect(struct hone__expr_parser *parser, const char *word);

/* For messages: "'name'", "the end". */
const char *hone__expr_token_text(struct hone__expr_parser *parser);

/* NULL: the expression is too long. */
struct hone__expr *hone__expr_new(struct hone__expr_parser *parser, enum hone__expr_kind kind,
                                  uint32_t begin);
void hone__expr_add(struct hone__expr_parser *parser, struct hone__expr *node,
                    struct hone__expr *arg);
struct hone__expr *hone__expr_operator_node(struct hone__expr_parser *parser,
                                            enum hone__operator op, struct hone__expr *a,
                                            struct hone__expr *b);

#endif
