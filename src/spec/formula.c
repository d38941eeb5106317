/* Expressions of a spec: parsing them, and checking the names they use. */
#include "spec/loader.h"

#include "hone_text.h"

#include <stdio.h>

static const char *const result_names[] = {"time_ns",  "time_us", "time_ms", "time_s",
                                           "energy_j", "power_w", NULL};

static void report(struct hone__loader *loader, enum hone__severity severity,
                   const struct hone__node *node, const char *format, va_list args)
    __attribute__((format(printf, 4, 0)));
static void report(struct hone__loader *loader, enum hone__severity severity,
                   const struct hone__node *node, const char *format, va_list args)
{
  struct hone__text text = {0};

  hone__text_vaddf(&text, format, args);
  hone__report(loader->diagnostics, severity, loader->source, node->place, "%s", text.data);
  hone__text_release(&text);
}

void hone__loader_error(struct hone__loader *loader, const struct hone__node *node,
                        const char *format, ...)
{
  va_list args;

  va_start(args, format);
  report(loader, HONE__ERROR, node, format, args);
  va_end(args);
}

void hone__loader_warning(struct hone__loader *loader, const struct hone__node *node,
                          const char *format, ...)
{
  va_list args;

  va_start(args, format);
  report(loader, HONE__WARNING, node, format, args);
  va_end(args);
}

void *hone__loader_room(struct hone__loader *loader, void *list, size_t count, size_t element_size)
{
  void *grown;

  if (count & (count - 1)) return list; /* full at 0, 1, 2, 4 ... */
  grown = hone__arena_alloc(&loader->spec->arena, (count ? 2 * count : 1) * element_size);
  if (count) memcpy(grown, list, count * element_size);
  return grown;
}

struct hone__place hone__formula_place(const struct hone__formula *formula, uint32_t offset)
{
  struct hone__place place = formula->place;

  if (formula->one_line && place.line) place.column += offset;
  return place;
}

bool hone__spec_has_param(const struct hone_spec *spec, const char *name)
{
  for (size_t g = 0; g < spec->group_count; g++)
    for (size_t i = 0; i < spec->groups[g].count; i++)
      if (strcmp(spec->groups[g].params[i].name, name) == 0) return true;
  return spec->shapes && hone__spec_has_param(spec->shapes, name);
}

static bool group_has(const struct hone__spec_group *group, const char *name)
{
  for (size_t i = 0; i < group->count; i++)
    if (strcmp(group->params[i].name, name) == 0) return true;
  return false;
}

static bool has_param(const struct hone__loader *loader, const char *name)
{
  const struct hone_spec *spec = loader->spec;

  if (!loader->group) return hone__spec_has_param(spec, name);
  return group_has(loader->group, name) ||
         (spec->shapes && hone__spec_has_param(spec->shapes, name));
}

bool hone__spec_has_size(const struct hone_spec *spec, const char *name)
{
  for (size_t i = 0; i < spec->size_name_count; i++)
    if (strcmp(spec->size_names[i], name) == 0) return true;
  return false;
}

static bool is_known(const struct hone__loader *loader, const char *name, unsigned names)
{
  const struct hone_spec *spec = loader->spec;

  if (names & HONE__NAMES_DEVICE && hone__starts_with(name, "device.")) return true;
  for (const struct hone__loader_local *n = loader->locals; n; n = n->outer)
    if (strcmp(n->name, name) == 0) return true;
  if (names & HONE__NAMES_ANY) return true;
  if (names & HONE__NAMES_BUILT && hone__starts_with(name, "built.")) return true;
  if (names & HONE__NAMES_PROBLEM && hone__spec_has_size(spec, name)) return true;
  if (names & HONE__NAMES_PARAMS && has_param(loader, name)) return true;
  for (size_t i = 0; names & HONE__NAMES_PARAMS && i < spec->override_count; i++)
    if (strcmp(spec->overrides[i].name, name) == 0) return true;
  for (size_t i = 0; names & HONE__NAMES_DERIVED && i < spec->derived_count; i++)
    if (strcmp(spec->derived[i].name, name) == 0) return true;
  for (size_t i = 0; names & HONE__NAMES_RESULTS && result_names[i]; i++)
    if (strcmp(result_names[i], name) == 0) return true;
  return false;
}

static void try_params(const struct hone__loader *loader, struct hone_nearest *nearest)
{
  const struct hone_spec *spec = loader->spec;

  for (size_t g = 0; g < spec->group_count; g++)
    for (size_t i = 0; i < spec->groups[g].count; i++)
      if (!loader->group || loader->group == &spec->groups[g])
        hone_nearest_try(nearest, spec->groups[g].params[i].name);
}

/* A word that some parameter has as a value was meant as text. */
static bool is_some_value(const struct hone_spec *spec, const char *word)
{
  size_t looks = 0;

  for (size_t g = 0; g < spec->group_count; g++)
    for (size_t i = 0; i < spec->groups[g].count; i++)
      for (size_t k = 0; k < spec->groups[g].params[i].count && looks++ < 10000; k++) {
        const struct hone__item *item = &spec->groups[g].params[i].items[k];
        if (!item->formula && item->value.type == HONE_TEXT && !strcmp(item->value.text, word))
          return true;
      }
  return false;
}

