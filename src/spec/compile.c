/* From an expression's tree to a program's nodes, bottom up: what is constant is folded, and every
 * operator is checked against the types that its arguments can have, so that an error that every
 * configuration would have is found before anything runs. */
#include "spec/program.h"
#include "spec/evaluate.h"
#include "spec/unroll.h"

#include <stdlib.h>

enum { MOST_HEIGHT = 2000 }; /* walks over the graph recurse that deep */

static const char *types_text(uint8_t types)
{
  if (!(types & ~(HONE__T_NUMBER | HONE__T_FAULT))) return "a number";
  if (types == HONE__T_TEXT) return "text";
  if (types == HONE__T_LIST) return "a list";
  if (types == HONE__T_NONE) return "None";
  return "a value of another type";
}

static uint32_t add_defect(struct hone__compilation *compiler, const struct hone__expr *expr,
                           enum hone__fault fault, const char *detail)
{
  HONE__GROW(compiler->defects, compiler->defect_count, compiler->defect_capacity);
  compiler->defects[compiler->defect_count++] =
      (struct hone__defect){.expr = expr, .fault = fault, .detail = detail};
  return hone__spec_program_constant(compiler->program, hone__fault_value(fault));
}

/* A fault is a defect only where literals alone cause it: `KERNEL == 0 or 64 % KERNEL == 0` is
 * sound although KERNEL may have the one value 0. */
static bool has_names(const struct hone__expr *expr)
{
  if (expr->kind == HONE__EXPR_NAME) return true;
  for (size_t i = 0; i < expr->count; i++)
    if (has_names(expr->args[i])) return true;
  for (size_t i = 0; i < expr->clause_count; i++)
    if (has_names(expr->clauses[i].expr)) return true;
  return false;
}

static uint32_t type_defect(struct hone__compilation *compiler, const struct hone__expr *expr,
                            enum hone__operator op, const uint8_t *types)
{
  char *detail;

  if (hone__operator_arity(op) == 1)
    detail = hone__arena_printf(&compiler->program->arena, "type error: '%s' cannot take %s",
                                hone__operator_text(op), types_text(types[0]));
  else
    detail =
        hone__arena_printf(&compiler->program->arena, "type error: '%s' cannot take %s and %s",
                           hone__operator_text(op), types_text(types[0]), types_text(types[1]));
  return add_defect(compiler, expr, HONE__FAULT_TYPE, detail);
}

static bool is_zero(const struct hone__spec_program *program, uint32_t node)
{
  struct hone_value value = program->nodes[node].value;

  return hone__spec_is_constant(program, node) && (1u << value.type & HONE__T_NUMBER) &&
         !hone__value_truth(value);
}

static uint32_t choose(struct hone__spec_program *program, enum hone__operator op,
                       const uint32_t *args)
{
  struct hone_value test = program->nodes[args[0]].value;

  if (test.type == HONE__FAULT) return args[0];
  if (op == HONE__OP_IF) return args[hone__value_truth(test) ? 1 : 2];
  return hone__value_truth(test) == (op == HONE__OP_AND) ? args[1] : args[0];
}

static uint32_t fold(struct hone__compilation *compiler, const struct hone__expr *expr,
                     const struct hone__instruction *node)
{
  struct hone__spec_program *program = compiler->program;
  struct hone_value values[3], result;
  struct hone__instruction copy = *node;

  for (uint32_t i = 0; i < node->arity; i++) {
    values[i] = program->nodes[node->args[i]].value;
    copy.args[i] = i;
  }
  result = hone__instruction_run(&copy, values);
  for (uint32_t i = 0; i < node->arity; i++)
    if (values[i].type == HONE__FAULT) return hone__spec_program_constant(program, result);
  if (result.type == HONE__FAULT && !has_names(expr))
    return add_defect(compiler, expr, (enum hone__fault)result.integer, NULL);
  return hone__spec_program_constant(program, result);
}

/* x < x, and x in []: decided whatever x is, unless it may be NaN or fault. */
static bool is_decided(const struct hone__spec_program *program,
                       const struct hone__instruction *node)
{
  const struct hone__instruction *a = &program->nodes[node->args[0]];
  const struct hone__instruction *b = &program->nodes[node->args[1]];

  if (a->types & (HONE__T_FLOAT | HONE__T_FAULT)) return false;
  if (node->op == HONE__OP_IN || node->op == HONE__OP_NOT_IN)
    return b->role == HONE__ROLE_CONSTANT && b->value.type == HONE_LIST &&
           b->value.list->count == 0;
  if (node->op < HONE__OP_EQ || node->op > HONE__OP_GE || node->args[0] != node->args[1])
    return false;
  return !(a->types & ~HONE__T_NUMBER) || node->op == HONE__OP_EQ || node->op == HONE__OP_NE;
}

