/* A function is a brace at the outermost level after a list of parameters. The tokens between the
 * end of the previous declaration and that brace classify it: `extern "C" static template <int N>
 * __global__ void __launch_bounds__(256) name(...) const __attribute__((x)) {`.
 */
#include "source/source_functions.h"

#include "source/c_tokens.h"
#include "base/text.h"

#include <string.h>

enum { MOST_OUTER = 63 };

static const struct {
  const char *marks[2];    /* one of them makes a function a kernel; none: any function is one */
  bool needs_c_linkage;    /* extern "C" */
  bool is_local;           /* one of the words below makes a function a kernel, instead */
  const char *excludes[3]; /* a function with one of these is not a kernel */
} rules[] = {
    [HONE__FUNCTIONS_C] = {.excludes = {"static", "inline", "__inline"}},
    [HONE__FUNCTIONS_C_LOCAL] = {.is_local = true, .excludes = {"static", "inline", "__inline"}},
    [HONE__FUNCTIONS_CPLUSPLUS] = {.needs_c_linkage = true, .excludes = {"static"}},
    [HONE__FUNCTIONS_CUDA] = {.marks = {"__global__"}},
    [HONE__FUNCTIONS_OPENCL] = {.marks = {"__kernel", "kernel"}},
};

struct finder {
  const char *source;
  struct hone__code_tokens tokens;
  enum hone__code_language language;
  struct hone__arena *arena;
  struct hone__code_functions *found;
  size_t capacity;
  size_t begin;  /* of the current declaration */
  size_t levels; /* open braces that count */
  size_t outer;  /* and those that do not count, by number from the outside: */
  bool is_namespace[MOST_OUTER];
};

static const struct hone__code_token *token_at(const struct finder *finder, size_t at)
{
  return &finder->tokens.list[at];
}

/* ---- Words of a declaration ---- */

/* Between its beginning and `end`, outside brackets. */
static bool has_word(const struct finder *finder, size_t end, const char *word)
{
  for (size_t i = finder->begin; i < end; i++) {
    if (hone__code_token_is(token_at(finder, i), word)) return true;
    if (hone__code_token_is(token_at(finder, i), "("))
      i = hone__code_tokens_end(&finder->tokens, i);
  }
  return false;
}

static bool has_one_of(const struct finder *finder, size_t end, const char *const *words,
                       size_t count)
{
  for (size_t i = 0; i < count; i++)
    if (words[i] && has_word(finder, end, words[i])) return true;
  return false;
}

static bool is_marked(const struct finder *finder, size_t end)
{
  const char *const *marks = rules[finder->language].marks;

  return !marks[0] || has_one_of(finder, end, marks, 2);
}

static bool is_excluded(const struct finder *finder, size_t end)
{
  bool has_word = has_one_of(finder, end, rules[finder->language].excludes, 3);

  return has_word != rules[finder->language].is_local;
}

/* In a block of extern "C", or after these words. */
static bool has_c_linkage(const struct finder *finder)
{
  for (size_t i = 0; i < finder->outer; i++)
    if (!finder->is_namespace[i]) return true;
  return finder->begin + 1 < finder->tokens.count &&
         hone__code_token_is(token_at(finder, finder->begin), "extern") &&
         *token_at(finder, finder->begin + 1)->text == '"';
}

static bool is_scoped(const struct finder *finder)
{
  for (size_t i = 0; i < finder->outer; i++)
    if (finder->is_namespace[i]) return true;
  return false;
}

/* ---- Its name ---- */

/* Words followed by brackets that are not functions. */
static bool is_attribute(const struct hone__code_token *token)
{
  static const char *const words[] = {
      "__attribute__", "__attribute", "__declspec",        "__launch_bounds__", "__cluster_dims__",
      "alignas",       "_Alignas",    "__block_size__",    "__maxnreg__",       "noexcept",
      "asm",           "__asm__",     "__grid_constant__", "requires",          "decltype"};

  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (hone__code_token_is(token, words[i])) return true;
  return false;
}

/* The bracket of the parameters: the last one before `end` that is not an attribute's; `end` if
 * there is none. */
static size_t find_parameters(const struct finder *finder, size_t end)
{
  size_t found = end;

  for (size_t i = finder->begin; i < end; i++) {
    if (!hone__code_token_is(token_at(finder, i), "(")) continue;
    if (i == finder->begin || !is_attribute(token_at(finder, i - 1))) found = i;
    i = hone__code_tokens_end(&finder->tokens, i);
  }
  return found;
}

/* `#define name` changes the name. */
static bool is_macro(const char *source, const char *name)
{
  static const char define[] = "define";
  size_t length = strlen(name);

  for (const char *p = source; (p = strstr(p, define)); p += strlen(define)) {
    const char *before = p, *after = p + strlen(define);
    while (before > source && (before[-1] == ' ' || before[-1] == '\t'))
      before--;
    after += strspn(after, " \t");
    if (before > source && before[-1] == '#' && strncmp(after, name, length) == 0 &&
        !hone__is_word(after[length]))
      return true;
  }
  return false;
}

