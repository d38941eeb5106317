/* Why a configuration is legal or not: each constraint on its values. */
#include "space/assignment.h"
#include "space/explanation.h"
#include "space/listed.h"

#include <stdlib.h>

/* Every parameter is a variable here, also one with a single value, because the user may ask about
 * any value. */
struct explainer {
  const struct hone_space *space;
  const struct hone__solved_group *group;
  struct hone__setup setup;
  struct hone__spec_program program;
  struct hone_value *values; /* of the parameters */
  uint32_t *derived;
  size_t derived_count;
  struct hone_explanation *explanation;
  struct hone__arena *arena;
};

static enum hone__meaning resolve(void *data, const char *name, uint32_t *out_node)
{
  struct explainer *e = data;
  struct hone_value value;

  for (size_t i = e->group->count; i-- > 0;) {
    if (strcmp(e->group->domains[i].name, name) != 0) continue;
    *out_node = hone__spec_program_variable(&e->program, (uint32_t)i, HONE__T_ANY);
    return HONE__MEANS_NODE;
  }
  for (size_t i = 0; i < e->derived_count; i++) {
    if (strcmp(e->space->spec->derived[i].name, name) != 0) continue;
    *out_node = e->derived[i];
    return HONE__MEANS_NODE;
  }
  if (!hone__setup_lookup(&e->setup, name, &value)) return HONE__MEANS_ABSENT;
  *out_node = hone__spec_program_constant(&e->program, value);
  return HONE__MEANS_NODE;
}

static uint32_t compile(struct explainer *e, const struct hone__formula *formula)
{
  struct hone__compilation compiler = {.program = &e->program, .resolve = resolve, .data = e};
  uint32_t node = hone__compile(&compiler, formula->expr);

  free(compiler.defects);
  return node;
}

static struct hone_value run(struct explainer *e, uint32_t node)
{
  struct hone_value *values = hone__alloc(e->program.count * sizeof *values), result;

  hone__spec_program_run(&e->program, node, e->values, values);
  result = values[node];
  free(values);
  return result;
}

static bool was_named(const char *text, const char *name)
{
  size_t length = strlen(name);

  for (const char *p = text; p && (p = strstr(p, name)); p++)
    if ((p == text || p[-1] == ' ') && p[length] == '=') return true;
  return false;
}

/* "BM=96, M=256": every name once, in the order of the expression. */
static void print_names(struct explainer *e, const struct hone__expr *expr, struct hone__text *text)
{
  struct hone__syntax_error error;
  struct hone_value value;

  if (expr->kind == HONE__EXPR_NAME && !was_named(text->data, expr->name)) {
    struct hone__formula name = {.text = expr->name};
    name.expr = hone__expression_parse(expr->name, e->arena, &error);
    value = run(e, compile(e, &name));
    if (value.type == HONE__FAULT && value.integer == HONE__FAULT_NAME)
      return; /* of another group */
    hone__text_addf(text, "%s%s=", text->length ? ", " : "", expr->name);
    if (value.type == HONE__FAULT)
      hone__text_add(text, hone__fault_text((enum hone__fault)value.integer));
    else
      hone__value_print(value, text);
  }
  for (size_t i = 0; i < expr->count && expr->kind != HONE__EXPR_FOR; i++)
    print_names(e, expr->args[i], text);
  for (size_t i = 0; i < expr->clause_count; i++)
    print_names(e, expr->clauses[i].expr, text);
}

static void add_reason(struct explainer *e, enum hone_constraint_state state,
                       const char *constraint, const char *values)
{
  struct hone_explanation *x = e->explanation;

  x->reasons[x->reason_count++] =
      (struct hone__reason){.state = state, .constraint = constraint, .values = values};
  if (state == HONE_FAILS || state == HONE_FAULTS_THERE) x->legal = false;
}

static void explain_value(struct explainer *e, struct hone__assignment *given, size_t param)
{
  const struct hone__domain *domain = &e->group->domains[param];
  const char *text = hone__assignment_find(given, domain->name);
  struct hone__text list = {0};
  uint32_t index = 0;

  if (!text || hone__assignment_value(given, domain, text, &index)) {
    e->values[param] = domain->count ? hone__domain_value(domain, index) : hone__int(0);
    return;
  }
  e->values[param] = hone__evaluate_word(e->arena, text);
  hone__assignment_print_values(domain, &list);
  add_reason(e, HONE_FAILS, NULL,
             hone__arena_printf(e->arena, "%s=%s is not a value of '%s': %s", domain->name, text,
                                domain->name, list.data ? list.data : "it has none"));
  hone__text_release(&list);
}

