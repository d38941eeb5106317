/* Functions that were imported from torch or ONNX take and return buffer views, and have no
 * declaration: "hal.tensor.import %arg0 : !hal.buffer_view -> tensor<1x2048xi32>" in the body shows
 * the tensor. The body may be that of NAME$async, which NAME calls. An argument that nothing uses
 * may be anything.
 */
#include "iree/model/model_inputs.h"

#include "iree/toolset/toolset.h"

#include <stdlib.h>

enum { CALL_DEPTH = 8 };
static const char buffer_view[] = "!hal.buffer_view";

static const struct hone__mlir_op *find_function(const struct hone__mlir *flow, const char *name)
{
  const struct hone__mlir_op *module = hone__mlir_find(flow->root, "module");

  for (size_t i = 0; module && name && i < module->child_count; i++) {
    const struct hone__mlir_op *op = module->children[i];
    bool is_function = !strcmp(op->name, "util.func") || !strcmp(op->name, "func.func");
    if (is_function && op->symbol && strcmp(op->symbol, name) == 0) return op;
  }
  return NULL;
}

/* "%5" of "%5#1". */
static bool is_value(const char *operand, const char *name)
{
  size_t length = strcspn(operand, "#");

  return strlen(name) == length && memcmp(operand, name, length) == 0;
}

static bool is_call(const struct hone__mlir_op *op)
{
  return strcmp(op->name, "util.call") == 0 || strcmp(op->name, "func.call") == 0;
}

static const struct hone__mlir_type *find_shaped(const struct hone__mlir_op *op)
{
  for (size_t i = 0; i < op->type_count; i++)
    if (op->types[i].is_shaped) return &op->types[i];
  return NULL;
}

/* ---- Arguments ---- */

static int64_t one[] = {1};
static const struct hone__mlir_type anything = {
    .text = "tensor<1xi8>", .element = "i8", .is_shaped = true, .rank = 1, .dims = one};

struct use { /* of a value within a function */
  const struct hone__mlir *flow;
  const char *value;
  unsigned depth;
  const struct hone__mlir_type *found;
  bool is_used; /* by anything but the calls that were followed */
};

static void look_for_use(const struct hone__mlir_op *function, struct use *use);

static bool visit_use(void *data, struct hone__mlir_op *op)
{
  struct use *use = data, inner;
  const struct hone__mlir_op *callee;

  for (size_t i = 0; i < op->operand_count && !use->found; i++) {
    if (!is_value(op->operands[i], use->value)) continue;
    if (strcmp(op->name, "hal.tensor.import") == 0) use->found = find_shaped(op);
    callee = is_call(op) && use->depth ? find_function(use->flow, op->symbol) : NULL;
    if (!callee || i >= callee->block_arg_count) {
      use->is_used = true;
      continue;
    }
    inner =
        (struct use){.flow = use->flow, .value = callee->block_args[i], .depth = use->depth - 1};
    look_for_use(callee, &inner);
    use->found = inner.found;
    use->is_used |= inner.is_used;
  }
  return !use->found;
}

static void look_for_use(const struct hone__mlir_op *function, struct use *use)
{
  hone__mlir_each(function, visit_use, use);
}

static struct hone__mlir_type copy_type(const struct hone__mlir_type *type,
                                        struct hone__arena *arena)
{
  struct hone__mlir_type copy = *type;

  copy.text = hone__arena_strdup(arena, type->text ? type->text : "");
  copy.element = hone__arena_strdup(arena, type->element ? type->element : "");
  copy.dims = hone__arena_alloc(arena, (type->rank + 1) * sizeof *type->dims);
  if (type->rank) memcpy(copy.dims, type->dims, type->rank * sizeof *type->dims);
  return copy;
}