/* NULL: there is no certain name. A type, or a word that may be one, precedes it. */
static const char *name_before(const struct finder *finder, size_t parameters)
{
  const struct hone__code_token *name, *before;
  const char *text;

  if (parameters < finder->begin + 2) return NULL;
  name = token_at(finder, parameters - 1);
  before = token_at(finder, parameters - 2);
  if (!hone__code_token_is_word(name)) return NULL;
  if (!hone__code_token_is_word(before) && !strchr("*&>)", *before->text)) return NULL;
  text = hone__arena_strndup(finder->arena, name->text, name->length);
  return is_macro(finder->source, text) ? NULL : text;
}

/* ---- Functions ---- */

bool hone__code_functions_has(const struct hone__code_functions *functions, const char *name)
{
  for (size_t i = 0; i < functions->count; i++)
    if (strcmp(functions->list[i].name, name) == 0) return true;
  return false;
}

static void add(struct finder *finder, const struct hone__code_function *function)
{
  struct hone__code_functions *found = finder->found;
  struct hone__code_function *list;

  if (hone__code_functions_has(found, function->name)) return;
  if (found->count == finder->capacity) {
    finder->capacity = finder->capacity ? 2 * finder->capacity : 8;
    list = hone__arena_alloc(finder->arena, finder->capacity * sizeof *list);
    if (found->count) memcpy(list, found->list, found->count * sizeof *list);
    found->list = list;
  }
  found->list[found->count++] = *function;
}

/* At a brace that opens a body, a type, or values. */
static void look_at(struct finder *finder, size_t brace)
{
  size_t parameters = find_parameters(finder, brace);
  struct hone__code_function function = {.is_template = has_word(finder, brace, "template"),
                                         .is_scoped = is_scoped(finder)};

  if (parameters == brace && brace > finder->begin) return; /* struct s {, int a[] = { */
  if (hone__code_token_is(token_at(finder, brace - (brace > 0)), "=")) return;
  if (!is_marked(finder, brace) || is_excluded(finder, brace)) return;
  if (rules[finder->language].needs_c_linkage && !has_c_linkage(finder)) return;
  function.name = brace > finder->begin ? name_before(finder, parameters) : NULL;
  if (!function.name) {
    finder->found->is_sure = false;
    return;
  }
  if (strcmp(function.name, "main") == 0) return;
  function.line = token_at(finder, parameters - 1)->line;
  add(finder, &function);
}

/* ---- Levels ---- */

static void open_brace(struct finder *finder, size_t at)
{
  if (finder->levels || !hone__code_tokens_is_outer_brace(&finder->tokens, at)) {
    if (!finder->levels) look_at(finder, at);
    finder->levels++;
  } else if (finder->outer < MOST_OUTER) {
    finder->is_namespace[finder->outer++] = *token_at(finder, at - 1)->text != '"';
  } else {
    finder->found->is_sure = false;
  }
}

static void close_brace(struct finder *finder)
{
  if (finder->levels)
    finder->levels--;
  else if (finder->outer)
    finder->outer--;
  else
    finder->found->is_sure = false;
}

static void read_token(struct finder *finder, size_t at)
{
  const struct hone__code_token *token = token_at(finder, at);
  bool is_open = hone__code_token_is(token, "{"), is_close = hone__code_token_is(token, "}");

  if (is_open) open_brace(finder, at);
  if (is_close) close_brace(finder);
  if (!finder->levels && (is_open || is_close || hone__code_token_is(token, ";")))
    finder->begin = at + 1;
}

void hone__code_functions_find(const char *source, enum hone__code_language language,
                               struct hone__arena *arena,
                               struct hone__code_functions *out_functions)
{
  struct finder finder = {
      .source = source, .language = language, .arena = arena, .found = out_functions};

  *out_functions = (struct hone__code_functions){.is_sure = true};
  hone__code_tokens_read(source, &finder.tokens);
  for (size_t i = 0; i < finder.tokens.count; i++)
    read_token(&finder, i);
  if (finder.levels || finder.outer) out_functions->is_sure = false; /* branches of #if */
  hone__code_tokens_release(&finder.tokens);
}

bool hone__code_functions_has_main(const char *source)
{
  struct hone__code_tokens tokens = {0};
  size_t count = 0;
  bool is_defined = false;

  hone__code_tokens_read(source, &tokens);
  for (size_t i = 0; i + 1 < tokens.count; i++) {
    size_t close;
    if (!hone__code_token_is(&tokens.list[i], "main")) continue;
    count++;
    if (!hone__code_token_is(&tokens.list[i + 1], "(")) continue;
    close = hone__code_tokens_end(&tokens, i + 1);
    is_defined = close + 1 < tokens.count && hone__code_token_is(&tokens.list[close + 1], "{");
  }
  hone__code_tokens_release(&tokens);
  return is_defined && count == 1;
}
