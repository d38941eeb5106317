/* Macros with arguments, as in `#define AT(a, i, j) ((a)[(i) * n + (j)])`, hide how a kernel uses
 * its tensors. They are replaced in the text. This is not a preprocessor: brackets around a single
 * word and around a whole macro go away, since only the words and their indices are looked at.
 */
#include "sketch/sketch.h"

#include "source/c_tokens.h"

enum { MOST_MACROS = 64, MOST_ARGUMENTS = 8, MOST_PASSES = 4, MOST_MORE_BYTES = 1 << 18 };

struct part { /* of a text */
  const char *at;
  size_t length;
};

struct macro {
  struct part name, body;
  struct part parameters[MOST_ARGUMENTS];
  size_t count;
};

struct macros {
  struct macro list[MOST_MACROS];
  size_t count;
  size_t limit; /* of the text: macros may use each other, and themselves */
};

static struct part part_of(const struct hone__code_token *token)
{
  return (struct part){token->text, token->length};
}

static bool is_same(struct part a, struct part b)
{
  return a.length == b.length && memcmp(a.at, b.at, a.length) == 0;
}

/* ---- Definitions ---- */

/* `(a, i, j)`; returns the token behind it, or 0: these are no names. */
static size_t read_names(const struct hone__code_tokens *tokens, struct macro *macro)
{
  size_t close = hone__code_tokens_end(tokens, 1);

  for (size_t i = 2; i < close; i += 2) {
    if (macro->count == MOST_ARGUMENTS || !hone__code_token_is_word(&tokens->list[i])) return 0;
    macro->parameters[macro->count++] = part_of(&tokens->list[i]);
  }
  return close < tokens->count ? close + 1 : 0;
}

/* `AT(a, i, j) ((a)[(i) * n + (j)])`; a bracket follows the name at once. */
static bool read_macro(const char *text, struct macro *macro)
{
  struct hone__code_tokens tokens = {0};
  size_t body = 0;

  hone__code_tokens_read(text, &tokens);
  if (tokens.count > 2 && tokens.list[0].text[tokens.list[0].length] == '(')
    body = read_names(&tokens, macro);
  if (body && body < tokens.count) {
    const struct hone__code_token *last = &tokens.list[tokens.count - 1];
    macro->name = part_of(&tokens.list[0]);
    macro->body = (struct part){tokens.list[body].text,
                                (size_t)(last->text + last->length - tokens.list[body].text)};
  }
  hone__code_tokens_release(&tokens);
  return macro->body.length > 0;
}

/* The rest of a line and of those that continue it. */
static const char *logical_line(struct hone__arena *arena, const char *at)
{
  size_t length = strcspn(at, "\n");

  while (at[length] && length && at[length - 1] == '\\')
    length += 1 + strcspn(at + length + 1, "\n");
  return hone__arena_strndup(arena, at, length);
}

static void find_macros(struct hone__sketch *sketch, struct macros *macros)
{
  for (const char *line = sketch->text; line && macros->count < MOST_MACROS;) {
    const char *given = hone__sketch_after_directive(line, "define");
    struct macro macro = {.count = 0};
    if (given && read_macro(logical_line(&sketch->arena, given), &macro))
      macros->list[macros->count++] = macro;
    line = strchr(line, '\n');
    line = line ? line + 1 : NULL;
  }
}

/* ---- Uses ---- */

/* The arguments between two brackets; false: they are not as many as the macro has. */
static bool read_arguments(const struct hone__code_tokens *tokens, size_t open, size_t close,
                           const struct macro *macro, struct part *arguments)
{
  size_t count = 0, begin = open + 1;

  for (size_t i = open + 1; i <= close; i++) {
    const struct hone__code_token *last;
    if (i < close && strchr("([{", *tokens->list[i].text)) i = hone__code_tokens_end(tokens, i);
    if (i < close && !hone__code_token_is(&tokens->list[i], ",")) continue;
    if (i > close || count == macro->count || i == begin) return false;
    last = &tokens->list[i - 1];
    arguments[count++] = (struct part){
        tokens->list[begin].text, (size_t)(last->text + last->length - tokens->list[begin].text)};
    begin = i + 1;
  }
  return count == macro->count;
}