void hone__model_argument_types(const struct hone__mlir *flow, const struct hone__mlir_op *op,
                                struct hone__model_function *function, struct hone__arena *arena)
{
  for (size_t i = 0; i < function->argument_count && i < op->block_arg_count; i++) {
    struct hone__mlir_type *type = &function->arguments[i].type;
    struct use use = {.flow = flow, .value = op->block_args[i], .depth = CALL_DEPTH};
    if (!type->text || !hone__starts_with(type->text, buffer_view)) continue;
    look_for_use(op, &use);
    if (use.found || !use.is_used) *type = copy_type(use.found ? use.found : &anything, arena);
  }
}

/* ---- Results ---- */

static const struct hone__mlir_op *find_return(const struct hone__mlir_op *function)
{
  for (size_t i = function->child_count; i-- > 0;) {
    const struct hone__mlir_op *op = function->children[i];
    if (strcmp(op->name, "util.return") == 0 || strcmp(op->name, "return") == 0 ||
        strcmp(op->name, "func.return") == 0)
      return op;
  }
  return NULL;
}

static const struct hone__mlir_op *find_definition(const struct hone__mlir_op *function,
                                                   const char *value, size_t *out_place)
{
  const char *sign = strchr(value, '#');

  for (size_t i = 0; i < function->child_count; i++) {
    const struct hone__mlir_op *op = function->children[i];
    for (size_t k = 0; k < op->result_count; k++) {
      if (!is_value(value, op->results[k])) continue;
      *out_place = sign ? strtoul(sign + 1, NULL, 10) : k;
      return op;
    }
  }
  return NULL;
}

/* NULL: not known. */
static const struct hone__mlir_type *type_of_result(const struct hone__mlir *flow,
                                                    const struct hone__mlir_op *function,
                                                    size_t place, unsigned depth)
{
  const struct hone__mlir_op *end = find_return(function), *op = NULL;

  if (end && place < end->operand_count)
    op = find_definition(function, end->operands[place], &place);
  if (op && strcmp(op->name, "hal.tensor.export") == 0) return find_shaped(op);
  if (op && is_call(op) && depth) {
    const struct hone__mlir_op *callee = find_function(flow, op->symbol);
    return callee ? type_of_result(flow, callee, place, depth - 1) : NULL;
  }
  return NULL;
}

static size_t end_of_type(const char *text)
{
  int depth = 0;
  size_t at = 0;

  for (; text[at]; at++) {
    if (depth == 0 && strchr(",) {", text[at])) break;
    depth += strchr("<([", text[at]) != NULL;
    depth -= strchr(">)]", text[at]) != NULL;
  }
  return at;
}

/* Types after the arrow of "sync func @main(...) -> (%output0: tensor<4xf32>, %output1: i32)". */
static bool list_declared(const struct hone__mlir_op *op, struct hone__words *types)
{
  const struct hone__mlir_attr *reflection = hone__mlir_attr(op, "iree.reflection"),
                               *declared = hone__mlir_entry(reflection, "iree.abi.declaration");
  const char *at = declared && declared->text ? strstr(declared->text, ") -> (") : NULL;
  bool is_declared = at != NULL;

  while (at && (at = strstr(at, "%output")) != NULL && (at = strchr(at, ':')) != NULL) {
    at += 1 + strspn(at + 1, " ");
    hone__iree_word(types, "%.*s", (int)end_of_type(at), at);
  }
  return is_declared;
}

void hone__model_outputs(const struct hone__mlir *flow, const char *function,
                         struct hone__words *out_types)
{
  const struct hone__mlir_op *op = find_function(flow, function),
                             *end = op ? find_return(op) : NULL;

  if (!op || list_declared(op, out_types)) return;
  for (size_t i = 0; end && i < end->operand_count; i++) {
    const struct hone__mlir_type *type = type_of_result(flow, op, i, CALL_DEPTH);
    const char *written = i < end->type_count && end->types[i].text ? end->types[i].text : "";
    hone__words_add(out_types, type ? type->text : written);
  }
}
