/* Parameters and their values.
 *
 * kbench hands every element of a list to Python's eval, and keeps the whole list as written if any
 * element cannot be evaluated. In a file that uses kbench's keys only the same happens here with
 * our own evaluator, so that meshes are equal; elsewhere each element is taken by itself. No name
 * ever means a Python object: `max`, `time` and `aiter` stay words. */
#include "spec/loader.h"
#include "spec/values.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>

enum {
  LONG_RANGE = 4096,   /* a longer range is not expanded */
  MOST_PARAMS = 10000, /* of one group */
  MOST_GROUPS = 100000
};

/* The items of a parameter while they are collected. */
struct item_list {
  struct hone__item *items;
  size_t count, capacity;
  struct hone__values seen;
};

static bool add_value(struct item_list *list, struct hone_value value)
{
  size_t before = list->seen.count;
  bool ok = hone__values_add(&list->seen, value);

  for (size_t i = before; i < list->seen.count; i++) {
    HONE__GROW(list->items, list->count, list->capacity);
    list->items[list->count++] = (struct hone__item){.value = list->seen.items[i]};
  }
  return ok;
}

static void add_formula(struct item_list *list, const struct hone__formula *formula,
                        struct hone__arena *arena)
{
  struct hone__item item = {.formula = hone__arena_alloc(arena, sizeof *formula)};

  *item.formula = *formula;
  HONE__GROW(list->items, list->count, list->capacity);
  list->items[list->count++] = item;
}

static void take_items(struct item_list *list, struct hone__arena *arena,
                       struct hone__item **out_items, size_t *out_count)
{
  *out_count = list->count;
  *out_items = hone__arena_alloc(arena, (list->count + 1) * sizeof **out_items);
  if (list->count) memcpy(*out_items, list->items, list->count * sizeof **out_items);
  free(list->items);
  hone__values_release(&list->seen);
  *list = (struct item_list){0};
}

/* ---- Evaluating elements ---- */

enum outcome {
  IS_VALUE, /* evaluated */
  IS_LATER, /* an expression over the problem or the device */
  IS_TEXT,  /* not an expression: it stays as it is written */
  IS_WRONG  /* meant as an expression, but wrong: reported */
};

static bool depends_on_problem(struct hone__loader *loader, const struct hone__expr *expr)
{
  if (expr->kind == HONE__EXPR_NAME)
    return hone__starts_with(expr->name, "device.") ||
           hone__spec_has_size(loader->spec, expr->name);
  for (size_t i = 0; i < expr->count; i++)
    if (depends_on_problem(loader, expr->args[i])) return true;
  for (size_t i = 0; i < expr->clause_count; i++)
    if (depends_on_problem(loader, expr->clauses[i].expr)) return true;
  return false;
}

/* Whoever writes this wants a computation, so an unknown word is a mistake. */
static bool is_computation(struct hone__loader *loader, const struct hone__expr *expr)
{
  if (expr->kind == HONE__EXPR_FUNCTION || expr->kind == HONE__EXPR_FOR) return true;
  if (expr->kind == HONE__EXPR_OPERATOR && expr->op == HONE__OP_IF) return true;
  return depends_on_problem(loader, expr);
}

static bool looks_computed(const char *text)
{
  return *text == '[' || hone__starts_with(text, "range(") ||
         (strstr(text, " if ") && strstr(text, " else "));
}

static enum outcome complain(struct hone__loader *loader, const struct hone__formula *formula,
                             uint32_t offset, const char *message)
{
  hone__report(loader->diagnostics, HONE__ERROR, formula->source,
               hone__formula_place(formula, offset), "%s", message);
  return IS_WRONG;
}

/* YAML splits an unquoted [2 ** i for i in range(4, 8)] at its comma. */
static void warn_split(struct hone__loader *loader, const struct hone__node *node)
{
  const char *loop = strstr(node->text, " for ");

  if (node->plain && loop && strstr(loop, " in "))
    hone__loader_warning(loader, node, "'%.60s' is treated as text; a comprehension must be quoted",
                         node->text);
}

static enum outcome evaluate_text(struct hone__loader *loader, const struct hone__node *node,
                                  struct hone__formula *out_formula, struct hone_value *out_value)
{
  struct hone__arena *arena = &loader->spec->arena;
  struct hone__evaluator evaluator = {.arena = arena, .work = &loader->spec->work};
  struct hone__formula formula = hone__formula_at(loader, node);
  struct hone__syntax_error error;
  struct hone__range range;

