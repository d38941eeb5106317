/* The sizes of a kernel: whole numbers among its parameters, and among the members of structs that
 * it takes by value. */
#include "sketch/sketch.h"

#include "source/c_tokens.h"
#include "base/c_type.h"
#include "base/words.h"

#include <ctype.h>
#include <stdio.h>

/* ---- Structs ---- */

static bool names(const struct hone__code_token *token, const char *text)
{
  char name[64];

  if (!hone__code_token_is_word(token) || token->length >= sizeof name) return false;
  snprintf(name, sizeof name, "%.*s", (int)token->length, token->text);
  return hone__has_word(text, name);
}

/* The first token of the members of `struct NAME { ... }` or `typedef struct { ... } NAME;`; the
 * number of tokens: it is not there. */
static size_t find_struct(const struct hone__code_tokens *tokens, const char *text)
{
  const struct hone__code_token *list = tokens->list;

  for (size_t i = 0; i + 2 < tokens->count; i++) {
    size_t open = i + 1 + hone__code_token_is_word(&list[i + 1]), close;
    if (!hone__code_token_is(&list[i], "struct") || !hone__code_token_is(&list[open], "{"))
      continue;
    close = hone__code_tokens_end(tokens, open);
    if ((open == i + 2 && names(&list[i + 1], text)) ||
        (close + 1 < tokens->count && names(&list[close + 1], text)))
      return open + 1;
  }
  return tokens->count;
}

static void add_member(struct hone__sketch *sketch, struct hone__sketch_struct *members,
                       const struct hone__code_token *name, enum hone__element element)
{
  if (members->count == HONE__SKETCH_MEMBERS) return;
  members->list[members->count++] = (struct hone__parameter){
      .text = "",
      .name = hone__arena_strndup(&sketch->arena, name->text, name->length),
      .has_element = true,
      .element = element};
}

/* One declaration, `int rows, columns;`. False: it is more than numbers. */
static bool add_members(struct hone__sketch *sketch, struct hone__sketch_struct *members,
                        const struct hone__code_token *list, size_t count)
{
  enum hone__element element;
  size_t names = 0;

  while (names < count && !hone__code_token_is(&list[names], ","))
    names++;
  if (names < 2 ||
      !hone__element_of_c_type(
          list[0].text, (size_t)(list[names - 2].text + list[names - 2].length - list[0].text),
          &element))
    return false;
  for (size_t i = names - 1; i < count; i += 2) {
    if (!hone__code_token_is_word(&list[i]) ||
        (i + 1 < count && !hone__code_token_is(&list[i + 1], ",")))
      return false;
    add_member(sketch, members, &list[i], element);
  }
  return true;
}

/* None, if the source does not have the struct, or it holds more than numbers. */
static void find_members(struct hone__sketch *sketch, const struct hone__code_tokens *tokens,
                         const char *text, struct hone__sketch_struct *members)
{
  size_t begin = find_struct(tokens, text);

  for (size_t i = begin; i < tokens->count; i++) {
    if (hone__code_token_is(&tokens->list[i], "}")) return;
    if (!hone__code_token_is(&tokens->list[i], ";")) continue;
    if (!add_members(sketch, members, &tokens->list[begin], i - begin)) break;
    begin = i + 1;
  }
  members->count = 0;
}

/* Those that a compiler has found. */
static void take_members(const struct hone__parameter *parameter,
                         struct hone__sketch_struct *members)
{
  if (parameter->member_count > HONE__SKETCH_MEMBERS) return;
  for (size_t i = 0; i < parameter->member_count; i++)
    members->list[members->count++] = parameter->members[i];
}

/* ---- Sizes ---- */

/* Whole numbers that count nothing. */
static bool is_setting(const char *name)
{
  static const char *const words[] = {"seed", "flags", "crc", "hash", "mode"};

  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strcmp(name, words[i]) == 0) return true;
  return false;
}

bool hone__sketch_is_size(const struct hone__parameter *parameter)
{
  const struct hone__element_info *info =
      parameter->has_element ? hone__element_info(parameter->element) : NULL;

  return info && !parameter->is_pointer && !hone__sketch_is_image(parameter) &&
         !parameter->is_enum && !info->is_float && info->size >= 4 && *parameter->name &&
         !is_setting(parameter->name);
}

static void add_size(struct hone__sketch *sketch, const struct hone__parameter *parameter)
{
  if (hone__sketch_is_size(parameter) && sketch->size_count < HONE__SKETCH_SIZES)
    sketch->sizes[sketch->size_count++] = *parameter;
}

/* The type that a template's type parameter has in the entry; `view<T> x` is another one. */
static void resolve_type(const struct hone__sketch *sketch, struct hone__parameter *parameter)
{
  if (strchr(parameter->text, '<')) return;
  for (size_t i = 0; i < sketch->knob_count && !parameter->has_element; i++) {
    const struct hone__sketch_knob *knob = &sketch->knobs[i];
    if (!knob->is_type || !hone__has_word(parameter->text, knob->name)) continue;
    parameter->has_element = true;
    parameter->element = HONE__ELEMENT_F32;
    if (knob->value) hone__element_of_c_type(knob->value, strlen(knob->value), &parameter->element);
  }
}

