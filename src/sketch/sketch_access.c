/* How a kernel uses its tensors: foreign sources often have no const, so the body tells what is
 * read, what is written, and which size bounds an index. */
#include "sketch/sketch.h"

#include "source/c_tokens.h"

#include <ctype.h>
#include <strings.h>

static bool is(const struct hone__code_tokens *tokens, size_t at, const char *text)
{
  return at < tokens->count && hone__code_token_is(&tokens->list[at], text);
}

/* ---- The body ---- */

struct body {
  struct hone__code_tokens tokens;
  size_t begin, end;
};

bool hone__sketch_body_of(const struct hone__code_tokens *tokens, const char *function,
                          size_t *out_begin, size_t *out_end)
{
  *out_begin = 0;
  *out_end = tokens->count;
  for (size_t i = 0; i + 1 < tokens->count; i++) {
    size_t close;
    if (!is(tokens, i, function) || !is(tokens, i + 1, "(")) continue;
    close = hone__code_tokens_end(tokens, i + 1);
    if (!is(tokens, close + 1, "{")) continue;
    *out_begin = close + 2;
    *out_end = hone__code_tokens_end(tokens, close + 1);
    return true;
  }
  return false;
}

void hone__sketch_body(const struct hone__sketch *sketch, const struct hone__code_tokens *tokens,
                       size_t *out_begin, size_t *out_end)
{
  hone__sketch_body_of(tokens, sketch->entry, out_begin, out_end);
}

static void open_body(const struct hone__sketch *sketch, struct body *body)
{
  *body = (struct body){.begin = 0};
  hone__code_tokens_read(sketch->text, &body->tokens);
  hone__sketch_body(sketch, &body->tokens, &body->begin, &body->end);
}

static void close_body(struct body *body)
{
  hone__code_tokens_release(&body->tokens);
}

/* ---- Roles ---- */

struct uses {
  size_t indexed, bare, writes;
  bool is_read_first;  /* before it is written, or by what is written */
  bool is_given_first; /* to another function, before it is written */
};

/* `name->`, of a pointer to one struct. */
static bool has_arrow(const struct hone__code_tokens *tokens, size_t at)
{
  return is(tokens, at + 1, "-") && is(tokens, at + 2, ">");
}

/* After `name[i]`, `name[i][j]`, `name[i].x`, `name->x`. */
static size_t after_index(const struct hone__code_tokens *tokens, size_t at)
{
  if (has_arrow(tokens, at - 1)) at += 3;
  while (is(tokens, at, "[") || is(tokens, at, "."))
    at = is(tokens, at, "[") ? hone__code_tokens_end(tokens, at) + 1 : at + 2;
  return at;
}

static bool occurs_before_semicolon(const struct body *body, size_t at, const char *name)
{
  for (; at < body->end && !is(&body->tokens, at, ";"); at++)
    if (is(&body->tokens, at, name)) return true;
  return false;
}

/* `*name`, not `a * name` and not `*name++`. */
static bool is_dereferenced(const struct hone__code_tokens *tokens, size_t at)
{
  const struct hone__code_token *before = at > 1 ? &tokens->list[at - 2] : NULL;
  bool is_product =
      before && (hone__code_token_is_word(before) || isdigit(*before->text) ||
                 hone__code_token_is(before, ")") || hone__code_token_is(before, "]"));
  bool moves = (is(tokens, at + 1, "+") && is(tokens, at + 2, "+")) ||
               (is(tokens, at + 1, "-") && is(tokens, at + 2, "-"));

  return at > 0 && is(tokens, at - 1, "*") && !is_product && !moves;
}

/* `name += k;`, `name -= k;`, `name++;`: the pointer moves, which uses nothing of what it points
 * to.
 */
static bool is_moved(const struct hone__code_tokens *tokens, size_t at)
{
  const struct hone__code_token *next = at + 2 < tokens->count ? &tokens->list[at + 1] : NULL;
  bool is_statement = at == 0 || is(tokens, at - 1, ";") || is(tokens, at - 1, "{") ||
                      is(tokens, at - 1, "}") || is(tokens, at - 1, ")");

  if (!next || !is_statement || !strchr("+-", *next->text)) return false;
  return is(tokens, at + 2, "=") || *tokens->list[at + 2].text == *next->text;
}

