/* Nodes are made once: a table by content finds the equal one (hash-consing). Compiling an
 * expression goes bottom up, folds what is constant, and checks every operator against the types
 * that its arguments can have, so that what no configuration can cure is found before anything
 * runs. */
#include "spec/program.h"
#include "base/hash.h"
#include "spec/evaluate.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOST_HEIGHT = 2000 }; /* walks over the graph recurse that deep */

void hone__program_release(struct hone_program *program)
{
  free(program->nodes);
  free(program->table);
  hone__arena_release(&program->arena);
  *program = (struct hone_program){0};
}

/* ---- Running ---- */

static struct hone_value from_fault(enum hone_fault fault, struct hone_value value)
{
  return fault ? hone__fault_value(fault) : value;
}

static struct hone_value run_slowly(const struct hone_instruction *node,
                                    const struct hone_value *values)
{
  struct hone_value a = values[node->args[0]], b, result = {0};

  for (int i = 0; i < node->arity; i++)
    if (values[node->args[i]].type == HONE__MOOT) return values[node->args[i]];
  if (a.type == HONE__FAULT) return a;
  switch (node->op) {
  case HONE_OP_AND: return hone__value_truth(a) ? values[node->args[1]] : a;
  case HONE_OP_OR: return hone__value_truth(a) ? a : values[node->args[1]];
  case HONE_OP_IF: return values[node->args[hone__value_truth(a) ? 1 : 2]];
  default: break;
  }
  if (node->arity == 1) return from_fault(hone__apply1(node->op, a, &result), result);
  b = values[node->args[1]];
  if (b.type == HONE__FAULT) return b;
  return from_fault(hone__apply2(node->op, a, b, &result), result);
}

/* The common case by itself: two integers, and an operator that cannot fault on them. */
struct hone_value hone__instruction_run(const struct hone_instruction *node,
                                        const struct hone_value *values)
{
  struct hone_value a, b;
  int64_t result;

  if (node->role == HONE_ROLE_CONSTANT) return node->value;
  if (node->arity == 1) return run_slowly(node, values);
  a = values[node->args[0]];
  b = values[node->args[1]];
  if (a.type != HONE_INT || b.type != HONE_INT) return run_slowly(node, values);
  switch (node->op) {
  case HONE_OP_ADD:
    if (!__builtin_add_overflow(a.integer, b.integer, &result)) return hone__int(result);
    break;
  case HONE_OP_SUB:
    if (!__builtin_sub_overflow(a.integer, b.integer, &result)) return hone__int(result);
    break;
  case HONE_OP_MUL:
    if (!__builtin_mul_overflow(a.integer, b.integer, &result)) return hone__int(result);
    break;
  case HONE_OP_MOD:
    if (a.integer < 0 || b.integer <= 0) break;
    if (((uint64_t)a.integer | (uint64_t)b.integer) >> 32) return hone__int(a.integer % b.integer);
    return hone__int((uint32_t)a.integer % (uint32_t)b.integer);
  case HONE_OP_EQ: return hone__bool(a.integer == b.integer);
  case HONE_OP_NE: return hone__bool(a.integer != b.integer);
  case HONE_OP_LT: return hone__bool(a.integer < b.integer);
  case HONE_OP_LE: return hone__bool(a.integer <= b.integer);
  case HONE_OP_GT: return hone__bool(a.integer > b.integer);
  case HONE_OP_GE: return hone__bool(a.integer >= b.integer);
  default: break;
  }
  return run_slowly(node, values);
}

void hone__program_run(const struct hone_program *program, uint32_t last,
                       const struct hone_value *variables, struct hone_value *values)
{
  for (uint32_t i = 0; i <= last && i < program->count; i++) {
    const struct hone_instruction *node = &program->nodes[i];
    values[i] = node->role == HONE_ROLE_VARIABLE ? variables[node->variable]
                                                 : hone__instruction_run(node, values);
  }
}

/* ---- Building nodes ---- */