/* A type that the build has to define is float there. */
static void resolve_outside(const struct hone__sketch *sketch, struct hone__parameter *parameter)
{
  for (size_t i = 0; i < sketch->type_count && !parameter->has_element; i++) {
    if (!hone__has_word(parameter->text, sketch->types[i])) continue;
    parameter->has_element = true;
    parameter->element = HONE__ELEMENT_F32;
  }
}

void hone__sketch_find_sizes(struct hone__sketch *sketch)
{
  struct hone__code_tokens tokens = {0};

  sketch->size_count = 0;
  sketch->structs =
      hone__arena_alloc(&sketch->arena, (sketch->prototype.count + 1) * sizeof *sketch->structs);
  hone__code_tokens_read(sketch->text, &tokens);
  for (size_t i = 0; i < sketch->prototype.count; i++) {
    struct hone__parameter *parameter = &sketch->prototype.parameters[i];
    struct hone__sketch_struct *members = &sketch->structs[i];
    resolve_type(sketch, parameter);
    resolve_outside(sketch, parameter);
    if (parameter->members && !parameter->is_pointer)
      take_members(parameter, members);
    else if (!parameter->has_element && !parameter->is_pointer && !strchr(parameter->text, '&'))
      find_members(sketch, &tokens, parameter->text, members);
    add_size(sketch, parameter);
    for (size_t k = 0; k < members->count; k++)
      add_size(sketch, &members->list[k]);
  }
  hone__code_tokens_release(&tokens);
}

static const struct hone__parameter *find_size(const struct hone__sketch *sketch, const char *name)
{
  for (size_t i = 0; i < sketch->size_count; i++)
    if (strcmp(sketch->sizes[i].name, name) == 0) return &sketch->sizes[i];
  return NULL;
}

/* `template <int N> void f(int n)`: this N is another one. */
static bool is_of_template(const struct hone__sketch *sketch, const char *name, size_t length)
{
  for (size_t i = 0; i < sketch->knob_count; i++) {
    const struct hone__sketch_knob *knob = &sketch->knobs[i];
    size_t own = strlen(knob->name);
    if (own && knob->name[own - 1] == '_') own--;
    if (knob->origin == HONE__SKETCH_TEMPLATE && own == length &&
        memcmp(knob->name, name, length) == 0)
      return true;
  }
  return false;
}

/* As a parameter, or as the macro that the spec makes of it. */
const struct hone__parameter *hone__sketch_size_named(const struct hone__sketch *sketch,
                                                      const char *name, size_t length)
{
  for (size_t i = 0; i < sketch->size_count; i++) {
    const char *own = sketch->sizes[i].name;
    struct hone__text macro = {0};
    bool is_own = strlen(own) == length && memcmp(own, name, length) == 0, is_macro;
    hone__sketch_print_size(&sketch->sizes[i], &macro);
    is_macro = macro.length == length && memcmp(macro.data, name, length) == 0;
    hone__text_release(&macro);
    if (is_own || (is_macro && !is_of_template(sketch, name, length))) return &sketch->sizes[i];
  }
  return NULL;
}

const struct hone__parameter *hone__sketch_rows(const struct hone__sketch *sketch,
                                                const struct hone__parameter *columns)
{
  static const char *const pairs[][2] = {{"width", "height"}, {"w", "h"},   {"cols", "rows"},
                                         {"columns", "rows"}, {"nx", "ny"}, {"ncols", "nrows"}};
  const struct hone__parameter *rows = NULL;

  for (size_t i = 0; i < sizeof pairs / sizeof *pairs && !rows; i++)
    if (strcmp(columns->name, pairs[i][0]) == 0) rows = find_size(sketch, pairs[i][1]);
  if (!rows && sketch->size_count == 2)
    rows = &sketch->sizes[strcmp(sketch->sizes[0].name, columns->name) == 0];
  return rows;
}

/* ---- Marks ---- */

enum { FIRST_MARK = 30011, MARK_STEP = 1009, NEAR = 64 };

static long long mark_of(size_t size)
{
  return FIRST_MARK + MARK_STEP * (long long)size;
}

void hone__sketch_mark_sizes(const struct hone__sketch *sketch, struct hone__words *flags)
{
  for (size_t i = 0; i < sketch->size_count; i++) {
    struct hone__text flag = {0};
    hone__text_add(&flag, "-D");
    hone__sketch_print_size(&sketch->sizes[i], &flag);
    hone__text_addf(&flag, "=%lld", mark_of(i));
    hone__words_add(flags, flag.data);
    hone__text_release(&flag);
  }
}

void hone__sketch_print_number(const struct hone__sketch *sketch, long long number,
                               struct hone__text *out)
{
  for (size_t i = 0; sketch->lengths && i < sketch->size_count; i++) {
    long long mark = mark_of(i), more = number - mark;
    if (more < -NEAR || more > NEAR) continue;
    hone__sketch_print_size(&sketch->sizes[i], out);
    if (more) hone__text_addf(out, " %c %lld", more < 0 ? '-' : '+', more < 0 ? -more : more);
    return;
  }
  hone__text_addf(out, "%lld", number);
}

void hone__sketch_print_size(const struct hone__parameter *parameter, struct hone__text *out)
{
  for (const char *at = parameter->name; *at; at++)
    hone__text_addf(out, "%c", toupper((unsigned char)*at));
}