  formula.expr = hone__expression_parse(node->text, arena, &error);
  *out_formula = formula;
  if (!formula.expr && (error.is_limit || (!loader->kbench && looks_computed(node->text))))
    return complain(loader, &formula, error.offset, error.message);
  if (!formula.expr) {
    warn_split(loader, node);
    return IS_TEXT;
  }
  if (depends_on_problem(loader, formula.expr))
    return hone__loader_formula(loader, node, HONE__NAMES_PROBLEM | HONE__NAMES_DEVICE, out_formula)
               ? IS_LATER
               : IS_WRONG;
  if (hone__evaluate_range(&evaluator, formula.expr, &range) && range.count > LONG_RANGE)
    return IS_LATER;
  evaluator.fault = HONE__FAULT_NONE;
  if (hone__evaluate(&evaluator, formula.expr, out_value)) return IS_VALUE;
  if (evaluator.fault == HONE__FAULT_NAME &&
      (loader->kbench || !is_computation(loader, formula.expr)))
    return IS_TEXT;
  if (loader->kbench && evaluator.fault != HONE__FAULT_OVERFLOW &&
      evaluator.fault != HONE__FAULT_LENGTH)
    return IS_TEXT; /* as Python's eval refuses it */
  return complain(loader, &formula, evaluator.culprit->begin,
                  hone__fault_message(&evaluator, node->text, arena));
}

static bool is_finite_scalar(const struct hone__node *node)
{
  return node->value.type != HONE_FLOAT || isfinite(node->value.real);
}

/* Inner lists are taken as they are: Python's eval sees their texts in quotes. */
static bool add_nested(struct hone__loader *loader, struct item_list *list,
                       const struct hone__node *node, int depth)
{
  bool ok = true;

  if (depth > 50) {
    hone__loader_error(loader, node, "lists are nested too deeply");
    return false;
  }
  if (node->kind == HONE__SCALAR) {
    ok = add_value(list, node->value);
  } else {
    for (size_t i = 0; ok && i < node->count; i++)
      ok =
          add_nested(loader, list,
                     node->kind == HONE__SEQUENCE ? node->items[i] : node->pairs[i].key, depth + 1);
    return ok;
  }
  if (!ok)
    hone__loader_error(loader, node,
                       "more than %d values; write a long range as text: "
                       "\"range(1, 1000000)\"",
                       HONE__MOST_VALUES);
  return ok;
}

struct element {
  const struct hone__node *node;
  enum outcome outcome;
  struct hone_value value;
  struct hone__formula formula;
};

static bool has_infinite(const struct hone__node *node, int depth)
{
  if (node->kind == HONE__SCALAR) return !is_finite_scalar(node);
  for (size_t i = 0; node->kind == HONE__SEQUENCE && depth < 50 && i < node->count; i++)
    if (has_infinite(node->items[i], depth + 1)) return true;
  return false;
}

static void evaluate_element(struct hone__loader *loader, struct element *element)
{
  const struct hone__node *node = element->node;

  element->outcome = IS_VALUE;
  if (node->kind == HONE__SCALAR && node->value.type == HONE_TEXT)
    element->outcome = evaluate_text(loader, node, &element->formula, &element->value);
  else if (has_infinite(node, 0)) /* Python knows no `inf` and no `nan` */
    element->outcome = IS_TEXT;
  else if (node->kind == HONE__SCALAR)
    element->value = node->value;
  else
    element->value = (struct hone_value){.type = HONE_NONE}; /* flattened when it is added */
}

/* One text keeps a whole list of kbench's as written; someone who wrote a computation there is
 * told. */
static void warn_kept(struct hone__loader *loader, const struct element *elements, size_t count)
{
  const struct hone__node *word = NULL;

  for (size_t i = 0; i < count; i++)
    if (elements[i].outcome == IS_TEXT) word = elements[i].node;
  for (size_t i = 0; i < count; i++) {
    const struct element *e = &elements[i];
    if (e->node->kind != HONE__SCALAR || e->node->value.type != HONE_TEXT) continue;
    if (e->outcome != IS_VALUE || e->formula.expr->kind == HONE__EXPR_LITERAL) continue;
    hone__loader_warning(
        loader, e->node,
        "'%s' is treated as text because '%s' in the same list is not an expression", e->node->text,
        word->kind == HONE__SCALAR ? word->text : "a list");
  }
}

