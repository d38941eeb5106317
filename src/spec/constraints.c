/* Lists of conditions, and of the keys by which configurations are ordered. A condition that names
 * what a build costs (built.x) is not part of the space: it is kept apart until there is a build.
 */
#include "spec/loader.h"

enum {
  NAMES = HONE__NAMES_PROBLEM | HONE__NAMES_DEVICE | HONE__NAMES_PARAMS | HONE__NAMES_DERIVED,
  MOST_ORDERS = 64 /* of one list: each is kept for every configuration */
};

static bool names_built(const struct hone__expr *expr)
{
  if (expr->kind == HONE__EXPR_NAME) return hone__starts_with(expr->name, "built.");
  for (size_t i = 0; i < expr->count; i++)
    if (names_built(expr->args[i])) return true;
  for (size_t i = 0; i < expr->clause_count; i++)
    if (names_built(expr->clauses[i].expr)) return true;
  return false;
}

static void keep(struct hone__loader *loader, struct hone__formula **list, size_t *count,
                 const struct hone__formula *formula)
{
  *list = hone__loader_room(loader, *list, *count, sizeof *formula);
  (*list)[(*count)++] = *formula;
}

static void load_constraint(struct hone__loader *loader, const struct hone__node *node)
{
  struct hone_spec *spec = loader->spec;
  struct hone__formula formula;

  if (!hone__loader_formula(loader, node, NAMES | HONE__NAMES_BUILT, &formula)) return;
  if (formula.expr->kind == HONE__EXPR_LIST)
    hone__loader_error(loader, node, "a list is not a condition; write 'and' between conditions");
  else if (names_built(formula.expr))
    keep(loader, &spec->built, &spec->built_count, &formula);
  else
    keep(loader, &spec->constraints, &spec->constraint_count, &formula);
}

static void load_order(struct hone__loader *loader, const struct hone__node *node)
{
  struct hone_spec *spec = loader->spec;
  struct hone__formula formula;

  if (!hone__loader_formula(loader, node, NAMES, &formula)) return;
  if (formula.expr->kind == HONE__EXPR_LIST) {
    hone__loader_error(loader, node, "a list is not a key; give each element as its own key");
    return;
  }
  keep(loader, &spec->orders, &spec->order_count, &formula);
}

/* One expression, or a list of them, or nothing. */
static void load_each(struct hone__loader *loader, const struct hone__node *node, const char *key,
                      void (*load)(struct hone__loader *, const struct hone__node *))
{
  if (node->kind == HONE__SCALAR && node->value.type == HONE_NONE) return;
  if (node->kind == HONE__SCALAR) {
    load(loader, node);
  } else if (node->kind == HONE__SEQUENCE) {
    for (size_t i = 0; i < node->count; i++)
      load(loader, node->items[i]);
  } else {
    hone__loader_error(loader, node, "'%s' must be a list of expressions, found %s", key,
                       hone__node_kind_name(node));
  }
}

void hone__constraints_load(struct hone__loader *loader, const struct hone__node *node,
                            const char *key)
{
  load_each(loader, node, key, load_constraint);
}

void hone__orders_load(struct hone__loader *loader, const struct hone__node *node)
{
  if (node->kind == HONE__SEQUENCE && node->count > MOST_ORDERS)
    hone__loader_error(loader, node, "more than %d keys in 'order'", MOST_ORDERS);
  else
    load_each(loader, node, "order", load_order);
}

bool hone__spec_group_has_order(const struct hone_spec *spec, const struct hone__spec_group *group,
                                const struct hone__formula *order)
{
  if (!hone__applies(order->file, order->alternative, group)) return false;
  if (order->alternative || !group->alternative) return true;
  for (size_t i = 0; i < spec->order_count; i++)
    if (spec->orders[i].alternative == group->alternative) return false;
  return true;
}
