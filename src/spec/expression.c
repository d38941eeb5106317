/* A recursive-descent parser, one function a level of precedence, as in Python's grammar. Binary
 * operators of equal precedence come from one table. */
#include "spec/expr_parser.h"

#include "hone_text.h"

#include <stdlib.h>

enum { MOST_DEPTH = 120 };

static const struct {
  const char *name;
  int least, most;
  bool is_operator;
  enum hone__operator op;
  enum hone__expression_function function;
} functions[] = {
    {"abs", 1, 1, true, HONE__OP_ABS, 0},
    {"len", 1, 1, true, HONE__OP_LEN, 0},
    {"ceil", 1, 1, true, HONE__OP_CEIL, 0},
    {"floor", 1, 1, true, HONE__OP_FLOOR, 0},
    {"log2", 1, 1, true, HONE__OP_LOG2, 0},
    {"pow2", 1, 1, true, HONE__OP_POW2, 0},
    {"int", 1, 1, true, HONE__OP_INT, 0},
    {"float", 1, 1, true, HONE__OP_FLOAT, 0},
    {"bool", 1, 1, true, HONE__OP_BOOL, 0},
    {"gcd", 2, 2, true, HONE__OP_GCD, 0},
    {"divides", 2, 2, true, HONE__OP_DIVIDES, 0},
    {"pow", 2, 2, true, HONE__OP_POW, 0},
    {"min", 1, 64, false, 0, HONE__FUNCTION_MIN},
    {"max", 1, 64, false, 0, HONE__FUNCTION_MAX},
    {"range", 1, 3, false, 0, HONE__FUNCTION_RANGE},
    {"list", 1, 1, false, 0, HONE__FUNCTION_LIST},
    {"tuple", 1, 1, false, 0, HONE__FUNCTION_LIST},
    {"sum", 1, 1, false, 0, HONE__FUNCTION_SUM},
    {"sorted", 1, 1, false, 0, HONE__FUNCTION_SORTED},
    {"any", 1, 1, false, 0, HONE__FUNCTION_ANY},
    {"all", 1, 1, false, 0, HONE__FUNCTION_ALL},
    {"str", 1, 1, false, 0, HONE__FUNCTION_STR},
    {"round", 1, 1, true, HONE__OP_ROUND, 0},
};

bool hone__spec_is_function_name(const char *name)
{
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
    if (strcmp(functions[i].name, name) == 0) return true;
  return false;
}

static struct hone__expr *parse_expression(struct hone__expr_parser *parser);
static struct hone__expr *parse_or(struct hone__expr_parser *parser);

/* ---- Grammar, tightest first ---- */

static bool is_keyword(const struct hone__expr_parser *parser)
{
  static const char *const keywords[] = {
      "and",   "or",    "not", "in",     "if",    "else",   "for",   "is",  "lambda", "yield",
      "await", "async", "def", "import", "class", "return", "while", "del", "pass"};

  for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
    if (hone__expr_at(parser, keywords[i])) return true;
  return false;
}

static struct hone__expr *parse_clauses(struct hone__expr_parser *parser, struct hone__expr *node)
{
  size_t capacity = 0;

  while (hone__expr_at(parser, "for") || (node->clause_count && hone__expr_at(parser, "if"))) {
    struct hone__clause clause = {0};
    bool is_for = hone__expr_at(parser, "for");
    hone__expr_advance(parser);
    if (is_for) {
      if (parser->token.kind != HONE__TOKEN_WORD || is_keyword(parser))
        return hone__scan_fail(&parser->scanner, parser->token.begin,
                               "expected a variable, found %s", hone__expr_token_text(parser));
      clause.variable =
          hone__arena_strndup(parser->scanner.arena, parser->scanner.text + parser->token.begin,
                              parser->token.end - parser->token.begin);
      hone__expr_advance(parser);
      if (!hone__expr_expect(parser, "in")) return NULL;
    }
    clause.expr = parse_or(parser); /* no conditional: `if` begins the next clause */
    if (!clause.expr) return NULL;
    if (node->clause_count == capacity) {
      struct hone__clause *grown;
      capacity = capacity ? 2 * capacity : 4;
      grown = hone__arena_alloc(parser->scanner.arena, capacity * sizeof *grown);
      if (node->clause_count) memcpy(grown, node->clauses, node->clause_count * sizeof *grown);
      node->clauses = grown;
    }
    node->clauses[node->clause_count++] = clause;
    node->size += clause.expr->size;
    if (clause.expr->height >= node->height) node->height = clause.expr->height + 1;
  }
  return node;
}

