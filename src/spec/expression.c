/* A recursive-descent parser, one function a level of precedence, as in Python's grammar. Binary
 * operators of equal precedence come from one table. */
#include "spec/expression.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

enum token_kind { END, NUMBER, STRING, WORD, SIGN, BAD };

struct token {
  enum token_kind kind;
  uint32_t begin, end;
  struct hone_value value;
};

enum { MOST_DEPTH = 120, MOST_NODES = 20000, MOST_HEIGHT = 1000 };

struct parser {
  const char *text;
  struct hone_arena *arena;
  struct token token, next;
  uint32_t last_end;
  unsigned depth, nodes;
  struct hone_syntax_error *error;
  bool failed;
};

static const struct {
  const char *name;
  int least, most;
  bool is_operator;
  enum hone_operator op;
  enum hone_function function;
} functions[] = {
    {"abs", 1, 1, true, HONE_OP_ABS, 0},
    {"len", 1, 1, true, HONE_OP_LEN, 0},
    {"ceil", 1, 1, true, HONE_OP_CEIL, 0},
    {"floor", 1, 1, true, HONE_OP_FLOOR, 0},
    {"log2", 1, 1, true, HONE_OP_LOG2, 0},
    {"pow2", 1, 1, true, HONE_OP_POW2, 0},
    {"int", 1, 1, true, HONE_OP_INT, 0},
    {"float", 1, 1, true, HONE_OP_FLOAT, 0},
    {"bool", 1, 1, true, HONE_OP_BOOL, 0},
    {"gcd", 2, 2, true, HONE_OP_GCD, 0},
    {"divides", 2, 2, true, HONE_OP_DIVIDES, 0},
    {"pow", 2, 2, true, HONE_OP_POW, 0},
    {"min", 1, 64, false, 0, HONE_FUNCTION_MIN},
    {"max", 1, 64, false, 0, HONE_FUNCTION_MAX},
    {"range", 1, 3, false, 0, HONE_FUNCTION_RANGE},
    {"list", 1, 1, false, 0, HONE_FUNCTION_LIST},
    {"tuple", 1, 1, false, 0, HONE_FUNCTION_LIST},
    {"sum", 1, 1, false, 0, HONE_FUNCTION_SUM},
    {"sorted", 1, 1, false, 0, HONE_FUNCTION_SORTED},
    {"any", 1, 1, false, 0, HONE_FUNCTION_ANY},
    {"all", 1, 1, false, 0, HONE_FUNCTION_ALL},
    {"str", 1, 1, false, 0, HONE_FUNCTION_STR},
    {"round", 1, 1, true, HONE_OP_ROUND, 0},
};

bool hone__is_function_name(const char *name)
{
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
    if (strcmp(functions[i].name, name) == 0) return true;
  return false;
}

static struct hone_expr *parse_expression(struct parser *parser);
static struct hone_expr *parse_or(struct parser *parser);

/* ---- Errors ---- */

