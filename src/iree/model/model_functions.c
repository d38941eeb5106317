/* "sync func @main(%input0: tensor<4xf32> {...}, %input1: i32) -> (...)" is the compiler's
 * declaration of a function for callers; without a declaration its head is used.
 */
#include "iree/model/model_inputs.h"

#include <ctype.h>

enum { MOST_FUNCTIONS = 4096, MOST_ARGUMENTS = 65536 };

/* ---- Declarations ---- */

static size_t skip_to(const char *text, const char *ends)
{
  int depth = 0;
  size_t at = 0;

  for (; text[at]; at++) {
    if (depth == 0 && strchr(ends, text[at])) break;
    if (strchr("<({[", text[at])) depth++;
    if (strchr(">)}]", text[at]) && depth > 0) depth--;
  }
  return at;
}

static size_t trim(const char *text, size_t length)
{
  while (length > 0 && isspace((unsigned char)text[length - 1]))
    length--;
  return length;
}

/* "%input0: tensor<4xf32> {attributes}" */
static void read_argument(struct hone__arena *arena, const char *text, size_t length,
                          struct hone__model_argument *argument)
{
  size_t colon = 0, begin, end;
  struct hone__mlir_attr attr = {0};
  hone_status status;

  while (colon < length && text[colon] != ':')
    colon++;
  begin = colon < length ? colon + 1 : 0;
  while (begin < length && text[begin] == ' ')
    begin++;
  end = begin + skip_to(text + begin, "{,)");
  if (end > length) end = length;
  argument->name = hone__arena_strndup(arena, text, colon < length ? colon : 0);
  argument->type.text = hone__arena_strndup(arena, text + begin, trim(text + begin, end - begin));
  status = hone__mlir_parse_attr(arena, argument->type.text, &attr);
  if (!status && attr.kind == HONE__MLIR_TYPE && attr.type.text) argument->type = attr.type;
  if (!argument->type.element) argument->type.element = argument->type.text;
  hone_status_free(status); /* what is not understood stays text */
}

static size_t count_arguments(const char *list)
{
  size_t count = 0, length;

  while (*list && *list != ')') {
    length = skip_to(list, ",)");
    count += trim(list, length) > 0;
    list += length + (list[length] == ',');
    if (count >= MOST_ARGUMENTS) break;
  }
  return count;
}

static void read_declaration(struct hone__arena *arena, const char *list,
                             struct hone__model_function *function)
{
  size_t count = count_arguments(list);

  function->arguments = hone__arena_alloc(arena, (count + 1) * sizeof *function->arguments);
  while (function->argument_count < count) {
    size_t length;
    list += strspn(list, " ");
    length = skip_to(list, ",)");
    read_argument(arena, list, length, &function->arguments[function->argument_count++]);
    list += length + (list[length] == ',');
  }
}

static void read_head(struct hone__arena *arena, const struct hone__mlir_op *op,
                      struct hone__model_function *function)
{
  function->arguments =
      hone__arena_alloc(arena, (op->block_arg_count + 1) * sizeof *function->arguments);
  for (size_t i = 0; i < op->block_arg_count; i++) {
    struct hone__model_argument *argument = &function->arguments[function->argument_count++];
    const struct hone__mlir_type *type = &op->block_types[i];
    argument->name = hone__arena_strdup(arena, op->block_args[i]);
    argument->type = *type;
    argument->type.text = hone__arena_strdup(arena, type->text ? type->text : "");
    argument->type.element = hone__arena_strdup(arena, type->element ? type->element : "");
    argument->type.dims = hone__arena_alloc(arena, (type->rank + 1) * sizeof *type->dims);
    if (type->rank) memcpy(argument->type.dims, type->dims, type->rank * sizeof *type->dims);
  }
}

/* ---- Functions ---- */

bool hone__model_is_public(const struct hone__mlir_op *op)
{
  for (size_t i = 0; i < op->attr_count; i++)
    if (!op->attrs[i].key && op->attrs[i].value.kind == HONE__MLIR_WORD &&
        strcmp(op->attrs[i].value.text, "public") == 0)
      return true;
  return false;
}