/* `element for x in list if test`: the element is parsed already. */
static struct hone__expr *parse_comprehension(struct hone__expr_parser *parser,
                                              struct hone__expr *element)
{
  struct hone__expr *node = hone__expr_new(parser, HONE__EXPR_FOR, element->begin);

  if (!node) return NULL;
  hone__expr_add(parser, node, element);
  if (!parse_clauses(parser, node)) return NULL;
  node->end = parser->last_end;
  return node;
}

static struct hone__expr *parse_arguments(struct hone__expr_parser *parser, struct hone__expr *node,
                                          const char *close)
{
  while (!hone__expr_at(parser, close)) {
    struct hone__expr *arg = parse_expression(parser);
    if (arg && hone__expr_at(parser, "for")) arg = parse_comprehension(parser, arg);
    if (!arg) return NULL;
    hone__expr_add(parser, node, arg);
    if (!hone__expr_accept(parser, ",")) break;
  }
  if (!hone__expr_expect(parser, close)) return NULL;
  node->end = parser->last_end;
  return node;
}

static struct hone__expr *wrong_count(struct hone__expr_parser *parser, uint32_t begin,
                                      const char *name, int least, int most, size_t count)
{
  if (most >= 64)
    return hone__scan_fail(&parser->scanner, begin, "'%s' takes %d or more arguments, not %zu",
                           name, least, count);
  if (most > least)
    return hone__scan_fail(&parser->scanner, begin, "'%s' takes %d to %d arguments, not %zu", name,
                           least, most, count);
  return hone__scan_fail(&parser->scanner, begin, "'%s' takes %d argument%s, not %zu", name, least,
                         least == 1 ? "" : "s", count);
}

static struct hone__expr *parse_call(struct hone__expr_parser *parser, uint32_t begin,
                                     const char *name)
{
  struct hone__expr *node = hone__expr_new(parser, HONE__EXPR_FUNCTION, begin);
  struct hone_nearest nearest = {.word = name};
  size_t i, total = sizeof functions / sizeof *functions;

  for (i = 0; i < total && strcmp(functions[i].name, name) != 0; i++)
    hone_nearest_try(&nearest, functions[i].name);
  if (i == total)
    return hone__scan_fail(&parser->scanner, begin, "unknown function '%s'%s%s%s", name,
                           nearest.best ? "; did you mean '" : "", nearest.best ? nearest.best : "",
                           nearest.best ? "'?" : "");
  if (!node || !parse_arguments(parser, node, ")")) return NULL;
  if ((int)node->count < functions[i].least || (int)node->count > functions[i].most)
    return wrong_count(parser, begin, name, functions[i].least, functions[i].most, node->count);
  node->function = functions[i].function;
  if (functions[i].is_operator) {
    node->kind = HONE__EXPR_OPERATOR;
    node->op = functions[i].op;
  }
  return node;
}

static const struct {
  const char *word;
  struct hone_value value;
} constants[] = {
    {"True", {.type = HONE_BOOL, .integer = 1}},
    {"False", {.type = HONE_BOOL, .integer = 0}},
    {"None", {.type = HONE_NONE}},
};

static struct hone__expr *parse_word(struct hone__expr_parser *parser)
{
  uint32_t begin = parser->token.begin, skip = parser->scanner.text[begin] == '$';
  struct hone__expr *node;