/* Constants are one node only if they print the same: 1, 1.0 and True stay apart. */
static bool same_constant(struct hone_value a, struct hone_value b)
{
  if (a.type != b.type) return false;
  if (a.type == HONE_FLOAT) return memcmp(&a.real, &b.real, sizeof a.real) == 0;
  if (a.type == HONE_LIST) return a.list == b.list;
  if (a.type == HONE__FAULT) return a.integer == b.integer;
  return hone__value_equal(a, b);
}

static uint64_t hash_node(const struct hone_instruction *node)
{
  uint64_t hash = hone__hash_add((uint64_t)node->role + 1, (uint64_t)node->op);

  for (int i = 0; i < node->arity; i++)
    hash = hone__hash_add(hash, node->args[i]);
  hash = hone__hash_add(hash, node->variable);
  if (node->role == HONE_ROLE_CONSTANT && node->value.type != HONE__FAULT)
    hash = hone__hash_add(hash, hone__value_hash(node->value));
  return hone__mix(hash);
}

static bool same_node(const struct hone_instruction *a, const struct hone_instruction *b)
{
  if (a->role != b->role || a->variable != b->variable) return false;
  if (a->role == HONE_ROLE_CONSTANT) return same_constant(a->value, b->value);
  if (a->role == HONE_ROLE_VARIABLE) return true;
  return a->op == b->op && memcmp(a->args, b->args, sizeof a->args) == 0;
}

static void grow_table(struct hone_program *program)
{
  uint32_t size = program->table_size ? 2 * program->table_size : 64;

  free(program->table);
  program->table = hone__alloc(size * sizeof *program->table);
  program->table_size = size;
  for (uint32_t i = 0; i < program->count; i++) {
    uint32_t slot = (uint32_t)hash_node(&program->nodes[i]) & (size - 1);
    while (program->table[slot])
      slot = (slot + 1) & (size - 1);
    program->table[slot] = i + 1;
  }
}

static uint32_t height_of(const struct hone_program *program, const struct hone_instruction *node)
{
  uint32_t height = 0;

  for (int i = 0; i < node->arity; i++)
    if (program->nodes[node->args[i]].height >= height)
      height = program->nodes[node->args[i]].height + 1;
  return height;
}

static uint32_t intern(struct hone_program *program, const struct hone_instruction *node)
{
  uint32_t slot;

  if (2 * (program->count + 1) > program->table_size) grow_table(program);
  slot = (uint32_t)hash_node(node) & (program->table_size - 1);
  for (; program->table[slot]; slot = (slot + 1) & (program->table_size - 1)) {
    uint32_t found = program->table[slot] - 1;
    if (same_node(&program->nodes[found], node)) return found;
  }
  HONE__GROW(program->nodes, program->count, program->capacity);
  program->nodes[program->count] = *node;
  program->nodes[program->count].height = height_of(program, node);
  program->table[slot] = ++program->count;
  return program->count - 1;
}

uint32_t hone__program_constant(struct hone_program *program, struct hone_value value)
{
  struct hone_instruction node = {
      .role = HONE_ROLE_CONSTANT, .types = (uint8_t)(1u << value.type), .value = value};
  return intern(program, &node);
}

uint32_t hone__program_variable(struct hone_program *program, uint32_t variable, uint8_t types)
{
  struct hone_instruction node = {.role = HONE_ROLE_VARIABLE, .types = types, .variable = variable};
  return intern(program, &node);
}

/* ---- Types ---- */

