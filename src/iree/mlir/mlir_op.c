/* Operations, blocks and regions. Custom syntax has no end mark: an operation goes on until a token
 * begins a statement of its own (hone__mlir_starts_statement) or the region ends. */
#include "iree/mlir/mlir_parser.h"

/* Operations that are written without their dialect. */
static bool is_bare_name(const struct hone__mlir_parser *p, const struct hone__mlir_token *token)
{
  static const char *const names[] = {"module",   "func",          "return",     "call",
                                      "constant", "call_indirect", "unreachable"};

  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (hone__mlir_is_word(p, token, names[i])) return true;
  return false;
}

static bool is_name(const struct hone__mlir_parser *p, const struct hone__mlir_token *token)
{
  if (token->kind == HONE__MLIR_TOKEN_STRING) return hone__mlir_peek(p, token).kind == '(';
  if (token->kind != HONE__MLIR_TOKEN_WORD) return false;
  return is_bare_name(p, token) ||
         memchr(p->mlir->text + token->begin, '.', token->end - token->begin);
}

/* `%a, %b:2 = dialect.name`; out_end: the first token that is none of the values. */
static bool is_result_list(const struct hone__mlir_parser *p, struct hone__mlir_token token,
                           struct hone__mlir_token *out_end)
{
  while (token.kind == HONE__MLIR_TOKEN_VALUE) {
    token = hone__mlir_peek(p, &token);
    if (token.kind == ':') {
      token = hone__mlir_peek(p, &token);
      if (token.kind == HONE__MLIR_TOKEN_NUMBER) token = hone__mlir_peek(p, &token);
    }
    if (token.kind != ',') break;
    token = hone__mlir_peek(p, &token);
  }
  *out_end = token;
  if (token.kind != '=') return false;
  token = hone__mlir_peek(p, &token);
  return is_name(p, &token);
}

static bool is_alias(const struct hone__mlir_parser *p)
{
  return (p->token.kind == HONE__MLIR_TOKEN_HASH || p->token.kind == HONE__MLIR_TOKEN_BANG) &&
         hone__mlir_peek(p, &p->token).kind == '=';
}

bool hone__mlir_starts_statement(const struct hone__mlir_parser *p, bool is_after_type)
{
  struct hone__mlir_token end;

  if (!p->token.is_first && !is_after_type) return false;
  if (p->previous == ',' || p->previous == '=' || p->previous == ':' ||
      p->previous == HONE__MLIR_TOKEN_ARROW)
    return false;
  switch (p->token.kind) {
  case HONE__MLIR_TOKEN_BLOCK: return p->token.is_first;
  case HONE__MLIR_TOKEN_VALUE: return is_result_list(p, p->token, &end);
  case HONE__MLIR_TOKEN_WORD:
    return is_name(p, &p->token) && hone__mlir_peek(p, &p->token).kind != '=';
  case HONE__MLIR_TOKEN_STRING: return is_name(p, &p->token);
  default: return is_alias(p);
  }
}

/* ---- What a brace is ---- */

static bool is_terminator(const struct hone__mlir_parser *p, const struct hone__mlir_token *token)
{
  static const char *const ends[] = {"yield", "return", "terminator", "unreachable"};
  size_t length = token->end - token->begin;

  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
    size_t size = strlen(ends[i]);
    if (length >= size && memcmp(p->mlir->text + token->end - size, ends[i], size) == 0)
      return true;
  }
  return false;
}

static bool is_behind_else(const struct hone__mlir_parser *p)
{
  return p->previous == HONE__MLIR_TOKEN_WORD && p->previous_end >= 4 &&
         memcmp(p->mlir->text + p->previous_end - 4, "else", 4) == 0;
}

static enum hone__mlir_brace brace_before_word(const struct hone__mlir_parser *p,
                                               const struct hone__mlir_token *first)
{
  struct hone__mlir_token second = hone__mlir_peek(p, first);

  if (second.kind == '=' || second.kind == ',') return HONE__MLIR_ATTRIBUTES;
  if (first->kind == HONE__MLIR_TOKEN_STRING)
    return second.kind == '(' ? HONE__MLIR_REGION : HONE__MLIR_ATTRIBUTES;
  if (!is_name(p, first)) return second.kind == '}' ? HONE__MLIR_ATTRIBUTES : HONE__MLIR_OTHER;
  if (second.kind != '}' || first->is_first || is_terminator(p, first) || is_behind_else(p))
    return HONE__MLIR_REGION;
  return HONE__MLIR_ATTRIBUTES;
}

