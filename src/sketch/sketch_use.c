/* How a source uses what it declares: which namespace the entry is in, with which arguments its
 * template is instantiated, and how tensors are indexed. */
#include "sketch/sketch.h"

#include "source/c_tokens.h"

#include <ctype.h>

enum { MOST_SCOPES = 8 };

static bool is(const struct hone__code_tokens *tokens, size_t at, const char *text)
{
  return at < tokens->count && hone__code_token_is(&tokens->list[at], text);
}

/* ---- The namespace ---- */

struct scopes {
  const struct hone__code_token *names[MOST_SCOPES];
  size_t count, levels; /* levels: braces that are of no namespace */
};

static void look_at_brace(const struct hone__code_tokens *tokens, size_t at, struct scopes *scopes)
{
  bool is_space = at > 1 && is(tokens, at - 2, "namespace") && scopes->count < MOST_SCOPES;

  if (is(tokens, at, "{") && !scopes->levels && is_space)
    scopes->names[scopes->count++] = &tokens->list[at - 1];
  else if (is(tokens, at, "{"))
    scopes->levels++;
  else if (is(tokens, at, "}") && scopes->levels)
    scopes->levels--;
  else if (is(tokens, at, "}") && scopes->count)
    scopes->count--;
}

/* "vision::" */
static const char *join(struct hone__arena *arena, const struct scopes *scopes)
{
  const char *scope = "";

  for (size_t i = 0; i < scopes->count; i++)
    scope = hone__arena_printf(arena, "%s%.*s::", scope, (int)scopes->names[i]->length,
                               scopes->names[i]->text);
  return scope;
}

static const char *find_scope(struct hone__sketch *sketch, const struct hone__code_tokens *tokens)
{
  struct scopes scopes = {0};

  for (size_t i = 0; i < tokens->count; i++) {
    look_at_brace(tokens, i, &scopes);
    if (!scopes.levels && is(tokens, i, sketch->entry) && is(tokens, i + 1, "("))
      return join(&sketch->arena, &scopes);
  }
  return "";
}

/* A function of C++ without extern "C" is named in full. */
static bool is_mangled(struct hone__sketch *sketch)
{
  struct hone__code_functions c;

  if (sketch->language != HONE__SKETCH_CPLUSPLUS || sketch->is_template || *sketch->scope)
    return false;
  hone__code_functions_find(sketch->source, HONE__FUNCTIONS_CPLUSPLUS, &sketch->arena, &c);
  for (size_t i = 0; i < c.count; i++)
    if (strcmp(c.list[i].name, sketch->entry) == 0) return false;
  return true;
}

/* "::f" is called by a pointer that its own source has. */
static bool is_inner(const struct hone__sketch *sketch)
{
  return sketch->is_inner && !sketch->is_template && !*sketch->scope;
}

/* ---- An instantiation ---- */

static struct hone__sketch_knob *template_knob(struct hone__sketch *sketch, size_t number)
{
  for (size_t i = 0; i < sketch->knob_count; i++)
    if (sketch->knobs[i].origin == HONE__SKETCH_TEMPLATE && number-- == 0) return &sketch->knobs[i];
  return NULL;
}

/* A parameter without a default is part of the problem: what it is here, it stays. */
static void take_value(struct hone__sketch *sketch, struct hone__sketch_knob *knob,
                       const struct hone__code_token *token)
{
  if (!knob->is_type && !isdigit((unsigned char)*token->text)) return;
  if (!knob->is_type && !knob->value) {
    knob->is_fixed = true;
    knob->name = hone__arena_strndup(&sketch->arena, knob->name, strlen(knob->name) - 1);
  }
  knob->value = hone__arena_strndup(&sketch->arena, token->text, token->length);
}

/* `convolve<float, 5>(`: single words and numbers alone. */
static bool take_instance(struct hone__sketch *sketch, const struct hone__code_tokens *tokens,
                          size_t at)
{
  size_t end = at + 2, number = 0;

  while (end < tokens->count && !is(tokens, end, ">") && !is(tokens, end, ";"))
    end++;
  if (!is(tokens, at + 1, "<") || !is(tokens, end, ">") || !is(tokens, end + 1, "(")) return false;
  for (size_t i = at + 2; i < end; i += 2, number++) {
    struct hone__sketch_knob *knob = template_knob(sketch, number);
    if (!knob || (i + 1 < end && !is(tokens, i + 1, ","))) return false;
    take_value(sketch, knob, &tokens->list[i]);
  }
  return true;
}