/* What an operator makes of its arguments' types; 0: it cannot work on any of them. */
static uint8_t result_types(enum hone_operator op, const uint8_t *t)
{
  uint8_t fault = (uint8_t)((t[0] | t[1]) & HONE__T_FAULT);
  bool number0 = t[0] & HONE__T_NUMBER, number1 = t[1] & HONE__T_NUMBER;
  bool whole = !((t[0] | t[1]) & ~(HONE__T_WHOLE | HONE__T_FAULT));
  bool may_fault = (t[0] | t[1]) & ~HONE__T_NUMBER;

  if (t[0] == HONE__T_FAULT || t[1] == HONE__T_FAULT) return HONE__T_FAULT;
  switch (op) {
  case HONE_OP_ADD:
  case HONE_OP_SUB:
  case HONE_OP_MUL:
  case HONE_OP_FLOORDIV:
  case HONE_OP_MOD:
    if (!number0 || !number1) return 0;
    return whole ? HONE__T_INT | HONE__T_FAULT : HONE__T_INT | HONE__T_FLOAT | HONE__T_FAULT;
  case HONE_OP_POW: return number0 && number1 ? HONE__T_INT | HONE__T_FLOAT | HONE__T_FAULT : 0;
  case HONE_OP_DIV: return number0 && number1 ? HONE__T_FLOAT | HONE__T_FAULT : 0;
  case HONE_OP_BITAND:
  case HONE_OP_BITOR:
  case HONE_OP_BITXOR:
    if (!(t[0] & HONE__T_WHOLE) || !(t[1] & HONE__T_WHOLE)) return 0;
    return HONE__T_WHOLE | HONE__T_FAULT;
  case HONE_OP_SHL:
  case HONE_OP_SHR:
  case HONE_OP_GCD:
    if (!(t[0] & HONE__T_WHOLE) || !(t[1] & HONE__T_WHOLE)) return 0;
    return HONE__T_INT | HONE__T_FAULT;
  case HONE_OP_DIVIDES: return number0 && number1 ? HONE__T_BOOL | HONE__T_FAULT : 0;
  case HONE_OP_EQ:
  case HONE_OP_NE: return HONE__T_BOOL | fault;
  case HONE_OP_LT:
  case HONE_OP_LE:
  case HONE_OP_GT:
  case HONE_OP_GE:
    if (!(number0 && number1) && !(t[0] & t[1] & HONE__T_TEXT)) return 0;
    return (uint8_t)(HONE__T_BOOL | (may_fault ? HONE__T_FAULT : 0));
  case HONE_OP_MIN:
  case HONE_OP_MAX:
    if (!(number0 && number1) && !(t[0] & t[1] & HONE__T_TEXT)) return 0;
    return (uint8_t)(t[0] | t[1] | (may_fault ? HONE__T_FAULT : 0));
  case HONE_OP_IN:
  case HONE_OP_NOT_IN:
    if (!(t[1] & HONE__T_LIST) && !(t[0] & t[1] & HONE__T_TEXT)) return 0;
    return (uint8_t)(HONE__T_BOOL | fault | (t[1] & ~HONE__T_LIST ? HONE__T_FAULT : 0));
  case HONE_OP_STARTSWITH:
  case HONE_OP_ENDSWITH: return t[0] & t[1] & HONE__T_TEXT ? HONE__T_BOOL | HONE__T_FAULT : 0;
  case HONE_OP_INDEX: return t[0] & HONE__T_LIST && t[1] & HONE__T_WHOLE ? HONE__T_ANY : 0;
  case HONE_OP_AND:
  case HONE_OP_OR: return (uint8_t)(t[0] | t[1]);
  case HONE_OP_IF: return (uint8_t)(t[1] | t[2] | (t[0] & HONE__T_FAULT));
  case HONE_OP_NOT:
  case HONE_OP_BOOL: return HONE__T_BOOL | fault;
  case HONE_OP_LEN: return t[0] & (HONE__T_TEXT | HONE__T_LIST) ? HONE__T_INT | HONE__T_FAULT : 0;
  case HONE_OP_NEG:
  case HONE_OP_POS:
  case HONE_OP_ABS:
    if (!number0) return 0;
    return (uint8_t)(HONE__T_INT | HONE__T_FAULT | (t[0] & HONE__T_FLOAT));
  case HONE_OP_INV: return t[0] & HONE__T_WHOLE ? HONE__T_INT | HONE__T_FAULT : 0;
  case HONE_OP_CEIL:
  case HONE_OP_FLOOR:
  case HONE_OP_ROUND:
  case HONE_OP_INT: return number0 ? HONE__T_INT | HONE__T_FAULT : 0;
  case HONE_OP_LOG2:
  case HONE_OP_FLOAT: return number0 ? HONE__T_FLOAT | HONE__T_FAULT : 0;
  case HONE_OP_POW2: return number0 ? HONE__T_BOOL | HONE__T_FAULT : 0;
  }
  HONE_BUG("an operator without types");
}

