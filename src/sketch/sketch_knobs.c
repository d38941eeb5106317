/* What may be a knob: a macro with a default, a parameter of a template, a constant of the file. */
#include "sketch/sketch.h"

#include "source/c_tokens.h"

#include <ctype.h>

struct hone__sketch_knob *hone__sketch_add(struct hone__sketch *sketch,
                                           enum hone__sketch_origin origin, const char *name,
                                           size_t length, int line)
{
  struct hone__sketch_knob *knob;

  HONE__GROW(sketch->knobs, sketch->knob_count, sketch->knob_capacity);
  knob = &sketch->knobs[sketch->knob_count++];
  *knob = (struct hone__sketch_knob){
      .name = hone__arena_strndup(&sketch->arena, name, length), .origin = origin, .line = line};
  return knob;
}

const struct hone__sketch_knob *hone__sketch_find(const struct hone__sketch *sketch,
                                                  const char *name)
{
  for (size_t i = 0; i < sketch->knob_count; i++)
    if (strcmp(sketch->knobs[i].name, name) == 0) return &sketch->knobs[i];
  return NULL;
}

/* ---- Macros ---- */

static const char *skip_blanks(const char *at)
{
  return at + strspn(at, " \t");
}

const char *hone__sketch_after_directive(const char *line, const char *directive)
{
  size_t length = strlen(directive);

  line = skip_blanks(line);
  if (*line != '#') return NULL;
  line = skip_blanks(line + 1);
  if (strncmp(line, directive, length) != 0 || hone__is_word(line[length])) return NULL;
  return skip_blanks(line + length);
}

/* The value of `TILE 16 // comment`, without the comment; NULL: a guard of a header, or a function.
 */
static const char *value_of(struct hone__sketch *sketch, const char *at, const char *name)
{
  size_t length = strlen(name), end = 0;

  if (strncmp(at, name, length) != 0 || (at[length] != ' ' && at[length] != '\t')) return NULL;
  at = skip_blanks(at + length);
  while (at[end] && at[end] != '\n' && strncmp(at + end, "//", 2) && strncmp(at + end, "/*", 2))
    end++;
  while (end && isspace((unsigned char)at[end - 1]))
    end--;
  return end ? hone__arena_strndup(&sketch->arena, at, end) : NULL;
}

static const char *next_line(const char *line)
{
  line = strchr(line, '\n');
  return line ? line + 1 : NULL;
}

/* The name behind `#ifndef`, `#if !defined(` or `#if !defined`; NULL: the line has none of them. */
static const char *undefined_name(const char *line)
{
  const char *name = hone__sketch_after_directive(line, "ifndef");
  const char *condition = name ? NULL : hone__sketch_after_directive(line, "if");

  if (!condition || *condition != '!') return name;
  condition = skip_blanks(condition + 1);
  if (strncmp(condition, "defined", strlen("defined")) != 0) return NULL;
  condition = skip_blanks(condition + strlen("defined"));
  return condition + strspn(condition, "( \t");
}

/* What follows `#define` in the next line that is neither empty nor a comment. */
static const char *next_definition(const char *line)
{
  while (line && strchr("\r\n/* ", *skip_blanks(line)))
    line = next_line(line);
  return line ? hone__sketch_after_directive(line, "define") : NULL;
}

static void add_macro(struct hone__sketch *sketch, const char *name, const char *next, int line)
{
  const char *own = hone__arena_strndup(&sketch->arena, name, hone__text_word_length(name));
  const char *given = next_definition(next);
  const char *value = given ? value_of(sketch, given, own) : NULL;

  if (!value || hone__sketch_find(sketch, own)) return;
  hone__sketch_add(sketch, HONE__SKETCH_MACRO, own, strlen(own), line)->value = value;
}

static void find_macros(struct hone__sketch *sketch)
{
  int number = 1;

  for (const char *line = sketch->text, *next; line; line = next, number++) {
    const char *name = undefined_name(line);
    next = next_line(line);
    if (name) add_macro(sketch, name, next, number);
  }
}

static bool has_token(const struct hone__code_tokens *tokens, const char *text)
{
  for (size_t i = 0; i < tokens->count; i++)
    if (hone__code_token_is(&tokens->list[i], text)) return true;
  return false;
}

/* A line has `#if NAME` or `#elif NAME`. */
static bool is_switch(const struct hone__sketch *sketch, const char *name)
{
  for (const char *line = sketch->text; line; line = next_line(line)) {
    const char *condition = hone__sketch_after_directive(line, "if");
    if (!condition) condition = hone__sketch_after_directive(line, "elif");
    if (condition && strncmp(condition, name, strlen(name)) == 0 &&
        strchr("\r\n \t&|", condition[strlen(name)]))
      return true;
  }
  return false;
}

/* 0 or 1 that conditions ask for, here or, if the code has no use for it, in a header. */
static void find_switches(struct hone__sketch *sketch, const struct hone__code_tokens *tokens)
{
  for (size_t i = 0; i < sketch->knob_count; i++) {
    struct hone__sketch_knob *knob = &sketch->knobs[i];
    if (knob->origin == HONE__SKETCH_MACRO && knob->value &&
        (strcmp(knob->value, "0") == 0 || strcmp(knob->value, "1") == 0))
      knob->is_flag = is_switch(sketch, knob->name) || !has_token(tokens, knob->name);
  }
}

