/* The parts after an operation's name: each is recognised by its first two tokens. Operands,
 * attributes, types and clauses go onto the parser's piles until the operation is complete; regions
 * in between remove theirs.
 */
#include "iree/mlir/mlir_parser.h"

struct head {
  struct hone__mlir_op *op;
  bool has_types;     /* a colon or an arrow was seen */
  bool is_after_type; /* what was read last is complete: a type, or a region */
};

/* ---- Clauses ---- */

/* What a clause holds besides operands and types is also an attribute with its word as key. */
static void add_clause_attr(struct hone__mlir_parser *p, const char *word, size_t mark,
                            size_t begin)
{
  struct hone__mlir_attr attr = {.kind = HONE__MLIR_LIST};

  attr.entries = hone__mlir_take(p, &p->entries, mark, &attr.count);
  if (!attr.count) return;
  attr.span =
      (struct hone__mlir_span){attr.entries[0].span.begin, attr.entries[attr.count - 1].span.end};
  for (size_t i = 0; i < attr.count; i++)
    if (attr.entries[i].key) attr.kind = HONE__MLIR_DICT;
  if (attr.count == 1 && !attr.entries[0].key) attr = attr.entries[0].value;
  hone__mlir_add_attr(p, word, &attr, begin);
}

static void read_clause(struct hone__mlir_parser *p, struct head *head)
{
  size_t names = p->names.count, types = p->types.count, entries = p->entries.count;
  struct hone__mlir_clause clause = {.word = hone__mlir_token_text(p)};
  size_t begin = p->token.begin;

  hone__mlir_advance(p);
  hone__mlir_group(p, head->op);
  clause.operands = hone__mlir_take(p, &p->names, names, &clause.operand_count);
  clause.types = hone__mlir_take(p, &p->types, types, &clause.type_count);
  clause.span = (struct hone__mlir_span){begin, p->previous_end};
  *(struct hone__mlir_clause *)hone__mlir_push(&p->clauses) = clause;
  add_clause_attr(p, clause.word, entries, begin);
}

/* ---- Parts that begin with a bracket ---- */

static void read_arguments(struct hone__mlir_parser *p, struct hone__mlir_op *op)
{
  size_t names = p->names.count, types = p->types.count, entries = p->entries.count, count;

  hone__mlir_group(p, op);
  op->block_args = hone__mlir_take(p, &p->names, names, &op->block_arg_count);
  op->block_types = hone__mlir_take(p, &p->types, types, &count);
  if (count < op->block_arg_count) op->block_arg_count = count;
  p->entries.count = entries;
}

static bool are_arguments(const struct hone__mlir_parser *p)
{
  struct hone__mlir_token next = hone__mlir_peek(p, &p->token);

  if (p->previous != HONE__MLIR_TOKEN_SYMBOL || next.kind != HONE__MLIR_TOKEN_VALUE) return false;
  return hone__mlir_peek(p, &next).kind == ':';
}

static void read_operands(struct hone__mlir_parser *p, struct head *head)
{
  size_t types = p->types.count;

  hone__mlir_group(p, head->op);
  p->types.count = types;
}

/* (T, U {attributes}) */
static void read_type_list(struct hone__mlir_parser *p)
{
  size_t opener = p->token.begin;

  hone__mlir_advance(p);
  while (p->token.kind != HONE__MLIR_TOKEN_END && !hone__mlir_is_closer(p->token.kind))
    if (hone__mlir_is_word(p, &p->token, "loc"))
      hone__mlir_advance(p);
    else if (p->previous == HONE__MLIR_TOKEN_WORD && p->token.kind == '(')
      hone__mlir_skip_group(p);
    else if (hone__mlir_starts_type(p, &p->token))
      hone__mlir_push_type(p);
    else if (hone__mlir_closer(p->token.kind))
      hone__mlir_skip_group(p);
    else
      hone__mlir_advance(p);
  hone__mlir_expect(p, ')', opener);
}

static bool expects_type(const struct hone__mlir_parser *p, const struct head *head)
{
  return head->has_types &&
         (p->previous == ':' || p->previous == HONE__MLIR_TOKEN_ARROW || p->previous == ',');
}

static void read_parenthesis(struct hone__mlir_parser *p, struct head *head)
{
  if (expects_type(p, head)) {
    read_type_list(p);
    head->is_after_type = true;
  } else if (are_arguments(p) && !head->op->block_args) {
    read_arguments(p, head->op);
  } else {
    read_operands(p, head);
  }
}