static const char *types_text(uint8_t types)
{
  if (!(types & ~(HONE__T_NUMBER | HONE__T_FAULT))) return "a number";
  if (types == HONE__T_TEXT) return "text";
  if (types == HONE__T_LIST) return "a list";
  if (types == HONE__T_NONE) return "None";
  return "a value of another type";
}

/* ---- Compiling ---- */

static uint32_t add_defect(struct hone_compiler *compiler, const struct hone_expr *expr,
                           enum hone_fault fault, const char *detail)
{
  HONE__GROW(compiler->defects, compiler->defect_count, compiler->defect_capacity);
  compiler->defects[compiler->defect_count++] =
      (struct hone_defect){.expr = expr, .fault = fault, .detail = detail};
  return hone__program_constant(compiler->program, hone__fault_value(fault));
}

/* A fault is a defect only where literals alone cause it: `KERNEL == 0 or 64 % KERNEL == 0` is
 * sound although KERNEL may have the one value 0. */
static bool has_names(const struct hone_expr *expr)
{
  if (expr->kind == HONE_EXPR_NAME) return true;
  for (size_t i = 0; i < expr->count; i++)
    if (has_names(expr->args[i])) return true;
  for (size_t i = 0; i < expr->clause_count; i++)
    if (has_names(expr->clauses[i].expr)) return true;
  return false;
}

static uint32_t type_defect(struct hone_compiler *compiler, const struct hone_expr *expr,
                            enum hone_operator op, const uint8_t *types)
{
  char *detail;

  if (hone__operator_arity(op) == 1)
    detail = hone__arena_printf(&compiler->program->arena, "type error: '%s' cannot take %s",
                                hone__operator_text(op), types_text(types[0]));
  else
    detail =
        hone__arena_printf(&compiler->program->arena, "type error: '%s' cannot take %s and %s",
                           hone__operator_text(op), types_text(types[0]), types_text(types[1]));
  return add_defect(compiler, expr, HONE_FAULT_TYPE, detail);
}

static bool is_constant(const struct hone_program *program, uint32_t node)
{
  return program->nodes[node].role == HONE_ROLE_CONSTANT;
}

static bool is_zero(const struct hone_program *program, uint32_t node)
{
  struct hone_value value = program->nodes[node].value;

  return is_constant(program, node) && (1u << value.type & HONE__T_NUMBER) &&
         !hone__value_truth(value);
}

/* Arguments whose order does not matter are put in order, so that equal nodes meet. */
static void order_arguments(struct hone_instruction *node)
{
  enum hone_operator op = node->op;
  uint32_t first = node->args[0];

  if (op != HONE_OP_ADD && op != HONE_OP_MUL && op != HONE_OP_EQ && op != HONE_OP_NE &&
      op != HONE_OP_GCD)
    return;
  if (first <= node->args[1]) return;
  node->args[0] = node->args[1];
  node->args[1] = first;
}

static uint32_t choose(struct hone_program *program, enum hone_operator op, const uint32_t *args)
{
  struct hone_value test = program->nodes[args[0]].value;

  if (test.type == HONE__FAULT) return args[0];
  if (op == HONE_OP_IF) return args[hone__value_truth(test) ? 1 : 2];
  return hone__value_truth(test) == (op == HONE_OP_AND) ? args[1] : args[0];
}

static uint32_t fold(struct hone_compiler *compiler, const struct hone_expr *expr,
                     const struct hone_instruction *node)
{
  struct hone_program *program = compiler->program;
  struct hone_value values[3], result;
  struct hone_instruction copy = *node;

  for (uint32_t i = 0; i < node->arity; i++) {
    values[i] = program->nodes[node->args[i]].value;
    copy.args[i] = i;
  }
  result = hone__instruction_run(&copy, values);
  for (uint32_t i = 0; i < node->arity; i++)
    if (values[i].type == HONE__FAULT) return hone__program_constant(program, result);
  if (result.type == HONE__FAULT && !has_names(expr))
    return add_defect(compiler, expr, (enum hone_fault)result.integer, NULL);
  return hone__program_constant(program, result);
}