/* An element of a constant list has one of its elements' types. */
static uint8_t element_types(const struct hone__instruction *list)
{
  uint8_t types = HONE__T_FAULT;

  if (list->role != HONE__ROLE_CONSTANT || list->value.type != HONE_LIST) return HONE__T_ANY;
  for (size_t i = 0; i < list->value.list->count; i++)
    types |= (uint8_t)(1u << list->value.list->items[i].type);
  return types;
}

static uint32_t make_operator(struct hone__compilation *compiler, const struct hone__expr *expr,
                              enum hone__operator op, uint32_t a, uint32_t b, uint32_t c)
{
  struct hone__spec_program *program = compiler->program;
  struct hone__instruction node = {.role = HONE__ROLE_OPERATOR,
                                   .op = op,
                                   .arity = (uint8_t)hone__operator_arity(op),
                                   .args = {a, b, c}};
  uint8_t types[3] = {0};
  bool constant = true;

  for (int i = 0; i < node.arity; i++) {
    types[i] = program->nodes[node.args[i]].types;
    constant = constant && hone__spec_is_constant(program, node.args[i]);
  }
  if ((op == HONE__OP_AND || op == HONE__OP_OR || op == HONE__OP_IF) &&
      hone__spec_is_constant(program, a))
    return choose(program, op, node.args);
  if ((op == HONE__OP_DIV || op == HONE__OP_FLOORDIV || op == HONE__OP_MOD) &&
      is_zero(program, b) && !has_names(expr->args[1]))
    return add_defect(compiler, expr, HONE__FAULT_ZERO, NULL);
  node.types = hone__operator_types(op, types);
  if (!node.types) return type_defect(compiler, expr, op, types);
  if (op == HONE__OP_INDEX) node.types = element_types(&program->nodes[a]);
  if (constant) return fold(compiler, expr, &node);
  if (hone__spec_program_height(program, &node) > MOST_HEIGHT)
    return add_defect(compiler, expr, HONE__FAULT_LENGTH,
                      "the expression is too long after derived values are expanded");
  if (is_decided(program, &node))
    return hone__spec_program_constant(program,
                                       hone__bool(op == HONE__OP_EQ || op == HONE__OP_LE ||
                                                  op == HONE__OP_GE || op == HONE__OP_NOT_IN));
  return hone__spec_program_add(program, &node);
}

/* (A, B) == (1, 2), element by element; lists of other lengths are never equal. */
static uint32_t compile_equal(struct hone__compilation *compiler, const struct hone__expr *expr,
                              const struct hone__expr *a, const struct hone__expr *b)
{
  struct hone__spec_program *program = compiler->program;
  uint32_t equal;

  if (a->kind != HONE__EXPR_LIST || b->kind != HONE__EXPR_LIST) {
    uint32_t left = hone__compile(compiler, a), right = hone__compile(compiler, b);
    return make_operator(compiler, expr, HONE__OP_EQ, left, right, 0);
  }
  equal = hone__spec_program_constant(program, hone__bool(a->count == b->count));
  for (size_t i = 0; i < a->count && a->count == b->count; i++)
    equal = make_operator(compiler, expr, HONE__OP_AND, equal,
                          compile_equal(compiler, expr, a->args[i], b->args[i]), 0);
  return equal;
}

/* True, or the fault of the element: Python computes all elements before it compares any. */
static uint32_t compile_guard(struct hone__compilation *compiler, const struct hone__expr *expr,
                              const struct hone__expr *item, uint32_t guard)
{
  uint32_t node;

  if (item->kind == HONE__EXPR_LIST) {
    for (size_t i = 0; i < item->count; i++)
      guard = compile_guard(compiler, expr, item->args[i], guard);
    return guard;
  }
  node = hone__compile(compiler, item);
  if (!(compiler->program->nodes[node].types & HONE__T_FAULT)) return guard;
  node = make_operator(compiler, expr, HONE__OP_EQ, node, node, 0);
  return make_operator(compiler, expr, HONE__OP_AND, guard, node, 0);
}

