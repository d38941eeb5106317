#include "spec/unroll.h"

#include <string.h>

enum { MOST_ITEMS = 4096, MOST_NODES = 1 << 18 };

struct unrolling {
  struct hone__arena *arena;
  const struct hone__expr *call, *loop;
  hone__lookup *lookup;
  void *data;
  struct hone__expr **items;
  size_t count, capacity;
  size_t *nodes; /* made so far */
};

/* ---- Nodes ---- */

static struct hone__expr *make(struct unrolling *u, enum hone__expr_kind kind,
                               const struct hone__expr *place, size_t count)
{
  struct hone__expr *expr = hone__arena_alloc(u->arena, sizeof *expr);

  expr->kind = kind;
  expr->begin = place->begin;
  expr->end = place->end;
  expr->count = count;
  expr->args = count ? hone__arena_alloc(u->arena, count * sizeof *expr->args) : NULL;
  expr->size = expr->height = 1;
  ++*u->nodes;
  return expr;
}

static void measure(struct hone__expr *expr)
{
  expr->size = expr->height = 1;
  for (size_t i = 0; i < expr->count; i++) {
    expr->size += expr->args[i]->size;
    if (expr->args[i]->height >= expr->height) expr->height = expr->args[i]->height + 1;
  }
}

static struct hone__expr *literal(struct unrolling *u, const struct hone__expr *place,
                                  struct hone_value value)
{
  struct hone__expr *expr = make(u, HONE__EXPR_LITERAL, place, 0);

  expr->value = value;
  return expr;
}

static struct hone__expr *operate(struct unrolling *u, enum hone__operator op, struct hone__expr *a,
                                  struct hone__expr *b, struct hone__expr *c)
{
  struct hone__expr *const args[] = {a, b, c};
  struct hone__expr *expr = make(u, HONE__EXPR_OPERATOR, a, (size_t)hone__operator_arity(op));

  expr->op = op;
  memcpy(expr->args, args, expr->count * sizeof *args);
  measure(expr);
  return expr;
}

/* ---- The variable's value in its place ---- */

static struct hone__expr *replace(struct unrolling *u, const struct hone__expr *expr,
                                  const char *name, struct hone__expr *value);

/* An inner loop with the same variable hides it. */
static void replace_clauses(struct unrolling *u, struct hone__expr *copy, const char *name,
                            struct hone__expr *value, bool *hidden)
{
  struct hone__clause *clauses =
      hone__arena_alloc(u->arena, copy->clause_count * sizeof *copy->clauses);

  for (size_t i = 0; i < copy->clause_count; i++) {
    clauses[i] = copy->clauses[i];
    if (!*hidden) clauses[i].expr = replace(u, clauses[i].expr, name, value);
    if (clauses[i].variable && strcmp(clauses[i].variable, name) == 0) *hidden = true;
  }
  copy->clauses = clauses;
}

static struct hone__expr *replace(struct unrolling *u, const struct hone__expr *expr,
                                  const char *name, struct hone__expr *value)
{
  struct hone__expr *copy;
  bool hidden = false;

  if (expr->kind == HONE__EXPR_NAME && strcmp(expr->name, name) == 0) return value;
  if (*u->nodes > MOST_NODES) return value; /* it is given up in the end */
  copy = make(u, expr->kind, expr, expr->count);
  copy->op = expr->op;
  copy->function = expr->function;
  copy->value = expr->value;
  copy->name = expr->name;
  copy->clauses = expr->clauses;
  copy->clause_count = expr->clause_count;
  if (copy->clause_count) replace_clauses(u, copy, name, value, &hidden);
  for (size_t i = 0; i < expr->count; i++)
    copy->args[i] = hidden ? expr->args[i] : replace(u, expr->args[i], name, value);
  measure(copy);
  return copy;
}

/* ---- Loops ---- */

