/* The parser's own upkeep: failures, depth, piles, texts, aliases. */
#include "iree/mlir/mlir_parser.h"

#include "base/hash.h"

#include <ctype.h>
#include <stdlib.h>

void hone__mlir_begin(struct hone__mlir_parser *p, const struct hone__mlir *mlir,
                      struct hone__arena *arena)
{
  *p = (struct hone__mlir_parser){.mlir = mlir, .arena = arena};
  p->entries.item = sizeof(struct hone__mlir_entry);
  p->names.item = sizeof(const char *);
  p->types.item = sizeof(struct hone__mlir_type);
  p->clauses.item = sizeof(struct hone__mlir_clause);
  p->ops.item = sizeof(struct hone__mlir_op *);
  hone__mlir_go_to(p, &(struct hone__mlir_token){.line = 1});
  hone__mlir_advance(p);
}

hone_status hone__mlir_end(struct hone__mlir_parser *p)
{
  free(p->entries.data);
  free(p->names.data);
  free(p->types.data);
  free(p->clauses.data);
  free(p->ops.data);
  free(p->aliases);
  return p->status;
}

void hone__mlir_fail(struct hone__mlir_parser *p, size_t offset, const char *format, ...)
{
  struct hone__text message = {0};
  va_list args;

  if (!p->status) {
    va_start(args, format);
    hone__text_vaddf(&message, format, args);
    va_end(args);
    p->status = hone__mlir_error(p->mlir, offset, "%s", message.data);
    hone__text_release(&message);
  }
  p->token.kind = HONE__MLIR_TOKEN_END;
  p->token.begin = p->token.end = p->mlir->size;
  p->next = p->token;
}

void hone__mlir_expect(struct hone__mlir_parser *p, int kind, size_t opener)
{
  if (p->token.kind == kind)
    hone__mlir_advance(p);
  else if (p->token.kind == HONE__MLIR_TOKEN_END)
    hone__mlir_fail(p, opener, "'%c' is not closed", p->mlir->text[opener]);
  else
    hone__mlir_fail(p, p->token.begin, "expected '%c'", kind);
}

bool hone__mlir_enter(struct hone__mlir_parser *p)
{
  p->weight++;
  if (++p->depth > p->deepest) p->deepest = p->depth;
  if (p->depth <= HONE__MLIR_MOST_DEPTH) return true;
  hone__mlir_fail(p, p->token.begin, "more than %d nested levels", HONE__MLIR_MOST_DEPTH);
  return false;
}

void hone__mlir_leave(struct hone__mlir_parser *p)
{
  p->depth--;
}

void *hone__mlir_push(struct hone__mlir_pile *pile)
{
  if (pile->count == pile->capacity) {
    pile->capacity = pile->capacity ? 2 * pile->capacity : 16;
    pile->data = hone__realloc(pile->data, pile->capacity * pile->item);
  }
  return memset(pile->data + pile->item * pile->count++, 0, pile->item);
}

void *hone__mlir_take(struct hone__mlir_parser *p, struct hone__mlir_pile *pile, size_t mark,
                      size_t *out_count)
{
  size_t count = pile->count - mark;
  void *taken = hone__arena_alloc(p->arena, (count ? count : 1) * pile->item);

  if (count) memcpy(taken, pile->data + mark * pile->item, count * pile->item);
  pile->count = mark;
  *out_count = count;
  return taken;
}

/* ---- Texts ---- */

const char *hone__mlir_text(struct hone__mlir_parser *p, size_t begin, size_t end)
{
  return hone__arena_strndup(p->arena, p->mlir->text + begin, end - begin);
}

static int hex_digit(char c)
{
  return isdigit((unsigned char)c) ? c - '0' : tolower((unsigned char)c) - 'a' + 10;
}

/* One escape after its backslash; a NUL cannot be in a text and stays as it is written. */
static const char *unescape(const char *from, char *to)
{
  if (isxdigit((unsigned char)from[0]) && isxdigit((unsigned char)from[1])) {
    *to = (char)(16 * hex_digit(from[0]) + hex_digit(from[1]));
    if (*to) return from + 2;
    *to = '\\';
    return from;
  }
  *to = *from == 'n' ? '\n' : *from == 't' ? '\t' : *from;
  return from + 1;
}

