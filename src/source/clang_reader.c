/* Errors in the bodies of functions (intrinsics of other compilers, names of a toolkit that is not
 * there) say nothing about parameters, and are not counted.
 */
#include "source/clang_reader.h"

#include "base/text.h"
#include "source/clang_types.h"

#include <stdio.h>

static struct hone__code_clang clang; /* this process has one */

struct extent {
  unsigned begin, end; /* offsets in the source */
};

struct reader {
  struct hone__clang_facts *facts;
  void *unit, *file;                           /* the source */
  struct extent bodies[HONE__CLANG_FUNCTIONS]; /* of functions */
  struct extent heads[HONE__CLANG_FUNCTIONS];  /* of those among the facts */
  size_t body_count;
};

static const char *keep_string(struct reader *r, clang_string string)
{
  const char *text = clang.getCString(string);

  return hone__clang_keep(r->facts, text ? text : "");
}

/* ---- Functions ---- */

static int line_of(clang_cursor cursor)
{
  void *file;
  unsigned line = 0, column, offset;

  clang.getExpansionLocation(clang.getCursorLocation(cursor), &file, &line, &column, &offset);
  return (int)line;
}

/* As a parameter of OpenCL has it, which no source does. */
static void drop_private(char *text)
{
  static const char word[] = "__private ";
  char *at = strstr(text, word);

  if (at) memmove(at, at + strlen(word), strlen(at + strlen(word)) + 1);
}

/* "const float *x" */
static const char *text_of(struct reader *r, clang_type type, const char *name)
{
  struct hone__text text = {0};
  const char *kept, *spelling = clang.getCString(clang.getTypeSpelling(type));
  size_t length = strlen(spelling);
  bool is_glued = length && strchr("*&", spelling[length - 1]);

  hone__text_addf(&text, "%s%s%s", spelling, is_glued || !*name ? "" : " ", name);
  if (text.length) drop_private(text.data);
  kept = text.length ? hone__clang_keep(r->facts, text.data) : "";
  hone__text_release(&text);
  return kept;
}

/* The tokens of a declaration: all of them, or those after a `=`; NULL: there are none. */
static const char *tokens_of(struct reader *r, clang_cursor cursor, const char *after)
{
  struct hone__text text = {0};
  clang_token *tokens = NULL;
  unsigned count = 0;
  bool is_behind = !after;
  const char *kept = NULL;

  clang.tokenize(r->unit, clang.getCursorExtent(cursor), &tokens, &count);
  for (unsigned i = 0; i < count; i++) {
    const char *token = clang.getCString(clang.getTokenSpelling(r->unit, tokens[i]));
    if (is_behind) hone__text_addf(&text, "%s%s", text.length ? " " : "", token);
    is_behind |= after && strcmp(token, after) == 0;
  }
  if (text.length) kept = hone__clang_keep(r->facts, text.data);
  hone__text_release(&text);
  return kept;
}

/* `READ_ONLY(real) x` is taken for a function if nothing is known of the macro. */
static bool leads_to_function(clang_type type)
{
  type = clang.getCanonicalType(type);
  if (type.kind == TYPE_POINTER) type = clang.getCanonicalType(clang.getPointeeType(type));
  return type.kind == TYPE_FUNCTION || type.kind == TYPE_OLD_FUNCTION;
}

/* The type of a wrong one would be int. */
static void read_parameter(struct reader *r, clang_cursor cursor, struct hone__parameter *out,
                           bool *out_doubtful)
{
  clang_type type = clang.getCursorType(cursor);
  bool is_wrong = clang.isInvalidDeclaration(cursor);
  const char *tokens = is_wrong ? tokens_of(r, cursor, NULL) : NULL;

  *out = (struct hone__parameter){.name = keep_string(r, clang.getCursorSpelling(cursor)),
                                  .line = line_of(cursor)};
  out->text = tokens ? tokens : text_of(r, type, out->name);
  *out_doubtful |= is_wrong || leads_to_function(type);
  if (is_wrong)
    out->is_pointer = hone__clang_is_address(clang.getCanonicalType(type).kind);
  else
    hone__clang_set_type(&clang, r->facts, type, out);
}

struct children {
  struct reader *reader;
  struct hone__clang_function *function;
  size_t parameters, template_parameters; /* how many there are */
  bool is_counting;
};

/* Also of what a macro of the source stands for; clang_Location_isFromMainFile is false there. */
static bool is_in_source(const struct reader *r, clang_location location)
{
  void *file = NULL;
  unsigned line, column, offset;

  clang.getExpansionLocation(location, &file, &line, &column, &offset);
  return file && clang.File_isEqual(file, r->file);
}