  if (is_keyword(parser))
    return hone__scan_fail(&parser->scanner, begin, "expected a value, found %s",
                           hone__expr_token_text(parser));
  for (size_t i = 0; i < sizeof constants / sizeof *constants; i++) {
    if (hone__expr_at(parser, constants[i].word)) {
      hone__expr_advance(parser);
      node = hone__expr_new(parser, HONE__EXPR_LITERAL, begin);
      if (node) node->value = constants[i].value;
      return node;
    }
  }
  hone__expr_advance(parser);
  while (hone__expr_at(parser, ".") && parser->next.kind == HONE__TOKEN_WORD &&
         parser->token.begin == parser->last_end &&
         !hone__expr_token_is(parser, &parser->next, "startswith") &&
         !hone__expr_token_is(parser, &parser->next, "endswith")) {
    hone__expr_advance(parser);
    hone__expr_advance(parser);
  }
  node = hone__expr_new(parser, HONE__EXPR_NAME, begin);
  if (!node) return NULL;
  node->name = hone__arena_strndup(parser->scanner.arena, parser->scanner.text + begin + skip,
                                   parser->last_end - begin - skip);
  if (hone__expr_accept(parser, "(")) return parse_call(parser, begin, node->name);
  return node;
}

/* After '[' or '(': a list, a tuple (which is a list here), a comprehension, or one value. */
static struct hone__expr *parse_bracket(struct hone__expr_parser *parser, const char *close)
{
  uint32_t begin = parser->token.begin;
  struct hone__expr *node, *first;
  bool is_list = *close == ']';

  hone__expr_advance(parser);
  if (hone__expr_at(parser, close)) {
    hone__expr_advance(parser);
    return hone__expr_new(parser, HONE__EXPR_LIST, begin);
  }
  first = parse_expression(parser);
  if (!first) return NULL;
  if (hone__expr_at(parser, "for")) {
    node = parse_comprehension(parser, first);
    if (!node || !hone__expr_expect(parser, close)) return NULL;
    node->begin = begin;
    node->end = parser->last_end;
    return node;
  }
  if (!is_list && !hone__expr_at(parser, ",")) {
    if (!hone__expr_expect(parser, close)) return NULL;
    first->begin = begin;
    first->end = parser->last_end;
    return first;
  }
  node = hone__expr_new(parser, HONE__EXPR_LIST, begin);
  if (!node) return NULL;
  hone__expr_add(parser, node, first);
  if (!hone__expr_accept(parser, ",")) {
    if (!hone__expr_expect(parser, close)) return NULL;
    node->end = parser->last_end;
    return node;
  }
  return parse_arguments(parser, node, close);
}

static struct hone__expr *parse_strings(struct hone__expr_parser *parser)
{
  struct hone__expr *node;
  const char *text = parser->token.value.text;
  uint32_t begin = parser->token.begin;

  hone__expr_advance(parser);
  while (parser->token.kind == HONE__TOKEN_STRING) {
    text = hone__arena_printf(parser->scanner.arena, "%s%s", text, parser->token.value.text);
    hone__expr_advance(parser);
  }
  node = hone__expr_new(parser, HONE__EXPR_LITERAL, begin);
  if (node) node->value = hone__string(text);
  return node;
}

static struct hone__expr *parse_literal(struct hone__expr_parser *parser)
{
  struct hone_value value = parser->token.value;
  uint32_t begin = parser->token.begin;
  struct hone__expr *node;

  hone__expr_advance(parser);
  node = hone__expr_new(parser, HONE__EXPR_LITERAL, begin);
  if (node) node->value = value;
  return node;
}

static struct hone__expr *parse_atom(struct hone__expr_parser *parser)
{
  uint32_t begin = parser->token.begin;