static bool add_elements(struct hone__loader *loader, struct element *elements, size_t count,
                         struct item_list *list)
{
  bool as_written = false, ok = true;

  for (size_t i = 0; i < count; i++) {
    if (elements[i].outcome == IS_WRONG) return false;
    if (elements[i].outcome == IS_TEXT) as_written = true;
  }
  as_written = as_written && loader->kbench;
  if (as_written) warn_kept(loader, elements, count);
  for (size_t i = 0; ok && i < count; i++) {
    struct element *e = &elements[i];
    if (as_written || e->outcome == IS_TEXT || e->node->kind != HONE__SCALAR) {
      ok = add_nested(loader, list, e->node, 0);
    } else if (e->outcome == IS_LATER) {
      add_formula(list, &e->formula, &loader->spec->arena);
    } else if (!add_value(list, e->value)) {
      hone__loader_error(loader, e->node, "more than %d values", HONE__MOST_VALUES);
      ok = false;
    }
  }
  return ok;
}

bool hone__values_load(struct hone__loader *loader, const struct hone__node *node, const char *what,
                       struct hone__item **out_items, size_t *out_count)
{
  bool is_list = node->kind == HONE__SEQUENCE;
  size_t count = is_list ? node->count : 1;
  struct element *elements = hone__alloc((count + 1) * sizeof *elements);
  struct item_list list = {0};
  bool ok;

  if (node->kind == HONE__MAPPING && !loader->kbench) {
    hone__loader_error(loader, node, "%s needs a value or a list of values, found a mapping", what);
    free(elements);
    return false;
  }
  for (size_t i = 0; i < count; i++) {
    elements[i].node = is_list ? node->items[i] : node;
    evaluate_element(loader, &elements[i]);
  }
  if (!is_list && node->kind == HONE__SCALAR && node->value.type == HONE_NONE) count = 0;
  ok = add_elements(loader, elements, count, &list);
  if (ok && list.count == 0) {
    hone__loader_error(loader, node, "%s has no values", what);
    ok = false;
  }
  take_items(&list, &loader->spec->arena, out_items, out_count);
  free(elements);
  return ok;
}

/* ---- Groups ---- */

static bool load_param(struct hone__loader *loader, const struct hone__pair *pair,
                       struct hone__param *param)
{
  struct hone__text name = {0};
  const char *what;
  bool ok;

  hone__value_print(pair->key->value, &name);
  if (pair->key->value.type == HONE_TEXT) {
    hone__text_release(&name);
    hone__text_add(&name, pair->key->text);
  }
  param->runtime = name.data[0] == '$';
  param->name = hone__arena_strdup(&loader->spec->arena, name.data + param->runtime);
  param->source = loader->source;
  param->place = pair->key->place;
  hone__text_release(&name);
  if (!*param->name) {
    hone__loader_error(loader, pair->key, "a parameter has no name");
    return false;
  }
  what = hone__arena_printf(&loader->spec->arena, "parameter '%s'", param->name);
  ok = hone__values_load(loader, pair->value, what, &param->items, &param->count);
  return ok;
}

void hone__spec_group_add(struct hone__loader *loader, const struct hone__node *node,
                          const struct hone__spec_group *group)
{
  struct hone_spec *spec = loader->spec;
  size_t count = spec->group_count;

  if (count == MOST_GROUPS) {
    hone__loader_error(loader, node, "more than %d groups of parameters", MOST_GROUPS);
    return;
  }
  spec->groups = hone__loader_room(loader, spec->groups, count, sizeof *group);
  spec->groups[spec->group_count++] = *group;
}

static bool read_group(struct hone__loader *loader, const struct hone__node *node,
                       struct hone__spec_group *out_group)
{
  bool ok = true;