static unsigned offset_of(clang_location location)
{
  void *file;
  unsigned line, column, offset = 0;

  clang.getExpansionLocation(location, &file, &line, &column, &offset);
  return offset;
}

static void add_body(struct reader *r, clang_cursor cursor)
{
  clang_range range = clang.getCursorExtent(cursor);

  if (r->body_count == HONE__CLANG_FUNCTIONS) return;
  r->bodies[r->body_count++] =
      (struct extent){offset_of(clang.getRangeStart(range)), offset_of(clang.getRangeEnd(range))};
}

static bool is_of_template(int kind)
{
  return kind == TEMPLATE_TYPE || kind == TEMPLATE_VALUE || kind == TEMPLATE_TEMPLATE;
}

static int evaluate_child(clang_cursor cursor, clang_cursor parent, void *data)
{
  void **result = data;

  (void)parent;
  *result = clang.isExpression(clang.getCursorKind(cursor)) ? clang.Cursor_Evaluate(cursor) : NULL;
  return *result ? 0 : VISIT_ON; /* 0 ends it */
}

/* `int TILE = 2 * LANES`; NULL: its default is not a whole number, or it has none. */
static const char *value_of(struct reader *r, clang_cursor cursor)
{
  void *result = NULL;
  char value[32];

  clang.visitChildren(cursor, evaluate_child, &result);
  if (!result || clang.EvalResult_getKind(result) != EVALUATED_INTEGER) return NULL;
  snprintf(value, sizeof value, "%lld", clang.EvalResult_getAsLongLong(result));
  return hone__clang_keep(r->facts, value);
}

static void add_template_parameter(struct reader *r, clang_cursor cursor,
                                   struct hone__clang_template_parameter *out)
{
  int kind = clang.getCursorKind(cursor);

  out->name = keep_string(r, clang.getCursorSpelling(cursor));
  out->value = kind == TEMPLATE_VALUE ? value_of(r, cursor) : tokens_of(r, cursor, "=");
  out->is_type = kind == TEMPLATE_TYPE;
  out->is_flag = clang.getCanonicalType(clang.getCursorType(cursor)).kind == TYPE_BOOL;
}

static int visit_child(clang_cursor cursor, clang_cursor parent, void *data)
{
  struct children *children = data;
  struct hone__clang_function *function = children->function;
  int kind = clang.getCursorKind(cursor);

  (void)parent;
  if (children->is_counting) {
    children->parameters += kind == PARM_DECL;
    children->template_parameters += is_of_template(kind);
    function->is_global |= kind == CUDA_GLOBAL;
    if (kind == BODY) add_body(children->reader, cursor);
  } else if (kind == PARM_DECL) {
    read_parameter(children->reader, cursor,
                   &function->prototype.parameters[function->prototype.count++],
                   &function->is_doubtful);
  } else if (is_of_template(kind)) {
    add_template_parameter(children->reader, cursor,
                           &function->parameters[function->parameter_count++]);
  }
  return VISIT_ON;
}

static bool read_children(struct reader *r, clang_cursor cursor,
                          struct hone__clang_function *function)
{
  struct children children = {.reader = r, .function = function, .is_counting = true};

  clang.visitChildren(cursor, visit_child, &children);
  function->prototype.parameters = hone__clang_take(
      r->facts, (children.parameters + 1) * sizeof *function->prototype.parameters);
  function->parameters =
      hone__clang_take(r->facts, (children.template_parameters + 1) * sizeof *function->parameters);
  if (!function->prototype.parameters || !function->parameters) return false;
  children.is_counting = false;
  clang.visitChildren(cursor, visit_child, &children);
  return true;
}

static void read_return(struct reader *r, clang_cursor cursor, struct hone__prototype *out)
{
  struct hone__parameter *returns = hone__clang_take(r->facts, sizeof *returns);
  clang_type type = clang.getCursorResultType(cursor);

  if (!returns) return;
  *returns = (struct hone__parameter){.name = "", .text = text_of(r, type, "")};
  hone__clang_set_type(&clang, r->facts, type, returns);
  out->returns = returns;
}

/* "vision::" of what is in the namespace; *out_hidden: one of them has no name, and needs none. */
static const char *scope_of(struct reader *r, clang_cursor cursor, bool *out_hidden)
{
  struct hone__text text = {0};
  clang_cursor parent = clang.getCursorSemanticParent(cursor);
  const char *kept;

  for (; clang.getCursorKind(parent) == NAMESPACE; parent = clang.getCursorSemanticParent(parent)) {
    struct hone__text outer = {0};
    const char *name = clang.getCString(clang.getCursorSpelling(parent));
    *out_hidden |= !*name;
    hone__text_addf(&outer, "%s%s%s", name, *name ? "::" : "", text.data ? text.data : "");
    hone__text_release(&text);
    text = outer;
  }
  kept = hone__clang_keep(r->facts, text.data ? text.data : "");
  hone__text_release(&text);
  return kept;
}

