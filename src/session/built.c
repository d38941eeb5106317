/* Expressions are parsed with the spec; here they get the values that only a build has. The cache
 * holds the costs, not the results of constraints, because constraints may change.
 */
#include "session/built.h"

#include "backend/task.h"
#include "spec/evaluate.h"
#include "wire/named.h"

#include <stdlib.h>

static const char prefix[] = "built.";

struct scope {
  struct hone__candidate *candidate;
  const struct hone__named *costs;
  size_t cost_count;
  const struct hone__formula *formula;
};

/* ---- Values ---- */

/* Those of `build.limits` need no prefix; NULL: not the name of a cost. */
static const char *cost_name(const struct hone__formula *formula, const char *name)
{
  if (hone__starts_with(name, prefix)) return name + strlen(prefix);
  return formula->name ? name : NULL;
}

static bool look_up(void *data, const char *name, struct hone_value *out_value)
{
  const struct scope *scope = data;
  const struct hone__candidate *candidate = scope->candidate;
  const char *cost = cost_name(scope->formula, name);
  const struct hone_value *value =
      cost ? hone__named_find(scope->costs, scope->cost_count, cost) : NULL;

  if (value && value->type != HONE_NONE) {
    *out_value = *value;
    return true;
  }
  return hone__task_lookup(&candidate->session->problem.task, candidate->row, name, out_value);
}

/* ---- Saying it ---- */

static void add_costs(const struct scope *scope, const struct hone__expr *expr, size_t *count,
                      struct hone__text *why)
{
  struct hone_value value;

  if (expr->kind == HONE__EXPR_NAME && cost_name(scope->formula, expr->name) &&
      look_up((void *)(uintptr_t)scope, expr->name, &value)) {
    hone__text_addf(why, "%s%s is ", (*count)++ ? ", " : ": ", expr->name);
    hone__value_print(value, why);
  }
  for (size_t i = 0; i < expr->count; i++)
    add_costs(scope, expr->args[i], count, why);
  for (size_t i = 0; i < expr->clause_count; i++)
    add_costs(scope, expr->clauses[i].expr, count, why);
}

/* "built.registers <= 128 is not true: built.registers is 168" */
static void explain(const struct scope *scope, struct hone__text *why)
{
  const struct hone__formula *formula = scope->formula;
  size_t count = 0;

  hone__text_addf(why, "%s%s%s is not true", formula->name ? formula->name : "",
                  formula->name ? ": " : "", formula->text);
  add_costs(scope, formula->expr, &count, why);
}

static void list_costs(const struct scope *scope, struct hone__text *names)
{
  for (size_t i = 0; i < scope->cost_count; i++)
    if (scope->costs[i].value.type != HONE_NONE)
      hone__text_addf(names, "%s%s", names->length ? ", " : "", scope->costs[i].name);
}

/* One warning per run: a cost that is unknown for one candidate is rarely known for another. */
static void warn(const struct scope *scope, size_t index, const char *name)
{
  struct hone__session *session = scope->candidate->session;
  size_t count = session->problem.task.spec->built_count;
  struct hone__text known = {0};

  if (!session->builds.unknown)
    session->builds.unknown = hone__arena_alloc(&session->arena, count * sizeof(bool));
  if (session->builds.unknown[index]) return;
  session->builds.unknown[index] = true;
  list_costs(scope, &known);
  hone__session_say(session, HONE_EVENT_WARNING, "%s is not known here, so '%s' is not checked%s%s",
                    name, scope->formula->text, known.length ? "; known are " : "",
                    known.data ? known.data : "");
  hone__text_release(&known);
}

/* ---- Checking ---- */

/* A constraint on a parameter that the configuration does not have is skipped, as in the space. */
static bool skip_missing(const struct scope *scope, const struct hone__evaluator *evaluator,
                         size_t index)
{
  const char *name = evaluator->culprit ? evaluator->culprit->name : NULL;

  if (evaluator->fault != HONE__FAULT_NAME || !name) return false;
  if (cost_name(scope->formula, name)) warn(scope, index, name);
  return true;
}

static bool holds(const struct scope *scope, size_t index, struct hone__text *why)
{
  struct hone__arena arena = {0};
  struct scope copy = *scope;
  struct hone__evaluator evaluator = {.arena = &arena, .lookup = look_up, .data = &copy};
  struct hone_value value;
  bool known = hone__evaluate(&evaluator, scope->formula->expr, &value), ok;

  ok = known ? hone__value_truth(value) : skip_missing(scope, &evaluator, index);
  if (!ok && known) explain(scope, why);
  if (!ok && !known)
    hone__text_add(why, hone__fault_message(&evaluator, scope->formula->text, &arena));
  hone__arena_release(&arena);
  return ok;
}

static bool applies(const struct hone__candidate *candidate, const struct hone__formula *formula)
{
  const struct hone_space *space = candidate->session->problem.task.space;

  return formula->name || /* `build.limits` applies to all */
         hone__applies(formula->file, formula->alternative, space->groups[candidate->row[0]].group);
}

static bool has_baselines_row(const struct hone__candidate *candidate)
{
  const struct hone__task *task = &candidate->session->problem.task;

  return memcmp(candidate->row, task->baseline,
                hone_space_width(task->space) * sizeof *candidate->row) == 0;
}

bool hone__built_allows(struct hone__candidate *candidate, const struct hone__named *costs,
                        size_t cost_count, struct hone__text *why)
{
  const struct hone_spec *spec = candidate->session->problem.task.spec;
  bool allowed = true, is_free = has_baselines_row(candidate);

  if (is_free && !candidate->is_baseline) return true; /* the reference is built from it too */
  for (size_t i = 0; i < spec->built_count && allowed; i++) {
    struct scope scope = {candidate, costs, cost_count, &spec->built[i]};
    if (applies(candidate, scope.formula)) allowed = holds(&scope, i, why);
  }
  if (allowed || !is_free) return allowed;
  hone__session_say(candidate->session, HONE_EVENT_WARNING,
                    "the baseline violates a constraint but is measured anyway: %s", why->data);
  hone__text_release(why);
  return true;
}