/* `x in [a, b]` with elements that are not constant: x == a or x == b */
static uint32_t compile_in(struct hone__compilation *compiler, const struct hone__expr *expr)
{
  struct hone__spec_program *program = compiler->program;
  const struct hone__expr *list = expr->args[1];
  uint32_t found = hone__spec_program_constant(program, hone__bool(false));
  uint32_t guard = hone__spec_program_constant(program, hone__bool(true));

  guard = compile_guard(compiler, expr, expr->args[0], guard);
  for (size_t i = 0; i < list->count; i++) {
    uint32_t equal = compile_equal(compiler, expr, expr->args[0], list->args[i]);
    found = make_operator(compiler, expr, HONE__OP_OR, found, equal, 0);
    guard = compile_guard(compiler, expr, list->args[i], guard);
  }
  if (expr->op == HONE__OP_NOT_IN) found = make_operator(compiler, expr, HONE__OP_NOT, found, 0, 0);
  return make_operator(compiler, expr, HONE__OP_AND, guard, found, 0);
}

static uint32_t compile_list(struct hone__compilation *compiler, const struct hone__expr *expr)
{
  struct hone__spec_program *program = compiler->program;
  struct hone_list *list =
      hone__arena_alloc(&program->arena, sizeof *list + expr->count * sizeof(struct hone_value));

  list->count = list->size = expr->count;
  for (size_t i = 0; i < expr->count; i++) {
    uint32_t item = hone__compile(compiler, expr->args[i]);
    if (!hone__spec_is_constant(program, item))
      return add_defect(compiler, expr->args[i], HONE__FAULT_TYPE,
                        "a list here can hold only constants");
    list->items[i] = program->nodes[item].value;
    if (list->items[i].type == HONE__FAULT) return item;
  }
  return hone__spec_program_constant(program, (struct hone_value){.type = HONE_LIST, .list = list});
}

static bool has_constant_items(const struct hone__expr *list)
{
  for (size_t i = 0; i < list->count; i++)
    if (has_names(list->args[i])) return false;
  return true;
}

static uint32_t compile_operator(struct hone__compilation *compiler, const struct hone__expr *expr)
{
  uint32_t args[3] = {0};

  if ((expr->op == HONE__OP_IN || expr->op == HONE__OP_NOT_IN) &&
      expr->args[1]->kind == HONE__EXPR_LIST &&
      (expr->args[0]->kind == HONE__EXPR_LIST || !has_constant_items(expr->args[1])))
    return compile_in(compiler, expr);
  for (size_t i = 0; i < expr->count; i++)
    args[i] = hone__compile(compiler, expr->args[i]);
  return make_operator(compiler, expr, expr->op, args[0], args[1], args[2]);
}

/* min(a, b, c) and max(...), of arguments or of a list */
static uint32_t compile_extreme(struct hone__compilation *compiler, const struct hone__expr *expr)
{
  enum hone__operator op = expr->function == HONE__FUNCTION_MIN ? HONE__OP_MIN : HONE__OP_MAX;
  const struct hone__expr *items = expr;
  uint32_t node;

  if (expr->count == 1 && expr->args[0]->kind == HONE__EXPR_LIST) items = expr->args[0];
  if (items == expr && expr->count == 1)
    return add_defect(compiler, expr, HONE__FAULT_TYPE,
                      "this function needs a list, or two values");
  if (items->count == 0)
    return add_defect(compiler, expr, HONE__FAULT_DOMAIN,
                      "the minimum or maximum of an empty list");
  node = hone__compile(compiler, items->args[0]);
  for (size_t i = 1; i < items->count; i++)
    node = make_operator(compiler, expr, op, node, hone__compile(compiler, items->args[i]), 0);
  return node;
}

/* sum([...]), any([...]), all([...]): a chain of one operator */
static uint32_t compile_chain(struct hone__compilation *compiler, const struct hone__expr *expr)
{
  const struct hone__expr *list = expr->args[0];
  bool sum = expr->function == HONE__FUNCTION_SUM, any = expr->function == HONE__FUNCTION_ANY;
  enum hone__operator op = sum ? HONE__OP_ADD : any ? HONE__OP_OR : HONE__OP_AND;
  struct hone_value start = sum ? hone__int(0) : hone__bool(!any);
  uint32_t node = hone__spec_program_constant(compiler->program, start);

  for (size_t i = 0; i < list->count; i++)
    node = make_operator(compiler, expr, op, node, hone__compile(compiler, list->args[i]), 0);
  return sum ? node : make_operator(compiler, expr, HONE__OP_BOOL, node, 0, 0);
}