/* A template of methods has the kind of any other template. */
static bool is_method(clang_cursor cursor)
{
  int parent = clang.getCursorKind(clang.getCursorSemanticParent(cursor));

  return parent == STRUCT || parent == CLASS || parent == CLASS_TEMPLATE ||
         parent == PARTIAL_SPECIALIZATION;
}

/* Up to its body, which is the last one if there are more than `bodies`. */
static struct extent head_of(const struct reader *r, clang_cursor cursor, size_t bodies)
{
  clang_range range = clang.getCursorExtent(cursor);
  struct extent head = {offset_of(clang.getRangeStart(range)), offset_of(clang.getRangeEnd(range))};

  if (r->body_count > bodies) head.end = r->bodies[r->body_count - 1].begin;
  return head;
}

static void read_function(struct reader *r, clang_cursor cursor)
{
  size_t bodies = r->body_count;
  struct hone__clang_facts *facts = r->facts;
  struct hone__clang_function *function = &facts->functions[facts->function_count];
  const char *mangled;

  if (facts->function_count == HONE__CLANG_FUNCTIONS || !clang.isCursorDefinition(cursor) ||
      clang.Cursor_isVariadic(cursor) || is_method(cursor))
    return;
  *function = (struct hone__clang_function){0};
  function->name = keep_string(r, clang.getCursorSpelling(cursor));
  function->name = strchr(function->name, '<') ? "" : function->name; /* operators, and so on */
  function->line = function->prototype.line = line_of(cursor);
  function->is_template = clang.getCursorKind(cursor) == FUNCTION_TEMPLATE;
  function->is_hidden =
      !function->is_template && clang.getCursorLinkage(cursor) != LINKAGE_EXTERNAL;
  function->is_inline = clang.Cursor_isFunctionInlined(cursor);
  function->scope = scope_of(r, cursor, &function->is_hidden);
  mangled = function->is_template ? "" : clang.getCString(clang.Cursor_getMangling(cursor));
  function->is_c = mangled && strcmp(mangled, function->name) == 0;
  if (!*function->name || !read_children(r, cursor, function)) return;
  read_return(r, cursor, &function->prototype);
  r->heads[facts->function_count] = head_of(r, cursor, bodies);
  facts->function_count++;
}

/* ---- Constants ---- */

static struct hone__clang_constant *add_constant(struct reader *r, const char *name,
                                                 const char *value, int line)
{
  struct hone__clang_facts *facts = r->facts;
  struct hone__clang_constant *constant = &facts->constants[facts->constant_count];

  if (facts->constant_count == HONE__CLANG_CONSTANTS) return NULL;
  facts->constant_count++;
  *constant = (struct hone__clang_constant){.name = hone__clang_keep(r->facts, name),
                                            .value = hone__clang_keep(r->facts, value),
                                            .line = line};
  return constant;
}

/* `constexpr int TILE = 4 * LANES;`: clang computes it. */
static void read_variable(struct reader *r, clang_cursor cursor)
{
  enum hone__element element;
  clang_type type = clang.getCursorType(cursor), plain = clang.getCanonicalType(type);
  char value[32];
  void *result;

  if (!clang.isConstQualifiedType(type) || !hone__clang_element_of(&clang, plain, &element) ||
      hone__element_info(element)->is_float || plain.kind == TYPE_ENUM)
    return;
  result = clang.Cursor_Evaluate(cursor);
  if (!result || clang.EvalResult_getKind(result) != EVALUATED_INTEGER) return;
  snprintf(value, sizeof value, "%lld", clang.EvalResult_getAsLongLong(result));
  add_constant(r, clang.getCString(clang.getCursorSpelling(cursor)), value, line_of(cursor));
}

/* The line before it has `#ifndef NAME` or `!defined(NAME)`. */
static bool is_guarded(const char *text, size_t at, const char *name)
{
  size_t end, begin;
  char line[200];

  while (at && text[at - 1] != '\n') /* to the beginning of its line */
    at--;
  if (!at) return false;
  for (end = begin = at - 1; begin && text[begin - 1] != '\n';)
    begin--;
  if (end - begin >= sizeof line) return false;
  snprintf(line, sizeof line, "%.*s", (int)(end - begin), text + begin);
  return hone__has_word(line, name) && (strstr(line, "ifndef") || strstr(line, "defined"));
}

