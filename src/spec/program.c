/* Nodes are made once: a table by content finds the equal one (hash-consing). */
#include "spec/program.h"
#include "base/hash.h"

#include <stdlib.h>

void hone__spec_program_release(struct hone__spec_program *program)
{
  free(program->nodes);
  free(program->table);
  hone__arena_release(&program->arena);
  *program = (struct hone__spec_program){0};
}

/* ---- Running ---- */

static struct hone_value from_fault(enum hone__fault fault, struct hone_value value)
{
  return fault ? hone__fault_value(fault) : value;
}

static struct hone_value run_slowly(const struct hone__instruction *node,
                                    const struct hone_value *values)
{
  struct hone_value a = values[node->args[0]], b, result = {0};

  for (int i = 0; i < node->arity; i++)
    if (values[node->args[i]].type == HONE__MOOT) return values[node->args[i]];
  if (a.type == HONE__FAULT) return a;
  switch (node->op) {
  case HONE__OP_AND: return hone__value_truth(a) ? values[node->args[1]] : a;
  case HONE__OP_OR: return hone__value_truth(a) ? a : values[node->args[1]];
  case HONE__OP_IF: return values[node->args[hone__value_truth(a) ? 1 : 2]];
  default: break;
  }
  if (node->arity == 1) return from_fault(hone__apply1(node->op, a, &result), result);
  b = values[node->args[1]];
  if (b.type == HONE__FAULT) return b;
  return from_fault(hone__apply2(node->op, a, b, &result), result);
}

/* The common case by itself: two integers, and an operator that cannot fault on them. */
struct hone_value hone__instruction_run(const struct hone__instruction *node,
                                        const struct hone_value *values)
{
  struct hone_value a, b;
  int64_t result;

  if (node->role == HONE__ROLE_CONSTANT) return node->value;
  if (node->arity == 1) return run_slowly(node, values);
  a = values[node->args[0]];
  b = values[node->args[1]];
  if (a.type != HONE_INT || b.type != HONE_INT) return run_slowly(node, values);
  switch (node->op) {
  case HONE__OP_ADD:
    if (!__builtin_add_overflow(a.integer, b.integer, &result)) return hone__int(result);
    break;
  case HONE__OP_SUB:
    if (!__builtin_sub_overflow(a.integer, b.integer, &result)) return hone__int(result);
    break;
  case HONE__OP_MUL:
    if (!__builtin_mul_overflow(a.integer, b.integer, &result)) return hone__int(result);
    break;
  case HONE__OP_MOD:
    if (a.integer < 0 || b.integer <= 0) break;
    if (((uint64_t)a.integer | (uint64_t)b.integer) >> 32) return hone__int(a.integer % b.integer);
    return hone__int((uint32_t)a.integer % (uint32_t)b.integer);
  case HONE__OP_EQ: return hone__bool(a.integer == b.integer);
  case HONE__OP_NE: return hone__bool(a.integer != b.integer);
  case HONE__OP_LT: return hone__bool(a.integer < b.integer);
  case HONE__OP_LE: return hone__bool(a.integer <= b.integer);
  case HONE__OP_GT: return hone__bool(a.integer > b.integer);
  case HONE__OP_GE: return hone__bool(a.integer >= b.integer);
  default: break;
  }
  return run_slowly(node, values);
}

void hone__spec_program_run(const struct hone__spec_program *program, uint32_t last,
                            const struct hone_value *variables, struct hone_value *values)
{
  for (uint32_t i = 0; i <= last && i < program->count; i++) {
    const struct hone__instruction *node = &program->nodes[i];
    values[i] = node->role == HONE__ROLE_VARIABLE ? variables[node->variable]
                                                  : hone__instruction_run(node, values);
  }
}

/* ---- Building nodes ---- */

/* Constants are one node only if they print the same: 1, 1.0 and True stay apart. */
static bool same_constant(struct hone_value a, struct hone_value b);

static bool same_list(const struct hone_list *a, const struct hone_list *b)
{
  bool same = a->count == b->count && a->size == b->size;

  for (size_t i = 0; same && i < a->count && a != b; i++)
    same = same_constant(a->items[i], b->items[i]);
  return same;
}

static bool same_constant(struct hone_value a, struct hone_value b)
{
  if (a.type != b.type) return false;
  if (a.type == HONE_FLOAT) return memcmp(&a.real, &b.real, sizeof a.real) == 0;
  if (a.type == HONE_LIST) return same_list(a.list, b.list);
  if (a.type == HONE__FAULT) return a.integer == b.integer;
  return hone__value_equal(a, b);
}

