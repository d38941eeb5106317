/* Names that a source uses and nothing declares: macros that its build defines. Without headers,
 * which could declare them, the text alone tells. By custom they are in capitals.
 */
#include "sketch/sketch.h"

#include "backend/source_file.h"
#include "base/words.h"
#include "source/c_tokens.h"

#include <ctype.h>

/* ---- Names ---- */

/* "FPTYPE", "GROUP_SIZE"; of a language's own names only some are in capitals. */
static bool is_candidate(const struct hone__code_token *token)
{
  static const char *const own[] = {"CLK_", "CL_",   "CUDA",  "FLT_",     "DBL_", "HALF_", "HUGE_",
                                    "M_",   "CHAR_", "SCHAR", "SHRT_",    "INT_", "LONG_", "UCHAR",
                                    "NULL", "NAN",   "INF",   "MAXFLOAT", "UINT_"};
  size_t capitals = 0;

  if (!isupper((unsigned char)*token->text)) return false;
  for (size_t i = 0; i < token->length; i++) {
    if (islower((unsigned char)token->text[i])) return false;
    capitals += isupper((unsigned char)token->text[i]) != 0;
  }
  for (size_t i = 0; i < sizeof own / sizeof *own; i++)
    if (strncmp(token->text, own[i], strlen(own[i])) == 0) return false;
  return capitals > 1;
}

/* Words that no name is declared behind. */
static bool is_qualifier(const struct hone__code_token *token)
{
  static const char *const words[] = {
      "const",    "volatile",   "global",     "__global",   "local",       "__local",
      "constant", "__constant", "private",    "__private",  "static",      "inline",
      "kernel",   "__kernel",   "__global__", "__device__", "__shared__",  "extern",
      "return",   "else",       "case",       "sizeof",     "__restrict__"};

  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (hone__code_token_is(token, words[i])) return true;
  return false;
}

static bool is_same(const struct hone__code_token *a, const struct hone__code_token *b)
{
  return a->length == b->length && memcmp(a->text, b->text, a->length) == 0;
}

/* `enum { NAME, NAME }` or `enum kind { NAME }`; of an enumeration there are no inner braces. */
static bool is_enumerator(const struct hone__code_tokens *tokens, size_t at)
{
  size_t open = at;

  while (open > 0 && !strchr("{};", *tokens->list[open].text))
    open--;
  if (open < 1 || !hone__code_token_is(&tokens->list[open], "{")) return false;
  return hone__code_token_is(&tokens->list[open - 1], "enum") ||
         (open > 1 && hone__code_token_is(&tokens->list[open - 2], "enum"));
}

/* `int NAME`, `struct NAME`, `} NAME`, `enum { NAME }`, and `NAME(`. */
static bool is_declared(const struct hone__code_tokens *tokens, size_t at)
{
  const struct hone__code_token *before = at ? &tokens->list[at - 1] : NULL;
  const struct hone__code_token *after = at + 1 < tokens->count ? &tokens->list[at + 1] : NULL;

  if (after && hone__code_token_is(after, "(")) return true;
  if (!before) return false;
  return (hone__code_token_is_word(before) && !is_qualifier(before)) || is_enumerator(tokens, at) ||
         hone__code_token_is(before, "}") || hone__code_token_is(before, ".");
}

/* A preprocessor line has the name: `#define NAME`, `#ifdef NAME`. */
static bool is_in_directive(const char *text, const char *name)
{
  for (const char *line = text; line; line = strchr(line, '\n')) {
    struct hone__text own = {0};
    bool is_named;
    line += *line == '\n';
    if (line[strspn(line, " \t")] != '#') continue;
    hone__text_addn(&own, line, strcspn(line, "\n"));
    is_named = hone__has_word(own.data, name);
    hone__text_release(&own);
    if (is_named) return true;
  }
  return false;
}

static bool is_outside(const struct hone__sketch *sketch, const struct hone__code_tokens *tokens,
                       size_t at, const char *name)
{
  if (!is_candidate(&tokens->list[at]) || is_in_directive(sketch->source, name)) return false;
  for (size_t i = 0; i < tokens->count; i++)
    if (is_same(&tokens->list[i], &tokens->list[at]) && is_declared(tokens, i)) return false;
  return true;
}

/* ---- What they stand for ---- */

static bool is_type(const struct hone__sketch *sketch, const char *name)
{
  for (size_t i = 0; i < sketch->prototype.count; i++)
    if (hone__has_word(sketch->prototype.parameters[i].text, name)) return true;
  return false;
}