/* Tokens after the name: one number. NULL: it is more, or something else. */
static const char *number_of(struct reader *r, clang_cursor cursor)
{
  clang_token *tokens = NULL;
  unsigned count = 0;
  const char *value;

  clang.tokenize(r->unit, clang.getCursorExtent(cursor), &tokens, &count);
  if (count != 2) return NULL;
  value = clang.getCString(clang.getTokenSpelling(r->unit, tokens[1]));
  return *value && strspn(value, "0123456789") == strlen(value) ? value : NULL;
}

/* In a header of the project: those of the source are found in its text, in branches that are not
 * taken, too. */
static void read_macro(struct reader *r, clang_cursor cursor)
{
  clang_location location = clang.getCursorLocation(cursor);
  const char *name = clang.getCString(clang.getCursorSpelling(cursor)), *value, *text;
  struct hone__clang_constant *constant;
  unsigned line, column, offset;
  void *file = NULL;
  size_t size = 0;

  if (is_in_source(r, location) || clang.Location_isInSystemHeader(location) ||
      clang.Cursor_isMacroBuiltin(cursor) || clang.Cursor_isMacroFunctionLike(cursor))
    return;
  clang.getExpansionLocation(location, &file, &line, &column, &offset);
  text = file ? clang.getFileContents(r->unit, file, &size) : NULL;
  if (!text || offset >= size || !is_guarded(text, offset, name)) return;
  value = number_of(r, cursor);
  constant = value ? add_constant(r, name, value, (int)line) : NULL;
  if (!constant) return;
  constant->is_macro = true;
  constant->file = keep_string(r, clang.getFileName(file));
}

/* ---- All of it ---- */

static int visit(clang_cursor cursor, clang_cursor parent, void *data)
{
  struct reader *r = data;
  int kind = clang.getCursorKind(cursor);

  (void)parent;
  if (kind == MACRO_DEFINITION) {
    read_macro(r, cursor);
    return VISIT_ON;
  }
  if (!is_in_source(r, clang.getCursorLocation(cursor))) return VISIT_ON;
  if (kind == NAMESPACE || kind == LINKAGE_SPEC || kind == UNEXPOSED_DECL) return VISIT_INTO;
  if (kind == FUNCTION_DECL || kind == FUNCTION_TEMPLATE) read_function(r, cursor);
  if (kind == VAR_DECL) read_variable(r, cursor);
  return VISIT_ON;
}

static bool is_in_body(const struct reader *r, clang_location location)
{
  unsigned offset = offset_of(location);

  for (size_t i = 0; i < r->body_count && is_in_source(r, location); i++)
    if (offset >= r->bodies[i].begin && offset < r->bodies[i].end) return true;
  return false;
}

/* An error in the declaration of a function; of one that a macro makes, all of it is in one place.
 */
static void doubt(struct reader *r, clang_location location)
{
  unsigned offset = offset_of(location);

  for (size_t i = 0; i < r->facts->function_count && is_in_source(r, location); i++)
    if (offset >= r->heads[i].begin && offset <= r->heads[i].end)
      r->facts->functions[i].is_doubtful = true;
}

static void read_errors(struct reader *r)
{
  unsigned count = clang.getNumDiagnostics(r->unit);

  r->facts->is_flawless = true;
  for (unsigned i = 0; i < count; i++) {
    void *diagnostic = clang.getDiagnostic(r->unit, i);
    clang_location location = clang.getDiagnosticLocation(diagnostic);
    if (clang.getDiagnosticSeverity(diagnostic) < SEVERITY_ERROR || is_in_body(r, location))
      continue;
    if (r->facts->is_flawless)
      r->facts->complaint = keep_string(r, clang.formatDiagnostic(diagnostic, 1));
    r->facts->is_flawless = false;
    doubt(r, location);
  }
}

void hone__clang_read(const char *path, const char *const *arguments, size_t count,
                      struct hone__clang_facts *facts)
{
  struct reader r = {.facts = facts};
  void *index;

  facts->is_available = hone__code_clang_open(&clang);
  if (!facts->is_available) return;
  facts->version = keep_string(&r, clang.getClangVersion());
  index = clang.createIndex(0, 0);
  if (clang.parseTranslationUnit2(index, path, arguments, (int)count, NULL, 0,
                                  WITH_MACROS | KEEP_GOING, &r.unit) != 0)
    return;
  r.file = clang.getFile(r.unit, path);
  clang.visitChildren(clang.getTranslationUnitCursor(r.unit), visit, &r);
  read_errors(&r);
  facts->is_complete = true;
}