  switch (parser->token.kind) {
  case HONE__TOKEN_NUMBER:
    if (parser->token.value.type == HONE_INT && parser->token.value.integer < 0)
      return hone__scan_fail(&parser->scanner, begin, "%s", hone__does_not_fit);
    return parse_literal(parser);
  case HONE__TOKEN_STRING: return parse_strings(parser);
  case HONE__TOKEN_WORD: return parse_word(parser);
  default: break;
  }
  if (hone__expr_at(parser, "(")) return parse_bracket(parser, ")");
  if (hone__expr_at(parser, "[")) return parse_bracket(parser, "]");
  return hone__scan_fail(&parser->scanner, begin, "expected a value, found %s",
                         hone__expr_token_text(parser));
}

static struct hone__expr *parse_method(struct hone__expr_parser *parser, struct hone__expr *node)
{
  enum hone__operator op;

  hone__expr_advance(parser);
  if (hone__expr_at(parser, "startswith")) {
    op = HONE__OP_STARTSWITH;
  } else if (hone__expr_at(parser, "endswith")) {
    op = HONE__OP_ENDSWITH;
  } else {
    return hone__scan_fail(&parser->scanner, parser->token.begin, "unknown method %s",
                           hone__expr_token_text(parser));
  }
  hone__expr_advance(parser);
  if (!hone__expr_expect(parser, "(")) return NULL;
  node = hone__expr_operator_node(parser, op, node, parse_expression(parser));
  if (!node || !hone__expr_expect(parser, ")")) return NULL;
  node->end = parser->last_end;
  return node;
}

static struct hone__expr *parse_postfix(struct hone__expr_parser *parser)
{
  struct hone__expr *node = parse_atom(parser);

  while (node) {
    if (hone__expr_at(parser, ".")) {
      node = parse_method(parser, node);
    } else if (hone__expr_at(parser, "[")) {
      hone__expr_advance(parser);
      node = hone__expr_operator_node(parser, HONE__OP_INDEX, node, parse_expression(parser));
      if (!node || !hone__expr_expect(parser, "]")) return NULL;
      node->end = parser->last_end;
    } else {
      break;
    }
  }
  return node;
}

static struct hone__expr *parse_unary(struct hone__expr_parser *parser);

static struct hone__expr *parse_power(struct hone__expr_parser *parser)
{
  struct hone__expr *node = parse_postfix(parser);

  if (!node || !hone__expr_accept(parser, "**")) return node;
  if (++parser->depth > MOST_DEPTH)
    return hone__expr_too_long(parser, node->begin, "the expression is nested too deeply");
  node = hone__expr_operator_node(parser, HONE__OP_POW, node, parse_unary(parser));
  parser->depth--;
  return node;
}

/* A literal is never negative otherwise. */
static bool is_least_integer(const struct hone__expr_parser *parser)
{
  const struct hone__token *token = &parser->token;
  return token->kind == HONE__TOKEN_NUMBER && token->value.type == HONE_INT &&
         token->value.integer == INT64_MIN;
}

static struct hone__expr *parse_unary(struct hone__expr_parser *parser)
{
  static const struct {
    const char *sign;
    enum hone__operator op;
  } signs[] = {{"-", HONE__OP_NEG}, {"+", HONE__OP_POS}, {"~", HONE__OP_INV}};
  uint32_t begin = parser->token.begin;
  struct hone__expr *node;

  for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
    if (!hone__expr_at(parser, signs[i].sign)) continue;
    if (++parser->depth > MOST_DEPTH)
      return hone__expr_too_long(parser, begin, "the expression is nested too deeply");
    hone__expr_advance(parser);
    if (signs[i].op == HONE__OP_NEG && is_least_integer(parser)) {
      node = parse_literal(parser); /* its minus sign is in it */
    } else {
      node = hone__expr_operator_node(parser, signs[i].op, parse_unary(parser), NULL);
    }
    parser->depth--;
    if (node) node->begin = begin;
    return node;
  }
  return parse_power(parser);
}