/* What an element is where the condition may be false. */
static struct hone__expr *guard(struct unrolling *u, struct hone__expr *condition,
                                struct hone__expr *element)
{
  if (!condition) return element;
  switch (u->call->function) {
  case HONE__FUNCTION_ANY: return operate(u, HONE__OP_AND, condition, element, NULL);
  case HONE__FUNCTION_ALL:
    return operate(u, HONE__OP_OR, operate(u, HONE__OP_NOT, condition, NULL, NULL), element, NULL);
  case HONE__FUNCTION_SUM:
    return operate(u, HONE__OP_IF, condition, element, literal(u, element, hone__int(0)));
  default: return NULL;
  }
}

static bool add_item(struct unrolling *u, struct hone__expr *item)
{
  if (!item || u->count == MOST_ITEMS || *u->nodes > MOST_NODES) return false;
  if (u->count == u->capacity) {
    struct hone__expr **items = hone__arena_alloc(u->arena, (2 * u->capacity + 8) * sizeof *items);
    if (u->count) memcpy(items, u->items, u->count * sizeof *items);
    u->items = items;
    u->capacity = 2 * u->capacity + 8;
  }
  u->items[u->count++] = item;
  return true;
}

static bool unroll_from(struct unrolling *u, const struct hone__expr *loop, size_t clause,
                        struct hone__expr *condition);

/* The loop with the variable of this clause replaced, from the next clause on. */
static bool unroll_with(struct unrolling *u, const struct hone__expr *loop, size_t clause,
                        struct hone__expr *condition, struct hone__expr *value)
{
  struct hone__expr *rest = make(u, HONE__EXPR_FOR, loop, 1);

  rest->args[0] = loop->args[0];
  rest->clauses = loop->clauses + clause + 1;
  rest->clause_count = loop->clause_count - clause - 1;
  rest = replace(u, rest, loop->clauses[clause].variable, value);
  return *u->nodes <= MOST_NODES && unroll_from(u, rest, 0, condition);
}

static bool unroll_list(struct unrolling *u, const struct hone__expr *loop, size_t clause,
                        struct hone__expr *condition)
{
  struct hone__expr *list = loop->clauses[clause].expr;
  struct hone__evaluator evaluator = {.arena = u->arena, .lookup = u->lookup, .data = u->data};
  struct hone_value value;

  if (list->kind == HONE__EXPR_LIST) {
    for (size_t i = 0; i < list->count; i++)
      if (!unroll_with(u, loop, clause, condition, list->args[i])) return false;
    return true;
  }
  if (!hone__evaluate(&evaluator, list, &value) || value.type != HONE_LIST) return false;
  for (size_t i = 0; i < value.list->count; i++)
    if (!unroll_with(u, loop, clause, condition, literal(u, list, value.list->items[i])))
      return false;
  return true;
}

static bool unroll_from(struct unrolling *u, const struct hone__expr *loop, size_t clause,
                        struct hone__expr *condition)
{
  for (; clause < loop->clause_count; clause++) {
    struct hone__expr *test = loop->clauses[clause].expr;
    if (loop->clauses[clause].variable) return unroll_list(u, loop, clause, condition);
    condition = condition ? operate(u, HONE__OP_AND, condition, test, NULL) : test;
  }
  return add_item(u, guard(u, condition, loop->args[0]));
}

const struct hone__expr *hone__unroll(struct hone__arena *arena, const struct hone__expr *call,
                                      hone__lookup *lookup, void *data, size_t *nodes)
{
  struct unrolling u = {.arena = arena,
                        .call = call,
                        .loop = call->args[0],
                        .lookup = lookup,
                        .data = data,
                        .nodes = nodes};
  struct hone__expr *list, *copy;

  if (call->count != 1 || u.loop->kind != HONE__EXPR_FOR) return NULL;
  if (!unroll_from(&u, u.loop, 0, NULL)) return NULL;
  list = make(&u, HONE__EXPR_LIST, u.loop, u.count);
  if (u.count) memcpy(list->args, u.items, u.count * sizeof *list->args);
  measure(list);
  copy = make(&u, HONE__EXPR_FUNCTION, call, 1);
  copy->function = call->function;
  copy->args[0] = list;
  measure(copy);
  return copy;
}
