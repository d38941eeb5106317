/* What is wrong with a spec's expressions whatever the configuration is: they are compiled against
 * the types of the parameters' values, and the compiler's findings are reported. */
#include "spec/loader.h"
#include "spec/program.h"

#include <stdlib.h>

struct checker {
  struct hone_spec *spec;
  const struct hone__spec_group *group;
  struct hone__spec_program program;
  uint32_t *derived; /* nodes */
  size_t derived_count;
  uint32_t variables;
};

static uint8_t item_types(const struct hone__item *items, size_t count)
{
  uint8_t types = count ? 0 : HONE__T_ANY & ~HONE__T_FAULT; /* none: it was wrong */

  for (size_t i = 0; i < count; i++)
    types |= items[i].formula ? HONE__T_ANY & ~HONE__T_FAULT : (uint8_t)(1u << items[i].value.type);
  return types;
}

/* A size with one value for all problems is a constant. */
static uint32_t size_node(struct checker *c, const char *name)
{
  struct hone_value first = {0};
  uint8_t types = 0;
  bool constant = true;

  for (size_t i = 0; i < c->spec->problem_count; i++) {
    const struct hone__problem *problem = &c->spec->problems[i];
    for (size_t k = 0; k < problem->count; k++) {
      if (strcmp(problem->names[k], name) != 0) continue;
      if (types && !hone__value_equal(first, problem->values[k])) constant = false;
      first = problem->values[k];
      types |= (uint8_t)(1u << first.type);
    }
  }
  if (constant && types) return hone__spec_program_constant(&c->program, first);
  if (!types) types = HONE__T_ANY & ~HONE__T_FAULT; /* its values were wrong */
  return hone__spec_program_variable(&c->program, c->variables++, types);
}

static enum hone__meaning resolve(void *data, const char *name, uint32_t *out_node)
{
  struct checker *c = data;
  const uint8_t any = HONE__T_ANY & ~HONE__T_FAULT;

  for (size_t i = c->group->count; i-- > 0;) {
    const struct hone__param *param = &c->group->params[i];
    if (strcmp(param->name, name) != 0) continue;
    *out_node = hone__spec_program_variable(&c->program, (uint32_t)i,
                                            item_types(param->items, param->count));
    return HONE__MEANS_NODE;
  }
  for (size_t i = 0; i < c->derived_count; i++) {
    if (strcmp(c->spec->derived[i].name, name) != 0) continue;
    *out_node = c->derived[i];
    return HONE__MEANS_NODE;
  }
  if (hone__starts_with(name, "device.") || hone__starts_with(name, "built.")) {
    *out_node = hone__spec_program_variable(&c->program, c->variables++, any);
    return HONE__MEANS_NODE;
  }
  if (hone__spec_has_size(c->spec, name)) {
    *out_node = size_node(c, name);
    return HONE__MEANS_NODE;
  }
  return HONE__MEANS_ABSENT; /* known in another group: names were checked before */
}

static void report_defects(struct checker *c, const struct hone__formula *formula,
                           const struct hone__compilation *compiler)
{
  for (size_t i = 0; i < compiler->defect_count; i++) {
    const struct hone__defect *defect = &compiler->defects[i];
    struct hone__evaluator at = {.fault = defect->fault, .culprit = defect->expr};
    const char *message = defect->detail
                              ? defect->detail
                              : hone__fault_message(&at, formula->text, &c->program.arena);
    hone__report(&c->spec->diagnostics, HONE__ERROR, formula->source,
                 hone__formula_place(formula, defect->expr->begin), "%s", message);
  }
}

static uint32_t compile(struct checker *c, const struct hone__formula *formula)
{
  struct hone__compilation compiler = {.program = &c->program, .resolve = resolve, .data = c};
  uint32_t node = hone__compile(&compiler, formula->expr);

  report_defects(c, formula, &compiler);
  free(compiler.defects);
  return node;
}

/* The whole, or one side of an `and`. */
static bool is_never_true(const struct hone__spec_program *program, uint32_t root)
{
  const struct hone__instruction *node = &program->nodes[root];

  if (node->role == HONE__ROLE_CONSTANT)
    return node->value.type != HONE__FAULT && !hone__value_truth(node->value);
  return node->role == HONE__ROLE_OPERATOR && node->op == HONE__OP_AND &&
         (is_never_true(program, node->args[0]) || is_never_true(program, node->args[1]));
}

static void check_constraint(struct checker *c, const struct hone__formula *formula)
{
  size_t before = c->spec->diagnostics.errors;
  uint32_t root = compile(c, formula);

  if (c->spec->diagnostics.errors > before || !is_never_true(&c->program, root)) return;
  hone__report(&c->spec->diagnostics, HONE__ERROR, formula->source, formula->place,
               "this constraint is always false: '%.200s'", formula->text);
}

static void check_pieces(struct checker *c, const struct hone__template *template)
{
  for (size_t i = 0; i < template->count; i++)
    if (template->pieces[i].kind != HONE__PIECE_WORDS) compile(c, &template->pieces[i].formula);
}

static bool applies(const struct checker *c, const struct hone__formula *formula)
{
  return hone__applies(formula->file, formula->alternative, c->group);
}

static void check_group(struct checker *c)
{
  c->variables = (uint32_t)c->group->count;
  c->derived_count = 0;
  for (size_t i = 0; i < c->spec->derived_count; i++) {
    const uint8_t any = HONE__T_ANY & ~HONE__T_FAULT;
    c->derived[i] = c->spec->derived[i].expr
                        ? compile(c, &c->spec->derived[i])
                        : hone__spec_program_variable(&c->program, c->variables++, any);
    c->derived_count++;
  }
  for (size_t i = 0; i < c->spec->constraint_count; i++)
    if (applies(c, &c->spec->constraints[i])) check_constraint(c, &c->spec->constraints[i]);
  for (size_t i = 0; i < c->spec->built_count; i++)
    if (applies(c, &c->spec->built[i])) check_constraint(c, &c->spec->built[i]);
  for (size_t i = 0; i < c->spec->order_count; i++)
    if (applies(c, &c->spec->orders[i])) compile(c, &c->spec->orders[i]);
  for (size_t i = 0; i < c->spec->template_count; i++) {
    const struct hone__template *template = &c->spec->templates[i];
    if (hone__applies(template->file, template->alternative, c->group)) check_pieces(c, template);
  }
}

void hone__spec_check(struct hone_spec *spec)
{
  const size_t enough = 64; /* groups: further ones hardly have their own types */

  for (size_t g = 0; g < spec->group_count && g < enough; g++) {
    struct checker c = {.spec = spec, .group = &spec->groups[g]};
    c.derived = hone__alloc((spec->derived_count + 1) * sizeof *c.derived);
    check_group(&c);
    free(c.derived);
    hone__spec_program_release(&c.program);
  }
}