/* Left-associative binary operators, loosest level last. */
enum { LEVELS = 6 };
static const struct {
  int level;
  const char *sign;
  enum hone__operator op;
} binaries[] = {
    {0, "*", HONE__OP_MUL},    {0, "/", HONE__OP_DIV},   {0, "//", HONE__OP_FLOORDIV},
    {0, "%", HONE__OP_MOD},    {1, "+", HONE__OP_ADD},   {1, "-", HONE__OP_SUB},
    {2, "<<", HONE__OP_SHL},   {2, ">>", HONE__OP_SHR},  {3, "&", HONE__OP_BITAND},
    {4, "^", HONE__OP_BITXOR}, {5, "|", HONE__OP_BITOR},
};

static struct hone__expr *parse_binary(struct hone__expr_parser *parser, int level)
{
  struct hone__expr *node = level ? parse_binary(parser, level - 1) : parse_unary(parser);

  for (size_t i = 0; node && i < sizeof binaries / sizeof *binaries;) {
    if (binaries[i].level != level || !hone__expr_at(parser, binaries[i].sign)) {
      i++;
      continue;
    }
    hone__expr_advance(parser);
    node = hone__expr_operator_node(parser, binaries[i].op, node,
                                    level ? parse_binary(parser, level - 1) : parse_unary(parser));
    i = 0;
  }
  return node;
}

static bool accept_comparison(struct hone__expr_parser *parser, enum hone__operator *out_op)
{
  static const struct {
    const char *sign;
    enum hone__operator op;
  } signs[] = {{"==", HONE__OP_EQ}, {"!=", HONE__OP_NE}, {"<", HONE__OP_LT}, {"<=", HONE__OP_LE},
               {">", HONE__OP_GT},  {">=", HONE__OP_GE}, {"in", HONE__OP_IN}};

  for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
    if (hone__expr_accept(parser, signs[i].sign)) {
      *out_op = signs[i].op;
      return true;
    }
  }
  if (hone__expr_accept(parser, "is")) { /* values have no identity here */
    *out_op = hone__expr_accept(parser, "not") ? HONE__OP_NE : HONE__OP_EQ;
    return true;
  }
  if (hone__expr_at(parser, "not") && hone__expr_token_is(parser, &parser->next, "in")) {
    hone__expr_advance(parser);
    hone__expr_advance(parser);
    *out_op = HONE__OP_NOT_IN;
    return true;
  }
  return false;
}

/* The links of a chain of `and` or `or`. Both are associative, so that long chains become flat
 * trees. */
struct chain {
  struct hone__expr **links;
  size_t count, capacity;
};

static void add_link(struct chain *chain, struct hone__expr *link)
{
  HONE__GROW(chain->links, chain->count, chain->capacity);
  chain->links[chain->count++] = link;
}

static struct hone__expr *join_half(struct hone__expr_parser *parser, enum hone__operator op,
                                    struct hone__expr **links, size_t count)
{
  struct hone__expr *left;

  if (count == 1) return links[0];
  left = join_half(parser, op, links, count / 2);
  return hone__expr_operator_node(parser, op, left,
                                  join_half(parser, op, links + count / 2, count - count / 2));
}

/* NULL if one of them was wrong. */
static struct hone__expr *join_links(struct hone__expr_parser *parser, enum hone__operator op,
                                     struct chain *chain)
{
  struct hone__expr *node =
      parser->scanner.failed ? NULL : join_half(parser, op, chain->links, chain->count);

  free(chain->links);
  return node;
}

/* a < b < c is (a < b) and (b < c), with b one and the same node. */
static struct hone__expr *parse_comparison(struct hone__expr_parser *parser)
{
  struct hone__expr *left = parse_binary(parser, LEVELS - 1), *right;
  enum hone__operator op = HONE__OP_EQ;
  struct chain links = {0};

  if (!left || !accept_comparison(parser, &op)) return left;
  do {
    right = parse_binary(parser, LEVELS - 1);
    add_link(&links, right ? hone__expr_operator_node(parser, op, left, right) : NULL);
    left = right;
  } while (left && accept_comparison(parser, &op));
  return join_links(parser, HONE__OP_AND, &links);
}

