/* Attributes. A container reads entries up to its closer; what is not a value becomes a WORD with
 * the text as it stands, up to the next comma, so that any dialect's syntax passes through. */
#include "iree/mlir/mlir_parser.h"

#include "base/number.h"

#include <errno.h>
#include <stdlib.h>

static bool ends_entry(int kind)
{
  return kind == ',' || hone__mlir_is_closer(kind) || kind == HONE__MLIR_TOKEN_END;
}

/* Everything from `begin` to the next comma or closer as it is written. */
static void take_raw(struct hone__mlir_parser *p, size_t begin, struct hone__mlir_attr *attr)
{
  while (!ends_entry(p->token.kind))
    if (hone__mlir_closer(p->token.kind))
      hone__mlir_skip_group(p);
    else
      hone__mlir_advance(p);
  *attr = (struct hone__mlir_attr){.kind = HONE__MLIR_WORD};
  attr->text = p->status ? "" : hone__mlir_text(p, begin, p->previous_end);
}

/* ---- Entries ---- */

bool hone__mlir_starts_value(const struct hone__mlir_parser *p,
                             const struct hone__mlir_token *token)
{
  (void)p;
  switch (token->kind) {
  case HONE__MLIR_TOKEN_WORD:
  case HONE__MLIR_TOKEN_STRING:
  case HONE__MLIR_TOKEN_NUMBER:
  case HONE__MLIR_TOKEN_SYMBOL:
  case HONE__MLIR_TOKEN_HASH:
  case HONE__MLIR_TOKEN_BANG:
  case '[':
  case '{':
  case '<':
  case '(': return true;
  default: return false;
  }
}

static bool has_key(const struct hone__mlir_parser *p, enum hone__mlir_kind form)
{
  if (form == HONE__MLIR_LIST) return false;
  if (p->token.kind != HONE__MLIR_TOKEN_WORD && p->token.kind != HONE__MLIR_TOKEN_STRING)
    return false;
  return form == HONE__MLIR_DICT || hone__mlir_peek(p, &p->token).kind == '=';
}

/* In dialects also blanks separate entries. */
static bool is_entry_over(const struct hone__mlir_parser *p, enum hone__mlir_kind form)
{
  if (ends_entry(p->token.kind)) return true;
  return form == HONE__MLIR_DIALECT && hone__mlir_starts_value(p, &p->token) &&
         p->token.kind != '<' && p->token.kind != '(';
}

static void read_entry(struct hone__mlir_parser *p, enum hone__mlir_kind form,
                       struct hone__mlir_entry *entry)
{
  size_t begin = p->token.begin;

  if (has_key(p, form)) {
    entry->key = hone__mlir_token_text(p);
    hone__mlir_advance(p);
    if (p->token.kind != '=') {
      entry->value.kind = HONE__MLIR_UNIT;
      entry->value.span = (struct hone__mlir_span){begin, p->previous_end};
      p->weight++;
    } else {
      hone__mlir_advance(p);
      hone__mlir_value(p, true, &entry->value);
    }
  } else {
    hone__mlir_value(p, true, &entry->value);
  }
  if (!is_entry_over(p, form)) {
    entry->key = NULL;
    take_raw(p, begin, &entry->value);
    entry->value.span = (struct hone__mlir_span){begin, p->previous_end};
  }
  entry->span = (struct hone__mlir_span){begin, p->previous_end};
}

void hone__mlir_entries(struct hone__mlir_parser *p, enum hone__mlir_kind form, int closer)
{
  size_t opener = p->token.begin;
  bool is_after_comma = false;

  hone__mlir_advance(p);
  while (p->token.kind != HONE__MLIR_TOKEN_END && !hone__mlir_is_closer(p->token.kind)) {
    struct hone__mlir_entry entry = {.is_after_comma = is_after_comma};
    if (p->token.kind == ',') {
      is_after_comma = true;
      hone__mlir_advance(p);
      continue;
    }
    read_entry(p, form, &entry);
    *(struct hone__mlir_entry *)hone__mlir_push(&p->entries) = entry;
    is_after_comma = false;
  }
  hone__mlir_expect(p, closer, opener);
}

static void read_container(struct hone__mlir_parser *p, enum hone__mlir_kind form,
                           struct hone__mlir_attr *attr)
{
  size_t mark = p->entries.count;

  attr->kind = form;
  hone__mlir_entries(p, form, hone__mlir_closer(p->token.kind));
  attr->entries = hone__mlir_take(p, &p->entries, mark, &attr->count);
}

/* ---- Single values ---- */