/* The name before the bracket that the token at `at` is in; NULL: there is none. */
static const struct hone__code_token *callee_of(const struct hone__code_tokens *tokens, size_t at)
{
  size_t depth = 0;

  for (; at > 0; at--) {
    if (strchr(")]", *tokens->list[at].text)) depth++;
    if (!strchr("([", *tokens->list[at].text)) continue;
    if (!depth--) break;
  }
  return at && hone__code_token_is_word(&tokens->list[at - 1]) ? &tokens->list[at - 1] : NULL;
}

static bool has_part(const struct hone__code_token *token, const char *part)
{
  size_t length = strlen(part);

  for (size_t i = 0; i + length <= token->length; i++)
    if (strncasecmp(token->text + i, part, length) == 0) return true;
  return false;
}

/* `f(&name[i])`, which may write there, as atomicAdd does; not `_mm_loadu_ps(&name[i])`. */
static bool is_given_by_address(const struct hone__code_tokens *tokens, size_t at)
{
  const struct hone__code_token *callee;

  if (at < 2 || !is(tokens, at - 1, "&") || !strchr("(,", *tokens->list[at - 2].text)) return false;
  callee = callee_of(tokens, at - 2);
  return callee && !has_part(callee, "load") && !has_part(callee, "ldg") &&
         !has_part(callee, "prefetch");
}

/* The name at this token, with what follows it. */
static void add_use(const struct body *body, size_t at, const char *name, struct uses *uses)
{
  const struct hone__code_tokens *tokens = &body->tokens;
  size_t next = after_index(tokens, at + 1);
  bool is_indexed =
      (next > at + 1 || is_dereferenced(tokens, at)) && !is_given_by_address(tokens, at);
  bool is_set = is_indexed && is(tokens, next, "=") && !is(tokens, next + 1, "=");
  bool is_changed =
      is_indexed && next + 1 < tokens->count && strchr("+-*/%|&^", *tokens->list[next].text) &&
      (is(tokens, next + 1, "=") || (strchr("+-", *tokens->list[next].text) &&
                                     *tokens->list[next].text == *tokens->list[next + 1].text));

  if (!uses->writes && (!is_set || occurs_before_semicolon(body, next, name)))
    uses->is_read_first = is_indexed || uses->is_read_first;
  uses->is_given_first |= !uses->writes && !is_indexed;
  uses->writes += is_set || is_changed;
  uses->indexed += is_indexed;
  uses->bare += !is_indexed;
}

static struct uses find_uses(const struct hone__sketch *sketch, const char *name)
{
  struct uses uses = {0};
  struct body body;

  open_body(sketch, &body);
  for (size_t i = body.begin; i < body.end; i++)
    if (is(&body.tokens, i, name) && !is(&body.tokens, i - (i > 0), ".") &&
        !is_moved(&body.tokens, i))
      add_use(&body, i, name, &uses);
  close_body(&body);
  return uses;
}

bool hone__sketch_moves(const struct hone__sketch *sketch, const char *tensor)
{
  struct body body;
  bool moves = false;

  open_body(sketch, &body);
  for (size_t i = body.begin; i < body.end && !moves; i++)
    moves = is(&body.tokens, i, tensor) && is_moved(&body.tokens, i);
  close_body(&body);
  return moves;
}

/* `const float *x`, `const float x[3]`, and not `float *const x`. */
static bool is_constant(const struct hone__parameter *tensor)
{
  const char *word = strstr(tensor->text, "const"), *star = strchr(tensor->text, '*');

  return hone__has_word(tensor->text, "__constant") ||
         (hone__has_word(tensor->text, "const") && (!star || word < star));
}

/* "out", "dst", "result": by such a name it is written, wherever that is done. */
static bool is_output_name(const char *name)
{
  static const char *const begins[] = {"out", "dst", "dest", "res"};

  name += strspn(name, "_");
  for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
    if (strncmp(name, begins[i], strlen(begins[i])) == 0) return true;
  return false;
}

const char *hone__sketch_role(const struct hone__sketch *sketch,
                              const struct hone__parameter *tensor)
{
  struct uses uses;

  if (is_constant(tensor)) return NULL;
  uses = find_uses(sketch, tensor->name);
  if (!uses.writes && uses.indexed && !uses.bare) return NULL; /* it is only read */
  if (uses.is_given_first && !is_output_name(tensor->name))
    return "inout"; /* it may be read there */
  return uses.writes && uses.is_read_first ? "inout" : "out";
}

