/* What a head and the groups in it are made of: single attributes, types and operands, and the
 * groups, lists in brackets of all of these. */
#include "iree/mlir/mlir_parser.h"

void hone__mlir_add_attr(struct hone__mlir_parser *p, const char *key,
                         const struct hone__mlir_attr *value, size_t begin)
{
  struct hone__mlir_entry *entry = hone__mlir_push(&p->entries);

  entry->key = key;
  entry->value = *value;
  entry->span = (struct hone__mlir_span){begin, p->previous_end};
}

void hone__mlir_read_attr(struct hone__mlir_parser *p, const char *key, size_t begin)
{
  struct hone__mlir_attr value;

  hone__mlir_value(p, false, &value);
  hone__mlir_add_attr(p, key, &value, begin);
}

void hone__mlir_push_type(struct hone__mlir_parser *p)
{
  struct hone__mlir_type type;

  hone__mlir_type(p, &type);
  *(struct hone__mlir_type *)hone__mlir_push(&p->types) = type;
}

void hone__mlir_push_operand(struct hone__mlir_parser *p)
{
  *(const char **)hone__mlir_push(&p->names) = hone__mlir_token_text(p);
  hone__mlir_advance(p);
}

/* ---- Groups in brackets ---- */

/* `: T, U {attributes}` inside a group */
static void read_group_types(struct hone__mlir_parser *p)
{
  hone__mlir_advance(p);
  if (!hone__mlir_starts_type(p, &p->token)) return;
  hone__mlir_push_type(p);
  while (p->token.kind == ',') {
    struct hone__mlir_token next = hone__mlir_peek(p, &p->token);
    if (next.kind != HONE__MLIR_TOKEN_BANG && !hone__mlir_is_type_word(p, &next)) return;
    hone__mlir_advance(p);
    hone__mlir_push_type(p);
  }
}

static void read_group_word(struct hone__mlir_parser *p)
{
  struct hone__mlir_token next = hone__mlir_peek(p, &p->token);
  size_t begin = p->token.begin;
  const char *key = NULL;

  if (hone__mlir_is_word(p, &p->token, "loc") && next.kind == '(') {
    hone__mlir_advance(p);
    hone__mlir_skip_group(p);
    return;
  }
  if (next.kind == '=') {
    key = hone__mlir_token_text(p);
    hone__mlir_advance(p);
    hone__mlir_advance(p);
  }
  if (hone__mlir_starts_value(p, &p->token)) hone__mlir_read_attr(p, key, begin);
}

static void read_group_brace(struct hone__mlir_parser *p, struct hone__mlir_op *op)
{
  if (p->previous != HONE__MLIR_TOKEN_WORD && p->previous != HONE__MLIR_TOKEN_BANG &&
      p->previous != '>' && hone__mlir_brace(p) == HONE__MLIR_REGION)
    hone__mlir_region(p, op);
  else
    hone__mlir_skip_group(p);
}

/* Lists of operands are looked into; other lists are attributes. */
static bool is_nested(const struct hone__mlir_parser *p)
{
  int next;

  if (p->token.kind == '(') return true;
  if (p->token.kind != '[') return false;
  next = hone__mlir_peek(p, &p->token).kind;
  return next == HONE__MLIR_TOKEN_VALUE || next == '(';
}

static void read_group_part(struct hone__mlir_parser *p, struct hone__mlir_op *op)
{
  switch (p->token.kind) {
  case HONE__MLIR_TOKEN_VALUE: hone__mlir_push_operand(p); break;
  case HONE__MLIR_TOKEN_WORD: read_group_word(p); break;
  case ':': read_group_types(p); break;
  case '{': read_group_brace(p, op); break;
  case HONE__MLIR_TOKEN_STRING:
  case HONE__MLIR_TOKEN_NUMBER:
  case HONE__MLIR_TOKEN_SYMBOL:
  case HONE__MLIR_TOKEN_HASH:
  case HONE__MLIR_TOKEN_BANG:
  case '[':
  case '<': hone__mlir_read_attr(p, NULL, p->token.begin); break;
  default: hone__mlir_advance(p);
  }
}

void hone__mlir_group(struct hone__mlir_parser *p, struct hone__mlir_op *op)
{
  size_t opener = p->token.begin;
  char closers[32];
  size_t open = 0;

  closers[open++] = (char)hone__mlir_closer(p->token.kind);
  hone__mlir_advance(p);
  while (open && p->token.kind != HONE__MLIR_TOKEN_END) {
    if (is_nested(p) && open < sizeof closers) {
      closers[open++] = (char)hone__mlir_closer(p->token.kind);
      hone__mlir_advance(p);
    } else if (hone__mlir_is_closer(p->token.kind)) {
      hone__mlir_expect(p, closers[--open], opener);
    } else if (p->token.kind == '(') {
      hone__mlir_skip_group(p);
    } else {
      read_group_part(p, op);
    }
  }
  if (open) hone__mlir_fail(p, opener, "'%c' is not closed", p->mlir->text[opener]);
}