static uint64_t hash_node(const struct hone__instruction *node)
{
  uint64_t hash = hone__hash_add((uint64_t)node->role + 1, (uint64_t)node->op);

  for (int i = 0; i < node->arity; i++)
    hash = hone__hash_add(hash, node->args[i]);
  hash = hone__hash_add(hash, node->variable);
  if (node->role == HONE__ROLE_CONSTANT && node->value.type != HONE__FAULT)
    hash = hone__hash_add(hash, hone__value_hash(node->value));
  return hone__mix(hash);
}

static bool same_node(const struct hone__instruction *a, const struct hone__instruction *b)
{
  if (a->role != b->role || a->variable != b->variable) return false;
  if (a->role == HONE__ROLE_CONSTANT) return same_constant(a->value, b->value);
  if (a->role == HONE__ROLE_VARIABLE) return true;
  return a->op == b->op && memcmp(a->args, b->args, sizeof a->args) == 0;
}

static void grow_table(struct hone__spec_program *program)
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

uint32_t hone__spec_program_height(const struct hone__spec_program *program,
                                   const struct hone__instruction *node)
{
  uint32_t height = 0;

  for (int i = 0; i < node->arity; i++)
    if (program->nodes[node->args[i]].height >= height)
      height = program->nodes[node->args[i]].height + 1;
  return height;
}

static uint32_t intern(struct hone__spec_program *program, const struct hone__instruction *node)
{
  uint32_t slot;

  if (2 * (program->count + 1) > program->table_size) grow_table(program);
  slot = (uint32_t)hash_node(node) & (program->table_size - 1);
  for (; program->table[slot]; slot = (slot + 1) & (program->table_size - 1)) {
    uint32_t found = program->table[slot] - 1;
    if (same_node(&program->nodes[found], node)) return found;
  }
  HONE__GROW(program->nodes, program->count, program->capacity);
  for (int i = 0; i < node->arity; i++)
    HONE__ASSERT(node->args[i] < program->count);
  program->nodes[program->count] = *node;
  program->nodes[program->count].height = hone__spec_program_height(program, node);
  program->table[slot] = ++program->count;
  return program->count - 1;
}

uint32_t hone__spec_program_constant(struct hone__spec_program *program, struct hone_value value)
{
  struct hone__instruction node = {
      .role = HONE__ROLE_CONSTANT, .types = (uint8_t)(1u << value.type), .value = value};
  return intern(program, &node);
}

uint32_t hone__spec_program_variable(struct hone__spec_program *program, uint32_t variable,
                                     uint8_t types)
{
  struct hone__instruction node = {
      .role = HONE__ROLE_VARIABLE, .types = types, .variable = variable};
  return intern(program, &node);
}

/* ---- Types ---- */