static void explain_constraint(struct explainer *e, const struct hone__formula *formula)
{
  struct hone__text names = {0};
  struct hone_value value = run(e, compile(e, formula));
  enum hone_constraint_state state = HONE_HOLDS;

  if (value.type == HONE__FAULT)
    state = value.integer == HONE__FAULT_NAME ? HONE_DOES_NOT_APPLY : HONE_FAULTS_THERE;
  else if (!hone__value_truth(value))
    state = HONE_FAILS;
  print_names(e, formula->expr, &names);
  if (state == HONE_FAULTS_THERE)
    hone__text_addf(&names, "%s%s", names.length ? ": " : "",
                    hone__fault_text((enum hone__fault)value.integer));
  add_reason(e, state, formula->text, hone__arena_strdup(e->arena, names.data ? names.data : ""));
  hone__text_release(&names);
}

static void explain_built(struct explainer *e)
{
  const struct hone_spec *spec = e->space->spec;

  for (size_t i = 0; i < spec->built_count; i++) {
    const struct hone__formula *formula = &spec->built[i];
    if (!formula->name && hone__applies(formula->file, formula->alternative, e->group->group))
      add_reason(e, HONE_AFTER_BUILD, formula->text, "checked after the build");
  }
}

static void explain_listing(struct explainer *e)
{
  const struct hone__listing *listing = e->group->group->listing;

  if (listing && !hone__space_listing_has(listing, e->group, e->values))
    add_reason(e, HONE_FAILS, NULL,
               hone__arena_printf(e->arena, "it is not among the %zu configurations that were %s",
                                  listing->count, listing->what));
}

static void explain_all(struct explainer *e, struct hone__assignment *given)
{
  const struct hone_spec *spec = e->space->spec;

  e->explanation->legal = true;
  e->explanation->reasons = hone__arena_alloc(
      e->arena, (e->group->count + spec->constraint_count + spec->built_count + 2) *
                    sizeof *e->explanation->reasons);
  e->values = hone__arena_alloc(e->arena, (e->group->count + 1) * sizeof *e->values);
  e->derived = hone__arena_alloc(e->arena, (spec->derived_count + 1) * sizeof *e->derived);
  for (size_t i = 0; i < e->group->count; i++)
    explain_value(e, given, i);
  explain_listing(e);
  for (size_t i = 0; i < spec->derived_count; i++) {
    e->derived[i] = compile(e, &spec->derived[i]);
    e->derived_count++;
  }
  for (size_t i = 0; i < spec->constraint_count; i++)
    if (hone__applies(spec->constraints[i].file, spec->constraints[i].alternative, e->group->group))
      explain_constraint(e, &spec->constraints[i]);
  explain_built(e);
}

hone_status hone_space_explain(const struct hone_space *space, const char *text,
                               struct hone_explanation **out_explanation)
{
  struct hone_explanation *own = hone__alloc(sizeof *own);
  struct explainer e = {.space = space, .explanation = own, .arena = &own->arena};
  struct hone__assignment given;
  size_t group = 0;
  hone_status status = hone__assignment_read(text, &given);

  *out_explanation = NULL;
  if (!status) status = hone__assignment_pick_group(space, &given, &group);
  if (!status) status = hone__setup_init(&e.setup, space->spec, &space->options, e.arena);
  if (!status) {
    e.group = &space->groups[group];
    own->group = group;
    explain_all(&e, &given);
  }
  hone__assignment_release(&given);
  hone__spec_program_release(&e.program);
  if (status)
    hone_explanation_free(own);
  else
    *out_explanation = own;
  return status;
}

void hone_explanation_free(struct hone_explanation *explanation)
{
  if (!explanation) return;
  hone__arena_release(&explanation->arena);
  free(explanation);
}

bool hone_explanation_is_legal(const struct hone_explanation *explanation)
{
  return explanation->legal;
}

size_t hone_explanation_group(const struct hone_explanation *explanation)
{
  return explanation->group;
}

size_t hone_explanation_count(const struct hone_explanation *explanation)
{
  return explanation->reason_count;
}

enum hone_constraint_state hone_explanation_state(const struct hone_explanation *explanation,
                                                  size_t reason)
{
  return reason < explanation->reason_count ? explanation->reasons[reason].state
                                            : HONE_DOES_NOT_APPLY;
}

const char *hone_explanation_constraint(const struct hone_explanation *explanation, size_t reason)
{
  return reason < explanation->reason_count ? explanation->reasons[reason].constraint : NULL;
}

const char *hone_explanation_values(const struct hone_explanation *explanation, size_t reason)
{
  return reason < explanation->reason_count ? explanation->reasons[reason].values : NULL;
}

size_t hone_space_constraint_count(const struct hone_space *space)
{
  return space->spec->constraint_count;
}

const char *hone_space_constraint(const struct hone_space *space, size_t constraint)
{
  return constraint < space->spec->constraint_count ? space->spec->constraints[constraint].text
                                                    : NULL;
}