/* A list of nothing but operands is not an attribute. */
static void read_list(struct hone__mlir_parser *p, const char *key, size_t begin)
{
  struct hone__mlir_attr list;
  size_t operands = 0;

  hone__mlir_value(p, false, &list);
  while (operands < list.count && list.entries[operands].value.kind == HONE__MLIR_WORD &&
         list.entries[operands].value.text[0] == '%')
    operands++;
  if (!list.count || operands < list.count) hone__mlir_add_attr(p, key, &list, begin);
}

/* <{...}>, <key = value, ...>, <"text">, <%operand : T> */
static void read_angle(struct hone__mlir_parser *p, struct head *head)
{
  size_t opener = p->token.begin;
  int next = hone__mlir_peek(p, &p->token).kind;

  if (next == HONE__MLIR_TOKEN_VALUE) {
    read_operands(p, head);
  } else if (next == '{') {
    hone__mlir_advance(p);
    hone__mlir_entries(p, HONE__MLIR_DICT, '}');
    hone__mlir_expect(p, '>', opener);
  } else {
    hone__mlir_entries(p, HONE__MLIR_DIALECT, '>');
  }
}

/* Here a dictionary is the value. */
static bool is_constant(const struct hone__mlir_parser *p, const struct hone__mlir_op *op)
{
  return strcmp(op->name, "transform.param.constant") == 0 && p->previous == HONE__MLIR_TOKEN_WORD;
}

static void read_brace(struct hone__mlir_parser *p, struct head *head)
{
  enum hone__mlir_brace brace = hone__mlir_brace(p);

  if (is_constant(p, head->op)) {
    hone__mlir_read_attr(p, NULL, p->token.begin);
  } else if (brace == HONE__MLIR_ATTRIBUTES) {
    hone__mlir_entries(p, HONE__MLIR_DICT, '}');
  } else if (brace == HONE__MLIR_OPERANDS) {
    read_operands(p, head);
  } else {
    if (brace == HONE__MLIR_OTHER)
      hone__mlir_skip_group(p);
    else
      hone__mlir_region(p, head->op);
    head->is_after_type = true;
  }
}

/* ---- Parts that begin with a word ---- */

static bool is_dictionary_word(const struct hone__mlir_parser *p)
{
  return hone__mlir_is_word(p, &p->token, "attributes") ||
         hone__mlir_is_word(p, &p->token, "attrs");
}

/* `key = value`; what is after `attrs =` is merged, an operand is left for later. */
static void read_assignment(struct hone__mlir_parser *p)
{
  size_t begin = p->token.begin;
  bool is_dictionary = is_dictionary_word(p);
  const char *key = hone__mlir_token_text(p);

  hone__mlir_advance(p);
  hone__mlir_advance(p);
  if (is_dictionary && p->token.kind == '{')
    hone__mlir_entries(p, HONE__MLIR_DICT, '}');
  else if (p->token.kind == '[')
    read_list(p, key, begin);
  else if (hone__mlir_starts_value(p, &p->token))
    hone__mlir_read_attr(p, key, begin);
}

static void read_keyed(struct hone__mlir_parser *p, int opener)
{
  size_t begin = p->token.begin;
  const char *key = hone__mlir_token_text(p);

  hone__mlir_advance(p);
  if (opener == '[')
    read_list(p, key, begin);
  else
    hone__mlir_read_attr(p, key, begin);
}

/* Words that are a value together with their <...>. */
static bool is_value_word(const struct hone__mlir_parser *p)
{
  static const char *const words[] = {"affine_map", "affine_set", "dense",   "dense_resource",
                                      "array",      "sparse",     "strided", "opaque"};

  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (hone__mlir_is_word(p, &p->token, words[i])) return true;
  return hone__mlir_is_type_word(p, &p->token);
}

static bool is_type_here(const struct hone__mlir_parser *p, const struct head *head, int next)
{
  if (!head->has_types || next == '=') return false;
  if (hone__mlir_is_type_word(p, &p->token)) return true;
  return (p->previous == ':' || p->previous == HONE__MLIR_TOKEN_ARROW) && next != '(';
}

static void read_angle_word(struct hone__mlir_parser *p, struct head *head)
{
  struct hone__mlir_token next = hone__mlir_peek(p, &p->token);

  if (is_value_word(p))
    hone__mlir_read_attr(p, NULL, p->token.begin);
  else if (hone__mlir_peek(p, &next).kind == HONE__MLIR_TOKEN_VALUE)
    read_clause(p, head);
  else
    read_keyed(p, '<');
}