/* x < x, and x in []: decided whatever x is, unless it may be NaN or fault. */
static bool is_decided(const struct hone_program *program, const struct hone_instruction *node)
{
  const struct hone_instruction *a = &program->nodes[node->args[0]];
  const struct hone_instruction *b = &program->nodes[node->args[1]];

  if (a->types & (HONE__T_FLOAT | HONE__T_FAULT)) return false;
  if (node->op == HONE_OP_IN || node->op == HONE_OP_NOT_IN)
    return b->role == HONE_ROLE_CONSTANT && b->value.type == HONE_LIST && b->value.list->count == 0;
  if (node->op < HONE_OP_EQ || node->op > HONE_OP_GE || node->args[0] != node->args[1])
    return false;
  return !(a->types & ~HONE__T_NUMBER) || node->op == HONE_OP_EQ || node->op == HONE_OP_NE;
}

static uint32_t make_operator(struct hone_compiler *compiler, const struct hone_expr *expr,
                              enum hone_operator op, uint32_t a, uint32_t b, uint32_t c)
{
  struct hone_program *program = compiler->program;
  struct hone_instruction node = {.role = HONE_ROLE_OPERATOR,
                                  .op = op,
                                  .arity = (uint8_t)hone__operator_arity(op),
                                  .args = {a, b, c}};
  uint8_t types[3] = {0};
  bool constant = true;

  for (int i = 0; i < node.arity; i++) {
    types[i] = program->nodes[node.args[i]].types;
    constant = constant && is_constant(program, node.args[i]);
  }
  if ((op == HONE_OP_AND || op == HONE_OP_OR || op == HONE_OP_IF) && is_constant(program, a))
    return choose(program, op, node.args);
  if ((op == HONE_OP_DIV || op == HONE_OP_FLOORDIV || op == HONE_OP_MOD) && is_zero(program, b) &&
      !has_names(expr->args[1]))
    return add_defect(compiler, expr, HONE_FAULT_ZERO, NULL);
  node.types = result_types(op, types);
  if (!node.types) return type_defect(compiler, expr, op, types);
  if (constant) return fold(compiler, expr, &node);
  if (height_of(program, &node) > MOST_HEIGHT)
    return add_defect(compiler, expr, HONE_FAULT_LENGTH,
                      "the expression is too long, with the derived values in it");
  if (is_decided(program, &node))
    return hone__program_constant(program, hone__bool(op == HONE_OP_EQ || op == HONE_OP_LE ||
                                                      op == HONE_OP_GE || op == HONE_OP_NOT_IN));
  order_arguments(&node);
  return intern(program, &node);
}

uint32_t hone__program_operator(struct hone_program *program, enum hone_operator op, uint32_t a,
                                uint32_t b)
{
  struct hone_instruction node = {.role = HONE_ROLE_OPERATOR, .op = op, .arity = 2, .args = {a, b}};
  uint8_t types[3] = {program->nodes[a].types, program->nodes[b].types};

  if (is_constant(program, a) && is_constant(program, b)) {
    struct hone_value values[] = {program->nodes[a].value, program->nodes[b].value};
    node.args[0] = 0;
    node.args[1] = 1;
    return hone__program_constant(program, hone__instruction_run(&node, values));
  }
  node.types = result_types(op, types);
  order_arguments(&node);
  return intern(program, &node);
}

/* (A, B) == (1, 2), element by element; lists of other lengths are never equal. */
static uint32_t compile_equal(struct hone_compiler *compiler, const struct hone_expr *expr,
                              const struct hone_expr *a, const struct hone_expr *b)
{
  struct hone_program *program = compiler->program;
  uint32_t equal;

  if (a->kind != HONE_EXPR_LIST || b->kind != HONE_EXPR_LIST) {
    uint32_t left = hone__compile(compiler, a), right = hone__compile(compiler, b);
    return make_operator(compiler, expr, HONE_OP_EQ, left, right, 0);
  }
  equal = hone__program_constant(program, hone__bool(a->count == b->count));
  for (size_t i = 0; i < a->count && a->count == b->count; i++)
    equal = make_operator(compiler, expr, HONE_OP_AND, equal,
                          compile_equal(compiler, expr, a->args[i], b->args[i]), 0);
  return equal;
}

