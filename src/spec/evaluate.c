/* A walk over the tree. Work and list lengths are bounded, so that a spec cannot hang the program:
 * [i for i in range(10**9)] is a fault, while a plain range of that size is never expanded. */
#include "spec/evaluate.h"
#include "base/gcd.h"

#include <stdlib.h>

enum { MOST_WORK = 5 << 20, LONGEST_TEXT = 1 << 20 };

struct hone__binding { /* a comprehension's variable */
  struct hone__binding *outer;
  const char *name;
  struct hone_value value;
};

struct growing_list {
  struct hone_value *items;
  size_t count, capacity;
};

static bool fault(struct hone__evaluator *evaluator, const struct hone__expr *expr,
                  enum hone__fault kind)
{
  evaluator->fault = kind;
  evaluator->culprit = expr;
  return false;
}

/* Counts elements made and bytes joined, so that nothing grows without end. */
static bool work(struct hone__evaluator *evaluator, const struct hone__expr *expr, size_t amount)
{
  size_t *done = evaluator->work ? evaluator->work : &evaluator->own_work;

  *done += amount;
  return *done <= MOST_WORK || fault(evaluator, expr, HONE__FAULT_LENGTH);
}

static bool make_list(struct hone__evaluator *evaluator, const struct hone__expr *expr,
                      const struct hone_value *items, size_t count, struct hone_value *out_value)
{
  struct hone_list *list =
      hone__arena_alloc(evaluator->arena, sizeof *list + count * sizeof *items);

  list->count = list->size = count;
  if (count) memcpy(list->items, items, count * sizeof *items);
  for (size_t i = 0; i < count; i++)
    if (items[i].type == HONE_LIST) list->size += items[i].list->size;
  if (list->size > HONE__LONGEST_LIST) return fault(evaluator, expr, HONE__FAULT_LENGTH);
  *out_value = (struct hone_value){.type = HONE_LIST, .list = list};
  return true;
}

static bool push(struct hone__evaluator *evaluator, const struct hone__expr *expr,
                 struct growing_list *list, struct hone_value value)
{
  if (!work(evaluator, expr, 1)) return false;
  HONE__GROW(list->items, list->count, list->capacity);
  list->items[list->count++] = value;
  return true;
}

/* Makes the collected elements a list, if all went well so far. */
static bool finish_list(struct hone__evaluator *evaluator, const struct hone__expr *expr,
                        struct growing_list *list, bool ok, struct hone_value *out_value)
{
  ok = ok && make_list(evaluator, expr, list->items, list->count, out_value);
  free(list->items);
  return ok;
}

static bool evaluate_name(struct hone__evaluator *evaluator, const struct hone__expr *expr,
                          struct hone_value *out_value)
{
  for (struct hone__binding *b = evaluator->bindings; b; b = b->outer) {
    if (strcmp(b->name, expr->name) == 0) {
      *out_value = b->value;
      return true;
    }
  }
  if (evaluator->lookup && evaluator->lookup(evaluator->data, expr->name, out_value)) return true;
  return fault(evaluator, expr, HONE__FAULT_NAME);
}

/* Lists and texts join with + and repeat with *. */
static bool evaluate_join(struct hone__evaluator *evaluator, const struct hone__expr *expr,
                          struct hone_value a, struct hone_value b, struct hone_value *out_value)
{
  struct growing_list joined = {0};
  bool ok = true;