  *out_group = (struct hone__spec_group){.file = loader->file, .alternative = loader->alternative};
  if (node->kind != HONE__MAPPING) {
    hone__loader_error(loader, node, "expected a mapping of parameters to their values, found %s",
                       hone__node_kind_name(node));
    return false;
  }
  if (node->count > MOST_PARAMS) {
    hone__loader_error(loader, node, "more than %d parameters in one group", MOST_PARAMS);
    return false;
  }
  out_group->params =
      hone__arena_alloc(&loader->spec->arena, (node->count + 1) * sizeof *out_group->params);
  for (size_t i = 0; i < node->count; i++) {
    if (strcmp(node->pairs[i].key->text, "metadata") == 0) continue;
    ok = load_param(loader, &node->pairs[i], &out_group->params[out_group->count]) && ok;
    out_group->count++; /* a wrong one too: its name is known to the expressions */
  }
  return ok;
}

void hone__spec_group_load(struct hone__loader *loader, const struct hone__node *params)
{
  struct hone__spec_group group;

  read_group(loader, params, &group);
  hone__spec_group_add(loader, params, &group);
}

static void load_groups(struct hone__loader *loader, const struct hone__node *node)
{
  struct hone__spec_group group;

  if (node->kind == HONE__MAPPING && node->count == 0) {
    hone__loader_error(loader, node, "no parameters: give names and their values");
    return;
  }
  if (node->kind == HONE__MAPPING) {
    hone__spec_group_load(loader, node);
    return;
  }
  if (node->kind != HONE__SEQUENCE) {
    hone__loader_error(loader, node, "expected a mapping of parameters or a list of them, found %s",
                       hone__node_kind_name(node));
    return;
  }
  for (size_t i = 0; i < node->count; i++)
    if (read_group(loader, node->items[i], &group) || group.count)
      hone__spec_group_add(loader, node->items[i], &group);
}

static void check_distinct(struct hone__loader *loader, const struct hone__spec_group *config,
                           const struct hone__spec_group *group)
{
  for (size_t i = 0; i < config->count; i++)
    for (size_t k = 0; k < group->count; k++)
      if (strcmp(config->params[i].name, group->params[k].name) == 0)
        hone__report(loader->diagnostics, HONE__ERROR, config->params[i].source,
                     config->params[i].place, "parameter '%s' is also defined under 'params'",
                     config->params[i].name);
}

/* Each configuration, combined with each group of `params` if there are any. */
static void load_configs(struct hone__loader *loader, const struct hone__node *node, size_t first)
{
  struct hone_spec *spec = loader->spec;
  size_t base = spec->group_count - first;
  struct hone__spec_group *groups = hone__alloc((base + 1) * sizeof *groups);
  struct hone__spec_group config, joined;

  if (base) memcpy(groups, spec->groups + first, base * sizeof *groups);
  spec->group_count = first;
  if (node->kind != HONE__SEQUENCE || node->count == 0)
    hone__loader_error(loader, node, "expected a list of configurations, found %s",
                       node->kind == HONE__SEQUENCE ? "an empty one" : hone__node_kind_name(node));
  for (size_t i = 0; node->kind == HONE__SEQUENCE && i < node->count; i++) {
    if (!read_group(loader, node->items[i], &config)) continue;
    for (size_t k = 0; k < config.count; k++)
      if (config.params[k].count > 1)
        hone__loader_error(loader, node->items[i],
                           "a configuration has one value for each parameter; '%s' has %zu",
                           config.params[k].name, config.params[k].count);
    if (!base) hone__spec_group_add(loader, node->items[i], &config);
    for (size_t g = 0; g < base && !loader->diagnostics->errors; g++) {
      check_distinct(loader, &config, &groups[g]);
      joined = config;
      joined.count = config.count + groups[g].count;
      joined.params = hone__arena_alloc(&spec->arena, (joined.count + 1) * sizeof *joined.params);
      memcpy(joined.params, config.params, config.count * sizeof *joined.params);
      memcpy(joined.params + config.count, groups[g].params,
             groups[g].count * sizeof *joined.params);
      hone__spec_group_add(loader, node->items[i], &joined);
    }
  }
  free(groups);
}

static void check_sizes(struct hone__loader *loader, size_t first)
{
  const struct hone_spec *spec = loader->spec;

  for (size_t g = first; g < spec->group_count && spec->size_name_count; g++) {
    for (size_t i = 0; i < spec->groups[g].count; i++) {
      const struct hone__param *param = &spec->groups[g].params[i];
      if (hone__spec_has_size(spec, param->name))
        hone__report(loader->diagnostics, HONE__ERROR, param->source, param->place,
                     "'%s' is already a size of the problem; give the parameter another name",
                     param->name);
    }
  }
}