/* Imports from torch have the model of the call as an attribute of its own. */
static bool waits_for_fences(const struct hone__mlir_op *op)
{
  const struct hone__mlir_attr *own = hone__mlir_attr(op, "iree.abi.model"),
                               *reflected = hone__mlir_entry(hone__mlir_attr(op, "iree.reflection"),
                                                             "iree.abi.model");

  return (own && own->text && strcmp(own->text, "coarse-fences") == 0) ||
         (reflected && reflected->text && strcmp(reflected->text, "coarse-fences") == 0);
}

static void read_function(const struct hone__mlir *flow, struct hone__model_functions *functions,
                          const struct hone__mlir_op *op)
{
  const struct hone__mlir_attr *reflection = hone__mlir_attr(op, "iree.reflection"),
                               *declared = hone__mlir_entry(reflection, "iree.abi.declaration");
  struct hone__model_function *function = &functions->list[functions->count++];
  const char *list = NULL;

  function->name = hone__arena_strdup(&functions->arena, op->symbol);
  if (declared && declared->kind == HONE__MLIR_STRING) list = strstr(declared->text, op->symbol);
  if (list) list += strlen(op->symbol);
  function->is_async =
      waits_for_fences(op) || (list && hone__starts_with(declared->text, "async "));
  if (list && *list == '(')
    read_declaration(&functions->arena, list + 1, function);
  else
    read_head(&functions->arena, op, function);
  hone__model_argument_types(flow, op, function, &functions->arena);
}

hone_status hone__model_functions(const struct hone__mlir *flow,
                                  struct hone__model_functions *out_functions)
{
  const struct hone__mlir_op *module = hone__mlir_find(flow->root, "module");

  *out_functions = (struct hone__model_functions){0};
  if (!module) return hone__error(HONE_INVALID_SPEC, "'%s' holds no module", flow->path);
  out_functions->list = hone__arena_alloc(&out_functions->arena,
                                          (module->child_count + 1) * sizeof *out_functions->list);
  for (size_t i = 0; i < module->child_count; i++) {
    const struct hone__mlir_op *op = module->children[i];
    bool is_function = !strcmp(op->name, "util.func") || !strcmp(op->name, "func.func");
    if (is_function && op->symbol && hone__model_is_public(op) &&
        out_functions->count < MOST_FUNCTIONS)
      read_function(flow, out_functions, op);
  }
  return NULL;
}

void hone__model_functions_release(struct hone__model_functions *functions)
{
  hone__arena_release(&functions->arena);
  *functions = (struct hone__model_functions){0};
}

/* ---- Choosing ---- */

void hone__model_function_words(const struct hone__model_function *function,
                                struct hone__text *text)
{
  hone__text_addf(text, "%s(", function->name);
  for (size_t i = 0; i < function->argument_count; i++)
    hone__text_addf(text, "%s%s", i ? ", " : "", function->arguments[i].type.text);
  hone__text_add(text, ")");
}

static hone_status refuse(const struct hone__model_functions *functions, const char *name)
{
  struct hone__text list = {0};
  hone_status status;

  for (size_t i = 0; i < functions->count; i++) {
    if (functions->list[i].is_async) continue;
    if (list.length) hone__text_add(&list, ", ");
    hone__model_function_words(&functions->list[i], &list);
  }
  if (!list.length)
    status = hone__error(HONE_INVALID_ARGUMENT, "it has no public function to call");
  else if (name)
    status =
        hone__error(HONE_INVALID_ARGUMENT, "it has no function '%s'; it has: %s", name, list.data);
  else
    status = hone__error(HONE_INVALID_ARGUMENT,
                         "it has several functions: choose one with --function NAME; it has: %s",
                         list.data);
  hone__text_release(&list);
  return status;
}

hone_status hone__model_function_choose(const struct hone__model_functions *functions,
                                        const char *name,
                                        const struct hone__model_function **out_function)
{
  const struct hone__model_function *found = NULL;
  size_t count = 0;

  *out_function = NULL;
  for (size_t i = 0; i < functions->count; i++) {
    const struct hone__model_function *function = &functions->list[i];
    if (name ? strcmp(function->name, name) != 0 : function->is_async) continue;
    found = function;
    count++;
  }
  if (count != 1) return refuse(functions, name);
  *out_function = found;
  return NULL;
}
