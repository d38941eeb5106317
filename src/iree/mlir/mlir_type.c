/* Types: their text, and the shape of those that have one. */
#include "iree/mlir/mlir_parser.h"

#include <ctype.h>
#include <stdlib.h>

static bool is_number(const char *text, size_t length)
{
  size_t i = 0;

  while (i < length && isdigit((unsigned char)text[i]))
    i++;
  return length && i == length;
}

/* i32, si8, ui4, f16, bf16, tf32, f8E4M3FNUZ, index */
static bool is_scalar(const char *text, size_t length)
{
  size_t skip = length > 1 && (text[0] == 's' || text[0] == 'u') && text[1] == 'i';

  if (length == 5 && memcmp(text, "index", 5) == 0) return true;
  if (length < 2) return false;
  if (text[skip] == 'i') return is_number(text + skip + 1, length - skip - 1);
  skip = (text[0] == 'b' || text[0] == 't') && text[1] == 'f';
  return text[skip] == 'f' && length > skip + 1 && isdigit((unsigned char)text[skip + 1]);
}

bool hone__mlir_is_type_word(const struct hone__mlir_parser *p,
                             const struct hone__mlir_token *token)
{
  static const char *const containers[] = {"tensor", "memref", "vector", "complex", "tuple"};

  if (token->kind != HONE__MLIR_TOKEN_WORD) return false;
  if (is_scalar(p->mlir->text + token->begin, token->end - token->begin)) return true;
  if (token->end == p->mlir->size || p->mlir->text[token->end] != '<') return false;
  for (size_t i = 0; i < sizeof containers / sizeof *containers; i++)
    if (hone__mlir_is_word(p, token, containers[i])) return true;
  return false;
}

bool hone__mlir_starts_type(const struct hone__mlir_parser *p, const struct hone__mlir_token *token)
{
  return token->kind == HONE__MLIR_TOKEN_BANG || token->kind == HONE__MLIR_TOKEN_WORD ||
         token->kind == '(' || hone__mlir_is_type_word(p, token);
}

/* Where the element's text begins; 0: it is not a shape. `x` is after every dim: 4x?x[8]xf32. */
static const char *read_dims(const char *at, int64_t *dims, unsigned *out_rank)
{
  unsigned rank = 0;

  for (;;) {
    bool is_scalable = *at == '[';
    const char *end = at + is_scalable;
    int64_t dim = -1;
    if (*end == '?')
      end++;
    else if (isdigit((unsigned char)*end))
      dim = strtoll(end, (char **)&end, 10);
    else
      break;
    if (is_scalable && *end++ != ']') return NULL;
    if (*end != 'x') return NULL;
    if (dims) dims[rank] = dim;
    rank++;
    at = end + 1;
  }
  *out_rank = rank;
  return *at == '*' ? NULL : at;
}

static size_t element_length(const char *at) /* up to a comma or the closing > */
{
  size_t length = 0, open = 0;

  for (; at[length]; length++) {
    char c = at[length];
    if (!open && (c == ',' || c == '>')) break;
    if (c == '<' || c == '(' || c == '[') open++;
    if ((c == '>' && length && at[length - 1] != '-') || c == ')' || c == ']') open -= open > 0;
  }
  while (length && isspace((unsigned char)at[length - 1]))
    length--;
  return length;
}

/* Where the list of dims begins: also of !...dispatch.tensor<readonly:tensor<4xf32>>. */
static const char *shape_of(const char *text)
{
  static const char *const shaped[] = {"tensor<", "memref<", "vector<"};

  if (*text == '!') {
    const char *inner = strstr(text, "dispatch.tensor<");
    text = inner ? strstr(inner, ":tensor<") : NULL;
    if (!text) return NULL;
    text++;
  }
  for (size_t i = 0; i < sizeof shaped / sizeof *shaped; i++)
    if (hone__starts_with(text, shaped[i])) return text + strlen(shaped[i]);
  return NULL;
}

static void fill(struct hone__arena *arena, struct hone__mlir_type *type)
{
  const char *shape = shape_of(type->text);
  const char *element = shape ? read_dims(shape, NULL, &type->rank) : NULL;

  type->element = type->text;
  if (!element) {
    type->rank = 0;
    return;
  }
  type->is_shaped = true;
  type->dims = hone__arena_alloc(arena, (type->rank + 1) * sizeof *type->dims);
  read_dims(shape, type->dims, &type->rank);
  type->element = hone__arena_strndup(arena, element, element_length(element));
}

static void skip_type(struct hone__mlir_parser *p)
{
  bool has_body = hone__mlir_touches(p, '<');

  if (p->token.kind == '(') {
    hone__mlir_skip_group(p);
    return;
  }
  hone__mlir_advance(p);
  if (has_body) hone__mlir_skip_group(p);
}

void hone__mlir_type(struct hone__mlir_parser *p, struct hone__mlir_type *out_type)
{
  struct hone__mlir_token first = p->token;
  const struct hone__mlir_alias *alias = NULL;

  *out_type = (struct hone__mlir_type){.text = "", .element = ""};
  skip_type(p);
  while (first.kind == '(' && p->token.kind == HONE__MLIR_TOKEN_ARROW) {
    struct hone__mlir_token next = hone__mlir_peek(p, &p->token);
    if (!hone__mlir_starts_type(p, &next)) break;
    hone__mlir_advance(p);
    skip_type(p);
  }
  if (p->status) return;
  if (first.kind == HONE__MLIR_TOKEN_BANG)
    alias = hone__mlir_alias_find(p, p->mlir->text + first.begin, p->previous_end - first.begin);
  if (alias && alias->attr.kind == HONE__MLIR_TYPE) {
    *out_type = alias->attr.type;
    return;
  }
  out_type->text = hone__mlir_text(p, first.begin, p->previous_end);
  fill(p->arena, out_type);
}