static void read_number(struct hone__mlir_parser *p, struct hone__mlir_attr *attr)
{
  const char *text = p->mlir->text + p->token.begin;
  size_t length = p->token.end - p->token.begin;
  bool is_hex = length > 2 && (memcmp(text, "0x", 2) == 0 || memcmp(text, "-0x", 3) == 0);
  bool is_real = !is_hex && (memchr(text, '.', length) || memchr(text, 'e', length) ||
                             memchr(text, 'E', length));

  attr->kind = is_real ? HONE__MLIR_REAL : HONE__MLIR_INTEGER;
  errno = 0;
  attr->integer = is_real ? 0 : strtoll(text, NULL, is_hex ? 16 : 10);
  if (is_real || is_hex || errno) attr->text = hone__mlir_token_text(p);
  attr->real = is_real ? hone__strtod(attr->text, NULL) : (double)attr->integer;
  hone__mlir_advance(p);
}

/* It stands where one node has already been counted. */
static void use_alias(struct hone__mlir_parser *p, const struct hone__mlir_alias *alias,
                      struct hone__mlir_attr *attr)
{
  unsigned depth = p->depth - 1 + alias->height;

  *attr = alias->attr;
  p->weight += alias->weight - 1;
  if (depth > p->deepest) p->deepest = depth;
  if (depth > HONE__MLIR_MOST_DEPTH)
    hone__mlir_fail(p, p->token.begin, "more than %d nested levels", HONE__MLIR_MOST_DEPTH);
  hone__mlir_advance(p);
}

static void read_hash(struct hone__mlir_parser *p, struct hone__mlir_attr *attr)
{
  bool has_body = hone__mlir_touches(p, '<');
  const struct hone__mlir_alias *alias =
      hone__mlir_alias_find(p, p->mlir->text + p->token.begin, p->token.end - p->token.begin);

  if (alias && !has_body) {
    use_alias(p, alias, attr);
    return;
  }
  attr->kind = HONE__MLIR_DIALECT;
  attr->text = hone__mlir_text(p, p->token.begin + 1, p->token.end);
  hone__mlir_advance(p);
  if (has_body) read_container(p, HONE__MLIR_DIALECT, attr);
}

static void read_type(struct hone__mlir_parser *p, struct hone__mlir_attr *attr)
{
  attr->kind = HONE__MLIR_TYPE;
  hone__mlir_type(p, &attr->type);
  attr->text = attr->type.text;
}

static void read_parenthesis(struct hone__mlir_parser *p, struct hone__mlir_attr *attr)
{
  size_t begin = p->token.begin;

  read_type(p, attr);
  if (p->status || p->mlir->text[begin] != '(') return;
  if (!memmem(attr->text, strlen(attr->text), "->", 2)) attr->kind = HONE__MLIR_WORD;
}

/* ---- Words ---- */

static void read_map(struct hone__mlir_parser *p, struct hone__mlir_attr *attr)
{
  struct hone__affine_map *map = hone__arena_alloc(p->arena, sizeof *map);
  size_t begin = p->token.end + 1;
  const char *problem;

  hone__mlir_advance(p);
  hone__mlir_skip_group(p);
  if (p->status) return;
  problem = hone__affine_map_read(p->arena, p->mlir->text, begin, p->previous_end - 1, map);
  if (problem) hone__mlir_fail(p, begin, "%s", problem);
  attr->kind = HONE__MLIR_MAP;
  attr->map = map;
}

/* array<i64: 1, 2> or array<i64> */
static void read_array(struct hone__mlir_parser *p, struct hone__mlir_attr *attr)
{
  size_t begin = p->token.begin, mark = p->entries.count;

  hone__mlir_advance(p);
  hone__mlir_advance(p);
  hone__mlir_advance(p);
  if (p->token.kind == ':')
    hone__mlir_entries(p, HONE__MLIR_LIST, '>');
  else
    hone__mlir_expect(p, '>', begin);
  attr->kind = HONE__MLIR_LIST;
  attr->entries = hone__mlir_take(p, &p->entries, mark, &attr->count);
  if (!p->status) attr->text = hone__mlir_text(p, begin, p->previous_end);
}

/* dense<1>, dense<[1, 2]>: the entries, unless there are too many; dense<"0x..."> has none. */
static void read_dense(struct hone__mlir_parser *p, struct hone__mlir_attr *attr)
{
  size_t begin = p->token.begin, mark = p->entries.count;
  struct hone__mlir_token body;

  attr->kind = HONE__MLIR_LIST;
  hone__mlir_advance(p);
  body = p->token;
  hone__mlir_skip_group(p);
  if (p->status) return;
  attr->text = hone__mlir_text(p, begin, p->previous_end);
  if (p->previous_end - begin > HONE__MLIR_LONGEST_CONSTANT) return;
  hone__mlir_go_to(p, &body);
  hone__mlir_entries(p, HONE__MLIR_LIST, '>');
  attr->entries = hone__mlir_take(p, &p->entries, mark, &attr->count);
  if (attr->count != 1) return;
  if (attr->entries->value.kind == HONE__MLIR_STRING) attr->count = 0;
  if (attr->entries->value.kind == HONE__MLIR_LIST) {
    attr->count = attr->entries->value.count;
    attr->entries = attr->entries->value.entries;
  }
}