bool hone__sketch_is_single(const struct hone__sketch *sketch, const char *tensor)
{
  size_t uses = 0, single = 0;
  struct body body;

  open_body(sketch, &body);
  for (size_t i = body.begin; i < body.end; i++) {
    if (!is(&body.tokens, i, tensor) || is(&body.tokens, i - (i > 0), ".")) continue;
    uses++;
    single += has_arrow(&body.tokens, i) ||
              (is_dereferenced(&body.tokens, i) && !is(&body.tokens, i + 1, "["));
  }
  close_body(&body);
  return uses && single == uses;
}

/* ---- Bounds ---- */

const struct hone__parameter *hone__sketch_size_at(const struct hone__sketch *sketch,
                                                   const struct hone__code_tokens *tokens,
                                                   size_t at)
{
  size_t name = is(tokens, at + 1, ".") ? at + 2 : at;

  if (name >= tokens->count) return NULL;
  return hone__sketch_size_named(sketch, tokens->list[name].text, tokens->list[name].length);
}

const struct hone__parameter *hone__sketch_limit_at(const struct hone__sketch *sketch,
                                                    const struct hone__code_tokens *tokens,
                                                    size_t at)
{
  while (is(tokens, at, "("))
    at++;
  return hone__sketch_size_at(sketch, tokens, at);
}

/* `i < n`, in a loop or a condition. */
static const struct hone__parameter *bound_of(const struct hone__sketch *sketch,
                                              const struct body *body, size_t variable)
{
  const struct hone__code_token *list = body->tokens.list;
  const struct hone__parameter *bound = NULL;

  for (size_t i = body->begin; i + 2 < body->end; i++) {
    bool is_same = list[i].length == list[variable].length &&
                   memcmp(list[i].text, list[variable].text, list[i].length) == 0;
    if (is_same && is(&body->tokens, i + 1, "<") && !is(&body->tokens, i + 2, "=") && !bound)
      bound = hone__sketch_limit_at(sketch, &body->tokens, i + 2);
  }
  return bound;
}

/* The tensor that the variable at this token begins with an element of: `k = first[row]`. */
static const struct hone__parameter *offsets_of(const struct hone__sketch *sketch,
                                                const struct body *body, size_t variable)
{
  const struct hone__code_token *list = body->tokens.list;

  for (size_t i = body->begin; i + 3 < body->end; i++) {
    bool is_same = list[i].length == list[variable].length &&
                   memcmp(list[i].text, list[variable].text, list[i].length) == 0;
    if (!is_same || !is(&body->tokens, i + 1, "=") || !is(&body->tokens, i + 3, "[")) continue;
    for (size_t k = 0; k < sketch->prototype.count; k++) {
      const struct hone__parameter *own = &sketch->prototype.parameters[k];
      if (hone__code_token_is(&list[i + 2], own->name) &&
          hone__sketch_has_offsets(sketch, own->name))
        return own;
    }
  }
  return NULL;
}

const struct hone__parameter *hone__sketch_offsets(const struct hone__sketch *sketch,
                                                   const char *tensor)
{
  const struct hone__parameter *offsets = NULL;
  struct body body;

  open_body(sketch, &body);
  for (size_t i = body.begin; i + 2 < body.end && !offsets; i++)
    if (is(&body.tokens, i, tensor) && is(&body.tokens, i + 1, "["))
      offsets = offsets_of(sketch, &body, i + 2);
  close_body(&body);
  return offsets;
}

const struct hone__parameter *hone__sketch_bound(const struct hone__sketch *sketch,
                                                 const char *tensor, const char *after)
{
  const struct hone__parameter *bound = NULL;
  struct body body;

  open_body(sketch, &body);
  for (size_t i = body.begin; i + 3 < body.end && !bound; i++)
    if (is(&body.tokens, i, tensor) && is(&body.tokens, i + 1, "[") &&
        is(&body.tokens, i + 3, after))
      bound = bound_of(sketch, &body, i + 2);
  close_body(&body);
  return bound;
}