enum hone__mlir_brace hone__mlir_brace(const struct hone__mlir_parser *p)
{
  struct hone__mlir_token first = hone__mlir_peek(p, &p->token), end;

  switch (first.kind) {
  case HONE__MLIR_TOKEN_WORD:
  case HONE__MLIR_TOKEN_STRING: return brace_before_word(p, &first);
  case HONE__MLIR_TOKEN_VALUE:
    return is_result_list(p, first, &end) || end.kind == '=' ? HONE__MLIR_REGION
                                                             : HONE__MLIR_OPERANDS;
  case HONE__MLIR_TOKEN_BLOCK:
  case HONE__MLIR_TOKEN_HASH:
  case HONE__MLIR_TOKEN_BANG:
  case HONE__MLIR_TOKEN_END:
  case '}': return HONE__MLIR_REGION;
  default: return HONE__MLIR_OTHER;
  }
}

/* ---- Statements ---- */

static void read_results(struct hone__mlir_parser *p, struct hone__mlir_op *op)
{
  size_t mark = p->names.count;

  while (p->token.kind == HONE__MLIR_TOKEN_VALUE) {
    *(const char **)hone__mlir_push(&p->names) = hone__mlir_token_text(p);
    hone__mlir_advance(p);
    if (p->token.kind == ':') {
      hone__mlir_advance(p);
      if (p->token.kind == HONE__MLIR_TOKEN_NUMBER) hone__mlir_advance(p);
    }
    if (p->token.kind != ',') break;
    hone__mlir_advance(p);
  }
  op->results = hone__mlir_take(p, &p->names, mark, &op->result_count);
  if (!op->result_count) return;
  if (p->token.kind == '=')
    hone__mlir_advance(p);
  else
    hone__mlir_fail(p, p->token.begin, "expected '=' after an operation's results");
}

static void read_op(struct hone__mlir_parser *p, struct hone__mlir_op *parent)
{
  struct hone__mlir_op *op = hone__arena_alloc(p->arena, sizeof *op);

  op->parent = parent;
  op->line = p->token.line;
  op->span.begin = op->head.begin = p->token.begin;
  op->name = "";
  read_results(p, op);
  if (p->token.kind != HONE__MLIR_TOKEN_WORD && p->token.kind != HONE__MLIR_TOKEN_STRING) {
    hone__mlir_fail(p, p->token.begin, "expected an operation");
    return;
  }
  if (!parent->parent && !parent->name[0] && !is_name(p, &p->token)) {
    hone__mlir_fail(p, p->token.begin, "expected an operation such as 'module' or 'func.func'");
    return;
  }
  op->name = hone__mlir_token_text(p);
  hone__mlir_advance(p);
  hone__mlir_head(p, op);
  op->span.end = p->previous_end;
  if (!op->head.end) op->head.end = op->span.end;
  *(struct hone__mlir_op **)hone__mlir_push(&p->ops) = op;
}

/* ^bb0(%arg0: T, ...): */
static void read_label(struct hone__mlir_parser *p, struct hone__mlir_op *op)
{
  size_t names = p->names.count, types = p->types.count, entries = p->entries.count;

  hone__mlir_advance(p);
  if (p->token.kind == '(') hone__mlir_group(p, op);
  if (!op->block_args) {
    size_t count;
    op->block_args = hone__mlir_take(p, &p->names, names, &op->block_arg_count);
    op->block_types = hone__mlir_take(p, &p->types, types, &count);
    if (count < op->block_arg_count) op->block_arg_count = count;
  }
  p->names.count = names;
  p->types.count = types;
  p->entries.count = entries;
  if (p->token.kind == ':')
    hone__mlir_advance(p);
  else
    hone__mlir_fail(p, p->token.begin, "expected ':' after a block's label");
}

void hone__mlir_body(struct hone__mlir_parser *p, struct hone__mlir_op *parent)
{
  while (p->token.kind != HONE__MLIR_TOKEN_END && p->token.kind != '}')
    if (p->token.kind == HONE__MLIR_TOKEN_BLOCK)
      read_label(p, parent);
    else if (is_alias(p))
      hone__mlir_alias_define(p);
    else
      read_op(p, parent);
}

void hone__mlir_region(struct hone__mlir_parser *p, struct hone__mlir_op *op)
{
  size_t opener = p->token.begin;

  if (!op->head.end) op->head.end = p->previous_end;
  if (!hone__mlir_enter(p)) return;
  hone__mlir_advance(p);
  hone__mlir_body(p, op);
  hone__mlir_expect(p, '}', opener);
  hone__mlir_leave(p);
}