static uint32_t compile_name(struct hone__compilation *compiler, const struct hone__expr *expr)
{
  uint32_t node = 0;

  switch (compiler->resolve(compiler->data, expr->name, &node)) {
  case HONE__MEANS_NODE: return node;
  case HONE__MEANS_ABSENT:
    return hone__spec_program_constant(compiler->program, hone__fault_value(HONE__FAULT_NAME));
  case HONE__MEANS_NOTHING: break;
  }
  return add_defect(compiler, expr, HONE__FAULT_NAME, NULL);
}

static bool lookup_constant(void *data, const char *name, struct hone_value *out_value)
{
  struct hone__compilation *compiler = data;
  uint32_t node = 0;

  if (compiler->resolve(compiler->data, name, &node) != HONE__MEANS_NODE) return false;
  if (!hone__spec_is_constant(compiler->program, node)) return false;
  *out_value = compiler->program->nodes[node].value;
  return out_value->type != HONE__FAULT;
}

/* range(4), [2 ** i for i in range(4)]: what does not depend on the configuration. */
static uint32_t compile_constant_list(struct hone__compilation *compiler,
                                      const struct hone__expr *expr)
{
  struct hone__evaluator evaluator = {
      .arena = &compiler->program->arena, .lookup = lookup_constant, .data = compiler};
  struct hone_value value;

  if (hone__evaluate(&evaluator, expr, &value))
    return hone__spec_program_constant(compiler->program, value);
  if (evaluator.fault != HONE__FAULT_NAME)
    return add_defect(compiler, evaluator.culprit, evaluator.fault, NULL);
  return add_defect(compiler, evaluator.culprit, HONE__FAULT_TYPE,
                    hone__arena_printf(&compiler->program->arena,
                                       "'%s' is not a constant, and a range or comprehension needs "
                                       "constants outside a parameter's domain",
                                       evaluator.culprit->name));
}

/* What is constant is quicker to evaluate than to write out. */
static bool is_constant_call(struct hone__compilation *compiler, const struct hone__expr *expr)
{
  struct hone__evaluator evaluator = {
      .arena = &compiler->program->arena, .lookup = lookup_constant, .data = compiler};
  struct hone_value value;

  return hone__evaluate(&evaluator, expr, &value) || evaluator.fault != HONE__FAULT_NAME;
}

static bool is_over_loop(const struct hone__expr *expr)
{
  return expr->kind == HONE__EXPR_FUNCTION && expr->function >= HONE__FUNCTION_SUM &&
         expr->function != HONE__FUNCTION_SORTED && expr->function != HONE__FUNCTION_STR &&
         expr->count == 1 && expr->args[0]->kind == HONE__EXPR_FOR;
}

/* A function of a comprehension over parameters, written out; else the expression itself. */
static const struct hone__expr *write_out(struct hone__compilation *compiler,
                                          const struct hone__expr *expr)
{
  const struct hone__expr *list = NULL;

  if (is_over_loop(expr) && !is_constant_call(compiler, expr))
    list = hone__unroll(&compiler->program->arena, expr, lookup_constant, compiler,
                        &compiler->written_out);
  return list ? list : expr;
}

uint32_t hone__compile(struct hone__compilation *compiler, const struct hone__expr *expr)
{
  expr = write_out(compiler, expr);
  switch (expr->kind) {
  case HONE__EXPR_LITERAL: return hone__spec_program_constant(compiler->program, expr->value);
  case HONE__EXPR_NAME: return compile_name(compiler, expr);
  case HONE__EXPR_OPERATOR: return compile_operator(compiler, expr);
  case HONE__EXPR_LIST: return compile_list(compiler, expr);
  case HONE__EXPR_FUNCTION:
    if (expr->function == HONE__FUNCTION_MIN || expr->function == HONE__FUNCTION_MAX)
      return compile_extreme(compiler, expr);
    if ((expr->function == HONE__FUNCTION_SUM || expr->function == HONE__FUNCTION_ANY ||
         expr->function == HONE__FUNCTION_ALL) &&
        expr->args[0]->kind == HONE__EXPR_LIST)
      return compile_chain(compiler, expr);
    break;
  case HONE__EXPR_FOR: break;
  }
  return compile_constant_list(compiler, expr);
}