static void add_type(struct hone__sketch *sketch, const char *name)
{
  for (size_t i = 0; i < sketch->type_count; i++)
    if (strcmp(sketch->types[i], name) == 0) return;
  if (sketch->type_count < HONE__SKETCH_TYPES) sketch->types[sketch->type_count++] = name;
}

static size_t count_between(const struct hone__code_tokens *tokens, size_t begin, size_t end,
                            const char *name)
{
  size_t count = 0;

  for (size_t i = begin; i < end && i < tokens->count; i++)
    count += hone__code_token_is(&tokens->list[i], name);
  return count;
}

/* Whether a name occurs in other kernels of the source only. */
static bool is_of_others(const struct hone__sketch *sketch, const struct hone__code_tokens *tokens,
                         const char *name)
{
  size_t others = 0, begin, end;

  for (size_t i = 0; i < sketch->functions.count; i++)
    if (strcmp(sketch->functions.list[i].name, sketch->entry) != 0 &&
        hone__sketch_body_of(tokens, sketch->functions.list[i].name, &begin, &end))
      others += count_between(tokens, begin, end, name);
  return others && others == count_between(tokens, 0, tokens->count, name);
}

static void add_number(struct hone__sketch *sketch, const struct hone__code_tokens *tokens,
                       const char *name, int line)
{
  struct hone__sketch_knob *knob;

  if (hone__sketch_find(sketch, name)) return;
  knob = hone__sketch_add(sketch, HONE__SKETCH_MACRO, name, strlen(name), line);
  knob->where = "a macro that the source does not define";
  if (!is_of_others(sketch, tokens, name)) return;
  knob->where = "a macro that other functions need";
  knob->values = "1";
}

static bool has_headers(const char *text)
{
  for (const char *line = text; line; line = strchr(line, '\n')) {
    line += *line == '\n';
    if (hone__sketch_after_directive(line, "include")) return true;
  }
  return false;
}

void hone__sketch_find_outside(struct hone__sketch *sketch)
{
  struct hone__code_tokens tokens = {0};

  sketch->type_count = 0;
  if (has_headers(sketch->source)) return;
  hone__code_tokens_read(sketch->source, &tokens);
  for (size_t i = 0; i < tokens.count; i++) {
    const struct hone__code_token *token = &tokens.list[i];
    const char *name = hone__arena_strndup(&sketch->arena, token->text, token->length);
    if (!is_outside(sketch, &tokens, i, name)) continue;
    if (is_type(sketch, name))
      add_type(sketch, name);
    else
      add_number(sketch, &tokens, name, token->line);
  }
  hone__code_tokens_release(&tokens);
}

/* ---- Headers with functions ---- */

static bool has_body(const struct hone__sketch *sketch, const char *name)
{
  for (size_t i = 0; i < sketch->body_count; i++)
    if (strcmp(sketch->bodies[i], name) == 0) return true;
  return false;
}

/* Of a line and of those that continue it. */
static const char *end_of(const char *line)
{
  const char *end = line + strcspn(line, "\n");

  while (*end && end > line && end[-1] == '\\')
    end += 1 + strcspn(end + 1, "\n");
  return end;
}

/* The words of `defined(NAME_IMPLEMENTATION) && !defined(GUARD)` that end so. */
static void add_bodies(struct hone__sketch *sketch, const char *condition)
{
  const char *end = end_of(condition);

  for (const char *at = condition; at < end; at++) {
    size_t length = hone__text_word_length(at);
    const char *name = hone__arena_strndup(&sketch->arena, at, length);
    if (hone__ends_with(name, "_IMPLEMENTATION") && !has_body(sketch, name) &&
        sketch->body_count < HONE__SKETCH_TYPES)
      sketch->bodies[sketch->body_count++] = name;
    at += length ? length - 1 : 0;
  }
}

void hone__sketch_find_bodies(struct hone__sketch *sketch)
{
  sketch->body_count = 0;
  if (!hone__backend_source_file_is_header(sketch->file)) return;
  for (const char *line = sketch->source; line; line = strchr(line, '\n')) {
    const char *condition;
    line += *line == '\n';
    condition = hone__sketch_after_directive(line, "ifdef");
    if (!condition) condition = hone__sketch_after_directive(line, "if");
    if (condition) add_bodies(sketch, condition);
  }
}

void hone__sketch_define_bodies(const struct hone__sketch *sketch, struct hone__words *flags)
{
  for (size_t i = 0; i < sketch->body_count; i++) {
    struct hone__text flag = {0};
    hone__text_addf(&flag, "-D%s=1", sketch->bodies[i]);
    hone__words_add(flags, flag.data);
    hone__text_release(&flag);
  }
}
