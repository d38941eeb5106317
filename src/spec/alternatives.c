/* Alternatives: groups of parameters that have constraints, texts and an order of their own.
 *
 * Their parameters are read first, all other keys once the derived values are known. What is in
 * an alternative carries its number and is for its group alone; names in it are those of its group,
 * so that a misspelt one is found although another alternative has it. */
#include "spec/rules.h"

enum { MOST_ALTERNATIVES = 10000 };

#define VALUES .takes = HONE__TAKES_MAPPING
#define FORMULAS                                                                                   \
  .takes = HONE__TAKES_FORMULA, .list = HONE__ONE_OR_LIST,                                         \
  .names = HONE__NAMES_OF_CANDIDATE | HONE__NAMES_BUILT
const struct hone__rule hone__alternative_rules[] = {
    {"name", .takes = HONE__TAKES_TEXT, HONE__RULE_DOC(NULL, "name: tiled", "A name for readers.")},
    {"params", .elsewhere = true, VALUES, .required = true,
     HONE__RULE_DOC(NULL, "params: {BM: [16, 32]}",
                    "The parameters of this group and their values.")},
    {"constraints", .elsewhere = true, FORMULAS,
     HONE__RULE_DOC(NULL, "constraints: [M % BM == 0]", "Constraints of this group only.")},
    {"texts", .elsewhere = true, VALUES,
     HONE__RULE_DOC(NULL, "texts: {config: 'tile = ${BM}'}", "Texts of this group only.")},
    {"order", .elsewhere = true, .takes = HONE__TAKES_ANYTHING,
     HONE__RULE_DOC("`search.order`", "order: [-BM]",
                    "Expressions that the strategy `ordered` sorts by.")},
    {0},
};

static const struct hone__node *find_list(const struct hone__loader *loader)
{
  const struct hone__node *node = hone__node_get(loader->root, "alternatives");

  return node && node->kind == HONE__SEQUENCE && node->count <= MOST_ALTERNATIVES ? node : NULL;
}

static bool check_list(struct hone__loader *loader)
{
  static const char *const others[] = {"params", "configs", "fixed_params"};
  const struct hone__node *node = hone__node_get(loader->root, "alternatives");

  for (size_t i = 0; node && i < sizeof others / sizeof *others; i++)
    if (hone__node_get(loader->root, others[i]))
      hone__loader_error(
          loader, node,
          "'alternatives' cannot be combined with '%s': give all parameters in each alternative",
          others[i]);
  if (node && node->kind != HONE__SEQUENCE)
    hone__loader_error(loader, node, "'alternatives' must be a list of mappings, found %s",
                       hone__node_kind_name(node));
  else if (node && node->count == 0)
    hone__loader_error(loader, node, "no alternatives given: give at least one");
  else if (node && node->count > MOST_ALTERNATIVES)
    hone__loader_error(loader, node, "more than %d alternatives", MOST_ALTERNATIVES);
  return find_list(loader) != NULL;
}

static void load_group(struct hone__loader *loader, const struct hone__node *node)
{
  const struct hone__node *params, *name = hone__node_get(node, "name");

  if (node->kind != HONE__MAPPING) {
    hone__loader_error(loader, node, "an alternative is a mapping with 'params', found %s",
                       hone__node_kind_name(node));
    return;
  }
  hone__schema_check(loader, node, hone__alternative_rules, "alternatives");
  params = hone__node_get(node, "params");
  if (!params) return;
  hone__spec_group_load(loader, params);
  if (name && name->kind == HONE__SCALAR)
    loader->spec->groups[loader->spec->group_count - 1].name = name->text;
}

void hone__alternatives_load(struct hone__loader *loader)
{
  const struct hone__node *list;

  if (!check_list(loader)) return;
  list = find_list(loader);
  for (size_t i = 0; i < list->count; i++) {
    loader->alternative = ++loader->spec->alternative_count;
    load_group(loader, list->items[i]);
  }
  loader->alternative = 0;
}

static const struct hone__spec_group *find_group(const struct hone_spec *spec, size_t alternative)
{
  for (size_t g = 0; g < spec->group_count; g++)
    if (spec->groups[g].alternative == alternative) return &spec->groups[g];
  return NULL;
}

static void finish_one(struct hone__loader *loader, const struct hone__node *node)
{
  const struct hone__node *constraints = hone__node_get(node, "constraints");
  const struct hone__node *texts = hone__node_get(node, "texts");
  const struct hone__node *order = hone__node_get(node, "order");

  if (constraints) hone__constraints_load(loader, constraints, "constraints");
  if (texts) hone__templates_load(loader, texts);
  if (order) hone__orders_load(loader, order);
}

void hone__alternatives_finish(struct hone__loader *loader)
{
  const struct hone__node *list = find_list(loader);
  size_t first = loader->spec->alternative_count - (list ? list->count : 0);

  for (size_t i = 0; list && i < list->count; i++) {
    loader->alternative = first + i + 1;
    loader->group = find_group(loader->spec, loader->alternative);
    if (loader->group) finish_one(loader, list->items[i]);
  }
  loader->alternative = 0;
  loader->group = NULL;
}