/* The text between the quotes that `from` begins with; returns what is after them. */
static const char *unquote(const char *from, char **to)
{
  for (from++; *from != '"';)
    if (*from == '\\')
      from = unescape(from + 1, (*to)++);
    else
      *(*to)++ = *from++;
  return from + 1;
}

const char *hone__mlir_token_text(struct hone__mlir_parser *p)
{
  const char *from = p->mlir->text + p->token.begin, *end = p->mlir->text + p->token.end;
  char *text, *to;

  if (p->token.kind != HONE__MLIR_TOKEN_STRING && p->token.kind != HONE__MLIR_TOKEN_SYMBOL)
    return hone__mlir_text(p, p->token.begin, p->token.end);
  text = to = hone__arena_alloc(p->arena, (size_t)(end - from) + 1);
  while (from < end)
    if (*from == '"')
      from = unquote(from, &to);
    else if (*from == '@')
      from++;
    else
      *to++ = *from++;
  *to = 0;
  return text;
}

/* ---- Aliases ---- */

static size_t find_slot(struct hone__mlir_alias *const *table, size_t capacity, const char *name,
                        size_t length)
{
  size_t slot = hone__hash_bytes(0, name, length) & (capacity - 1);

  while (table[slot] &&
         (strncmp(table[slot]->name, name, length) != 0 || table[slot]->name[length]))
    slot = (slot + 1) & (capacity - 1);
  return slot;
}

static void grow_aliases(struct hone__mlir_parser *p)
{
  size_t capacity = p->alias_capacity ? 2 * p->alias_capacity : 64;
  struct hone__mlir_alias **table = hone__alloc(capacity * sizeof *table);

  for (size_t i = 0; i < p->alias_capacity; i++)
    if (p->aliases[i]) {
      const char *name = p->aliases[i]->name;
      table[find_slot(table, capacity, name, strlen(name))] = p->aliases[i];
    }
  free(p->aliases);
  p->aliases = table;
  p->alias_capacity = capacity;
}

const struct hone__mlir_alias *hone__mlir_alias_find(const struct hone__mlir_parser *p,
                                                     const char *name, size_t length)
{
  return p->alias_count ? p->aliases[find_slot(p->aliases, p->alias_capacity, name, length)] : NULL;
}

static void add_alias(struct hone__mlir_parser *p, struct hone__mlir_alias *alias)
{
  size_t slot;

  if (2 * (p->alias_count + 1) > p->alias_capacity) grow_aliases(p);
  slot = find_slot(p->aliases, p->alias_capacity, alias->name, strlen(alias->name));
  p->alias_count += !p->aliases[slot];
  p->aliases[slot] = alias;
}

/* `#name = attribute` or `!name = type`. Nested aliases are bounded, because a walk over an
 * attribute sees aliases as copies. */
void hone__mlir_alias_define(struct hone__mlir_parser *p)
{
  struct hone__mlir_alias *alias = hone__arena_alloc(p->arena, sizeof *alias);
  size_t weight = p->weight, begin = p->token.begin;
  unsigned deepest = p->deepest;
  bool is_location;

  alias->name = hone__mlir_token_text(p);
  hone__mlir_advance(p);
  hone__mlir_advance(p);
  p->deepest = p->depth;
  is_location = hone__mlir_is_word(p, &p->token, "loc");
  hone__mlir_value(p, true, &alias->attr);
  alias->height = p->deepest - p->depth;
  alias->weight = p->weight - weight;
  p->deepest = deepest;
  if (alias->weight > HONE__MLIR_MOST_ALIAS)
    hone__mlir_fail(p, begin, "alias '%.60s' expands to more than %d parts", alias->name,
                    HONE__MLIR_MOST_ALIAS);
  if (!p->status && !is_location) add_alias(p, alias);
}