static struct hone__expr *parse_not(struct hone__expr_parser *parser)
{
  uint32_t begin = parser->token.begin;
  struct hone__expr *node;

  if (!hone__expr_at(parser, "not")) return parse_comparison(parser);
  if (++parser->depth > MOST_DEPTH)
    return hone__expr_too_long(parser, begin, "the expression is nested too deeply");
  hone__expr_advance(parser);
  node = hone__expr_operator_node(parser, HONE__OP_NOT, parse_not(parser), NULL);
  parser->depth--;
  if (node) node->begin = begin;
  return node;
}

static struct hone__expr *parse_and(struct hone__expr_parser *parser)
{
  struct chain links = {0};

  do
    add_link(&links, parse_not(parser));
  while (!parser->scanner.failed && hone__expr_accept(parser, "and"));
  return join_links(parser, HONE__OP_AND, &links);
}

static struct hone__expr *parse_or(struct hone__expr_parser *parser)
{
  struct chain links = {0};

  do
    add_link(&links, parse_and(parser));
  while (!parser->scanner.failed && hone__expr_accept(parser, "or"));
  return join_links(parser, HONE__OP_OR, &links);
}

static struct hone__expr *parse_conditional(struct hone__expr_parser *parser)
{
  struct hone__expr *node = parse_or(parser), *test, *other, *choice;

  if (!node || !hone__expr_at(parser, "if")) return node;
  hone__expr_advance(parser);
  test = parse_or(parser);
  if (!test) return NULL;
  if (!hone__expr_expect(parser, "else")) return NULL;
  other = parse_expression(parser);
  if (!other) return NULL;
  choice = hone__expr_operator_node(parser, HONE__OP_IF, test, node);
  if (!choice) return NULL;
  hone__expr_add(parser, choice, other);
  choice->begin = node->begin;
  choice->end = other->end;
  return choice;
}

static struct hone__expr *parse_expression(struct hone__expr_parser *parser)
{
  struct hone__expr *node;

  if (++parser->depth > MOST_DEPTH)
    return hone__expr_too_long(parser, parser->token.begin, "the expression is nested too deeply");
  node = parse_conditional(parser);
  parser->depth--;
  return parser->scanner.failed ? NULL : node;
}

/* At the top `1, 2` is a tuple, as in Python's eval. */
static struct hone__expr *parse_top(struct hone__expr_parser *parser)
{
  struct hone__expr *first = parse_expression(parser), *node;

  if (!first || !hone__expr_at(parser, ",")) return first;
  node = hone__expr_new(parser, HONE__EXPR_LIST, first->begin);
  if (!node) return NULL;
  hone__expr_add(parser, node, first);
  while (hone__expr_accept(parser, ",")) {
    if (parser->token.kind == HONE__TOKEN_END) break;
    first = parse_expression(parser);
    if (!first) return NULL;
    hone__expr_add(parser, node, first);
  }
  node->end = parser->last_end;
  return node;
}

struct hone__expr *hone__expression_parse(const char *text, struct hone__arena *arena,
                                          struct hone__syntax_error *out_error)
{
  struct hone__expr_parser parser = {.scanner = {.text = text, .arena = arena, .error = out_error}};
  struct hone__expr *node;

  *out_error = (struct hone__syntax_error){0};
  parser.next = hone__scan(&parser.scanner, 0);
  hone__expr_advance(&parser);
  if (parser.token.kind == HONE__TOKEN_END) {
    hone__scan_fail(&parser.scanner, 0, "empty expression");
    return NULL;
  }
  node = parse_top(&parser);
  if (node && parser.token.kind != HONE__TOKEN_END)
    node = hone__scan_fail(&parser.scanner, parser.token.begin, "unexpected %s",
                           hone__expr_token_text(&parser));
  return parser.scanner.failed ? NULL : node;
}