  if (expr->op == HONE__OP_ADD && a.type == HONE_TEXT && b.type == HONE_TEXT) {
    if (strlen(a.text) + strlen(b.text) > LONGEST_TEXT)
      return fault(evaluator, expr, HONE__FAULT_LENGTH);
    *out_value = hone__string(hone__arena_printf(evaluator->arena, "%s%s", a.text, b.text));
    return work(evaluator, expr, strlen(out_value->text));
  }
  if (expr->op == HONE__OP_ADD && a.type == HONE_LIST && b.type == HONE_LIST) {
    for (size_t i = 0; ok && i < a.list->count; i++)
      ok = push(evaluator, expr, &joined, a.list->items[i]);
    for (size_t i = 0; ok && i < b.list->count; i++)
      ok = push(evaluator, expr, &joined, b.list->items[i]);
  } else if (expr->op == HONE__OP_MUL && a.type == HONE_LIST && b.type == HONE_INT) {
    for (int64_t n = 0; ok && n < b.integer && a.list->count; n++)
      for (size_t i = 0; ok && i < a.list->count; i++)
        ok = push(evaluator, expr, &joined, a.list->items[i]);
  } else {
    return fault(evaluator, expr, HONE__FAULT_TYPE);
  }
  return finish_list(evaluator, expr, &joined, ok, out_value);
}

static bool evaluate_operator(struct hone__evaluator *evaluator, const struct hone__expr *expr,
                              struct hone_value *out_value)
{
  struct hone_value a, b;
  enum hone__fault kind;

  if (!hone__evaluate(evaluator, expr->args[0], &a)) return false;
  if (expr->op == HONE__OP_IF)
    return hone__evaluate(evaluator, expr->args[hone__value_truth(a) ? 1 : 2], out_value);
  if (expr->op == HONE__OP_AND || expr->op == HONE__OP_OR) {
    *out_value = a;
    if (hone__value_truth(a) == (expr->op == HONE__OP_OR)) return true;
    return hone__evaluate(evaluator, expr->args[1], out_value);
  }
  if (expr->count == 1) {
    kind = hone__apply1(expr->op, a, out_value);
  } else {
    if (!hone__evaluate(evaluator, expr->args[1], &b)) return false;
    kind = hone__apply2(expr->op, a, b, out_value);
    if (kind == HONE__FAULT_TYPE && (expr->op == HONE__OP_ADD || expr->op == HONE__OP_MUL))
      return evaluate_join(evaluator, expr, a, b, out_value);
  }
  return kind ? fault(evaluator, expr, kind) : true;
}

static bool evaluate_list(struct hone__evaluator *evaluator, const struct hone__expr *expr,
                          struct hone_value *out_value)
{
  struct growing_list list = {0};
  bool ok = true;

  for (size_t i = 0; ok && i < expr->count; i++) {
    struct hone_value item;
    ok = hone__evaluate(evaluator, expr->args[i], &item) && push(evaluator, expr, &list, item);
  }
  return finish_list(evaluator, expr, &list, ok, out_value);
}

bool hone__evaluate_range(struct hone__evaluator *evaluator, const struct hone__expr *expr,
                          struct hone__range *out_range)
{
  int64_t bounds[3] = {0, 0, 1};
  uint64_t span;
  struct hone_value value;

  if (expr->kind == HONE__EXPR_FUNCTION && expr->function == HONE__FUNCTION_LIST)
    return hone__evaluate_range(evaluator, expr->args[0], out_range);
  if (expr->kind != HONE__EXPR_FUNCTION || expr->function != HONE__FUNCTION_RANGE) return false;
  for (size_t i = 0; i < expr->count; i++) {
    if (!hone__evaluate(evaluator, expr->args[i], &value)) return false;
    if (value.type != HONE_INT && value.type != HONE_BOOL)
      return fault(evaluator, expr->args[i], HONE__FAULT_TYPE);
    bounds[expr->count == 1 ? 1 : i] = value.integer;
  }
  out_range->start = bounds[0];
  out_range->step = bounds[2];
  out_range->count = 0;
  if (bounds[2] == 0) return fault(evaluator, expr, HONE__FAULT_DOMAIN);
  if (bounds[2] > 0 ? bounds[0] >= bounds[1] : bounds[0] <= bounds[1]) return true;
  span = bounds[2] > 0 ? (uint64_t)bounds[1] - (uint64_t)bounds[0]
                       : (uint64_t)bounds[0] - (uint64_t)bounds[1];
  out_range->count = (span - 1) / hone__magnitude(bounds[2]) + 1;
  return true;
}