/* True, or the fault of the element: Python computes all elements before it compares any. */
static uint32_t compile_guard(struct hone_compiler *compiler, const struct hone_expr *expr,
                              const struct hone_expr *item, uint32_t guard)
{
  uint32_t node;

  if (item->kind == HONE_EXPR_LIST) {
    for (size_t i = 0; i < item->count; i++)
      guard = compile_guard(compiler, expr, item->args[i], guard);
    return guard;
  }
  node = hone__compile(compiler, item);
  if (!(compiler->program->nodes[node].types & HONE__T_FAULT)) return guard;
  node = make_operator(compiler, expr, HONE_OP_EQ, node, node, 0);
  return make_operator(compiler, expr, HONE_OP_AND, guard, node, 0);
}

/* `x in [a, b]` with elements that are not constant: x == a or x == b */
static uint32_t compile_in(struct hone_compiler *compiler, const struct hone_expr *expr)
{
  struct hone_program *program = compiler->program;
  const struct hone_expr *list = expr->args[1];
  uint32_t found = hone__program_constant(program, hone__bool(false));
  uint32_t guard = hone__program_constant(program, hone__bool(true));

  guard = compile_guard(compiler, expr, expr->args[0], guard);
  for (size_t i = 0; i < list->count; i++) {
    uint32_t equal = compile_equal(compiler, expr, expr->args[0], list->args[i]);
    found = make_operator(compiler, expr, HONE_OP_OR, found, equal, 0);
    guard = compile_guard(compiler, expr, list->args[i], guard);
  }
  if (expr->op == HONE_OP_NOT_IN) found = make_operator(compiler, expr, HONE_OP_NOT, found, 0, 0);
  return make_operator(compiler, expr, HONE_OP_AND, guard, found, 0);
}

static uint32_t compile_list(struct hone_compiler *compiler, const struct hone_expr *expr)
{
  struct hone_program *program = compiler->program;
  struct hone_list *list =
      hone__arena_alloc(&program->arena, sizeof *list + expr->count * sizeof(struct hone_value));

  list->count = list->size = expr->count;
  for (size_t i = 0; i < expr->count; i++) {
    uint32_t item = hone__compile(compiler, expr->args[i]);
    if (!is_constant(program, item))
      return add_defect(compiler, expr->args[i], HONE_FAULT_TYPE,
                        "a list here may hold constants only");
    list->items[i] = program->nodes[item].value;
    if (list->items[i].type == HONE__FAULT) return item;
  }
  return hone__program_constant(program, (struct hone_value){.type = HONE_LIST, .list = list});
}

static bool has_constant_items(const struct hone_expr *list)
{
  for (size_t i = 0; i < list->count; i++)
    if (has_names(list->args[i])) return false;
  return true;
}

static uint32_t compile_operator(struct hone_compiler *compiler, const struct hone_expr *expr)
{
  uint32_t args[3] = {0};

  if ((expr->op == HONE_OP_IN || expr->op == HONE_OP_NOT_IN) &&
      expr->args[1]->kind == HONE_EXPR_LIST &&
      (expr->args[0]->kind == HONE_EXPR_LIST || !has_constant_items(expr->args[1])))
    return compile_in(compiler, expr);
  for (size_t i = 0; i < expr->count; i++)
    args[i] = hone__compile(compiler, expr->args[i]);
  return make_operator(compiler, expr, expr->op, args[0], args[1], args[2]);
}

/* min(a, b, c) and max(...), of arguments or of a list */
static uint32_t compile_extreme(struct hone_compiler *compiler, const struct hone_expr *expr)
{
  enum hone_operator op = expr->function == HONE_FUNCTION_MIN ? HONE_OP_MIN : HONE_OP_MAX;
  const struct hone_expr *items = expr;
  uint32_t node;

  if (expr->count == 1 && expr->args[0]->kind == HONE_EXPR_LIST) items = expr->args[0];
  if (items == expr && expr->count == 1)
    return add_defect(compiler, expr, HONE_FAULT_TYPE, "this function needs a list, or two values");
  if (items->count == 0)
    return add_defect(compiler, expr, HONE_FAULT_DOMAIN, "the smallest or largest of nothing");
  node = hone__compile(compiler, items->args[0]);
  for (size_t i = 1; i < items->count; i++)
    node = make_operator(compiler, expr, op, node, hone__compile(compiler, items->args[i]), 0);
  return node;
}