const char *hone__loader_suggest(struct hone__loader *loader, const char *word, unsigned names)
{
  const struct hone_spec *spec = loader->spec;
  struct hone_nearest nearest = {.word = word};

  if (names & HONE__NAMES_PARAMS) try_params(loader, &nearest);
  for (size_t i = 0; names & HONE__NAMES_PROBLEM && i < spec->size_name_count; i++)
    hone_nearest_try(&nearest, spec->size_names[i]);
  for (size_t i = 0; names & HONE__NAMES_DERIVED && i < spec->derived_count; i++)
    hone_nearest_try(&nearest, spec->derived[i].name);
  for (size_t i = 0; names & HONE__NAMES_RESULTS && result_names[i]; i++)
    hone_nearest_try(&nearest, result_names[i]);
  if (names & HONE__NAMES_RESULTS && strcmp(word, "time") == 0)
    return "; it has a unit: time_ns, time_us, time_ms or time_s";
  if (hone__starts_with(word, "built.")) return "; build costs are known only in constraints";
  if (hone__spec_is_function_name(word))
    return hone__arena_printf(&loader->diagnostics->arena, "; it is a function: %s(...)", word);
  if (loader->derived && hone__node_get(loader->derived, word))
    return "; a derived value can use only those defined before it";
  if (!nearest.best && is_some_value(spec, word)) return "; text needs quotes";
  if (!nearest.best && loader->group && hone__spec_has_param(spec, word))
    return "; it belongs to another alternative";
  if (!nearest.best) return "";
  return hone__arena_printf(&loader->diagnostics->arena, "; did you mean '%s'?", nearest.best);
}

/* Names of comprehension variables are known inside their comprehension. */
struct scope {
  const struct scope *outer;
  const char *name;
};

static bool check_names(struct hone__loader *loader, const struct hone__formula *formula,
                        const struct hone__expr *expr, unsigned names, const struct scope *scope);

static bool check_clauses(struct hone__loader *loader, const struct hone__formula *formula,
                          const struct hone__expr *expr, size_t clause, unsigned names,
                          const struct scope *scope)
{
  struct scope inner = {.outer = scope};

  if (clause == expr->clause_count)
    return check_names(loader, formula, expr->args[0], names, scope);
  if (!check_names(loader, formula, expr->clauses[clause].expr, names, scope)) return false;
  inner.name = expr->clauses[clause].variable;
  return check_clauses(loader, formula, expr, clause + 1, names, inner.name ? &inner : scope);
}

static bool check_names(struct hone__loader *loader, const struct hone__formula *formula,
                        const struct hone__expr *expr, unsigned names, const struct scope *scope)
{
  bool ok = true;

  if (expr->kind == HONE__EXPR_FOR) return check_clauses(loader, formula, expr, 0, names, scope);
  if (expr->kind == HONE__EXPR_NAME) {
    for (const struct scope *s = scope; s; s = s->outer)
      if (strcmp(s->name, expr->name) == 0) return true;
    if (is_known(loader, expr->name, names)) return true;
    hone__report(loader->diagnostics, HONE__ERROR, formula->source,
                 hone__formula_place(formula, expr->begin), "unknown name '%.80s'%s", expr->name,
                 hone__loader_suggest(loader, expr->name, names));
    return false;
  }
  for (size_t i = 0; i < expr->count; i++)
    ok = check_names(loader, formula, expr->args[i], names, scope) && ok;
  return ok;
}

/* YAML's true and false, in an expression; in a list of values they are words. */
static void read_yaml_words(struct hone__expr *expr)
{
  if (expr->kind == HONE__EXPR_NAME &&
      (strcmp(expr->name, "true") == 0 || strcmp(expr->name, "false") == 0)) {
    expr->kind = HONE__EXPR_LITERAL;
    expr->value = hone__bool(*expr->name == 't');
  }
  for (size_t i = 0; i < expr->count; i++)
    read_yaml_words(expr->args[i]);
  for (size_t i = 0; i < expr->clause_count; i++)
    read_yaml_words(expr->clauses[i].expr);
}

struct hone__formula hone__formula_at(const struct hone__loader *loader,
                                      const struct hone__node *node)
{
  struct hone__formula formula = {.text = node->text,
                                  .source = loader->source,
                                  .place = node->place,
                                  .file = loader->file,
                                  .alternative = loader->alternative};
  struct hone__place inside = {node->place.line, node->place.column + !node->plain};

  formula.one_line = hone__source_has(loader->source, inside, node->text);
  if (formula.one_line) formula.place = inside; /* after the quote */
  return formula;
}

bool hone__loader_parse(struct hone__loader *loader, struct hone__formula *formula, unsigned names)
{
  struct hone__syntax_error error;

  formula->expr = hone__expression_parse(formula->text, &loader->spec->arena, &error);
  if (!formula->expr) {
    hone__report(loader->diagnostics, HONE__ERROR, loader->source,
                 hone__formula_place(formula, error.offset), "%s", error.message);
    return false;
  }
  read_yaml_words(formula->expr);
  return check_names(loader, formula, formula->expr, names, NULL);
}

bool hone__loader_formula(struct hone__loader *loader, const struct hone__node *node,
                          unsigned names, struct hone__formula *out_formula)
{
  struct hone__formula formula;
  bool ok;

  if (node->kind != HONE__SCALAR) {
    hone__loader_error(loader, node, "expected an expression, found %s",
                       hone__node_kind_name(node));
    return false;
  }
  formula = hone__formula_at(loader, node);
  ok = hone__loader_parse(loader, &formula, names);
  if (formula.expr) *out_formula = formula;
  return ok;
}