static bool evaluate_range_list(struct hone__evaluator *evaluator, const struct hone__expr *expr,
                                struct hone_value *out_value)
{
  struct hone__range range;
  struct growing_list list = {0};
  bool ok = true;

  if (!hone__evaluate_range(evaluator, expr, &range)) return false;
  for (uint64_t i = 0; ok && i < range.count; i++)
    ok = push(evaluator, expr, &list, hone__int(range.start + (int64_t)i * range.step));
  return finish_list(evaluator, expr, &list, ok, out_value);
}

static bool evaluate_sum(struct hone__evaluator *evaluator, const struct hone__expr *expr,
                         const struct hone_list *list, struct hone_value *out_value)
{
  *out_value = hone__int(0);
  for (size_t i = 0; i < list->count; i++) {
    enum hone__fault kind = hone__apply2(HONE__OP_ADD, *out_value, list->items[i], out_value);
    if (kind) return fault(evaluator, expr, kind);
  }
  return true;
}

static int by_value(const void *a, const void *b)
{
  int order = hone__value_compare(*(const struct hone_value *)a, *(const struct hone_value *)b);
  return order == 2 ? 0 : order;
}

static bool evaluate_sorted(struct hone__evaluator *evaluator, const struct hone__expr *expr,
                            const struct hone_list *list, struct hone_value *out_value)
{
  struct hone_value copy;

  if (!work(evaluator, expr, list->count)) return false;
  if (!make_list(evaluator, expr, list->items, list->count, &copy)) return false;
  for (size_t i = 1; i < list->count; i++)
    if (hone__value_compare(list->items[0], list->items[i]) == 2)
      return fault(evaluator, expr, HONE__FAULT_TYPE);
  qsort((void *)copy.list->items, list->count, sizeof *list->items, by_value);
  *out_value = copy;
  return true;
}

static bool evaluate_extreme(struct hone__evaluator *evaluator, const struct hone__expr *expr,
                             const struct hone_list *list, struct hone_value *out_value)
{
  enum hone__operator op = expr->function == HONE__FUNCTION_MIN ? HONE__OP_MIN : HONE__OP_MAX;

  if (list->count == 0) return fault(evaluator, expr, HONE__FAULT_DOMAIN);
  *out_value = list->items[0];
  for (size_t i = 1; i < list->count; i++) {
    enum hone__fault kind = hone__apply2(op, *out_value, list->items[i], out_value);
    if (kind) return fault(evaluator, expr, kind);
  }
  return true;
}

static bool evaluate_quantifier(const struct hone__expr *expr, const struct hone_list *list,
                                struct hone_value *out_value)
{
  bool any = expr->function == HONE__FUNCTION_ANY, found = !any;

  for (size_t i = 0; i < list->count && found != any; i++)
    found = hone__value_truth(list->items[i]);
  *out_value = hone__bool(found);
  return true;
}

static bool evaluate_str(struct hone__evaluator *evaluator, const struct hone__expr *expr,
                         struct hone_value value, struct hone_value *out_value)
{
  struct hone__text text = {0};

  hone__value_print(value, &text);
  *out_value = hone__string(hone__arena_strdup(evaluator->arena, text.data ? text.data : ""));
  hone__text_release(&text);
  return work(evaluator, expr, strlen(out_value->text));
}

static bool evaluate_function(struct hone__evaluator *evaluator, const struct hone__expr *expr,
                              struct hone_value *out_value)
{
  struct hone_value value;
  bool has_many = expr->count > 1;