static struct hone_expr *fail(struct parser *parser, uint32_t offset, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* A limit is reached: the text may be well written. */
static struct hone_expr *too_long(struct parser *parser, uint32_t offset, const char *message)
{
  if (!parser->failed) parser->error->is_limit = true;
  return fail(parser, offset, "%s", message);
}

static struct hone_expr *fail(struct parser *parser, uint32_t offset, const char *format, ...)
{
  char message[256];
  va_list args;

  if (parser->failed) return NULL;
  parser->failed = true;
  va_start(args, format);
  vsnprintf(message, sizeof message, format, args);
  va_end(args);
  parser->error->offset = offset;
  parser->error->message = hone__arena_strdup(parser->arena, message);
  return NULL;
}

/* ---- Tokens ---- */

static bool is_word_start(char c)
{
  return isalpha((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

static bool is_word(char c)
{
  return is_word_start(c) || isdigit((unsigned char)c);
}

static void scan_word(struct parser *parser, struct token *token)
{
  const char *p = parser->text + token->begin;

  if (*p == '$') p++;
  while (is_word(*p))
    p++;
  token->kind = WORD;
  token->end = (uint32_t)(p - parser->text);
}

/* Copies digits without their underscores; false where an underscore stands wrongly. */
static bool copy_digits(const char *from, size_t length, char *to)
{
  size_t used = 0;

  for (size_t i = 0; i < length; i++) {
    if (from[i] == '_') {
      if (i == 0 || i + 1 == length || !isxdigit((unsigned char)from[i + 1]) || from[i - 1] == '_')
        return false;
      continue;
    }
    to[used++] = from[i];
  }
  to[used] = 0;
  return true;
}

static size_t span_number(const char *p, bool *out_real)
{
  size_t n = 0;

  *out_real = false;
  if (p[0] == '0' && p[1] && strchr("xXoObB", p[1])) {
    for (n = 2; isxdigit((unsigned char)p[n]) || p[n] == '_'; n++) {}
    return n;
  }
  while (isdigit((unsigned char)p[n]) || p[n] == '_')
    n++;
  if (p[n] == '.') {
    *out_real = true;
    for (n++; isdigit((unsigned char)p[n]) || p[n] == '_'; n++) {}
  }
  if ((p[n] == 'e' || p[n] == 'E') &&
      (isdigit((unsigned char)p[n + 1]) ||
       ((p[n + 1] == '+' || p[n + 1] == '-') && isdigit((unsigned char)p[n + 2])))) {
    *out_real = true;
    for (n += 2; isdigit((unsigned char)p[n]) || p[n] == '_'; n++) {}
  }
  return n;
}

static const char does_not_fit[] = "integer overflow: the number does not fit 64 bits";

static void scan_integer(struct parser *parser, struct token *token, const char *digits)
{
  int base = 10;
  char *end;
  long long integer;

  if (digits[0] == '0' && digits[1]) {
    int letter = tolower((unsigned char)digits[1]);
    if (letter == 'x' || letter == 'o' || letter == 'b') {
      base = letter == 'x' ? 16 : letter == 'o' ? 8 : 2;
      digits += 2;
    } else if (strspn(digits, "0") != strlen(digits)) {
      fail(parser, token->begin, "an integer cannot begin with 0 (write 0o17 for octal)");
      return;
    }
  }
  errno = 0;
  integer = strtoll(digits, &end, base);
  if (*end || end == digits) {
    fail(parser, token->begin, "not a number");
  } else if (errno && base == 10 && strcmp(digits, "9223372036854775808") == 0) {
    integer = INT64_MIN; /* fits behind a minus sign only */
  } else if (errno) {
    fail(parser, token->begin, does_not_fit);
  }
  token->value = hone__int(integer);
}

static void scan_number(struct parser *parser, struct token *token)
{
  const char *p = parser->text + token->begin;
  bool real;
  size_t length = span_number(p, &real);
  char digits[128];

  token->kind = NUMBER;
  token->end = token->begin + (uint32_t)length;
  if (is_word(p[length])) {
    fail(parser, token->begin, "not a number");
  } else if (length >= sizeof digits || !copy_digits(p, length, digits)) {
    fail(parser, token->begin, "not a number");
  } else if (real) {
    token->value = hone__real(strtod(digits, NULL));
  } else {
    scan_integer(parser, token, digits);
  }
}

static char unescape(const char **p)
{
  char c = *(*p)++, digits[3] = {0};

  switch (c) {
  case 'n': return '\n';
  case 't': return '\t';
  case 'r': return '\r';
  case '0': return '\0';
  case 'x':
    if (!isxdigit((unsigned char)(*p)[0]) || !isxdigit((unsigned char)(*p)[1])) return '\0';
    digits[0] = *(*p)++;
    digits[1] = *(*p)++;
    return (char)strtol(digits, NULL, 16);
  case '\\':
  case '\'':
  case '"': return c;
  default: return '\0';
  }
}

static void scan_string(struct parser *parser, struct token *token)
{
  const char *p = parser->text + token->begin;
  char quote = *p++, *to = hone__arena_alloc(parser->arena, strlen(p) + 1);

  token->kind = STRING;
  token->value = hone__string(to);
  while (*p && *p != quote && *p != '\n') {
    if (*p == '\\') {
      const char *at = p++;
      *to = unescape(&p);
      if (!*to) {
        fail(parser, (uint32_t)(at - parser->text), "unknown escape in a string");
        return;
      }
      to++;
    } else {
      *to++ = *p++;
    }
  }
  if (*p != quote) {
    fail(parser, token->begin, "a string without its closing quote");
    return;
  }
  token->end = (uint32_t)(p + 1 - parser->text);
}

static void scan_sign(struct parser *parser, struct token *token)
{
  static const char *const signs[] = {"**", "//", "==", "!=", "<=", ">=", "<<", ">>"};
  static const struct {
    const char *wrong, *right;
  } mistakes[] = {{"&&", "and"}, {"||", "or"}, {"<>", "!="}, {"=>", ">="},
                  {"=<", "<="},  {"=", "=="},  {"!", "not"}, {"?", "x if condition else y"}};
  const char *p = parser->text + token->begin;
  uint32_t length = 1;

  token->kind = SIGN;
  for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
    if (strncmp(p, signs[i], 2) == 0) length = 2;
  token->end = token->begin + length;
  for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
    if (length == 2 || !hone__starts_with(p, mistakes[i].wrong)) continue;
    fail(parser, token->begin, "'%s' is not an operator here; did you mean '%s'?",
         mistakes[i].wrong, mistakes[i].right);
    return;
  }
  if (length == 2 || strchr("+-*/%()[],<>&|^~.", *p)) return;
  fail(parser, token->begin, "unexpected character '%c'", isprint((unsigned char)*p) ? *p : '?');
}

static struct token scan(struct parser *parser, uint32_t from)
{
  struct token token = {0};
  const char *p = parser->text + from;

  for (; *p == ' ' || *p == '\t' || *p == '\n' || *p == '\r' || *p == '#'; p++)
    if (*p == '#') p += strcspn(p, "\n") - 1; /* a comment */
  token.begin = token.end = (uint32_t)(p - parser->text);
  if (!*p) {
    token.kind = END;
  } else if (isdigit((unsigned char)*p) || (*p == '.' && isdigit((unsigned char)p[1]))) {
    scan_number(parser, &token);
  } else if (*p == '"' || *p == '\'') {
    scan_string(parser, &token);
  } else if (is_word_start(*p) || (*p == '$' && is_word_start(p[1]))) {
    scan_word(parser, &token);
  } else {
    scan_sign(parser, &token);
  }
  if (parser->failed) token.kind = BAD;
  return token;
}

static void advance(struct parser *parser)
{
  parser->last_end = parser->token.end;
  parser->token = parser->next;
  if (parser->token.kind != END && parser->token.kind != BAD)
    parser->next = scan(parser, parser->token.end);
}

static bool token_is(const struct parser *parser, const struct token *token, const char *word)
{
  size_t length = strlen(word);

  return (token->kind == SIGN || token->kind == WORD) && token->end - token->begin == length &&
         memcmp(parser->text + token->begin, word, length) == 0;
}

static bool at(const struct parser *parser, const char *word)
{
  return token_is(parser, &parser->token, word);
}

static bool accept(struct parser *parser, const char *word)
{
  if (!at(parser, word)) return false;
  advance(parser);
  return true;
}

static const char *token_text(struct parser *parser)
{
  const struct token *token = &parser->token;

  uint32_t length = token->end - token->begin;

  if (token->kind == END) return "the end";
  return hone__arena_printf(parser->arena, "'%.*s'%s", (int)(length > 40 ? 40 : length),
                            parser->text + token->begin, length > 40 ? "..." : "");
}

static bool expect(struct parser *parser, const char *word)
{
  if (accept(parser, word)) return true;
  fail(parser, parser->token.begin, "expected '%s', found %s", word, token_text(parser));
  return false;
}

/* ---- Nodes ---- */

static struct hone_expr *new_node(struct parser *parser, enum hone_expr_kind kind, uint32_t begin)
{
  struct hone_expr *node;

  if (++parser->nodes > MOST_NODES) return too_long(parser, begin, "the expression is too long");
  node = hone__arena_alloc(parser->arena, sizeof *node);
  node->kind = kind;
  node->size = 1;
  node->begin = begin;
  node->end = parser->last_end;
  return node;
}

static void add_arg(struct parser *parser, struct hone_expr *node, struct hone_expr *arg)
{
  size_t count = node->count;

  if (count == 0 || (count >= 4 && (count & (count - 1)) == 0)) { /* full at 0, 4, 8, 16 ... */
    struct hone_expr **grown =
        hone__arena_alloc(parser->arena, (count ? 2 * count : 4) * sizeof *grown);
    if (count) memcpy(grown, node->args, count * sizeof *grown);
    node->args = grown;
  }
  node->args[node->count++] = arg;
  node->size += arg->size;
  if (arg->height >= node->height) node->height = arg->height + 1;
  if (node->size > MOST_NODES || node->height > MOST_HEIGHT)
    too_long(parser, node->begin, "the expression is too long");
}

static struct hone_expr *operator_node(struct parser *parser, enum hone_operator op,
                                       struct hone_expr *a, struct hone_expr *b)
{
  struct hone_expr *node;

  if (!a || parser->failed) return NULL;
  node = new_node(parser, HONE_EXPR_OPERATOR, a->begin);
  if (!node) return NULL;
  node->op = op;
  add_arg(parser, node, a);
  if (b) {
    add_arg(parser, node, b);
    node->end = b->end;
  }
  return node;
}

/* ---- Grammar, tightest first ---- */

static bool is_keyword(const struct parser *parser)
{
  static const char *const keywords[] = {
      "and",   "or",    "not", "in",     "if",    "else",   "for",   "is",  "lambda", "yield",
      "await", "async", "def", "import", "class", "return", "while", "del", "pass"};

  for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
    if (at(parser, keywords[i])) return true;
  return false;
}

static struct hone_expr *parse_clauses(struct parser *parser, struct hone_expr *node)
{
  size_t capacity = 0;

  while (at(parser, "for") || (node->clause_count && at(parser, "if"))) {
    struct hone_clause clause = {0};
    bool is_for = at(parser, "for");
    advance(parser);
    if (is_for) {
      if (parser->token.kind != WORD || is_keyword(parser))
        return fail(parser, parser->token.begin, "expected a variable, found %s",
                    token_text(parser));
      clause.variable = hone__arena_strndup(parser->arena, parser->text + parser->token.begin,
                                            parser->token.end - parser->token.begin);
      advance(parser);
      if (!expect(parser, "in")) return NULL;
    }
    clause.expr = parse_or(parser); /* no conditional: `if` begins the next clause */
    if (!clause.expr) return NULL;
    if (node->clause_count == capacity) {
      struct hone_clause *grown;
      capacity = capacity ? 2 * capacity : 4;
      grown = hone__arena_alloc(parser->arena, capacity * sizeof *grown);
      if (node->clause_count) memcpy(grown, node->clauses, node->clause_count * sizeof *grown);
      node->clauses = grown;
    }
    node->clauses[node->clause_count++] = clause;
    node->size += clause.expr->size;
  }
  return node;
}

/* `element for x in list if test`: the element is parsed already. */
static struct hone_expr *parse_comprehension(struct parser *parser, struct hone_expr *element)
{
  struct hone_expr *node = new_node(parser, HONE_EXPR_FOR, element->begin);

  if (!node) return NULL;
  add_arg(parser, node, element);
  if (!parse_clauses(parser, node)) return NULL;
  node->end = parser->last_end;
  return node;
}

static struct hone_expr *parse_arguments(struct parser *parser, struct hone_expr *node,
                                         const char *close)
{
  while (!at(parser, close)) {
    struct hone_expr *arg = parse_expression(parser);
    if (arg && at(parser, "for")) arg = parse_comprehension(parser, arg);
    if (!arg) return NULL;
    add_arg(parser, node, arg);
    if (!accept(parser, ",")) break;
  }
  if (!expect(parser, close)) return NULL;
  node->end = parser->last_end;
  return node;
}

static struct hone_expr *wrong_count(struct parser *parser, uint32_t begin, const char *name,
                                     int least, int most, size_t count)
{
  if (most >= 64)
    return fail(parser, begin, "'%s' takes %d or more arguments, not %zu", name, least, count);
  if (most > least)
    return fail(parser, begin, "'%s' takes %d to %d arguments, not %zu", name, least, most, count);
  return fail(parser, begin, "'%s' takes %d argument%s, not %zu", name, least,
              least == 1 ? "" : "s", count);
}

static struct hone_expr *parse_call(struct parser *parser, uint32_t begin, const char *name)
{
  struct hone_expr *node = new_node(parser, HONE_EXPR_FUNCTION, begin);
  struct hone_nearest nearest = {.word = name};
  size_t i, total = sizeof functions / sizeof *functions;

  for (i = 0; i < total && strcmp(functions[i].name, name) != 0; i++)
    hone__nearest_try(&nearest, functions[i].name);
  if (i == total)
    return fail(parser, begin, "unknown function '%s'%s%s%s", name,
                nearest.best ? "; did you mean '" : "", nearest.best ? nearest.best : "",
                nearest.best ? "'?" : "");
  if (!node || !parse_arguments(parser, node, ")")) return NULL;
  if ((int)node->count < functions[i].least || (int)node->count > functions[i].most)
    return wrong_count(parser, begin, name, functions[i].least, functions[i].most, node->count);
  node->function = functions[i].function;
  if (functions[i].is_operator) {
    node->kind = HONE_EXPR_OPERATOR;
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

static struct hone_expr *parse_word(struct parser *parser)
{
  uint32_t begin = parser->token.begin, skip = parser->text[begin] == '$';
  struct hone_expr *node;

  if (is_keyword(parser))
    return fail(parser, begin, "expected a value, found %s", token_text(parser));
  for (size_t i = 0; i < sizeof constants / sizeof *constants; i++) {
    if (at(parser, constants[i].word)) {
      advance(parser);
      node = new_node(parser, HONE_EXPR_LITERAL, begin);
      if (node) node->value = constants[i].value;
      return node;
    }
  }
  advance(parser);
  while (at(parser, ".") && parser->next.kind == WORD && parser->token.begin == parser->last_end &&
         !token_is(parser, &parser->next, "startswith") &&
         !token_is(parser, &parser->next, "endswith")) {
    advance(parser);
    advance(parser);
  }
  node = new_node(parser, HONE_EXPR_NAME, begin);
  if (!node) return NULL;
  node->name = hone__arena_strndup(parser->arena, parser->text + begin + skip,
                                   parser->last_end - begin - skip);
  if (accept(parser, "(")) return parse_call(parser, begin, node->name);
  return node;
}

/* After '[' or '(': a list, a tuple (which is a list here), a comprehension, or one value. */
static struct hone_expr *parse_bracket(struct parser *parser, const char *close)
{
  uint32_t begin = parser->token.begin;
  struct hone_expr *node, *first;
  bool is_list = *close == ']';

  advance(parser);
  if (at(parser, close)) {
    advance(parser);
    return new_node(parser, HONE_EXPR_LIST, begin);
  }
  first = parse_expression(parser);
  if (!first) return NULL;
  if (at(parser, "for")) {
    node = parse_comprehension(parser, first);
    if (!node || !expect(parser, close)) return NULL;
    node->begin = begin;
    node->end = parser->last_end;
    return node;
  }
  if (!is_list && !at(parser, ",")) {
    if (!expect(parser, close)) return NULL;
    first->begin = begin;
    first->end = parser->last_end;
    return first;
  }
  node = new_node(parser, HONE_EXPR_LIST, begin);
  if (!node) return NULL;
  add_arg(parser, node, first);
  if (!accept(parser, ",")) {
    if (!expect(parser, close)) return NULL;
    node->end = parser->last_end;
    return node;
  }
  return parse_arguments(parser, node, close);
}

static struct hone_expr *parse_strings(struct parser *parser)
{
  struct hone_expr *node;
  const char *text = parser->token.value.text;
  uint32_t begin = parser->token.begin;

  advance(parser);
  while (parser->token.kind == STRING) {
    text = hone__arena_printf(parser->arena, "%s%s", text, parser->token.value.text);
    advance(parser);
  }
  node = new_node(parser, HONE_EXPR_LITERAL, begin);
  if (node) node->value = hone__string(text);
  return node;
}

static struct hone_expr *parse_literal(struct parser *parser)
{
  struct hone_value value = parser->token.value;
  uint32_t begin = parser->token.begin;
  struct hone_expr *node;

  advance(parser);
  node = new_node(parser, HONE_EXPR_LITERAL, begin);
  if (node) node->value = value;
  return node;
}

static struct hone_expr *parse_atom(struct parser *parser)
{
  uint32_t begin = parser->token.begin;

  switch (parser->token.kind) {
  case NUMBER:
    if (parser->token.value.type == HONE_INT && parser->token.value.integer < 0)
      return fail(parser, begin, "%s", does_not_fit);
    return parse_literal(parser);
  case STRING: return parse_strings(parser);
  case WORD: return parse_word(parser);
  default: break;
  }
  if (at(parser, "(")) return parse_bracket(parser, ")");
  if (at(parser, "[")) return parse_bracket(parser, "]");
  return fail(parser, begin, "expected a value, found %s", token_text(parser));
}

static struct hone_expr *parse_method(struct parser *parser, struct hone_expr *node)
{
  enum hone_operator op;

  advance(parser);
  if (at(parser, "startswith")) {
    op = HONE_OP_STARTSWITH;
  } else if (at(parser, "endswith")) {
    op = HONE_OP_ENDSWITH;
  } else {
    return fail(parser, parser->token.begin, "unknown method %s", token_text(parser));
  }
  advance(parser);
  if (!expect(parser, "(")) return NULL;
  node = operator_node(parser, op, node, parse_expression(parser));
  if (!node || !expect(parser, ")")) return NULL;
  node->end = parser->last_end;
  return node;
}

static struct hone_expr *parse_postfix(struct parser *parser)
{
  struct hone_expr *node = parse_atom(parser);

  while (node) {
    if (at(parser, ".")) {
      node = parse_method(parser, node);
    } else if (at(parser, "[")) {
      advance(parser);
      node = operator_node(parser, HONE_OP_INDEX, node, parse_expression(parser));
      if (!node || !expect(parser, "]")) return NULL;
      node->end = parser->last_end;
    } else {
      break;
    }
  }
  return node;
}

static struct hone_expr *parse_unary(struct parser *parser);

static struct hone_expr *parse_power(struct parser *parser)
{
  struct hone_expr *node = parse_postfix(parser);

  if (!node || !accept(parser, "**")) return node;
  return operator_node(parser, HONE_OP_POW, node, parse_unary(parser));
}

/* A literal is never negative otherwise. */
static bool is_least_integer(const struct parser *parser)
{
  const struct token *token = &parser->token;
  return token->kind == NUMBER && token->value.type == HONE_INT &&
         token->value.integer == INT64_MIN;
}

static struct hone_expr *parse_unary(struct parser *parser)
{
  static const struct {
    const char *sign;
    enum hone_operator op;
  } signs[] = {{"-", HONE_OP_NEG}, {"+", HONE_OP_POS}, {"~", HONE_OP_INV}};
  uint32_t begin = parser->token.begin;
  struct hone_expr *node;

  for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
    if (!at(parser, signs[i].sign)) continue;
    if (++parser->depth > MOST_DEPTH)
      return too_long(parser, begin, "the expression is nested too deeply");
    advance(parser);
    if (signs[i].op == HONE_OP_NEG && is_least_integer(parser)) {
      node = parse_literal(parser); /* its minus sign is in it */
    } else {
      node = operator_node(parser, signs[i].op, parse_unary(parser), NULL);
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
  enum hone_operator op;
} binaries[] = {
    {0, "*", HONE_OP_MUL},    {0, "/", HONE_OP_DIV},   {0, "//", HONE_OP_FLOORDIV},
    {0, "%", HONE_OP_MOD},    {1, "+", HONE_OP_ADD},   {1, "-", HONE_OP_SUB},
    {2, "<<", HONE_OP_SHL},   {2, ">>", HONE_OP_SHR},  {3, "&", HONE_OP_BITAND},
    {4, "^", HONE_OP_BITXOR}, {5, "|", HONE_OP_BITOR},
};

static struct hone_expr *parse_binary(struct parser *parser, int level)
{
  struct hone_expr *node = level ? parse_binary(parser, level - 1) : parse_unary(parser);

  for (size_t i = 0; node && i < sizeof binaries / sizeof *binaries;) {
    if (binaries[i].level != level || !at(parser, binaries[i].sign)) {
      i++;
      continue;
    }
    advance(parser);
    node = operator_node(parser, binaries[i].op, node,
                         level ? parse_binary(parser, level - 1) : parse_unary(parser));
    i = 0;
  }
  return node;
}

static bool accept_comparison(struct parser *parser, enum hone_operator *out_op)
{
  static const struct {
    const char *sign;
    enum hone_operator op;
  } signs[] = {{"==", HONE_OP_EQ}, {"!=", HONE_OP_NE}, {"<", HONE_OP_LT}, {"<=", HONE_OP_LE},
               {">", HONE_OP_GT},  {">=", HONE_OP_GE}, {"in", HONE_OP_IN}};

  for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
    if (accept(parser, signs[i].sign)) {
      *out_op = signs[i].op;
      return true;
    }
  }
  if (accept(parser, "is")) { /* values have no identity here */
    *out_op = accept(parser, "not") ? HONE_OP_NE : HONE_OP_EQ;
    return true;
  }
  if (at(parser, "not") && token_is(parser, &parser->next, "in")) {
    advance(parser);
    advance(parser);
    *out_op = HONE_OP_NOT_IN;
    return true;
  }
  return false;
}

/* a < b < c is (a < b) and (b < c), with b one and the same node. */
static struct hone_expr *parse_comparison(struct parser *parser)
{
  struct hone_expr *left = parse_binary(parser, LEVELS - 1), *chain = NULL;
  enum hone_operator op = HONE_OP_EQ;

  while (left && accept_comparison(parser, &op)) {
    struct hone_expr *right = parse_binary(parser, LEVELS - 1), *link;
    if (!right) return NULL;
    link = operator_node(parser, op, left, right);
    chain = chain ? operator_node(parser, HONE_OP_AND, chain, link) : link;
    if (!chain) return NULL;
    left = right;
  }
  return chain && left ? chain : left;
}

static struct hone_expr *parse_not(struct parser *parser)
{
  uint32_t begin = parser->token.begin;
  struct hone_expr *node;

  if (!at(parser, "not")) return parse_comparison(parser);
  if (++parser->depth > MOST_DEPTH)
    return too_long(parser, begin, "the expression is nested too deeply");
  advance(parser);
  node = operator_node(parser, HONE_OP_NOT, parse_not(parser), NULL);
  parser->depth--;
  if (node) node->begin = begin;
  return node;
}

static struct hone_expr *parse_and(struct parser *parser)
{
  struct hone_expr *node = parse_not(parser);

  while (node && accept(parser, "and"))
    node = operator_node(parser, HONE_OP_AND, node, parse_not(parser));
  return node;
}

static struct hone_expr *parse_or(struct parser *parser)
{
  struct hone_expr *node = parse_and(parser);

  while (node && accept(parser, "or"))
    node = operator_node(parser, HONE_OP_OR, node, parse_and(parser));
  return node;
}

static struct hone_expr *parse_conditional(struct parser *parser)
{
  struct hone_expr *node = parse_or(parser), *test, *other, *choice;

  if (!node || !at(parser, "if")) return node;
  advance(parser);
  test = parse_or(parser);
  if (!test) return NULL;
  if (!expect(parser, "else")) return NULL;
  other = parse_expression(parser);
  if (!other) return NULL;
  choice = operator_node(parser, HONE_OP_IF, test, node);
  if (!choice) return NULL;
  add_arg(parser, choice, other);
  choice->begin = node->begin;
  choice->end = other->end;
  return choice;
}

static struct hone_expr *parse_expression(struct parser *parser)
{
  struct hone_expr *node;

  if (++parser->depth > MOST_DEPTH)
    return too_long(parser, parser->token.begin, "the expression is nested too deeply");
  node = parse_conditional(parser);
  parser->depth--;
  return parser->failed ? NULL : node;
}

/* At the top `1, 2` is a tuple, as in Python's eval. */
static struct hone_expr *parse_top(struct parser *parser)
{
  struct hone_expr *first = parse_expression(parser), *node;

  if (!first || !at(parser, ",")) return first;
  node = new_node(parser, HONE_EXPR_LIST, first->begin);
  if (!node) return NULL;
  add_arg(parser, node, first);
  while (accept(parser, ",")) {
    if (parser->token.kind == END) break;
    first = parse_expression(parser);
    if (!first) return NULL;
    add_arg(parser, node, first);
  }
  node->end = parser->last_end;
  return node;
}

struct hone_expr *hone__expression_parse(const char *text, struct hone_arena *arena,
                                         struct hone_syntax_error *out_error)
{
  struct parser parser = {.text = text, .arena = arena, .error = out_error};
  struct hone_expr *node;

  *out_error = (struct hone_syntax_error){0};
  parser.next = scan(&parser, 0);
  advance(&parser);
  if (parser.token.kind == END) {
    fail(&parser, 0, "an empty expression");
    return NULL;
  }
  node = parse_top(&parser);
  if (node && parser.token.kind != END)
    node = fail(&parser, parser.token.begin, "unexpected %s", token_text(&parser));
  return parser.failed ? NULL : node;
}