void hone__parameters_load(struct hone__loader *loader, size_t file)
{
  const struct hone__node *params = hone__node_get(loader->root, "params");
  const struct hone__node *fixed = hone__node_get(loader->root, "fixed_params");
  const struct hone__node *configs = hone__node_get(loader->root, "configs");
  size_t first = loader->spec->group_count;

  loader->file = file;
  if (params) load_groups(loader, params);
  if (configs) load_configs(loader, configs, first);
  if (fixed) load_groups(loader, fixed);
  hone__alternatives_load(loader);
  check_sizes(loader, first);
}

/* ---- --param NAME:VALUE ---- */

static void add_word(struct hone_spec *spec, const char *begin, const char *end,
                     struct item_list *list)
{
  while (begin < end && isspace((unsigned char)*begin))
    begin++;
  while (begin < end && isspace((unsigned char)end[-1]))
    end--;
  add_value(list, hone__evaluate_word(&spec->arena, hone__arena_strndup(&spec->arena, begin,
                                                                        (size_t)(end - begin))));
}

/* At commas outside brackets and quotes. */
static void split_values(struct hone_spec *spec, const char *text, struct item_list *list)
{
  size_t length = strlen(text), start = 0;
  int depth = 0;
  char quote = 0;

  if (length >= 2 && text[0] == '[' && text[length - 1] == ']') {
    text = hone__arena_strndup(&spec->arena, text + 1, length - 2);
    length -= 2;
  }
  for (size_t i = 0; i <= length; i++) {
    char c = text[i];
    if (quote) {
      if (c == quote) quote = 0;
    } else if (c == '\'' || c == '"') {
      quote = c;
    } else if (c == '(' || c == '[') {
      depth++;
    } else if (c == ')' || c == ']') {
      depth--;
    }
    if (c && (c != ',' || depth > 0 || quote)) continue;
    add_word(spec, text + start, text + i, list);
    start = i + 1;
  }
}

static const char *bare_name(const char *name)
{
  while (*name == '$')
    name++;
  return name;
}

void hone__spec_group_override(struct hone__arena *arena, struct hone__spec_group *group,
                               const struct hone__param *override)
{
  struct hone__param *grown = hone__arena_alloc(arena, (group->count + 1) * sizeof *grown);

  if (group->count) memcpy(grown, group->params, group->count * sizeof *grown);
  group->params = grown;
  for (size_t i = 0; i < group->count; i++) {
    if (strcmp(bare_name(grown[i].name), bare_name(override->name)) != 0) continue;
    grown[i].items = override->items;
    grown[i].count = override->count;
    return;
  }
  grown[group->count++] = *override;
}

/* The name with its `$`, up to the colon; 0: there is none. */
static size_t name_length(const char *text)
{
  size_t length = strcspn(text, ":");

  return text[length] == ':' && *bare_name(text) != ':' ? length : 0;
}

hone_status hone__overrides_load(struct hone_spec *spec, const char *const *texts, size_t count)
{
  struct hone__arena *arena = &spec->arena;

  spec->overrides = hone__arena_alloc(arena, (count + 1) * sizeof *spec->overrides);
  for (size_t i = 0; i < count; i++) {
    struct hone__param *param = &spec->overrides[spec->override_count];
    size_t length = name_length(texts[i]);
    struct item_list list = {0};
    bool earlier = false;
    if (length == 0)
      return hone__error(HONE_INVALID_ARGUMENT,
                         "bad --param '%s': expected NAME:VALUE or NAME:[VALUE,VALUE]", texts[i]);
    for (size_t k = 0; k < i; k++)
      earlier = earlier || strncmp(texts[k], texts[i], length + 1) == 0;
    if (earlier) continue;
    for (size_t k = i; k < count; k++)
      if (strncmp(texts[k], texts[i], length + 1) == 0)
        split_values(spec, texts[k] + length + 1, &list);
    param->runtime = texts[i][0] == '$';
    param->name = bare_name(hone__arena_strndup(arena, texts[i], length));
    take_items(&list, arena, &param->items, &param->count);
    spec->override_count++;
  }
  return NULL;
}