void hone__sketch_find_use(struct hone__sketch *sketch)
{
  struct hone__code_tokens tokens = {0};

  hone__code_tokens_read(sketch->text, &tokens);
  sketch->scope = sketch->language == HONE__SKETCH_C ? "" : find_scope(sketch, &tokens);
  if (is_mangled(sketch) || is_inner(sketch)) sketch->scope = "::";
  for (size_t i = 0; sketch->is_template && i < tokens.count; i++)
    if (is(&tokens, i, sketch->entry) && take_instance(sketch, &tokens, i)) break;
  hone__code_tokens_release(&tokens);
}

/* ---- Indices ---- */

/* The last index: in `table[i][j]`, `table[i]` is a row. */
static bool ends_index(const struct hone__code_tokens *tokens, size_t at)
{
  return is(tokens, at, "]") && !is(tokens, at + 1, "[");
}

/* `offsets[i]` and `offsets[i + 1]`: where rows begin and end. */
static bool has_ends(const struct hone__code_tokens *tokens, const char *name)
{
  bool has_begin = false, has_end = false;

  for (size_t i = 0; i + 3 < tokens->count; i++) {
    if (!is(tokens, i, name) || !is(tokens, i + 1, "[")) continue;
    has_begin = has_begin || ends_index(tokens, i + 3);
    has_end =
        has_end || (is(tokens, i + 3, "+") && is(tokens, i + 4, "1") && ends_index(tokens, i + 5));
  }
  return has_begin && has_end;
}

/* `x[i - 1] + x[i + 1]` of numbers that are not whole is a stencil. */
static bool may_hold_offsets(const struct hone__sketch *sketch, const char *name)
{
  for (size_t i = 0; i < sketch->prototype.count; i++) {
    const struct hone__parameter *own = &sketch->prototype.parameters[i];
    if (strcmp(own->name, name) == 0)
      return !own->has_element || !hone__element_info(own->element)->is_float;
  }
  return true;
}

bool hone__sketch_has_offsets(const struct hone__sketch *sketch, const char *name)
{
  struct hone__code_tokens tokens = {0};
  bool has;

  if (!may_hold_offsets(sketch, name)) return false;
  hone__code_tokens_read(sketch->text, &tokens);
  has = has_ends(&tokens, name);
  hone__code_tokens_release(&tokens);
  return has;
}

/* The tokens of `blockIdx.x` or `get_group_id(0)` at a place; 0: it is neither. */
static size_t block_number(const struct hone__code_tokens *tokens, size_t at)
{
  if (is(tokens, at, "blockIdx") && is(tokens, at + 1, ".") && is(tokens, at + 2, "x")) return 3;
  if (is(tokens, at, "get_group_id") && is(tokens, at + 1, "(") && is(tokens, at + 2, "0") &&
      is(tokens, at + 3, ")"))
    return 4;
  return 0;
}

bool hone__sketch_is_per_block(const struct hone__sketch *sketch, const char *name)
{
  struct hone__code_tokens tokens = {0};
  bool is_found = false;

  hone__code_tokens_read(sketch->text, &tokens);
  for (size_t i = 0; i + 3 < tokens.count && !is_found; i++) {
    size_t length =
        is(&tokens, i, name) && is(&tokens, i + 1, "[") ? block_number(&tokens, i + 2) : 0;
    is_found = length && is(&tokens, i + 2 + length, "]");
  }
  hone__code_tokens_release(&tokens);
  return is_found;
}

/* The knobs that the number of a block is multiplied by: `blockIdx.x * BLOCK * ITEMS`. */
static size_t add_factors(const struct hone__sketch *sketch, const struct hone__code_tokens *tokens,
                          size_t at, struct hone__text *out)
{
  size_t count = 0;

  for (; is(tokens, at, "*") && at + 1 < tokens->count; at += 2, count++) {
    const struct hone__code_token *word = &tokens->list[at + 1];
    struct hone__text name = {0};
    bool is_knob;
    hone__text_addn(&name, word->text, word->length);
    is_knob = hone__sketch_find(sketch, name.data) != NULL;
    if (is_knob) hone__text_addf(out, "%s%s", count ? " * " : "", name.data);
    hone__text_release(&name);
    if (!is_knob) return 0;
  }
  return count;
}

bool hone__sketch_block_elements(const struct hone__sketch *sketch, struct hone__text *out)
{
  struct hone__code_tokens tokens = {0};
  bool is_found = false;

  hone__code_tokens_read(sketch->text, &tokens);
  for (size_t i = 0; i < tokens.count && !is_found; i++) {
    struct hone__text factors = {0};
    size_t length = block_number(&tokens, i);
    if (length && add_factors(sketch, &tokens, i + length, &factors) > 1) {
      hone__text_add(out, factors.data);
      is_found = true;
    }
    hone__text_release(&factors);
  }
  hone__code_tokens_release(&tokens);
  return is_found;
}