static const struct part *argument_of(const struct macro *macro, const struct part *arguments,
                                      struct part name)
{
  for (size_t i = 0; i < macro->count; i++)
    if (is_same(macro->parameters[i], name)) return &arguments[i];
  return NULL;
}

static bool is_word(struct part part)
{
  for (size_t i = 0; i < part.length; i++)
    if (!hone__is_word(part.at[i])) return false;
  return part.length > 0;
}

/* Brackets that hold the token behind `at` alone, if it stands for a word. */
static const struct part *only_argument(const struct hone__code_tokens *tokens, size_t at,
                                        const struct macro *macro, const struct part *arguments)
{
  const struct part *argument;

  if (at + 2 >= tokens->count || !hone__code_token_is(&tokens->list[at], "(") ||
      !hone__code_token_is(&tokens->list[at + 2], ")"))
    return NULL;
  argument = argument_of(macro, arguments, part_of(&tokens->list[at + 1]));
  return argument && is_word(*argument) ? argument : NULL;
}

static void print_body(const struct macro *macro, const struct part *arguments, size_t limit,
                       struct hone__arena *arena, struct hone__text *out)
{
  const char *body = hone__arena_strndup(arena, macro->body.at, macro->body.length);
  struct hone__code_tokens tokens = {0};
  bool is_wrapped;

  hone__code_tokens_read(body, &tokens);
  is_wrapped = tokens.count > 2 && hone__code_token_is(&tokens.list[0], "(") &&
               hone__code_tokens_end(&tokens, 0) == tokens.count - 1;
  for (size_t i = is_wrapped; i + is_wrapped < tokens.count && out->length < limit; i++) {
    struct part own = part_of(&tokens.list[i]);
    const struct part *alone = only_argument(&tokens, i, macro, arguments);
    const struct part *given = alone ? alone : argument_of(macro, arguments, own);
    if (!given) given = &own;
    hone__text_addn(out, given->at, given->length);
    hone__text_add(out, " ");
    i += alone ? 2 : 0;
  }
  hone__code_tokens_release(&tokens);
}

static const struct macro *macro_at(const struct macros *macros,
                                    const struct hone__code_tokens *tokens, size_t at)
{
  if (at + 1 >= tokens->count || !hone__code_token_is(&tokens->list[at + 1], "(")) return NULL;
  for (size_t i = 0; i < macros->count; i++)
    if (is_same(macros->list[i].name, part_of(&tokens->list[at]))) return &macros->list[i];
  return NULL;
}

/* What is not replaced is copied, with its comments and directives. */
static bool replace(struct hone__sketch *sketch, const struct macros *macros,
                    struct hone__text *out)
{
  struct hone__code_tokens tokens = {0};
  const char *copied = sketch->text;
  bool is_changed = false;

  hone__code_tokens_read(sketch->text, &tokens);
  for (size_t i = 0; i < tokens.count && out->length < macros->limit; i++) {
    const struct macro *macro = macro_at(macros, &tokens, i);
    size_t close = macro ? hone__code_tokens_end(&tokens, i + 1) : tokens.count;
    struct part arguments[MOST_ARGUMENTS];
    if (close == tokens.count || !read_arguments(&tokens, i + 1, close, macro, arguments)) continue;
    hone__text_addn(out, copied, (size_t)(tokens.list[i].text - copied));
    print_body(macro, arguments, macros->limit, &sketch->arena, out);
    copied = tokens.list[close].text + 1;
    i = close;
    is_changed = true;
  }
  hone__text_add(out, copied);
  hone__code_tokens_release(&tokens);
  return is_changed;
}

void hone__sketch_expand(struct hone__sketch *sketch)
{
  struct macros *macros = hone__arena_alloc(&sketch->arena, sizeof *macros);
  bool is_changed = true;

  macros->limit = strlen(sketch->text) + MOST_MORE_BYTES;
  find_macros(sketch, macros);
  for (int pass = 0; macros->count && is_changed && pass < MOST_PASSES; pass++) {
    struct hone__text text = {0};
    is_changed = replace(sketch, macros, &text);
    sketch->text = hone__arena_strdup(&sketch->arena, text.data);
    hone__text_release(&text);
  }
}
