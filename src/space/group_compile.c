/* All expressions of a group as one program: derived values, constraints, then what is computed for
 * single configurations (texts and the keys of the order), each with the list of nodes it needs. */
#include "space/group.h"

#include <stdlib.h>

struct names {
  struct hone__setup *setup;
  struct hone__solved_group *solved;
  size_t derived_count; /* known so far */
  bool lacks_one;       /* a name was requested that this group does not have */
};

static enum hone__meaning resolve(void *data, const char *name, uint32_t *out_node)
{
  struct names *names = data;
  struct hone__solved_group *solved = names->solved;
  struct hone_value value;

  for (size_t i = solved->count; i-- > 0;) { /* of x and $x the later one */
    const struct hone__domain *domain = &solved->domains[i];
    if (strcmp(domain->name, name) != 0) continue;
    *out_node = domain->count == 1
                    ? hone__spec_program_constant(&solved->program, hone__domain_value(domain, 0))
                    : hone__spec_program_variable(&solved->program, (uint32_t)i, domain->types);
    return HONE__MEANS_NODE;
  }
  for (size_t i = 0; i < names->derived_count; i++) {
    if (strcmp(names->setup->spec->derived[i].name, name) != 0) continue;
    *out_node = solved->derived[i];
    return HONE__MEANS_NODE;
  }
  if (hone__setup_lookup(names->setup, name, &value)) {
    *out_node = hone__spec_program_constant(&solved->program, value);
    return HONE__MEANS_NODE;
  }
  /* The loader knows all other names: this one belongs to another group. */
  if (hone__starts_with(name, "device.")) return HONE__MEANS_NOTHING;
  names->lacks_one = true;
  return HONE__MEANS_ABSENT;
}

static hone_status compile(struct names *names, const struct hone__formula *formula,
                           uint32_t *out_node)
{
  struct hone__compilation compiler = {
      .program = &names->solved->program, .resolve = resolve, .data = names};
  hone_status status = NULL;

  *out_node = hone__compile(&compiler, formula->expr);
  if (compiler.defect_count) {
    const struct hone__defect *defect = &compiler.defects[0];
    struct hone__evaluator at = {.fault = defect->fault, .culprit = defect->expr};
    status = defect->detail
                 ? hone__space_formula_error(formula, defect->expr->begin, defect->detail)
                 : hone__space_fault_error(names->setup, formula, &at);
  }
  free(compiler.defects);
  return status;
}

static hone_status compile_derived(struct names *names)
{
  const struct hone_spec *spec = names->setup->spec;
  struct hone__solved_group *solved = names->solved;
  hone_status status = NULL;

  solved->derived =
      hone__arena_alloc(names->setup->arena, (spec->derived_count + 1) * sizeof *solved->derived);
  for (size_t i = 0; i < spec->derived_count && !status; i++) {
    status = compile(names, &spec->derived[i], &solved->derived[i]);
    names->derived_count++;
  }
  return status;
}

static hone_status compile_constraints(struct names *names)
{
  const struct hone_spec *spec = names->setup->spec;
  struct hone__solved_group *solved = names->solved;
  hone_status status = NULL;

  for (size_t i = 0; i < spec->constraint_count && !status; i++) {
    const struct hone__formula *formula = &spec->constraints[i];
    uint32_t node = 0;
    if (!hone__applies(formula->file, formula->alternative, solved->group)) continue;
    status = compile(names, formula, &node);
    solved->constraints[i] = node;
  }
  return status;
}

/* ---- What is computed for single configurations ---- */

static hone_status compile_text(struct names *names, const struct hone__template *template,
                                struct hone__solved_text *text)
{
  hone_status status = NULL;

  text->roots = hone__arena_alloc(names->setup->arena, (template->count + 1) * sizeof *text->roots);
  names->lacks_one = false;
  for (size_t i = 0; i < template->count && !status; i++)
    if (template->pieces[i].kind != HONE__PIECE_WORDS)
      status = compile(names, &template->pieces[i].formula, &text->roots[i]);
  if (!names->lacks_one) text->template = template;
  return status;
}

static hone_status compile_texts(struct names *names)
{
  const struct hone_spec *spec = names->setup->spec;
  struct hone__solved_group *solved = names->solved;
  hone_status status = NULL;

  solved->texts =
      hone__arena_alloc(names->setup->arena, (spec->text_name_count + 1) * sizeof *solved->texts);
  for (size_t i = 0; i < spec->text_name_count && !status; i++) {
    const struct hone__template *template = hone__spec_group_template(spec, solved->group, i);
    if (template) status = compile_text(names, template, &solved->texts[i]);
  }
  return status;
}

static hone_status compile_orders(struct names *names)
{
  const struct hone_spec *spec = names->setup->spec;
  struct hone__solved_group *solved = names->solved;
  hone_status status = NULL;

  solved->orders =
      hone__arena_alloc(names->setup->arena, (spec->order_count + 1) * sizeof *solved->orders);
  for (size_t i = 0; i < spec->order_count && !status; i++)
    if (hone__spec_group_has_order(spec, solved->group, &spec->orders[i]))
      status = compile(names, &spec->orders[i], &solved->orders[solved->order_count++]);
  return status;
}

/* The nodes that these are computed from, in rising order. */
static struct hone__recipe make_recipe(struct hone__setup *setup,
                                       const struct hone__spec_program *program,
                                       const uint32_t *roots, size_t count)
{
  struct hone__recipe recipe = {0};
  bool *needed = hone__alloc(program->count + 1);

  for (size_t i = 0; i < count; i++)
    needed[roots[i]] = true;
  for (uint32_t i = program->count; i-- > 0;)
    for (int k = 0; needed[i] && k < program->nodes[i].arity; k++)
      needed[program->nodes[i].args[k]] = true;
  for (uint32_t i = 0; i < program->count; i++)
    recipe.count += needed[i];
  recipe.nodes = hone__arena_alloc(setup->arena, (recipe.count + 1) * sizeof *recipe.nodes);
  recipe.count = 0;
  for (uint32_t i = 0; i < program->count; i++)
    if (needed[i]) recipe.nodes[recipe.count++] = i;
  free(needed);
  return recipe;
}

static void make_recipes(struct hone__setup *setup, struct hone__solved_group *solved)
{
  for (size_t i = 0; i < setup->spec->text_name_count; i++) {
    struct hone__solved_text *text = &solved->texts[i];
    if (text->template)
      text->recipe = make_recipe(setup, &solved->program, text->roots, text->template->count);
  }
  solved->order_recipe = make_recipe(setup, &solved->program, solved->orders, solved->order_count);
}

hone_status hone__group_compile(struct hone__setup *setup, struct hone__solved_group *solved)
{
  struct names names = {.setup = setup, .solved = solved};
  hone_status status = compile_derived(&names);

  if (!status) status = compile_constraints(&names);
  if (!status) status = compile_texts(&names);
  if (!status) status = compile_orders(&names);
  if (!status) make_recipes(setup, solved);
  return status;
}