  if (expr->function == HONE__FUNCTION_RANGE)
    return evaluate_range_list(evaluator, expr, out_value);
  if (has_many ? !evaluate_list(evaluator, expr, &value)
               : !hone__evaluate(evaluator, expr->args[0], &value))
    return false;
  if (expr->function == HONE__FUNCTION_STR) return evaluate_str(evaluator, expr, value, out_value);
  if (value.type != HONE_LIST) return fault(evaluator, expr, HONE__FAULT_TYPE);
  switch (expr->function) {
  case HONE__FUNCTION_LIST: *out_value = value; return true;
  case HONE__FUNCTION_SUM: return evaluate_sum(evaluator, expr, value.list, out_value);
  case HONE__FUNCTION_SORTED: return evaluate_sorted(evaluator, expr, value.list, out_value);
  case HONE__FUNCTION_MIN:
  case HONE__FUNCTION_MAX: return evaluate_extreme(evaluator, expr, value.list, out_value);
  case HONE__FUNCTION_ANY:
  case HONE__FUNCTION_ALL: return evaluate_quantifier(expr, value.list, out_value);
  case HONE__FUNCTION_STR:
  case HONE__FUNCTION_RANGE: break;
  }
  HONE__BUG("a function without an evaluation");
}

static bool evaluate_clauses(struct hone__evaluator *evaluator, const struct hone__expr *expr,
                             size_t clause, struct growing_list *list)
{
  struct hone__binding binding = {.outer = evaluator->bindings};
  const struct hone__clause *c;
  struct hone_value value;
  bool ok = true;

  if (clause == expr->clause_count)
    return hone__evaluate(evaluator, expr->args[0], &value) && push(evaluator, expr, list, value);
  c = &expr->clauses[clause];
  if (!work(evaluator, expr, 1) || !hone__evaluate(evaluator, c->expr, &value)) return false;
  if (!c->variable)
    return hone__value_truth(value) ? evaluate_clauses(evaluator, expr, clause + 1, list) : true;
  if (value.type != HONE_LIST) return fault(evaluator, c->expr, HONE__FAULT_TYPE);
  binding.name = c->variable;
  evaluator->bindings = &binding;
  for (size_t i = 0; ok && i < value.list->count; i++) {
    binding.value = value.list->items[i];
    ok = evaluate_clauses(evaluator, expr, clause + 1, list);
  }
  evaluator->bindings = binding.outer;
  return ok;
}

static bool evaluate_for(struct hone__evaluator *evaluator, const struct hone__expr *expr,
                         struct hone_value *out_value)
{
  struct growing_list list = {0};
  bool ok = evaluate_clauses(evaluator, expr, 0, &list);

  return finish_list(evaluator, expr, &list, ok, out_value);
}

bool hone__evaluate(struct hone__evaluator *evaluator, const struct hone__expr *expr,
                    struct hone_value *out_value)
{
  switch (expr->kind) {
  case HONE__EXPR_LITERAL: *out_value = expr->value; return true;
  case HONE__EXPR_NAME: return evaluate_name(evaluator, expr, out_value);
  case HONE__EXPR_OPERATOR: return evaluate_operator(evaluator, expr, out_value);
  case HONE__EXPR_FUNCTION: return evaluate_function(evaluator, expr, out_value);
  case HONE__EXPR_LIST: return evaluate_list(evaluator, expr, out_value);
  case HONE__EXPR_FOR: return evaluate_for(evaluator, expr, out_value);
  }
  HONE__BUG("an expression without a kind");
}

struct hone_value hone__evaluate_word(struct hone__arena *arena, const char *text)
{
  struct hone__evaluator evaluator = {.arena = arena};
  struct hone__syntax_error error;
  struct hone__expr *expr = hone__expression_parse(text, arena, &error);
  struct hone_value value;

  if (expr && hone__evaluate(&evaluator, expr, &value)) return value;
  return hone__string(text);
}

char *hone__fault_message(const struct hone__evaluator *evaluator, const char *text,
                          struct hone__arena *arena)
{
  const struct hone__expr *culprit = evaluator->culprit;

  size_t length = culprit->end - culprit->begin;

  if (evaluator->fault == HONE__FAULT_NAME)
    return hone__arena_printf(arena, "unknown name '%.80s'", culprit->name);
  return hone__arena_printf(arena, "%s in '%.*s%s'", hone__fault_text(evaluator->fault),
                            (int)(length > 80 ? 80 : length), text + culprit->begin,
                            length > 80 ? "..." : "");
}