/* `#define THREADS 256` without a condition, which the code uses: it cannot be set from outside. */
static void find_plain_macros(struct hone__sketch *sketch, const struct hone__code_tokens *tokens)
{
  int number = 1;

  for (const char *line = sketch->text; line; line = next_line(line), number++) {
    const char *given = hone__sketch_after_directive(line, "define");
    const char *name, *value;
    if (!given) continue;
    name = hone__arena_strndup(&sketch->arena, given, hone__text_word_length(given));
    value = value_of(sketch, given, name);
    if (!value || strspn(value, "0123456789") != strlen(value) || !has_token(tokens, name) ||
        hone__sketch_find(sketch, name))
      continue;
    hone__sketch_add(sketch, HONE__SKETCH_CONSTANT, name, strlen(name), number)->value = value;
  }
}

/* ---- Templates ---- */

/* A type of indices, by its usual names; NULL: it is one of numbers. */
static const char *index_type(const char *name)
{
  static const char *const names[] = {"I", "Index", "IndexT", "IndexType", "Idx", "index_t"};

  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(name, names[i]) == 0) return "int";
  return NULL;
}

/* "0" or "1", as a macro has it. */
static const char *flag_value(const char *value)
{
  return value && (strcmp(value, "true") == 0 || strcmp(value, "1") == 0) ? "1" : "0";
}

/* One parameter: `int BM`, `int BM = 16`, `typename T`. A macro of that name would replace it in
 * the source, so the knob is BM_. */
static void add_parameter(struct hone__sketch *sketch, const struct hone__code_token *list,
                          size_t count)
{
  struct hone__sketch_knob *knob;
  size_t words = 0;

  while (words < count && hone__code_token_is_word(&list[words]))
    words++;
  if (words < 2) return;
  knob = hone__sketch_add(sketch, HONE__SKETCH_TEMPLATE, list[words - 1].text,
                          list[words - 1].length, list[0].line);
  knob->is_type =
      hone__code_token_is(&list[0], "typename") || hone__code_token_is(&list[0], "class");
  if (knob->is_type) knob->value = index_type(knob->name);
  if (!knob->is_type) knob->name = hone__arena_printf(&sketch->arena, "%s_", knob->name);
  if (words + 2 == count && hone__code_token_is(&list[words], "=")) /* one token alone */
    knob->value = hone__arena_strndup(&sketch->arena, list[words + 1].text, list[words + 1].length);
  knob->is_flag = hone__code_token_is(&list[0], "bool");
  if (knob->is_flag) knob->value = flag_value(knob->value);
}

/* The tokens between `<` and `>`, which may hold no others. Returns where the list ends. */
static size_t add_parameters(struct hone__sketch *sketch, const struct hone__code_tokens *tokens,
                             size_t open)
{
  size_t begin = open + 1, i = begin;

  for (; i < tokens->count; i++) {
    bool ends = hone__code_token_is(&tokens->list[i], ">");
    if (!ends && !hone__code_token_is(&tokens->list[i], ",")) continue;
    add_parameter(sketch, &tokens->list[begin], i - begin);
    begin = i + 1;
    if (ends) break;
  }
  return i;
}

/* The name in front of the first bracket after a template's list. */
static bool is_of_entry(const struct hone__sketch *sketch, const struct hone__code_tokens *tokens,
                        size_t at)
{
  while (at < tokens->count && !hone__code_token_is(&tokens->list[at], "{") &&
         !hone__code_token_is(&tokens->list[at], ";")) {
    if (hone__code_token_is(&tokens->list[at], sketch->entry)) return true;
    at++;
  }
  return false;
}

static void find_template(struct hone__sketch *sketch, const struct hone__code_tokens *tokens)
{
  for (size_t i = 0; i + 2 < tokens->count; i++) {
    size_t known = sketch->knob_count, end;
    if (!hone__code_token_is(&tokens->list[i], "template") ||
        !hone__code_token_is(&tokens->list[i + 1], "<"))
      continue;
    end = add_parameters(sketch, tokens, i + 1);
    if (is_of_entry(sketch, tokens, end)) return;
    sketch->knob_count = known;
  }
}

/* ---- Constants ---- */

/* `constexpr int TILE = 16;` and `static const int TILE = 16;`: whole numbers alone. */
static void find_constants(struct hone__sketch *sketch, const struct hone__code_tokens *tokens)
{
  const struct hone__code_token *list = tokens->list;

  for (size_t i = 1; i + 3 < tokens->count; i++) {
    bool is_constant = false;
    if (!hone__code_token_is(&list[i + 1], "=") || !hone__code_token_is(&list[i + 3], ";") ||
        !isdigit((unsigned char)*list[i + 2].text))
      continue;
    for (size_t k = i; k > 0 && i - k < 5 && hone__code_token_is_word(&list[k - 1]); k--)
      is_constant |= hone__code_token_is(&list[k - 1], "constexpr") ||
                     (hone__code_token_is(&list[k - 1], "const"));
    if (is_constant)
      hone__sketch_add(sketch, HONE__SKETCH_CONSTANT, list[i].text, list[i].length, list[i].line)
          ->value = hone__arena_strndup(&sketch->arena, list[i + 2].text, list[i + 2].length);
  }
}

void hone__sketch_find_knobs(struct hone__sketch *sketch)
{
  struct hone__code_tokens tokens = {0};

  hone__code_tokens_read(sketch->text, &tokens);
  find_macros(sketch);
  if (sketch->is_template) find_template(sketch, &tokens);
  find_switches(sketch, &tokens);
  find_plain_macros(sketch, &tokens);
  find_constants(sketch, &tokens);
  hone__code_tokens_release(&tokens);
}