static void read_word(struct hone__mlir_parser *p, struct head *head)
{
  int next = hone__mlir_peek(p, &p->token).kind;

  if (is_type_here(p, head, next)) {
    hone__mlir_push_type(p);
    head->is_after_type = true;
  } else if (next == '=') {
    read_assignment(p);
  } else if (hone__mlir_touches(p, '<')) {
    read_angle_word(p, head);
  } else if (next == '(' && hone__mlir_is_word(p, &p->token, "loc")) {
    hone__mlir_advance(p);
    hone__mlir_skip_group(p);
    head->is_after_type = true;
  } else if (next == '(') {
    read_clause(p, head);
  } else if (next == '[') {
    read_keyed(p, '[');
  } else if (next == '{' && is_dictionary_word(p)) {
    hone__mlir_advance(p);
    hone__mlir_entries(p, HONE__MLIR_DICT, '}');
  } else if (head->has_types) {
    hone__mlir_advance(p); /* `to`, `into` between types */
  } else {
    hone__mlir_read_attr(p, NULL, p->token.begin);
  }
}

/* ---- Other parts ---- */

static void read_symbol(struct hone__mlir_parser *p, struct head *head)
{
  struct hone__mlir_entry *entry;
  size_t begin;

  hone__mlir_read_attr(p, NULL, p->token.begin);
  if (p->status) return;
  entry = (struct hone__mlir_entry *)(void *)p->entries.data + p->entries.count - 1;
  if (!head->op->symbol) head->op->symbol = entry->value.text;
  if (p->token.kind != '=') return;
  hone__mlir_advance(p);
  begin = p->token.begin;
  if (hone__mlir_starts_value(p, &p->token)) hone__mlir_read_attr(p, "value", begin);
}

/* `"key" = value`, or a text by itself. */
static void read_string(struct hone__mlir_parser *p)
{
  struct hone__mlir_token next = hone__mlir_peek(p, &p->token);

  if (next.kind == '=') {
    next = hone__mlir_peek(p, &next);
    if (hone__mlir_starts_value(p, &next)) {
      read_assignment(p);
      return;
    }
  }
  hone__mlir_read_attr(p, NULL, p->token.begin);
}

static void read_type_mark(struct hone__mlir_parser *p, struct head *head)
{
  head->has_types = true;
  hone__mlir_advance(p);
}

static void read_bang(struct hone__mlir_parser *p, struct head *head)
{
  if (!head->has_types) {
    hone__mlir_read_attr(p, NULL, p->token.begin);
    return;
  }
  hone__mlir_push_type(p);
  head->is_after_type = true;
}

static void read_part(struct hone__mlir_parser *p, struct head *head)
{
  head->is_after_type = false;
  switch (p->token.kind) {
  case HONE__MLIR_TOKEN_VALUE: hone__mlir_push_operand(p); break;
  case HONE__MLIR_TOKEN_SYMBOL: read_symbol(p, head); break;
  case HONE__MLIR_TOKEN_WORD: read_word(p, head); break;
  case HONE__MLIR_TOKEN_STRING: read_string(p); break;
  case HONE__MLIR_TOKEN_BANG: read_bang(p, head); break;
  case HONE__MLIR_TOKEN_NUMBER:
  case HONE__MLIR_TOKEN_HASH: hone__mlir_read_attr(p, NULL, p->token.begin); break;
  case ':':
  case HONE__MLIR_TOKEN_ARROW: read_type_mark(p, head); break;
  case '(': read_parenthesis(p, head); break;
  case '[': read_list(p, NULL, p->token.begin); break;
  case '<': read_angle(p, head); break;
  case '{': read_brace(p, head); break;
  case ')':
  case ']': hone__mlir_fail(p, p->token.begin, "unmatched '%c'", p->token.kind); break;
  default: hone__mlir_advance(p);
  }
}

static const char *find_symbol(const struct hone__mlir_op *op)
{
  const struct hone__mlir_attr *name = hone__mlir_attr(op, "sym_name");

  return name && name->kind == HONE__MLIR_STRING ? name->text : NULL;
}

void hone__mlir_head(struct hone__mlir_parser *p, struct hone__mlir_op *op)
{
  size_t entries = p->entries.count, names = p->names.count, types = p->types.count;
  size_t clauses = p->clauses.count, ops = p->ops.count;
  struct head head = {.op = op};

  p->collects_operands = true;
  while (p->token.kind != HONE__MLIR_TOKEN_END && p->token.kind != '}' &&
         !hone__mlir_starts_statement(p, head.is_after_type)) {
    read_part(p, &head);
    p->collects_operands = true;
  }
  p->collects_operands = false;
  op->attrs = hone__mlir_take(p, &p->entries, entries, &op->attr_count);
  op->operands = hone__mlir_take(p, &p->names, names, &op->operand_count);
  op->types = hone__mlir_take(p, &p->types, types, &op->type_count);
  op->clauses = hone__mlir_take(p, &p->clauses, clauses, &op->clause_count);
  op->children = hone__mlir_take(p, &p->ops, ops, &op->child_count);
  if (!op->symbol) op->symbol = find_symbol(op);
}