uint8_t hone__operator_types(enum hone__operator op, const uint8_t *t)
{
  uint8_t fault = (uint8_t)((t[0] | t[1]) & HONE__T_FAULT);
  bool number0 = t[0] & HONE__T_NUMBER, number1 = t[1] & HONE__T_NUMBER;
  bool whole = !((t[0] | t[1]) & ~(HONE__T_WHOLE | HONE__T_FAULT));
  bool may_fault = (t[0] | t[1]) & ~HONE__T_NUMBER;

  if (t[0] == HONE__T_FAULT || t[1] == HONE__T_FAULT) return HONE__T_FAULT;
  switch (op) {
  case HONE__OP_ADD:
  case HONE__OP_SUB:
  case HONE__OP_MUL:
  case HONE__OP_FLOORDIV:
  case HONE__OP_MOD:
    if (!number0 || !number1) return 0;
    return whole ? HONE__T_INT | HONE__T_FAULT : HONE__T_INT | HONE__T_FLOAT | HONE__T_FAULT;
  case HONE__OP_POW: return number0 && number1 ? HONE__T_INT | HONE__T_FLOAT | HONE__T_FAULT : 0;
  case HONE__OP_DIV: return number0 && number1 ? HONE__T_FLOAT | HONE__T_FAULT : 0;
  case HONE__OP_BITAND:
  case HONE__OP_BITOR:
  case HONE__OP_BITXOR:
    if (!(t[0] & HONE__T_WHOLE) || !(t[1] & HONE__T_WHOLE)) return 0;
    return HONE__T_WHOLE | HONE__T_FAULT;
  case HONE__OP_SHL:
  case HONE__OP_SHR:
  case HONE__OP_GCD:
    if (!(t[0] & HONE__T_WHOLE) || !(t[1] & HONE__T_WHOLE)) return 0;
    return HONE__T_INT | HONE__T_FAULT;
  case HONE__OP_DIVIDES: return number0 && number1 ? HONE__T_BOOL | HONE__T_FAULT : 0;
  case HONE__OP_EQ:
  case HONE__OP_NE: return HONE__T_BOOL | fault;
  case HONE__OP_LT:
  case HONE__OP_LE:
  case HONE__OP_GT:
  case HONE__OP_GE:
    if (!(number0 && number1) && !(t[0] & t[1] & HONE__T_TEXT)) return 0;
    return (uint8_t)(HONE__T_BOOL | (may_fault ? HONE__T_FAULT : 0));
  case HONE__OP_MIN:
  case HONE__OP_MAX:
    if (!(number0 && number1) && !(t[0] & t[1] & HONE__T_TEXT)) return 0;
    return (uint8_t)(t[0] | t[1] | (may_fault ? HONE__T_FAULT : 0));
  case HONE__OP_IN:
  case HONE__OP_NOT_IN:
    if (!(t[1] & HONE__T_LIST) && !(t[0] & t[1] & HONE__T_TEXT)) return 0;
    return (uint8_t)(HONE__T_BOOL | fault | (t[1] & ~HONE__T_LIST ? HONE__T_FAULT : 0));
  case HONE__OP_STARTSWITH:
  case HONE__OP_ENDSWITH: return t[0] & t[1] & HONE__T_TEXT ? HONE__T_BOOL | HONE__T_FAULT : 0;
  case HONE__OP_INDEX: return t[0] & HONE__T_LIST && t[1] & HONE__T_WHOLE ? HONE__T_ANY : 0;
  case HONE__OP_AND:
  case HONE__OP_OR: return (uint8_t)(t[0] | t[1]);
  case HONE__OP_IF: return (uint8_t)(t[1] | t[2] | (t[0] & HONE__T_FAULT));
  case HONE__OP_NOT:
  case HONE__OP_BOOL: return HONE__T_BOOL | fault;
  case HONE__OP_LEN: return t[0] & (HONE__T_TEXT | HONE__T_LIST) ? HONE__T_INT | HONE__T_FAULT : 0;
  case HONE__OP_NEG:
  case HONE__OP_POS:
  case HONE__OP_ABS:
    if (!number0) return 0;
    return (uint8_t)(HONE__T_INT | HONE__T_FAULT | (t[0] & HONE__T_FLOAT));
  case HONE__OP_INV: return t[0] & HONE__T_WHOLE ? HONE__T_INT | HONE__T_FAULT : 0;
  case HONE__OP_CEIL:
  case HONE__OP_FLOOR:
  case HONE__OP_ROUND:
  case HONE__OP_INT: return number0 ? HONE__T_INT | HONE__T_FAULT : 0;
  case HONE__OP_LOG2:
  case HONE__OP_FLOAT: return number0 ? HONE__T_FLOAT | HONE__T_FAULT : 0;
  case HONE__OP_POW2: return number0 ? HONE__T_BOOL | HONE__T_FAULT : 0;
  }
  HONE__BUG("an operator without types");
}

/* ---- Operators ---- */

/* Arguments whose order does not matter are put in order, so that equal nodes meet. */
static void order_arguments(struct hone__instruction *node)
{
  enum hone__operator op = node->op;
  uint32_t first = node->args[0];

  if (op != HONE__OP_ADD && op != HONE__OP_MUL && op != HONE__OP_EQ && op != HONE__OP_NE &&
      op != HONE__OP_GCD)
    return;
  if (first <= node->args[1]) return;
  node->args[0] = node->args[1];
  node->args[1] = first;
}

uint32_t hone__spec_program_add(struct hone__spec_program *program,
                                const struct hone__instruction *node)
{
  struct hone__instruction ordered = *node;

  order_arguments(&ordered);
  return intern(program, &ordered);
}

uint32_t hone__spec_program_operator(struct hone__spec_program *program, enum hone__operator op,
                                     uint32_t a, uint32_t b)
{
  struct hone__instruction node = {
      .role = HONE__ROLE_OPERATOR, .op = op, .arity = 2, .args = {a, b}};
  uint8_t types[3] = {program->nodes[a].types, program->nodes[b].types};

  if (hone__spec_is_constant(program, a) && hone__spec_is_constant(program, b)) {
    struct hone_value values[] = {program->nodes[a].value, program->nodes[b].value};
    node.args[0] = 0;
    node.args[1] = 1;
    return hone__spec_program_constant(program, hone__instruction_run(&node, values));
  }
  node.types = hone__operator_types(op, types);
  return hone__spec_program_add(program, &node);
}