static void read_bool(struct hone__mlir_parser *p, struct hone__mlir_attr *attr)
{
  attr->kind = HONE__MLIR_BOOL;
  attr->integer = hone__mlir_is_word(p, &p->token, "true");
  hone__mlir_advance(p);
}

static void read_plain_word(struct hone__mlir_parser *p, struct hone__mlir_attr *attr)
{
  size_t begin = p->token.begin;
  bool has_body = hone__mlir_touches(p, '<') ||
                  (hone__mlir_is_word(p, &p->token, "loc") && hone__mlir_touches(p, '('));

  attr->kind = HONE__MLIR_WORD;
  hone__mlir_advance(p);
  if (has_body) hone__mlir_skip_group(p);
  attr->text = p->status ? "" : hone__mlir_text(p, begin, p->previous_end);
}

static void read_word(struct hone__mlir_parser *p, struct hone__mlir_attr *attr)
{
  static const struct {
    const char *word;
    bool has_body;
    void (*read)(struct hone__mlir_parser *p, struct hone__mlir_attr *attr);
  } words[] = {
      {"affine_map", true, read_map}, {"dense", true, read_dense}, {"array", true, read_array},
      {"true", false, read_bool},     {"false", false, read_bool},
  };

  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (hone__mlir_is_word(p, &p->token, words[i].word) &&
        hone__mlir_touches(p, '<') == words[i].has_body) {
      words[i].read(p, attr);
      return;
    }
  if (hone__mlir_is_type_word(p, &p->token))
    read_type(p, attr);
  else
    read_plain_word(p, attr);
}

/* ---- Any value ---- */

static void read_text(struct hone__mlir_parser *p, enum hone__mlir_kind kind,
                      struct hone__mlir_attr *attr)
{
  attr->kind = kind;
  attr->text = hone__mlir_token_text(p);
  hone__mlir_advance(p);
}

static void read_operand(struct hone__mlir_parser *p, struct hone__mlir_attr *attr)
{
  read_text(p, HONE__MLIR_WORD, attr);
  if (p->collects_operands) *(const char **)hone__mlir_push(&p->names) = attr->text;
}

static void read_value(struct hone__mlir_parser *p, struct hone__mlir_attr *attr)
{
  switch (p->token.kind) {
  case HONE__MLIR_TOKEN_STRING: read_text(p, HONE__MLIR_STRING, attr); break;
  case HONE__MLIR_TOKEN_SYMBOL: read_text(p, HONE__MLIR_SYMBOL, attr); break;
  case HONE__MLIR_TOKEN_BLOCK: read_text(p, HONE__MLIR_WORD, attr); break;
  case HONE__MLIR_TOKEN_VALUE: read_operand(p, attr); break;
  case HONE__MLIR_TOKEN_NUMBER: read_number(p, attr); break;
  case HONE__MLIR_TOKEN_HASH: read_hash(p, attr); break;
  case HONE__MLIR_TOKEN_BANG: read_type(p, attr); break;
  case HONE__MLIR_TOKEN_WORD: read_word(p, attr); break;
  case '(': read_parenthesis(p, attr); break;
  case '[': read_container(p, HONE__MLIR_LIST, attr); break;
  case '{': read_container(p, HONE__MLIR_DICT, attr); break;
  case '<':
    read_container(p, HONE__MLIR_DIALECT, attr);
    attr->text = "";
    break;
  default: attr->kind = HONE__MLIR_WORD; attr->text = "";
  }
}

static void read_own_type(struct hone__mlir_parser *p, struct hone__mlir_attr *attr)
{
  struct hone__mlir_token next;

  if (p->token.kind != ':' || attr->kind == HONE__MLIR_WORD || attr->kind == HONE__MLIR_TYPE)
    return;
  next = hone__mlir_peek(p, &p->token);
  if (!hone__mlir_starts_type(p, &next)) return;
  hone__mlir_advance(p);
  hone__mlir_type(p, &attr->type);
}

void hone__mlir_value(struct hone__mlir_parser *p, bool takes_type,
                      struct hone__mlir_attr *out_attr)
{
  size_t begin = p->token.begin;

  *out_attr = (struct hone__mlir_attr){0};
  if (hone__mlir_enter(p)) read_value(p, out_attr);
  if (takes_type) read_own_type(p, out_attr);
  hone__mlir_leave(p);
  if (p->status) *out_attr = (struct hone__mlir_attr){.kind = HONE__MLIR_WORD, .text = ""};
  out_attr->span = (struct hone__mlir_span){begin, p->previous_end};
}