/* sum([...]), any([...]), all([...]): a chain of one operator */
static uint32_t compile_chain(struct hone_compiler *compiler, const struct hone_expr *expr)
{
  const struct hone_expr *list = expr->args[0];
  bool sum = expr->function == HONE_FUNCTION_SUM, any = expr->function == HONE_FUNCTION_ANY;
  enum hone_operator op = sum ? HONE_OP_ADD : any ? HONE_OP_OR : HONE_OP_AND;
  struct hone_value start = sum ? hone__int(0) : hone__bool(!any);
  uint32_t node = hone__program_constant(compiler->program, start);

  for (size_t i = 0; i < list->count; i++)
    node = make_operator(compiler, expr, op, node, hone__compile(compiler, list->args[i]), 0);
  return sum ? node : make_operator(compiler, expr, HONE_OP_BOOL, node, 0, 0);
}

static uint32_t compile_name(struct hone_compiler *compiler, const struct hone_expr *expr)
{
  uint32_t node = 0;

  switch (compiler->resolve(compiler->data, expr->name, &node)) {
  case HONE_MEANS_NODE: return node;
  case HONE_MEANS_ABSENT:
    return hone__program_constant(compiler->program, hone__fault_value(HONE_FAULT_NAME));
  case HONE_MEANS_NOTHING: break;
  }
  return add_defect(compiler, expr, HONE_FAULT_NAME, NULL);
}

static bool lookup_constant(void *data, const char *name, struct hone_value *out_value)
{
  struct hone_compiler *compiler = data;
  uint32_t node = 0;

  if (compiler->resolve(compiler->data, name, &node) != HONE_MEANS_NODE) return false;
  if (!is_constant(compiler->program, node)) return false;
  *out_value = compiler->program->nodes[node].value;
  return out_value->type != HONE__FAULT;
}

/* range(4), [2 ** i for i in range(4)]: what does not depend on the configuration. */
static uint32_t compile_constant_list(struct hone_compiler *compiler, const struct hone_expr *expr)
{
  struct hone_evaluator evaluator = {
      .arena = &compiler->program->arena, .lookup = lookup_constant, .data = compiler};
  struct hone_value value;

  if (hone__evaluate(&evaluator, expr, &value))
    return hone__program_constant(compiler->program, value);
  if (evaluator.fault != HONE_FAULT_NAME)
    return add_defect(compiler, evaluator.culprit, evaluator.fault, NULL);
  return add_defect(compiler, evaluator.culprit, HONE_FAULT_TYPE,
                    hone__arena_printf(&compiler->program->arena,
                                       "'%s' is not a constant, and a range or comprehension needs "
                                       "constants outside a parameter's domain",
                                       evaluator.culprit->name));
}

uint32_t hone__compile(struct hone_compiler *compiler, const struct hone_expr *expr)
{
  switch (expr->kind) {
  case HONE_EXPR_LITERAL: return hone__program_constant(compiler->program, expr->value);
  case HONE_EXPR_NAME: return compile_name(compiler, expr);
  case HONE_EXPR_OPERATOR: return compile_operator(compiler, expr);
  case HONE_EXPR_LIST: return compile_list(compiler, expr);
  case HONE_EXPR_FUNCTION:
    if (expr->function == HONE_FUNCTION_MIN || expr->function == HONE_FUNCTION_MAX)
      return compile_extreme(compiler, expr);
    if ((expr->function == HONE_FUNCTION_SUM || expr->function == HONE_FUNCTION_ANY ||
         expr->function == HONE_FUNCTION_ALL) &&
        expr->args[0]->kind == HONE_EXPR_LIST)
      return compile_chain(compiler, expr);
    break;
  case HONE_EXPR_FOR: break;
  }
  return compile_constant_list(compiler, expr);
}
